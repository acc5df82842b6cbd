"""Runs a command and ends every process that it leaves behind.

    python3 scripts/contained.py make test
    python3 scripts/contained.py --copy run.log make test     also writes the output to run.log

A process whose parent has gone is handed to this one instead of to init (PR_SET_CHILD_SUBREAPER),
so that nothing escapes by starting a session of its own. Uses the standard library alone: it runs
before there is an environment.
"""

import ctypes
import os
import signal
import subprocess
import sys
import threading
import time
from collections.abc import Sequence
from pathlib import Path

PR_SET_CHILD_SUBREAPER = 36
PATIENCE_SECONDS = 20.0
LOOK_EVERY_SECONDS = 0.05


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


def end_all(patience: float = PATIENCE_SECONDS) -> int:
    """Ends what is left, first gently, after `patience` seconds by force; gives how many."""
    asked: set[int] = set()
    deadline = time.monotonic() + patience
    while left := children():
        late = time.monotonic() >= deadline
        for pid in left if late else left - asked:
            os.kill(pid, signal.SIGKILL if late else signal.SIGTERM)
        asked |= left
        time.sleep(LOOK_EVERY_SECONDS)
        reap()
    return len(asked)


def copying(source: int, copy: str) -> threading.Thread:
    """Passes on what comes from `source`, and keeps it in a file, until its writers are gone."""

    def pump() -> None:
        with Path(copy).open("wb", buffering=0) as kept:
            while part := os.read(source, 65536):
                kept.write(part)
                sys.stdout.buffer.write(part)
                sys.stdout.buffer.flush()

    thread = threading.Thread(target=pump, name="copy")
    thread.start()
    return thread


def wait_for(process: subprocess.Popen[bytes]) -> int:
    """Waits for the command, and meanwhile collects whatever else ends: an orphan that nobody
    collects would look alive to those who wait for its end."""
    while True:
        pid, status = os.waitpid(-1, 0)
        if pid == process.pid:
            process.returncode = os.waitstatus_to_exitcode(status)
            return process.returncode


def run(command: Sequence[str], copy: str | None) -> int:
    """The exit code of the command, or 128 + the signal that ended it."""
    process = subprocess.Popen(
        command,
        stdin=subprocess.DEVNULL,
        stdout=subprocess.PIPE if copy else None,
        stderr=subprocess.STDOUT if copy else None,
    )
    pump = copying(process.stdout.fileno(), copy) if process.stdout and copy else None

    def pass_on(number: int, _frame: object) -> None:
        os.kill(process.pid, number)

    for number in (signal.SIGTERM, signal.SIGHUP):
        signal.signal(number, pass_on)
    # Ctrl-C reaches the command by itself; this one stays to end what is left.
    signal.signal(signal.SIGINT, lambda _number, _frame: None)
    code = wait_for(process)
    for number in (signal.SIGTERM, signal.SIGHUP):
        signal.signal(number, signal.SIG_IGN)
    if left := end_all():
        sys.stderr.write(f"ended {left} processes that were left behind\n")
    if pump:
        pump.join()
    return code if code >= 0 else 128 - code


def main(arguments: Sequence[str]) -> int:
    """Reads the arguments and runs the command."""
    ctypes.CDLL(None).prctl(PR_SET_CHILD_SUBREAPER, 1, 0, 0, 0)
    if arguments[:1] == ["--copy"]:
        return run(arguments[2:], arguments[1])
    return run(arguments, None)


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
