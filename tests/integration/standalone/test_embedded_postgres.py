"""The embedded PostgreSQL: one database per role, data that stays, nothing left behind."""

import importlib.util
import os
import signal
import socket
import stat
import sys
from pathlib import Path

import asyncpg
import pytest

from services.standalone import (
    binaries,
    errors,
    home,
    leftovers,
    postgres,
    processes,
    spawn,
)
from services.standalone.suite import Suite
from tests.integration.standalone.parts import bare, bystander, has_ended, start

NOBODY = home.Account(name="nobody", uid=65_534, gid=65_534)

SUPERVISOR = """
import asyncio, sys
from pathlib import Path
from services.standalone import settings
from services.standalone.suite import Suite

async def main():
    configuration = settings.read({"SMARTMATE_HOME": sys.argv[1]})
    async with Suite(services=(), configuration=configuration) as suite:
        print(*suite.all_pids().values(), flush=True)
        await asyncio.Event().wait()

asyncio.run(main())
"""


async def test_each_service_owns_its_database(servers: Suite) -> None:
    connection = await asyncpg.connect(servers.dsn("schedule"))
    try:
        await connection.execute("CREATE TABLE mine (id int)")
        await connection.execute("CREATE EXTENSION btree_gist")
        await connection.execute("DROP TABLE mine")
        assert await connection.fetchval("SELECT current_database()") == "schedule"
    finally:
        await connection.close()


@pytest.mark.parametrize("other", ["active_scheduler", "notification", "gateway", "postgres"])
async def test_no_service_may_connect_to_another_database(servers: Suite, other: str) -> None:
    foreign = servers.dsn("schedule").rpartition("/")[0] + f"/{other}"
    with pytest.raises(asyncpg.InsufficientPrivilegeError):
        await asyncpg.connect(foreign)


async def test_a_wrong_password_is_refused(servers: Suite) -> None:
    wrong = servers.dsn("gateway").replace("gateway:", "gateway:x", 1)
    with pytest.raises(asyncpg.InvalidPasswordError):
        await asyncpg.connect(wrong)


async def test_the_server_runs_unprivileged_and_syncs_to_disk(servers: Suite) -> None:
    (pid,) = servers.pids("postgres")
    assert os.stat(f"/proc/{pid}").st_uid != 0
    connection = await asyncpg.connect(servers.postgres_admin)
    try:
        assert await connection.fetchval("SHOW fsync") == "on"
        assert await connection.fetchval("SHOW max_connections") == "200"
        assert await connection.fetchval("SHOW listen_addresses") == "127.0.0.1"
        assert await connection.fetchval("SHOW unix_socket_directories") == ""
    finally:
        await connection.close()


async def test_no_secret_is_readable_by_others(servers: Suite) -> None:
    place = servers.parts.home
    secret = [place.secrets, place.nats_config, *place.keys.iterdir()]
    assert {stat.S_IMODE(path.stat().st_mode) for path in secret} == {0o600}
    assert not list(place.root.glob("*password*"))


async def test_data_and_addresses_survive_a_second_start(root: Path) -> None:
    async with bare(root) as suite:
        first = (suite.postgres_admin, suite.dsn("schedule"), suite.nats_admin)
        connection = await asyncpg.connect(suite.dsn("schedule"))
        await connection.execute("CREATE TABLE kept AS SELECT 7 AS seven")
        await connection.close()
    async with bare(root) as suite:
        assert (suite.postgres_admin, suite.dsn("schedule"), suite.nats_admin) == first
        connection = await asyncpg.connect(suite.dsn("schedule"))
        assert await connection.fetchval("SELECT seven FROM kept") == 7
        await connection.close()


async def test_a_taken_port_is_replaced(root: Path) -> None:
    async with bare(root) as suite:
        first = suite.postgres_admin
    with socket.create_server(("127.0.0.1", int(first.rpartition(":")[2].split("/")[0]))):
        async with bare(root) as suite:
            assert suite.postgres_admin != first
            await (await asyncpg.connect(suite.postgres_admin)).close()


async def test_a_killed_database_comes_back_on_its_port_with_its_data(root: Path) -> None:
    async with bare(root) as suite:
        connection = await asyncpg.connect(suite.dsn("gateway"))
        await connection.execute("CREATE TABLE kept AS SELECT 7 AS seven")
        await suite.kill("postgres")
        await connection.close()
        await suite.ready("postgres")
        connection = await asyncpg.connect(suite.dsn("gateway"))
        assert await connection.fetchval("SELECT seven FROM kept") == 7
        await connection.close()


async def test_an_outage_lasts_until_the_server_is_started_again(root: Path) -> None:
    async with bare(root) as suite:
        await suite.stop("postgres")
        with pytest.raises(OSError, match="Connect call failed"):
            await asyncpg.connect(suite.dsn("gateway"))
        await suite.start("postgres")
        await (await asyncpg.connect(suite.dsn("gateway"))).close()


