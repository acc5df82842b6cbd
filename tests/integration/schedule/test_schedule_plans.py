"""Every statement reaches its rows through an index, whatever was there when it was planned.

The service has plans made once for all values (docs/adr/0005). A plan that was made on the first
day must do on all later ones, so each is looked at on tables that were just made, on empty ones
that are known to be empty, and on full ones.
"""

import asyncio
import re
from collections.abc import AsyncIterator, Iterator, Mapping
from contextlib import asynccontextmanager
from types import ModuleType
from urllib.parse import urlsplit

import asyncpg
import pytest
from sqlalchemy import TextClause, text
from sqlalchemy.dialects.postgresql.asyncpg import dialect

from libs.db import requests, user_lock
from libs.db.database import Database
from libs.outbox import backlog, dead_letters, inbox, lost, outbox, relay, republish
from services.schedule.store import (
    applies,
    blocks,
    class_blocks,
    courses,
    due,
    hosting,
    listings,
    moves,
    overrides,
    semesters,
    task_classes,
    tasks,
    user_settings,
    world,
)
from services.standalone import databases, migrate
from services.standalone.suite import Suite

_OF_A_USER = (
    applies,
    blocks,
    class_blocks,
    courses,
    due,
    hosting,
    listings,
    moves,
    overrides,
    semesters,
    task_classes,
    tasks,
    user_settings,
    world,
)
_OF_ALL = (backlog, dead_letters, inbox, lost, outbox, relay, republish, requests, user_lock)
_HOLDS_WHAT_WAITS = "outbox_unpublished"
"""May be read as a whole: nothing stays in it."""
_STATES = ("new", "empty", "full")
_EXPLAIN = text(
    """
    CREATE FUNCTION pg_temp.plan(statement text) RETURNS SETOF text LANGUAGE plpgsql AS $$
    BEGIN
        RETURN QUERY EXECUTE 'EXPLAIN (GENERIC_PLAN) ' || statement;
    END $$
    """
)
_PLAN = text("SELECT pg_temp.plan(:sql) AS line")
_FILL = (
    "INSERT INTO users (id) SELECT generate_series(1, 3000)",
    """
    INSERT INTO semesters (user_id, id, first_day, weeks, time_zone, section_starts, section_ends,
        lunch_after, dinner_after, version)
    SELECT u, u, date_trunc('week', now())::date - 35, 20, 'Asia/Shanghai',
        array_fill(480, ARRAY[12]), array_fill(525, ARRAY[12]), 4, 9, 1
    FROM generate_series(1, 3000) AS u
    """,
    """
    INSERT INTO tasks (user_id, id, title, quadrant, status, version, placement_version,
        urgency_version)
    SELECT 1 + n % 3000, n, '作业', 1 + n % 4, 'open', 1, 1, 1 FROM generate_series(1, 30000) AS n
    """,
    """
    INSERT INTO schedule_events (user_id, id, semester_id, week, day_of_week, first_section,
        last_section, start_time, end_time, type, task_source_type, rel_id, name, version,
        placement_version)
    SELECT 1 + n % 3000, n, 1 + n % 3000, 1 + n / 3000, 1 + n / 3000 % 7, 1 + n / 3000,
        1 + n / 3000, now(), now() + interval '1 hour', 'task', 'task_pool', n, '作业', 1, 1
    FROM generate_series(1, 30000) AS n
    """,
    """
    INSERT INTO schedules (user_id, semester_id, week, day_of_week, section, event_id)
    SELECT user_id, semester_id, week, day_of_week, first_section, id FROM schedule_events
    """,
    """
    INSERT INTO applies (user_id, apply_id, hash, state, event_ids, refusals, judged_at)
    SELECT 1 + n % 3000, n::text, 'h', 'applied', '{}', '[]', now()
    FROM generate_series(1, 9000) AS n
    """,
    """
    INSERT INTO outbox (id, subject, user_id, payload, headers, published_at, stream_sequence)
    SELECT gen_random_uuid(), 's', n, 'p', '{}', CASE WHEN n % 2 = 0 THEN now() END, n
    FROM generate_series(1, 9000) AS n
    """,
    "VACUUM ANALYZE",
)
_DIALECT = dialect()  # type: ignore[no-untyped-call]
_TABLE_SCAN = re.compile(r"Seq Scan on (?!pg_temp)\w+")
_INDEX_SCAN = re.compile(r"(?:Index(?: Only)? Scan(?: Backward)? using|Bitmap Index Scan on)")


