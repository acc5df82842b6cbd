"""Brings every service's database up to date, in one process, and never inside a service.

The services' alembic environments do the work (`libs.db.migration`): one migration at a time per
database, lock_timeout 2 s, a transaction per revision. A table that is locked is tried again, for
a bounded time, so the step waits without making the product wait.
"""

import hashlib
import time
from collections.abc import Mapping
from pathlib import Path

from services.standalone import databases, errors, files

BUSY_FOR = 60.0
BETWEEN_ATTEMPTS = 0.5
LOCK_NOT_AVAILABLE = "55P03"

SERVICES_DIRECTORY = Path(__file__).resolve().parents[1]


def scripts(service: str) -> Path | None:
    """Return a service's alembic directory, None for one without a schema."""
    found = SERVICES_DIRECTORY / service / "migrations"
    return found if (found / "env.py").is_file() else None


def upgrade_all(urls: Mapping[str, str]) -> tuple[str, ...]:
    """Upgrade the databases one after the other; returns the services that have a schema.

    `urls` maps a service to the address of its database. Not to be called with an event loop
    running.
    """
    with_schema = tuple(service for service in urls if scripts(service))
    for service in with_schema:
        upgrade(service, urls[service])
    return with_schema


def upgrade(service: str, url: str, *, busy_for: float = BUSY_FOR) -> None:
    """Upgrade one database to its newest revision; raises MigrationFailed or MigrationBusy."""
    # Alembic is the dearest import of the suite and only this process needs it.
    from alembic import command, config
    from sqlalchemy.exc import DBAPIError

    settings = config.Config()
    settings.set_main_option("script_location", str(scripts(service)).replace("%", "%%"))
    settings.set_main_option("sqlalchemy.url", databases.sqlalchemy_url(url).replace("%", "%%"))
    deadline = time.monotonic() + busy_for
    while True:
        try:
            return command.upgrade(settings, "head")
        except DBAPIError as error:
            if getattr(error.orig, "sqlstate", None) != LOCK_NOT_AVAILABLE:
                raise errors.MigrationFailed(service, str(error)) from error
            if time.monotonic() > deadline:
                raise errors.MigrationBusy(service, busy_for) from error
            time.sleep(BETWEEN_ATTEMPTS)


def fingerprint(service: str) -> str:
    """Return a digest of a service's migration scripts, empty when it has none."""
    directory = scripts(service)
    if directory is None:
        return ""
    digest = hashlib.sha256()
    for script in sorted((directory / "versions").glob("*.py")):
        digest.update(f"{script.name}\0{script.stat().st_size}\0".encode())
        digest.update(script.read_bytes())
    return digest.hexdigest()


async def is_current(record: Path, dsns: Mapping[str, str]) -> bool:
    """Tell whether the databases stand where these very scripts brought them last time.

    Asks the databases for their revision, so a restored or emptied one is noticed; saves the
    second start the half second that alembic needs to find out the same.
    """
    remembered = files.read_object(record)
    for service, dsn in dsns.items():
        if not scripts(service):
            continue
        expected = remembered.get(service)
        if not expected or expected["scripts"] != fingerprint(service):
            return False
        if expected["revision"] != await revision(dsn):
            return False
    return True


async def remember(record: Path, dsns: Mapping[str, str]) -> None:
    """Write down where the databases stand after a migration."""
    files.write_object(
        record,
        {
            service: {"scripts": fingerprint(service), "revision": await revision(dsn)}
            for service, dsn in dsns.items()
            if scripts(service)
        },
    )


async def revision(dsn: str) -> str | None:
    """Return the revision a database says it has, None when it was never migrated."""
    connection = await databases.connect(dsn)
    try:
        if await connection.fetchval("SELECT to_regclass('alembic_version')") is None:
            return None
        rows = await connection.fetch("SELECT version_num FROM alembic_version ORDER BY 1")
        return ",".join(row["version_num"] for row in rows)
    finally:
        await connection.close()
