"""`make compose-test`: the image, docker-compose.yml, and the tests against the containers.

servers    integration tests of the services, on the PostgreSQL and the NATS of the containers
suite      the end-to-end tests, with the replicas that those tests have
replicas   the same with two replicas of each service

Every round has containers and volumes of its own; whatever happens, they are taken down.
"""

import os
import signal
import subprocess
import sys
import tempfile
import threading
import time
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from types import FrameType

from services.standalone.ports import LOOPBACK, Ports
from services.standalone.settings import SERVICES
from tests.containers.project import Composer, Project, Trouble
from tests.e2e.conftest import REPLICAS, SHORTENED

ROUND_SECONDS = 1800.0
END_TO_END = tuple(
    sorted(
        str(path) for path in Path("tests/e2e").glob("test_*.py") if path.name != "test_model.py"
    )
)
"""What shares one suite; the others bring up suites of their own, as processes."""


@dataclass(frozen=True, slots=True)
class Round:
    """Some tests, and the containers that they need."""

    name: str
    paths: Sequence[str]
    replicas: Mapping[str, int] | None = None
    """Of the services; None where the tests need the servers alone."""
    settings: Mapping[str, Mapping[str, str]] = field(default_factory=dict)


ROUNDS = (
    Round("servers", ("tests/integration/schedule", "tests/integration/notification")),
    Round("suite", END_TO_END, REPLICAS, SHORTENED),
    Round("replicas", END_TO_END, dict.fromkeys(SERVICES, 2), SHORTENED),
)


class Run:
    """All rounds, one after the other."""

    def __init__(self, project: Project) -> None:
        self._project = project
        self._endings: dict[str, str] = {}
        self._began = time.monotonic()
        self.failed = False

    def build(self) -> None:
        """Builds the image."""
        self._say(f"── image, by {' '.join(self._project.composer.program)}")
        self._project.prepare({})
        self._project.build()

    def through(self, one: Round) -> None:
        """Brings containers up, runs the tests against them, takes the containers down."""
        counts = (f"{service}={count}" for service, count in (one.replicas or {}).items())
        self._say(f"── {one.name} " + " ".join(counts))
        self._project.prepare(one.settings)
        try:
            if one.replicas is None:
                self._project.up("keys", "migrate", "postgres", "nats")
                variables = self._project.servers()
            else:
                self._project.up(replicas=one.replicas)
                variables = self._project.suite()
            self._say("healthy")
            code, ending = run((sys.executable, "-m", "pytest", *one.paths), variables)
            self._endings[one.name] = ending
            self.failed |= code != 0
        finally:
            self._project.down()

    def sum_up(self) -> None:
        """Prints the last line of each round."""
        self._say("── done")
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
    late = threading.Timer(ROUND_SECONDS, process.terminate)
    late.start()
    last = ""
    try:
        assert process.stdout is not None
        for line in process.stdout:
            sys.stdout.write(line)
            sys.stdout.flush()
            last = line.strip() or last
        return process.wait(), last
    finally:
        late.cancel()
        process.terminate()
        process.wait()


def project(directory: Path) -> Project:
    """A new one; the places that are told to containers beforehand are free at this moment."""
    ports = Ports(directory / "ports.json")
    return Project(
        composer=Composer.found(),
        name=f"smartmate-test-{os.getpid()}",
        directory=directory,
        edge=f"{LOOPBACK}:{ports.claim('edge')}",
        feishu_port=ports.claim("feishu"),
    )


def leave(number: int, _: FrameType | None) -> None:
    """Turns a signal into an orderly end."""
    raise SystemExit(128 + number)


def main() -> int:
    """Runs every round; gives the exit code."""
    signal.signal(signal.SIGTERM, leave)
    if not Path("/run/systemd/system").is_dir():
        # There podman can keep no timers for health checks, and says so at every start.
        os.environ["DISABLE_HC_SYSTEMD"] = "true"
    with tempfile.TemporaryDirectory() as directory:
        try:
            everything = Run(project(Path(directory)))
            everything.build()
            for one in ROUNDS:
                everything.through(one)
            everything.sum_up()
        except Trouble as error:
            sys.stderr.write(f"{error}\n")
            return 1
    return int(everything.failed)


if __name__ == "__main__":
    sys.exit(main())
