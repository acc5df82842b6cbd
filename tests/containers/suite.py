"""The suite in containers, behind the object by which tests know the suite as processes.

`make compose-test` brings the containers up and names them here; the tests stay as they are. A
fault of a process becomes the same fault of a container.

    SMARTMATE_E2E_ENGINE     docker or podman
    SMARTMATE_E2E_PROJECT    the compose project; its containers themselves say the rest
    SMARTMATE_E2E_EDGE       host:port under which the gateway was told that people reach it
"""

from collections.abc import Iterable, Mapping, Sequence
from pathlib import Path
from types import TracebackType
from typing import Self
from urllib.parse import urlsplit

from services.standalone import (
    assembly,
    backbone,
    credentials,
    databases,
    environment,
    files,
    home,
    keys,
    nats,
    permissions,
    postgres,
    probe,
    settings,
)
from services.standalone.compose_config import passwords
from services.standalone.errors import ServerUnreachable
from services.standalone.ports import LOOPBACK
from services.standalone.suite import Suite
from tests.containers.container import Container
from tests.containers.door import Back, Door
from tests.containers.engine import Engine, Seen

GATEWAY, FEISHU = "gateway", assembly.FEISHU
CALLS, OPERATIONS = 8080, 8081
SERVERS = {postgres.NAME: 5432, nats.NAME: 4222}
"""Where the servers listen in their containers."""
FEISHU_AT = 8090
"""Where the stand-in does."""


def given(variables: Mapping[str, str], root: Path) -> "Contained | None":
    """The suite that the environment names, None where it names none."""
    if not (project := variables.get("SMARTMATE_E2E_PROJECT")):
        return None
    engine = Engine(variables["SMARTMATE_E2E_ENGINE"])
    return Contained(root, engine, project, variables["SMARTMATE_E2E_EDGE"])


class Contained(Suite):
    """A suite in containers, which somebody else brings up and takes down."""

    def __init__(self, root: Path, engine: Engine, project: str, edge: str) -> None:
        super().__init__(root, configuration=settings.read({"SMARTMATE_HOME": str(root)}))
        self._engine = engine
        self._project = project
        self._edge = edge
        self._doors: list[Door] = []

    async def __aenter__(self) -> Self:
        place = home.prepare(self._options.root)
        seen = self._engine.of_project(self._project)
        containers = _containers(self._engine, seen, place)
        try:
            self._children[:] = containers
            self._assembly = await self._assembled(place, containers, seen)
        except BaseException:
            await self._leave()
            raise
        return self

    async def __aexit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        await self._leave()

    def log(self, name: str, index: int = 0) -> Path:
        child = self._container(name, index)
        child.program.log.write_text(child.logged())
        return child.program.log

    async def run(self, service: str, *arguments: str) -> str:
        child = self._container(service)
        await child.there()
        command = ("python", "-m", f"services.{service}", *arguments)
        return await self._engine.run("exec", child.seen.id, *command)

    def _container(self, name: str, index: int = 0) -> Container:
        child = self._child(name, index)
        assert isinstance(child, Container)
        return child

    async def _leave(self) -> None:
        for door in self._doors:
            await door.close()
        self._doors.clear()
        self._children.clear()
        self._assembly = None

    async def _assembled(
        self, place: home.Home, containers: Sequence[Container], seen: Sequence[Seen]
    ) -> assembly.Assembly:
        told = {one.service: one for one in seen}
        doors = {
            name: await self._door((one for one in containers if one.seen.service == name), port)
            for name, port in SERVERS.items()
        }
        servers = addresses(told, doors)
        # Published at a port that was chosen before: notification was told of it.
        doors[FEISHU] = f"{LOOPBACK}:{told[FEISHU].ports[FEISHU_AT]}"
        places = await self._places(containers, doors[FEISHU])
        for child in containers:
            await self._tell_how_to_ask(child, doors, servers)
        await self._copy_keys(place, told)
        wiring = environment.Wiring(
            home=place,
            places=places,
            database_urls={
                name: databases.sqlalchemy_url(dsn) for name, dsn in servers.databases.items()
            },
            nats_urls=servers.nats,
            seal_key=told["notification"].environment["SMARTMATE_SEAL_KEY"],
        )
        return assembly.Assembly(
            home=place, secrets=_secrets(told, servers), backbone=servers, wiring=wiring
        )

    async def _door(
        self, containers: Iterable[Container], inside: int, at: str = f"{LOOPBACK}:0"
    ) -> str:
        """A new door to a port of containers; gives its host:port."""
        door = Door([Back(self._engine, one.seen.id, inside) for one in containers])
        self._doors.append(door)
        return await door.listen(at)

    async def _places(self, containers: Sequence[Container], feishu: str) -> environment.Places:
        """A door to each replica; the gateway's first is the one that people come by, to all."""
        listen: dict[str, tuple[str, ...]] = {}
        ops: dict[str, tuple[str, ...]] = {}
        for service in settings.SERVICES:
            replicas = [one for one in containers if one.seen.service == service]
            listen[service] = tuple([await self._door([one], CALLS) for one in replicas])
            ops[service] = tuple([await self._door([one], OPERATIONS) for one in replicas])
            if service == GATEWAY:
                edge = await self._door(replicas, CALLS, self._edge)
                listen[service] = (edge, *listen[service][1:])
        return environment.Places(listen=listen, ops=ops, feishu=feishu)

    async def _tell_how_to_ask(
        self, child: Container, doors: Mapping[str, str], servers: backbone.Backbone
    ) -> None:
        name = child.seen.service
        if name == postgres.NAME:
            child.probe = _connects(str(servers.postgres_admin))
        elif name == nats.NAME:
            child.probe = probe.greets(doors[name], b"INFO ")
        elif name == FEISHU:
            child.probe = probe.http_answers(doors[name])
        else:
            child.probe = probe.http_ok(await self._door([child], OPERATIONS))

    async def _copy_keys(self, place: home.Home, told: Mapping[str, Seen]) -> None:
        """Bring the keys here, with which tests make tokens as the services do."""
        for service in settings.SERVICES:
            for path in (keys.private_path(place.keys, service), keys.public_path(place.keys)):
                inside = f"/keys/{path.name}"
                text = await self._engine.run("exec", told[service].id, "cat", inside)
                files.write_private(path, text)


