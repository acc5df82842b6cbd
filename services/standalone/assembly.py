"""Puts a suite together, step by step: data directory, servers, schema and streams, services."""

import asyncio
import os
import sys
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path

from services.standalone import (
    backbone,
    credentials,
    databases,
    environment,
    errors,
    files,
    keys,
    leftovers,
    migrate,
    postgres,
    probe,
    processes,
    spawn,
    told,
    topology,
)
from services.standalone import ports as chosen_ports
from services.standalone.home import Home
from services.standalone.ports import LOOPBACK, Ports
from services.standalone.progress import Progress
from services.standalone.settings import SERVICES, StandaloneSettings, variable

FEISHU = "feishu"
LLM = "llm"
READY_WITHIN = 60.0
"""Seconds a process has to become ready."""
DEATHS = 3
"""How often one may end at the first start before the whole start is given up."""


@dataclass(frozen=True, slots=True)
class Options:
    """What is to be put together; see `Suite`."""

    root: Path
    settings: StandaloneSettings
    services: tuple[str, ...]
    replicas: Mapping[str, int]
    feishu_standin: bool
    llm_standin: bool
    overrides: Mapping[str, Mapping[str, str]]
    durable: bool
    listen: str | None


@dataclass(frozen=True, slots=True)
class Assembly:
    """What was put together and runs."""

    home: Home
    secrets: credentials.Credentials
    backbone: backbone.Backbone
    wiring: environment.Wiring


def process_name(service: str, index: int = 0) -> str:
    """Return the name of one replica; the first has the plain name of its service."""
    return service if index == 0 else f"{service}-{index}"


def of_same_kind(process: str, service: str) -> bool:
    """Tell whether a process is a replica of the service."""
    return process == service or process.rpartition("-")[0] == service


async def assemble(
    home: Home, options: Options, *, children: list[processes.Child], progress: Progress
) -> Assembly:
    """Start everything; each process is in `children` before it runs, stopping is the caller's."""
    with progress.step("数据目录", f"data directory {home.root}"):
        await leftovers.end(home.records)
        secrets = _secrets(home)
        keys.ensure(home.keys, SERVICES)
    with progress.step("数据库与消息服务", "PostgreSQL and NATS"):
        servers = await backbone.start(
            home,
            options.settings,
            secrets,
            services=SERVICES,
            durable=options.durable,
            children=children,
        )
    tell_of_shared_users(options, progress)
    with progress.step("表结构与消息流", "schemas and streams"):
        limits = topology.Limits(replicas=options.settings.stream_replicas)
        await asyncio.gather(
            bring_up_to_date(home, servers.databases),
            topology.declare(servers.nats_admin, limits=limits),
        )
    wiring = environment.Wiring(
        home=home,
        places=_places(home, options),
        database_urls={
            name: databases.sqlalchemy_url(dsn) for name, dsn in servers.databases.items()
        },
        nats_urls=servers.nats,
        seal_key=secrets.seal_key,
        running=options.services,
        overrides=options.overrides,
    )
    assembled = Assembly(home=home, secrets=secrets, backbone=servers, wiring=wiring)
    if told.GATEWAY in options.services:
        own = environment.of_service(told.GATEWAY, 0, wiring, os.environ)
        embeds = backbone.embeds_postgres(options.settings, SERVICES)
        told.write_down(home, own, embeds_postgres=embeds)
    if options.services:
        with progress.step("服务", "services"):
            await _start_services(assembled, options, children)
    return assembled


def tell_of_shared_users(options: Options, progress: Progress) -> None:
    """At a given NATS server, a service without a user of its own may read and say everything."""
    shared = [name for name in options.services if name not in options.settings.nats_urls]
    if options.settings.nats_url and shared:
        progress.say(
            f"NATS 没有为 {'、'.join(shared)} 设单独的用户，它们用管理员的",
            f"no NATS user of its own for {', '.join(shared)}: given the administrator's, so the "
            "broker does not keep the services apart; see SMARTMATE_<SERVICE>_NATS_URL",
        )


