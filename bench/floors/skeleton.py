"""Starts PostgreSQL, NATS and empty services: python -m bench.floors.skeleton PLAN

PLAN is a JSON file: `servers`, each with `command`, `port` and `user` (null for one's own);
`services`, name to environment. Everything ends with SIGTERM, or with this process.
"""

import ctypes
import json
import signal
import socket
import subprocess
import sys
import time
from pathlib import Path
from typing import Any

_PR_SET_PDEATHSIG = 1
_libc = ctypes.CDLL(None)


def _end_with_parent() -> None:
    _libc.prctl(_PR_SET_PDEATHSIG, int(signal.SIGTERM), 0, 0, 0)


def _start(command: list[str], **more: Any) -> subprocess.Popen[bytes]:
    return subprocess.Popen(
        command,
        stdin=subprocess.DEVNULL,
        stdout=subprocess.DEVNULL,
        stderr=subprocess.DEVNULL,
        preexec_fn=_end_with_parent,
        **more,
    )


def _wait_for(port: int) -> None:
    while True:
        try:
            socket.create_connection(("127.0.0.1", port), timeout=1).close()
        except OSError:
            time.sleep(0.01)
        else:
            return


def run(plan: dict[str, Any]) -> None:
    """Servers first, then all services at once; waits for SIGTERM."""
    asked: list[int] = []
    signal.signal(signal.SIGTERM, lambda number, _frame: asked.append(number))
    servers = [
        _start(server["command"], user=server["user"], cwd="/") for server in plan["servers"]
    ]
    for server in plan["servers"]:
        _wait_for(server["port"])
    services = [
        _start([sys.executable, "-P", "-m", "bench.floors.skeleton_service", name], env=environment)
        for name, environment in plan["services"].items()
    ]
    while not asked:
        time.sleep(0.05)
    for process in services:
        process.terminate()
    for process in services:
        process.wait()
    for process in servers:
        # For PostgreSQL: disconnect everybody, write a checkpoint, end.
        process.send_signal(signal.SIGINT)
    for process in servers:
        process.wait()


if __name__ == "__main__":
    run(json.loads(Path(sys.argv[1]).read_text()))
