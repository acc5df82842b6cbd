"""The whole suite on one machine, as one object.

    async with Suite(home) as suite:
        await call(suite.target("schedule"))
        await suite.kill("schedule")
        await suite.ready("schedule")

Used by the command line, the demo, and the integration and end-to-end tests. Without
SMARTMATE_POSTGRES_URL and SMARTMATE_NATS_URL both servers are embedded.
"""

import asyncio
import contextlib
import os
import signal
from collections.abc import Iterable, Mapping
from pathlib import Path
from types import TracebackType
from typing import Self

from services.standalone import (
    assembly,
    databases,
    environment,
    keys,
    nats,
    one_shot,
    postgres,
    processes,
    settings,
)
from services.standalone.home import Home, locked, prepare
from services.standalone.progress import Progress, Silent

STOP_ORDER = (
    ("gateway",),
    ("active_scheduler",),
    ("notification",),
    ("schedule", "agent", assembly.FEISHU),
    (assembly.LLM,),
    ("nats",),
    ("postgres",),
)
"""Who asks is stopped before who answers."""


class Suite:
    """PostgreSQL, NATS, the services and the stand-ins as child processes.

    `services` are the ones to run: with () there are databases, streams and keys alone.
    `replicas` maps a service to a number of processes, 1 where it is not named.
    `overrides` maps a service, or "*" for all, to environment variables that win over all others.
    `durable` makes the broker sync before it acknowledges: for real use, not for tests.
    `listen` is host:port of the gateway; without it a port is chosen and kept.
    `configuration` defaults to what the SMARTMATE_… variables say; `root` replaces its home.
    """

    def __init__(
        self,
        root: Path | None = None,
        *,
        services: Iterable[str] = settings.SERVICES,
        replicas: Mapping[str, int] | None = None,
        feishu_standin: bool = False,
        llm_standin: bool = False,
        overrides: Mapping[str, Mapping[str, str]] | None = None,
        durable: bool = False,
        listen: str | None = None,
        configuration: settings.StandaloneSettings | None = None,
        progress: Progress | None = None,
    ) -> None:
        configuration = configuration or settings.read()
        self._options = assembly.Options(
            root=root or configuration.home,
            settings=configuration,
            services=tuple(services),
            replicas=dict(replicas or {}),
            feishu_standin=feishu_standin,
            llm_standin=llm_standin,
            overrides=dict(overrides or {}),
            durable=durable,
            listen=listen,
        )
        self._progress: Progress = progress or Silent()
        self._children: list[processes.Child] = []
        self._lock = contextlib.ExitStack()
        self._assembly: assembly.Assembly | None = None

    async def __aenter__(self) -> Self:
        """Start everything and return when all of it is ready; leaves nothing behind on error."""
        try:
            place = prepare(self._options.root)
            self._lock.enter_context(locked(place))
            self._assembly = await assembly.assemble(
                place, self._options, children=self._children, progress=self._progress
            )
        except BaseException:
            await self._stop_all()
            raise
        return self

    async def __aexit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        """Stop everything in order."""
        with self._progress.step("停止", "stopping"):
            await self._stop_all()

    @property
    def parts(self) -> assembly.Assembly:
        """What was put together; only inside `async with`."""
        if self._assembly is None:
            raise RuntimeError("the suite is not running")
        return self._assembly

    @property
    def home(self) -> Home:
        """The data directory."""
        return self.parts.home

    # Addresses

    @property
    def gateway_url(self) -> str:
        """Address of the web pages, first replica."""
        return f"http://{self.address('gateway')}"

    @property
    def feishu_url(self) -> str:
        """Address of the Feishu stand-in."""
        if self.parts.wiring.places.feishu is None:
            raise ValueError("this suite runs without the Feishu stand-in")
        return f"http://{self.parts.wiring.places.feishu}"

    @property
    def has_llm_standin(self) -> bool:
        """Whether the model stand-in runs."""
        return self.parts.wiring.places.llm is not None

    @property
    def llm_url(self) -> str:
        """Address of the model stand-in."""
        if self.parts.wiring.places.llm is None:
            raise ValueError("this suite runs without the model stand-in")
        return f"http://{self.parts.wiring.places.llm}"

    @property
    def feishu_secret(self) -> str:
        """Signing secret that the stand-in asks for."""
        return self.parts.secrets.feishu_secret

    @property
    def postgres_admin(self) -> str:
        """Address of the administrator's database, for asyncpg."""
        if self.parts.backbone.postgres_admin is None:
            raise ValueError("the settings name no PostgreSQL administrator")
        return self.parts.backbone.postgres_admin

    @property
    def embeds_postgres(self) -> bool:
        """Whether the database server is one of the child processes."""
        return any(child.name == postgres.NAME for child in self._children)

    @property
    def embeds_nats(self) -> bool:
        """Whether the broker is one of the child processes."""
        return any(child.name == nats.NAME for child in self._children)

    @property
    def nats_admin(self) -> str:
        """Address of the broker's administrator, who may do everything."""
        return self.parts.backbone.nats_admin

    def dsn(self, service: str) -> str:
        """Address of a service's database, for asyncpg."""
        return self.parts.backbone.databases[service]

    def database_url(self, service: str) -> str:
        """Address of a service's database, for SQLAlchemy."""
        return databases.sqlalchemy_url(self.dsn(service))

    def nats_url(self, service: str) -> str:
        """Address of the broker as a service's own user."""
        return self.parts.backbone.nats[service]

    @property
    def observer_nats_url(self) -> str:
        """Address of the broker's user that may listen and say nothing, where it is embedded."""
        if self.parts.backbone.observer_nats is None:
            raise ValueError("the given NATS server has no user of ours to observe with")
        return self.parts.backbone.observer_nats

    def target(self, service: str) -> str:
        """What a gRPC client dials to reach any replica of a service."""
        return self.parts.wiring.places.target(service)

    def address(self, service: str, index: int = 0) -> str:
        """host:port of one replica."""
        return environment.reachable(self.parts.wiring.places.listen[service][index])

    def ops_address(self, service: str, index: int = 0) -> str:
        """host:port of /healthz, /readyz and /metrics of one replica."""
        return self.parts.wiring.places.readiness(service, index)

    def private_key(self, service: str) -> Path:
        """File with the key a service signs its tokens with."""
        return keys.private_path(self.home.keys, service)

    @property
    def public_keys(self) -> Path:
        """File with everybody's public keys."""
        return keys.public_path(self.home.keys)

    def log(self, name: str, index: int = 0) -> Path:
        """Log of one process; also of "postgres", "nats" and "feishu"."""
        return self.home.log(assembly.process_name(name, index))

    def environment(self, service: str, index: int = 0) -> dict[str, str]:
        """The whole environment of one replica."""
        return environment.of_service(service, index, self.parts.wiring, os.environ)

    # Processes

    def pids(self, name: str) -> tuple[int, ...]:
        """Process ids of all living replicas; also of "postgres", "nats" and "feishu"."""
        return tuple(child.pid for child in self._replicas_of(name) if child.pid is not None)

    def all_pids(self) -> dict[str, int]:
        """Process ids by process name, the embedded servers' included."""
        return {child.name: child.pid for child in self._children if child.pid is not None}

    def deaths(self, name: str, index: int = 0) -> int:
        """How often this process has ended so far, however it ended."""
        return self._child(name, index).deaths

    def exit_code(self, name: str, index: int = 0) -> int | None:
        """How this process ended the last time: its code, or minus the signal; None: it did not."""
        return self._child(name, index).exit_code

    def send(self, name: str, number: signal.Signals, index: int = 0) -> None:
        """Send a signal; a process that dies of it is started again."""
        self._child(name, index).send(number)

    async def kill(self, name: str, index: int = 0, *, restart: bool = True) -> None:
        """kill -9; returns when the process is gone. It comes back by itself, or by `start`."""
        child = self._child(name, index)
        if restart:
            child.send(signal.SIGKILL)
            await child.ended()
        else:
            await child.kill()

    async def stop(self, name: str, index: int | None = None) -> None:
        """Stop a process as in a shutdown, all replicas where no index is given."""
        await asyncio.gather(*(child.stop() for child in self._replicas_of(name, index)))

    async def start(self, name: str, index: int | None = None) -> None:
        """Start what was stopped; returns when it is ready."""
        for child in self._replicas_of(name, index):
            child.start()
        await self.ready(name, index)

    async def restart(self, name: str, index: int | None = None) -> None:
        """Stop and start; returns when it is ready again."""
        await self.stop(name, index)
        await self.start(name, index)

    async def ready(
        self, name: str, index: int | None = None, *, within: float = assembly.READY_WITHIN
    ) -> None:
        """Return when the process answers that it is ready, all replicas without an index."""
        await asyncio.gather(
            *(child.ready(within=within) for child in self._replicas_of(name, index))
        )

    async def run(self, service: str, *arguments: str) -> str:
        """Run a command of a service and return what it says; raises CommandFailed."""
        told = self.environment(service)
        return await one_shot.run(service, arguments, told=told, directory=self.home.root)

    def _child(self, name: str, index: int = 0) -> processes.Child:
        wanted = assembly.process_name(name, index)
        for child in self._children:
            if child.name == wanted:
                return child
        raise KeyError(f"this suite runs no process {wanted!r}")

    def _replicas_of(self, name: str, index: int | None = None) -> tuple[processes.Child, ...]:
        if index is not None:
            return (self._child(name, index),)
        found = tuple(child for child in self._children if assembly.of_same_kind(child.name, name))
        if not found:
            raise KeyError(f"this suite runs no process {name!r}")
        return found

    async def _stop_all(self) -> None:
        for group in STOP_ORDER:
            await asyncio.gather(
                *(
                    child.stop()
                    for child in self._children
                    if any(assembly.of_same_kind(child.name, name) for name in group)
                )
            )
        self._children.clear()
        self._assembly = None
        self._lock.close()
