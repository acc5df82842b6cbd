"""PostgreSQL and NATS of a suite: embedded, or the ones the settings name."""

import asyncio
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from urllib.parse import unquote, urlsplit

from services.standalone import (
    credentials,
    databases,
    errors,
    nats,
    permissions,
    postgres,
    processes,
)
from services.standalone.home import Home
from services.standalone.ports import Ports
from services.standalone.settings import StandaloneSettings, variable


@dataclass(frozen=True, slots=True)
class Backbone:
    """Both servers, running; addresses for asyncpg and nats-py, passwords included."""

    postgres_admin: str | None
    """None where each service was given a database of its own and no administrator."""
    nats_admin: str
    databases: Mapping[str, str]
    nats: Mapping[str, str]
    observer_nats: str | None = None
    """None where the server was given: its users are its administrator's affair."""


async def start(
    home: Home,
    settings: StandaloneSettings,
    secrets: credentials.Credentials,
    *,
    services: Iterable[str],
    durable: bool,
    children: list[processes.Child],
) -> Backbone:
    """Start what is embedded and make sure every service has its role and database.

    Every process is added to `children` before it is started; stopping them is the caller's.
    """
    ports = Ports(home.ports)
    names = tuple(services)
    own_postgres = (
        postgres.EmbeddedPostgres(home, ports, password=secrets.postgres_admin)
        if embeds_postgres(settings, names)
        else None
    )
    own_nats = None if settings.nats_url else nats.EmbeddedNats(home, ports, secrets=secrets)
    await asyncio.gather(
        *(
            own.start(durable=durable, children=children)
            for own in (own_postgres, own_nats)
            if own is not None
        )
    )
    admin = own_postgres.dsn if own_postgres else settings.postgres_url
    dsns = await service_databases(
        admin, settings, names=names, own=secrets.database if own_postgres else None
    )
    return Backbone(
        postgres_admin=databases.plain(admin) if admin else None,
        nats_admin=own_nats.url if own_nats else str(settings.nats_url),
        databases=dsns,
        nats={
            name: settings.nats_urls.get(name)
            or (own_nats.user_url(name) if own_nats else str(settings.nats_url))
            for name in names
        },
        observer_nats=own_nats.user_url(permissions.OBSERVER) if own_nats else None,
    )


def embeds_postgres(settings: StandaloneSettings, names: tuple[str, ...]) -> bool:
    """Tell whether a server is needed; some databases given and some not is a mistake."""
    if settings.postgres_url:
        return False
    missing = [name for name in names if name not in settings.database_urls]
    if not settings.database_urls:
        return True
    if missing:
        raise errors.DatabaseUnnamed(variable(missing[0], "DATABASE_URL"))
    return False


async def service_databases(
    admin: str | None,
    settings: StandaloneSettings,
    *,
    names: Iterable[str],
    own: Mapping[str, str] | None,
) -> dict[str, str]:
    """Return the address of each service's database, created where it was missing.

    `own` holds the passwords on an embedded server; on another one they follow from the
    administrator's. Without an administrator only the databases given by name are known.
    """
    given = {name: databases.plain(url) for name, url in settings.database_urls.items()}
    if admin is None:
        return {name: given[name] for name in names if name in given}
    admin_password = unquote(urlsplit(admin).password or "")
    passwords = {
        name: own[name] if own else credentials.derived_password(admin_password, name)
        for name in names
        if name not in given
    }
    await databases.ensure(admin, passwords, ours=own is not None)
    made = {
        name: databases.service_dsn(databases.plain(admin), name, password)
        for name, password in passwords.items()
    }
    return {name: given.get(name) or made[name] for name in names}
