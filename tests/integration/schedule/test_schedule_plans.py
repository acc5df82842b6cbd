"""Every statement of the store reaches its rows through an index that begins with the user."""

import re

import pytest
from sqlalchemy import TextClause, text
from sqlalchemy.dialects.postgresql.asyncpg import dialect

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
from tests.integration.schedule.people import Backend

_MODULES = (
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
_STATEMENTS = {
    f"{module.__name__.rpartition('.')[2]}.{name}": value
    for module in _MODULES
    for name, value in vars(module).items()
    if isinstance(value, TextClause)
}
_EXPLAIN = text(
    """
    CREATE FUNCTION pg_temp.plan(statement text) RETURNS SETOF text LANGUAGE plpgsql AS $$
    BEGIN
        RETURN QUERY EXECUTE 'EXPLAIN (GENERIC_PLAN) ' || statement;
    END $$
    """
)
_DIALECT = dialect()  # type: ignore[no-untyped-call]
_TABLE_SCAN = re.compile(r"Seq Scan on (?!pg_temp)\w+")


@pytest.mark.parametrize("name", sorted(_STATEMENTS))
async def test_no_statement_scans_a_table(backend: Backend, name: str) -> None:
    statement = str(_STATEMENTS[name].compile(dialect=_DIALECT))
    async with backend.db.engine.connect() as connection:
        await connection.execute(text("SET LOCAL enable_seqscan = off"))
        await connection.execute(_EXPLAIN)
        found = await connection.execute(
            text("SELECT pg_temp.plan(:statement)"), {"statement": statement}
        )
        plan = "\n".join(row[0] for row in found)
        await connection.rollback()
    assert not _TABLE_SCAN.search(plan), plan
    conditions = re.findall(r"Index Cond: (.*)", plan)
    assert all(one.lstrip("(").startswith("user_id = ") for one in conditions), plan
