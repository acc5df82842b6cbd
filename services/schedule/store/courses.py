"""Courses of a semester, and the blocks that a timetable has to respect."""

import json
from collections.abc import Sequence
from typing import Any

from sqlalchemy import text

from libs.db.database import Tx
from services.schedule.domain.timetable.matching import Away, StoredCourse
from services.schedule.domain.timetable.rows import CourseRow
from services.schedule.domain.timetable.seating import Block, Cell
from services.schedule.store.rows import Values, place

_OF_SEMESTER = text("""
    SELECT c.id, c.name, c.teacher, c.room, c.campus, c.day_of_week, c.first_section,
        c.last_section, c.weeks, c.can_be_embedded, away.absent, away.skipped
    FROM courses c, LATERAL (
        SELECT coalesce(array_agg(key ORDER BY key) FILTER (WHERE NOT for_work), '{}') AS absent,
            coalesce(array_agg(key ORDER BY key) FILTER (WHERE for_work), '{}') AS skipped
        FROM (
            SELECT week * 8 + day_of_week AS key, for_work FROM course_absences a
            WHERE a.user_id = :user_id AND a.course_id = c.id
        ) keys
    ) away
    WHERE c.user_id = :user_id AND c.semester_id = :semester_id
    ORDER BY c.id
""")
# A guest is known by the course that hosts it, not by the one meeting.
_TASK_BLOCKS = text("""
    SELECT e.id, e.name, e.semester_id, e.week, e.day_of_week, e.first_section, e.last_section,
        e.start_time <= clock_timestamp() AS has_begun, host.rel_id AS host_course_id
    FROM schedule_events e
    LEFT JOIN schedule_events host ON host.user_id = e.user_id AND host.id = e.host_event_id
    WHERE e.user_id = :user_id AND e.semester_id = :semester_id AND e.type = 'task' AND e.live
""")
_NEW_IDS = text("SELECT nextval('courses_id_seq') FROM generate_series(1, CAST(:count AS int))")
_ADD = text("""
    INSERT INTO courses (user_id, semester_id, id, name, teacher, room, campus, day_of_week,
        first_section, last_section, weeks)
    SELECT :user_id, :semester_id, id, name, teacher, room, campus, day_of_week,
        first_section, last_section, weeks
    FROM json_to_recordset(CAST(:courses AS json)) AS n (id bigint, name text, teacher text,
        room text, campus text, day_of_week smallint, first_section smallint,
        last_section smallint, weeks smallint[])
""")
_PUT = text("""
    UPDATE courses SET name = n.name, teacher = n.teacher, room = n.room, campus = n.campus,
        day_of_week = n.day_of_week, first_section = n.first_section,
        last_section = n.last_section, weeks = n.weeks
    FROM json_to_recordset(CAST(:courses AS json)) AS n (id bigint, name text, teacher text,
        room text, campus text, day_of_week smallint, first_section smallint,
        last_section smallint, weeks smallint[])
    WHERE courses.user_id = :user_id AND courses.id = n.id
""")
_REMOVE = text("DELETE FROM courses WHERE user_id = :user_id AND id = ANY(:ids)")
_SKIP = text("""
    INSERT INTO course_absences (user_id, course_id, week, day_of_week)
    VALUES (:user_id, :course_id, :week, :day_of_week) ON CONFLICT DO NOTHING
""")
_RESUME = text("""
    DELETE FROM course_absences
    WHERE user_id = :user_id AND course_id = ANY(:ids) AND for_work
""")
_SKIP_FOR_WORK = text("""
    INSERT INTO course_absences (user_id, course_id, week, day_of_week, for_work)
    SELECT :user_id, course_id, week, day_of_week, true
    FROM unnest(CAST(:ids AS bigint[]), CAST(:weeks AS int[]), CAST(:days AS int[]))
        AS n (course_id, week, day_of_week)
    ON CONFLICT DO NOTHING
""")
_COUNT_MEETINGS = text("""
    SELECT count(*) FROM schedule_events
    WHERE user_id = :user_id AND semester_id = :semester_id AND type = 'course' AND live
""")


