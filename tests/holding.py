"""Statements of a service that wait inside their transaction for as long as a test wants.

A trigger in the service's database waits for an advisory lock that the test holds. No hook in
product code: the process is killed, frozen or left alone while its statement waits.
"""

import itertools
import os
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from dataclasses import dataclass

import asyncpg

from tests.waiting import until

# Distinct for every hold of every test run against one server.
_keys = itertools.count(int.from_bytes(os.urandom(2)) << 14)


@dataclass(frozen=True, slots=True)
class Hold:
    """Rows that are held back; `dsn` is the database they are in."""

    connection: asyncpg.Connection
    key: int

    async def met(self, *, count: int = 1, within: float = 30.0) -> None:
        """Returns once so many statements wait."""

        async def waiting() -> bool:
            found = await self.connection.fetchval(
                """
                SELECT count(*) FROM pg_locks
                WHERE locktype = 'advisory' AND objid = $1 AND NOT granted
                """,
                self.key,
            )
            return bool(found >= count)

        await until(waiting, within=within, what="a held statement")

    async def release(self) -> None:
        """Lets everything pass, now and later."""
        await self.connection.execute("SELECT pg_advisory_unlock($1)", self.key)


@asynccontextmanager
async def held(dsn: str, table: str, *, event: str, when: str) -> AsyncIterator[Hold]:
    """Holds each row of `table` before its INSERT or UPDATE while `when` (over NEW) is true.

    Held for longer than the service's lock_timeout, the statement fails with 55P03.
    """
    key = next(_keys)
    name = f"hold_{key}"
    connection = await asyncpg.connect(dsn)
    try:
        await connection.execute("SELECT pg_advisory_lock($1)", key)
        await connection.execute(f"""
            CREATE FUNCTION {name}() RETURNS trigger LANGUAGE plpgsql AS $$
            BEGIN
                IF {when} THEN
                    PERFORM pg_advisory_xact_lock_shared({key});
                END IF;
                RETURN NEW;
            END $$;
            CREATE TRIGGER {name} BEFORE {event} ON {table}
                FOR EACH ROW EXECUTE FUNCTION {name}();
        """)
        yield Hold(connection, key)
    finally:
        await connection.execute("SELECT pg_advisory_unlock_all()")
        await connection.execute(f"DROP FUNCTION IF EXISTS {name} CASCADE")
        await connection.close()


@asynccontextmanager
async def failing(dsn: str, table: str, *, event: str, when: str) -> AsyncIterator[None]:
    """Each such statement fails by its own fault, as a defect of the service would have it."""
    name = f"fail_{next(_keys)}"
    connection = await asyncpg.connect(dsn)
    try:
        await connection.execute(f"""
            CREATE FUNCTION {name}() RETURNS trigger LANGUAGE plpgsql AS $$
            BEGIN
                IF {when} THEN
                    RAISE EXCEPTION 'as the test wants it';
                END IF;
                RETURN NEW;
            END $$;
            CREATE TRIGGER {name} BEFORE {event} ON {table}
                FOR EACH ROW EXECUTE FUNCTION {name}();
        """)
        yield
    finally:
        await connection.execute(f"DROP FUNCTION IF EXISTS {name} CASCADE")
        await connection.close()
