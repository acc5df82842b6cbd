"""A run that stands still where a step of it is saved, so that its replica can be killed there."""

from collections.abc import AsyncIterator
from contextlib import asynccontextmanager

import asyncpg

from tests.waiting import until

_KEY = 7_007
_TRAP = f"""
    CREATE FUNCTION held_back() RETURNS trigger LANGUAGE plpgsql AS $$
    BEGIN PERFORM pg_advisory_xact_lock({_KEY}); RETURN NEW; END $$;
    CREATE TRIGGER held_back BEFORE UPDATE OF phase ON runs FOR EACH ROW
    WHEN (NEW.user_id = {{user_id}} AND NEW.phase = '{{phase}}') EXECUTE FUNCTION held_back();
"""


@asynccontextmanager
async def save_held(dsn: str, user_id: int, phase: str) -> AsyncIterator[None]:
    """Until the end of the block, a step of this person's runs that leads into `phase` is not
    saved. What it did elsewhere is done."""
    connection = await asyncpg.connect(dsn)
    try:
        await connection.execute("SELECT pg_advisory_lock($1)", _KEY)
        await connection.execute(_TRAP.format(user_id=user_id, phase=phase))
        try:
            yield
        finally:
            await connection.execute("SELECT pg_advisory_unlock($1)", _KEY)
            await connection.execute("DROP FUNCTION held_back CASCADE")
    finally:
        await connection.close()


async def waits_for_lock(dsn: str) -> None:
    """Returns once somebody waits for what is held in this database."""
    connection = await asyncpg.connect(dsn)

    async def waiting() -> bool:
        return bool(
            await connection.fetchval(
                "SELECT count(*) FROM pg_stat_activity "
                "WHERE datname = current_database() AND wait_event_type = 'Lock'"
            )
        )

    try:
        await until(waiting, what="a waiting call")
    finally:
        await connection.close()
