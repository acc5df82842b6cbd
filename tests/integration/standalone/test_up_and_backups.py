"""`smartmate up` as a process, and the backups of what it keeps."""

import datetime
import signal
import subprocess
import sys
from pathlib import Path

import asyncpg
import pytest

from services.standalone import backup, backup_command, errors, home, settings, upkeep
from services.standalone.home import Home
from services.standalone.progress import Silent
from services.standalone.suite import Suite
from tests.integration.standalone.parts import bare, has_ended, no_settings, start

NOW = datetime.datetime(2026, 11, 30, 1, 0, tzinfo=datetime.UTC)

UP = """
import asyncio, sys
from pathlib import Path
from rich.console import Console
from services.standalone import up
from services.standalone.progress import Shown
from tests.integration.standalone.parts import with_dummies

progress = Shown(Console())
suite = with_dummies(Path(sys.argv[1]), progress=progress)
raise SystemExit(asyncio.run(up.run(suite, progress)))
"""


def started_up(root: Path) -> tuple[subprocess.Popen[str], list[int], str]:
    """Start `up` and return when it says that it is ready, with the processes it keeps."""
    process = start(sys.executable, "-c", UP, str(root))
    assert process.stdout is not None
    said = ""
    while "Ctrl-C" not in said:
        line = process.stdout.readline()
        assert line, f"ended early: {said}"
        said += line
    records = (root / "run").glob("*.json")
    return (
        process,
        [int(record.read_text().split('"pid": ')[1].split(",")[0]) for record in records],
        said,
    )


@pytest.mark.parametrize("number", [signal.SIGTERM, signal.SIGINT, signal.SIGHUP])
async def test_up_ends_in_order_on_a_signal(root: Path, number: signal.Signals) -> None:
    process, pids, said = started_up(root)
    assert len(pids) == len(settings.SERVICES) + len(("postgres", "nats"))
    process.send_signal(number)
    rest, _ = process.communicate(timeout=30)
    assert process.returncode == 0
    assert (root / "ended").read_text().split()[0] == "gateway"
    assert "database system is shut down" in (root / "logs" / "postgres.log").read_text()
    assert not list((root / "run").iterdir())
    assert "\x1b" not in said + rest


async def test_a_killed_up_takes_every_process_with_it(root: Path) -> None:
    process, pids, _ = started_up(root)
    process.kill()
    process.communicate()
    for pid in pids:
        assert await has_ended(pid)


async def test_up_can_be_ended_while_it_starts(empty: Path) -> None:
    process = start(sys.executable, "-c", UP, str(empty))
    assert process.stdout is not None
    process.stdout.readline()
    process.terminate()
    process.communicate(timeout=30)
    assert process.returncode == 130
    assert not list((empty / "run").iterdir())


async def noted(suite: Suite) -> list[str]:
    connection = await asyncpg.connect(suite.dsn("gateway"))
    try:
        return [row[0] for row in await connection.fetch("SELECT word FROM notes ORDER BY word")]
    finally:
        await connection.close()


async def note(suite: Suite, word: str) -> None:
    connection = await asyncpg.connect(suite.dsn("gateway"))
    await connection.execute("CREATE TABLE IF NOT EXISTS notes (word text)")
    await connection.execute("INSERT INTO notes VALUES ($1)", word)
    await connection.close()


async def test_a_restored_backup_is_the_moment_it_was_taken(root: Path) -> None:
    configuration = no_settings(root)
    async with bare(root) as suite:
        await note(suite, "before")
        # The command finds the suite running and copies it as it runs.
        taken = await backup_command.take(configuration, Silent())
        await note(suite, "after")
        with pytest.raises(errors.HomeLocked):
            backup_command.restore(configuration, taken, Silent())
    (root / "secrets.json").unlink()
    backup_command.restore(configuration, taken, Silent())
    async with bare(root) as suite:
        assert await noted(suite) == ["before"]


async def test_a_backup_without_a_running_suite_starts_the_servers(root: Path) -> None:
    async with bare(root) as suite:
        await note(suite, "kept")
    taken = await backup_command.take(no_settings(root), Silent())
    assert backup.existing(Home(root)) == (taken,)
    assert {path.stat().st_mode & 0o077 for path in (taken, *taken.iterdir())} == {0}


async def test_the_newest_backups_are_kept(root: Path) -> None:
    async with bare(root) as suite:
        for day in range(backup.KEPT - 1):
            old = suite.home.backups / f"2026-11-{day + 1:02}T000000Z"
            old.mkdir(parents=True)
            (old / backup.CLUSTER).touch()
        for hour in range(2):
            later = NOW + datetime.timedelta(hours=hour)
            await backup.take(suite.home, suite.postgres_admin, now=later)
        names = [path.name for path in backup.existing(suite.home)]
    assert len(names) == backup.KEPT
    assert names[0] == "2026-11-02T000000Z"
    assert names[-1] == "2026-11-30T020000Z"


async def test_a_backup_that_fails_leaves_no_half_one(empty: Path) -> None:
    place = home.prepare(empty)
    with pytest.raises(errors.ChildFailed, match="connection"):
        await backup.take(place, "postgresql://smartmate:x@127.0.0.1:9/postgres", now=NOW)
    assert not list(place.backups.iterdir())


@pytest.mark.parametrize("content", [b"", b"no archive", None])
async def test_what_is_no_backup_replaces_nothing(empty: Path, content: bytes | None) -> None:
    place = home.prepare(empty)
    place.postgres_data.mkdir()
    source = empty / "source"
    source.mkdir()
    if content is not None:
        (source / backup.CLUSTER).write_bytes(content)
    with pytest.raises(errors.BackupUnusable):
        backup.restore(place, source)
    assert place.postgres_data.is_dir()
    assert not (empty / "pg.before").exists()


def test_an_overlong_log_is_emptied_under_its_writer(tmp_path: Path) -> None:
    log = tmp_path / "schedule.log"
    with log.open("ab", buffering=0) as writer:
        writer.write(b"old line\n")
        assert upkeep.shorten(log, limit=4)
        assert not upkeep.shorten(log, limit=4)
        writer.write(b"new line\n")
    assert log.read_bytes() == b"new line\n"
    assert (tmp_path / "schedule.log.1").read_bytes() == b"old line\n"
