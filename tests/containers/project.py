"""One compose project of its own: docker-compose.yml, with what tests need besides."""

import json
import os
import re
import shutil
import subprocess
import time
from collections.abc import Mapping
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any, Self

from services.standalone import nats, postgres
from services.standalone.ports import LOOPBACK
from services.standalone.settings import SERVICES, variable
from tests.containers import bridge
from tests.containers.engine import Engine, Seen
from tests.containers.suite import CALLS, FEISHU, FEISHU_AT, GATEWAY, OPERATIONS, SERVERS, addresses

Settings = Mapping[str, Mapping[str, str]]
"""Variables by service; those under "*" are for every service."""

FILE = "docker-compose.yml"
PREFIX = "smartmate-test-"
"""Of a project's name; the process id of who made it follows."""
IMAGE = "smartmate:test"
START = ("up", "--detach", "--no-build")
ONE_SHOT = frozenset({"keys", "migrate"})
COMMAND_SECONDS = 600.0
DOWN_SECONDS = 240.0
HEALTHY_SECONDS = 180.0
LOOK_AGAIN_SECONDS = 0.5
TAIL_CHARACTERS = 3000


class Trouble(Exception):
    """Why there is nothing to test, in words for the person who asked for it."""


@dataclass(frozen=True, slots=True)
class Composer:
    """The program that reads compose files, and the engine under it."""

    program: tuple[str, ...]
    engine: Engine

    @classmethod
    def found(cls) -> Self:
        """What this machine has. Raises Trouble."""
        if _answers("docker", "compose", "version") and _answers("docker", "info"):
            return cls(("docker", "compose"), Engine("docker"))
        if shutil.which("podman-compose") and shutil.which("podman"):
            return cls(("podman-compose",), Engine("podman"))
        raise Trouble(
            "compose-test needs 'docker compose' with an engine that answers, or podman with "
            "podman-compose: neither is here"
        )

    @property
    def takes_many_scales(self) -> bool:
        """podman-compose heeds the last `--scale` alone."""
        return self.engine.program == "docker"