async def bring_up_to_date(home: Home, dsns: Mapping[str, str]) -> None:
    """Migrate the databases in a process of its own, unless they stand where they should."""
    if await migrate.is_current(home.migrated, dsns):
        return
    addresses = {variable(name, "DATABASE_URL"): dsn for name, dsn in dsns.items()}
    program = spawn.Program(
        name="migrate",
        command=(sys.executable, "-P", "-m", "services.standalone", "migrate"),
        environment=environment.system(os.environ) | addresses,
        log=home.log("migrate"),
        directory=home.root,
    )
    if await processes.run_to_end(program) != 0:
        raise errors.MigrationFailed("the databases", files.tail(program.log, lines=30))
    await migrate.remember(home.migrated, dsns)


def _secrets(home: Home) -> credentials.Credentials:
    if postgres.is_cluster(home.postgres_data) and not home.secrets.exists():
        raise errors.SecretsLost(home.secrets)
    return credentials.Credentials.load_or_make(home.secrets, SERVICES)


def _places(home: Home, options: Options) -> environment.Places:
    """Give every replica its addresses, of services that do not run as well."""
    ports = Ports(home.ports)

    def claim(service: str, what: str) -> tuple[str, ...]:
        replicas = range(options.replicas.get(service, 1))
        return tuple(f"{LOOPBACK}:{ports.claim(f'{service}-{index}{what}')}" for index in replicas)

    listen = {service: claim(service, "") for service in SERVICES}
    if options.listen:
        _check_free(options.listen)
        listen["gateway"] = (options.listen, *listen["gateway"][1:])
    return environment.Places(
        listen=listen,
        ops={service: claim(service, "-ops") for service in SERVICES},
        feishu=f"{LOOPBACK}:{ports.claim(FEISHU)}" if options.feishu_standin else None,
        llm=f"{LOOPBACK}:{ports.claim(LLM)}" if options.llm_standin else None,
    )


def _check_free(address: str) -> None:
    host, _, port = address.rpartition(":")
    if not chosen_ports.is_free(int(port), host.strip("[]") or "0.0.0.0"):
        raise errors.PortTaken(address)


async def _start_services(
    assembled: Assembly, options: Options, children: list[processes.Child]
) -> None:
    """Start the stand-ins and all replicas at once; return when every one of them is ready."""
    started = [
        _service(assembled, service, index)
        for service in SERVICES
        if service in options.services
        for index in range(options.replicas.get(service, 1))
    ]
    places = assembled.wiring.places
    if places.feishu is not None:
        secret = {"SMARTMATE_STANDIN_SECRET": assembled.secrets.feishu_secret}
        started.insert(0, _standin(assembled, FEISHU, places.feishu, secret))
    if places.llm is not None:
        started.insert(0, _standin(assembled, LLM, places.llm, {}))
    children += started
    for child in started:
        child.start()
    await asyncio.gather(*(child.ready(within=READY_WITHIN, deaths=DEATHS) for child in started))


def _service(assembled: Assembly, service: str, index: int) -> processes.Child:
    wiring = assembled.wiring
    name = process_name(service, index)
    program = spawn.Program(
        name=name,
        command=environment.command(service),
        environment=environment.of_service(service, index, wiring, os.environ),
        log=assembled.home.log(name),
        directory=assembled.home.root,
    )
    ready = probe.http_ok(wiring.places.readiness(service, index))
    return processes.Child(program, probe=ready, records=assembled.home.records)


def _standin(
    assembled: Assembly, name: str, address: str, secrets: Mapping[str, str]
) -> processes.Child:
    """Return a stand-in; started by its module name, as it is no part of the product.

    Its secrets go by the environment: a command line is for everybody on the machine to read.
    """
    program = spawn.Program(
        name=name,
        command=(sys.executable, "-P", "-m", f"standins.{name}", "--listen", address),
        environment=environment.system(os.environ) | dict(secrets),
        log=assembled.home.log(name),
        directory=assembled.home.root,
    )
    return processes.Child(
        program, probe=probe.http_answers(address), records=assembled.home.records
    )