async def test_a_killed_supervisor_leaves_nothing_and_its_data_is_whole(root: Path) -> None:
    supervisor = start(sys.executable, "-c", SUPERVISOR, str(root))
    assert supervisor.stdout is not None
    pids = [int(pid) for pid in supervisor.stdout.readline().split()]
    supervisor.kill()
    supervisor.communicate()
    assert len(pids) == 2
    for pid in pids:
        assert await has_ended(pid)
    assert "database system is shut down" in (root / "logs" / "postgres.log").read_text()
    async with bare(root) as suite:
        await (await asyncpg.connect(suite.dsn("schedule"))).close()


async def test_a_second_supervisor_on_the_same_directory_is_refused(root: Path) -> None:
    async with bare(root) as suite:
        with pytest.raises(errors.HomeLocked):
            await bare(root).__aenter__()
        await (await asyncpg.connect(suite.postgres_admin)).close()


async def test_a_postmaster_left_on_our_files_is_ended(root: Path) -> None:
    async with bare(root) as suite:
        (pid,) = suite.pids("postgres")
        await postgres.stop_stale_postmaster(root / "pg")
        assert await has_ended(pid)


async def test_a_process_that_only_shares_the_id_of_an_old_postmaster_is_left_alone(
    root: Path,
) -> None:
    with bystander() as innocent:
        (root / "pg" / "postmaster.pid").write_text(f"{innocent.pid}\n{root / 'pg'}\n")
        async with bare(root) as suite:
            await (await asyncpg.connect(suite.postgres_admin)).close()
        assert innocent.poll() is None


async def test_files_of_another_major_version_are_refused(root: Path) -> None:
    (root / "pg" / "PG_VERSION").write_text("16\n")
    with pytest.raises(errors.DataOfOtherVersion, match="PostgreSQL 16"):
        await bare(root).__aenter__()


async def test_foreign_files_in_the_place_of_the_cluster_are_never_deleted(empty: Path) -> None:
    (empty / "pg").mkdir()
    (empty / "pg" / "thesis.txt").write_text("years of work")
    with pytest.raises(errors.DataUnrecognised):
        await bare(empty).__aenter__()
    assert (empty / "pg" / "thesis.txt").exists()


async def test_a_cluster_without_its_passwords_is_refused(root: Path) -> None:
    (root / "secrets.json").unlink()
    with pytest.raises(errors.SecretsLost):
        await bare(root).__aenter__()


async def test_an_interrupted_initialisation_is_done_again(empty: Path) -> None:
    half = empty / "pg.new"
    half.mkdir()
    (half / "PG_VERSION").write_text("18\n")
    async with bare(empty) as suite:
        await (await asyncpg.connect(suite.postgres_admin)).close()


def test_a_directory_closed_to_the_account_is_refused(tmp_path: Path) -> None:
    closed = tmp_path / "closed"
    below = closed / "data"
    below.mkdir(parents=True, mode=0o755)
    closed.chmod(0o700)
    with pytest.raises(errors.HomeNotTraversable) as refused:
        home.check_reachable(below, NOBODY)
    assert refused.value.directory == closed


def test_the_account_passes_by_the_bits_that_hold_for_it(tmp_path: Path) -> None:
    tmp_path.chmod(0o711)
    assert home.passable(tmp_path, NOBODY)
    tmp_path.chmod(0o770)
    assert not home.passable(tmp_path, NOBODY)


async def test_a_recorded_process_of_another_start_is_not_touched(empty: Path) -> None:
    with bystander() as innocent:
        leftovers.record(
            empty, "schedule", pid=innocent.pid, stop_signal=signal.SIGTERM, stop_within=1
        )
        record = empty / "schedule.json"
        record.write_text(record.read_text().replace('"started": "', '"started": "1'))
        assert await leftovers.end(empty) == ()
        assert innocent.poll() is None
        assert not record.exists()


async def test_a_recorded_process_that_still_lives_is_ended(empty: Path) -> None:
    with bystander() as left:
        leftovers.record(empty, "schedule", pid=left.pid, stop_signal=signal.SIGTERM, stop_within=5)
        assert await leftovers.end(empty) == ("schedule",)
    assert left.returncode == -signal.SIGTERM


async def test_programs_below_a_closed_directory_are_copied_into_the_data_directory(
    empty: Path,
) -> None:
    package = Path(str(importlib.util.find_spec(binaries.POSTGRES_PACKAGE).origin)).parent  # type: ignore[union-attr]
    for _ in range(2):
        copied = binaries.copied(package, empty / "postgres-18") / "pginstall" / "bin"
    account = home.unprivileged_account()
    for name in ("postgres", "initdb", "pg_basebackup"):
        running = spawn.Program(
            name=name,
            command=(str(copied / name), "--version"),
            environment={},
            log=empty / f"{name}.log",
            directory=Path("/"),
            account=account,
        )
        assert await processes.run_to_end(running) == 0
        assert "18." in running.log.read_text()
