"""A PostgreSQL role and a database of its own for every service, on any server."""

import contextlib
from collections.abc import Mapping
from urllib.parse import quote, urlsplit

import asyncpg

from services.standalone import credentials, errors

CONNECT_WITHIN = 10.0


def service_dsn(admin_dsn: str, role: str, password: str) -> str:
    """Return the address of a service's database on the administrator's server, for asyncpg."""
    server = urlsplit(admin_dsn)
    where = server.netloc.rpartition("@")[2]
    query = f"?{server.query}" if server.query else ""
    return f"postgresql://{role}:{quote(password, safe='')}@{where}/{role}{query}"


def sqlalchemy_url(dsn: str) -> str:
    """Return the same address as SQLAlchemy's asyncpg dialect wants it."""
    rest = plain(dsn).partition("://")[2]
    return "postgresql+asyncpg://" + rest.replace("sslmode=", "ssl=")


def plain(url: str) -> str:
    """Return the address without the name of a driver, as asyncpg wants it."""
    scheme, _, rest = url.partition("://")
    where, _, query = rest.partition("?")
    query = query.replace("sslmode=", "ssl=").replace("ssl=", "sslmode=")
    return f"{scheme.partition('+')[0]}://{where}" + (f"?{query}" if query else "")


async def ensure(admin_dsn: str, passwords: Mapping[str, str], *, ours: bool) -> None:
    """Create what is missing; a role that exists keeps its password.

    On a server of `ours` nobody else may connect to the administrator's database either. Raises
    RoleTaken when a role exists on a server that is not ours and does not know our password.
    """
    connection = await connect(admin_dsn)
    try:
        for role, password in passwords.items():
            existed = await _ensure_role(connection, role, password)
            await _ensure_database(connection, role)
            if existed and not ours:
                await _check_login(service_dsn(admin_dsn, role, password), role)
        if ours:
            await connection.execute("REVOKE ALL ON DATABASE postgres, template1 FROM PUBLIC")
    finally:
        await connection.close()


async def connect(dsn: str) -> asyncpg.Connection:
    """Open one connection, or raise ServerUnreachable without the password."""
    try:
        return await asyncpg.connect(plain(dsn), timeout=CONNECT_WITHIN)
    except (OSError, TimeoutError, asyncpg.PostgresError) as error:
        where = dsn.rpartition("@")[2]
        raise errors.ServerUnreachable("PostgreSQL", where, str(error)) from error


async def _ensure_role(connection: asyncpg.Connection, role: str, password: str) -> bool:
    """Return whether the role was there before."""
    if await connection.fetchval("SELECT true FROM pg_roles WHERE rolname = $1", role):
        return True
    verifier = credentials.scram_verifier(password)
    try:
        await connection.execute(f"CREATE ROLE {role} LOGIN PASSWORD '{verifier}'")
    except asyncpg.DuplicateObjectError:
        return True
    return False


async def _ensure_database(connection: asyncpg.Connection, name: str) -> None:
    """Create the database and shut it to every other role."""
    if not await connection.fetchval("SELECT true FROM pg_database WHERE datname = $1", name):
        # The administrator of a managed server is no superuser: it creates for roles it belongs to.
        await connection.execute(f"GRANT {name} TO CURRENT_USER")
        with contextlib.suppress(asyncpg.DuplicateDatabaseError):
            await connection.execute(f"CREATE DATABASE {name} OWNER {name} TEMPLATE template0")
    await connection.execute(f"REVOKE ALL ON DATABASE {name} FROM PUBLIC")


async def _check_login(dsn: str, role: str) -> None:
    try:
        connection = await asyncpg.connect(dsn, timeout=CONNECT_WITHIN)
    except asyncpg.InvalidAuthorizationSpecificationError as error:
        raise errors.RoleTaken(role) from error
    await connection.close()
