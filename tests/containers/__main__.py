"""`make compose-test`: the image, docker-compose.yml, and the tests against the containers.

servers    the integration tests that use servers which somebody names, on the PostgreSQL and the
           NATS of the containers
suite      the end-to-end tests of the thread, with the replicas that those tests have
replicas   the same with two replicas of each service

scripts/compose-test [ROUND…]

Every round has containers and volumes of its own; whatever happens, they are taken down.
"""

import contextlib
import os
import signal
import subprocess
import sys
import tempfile
import threading
import time
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from types import FrameType

from services.standalone.errors import CommandFailed
from services.standalone.ports import LOOPBACK, Ports
from services.standalone.settings import SERVICES
from tests.containers.project import PREFIX, Composer, Project, Trouble
from tests.e2e.conftest import REPLICAS, SHORTENED

ROUND_SECONDS = 900.0
AFTERWARDS_SECONDS = 60.0
"""Within which a round that is told to end has to."""
SERVERS = (
    "tests/integration",
    "--ignore=tests/integration/standalone",
    *("-p", "tests.containers.selection"),
)
"""What runs on servers that somebody names; standalone is about embedded ones."""
LEFT_OUT = {
    "test_model.py": "brings up a suite of its own, as do those in the folder faults",
    "test_audit.py": "plants what the audit has to find; the audit itself follows every test",
    "test_openapi.py": "compares answers with their description, wherever they come from",
}
"""Of the end-to-end tests; the folder pages is about what pages show."""
END_TO_END = sorted(
    str(path) for path in Path("tests/e2e").glob("test_*.py") if path.name not in LEFT_OUT
)


@dataclass(frozen=True, slots=True)
class Round:
    """Some tests, and the containers that they need."""

    name: str
    arguments: Sequence[str]
    """Of pytest."""
    replicas: Mapping[str, int] | None = None
    """Of the services; None where the tests need the servers alone."""
    settings: Mapping[str, Mapping[str, str]] = field(default_factory=dict)


ROUNDS = (
    Round("servers", SERVERS),
    Round("suite", END_TO_END, REPLICAS, SHORTENED),
    Round("replicas", END_TO_END, dict.fromkeys(SERVICES, 2), SHORTENED),
)


class Run:
    """All rounds, one after the other."""

    def __init__(self, project: Project) -> None:
        self._project = project
        self._endings: dict[str, str] = {}
        self._began = time.monotonic()
        self._failed = False

    def rounds(self, names: Sequence[str]) -> int:
        """Builds the image and runs the named rounds, or all; gives the exit code."""
        try:
            self._build()
            for one in ROUNDS:
                if not names or one.name in names:
                    self._through(one)
        except (Trouble, CommandFailed) as error:
            sys.stderr.write(f"{error}\n")
            self._failed = True
        self._sum_up()
        return int(self._failed)

    def _build(self) -> None:
        """Builds the image."""
        self._say(f"── image, by {' '.join(self._project.composer.program)}")
        self._project.prepare({})
        self._project.remove_leftovers()
        self._project.build()

    def _through(self, one: Round) -> None:
        """Brings containers up, runs the tests against them, takes the containers down."""
        counts = (f"{service}={count}" for service, count in (one.replicas or {}).items())
        self._say(f"── {one.name} " + " ".join(counts))
        self._endings[one.name] = "did not come to its end"
        self._project.prepare(one.settings)
        try:
            if one.replicas is None:
                self._project.up("keys", "migrate", "postgres", "nats")
                variables = self._project.servers()
            else:
                self._project.up(replicas=one.replicas)
                variables = self._project.suite()
            self._say("healthy")
            code, ending = run((sys.executable, "-m", "pytest", *one.arguments), variables)
            self._endings[one.name] = ending
            self._failed |= code != 0
        finally:
            with undisturbed():
                self._project.down()

    def _sum_up(self) -> None:
        """Prints the last line of each round."""
        self._say("── failed" if self._failed else "── done")
        for name, ending in self._endings.items():
            sys.stdout.write(f"{name:<10} {ending}\n")

    def _say(self, line: str) -> None:
        sys.stdout.write(f"{line}  [{time.monotonic() - self._began:.0f} s]\n")
        sys.stdout.flush()


def run(command: Sequence[str], variables: Mapping[str, str]) -> tuple[int, str]:
    """Runs a command, passes on what it says; gives its exit code and its last line."""
    process = subprocess.Popen(
        command,
        env=os.environ | variables,
        stdin=subprocess.DEVNULL,
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
        text=True,
        errors="replace",
    )
    # Asked first: pytest then tells how far it came, and what it has started ends.
    asked = threading.Timer(ROUND_SECONDS, process.send_signal, (signal.SIGINT,))
    insisted = threading.Timer(ROUND_SECONDS + AFTERWARDS_SECONDS, process.kill)
    asked.start()
    insisted.start()
    began = time.monotonic()
    last = ""
    try:
        assert process.stdout is not None
        for line in process.stdout:
            sys.stdout.write(line)
            sys.stdout.flush()
            last = line.strip() or last
        code = process.wait()
        late = code and time.monotonic() - began > ROUND_SECONDS
        return code, f"{last} cut off after {ROUND_SECONDS:g} s" if late else last
    finally:
        asked.cancel()
        insisted.cancel()
        process.terminate()
        process.wait()


@contextlib.contextmanager
def undisturbed() -> Iterator[None]:
    """Nobody who asks again for the end keeps it from coming."""
    kept = {number: signal.getsignal(number) for number in (signal.SIGINT, signal.SIGTERM)}
    for number in kept:
        signal.signal(number, signal.SIG_IGN)
    try:
        yield
    finally:
        for number, handler in kept.items():
            signal.signal(number, handler)


def project(directory: Path) -> Project:
    """A new one; the places that are told to containers beforehand are free at this moment."""
    ports = Ports(directory / "ports.json")
    return Project(
        composer=Composer.found(),
        name=f"{PREFIX}{os.getpid()}",
        directory=directory,
        edge=f"{LOOPBACK}:{ports.claim('edge')}",
        feishu_port=ports.claim("feishu"),
    )


def leave(number: int, _: FrameType | None) -> None:
    """Turns a signal into an orderly end."""
    raise SystemExit(128 + number)


def main(names: Sequence[str]) -> int:
    """Runs the named rounds, or all; gives the exit code."""
    if unknown := set(names) - {one.name for one in ROUNDS}:
        sys.stderr.write(f"no such round: {' '.join(sorted(unknown))}\n")
        return 2
    for number in (signal.SIGINT, signal.SIGTERM):
        signal.signal(number, leave)
    if not Path("/run/systemd/system").is_dir():
        # There podman can keep no timers for health checks, and says so at every start.
        os.environ["DISABLE_HC_SYSTEMD"] = "true"
    with tempfile.TemporaryDirectory() as directory:
        try:
            everything = Run(project(Path(directory)))
        except Trouble as error:
            sys.stderr.write(f"{error}\n")
            return 1
        return everything.rounds(names)


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
