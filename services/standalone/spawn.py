"""Starts one program so that it cannot outlive its supervisor.

The kernel is asked to signal the child when the thread that started it dies, so even a kill -9 of
the supervisor leaves nothing behind. Each child has a session of its own: Ctrl-C in the terminal
reaches the supervisor alone, which then ends the children in order.
"""

import ctypes
import os
import signal
import subprocess
import sys
import threading
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from pathlib import Path

from services.standalone import errors
from services.standalone.home import Account

PR_SET_PDEATHSIG = 1
LOG_LIMIT_BYTES = 32 * 1024 * 1024

_libc = ctypes.CDLL(None, use_errno=True)


@dataclass(frozen=True, slots=True)
class Program:
    """What to run, as whom, and how it is asked to end."""

    name: str
    command: tuple[str, ...]
    environment: Mapping[str, str]
    log: Path
    directory: Path
    account: Account | None = None
    stop_signal: signal.Signals = signal.SIGTERM
    stop_within: float = 15.0
    """Seconds between the stop signal and SIGKILL."""


def start(program: Program) -> subprocess.Popen[bytes]:
    """Start the program, its output appended to its log; from the main thread alone."""
    if sys.platform != "linux":
        raise errors.PlatformUnsupported(sys.platform)
    if threading.current_thread() is not threading.main_thread():
        raise errors.NotMainThread
    set_aside_long_log(program.log)
    account = program.account
    with program.log.open("ab") as log:
        return subprocess.Popen(
            program.command,
            env=dict(program.environment),
            cwd=program.directory,
            stdin=subprocess.DEVNULL,
            stdout=log,
            stderr=subprocess.STDOUT,
            user=account.uid if account else None,
            group=account.gid if account else None,
            extra_groups=[] if account else None,
            umask=0o077,
            start_new_session=True,
            preexec_fn=_bound_to_parent(program.stop_signal, os.getpid()),
        )


def _bound_to_parent(death_signal: signal.Signals, parent: int) -> Callable[[], None]:
    """Return what the child does between fork and exec; runs after the change of user."""

    def bind() -> None:
        if _libc.prctl(PR_SET_PDEATHSIG, int(death_signal), 0, 0, 0) != 0:
            os._exit(126)
        # The parent may have died before the request was made.
        if os.getppid() != parent:
            os._exit(127)

    return bind


def set_aside_long_log(log: Path) -> None:
    """Keep one older log beside the current one once that has grown long."""
    if log.exists() and log.stat().st_size > LOG_LIMIT_BYTES:
        log.replace(log.with_suffix(".log.1"))
