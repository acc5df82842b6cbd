"""What a long-running suite needs now and then: logs kept short, a backup every day."""

import asyncio
import datetime
import logging
import shutil
from pathlib import Path

from services.standalone import backup, errors
from services.standalone.home import Home
from services.standalone.spawn import LOG_LIMIT_BYTES

log = logging.getLogger(__name__)

ROUND_SECONDS = 60.0
BACKUP_EVERY = datetime.timedelta(days=1)


async def run(home: Home, embedded_dsn: str | None) -> None:
    """Look after the data directory until cancelled; without an embedded database no backups."""
    while True:
        await asyncio.sleep(ROUND_SECONDS)
        for path in home.logs.glob("*.log"):
            shorten(path)
        now = datetime.datetime.now(datetime.UTC)
        if embedded_dsn and is_due(backup.existing(home), now=now):
            try:
                await backup.take(home, embedded_dsn, now=now)
            except (errors.StandaloneError, OSError):
                # A full disk today is no reason to stop; the next round tries again.
                log.exception("the daily backup failed")


def is_due(backups: tuple[Path, ...], *, now: datetime.datetime) -> bool:
    """Tell whether the newest backup is a day old, or there is none."""
    return not backups or now - backup.taken_at(backups[-1]) >= BACKUP_EVERY


def shorten(path: Path, *, limit: int = LOG_LIMIT_BYTES) -> bool:
    """Copy an overlong log aside and empty it; its writer appends, so it goes on at the start."""
    if path.stat().st_size <= limit:
        return False
    shutil.copyfile(path, path.with_suffix(".log.1"))
    with path.open("r+b") as file:
        file.truncate()
    return True