@dataclass(frozen=True, slots=True)
class Project:
    """Containers, volumes and a network under a name that nobody else has."""

    composer: Composer
    name: str
    directory: Path
    """For the second compose file and what the composer says."""
    edge: str
    """host:port under which people reach the gateway."""
    feishu_port: int
    """Where this machine, and notification in its container, find the Feishu stand-in."""

    @property
    def log(self) -> Path:
        """What the composer said."""
        return self.directory / "compose.log"

    def prepare(self, settings: Settings) -> None:
        """Writes the second compose file, with settings for the services."""
        content = override(self.feishu_port, settings)
        self._override.write_text(json.dumps(content, indent=2))

    def build(self) -> None:
        """Builds the image; `keys` stands for all, they have the same. It stays, so that the next
        run builds anew only what has changed; what it replaces goes."""
        before = self.composer.engine.image(IMAGE)
        self._compose("build", "keys")
        if before not in (None, self.composer.engine.image(IMAGE)):
            self.composer.engine.forget(str(before))

    def up(self, *services: str, replicas: Mapping[str, int] | None = None) -> None:
        """Starts these services, or all, and waits until everything is healthy."""
        scales = [f"--scale={service}={count}" for service, count in (replicas or {}).items()]
        if self.composer.engine.program == "podman":
            # The first container brings the bridge about.
            self._compose(*START, postgres.NAME)
            bridge.keep_address(self.composer.engine.bridge(f"{self.name}_default"))
        if self.composer.takes_many_scales or len(scales) < 2:
            self._compose(*START, *scales, *services)
        else:
            self._compose(*START, *services)
            for scale in scales:
                self._compose(*START, "--no-recreate", scale, scale.split("=")[1])
        self._wait_until_healthy()

    def down(self) -> None:
        """Removes everything, volumes and further replicas included. Raises Trouble.

        Nobody is asked to finish what he does: whether services stop in order is for the tests.
        """
        self.composer.engine.remove(*(one.id for one in self._containers()))
        self._compose("down", "--volumes", "--remove-orphans", within=DOWN_SECONDS)
        if left := self._containers():
            raise Trouble(f"left behind: {' '.join(one.name for one in left)}")

    def remove_leftovers(self) -> None:
        """Removes the containers of runs that were killed before they could."""
        found = (re.match(rf"{PREFIX}(\d+)[-_]", name) for name in self.composer.engine.names())
        for maker in {match.group(1) for match in found if match}:
            if not Path("/proc", maker).exists():
                replace(self, name=f"{PREFIX}{maker}").down()

    def servers(self) -> dict[str, str]:
        """The variables by which a suite as processes uses the servers of the containers."""
        told = {one.service: one for one in self._containers()}
        at = {
            name: f"{LOOPBACK}:{told[name].ports[SERVERS[name]]}"
            for name in (postgres.NAME, nats.NAME)
        }
        found = addresses(told, at)
        return (
            {
                "SMARTMATE_POSTGRES_URL": str(found.postgres_admin),
                "SMARTMATE_NATS_URL": found.nats_admin,
            }
            | {variable(name, "DATABASE_URL"): dsn for name, dsn in found.databases.items()}
            | {variable(name, "NATS_URL"): url for name, url in found.nats.items()}
        )

    def suite(self) -> dict[str, str]:
        """The variables by which the end-to-end tests find the containers."""
        return {
            "SMARTMATE_E2E_ENGINE": self.composer.engine.program,
            "SMARTMATE_E2E_PROJECT": self.name,
            "SMARTMATE_E2E_EDGE": self.edge,
        }

    @property
    def _override(self) -> Path:
        return self.directory / "override.json"

    def _containers(self) -> list[Seen]:
        return self.composer.engine.of_project(self.name)

    def _compose(self, *arguments: str, within: float = COMMAND_SECONDS) -> None:
        """Runs one command of the composer. Raises Trouble with the end of what it said."""
        options = ("-p", self.name, "-f", FILE, "-f", str(self._override), "--profile", "test")
        try:
            with self.log.open("ab") as log:
                done = subprocess.run(
                    (*self.composer.program, *options, *arguments),
                    env=os.environ | self._variables(),
                    stdin=subprocess.DEVNULL,
                    stdout=log,
                    stderr=subprocess.STDOUT,
                    timeout=within,
                )
            ending = f"ended with {done.returncode}" if done.returncode else ""
        except subprocess.TimeoutExpired:
            ending = f"did not end within {within:g} s"
        if ending:
            said = self.log.read_text(errors="replace")[-TAIL_CHARACTERS:]
            raise Trouble(f"{said}\n{' '.join(arguments)}: {ending}")

    def _variables(self) -> dict[str, str]:
        return {
            "SMARTMATE_VERSION": IMAGE.rpartition(":")[2],
            # Empty: the engine chooses one for each replica.
            "SMARTMATE_GATEWAY_PORT": "",
            "SMARTMATE_FEISHU_PORT": str(self.feishu_port),
            "SMARTMATE_PUBLIC_BASE_URL": f"http://{self.edge}",
        }

    def _wait_until_healthy(self) -> None:
        began = time.monotonic()
        while unsettled := [one for one in self._containers() if not self._is_settled(one)]:
            if time.monotonic() - began > HEALTHY_SECONDS:
                logs = (
                    f"── {one.name}\n{self.composer.engine.logged(one.id)[-TAIL_CHARACTERS:]}"
                    for one in unsettled
                )
                raise Trouble("\n".join((*logs, f"not healthy within {HEALTHY_SECONDS:g} s")))
            time.sleep(LOOK_AGAIN_SECONDS)

    def _is_settled(self, seen: Seen) -> bool:
        """Whether it is as it is to stay: the one-shot ones ended well, all others healthy."""
        if seen.service in ONE_SHOT:
            return seen.exit_code == 0
        return seen.pid is not None and self.composer.engine.is_healthy(seen)


def _answers(program: str, *arguments: str) -> bool:
    """Whether there is such a program, and it is content with what it finds."""
    if not shutil.which(program):
        return False
    return not subprocess.run((program, *arguments), capture_output=True).returncode


def override(feishu_port: int, settings: Settings) -> dict[str, Any]:
    """A compose file, JSON being YAML: every port published, settings as the tests want them.

    The engine chooses the ports on this machine, so that there may be replicas.
    """
    services: dict[str, Any] = {name: {"ports": [_on_loopback(at)]} for name, at in SERVERS.items()}
    for service in SERVICES:
        # The gateway's other port is published by docker-compose.yml.
        ports = (OPERATIONS,) if service == GATEWAY else (CALLS, OPERATIONS)
        services[service] = {
            "ports": [_on_loopback(port) for port in ports],
            "environment": {**settings.get("*", {}), **settings.get(service, {})},
        }
    # One address of the stand-in, here and in the container; there it has to be on loopback.
    way = f"{feishu_port}={FEISHU}:{FEISHU_AT}"
    notification = services["notification"]
    notification["command"] = ["standins.on_loopback", way, "services.notification"]
    allowed = f"{LOOPBACK}:{feishu_port}"
    notification["environment"]["SMARTMATE_ALLOWED_WEBHOOK_HOSTS"] = allowed
    return {"services": services}


def _on_loopback(port: int) -> str:
    return f"{LOOPBACK}::{port}"
