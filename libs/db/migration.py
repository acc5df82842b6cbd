"""What every service's alembic environment does; never imported by a running service."""

import asyncio

from alembic import context
from sqlalchemy import Connection, text
from sqlalchemy.ext.asyncio import create_async_engine
from sqlalchemy.pool import NullPool

# One migrator at a time per database; any number that no other code uses.
_ADVISORY_LOCK = 7_205_001


def _upgrade(connection: Connection) -> None:
    connection.execute(text("SELECT pg_advisory_lock(:key)"), {"key": _ADVISORY_LOCK})
    connection.execute(text("SET lock_timeout = '2s'"))
    connection.commit()
    context.configure(connection=connection, transaction_per_migration=True)
    with context.begin_transaction():
        context.run_migrations()


async def _run(url: str) -> None:
    engine = create_async_engine(url, poolclass=NullPool)
    async with engine.connect() as connection:
        await connection.run_sync(_upgrade)
        await connection.commit()
    await engine.dispose()


def run_migrations() -> None:
    """Brings the database of the current alembic configuration to its target revision.

    Under an advisory lock that ends with the connection, with lock_timeout 2 s: a migration
    that cannot get its locks fails rather than queueing in front of the product.
    """
    url = context.config.get_main_option("sqlalchemy.url")
    if not url:
        raise RuntimeError("no sqlalchemy.url given to the migration")
    asyncio.run(_run(url))
