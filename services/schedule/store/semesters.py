"""Rows of semesters."""

from datetime import date, datetime

from sqlalchemy import text

from libs.db.database import Tx
from libs.planning.calendar import Semester
from services.schedule.store import rows

COLUMNS = """
    id, first_day, weeks, time_zone, section_starts, section_ends, lunch_after, dinner_after,
    version
"""
_GET = text(f"SELECT {COLUMNS} FROM semesters WHERE user_id = :user_id AND id = :semester_id")
_SOME = text(f"SELECT {COLUMNS} FROM semesters WHERE user_id = :user_id AND id = ANY(:ids)")
# A day of margin: where a zone is ahead, the date asked for has begun there already.
_AROUND = text(f"""
    (SELECT {COLUMNS} FROM semesters
     WHERE user_id = :user_id AND first_day <= CAST(:on AS date) + 1
     ORDER BY first_day DESC LIMIT 3)
    UNION ALL
    (SELECT {COLUMNS} FROM semesters
     WHERE user_id = :user_id AND first_day > CAST(:on AS date) + 1
     ORDER BY first_day LIMIT 1)
""")
# No semester is longer than 30 weeks, which bounds the range of the index that is read.
_BETWEEN = text(f"""
    SELECT {COLUMNS} FROM semesters
    WHERE user_id = :user_id
      AND first_day BETWEEN CAST(:first AS date) - 210 AND CAST(:last AS date)
      AND first_day + 7 * weeks > CAST(:first AS date)
    ORDER BY first_day
""")
_INSERT = text(f"""
    INSERT INTO semesters (user_id, first_day, weeks, time_zone, section_starts, section_ends,
        lunch_after, dinner_after, version)
    VALUES (:user_id, :first_day, :weeks, :time_zone, :section_starts, :section_ends,
        :lunch_after, :dinner_after, next_version_v1(0))
    RETURNING {COLUMNS}
""")
_UPDATE = text(f"""
    UPDATE semesters SET first_day = :first_day, weeks = :weeks, time_zone = :time_zone,
        section_starts = :section_starts, section_ends = :section_ends,
        lunch_after = :lunch_after, dinner_after = :dinner_after,
        version = next_version_v1(version)
    WHERE user_id = :user_id AND id = :semester_id
    RETURNING {COLUMNS}
""")
_NOW = text("SELECT clock_timestamp()")


async def now(tx: Tx) -> datetime:
    """The instant, by the database's clock."""
    found: datetime = await tx.scalar(_NOW)
    return found


async def get(tx: Tx, user_id: int, semester_id: int) -> Semester | None:
    """One semester, or None."""
    row = await tx.first(_GET, user_id=user_id, semester_id=semester_id)
    return None if row is None else rows.semester(row._mapping)


async def some(tx: Tx, user_id: int, ids: list[int]) -> tuple[Semester, ...]:
    """Those of the semesters that there are."""
    found = await tx.all(_SOME, user_id=user_id, ids=ids)
    return tuple(rows.semester(row._mapping) for row in found)


async def around(tx: Tx, user_id: int, on: date) -> tuple[Semester, ...]:
    """The semesters that may hold a date in some zone, the one before and the one after."""
    found = await tx.all(_AROUND, user_id=user_id, on=on)
    return tuple(rows.semester(row._mapping) for row in found)


async def between(tx: Tx, user_id: int, first: date, last: date) -> tuple[Semester, ...]:
    """Every semester with a date in first..last, earliest first."""
    found = await tx.all(_BETWEEN, user_id=user_id, first=first, last=last)
    return tuple(rows.semester(row._mapping) for row in found)


async def put(tx: Tx, user_id: int, semester: Semester) -> Semester:
    """Writes a semester, a new one where its id is 0; gives it with its id and version."""
    values = {
        "user_id": user_id,
        "first_day": semester.first_day,
        "weeks": semester.weeks,
        "time_zone": semester.time_zone,
        **rows.clock_columns(semester.clock),
    }
    if semester.id == 0:
        row = await tx.one(_INSERT, **values)
    else:
        row = await tx.one(_UPDATE, semester_id=semester.id, **values)
    return rows.semester(row._mapping)
