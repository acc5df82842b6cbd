"""Rows of user_settings; who has none has the defaults."""

from sqlalchemy import text

from libs.db.database import Tx
from services.schedule.domain.user_settings import DEFAULTS, QuietHours, UserSettings
from services.schedule.store import rows

_COLUMNS = "quiet_start, quiet_end, time_zone, default_sections, version"
READ = """
    s.quiet_start, s.quiet_end, s.time_zone, s.default_sections, s.version AS settings_version
"""

_GET = text(f"SELECT {READ} FROM user_settings s WHERE s.user_id = :user_id")
_PUT = text(f"""
    INSERT INTO user_settings AS s (user_id, {_COLUMNS})
    VALUES (:user_id, :quiet_start, :quiet_end, :time_zone, :default_sections, next_version_v1(0))
    ON CONFLICT (user_id) DO UPDATE SET quiet_start = excluded.quiet_start,
        quiet_end = excluded.quiet_end, time_zone = excluded.time_zone,
        default_sections = excluded.default_sections,
        version = next_version_v1(s.version)
    RETURNING {READ}
""")


async def get(tx: Tx, user_id: int) -> UserSettings:
    """What the user has chosen, or the defaults."""
    row = await tx.first(_GET, user_id=user_id)
    return DEFAULTS if row is None else settings(row._mapping)


async def put(tx: Tx, user_id: int, chosen: UserSettings) -> UserSettings:
    """Replaces all of it; gives it with its version."""
    quiet = chosen.quiet_hours
    row = await tx.one(
        _PUT,
        user_id=user_id,
        quiet_start=rows.minute(quiet.start) if quiet else None,
        quiet_end=rows.minute(quiet.end) if quiet else None,
        time_zone=chosen.time_zone,
        default_sections=chosen.default_sections,
    )
    return settings(row._mapping)


def settings(row: rows.Values) -> UserSettings:
    """A row of `user_settings`; the columns of a row that is not there are null."""
    if row["settings_version"] is None:
        return DEFAULTS
    return UserSettings(
        quiet_hours=_quiet(row["quiet_start"], row["quiet_end"]),
        time_zone=row["time_zone"],
        default_sections=row["default_sections"],
        version=row["settings_version"],
    )


def _quiet(start: int | None, end: int | None) -> QuietHours | None:
    if start is None or end is None:
        return None
    return QuietHours(rows.time_of(start), rows.time_of(end))