async def of_semester(tx: Tx, user_id: int, semester_id: int) -> tuple[StoredCourse, ...]:
    """Every course of a semester, by id."""
    found = await tx.all(_OF_SEMESTER, user_id=user_id, semester_id=semester_id)
    return tuple(_course(row._mapping) for row in found)


async def task_cells(tx: Tx, user_id: int, semester_id: int) -> dict[Cell, Block]:
    """The cells of a semester that blocks of work stand in."""
    found = await tx.all(_TASK_BLOCKS, user_id=user_id, semester_id=semester_id)
    blocks = [_block(row._mapping) for row in found]
    return {cell: block for block in blocks for cell in block.cells}


async def add(
    tx: Tx, user_id: int, semester_id: int, courses: Sequence[CourseRow]
) -> tuple[int, ...]:
    """Writes new courses; gives their ids in the same order."""
    if not courses:
        return ()
    ids = tuple(row[0] for row in await tx.all(_NEW_IDS, count=len(courses)))
    stated = [_stated(id_, row) for id_, row in zip(ids, courses, strict=True)]
    await tx.execute(_ADD, user_id=user_id, semester_id=semester_id, courses=_json(stated))
    return ids


async def put(tx: Tx, user_id: int, courses: Sequence[tuple[int, CourseRow]]) -> None:
    """Rewrites existing courses as a file states them."""
    if courses:
        stated = [_stated(id_, row) for id_, row in courses]
        await tx.execute(_PUT, user_id=user_id, courses=_json(stated))


async def remove(tx: Tx, user_id: int, ids: Sequence[int]) -> None:
    """Deletes courses; their meetings are the caller's."""
    if ids:
        await tx.execute(_REMOVE, user_id=user_id, ids=list(ids))


async def skip(tx: Tx, user_id: int, course_id: int, *, week: int, day: int) -> None:
    """Remembers that a meeting does not take place; day 0 means the course's own of that week."""
    await tx.execute(_SKIP, user_id=user_id, course_id=course_id, week=week, day_of_week=day)


async def put_skipped(tx: Tx, user_id: int, courses: Sequence[tuple[int, Sequence[Away]]]) -> None:
    """Writes which meetings courses do not hold because a block of work stays in their place."""
    if not courses:
        return
    await tx.execute(_RESUME, user_id=user_id, ids=[course_id for course_id, _ in courses])
    skipped = [(course_id, *away) for course_id, meetings in courses for away in meetings]
    if skipped:
        ids, weeks, days = (list(column) for column in zip(*skipped, strict=True))
        await tx.execute(_SKIP_FOR_WORK, user_id=user_id, ids=ids, weeks=weeks, days=days)


async def count_meetings(tx: Tx, user_id: int, semester_id: int) -> int:
    """How many course meetings stand in a semester."""
    return int(await tx.scalar(_COUNT_MEETINGS, user_id=user_id, semester_id=semester_id))


def _json(stated: list[dict[str, Any]]) -> str:
    return json.dumps(stated, ensure_ascii=False)


def _stated(course_id: int, row: CourseRow) -> dict[str, Any]:
    return {
        "id": course_id,
        "name": row.name,
        "teacher": row.teacher,
        "room": row.room,
        "campus": row.campus,
        "day_of_week": row.day_of_week,
        "first_section": row.first,
        "last_section": row.last,
        "weeks": row.weeks,
    }


def _block(row: Values) -> Block:
    return Block(
        id=row["id"],
        name=row["name"],
        host_id=row["host_course_id"],
        has_begun=row["has_begun"],
        cells=tuple((cell.week, cell.day, cell.section) for cell in place(row).cells),
    )


def _course(row: Values) -> StoredCourse:
    return StoredCourse(
        id=row["id"],
        name=row["name"],
        teacher=row["teacher"],
        room=row["room"],
        campus=row["campus"],
        day_of_week=row["day_of_week"],
        first=row["first_section"],
        last=row["last_section"],
        weeks=tuple(row["weeks"]),
        can_be_embedded=row["can_be_embedded"],
        absent=tuple(divmod(key, 8) for key in row["absent"]),
        skipped=tuple(divmod(key, 8) for key in row["skipped"]),
    )