def _containers(engine: Engine, seen: Sequence[Seen], place: home.Home) -> list[Container]:
    """Those that go on running: the one-shot ones are not among them."""
    found = []
    for service in (*settings.SERVICES, *SERVERS, FEISHU):
        replicas = [one for one in seen if one.service == service]
        found += [Container(engine, one, index, place) for index, one in enumerate(replicas)]
    return found


def addresses(told: Mapping[str, Seen], at: Mapping[str, str]) -> backbone.Backbone:
    """What the services were told of the servers, with host:port as they are reached from here."""
    broker, database = at[nats.NAME], at[postgres.NAME]
    users = passwords(told["keys"].environment)
    admin = told[postgres.NAME].environment
    dsns = settings.read(told["migrate"].environment).database_urls
    return backbone.Backbone(
        postgres_admin=f"postgresql://{admin['POSTGRES_USER']}:{admin['POSTGRES_PASSWORD']}"
        f"@{database}/postgres",
        nats_admin=f"nats://{nats.ADMIN}:{users[nats.ADMIN]}@{broker}",
        databases={
            service: databases.plain(dsn).replace(f"@{postgres.NAME}:5432", f"@{database}")
            for service, dsn in dsns.items()
        },
        nats={service: f"nats://{service}:{users[service]}@{broker}" for service in dsns},
        observer_nats=f"nats://{permissions.OBSERVER}:{users[permissions.OBSERVER]}@{broker}",
    )


def _secrets(told: Mapping[str, Seen], servers: backbone.Backbone) -> credentials.Credentials:
    """What the containers know each other by."""
    users = passwords(told["keys"].environment)
    return credentials.Credentials(
        postgres_admin=told[postgres.NAME].environment["POSTGRES_PASSWORD"],
        nats_admin=users.pop(nats.ADMIN),
        database={
            service: str(urlsplit(dsn).password) for service, dsn in servers.databases.items()
        },
        nats=users,
        seal_key=told["notification"].environment["SMARTMATE_SEAL_KEY"],
        feishu_secret=told[FEISHU].environment["SMARTMATE_STANDIN_SECRET"],
    )


def _connects(dsn: str) -> probe.Probe:
    """The question whether PostgreSQL lets somebody in."""

    async def ask() -> bool:
        try:
            await (await databases.connect(dsn)).close()
        except ServerUnreachable:
            return False
        return True

    return ask
