"""Backups of the embedded parts: one moment of all databases, and the secrets that belong to it.

A copy of the whole cluster, not a dump per database: what one service confirmed and another has
heard of stays in step. The broker's store is left out; after a restore the outboxes publish again
what its streams lack.
"""

import contextlib
import datetime
import os
import shutil
import tarfile
from pathlib import Path
from urllib.parse import urlsplit

from services.standalone import binaries, credentials, errors, files, postgres, processes, spawn
from services.standalone.home import Home, unprivileged_account
from services.standalone.settings import SERVICES

KEPT = 7
NAME_FORMAT = "%Y-%m-%dT%H%M%SZ"
CLUSTER = "base.tar.gz"


def running_dsn(home: Home) -> str:
    """Return the administrator's address at the embedded server of a running suite."""
    secrets = credentials.Credentials.load_or_make(home.secrets, SERVICES)
    port = int(files.read_object(home.ports)[postgres.NAME])
    return postgres.dsn(secrets.postgres_admin, port)


async def take(home: Home, dsn: str, *, now: datetime.datetime) -> Path:
    """Copy the running cluster and what belongs to it; returns the new directory.

    It has its name only once it is whole; of older ones the newest are kept.
    """
    target = home.backups / now.astimezone(datetime.UTC).strftime(NAME_FORMAT)
    new = target.with_suffix(".new")
    shutil.rmtree(new, ignore_errors=True)
    new.mkdir(parents=True, mode=0o700)
    try:
        await _copy_cluster(home, dsn, new)
        shutil.copy2(home.secrets, new / home.secrets.name)
        shutil.copytree(home.keys, new / home.keys.name)
        new.rename(target)
    except BaseException:
        shutil.rmtree(new, ignore_errors=True)
        raise
    for old in existing(home)[:-KEPT]:
        shutil.rmtree(old)
    return target


def existing(home: Home) -> tuple[Path, ...]:
    """Return the whole backups, oldest first."""
    return tuple(sorted(found.parent for found in home.backups.glob(f"*Z/{CLUSTER}")))


def taken_at(backup: Path) -> datetime.datetime:
    """Return the moment that a backup's name says."""
    return datetime.datetime.strptime(backup.name, NAME_FORMAT).replace(tzinfo=datetime.UTC)


async def _copy_cluster(home: Home, dsn: str, target: Path) -> None:
    server = urlsplit(dsn)
    tool = binaries.postgres(home, unprivileged_account()) / "pg_basebackup"
    program = spawn.Program(
        name="backup",
        command=(
            *(str(tool), "-D", str(target), "-Ft", "-z", "-X", "fetch", "-c", "fast", "-w"),
            *("-h", str(server.hostname), "-p", str(server.port), "-U", str(server.username)),
        ),
        environment={"PATH": os.defpath, "PGPASSWORD": str(server.password)},
        log=home.log("backup"),
        directory=home.root,
    )
    code = await processes.run_to_end(program)
    if code != 0:
        raise errors.ChildFailed("pg_basebackup", code, files.tail(program.log))


def restore(home: Home, backup: Path) -> Path | None:
    """Put a backup in the place of the present data; nothing may run on it.

    Returns where the present cluster was moved, None when there was none.
    """
    if not (backup / CLUSTER).is_file():
        raise errors.BackupUnusable(backup)
    data = home.postgres_data
    new = data.with_name(data.name + ".new")
    shutil.rmtree(new, ignore_errors=True)
    _unpack(backup / CLUSTER, new)
    aside = _set_aside(data)
    new.rename(data)
    # Streams that are ahead of the databases would tell of what never happened here.
    shutil.rmtree(home.nats_store)
    home.nats_store.mkdir(mode=0o700)
    home.migrated.unlink(missing_ok=True)
    files.write_private(home.secrets, (backup / home.secrets.name).read_text())
    for key in (backup / home.keys.name).iterdir():
        files.write_private(home.keys / key.name, key.read_text())
    return aside


def _unpack(archive: Path, target: Path) -> None:
    target.mkdir(mode=0o700)
    try:
        with tarfile.open(archive) as tar:
            # Absent before Python 3.11.4; we made the archive ourselves.
            tar.extraction_filter = getattr(tarfile, "data_filter", None)
            tar.extractall(target)
    except (tarfile.TarError, EOFError, OSError) as error:
        raise errors.BackupUnusable(archive.parent) from error
    if not postgres.is_cluster(target):
        raise errors.BackupUnusable(archive.parent)
    account = unprivileged_account()
    for path in (target, *target.rglob("*")):
        path.chmod(0o700 if path.is_dir() else 0o600)
        if account:
            os.chown(path, account.uid, account.gid)


def _set_aside(data: Path) -> Path | None:
    aside = data.with_name(data.name + ".before")
    shutil.rmtree(aside, ignore_errors=True)
    with contextlib.suppress(FileNotFoundError):
        return data.rename(aside)
    return None
