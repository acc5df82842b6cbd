"""Runs a command and ends every process that it leaves behind.

    python3 scripts/contained.py make test

A process whose parent has gone is handed to this one instead of to init (PR_SET_CHILD_SUBREAPER),
so that nothing escapes by starting a session of its own. Uses the standard library alone: it runs
before there is an environment.
"""

import ctypes
import os
import signal
import subprocess
import sys
import time
from pathlib import Path

PR_SET_CHILD_SUBREAPER = 36
PATIENCE_SECONDS = 20.0
LOOK_EVERY_SECONDS = 0.1


def children() -> set[int]:
    """Pids of the living processes whose parent is this one."""
    mine = os.getpid()
    found = set()
    for entry in Path("/proc").iterdir():
        if not entry.name.isdigit():
            continue
        try:
            # The name in parentheses may hold anything; the fields after it do not.
            state, parent = (entry / "stat").read_text().rpartition(")")[2].split()[:2]
        except (FileNotFoundError, ProcessLookupError):
            continue
        if int(parent) == mine and state != "Z":
            found.add(int(entry.name))
    return found


def reap() -> None:
    """Collects the processes that have ended."""
    try:
        while os.waitpid(-1, os.WNOHANG)[0]:
            pass
    except ChildProcessError:
        return


def end_all() -> list[int]:
    """Ends what is left, first gently, then by force; gives the pids that had to be ended."""
    ended: list[int] = []
    deadline = time.monotonic() + PATIENCE_SECONDS
    while left := children():
        number = signal.SIGTERM if time.monotonic() < deadline else signal.SIGKILL
        for pid in left:
            if pid not in ended or number is signal.SIGKILL:
                os.kill(pid, number)
                ended.append(pid)
        time.sleep(LOOK_EVERY_SECONDS)
        reap()
    return ended


def main() -> int:
    """The exit code of the command, or 128 + the signal that ended it."""
    ctypes.CDLL(None).prctl(PR_SET_CHILD_SUBREAPER, 1, 0, 0, 0)
    process = subprocess.Popen(sys.argv[1:], stdin=subprocess.DEVNULL)

    def forward(number: int, _frame: object) -> None:
        process.send_signal(number)

    for number in (signal.SIGINT, signal.SIGTERM, signal.SIGHUP):
        signal.signal(number, forward)
    code = process.wait()
    left = set(end_all())
    if left:
        sys.stderr.write(f"ended {len(left)} processes that were left behind\n")
    return code if code >= 0 else 128 - code


if __name__ == "__main__":
    sys.exit(main())
