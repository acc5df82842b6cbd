"""Ends what a killed supervisor left behind, and nothing else.

Each child is recorded with its process id and the kernel's start time of that process; together
they name one process, so a reused id is never mistaken for it.
"""

import asyncio
import os
import signal
from dataclasses import dataclass
from pathlib import Path

from services.standalone import files

STARTED_FIELD = 19
"""Index of `starttime` in /proc/<pid>/stat behind the command name, see proc(5)."""


@dataclass(frozen=True, slots=True)
class Leftover:
    """A process of an earlier supervisor that still lives."""

    name: str
    pid: int
    stop_signal: signal.Signals
    stop_within: float


def started(pid: int) -> str | None:
    """Return the kernel's start time of a living process, None when there is none."""
    try:
        stat = Path(f"/proc/{pid}/stat").read_text()
    except (FileNotFoundError, ProcessLookupError):
        return None
    fields = stat.rpartition(")")[2].split()
    return None if fields[0] in "ZX" else fields[STARTED_FIELD]


def command_line(pid: int) -> tuple[str, ...]:
    """Return the arguments of a process, empty when it is gone."""
    try:
        raw = Path(f"/proc/{pid}/cmdline").read_bytes()
    except (FileNotFoundError, ProcessLookupError):
        return ()
    return tuple(part.decode(errors="replace") for part in raw.split(b"\0") if part)


def record(
    records: Path, name: str, *, pid: int, stop_signal: signal.Signals, stop_within: float
) -> None:
    """Write down a child that was just started."""
    files.write_object(
        records / f"{name}.json",
        {
            "pid": pid,
            "started": started(pid),
            "signal": int(stop_signal),
            "within": stop_within,
        },
    )


def forget(records: Path, name: str) -> None:
    """Strike out a child that has ended."""
    (records / f"{name}.json").unlink(missing_ok=True)


def find(records: Path) -> tuple[Leftover, ...]:
    """Return the recorded processes that still live; strikes out the others."""
    alive: list[Leftover] = []
    for path in sorted(records.glob("*.json")):
        found = _living(path)
        if found is None:
            path.unlink()
        else:
            alive.append(found)
    return tuple(alive)


def lives(records: Path, name: str) -> bool:
    """Tell whether a supervised process runs now; changes nothing."""
    return _living(records / f"{name}.json") is not None


def _living(path: Path) -> Leftover | None:
    """Return the process of a record, None when it has ended or the record is unreadable."""
    try:
        content = files.read_object(path)
        found = Leftover(
            name=path.stem,
            pid=int(content["pid"]),
            stop_signal=signal.Signals(content["signal"]),
            stop_within=float(content["within"]),
        )
        known_start = str(content["started"])
    except (KeyError, TypeError, ValueError):
        return None
    return found if started(found.pid) == known_start else None


async def end(records: Path) -> tuple[str, ...]:
    """Stop the recorded processes that still live, all at once; returns their names."""
    alive = find(records)
    await asyncio.gather(*(end_one(found) for found in alive))
    for found in alive:
        forget(records, found.name)
    return tuple(found.name for found in alive)


async def end_one(found: Leftover) -> None:
    """Ask a process to end, insist after its time, return when it is gone."""
    try:
        descriptor = os.pidfd_open(found.pid)
    except ProcessLookupError:
        return
    try:
        signal.pidfd_send_signal(descriptor, found.stop_signal)
        if not await ended(descriptor, within=found.stop_within):
            signal.pidfd_send_signal(descriptor, signal.SIGKILL)
            await ended(descriptor, within=10)
    except ProcessLookupError:
        return
    finally:
        os.close(descriptor)


async def ended(descriptor: int, *, within: float) -> bool:
    """Wait until the process behind a pidfd has ended; False when time is up."""
    loop = asyncio.get_running_loop()
    gone = asyncio.Event()
    loop.add_reader(descriptor, gone.set)
    try:
        async with asyncio.timeout(within):
            await gone.wait()
    except TimeoutError:
        return False
    finally:
        loop.remove_reader(descriptor)
    return True
