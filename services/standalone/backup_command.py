"""`smartmate backup` and `smartmate restore`."""

import datetime
from pathlib import Path

from services.standalone import backup, errors, home
from services.standalone.progress import Progress
from services.standalone.settings import StandaloneSettings
from services.standalone.suite import Suite


async def take(settings: StandaloneSettings, progress: Progress) -> Path:
    """Back up the embedded parts, of a running suite as of one that does not run."""
    place = home.prepare(settings.home)
    now = datetime.datetime.now(datetime.UTC)
    try:
        async with Suite(
            services=(), durable=True, configuration=settings, progress=progress
        ) as suite:
            return await backup.take(place, suite.postgres_admin, now=now)
    except errors.HomeLocked:
        with progress.step("备份", "backup of the running suite"):
            return await backup.take(place, backup.running_dsn(place), now=now)


def restore(settings: StandaloneSettings, source: Path, progress: Progress) -> None:
    """Put a backup in place; refused while a suite runs on the data directory."""
    place = home.prepare(settings.home)
    with home.locked(place), progress.step("恢复", f"restoring {source}"):
        aside = backup.restore(place, source)
    if aside:
        progress.say(f"原数据 {aside}", "the data it replaced")
