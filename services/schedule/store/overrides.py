"""Rows of calendar_overrides, and meetings that stay away on days that run others."""

from datetime import date

from sqlalchemy import text

from libs.db.database import Tx
from libs.planning.calendar import Override, Semester, TaughtDays
from services.schedule.store import rows

COLUMNS = "on_date, runs_week, runs_day, version"

_BETWEEN = text(f"""
    SELECT {COLUMNS} FROM calendar_overrides
    WHERE user_id = :user_id AND on_date BETWEEN :first AND :last ORDER BY on_date
""")
_PUT = text(f"""
    INSERT INTO calendar_overrides AS o (user_id, {COLUMNS})
    VALUES (:user_id, :on_date, :runs_week, :runs_day, next_version_v1(0))
    ON CONFLICT (user_id, on_date) DO UPDATE SET runs_week = excluded.runs_week,
        runs_day = excluded.runs_day, version = next_version_v1(o.version)
    RETURNING {COLUMNS}
""")
_REMOVE = text("""
    DELETE FROM calendar_overrides WHERE user_id = :user_id AND on_date = :on_date
""")
_ABSENCES = text("""
    SELECT a.course_id, a.week, a.day_of_week FROM courses c
    JOIN course_absences a ON a.user_id = :user_id AND a.course_id = c.id AND a.day_of_week > 0
    WHERE c.user_id = :user_id AND c.semester_id = :semester_id
""")
_FORGET_ABSENCES = text("""
    DELETE FROM course_absences a USING courses c
    WHERE c.user_id = :user_id AND c.semester_id = :semester_id
      AND a.user_id = :user_id AND a.course_id = c.id AND a.week = :week
      AND a.day_of_week = :day_of_week
""")


async def between(tx: Tx, user_id: int, first: date, last: date) -> tuple[Override, ...]:
    """The overrides of first..last, by date."""
    found = await tx.all(_BETWEEN, user_id=user_id, first=first, last=last)
    return tuple(rows.override(row._mapping) for row in found)


async def taught_days(tx: Tx, user_id: int, semester: Semester) -> TaughtDays:
    """What is held on each day of a semester."""
    found = await between(tx, user_id, semester.first_day, semester.last_day)
    return TaughtDays(semester, found)


async def put(tx: Tx, user_id: int, on: date, runs: tuple[int, int] | None) -> Override:
    """Writes what happens on a date; gives it with its version."""
    week, day = runs or (None, None)
    row = await tx.one(_PUT, user_id=user_id, on_date=on, runs_week=week, runs_day=day)
    return rows.override(row._mapping)


async def remove(tx: Tx, user_id: int, on: date) -> None:
    """Gives a date its own classes back; its version starts anew, from the clock."""
    await tx.execute(_REMOVE, user_id=user_id, on_date=on)


async def absences(tx: Tx, user_id: int, semester_id: int) -> frozenset[tuple[int, int, int]]:
    """(course, week, day) of meetings that a person deleted on days that run another one."""
    found = await tx.all(_ABSENCES, user_id=user_id, semester_id=semester_id)
    return frozenset((row.course_id, row.week, row.day_of_week) for row in found)


async def forget_absences(tx: Tx, user_id: int, semester_id: int, day: tuple[int, int]) -> None:
    """Another day is run, or none: what was deleted from the one before says nothing."""
    await tx.execute(
        _FORGET_ABSENCES,
        user_id=user_id,
        semester_id=semester_id,
        week=day[0],
        day_of_week=day[1],
    )
