"""The newest errors in the logs of a suite, for whoever has to find out what went wrong."""

import json
import re
from collections.abc import Iterable, Iterator
from pathlib import Path
from typing import Any

from services.standalone import files

LOOKED_AT_LINES = 2000
LOOKED_AT_BYTES = 1024 * 1024
LONGEST = 400

_LEVELS = frozenset({"error", "critical"})
_ASIDE = frozenset({"event", "level", "timestamp", "service", "exception", "trace_id"})
# PostgreSQL, nats-server, and the last line of a Python traceback.
_PLAIN = re.compile(r"\b(ERROR|FATAL|PANIC):|\[(ERR|FTL)\]|^[\w.]*(Error|Exception|Exit)\b")


def newest_errors(logs: Path, *, most: int = 3) -> list[str]:
    """The newest lines of each log that tell of an error, with the name of the process.

    A line that was written again and again is told once.
    """
    found = []
    for path in sorted(logs.glob("*.log")):
        text = files.tail(path, lines=LOOKED_AT_LINES, most_bytes=LOOKED_AT_BYTES)
        lines = tuple(dict.fromkeys(errors_in(text.splitlines())))
        found += [f"{path.stem}: {line}" for line in lines[-most:]]
    return found


def errors_in(lines: Iterable[str]) -> Iterator[str]:
    """What of a log tells of an error, each in one short line."""
    for line in lines:
        if entry := _entry(line):
            if entry.get("level") in _LEVELS:
                yield _short(_told(entry))
        elif _PLAIN.search(line):
            yield _short(line.strip())


def _entry(line: str) -> dict[str, Any] | None:
    """A structured line, None for any other."""
    if not line.startswith("{"):
        return None
    try:
        found = json.loads(line)
    except ValueError:
        return None
    return found if isinstance(found, dict) else None


def _told(entry: dict[str, Any]) -> str:
    """Event, ids, and the last line of the traceback."""
    ids = " ".join(f"{name}={value}" for name, value in entry.items() if name not in _ASIDE)
    traceback = str(entry.get("exception", "")).strip().splitlines()
    parts = (str(entry.get("timestamp", "")), str(entry.get("event", "")), ids, *traceback[-1:])
    return " ".join(part for part in parts if part)


def _short(text: str) -> str:
    return text if len(text) <= LONGEST else f"{text[:LONGEST]}…"