def _statements(modules: tuple[ModuleType, ...]) -> dict[str, TextClause]:
    return {
        f"{module.__name__.rpartition('.')[2]}.{name}": value
        for module in modules
        for name, value in vars(module).items()
        if isinstance(value, TextClause)
    }


_USERS_OWN, _ALL = _statements(_OF_A_USER), _statements(_OF_ALL)


@asynccontextmanager
async def _admin(dsn: str) -> AsyncIterator[asyncpg.Connection]:
    connection = await asyncpg.connect(dsn)
    try:
        yield connection
    finally:
        await connection.close()


@pytest.fixture(scope="session")
async def states(servers: Suite) -> AsyncIterator[Mapping[str, Database]]:
    """The schema in each of the states, as the service itself is connected to it."""
    dsns = {
        name: urlsplit(servers.dsn("schedule"))._replace(path=f"/schedule_{name}").geturl()
        for name in _STATES
    }
    first, *others = _STATES
    async with _admin(servers.postgres_admin) as admin:
        await admin.execute(f"CREATE DATABASE schedule_{first} OWNER schedule TEMPLATE template0")
        await asyncio.to_thread(migrate.upgrade, "schedule", dsns[first])
        for name in others:
            await admin.execute(
                f"CREATE DATABASE schedule_{name} OWNER schedule TEMPLATE schedule_{first}"
            )
        for name, statements in (("empty", ("VACUUM ANALYZE",)), ("full", _FILL)):
            async with _admin(dsns[name]) as owner:
                for statement in statements:
                    await owner.execute(statement)
        found = {
            name: Database(
                databases.sqlalchemy_url(dsn), application="plans", pool_size=1, general_plans=True
            )
            for name, dsn in dsns.items()
        }
        yield found
        for name, database in found.items():
            await database.close()
            await admin.execute(f"DROP DATABASE schedule_{name}")


async def _plan(database: Database, statement: TextClause) -> list[str]:
    async with database.transaction() as tx:
        await tx.execute(_EXPLAIN)
        rows = await tx.all(_PLAN, sql=str(statement.compile(dialect=_DIALECT)))
        await tx.execute(text("DROP FUNCTION pg_temp.plan(text)"))
    return [row.line for row in rows]


def _conditions(plan: list[str]) -> Iterator[str]:
    """By which condition each index is read; an empty one where all of it is."""
    for number, line in enumerate(plan):
        if _INDEX_SCAN.search(line) and _HOLDS_WHAT_WAITS not in line:
            below = plan[number + 1] if number + 1 < len(plan) else ""
            yield below.partition("Index Cond: ")[2].lstrip("(")


@pytest.mark.parametrize("state", _STATES)
@pytest.mark.parametrize("name", sorted(_USERS_OWN))
async def test_a_users_rows_are_reached_by_the_user(
    states: Mapping[str, Database], name: str, state: str
) -> None:
    plan = await _plan(states[state], _USERS_OWN[name])
    assert not _TABLE_SCAN.search("\n".join(plan)), "\n".join(plan)
    assert all(one.startswith("user_id = ") for one in _conditions(plan)), "\n".join(plan)


@pytest.mark.parametrize("state", _STATES)
@pytest.mark.parametrize("name", sorted(_ALL))
async def test_no_statement_of_the_kit_reads_a_whole_table(
    states: Mapping[str, Database], name: str, state: str
) -> None:
    plan = await _plan(states[state], _ALL[name])
    assert not _TABLE_SCAN.search("\n".join(plan)), "\n".join(plan)
    assert all(_conditions(plan)), "\n".join(plan)
