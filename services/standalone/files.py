"""Small files that hold secrets or must never be half written."""

import json
import os
from pathlib import Path
from typing import Any


def write_private(path: Path, text: str, *, mode: int = 0o600) -> None:
    """Replace the whole file, or nothing: a reader sees the old text or the new."""
    new = path.with_name(path.name + ".new")
    new.unlink(missing_ok=True)
    with os.fdopen(os.open(new, os.O_WRONLY | os.O_CREAT | os.O_EXCL, mode), "w") as file:
        os.fchmod(file.fileno(), mode)
        file.write(text)
        file.flush()
        os.fsync(file.fileno())
    new.replace(path)


def read_object(path: Path) -> dict[str, Any]:
    """Return the JSON object in the file, empty when there is no such file."""
    try:
        found = json.loads(path.read_text())
    except FileNotFoundError:
        return {}
    if not isinstance(found, dict):
        raise ValueError(f"{path} does not hold a JSON object")
    return found


def write_object(path: Path, content: dict[str, Any]) -> None:
    """Write a JSON object that this user alone may read."""
    write_private(path, json.dumps(content, indent=2, sort_keys=True) + "\n")


def tail(path: Path, *, lines: int = 15, most_bytes: int = 16_384) -> str:
    """Return the last lines of a log, empty when there is none."""
    try:
        with path.open("rb") as file:
            file.seek(max(0, file.seek(0, os.SEEK_END) - most_bytes))
            text = file.read().decode(errors="replace")
    except FileNotFoundError:
        return ""
    return "\n".join(text.splitlines()[-lines:])
