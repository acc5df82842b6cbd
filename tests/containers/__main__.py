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
from pathlib import Path
from types import FrameType

from services.standalone.ports import LOOPBACK, Ports
from services.standalone.settings import SERVICES
from tests.containers.project import Composer, Project, Trouble
from tests.e2e.conftest import REPLICAS

ROUND_SECONDS = 1800.0
INTEGRATION = ("tests/integration/schedule", "tests/integration/notification")
END_TO_END = tuple(
    sorted(
        str(path) for path in Path("tests/e2e").glob("test_*.py") if path.name != "test_model.py"
    )
)
"""What shares one suite; the others bring up suites of their own, as processes."""


class Rounds:
    """The rounds of one run, and the last line of each."""

    def __init__(self, project: Project) -> None:
        self._project = project
        self._endings: dict[str, str] = {}
        self._began = time.monotonic()
        self.failed = False

    def build(self) -> None:
        """Builds the image."""
        composer = self._project.composer
        self._say(f"── image, by {' '.join(composer.program)}")
        self._project.prepare()
        self._project.build()

    def on_servers(self) -> None:
        """The integration tests: PostgreSQL and NATS alone, with roles, tables and streams."""
        self._say("── servers")
        try:
            self._project.up("keys", "migrate", "postgres", "nats")
            self._test("servers", INTEGRATION, self._project.servers())
        finally:
            self._project.down()

    def on_suite(self, name: str, replicas: Mapping[str, int]) -> None:
        """The end-to-end tests, on so many replicas of the services."""
        self._say(f"── {name}: " + ", ".join(f"{service}={n}" for service, n in replicas.items()))
        try:
            self._project.up(replicas=replicas)
            self._test(name, END_TO_END, self._project.suite())
        finally:
            self._project.down()

    def sum_up(self) -> None:
        """Prints the last line of each round."""
        self._say("")
        for name, ending in self._endings.items():
            self._say(f"{name:<10} {ending}")
        self._say("done")

    def _test(self, name: str, folders: Sequence[str], variables: Mapping[str, str]) -> None:
        self._say("healthy")
        code, self._endings[name] = run((sys.executable, "-m", "pytest", *folders), variables)
        self.failed |= code != 0

    def _say(self, line: str) -> None:
        seconds = f"  [{time.monotonic() - self._began:.0f} s]" if line else ""
        sys.stdout.write(f"{line}{seconds}\n")
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
            rounds = Rounds(project(Path(directory)))
            rounds.build()
            rounds.on_servers()
            rounds.on_suite("suite", REPLICAS)
            rounds.on_suite("replicas", dict.fromkeys(SERVICES, 2))
            rounds.sum_up()
        except Trouble as error:
            sys.stderr.write(f"{error}\n")
            return 1
    return int(rounds.failed)


if __name__ == "__main__":
    sys.exit(main())
