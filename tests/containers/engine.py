"""What runs the containers: the command line that docker and podman share."""

import asyncio
import json
import subprocess
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, Self

from services.standalone import errors

PROJECT = "com.docker.compose.project"
SERVICE = "com.docker.compose.service"
NUMBER = "com.docker.compose.container-number"


@dataclass(frozen=True, slots=True)
class Seen:
    """What the engine tells of one container."""

    id: str
    service: str
    number: int
    name: str
    pid: int | None
    """Process id on this machine, None while nothing runs."""
    exit_code: int | None
    """None while it runs, or before it ever did."""
    health: str
    """What its own check found last; empty where the engine runs none by itself."""
    ports: Mapping[int, int]
    """Where ports of the container are published on loopback by now."""
    environment: Mapping[str, str]

    @classmethod
    def of(cls, told: Mapping[str, Any]) -> Self:
        """Reads an entry of `inspect`."""
        config, state = told["Config"], told["State"]
        health = state.get("Health") or {}
        published = told["NetworkSettings"].get("Ports") or {}
        variables = (line.partition("=") for line in config["Env"])
        return cls(
            id=told["Id"],
            service=config["Labels"].get(SERVICE, ""),
            number=int(config["Labels"].get(NUMBER, 0)),
            name=told["Name"].removeprefix("/"),
            exit_code=int(state["ExitCode"]) if state["Status"] == "exited" else None,
            health=str(health.get("Status", "")),
            pid=int(state["Pid"]) if state["Running"] else None,
            ports={
                int(inside.partition("/")[0]): int(places[0]["HostPort"])
                for inside, places in published.items()
                if places
            },
            environment={name: value for name, _, value in variables},
        )


@dataclass(frozen=True, slots=True)
class Engine:
    """docker or podman, by the name of its program."""

    program: str

    def do(self, *arguments: str) -> str:
        """Runs one command and gives what it said. Raises CommandFailed."""
        done = subprocess.run((self.program, *arguments), capture_output=True, text=True)
        return _said(done.returncode, done.stdout, done.stderr)

    async def run(self, *arguments: str) -> str:
        """The same while others go on."""
        process = await asyncio.create_subprocess_exec(
            *(self.program, *arguments),
            stdin=asyncio.subprocess.DEVNULL,
            stdout=asyncio.subprocess.PIPE,
            stderr=asyncio.subprocess.PIPE,
        )
        said, complaint = await process.communicate()
        return _said(process.returncode or 0, said.decode(), complaint.decode())

    def is_healthy(self, seen: Seen) -> bool:
        """Whether a running container is fine; podman is made to ask it, docker has asked."""
        if self.program != "podman":
            return seen.health == "healthy"
        asked = subprocess.run((self.program, "healthcheck", "run", seen.id), capture_output=True)
        return asked.returncode == 0

    def logged(self, container: str) -> str:
        """Everything that a container has written so far."""
        return subprocess.run(
            (self.program, "logs", container),
            stdout=subprocess.PIPE,
            stderr=subprocess.STDOUT,
            text=True,
            errors="replace",
        ).stdout

    def see(self, *containers: str) -> list[Seen]:
        """What there is to know of these containers."""
        return [Seen.of(told) for told in json.loads(self.do("inspect", *containers))]

    async def look(self, container: str) -> Seen:
        """The same of one while others go on."""
        return Seen.of(json.loads(await self.run("inspect", container))[0])

    def image(self, name: str) -> str | None:
        """Id of an image, None where there is none of that name."""
        return self.do("images", "--quiet", "--no-trunc", name).strip() or None

    def remove(self, *containers: str) -> None:
        """Ends containers at once and removes them, where there are any."""
        at_once = ("--time", "0") if self.program == "podman" else ()
        if containers:
            self.do("rm", "--force", *at_once, *containers)

    def forget(self, image: str) -> None:
        """Removes an image, unless somebody still uses it."""
        subprocess.run((self.program, "rmi", image), capture_output=True)

    def bridge(self, network: str) -> str:
        """Name of the interface that joins the containers of one of podman's networks."""
        told = json.loads(self.do("network", "inspect", network))[0]
        return str(told["network_interface"])

    def names(self) -> list[str]:
        """Names of all containers of compose projects, ended ones included."""
        label = f"label={PROJECT}"
        return self.do("ps", "--all", "--format", "{{.Names}}", "--filter", label).split()

    def of_project(self, project: str) -> list[Seen]:
        """Every container of a compose project, by service and number, ended ones included."""
        label = f"label={PROJECT}={project}"
        ids = self.do("ps", "--all", "--quiet", "--no-trunc", "--filter", label).split()
        found = self.see(*ids) if ids else []
        return sorted(found, key=lambda seen: (seen.service, seen.number))


def _said(code: int, said: str, complaint: str) -> str:
    if code:
        raise errors.CommandFailed(code, complaint)
    return said
