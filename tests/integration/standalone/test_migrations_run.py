"""The migration step: every schema to its newest revision, once, and noticed when it stands."""

import asyncio
import sys
from collections.abc import AsyncIterator
from pathlib import Path

import asyncpg
import pytest

from services.standalone import (
    backbone,
    credentials,
    databases,
    errors,
    migrate,
    settings,
    topology,
)
from services.standalone.suite import Suite
from tests.integration.standalone.parts import start

ENVIRONMENT = """
from libs.db.migration import run_migrations

run_migrations()
"""
FIRST = """
from alembic import op

revision = "0001"
down_revision = None


def upgrade():
    op.execute("CREATE TABLE lessons (id int)")
"""
SECOND = """
from alembic import op

revision = "0002"
down_revision = "0001"


def upgrade():
    op.execute("ALTER TABLE lessons ADD COLUMN week int")
"""
BROKEN = FIRST.replace("CREATE TABLE", "CREATE TABEL")


@pytest.fixture
def versions(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """The scripts of a service of the test's own, in the place of the real ones."""
    directory = tmp_path / "schedule" / "migrations" / "versions"
    directory.mkdir(parents=True)
    (directory.parent / "env.py").write_text(ENVIRONMENT)
    (directory / "0001_lessons.py").write_text(FIRST)
    monkeypatch.setattr(migrate, "SERVICES_DIRECTORY", tmp_path)
    return directory


@pytest.fixture
async def dsn(servers: Suite) -> AsyncIterator[str]:
    """An empty database of one test, owned by the service's role."""
    admin = await asyncpg.connect(servers.postgres_admin)
    await admin.execute("CREATE DATABASE blank OWNER schedule")
    try:
        yield servers.dsn("schedule").rpartition("/")[0] + "/blank"
    finally:
        await admin.execute("DROP DATABASE blank WITH (FORCE)")
        await admin.close()


async def upgrade(dsn: str, *, busy_for: float = 20) -> None:
    """Upgrade as the migration process does: without a loop of its own running."""
    await asyncio.to_thread(migrate.upgrade, "schedule", dsn, busy_for=busy_for)


async def columns(dsn: str) -> list[str]:
    connection = await asyncpg.connect(dsn)
    try:
        rows = await connection.fetch(
            "SELECT column_name FROM information_schema.columns WHERE table_name = 'lessons'"
        )
    finally:
        await connection.close()
    return sorted(row[0] for row in rows)


async def test_an_empty_database_comes_to_the_newest_revision(versions: Path, dsn: str) -> None:
    (versions / "0002_week.py").write_text(SECOND)
    assert await migrate.revision(dsn) is None
    await upgrade(dsn)
    assert await migrate.revision(dsn) == "0002"
    assert await columns(dsn) == ["id", "week"]


async def test_a_second_run_changes_nothing(versions: Path, dsn: str) -> None:
    await upgrade(dsn)
    await upgrade(dsn)
    assert await columns(dsn) == ["id"]


async def test_a_new_script_a_changed_one_and_a_lost_database_are_noticed(
    versions: Path, dsn: str, tmp_path: Path
) -> None:
    record, dsns = tmp_path / "migrated.json", {"schedule": dsn, "gateway": "unused"}
    assert not await migrate.is_current(record, dsns)
    await upgrade(dsn)
    await migrate.remember(record, dsns)
    assert await migrate.is_current(record, dsns)
    (versions / "0002_week.py").write_text(SECOND)
    assert not await migrate.is_current(record, dsns)
    (versions / "0002_week.py").unlink()
    assert await migrate.is_current(record, dsns)
    connection = await asyncpg.connect(dsn)
    await connection.execute("DROP TABLE alembic_version, lessons")
    await connection.close()
    assert not await migrate.is_current(record, dsns)


async def test_a_failed_script_leaves_nothing_half_done(versions: Path, dsn: str) -> None:
    (versions / "0001_lessons.py").write_text(BROKEN)
    with pytest.raises(errors.MigrationFailed, match="TABEL"):
        await upgrade(dsn)
    assert await columns(dsn) == []


async def test_two_migrations_at_once_end_in_one_result(versions: Path, dsn: str) -> None:
    async with asyncio.timeout(60):
        held = await asyncpg.connect(dsn)
        await held.execute("SELECT pg_advisory_lock(7205001)")
        waiting = asyncio.ensure_future(upgrade(dsn))
        await _until_somebody_waits(held, "advisory")
        await held.close()
        await waiting
    assert await columns(dsn) == ["id"]


async def _until_somebody_waits(connection: asyncpg.Connection, kind: str) -> None:
    waiters = "SELECT count(*) FROM pg_locks WHERE locktype = $1 AND NOT granted"
    while True:
        if await connection.fetchval(waiters, kind):
            return
        await asyncio.sleep(0.01)


async def test_a_locked_table_is_tried_again_until_it_is_free(versions: Path, dsn: str) -> None:
    await upgrade(dsn)
    (versions / "0002_week.py").write_text(SECOND)
    reader = await asyncpg.connect(dsn)
    await reader.execute("BEGIN; SELECT * FROM lessons")
    with pytest.raises(errors.MigrationBusy):
        await upgrade(dsn, busy_for=0)
    assert await migrate.revision(dsn) == "0001"
    again = asyncio.ensure_future(upgrade(dsn))
    await _until_somebody_waits(reader, "relation")
    await reader.close()
    await again
    assert await columns(dsn) == ["id", "week"]


async def test_the_command_brings_given_servers_up_to_date(servers: Suite, empty: Path) -> None:
    process = start(
        *("env", f"SMARTMATE_HOME={empty}", f"SMARTMATE_NATS_URL={servers.nats_admin}"),
        *(
            f"SMARTMATE_{name.upper()}_DATABASE_URL={servers.database_url(name)}"
            for name in settings.SERVICES
        ),
        *(sys.executable, "-m", "services.standalone", "migrate"),
    )
    said, _ = await asyncio.to_thread(process.communicate)
    assert process.returncode == 0, said
    assert not (empty / "pg").exists()
    assert await topology.declare(servers.nats_admin) == topology.Report((), (), ())


async def test_a_given_server_gets_roles_and_databases_and_keeps_foreign_roles(
    servers: Suite,
) -> None:
    admin = await asyncpg.connect(servers.postgres_admin)
    given = settings.read({"SMARTMATE_POSTGRES_URL": servers.postgres_admin})
    try:
        for _ in range(2):
            found = await backbone.service_databases(
                servers.postgres_admin, given, names=["planner"], own=None
            )
        await (await asyncpg.connect(found["planner"])).close()
        await admin.execute("ALTER ROLE planner PASSWORD 'theirs'")
        with pytest.raises(errors.RoleTaken, match="SMARTMATE_PLANNER_DATABASE_URL"):
            await backbone.service_databases(
                servers.postgres_admin, given, names=["planner"], own=None
            )
    finally:
        await admin.execute("DROP DATABASE planner WITH (FORCE)")
        await admin.execute("DROP ROLE planner")
        await admin.close()


async def test_an_administrator_without_superuser_rights_is_enough(servers: Suite) -> None:
    superuser = await asyncpg.connect(servers.postgres_admin)
    verifier = credentials.scram_verifier("managed")
    await superuser.execute(f"CREATE ROLE managed LOGIN CREATEROLE CREATEDB PASSWORD '{verifier}'")
    where = servers.postgres_admin.rpartition("@")[2]
    await superuser.execute("GRANT CONNECT ON DATABASE postgres TO managed")
    managed = f"postgresql://managed:managed@{where}"
    try:
        await databases.ensure(managed, {"planner": "p"}, ours=False)
        await (await asyncpg.connect(databases.service_dsn(managed, "planner", "p"))).close()
    finally:
        await superuser.execute("DROP DATABASE IF EXISTS planner WITH (FORCE)")
        await superuser.execute("DROP OWNED BY managed, planner")
        await superuser.execute("DROP ROLE planner")
        await superuser.execute("DROP ROLE managed")
        await superuser.close()


async def test_a_server_that_is_not_there_is_named_without_its_password() -> None:
    with pytest.raises(errors.ServerUnreachable) as refused:
        await databases.connect("postgresql://admin:hidden@127.0.0.1:9/postgres")
    assert "127.0.0.1:9" in str(refused.value)
    assert "hidden" not in str(refused.value)
