"""Building blocks for the tests of the one-machine runner."""

import asyncio
import contextlib
import os
import subprocess
import sys
import textwrap
from collections.abc import Iterator
from pathlib import Path

from services.standalone import leftovers, settings, spawn
from services.standalone.settings import SERVICES
from services.standalone.suite import Suite

DUMMY_SERVICE = """
import http.server, json, os, signal, sys, urllib.parse

if len(sys.argv) > 1:
    if sys.argv[1] == "fail":
        sys.exit("no such user")
    print(json.dumps({"arguments": sys.argv[1:], "environment": dict(os.environ)}))
    sys.exit(0)


class Answer(http.server.BaseHTTPRequestHandler):
    def do_GET(self):
        self.send_response(200)
        self.end_headers()
        self.wfile.write(json.dumps(dict(os.environ)).encode())

    def log_message(self, *_):
        pass


def ended(*_):
    print(f"ending {os.getpid()}", flush=True)
    with open(os.environ["ENDED"], "a") as order:
        order.write(__spec__.parent.rpartition(".")[2] + chr(10))
    os._exit(0)


signal.signal(signal.SIGTERM, ended)
address = os.environ.get("SMARTMATE_OPS_LISTEN") or os.environ["SMARTMATE_LISTEN"]
host, _, port = address.rpartition(":")
print(f"serving {os.getpid()}", flush=True)
http.server.HTTPServer((host, int(port)), Answer).serve_forever()
"""
"""Stands where a service's program would: answers /readyz, notes its end, runs a command."""


def no_settings(root: Path) -> settings.StandaloneSettings:
    """Settings that embed both servers whatever the environment of the test run says."""
    return settings.read({"SMARTMATE_HOME": str(root)})


def bare(root: Path) -> Suite:
    """A suite of both servers, databases, streams and keys, without services."""
    return Suite(services=(), configuration=no_settings(root))


def lay_dummies(root: Path) -> Path:
    """Make an import root in which every service is a dummy."""
    for service in SERVICES:
        package = root / "services" / service
        package.mkdir(parents=True)
        (package / "__init__.py").touch()
        (package / "__main__.py").write_text(DUMMY_SERVICE)
    (root / "services" / "__init__.py").touch()
    return root


def with_dummies(place: Path, **options: object) -> Suite:
    dummies = lay_dummies(place / "dummies")
    overrides = {
        "*": {"PYTHONPATH": str(dummies), "ENDED": str(place / "ended")},
        "schedule": {"SMARTMATE_WEEKS": "20"},
    }
    return Suite(configuration=no_settings(place), overrides=overrides, **options)  # type: ignore[arg-type]


async def has_ended(pid: int, *, within: float = 20) -> bool:
    """Wait until a process that need not be a child of ours has ended."""
    try:
        descriptor = os.pidfd_open(pid)
    except ProcessLookupError:
        return True
    try:
        return await leftovers.ended(descriptor, within=within)
    finally:
        os.close(descriptor)


def program(
    root: Path, code: str, *, name: str = "dummy", stop_within: float = 15.0
) -> spawn.Program:
    """A child that runs a few lines of Python."""
    return spawn.Program(
        name=name,
        command=(sys.executable, "-I", "-S", "-c", textwrap.dedent(code)),
        environment={"PATH": os.defpath},
        log=root / f"{name}.log",
        directory=root,
        stop_within=stop_within,
    )


def logged(log: Path, text: str) -> bool:
    """Tell whether a child has written something."""
    return log.exists() and text in log.read_text()


async def until_logged(log: Path, text: str, *, within: float = 20) -> None:
    """Wait until a child has written something."""
    async with asyncio.timeout(within):
        while True:
            if logged(log, text):
                return
            await asyncio.sleep(0.005)


def start(*command: str) -> subprocess.Popen[str]:
    """Start a process that no suite knows of."""
    return subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True)


@contextlib.contextmanager
def bystander() -> Iterator[subprocess.Popen[str]]:
    """A process that waits for a line; whatever happens to it is not our doing."""
    process = start(sys.executable, "-c", "input()")
    try:
        yield process
    finally:
        process.communicate("\n")
