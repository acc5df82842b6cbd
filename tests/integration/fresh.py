"""Databases that nobody else has."""

import uuid
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from urllib.parse import urlsplit

import asyncpg

from services.standalone import databases


@asynccontextmanager
async def database(admin_dsn: str, schema: str = "") -> AsyncIterator[str]:
    """An empty database with a schema, as an address for SQLAlchemy; gone afterwards."""
    name = f"fresh_{uuid.uuid4().hex}"
    own_dsn = urlsplit(admin_dsn)._replace(path=f"/{name}").geturl()
    await _execute(admin_dsn, f"CREATE DATABASE {name} TEMPLATE template0")
    try:
        await _execute(own_dsn, schema)
        yield databases.sqlalchemy_url(own_dsn)
    finally:
        await _execute(admin_dsn, f"DROP DATABASE {name} WITH (FORCE)")


async def _execute(dsn: str, statements: str) -> None:
    connection = await asyncpg.connect(dsn)
    try:
        await connection.execute(statements)
    finally:
        await connection.close()
