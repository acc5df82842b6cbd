"""Hosts and guests: which courses are open, and what sits in their meetings."""

from collections.abc import Sequence

from sqlalchemy import text

from libs.db.database import Tx
from services.schedule.domain.block import BlockState, ScheduledBlock, in_order
from services.schedule.store import blocks, rows

_HAS_COURSE = text("SELECT true FROM courses WHERE user_id = :user_id AND id = :course_id")
_GUESTS = text(f"""
    SELECT {blocks.SEEN} FROM schedule_events e
    WHERE e.user_id = :user_id AND e.host_event_id = ANY(:ids) AND e.live
""")
_GUESTS_OF_COURSE = text(f"""
    SELECT {blocks.SEEN} FROM schedule_events h
    JOIN schedule_events e ON e.user_id = :user_id AND e.host_event_id = h.id AND e.live
    WHERE h.user_id = :user_id AND h.rel_id = :course_id AND h.type = 'course' AND h.live
""")
_OPEN_COURSE = text("""
    UPDATE courses SET can_be_embedded = :can_be_embedded
    WHERE user_id = :user_id AND id = :course_id
""")
_OPEN_MEETINGS = text(f"""
    UPDATE schedule_events SET can_be_embedded = :can_be_embedded,
        version = next_version_v1(version),
        placement_version = next_version_v1(placement_version)
    WHERE user_id = :user_id AND rel_id = :course_id AND type = 'course' AND live
      AND can_be_embedded <> :can_be_embedded
    RETURNING {blocks.STATE}
""")
_COUNT_MEETINGS = text("""
    SELECT count(*) FROM schedule_events
    WHERE user_id = :user_id AND rel_id = :course_id AND type = 'course' AND live
""")


async def has_course(tx: Tx, user_id: int, course_id: int) -> bool:
    """Whether the user has this course."""
    return bool(await tx.scalar(_HAS_COURSE, user_id=user_id, course_id=course_id))


async def guests_of(tx: Tx, user_id: int, host_ids: Sequence[int]) -> tuple[ScheduledBlock, ...]:
    """The live guests of some blocks, in order of time."""
    found = await tx.all(_GUESTS, user_id=user_id, ids=list(host_ids))
    return in_order(rows.scheduled(row._mapping) for row in found)


async def guests_of_course(tx: Tx, user_id: int, course_id: int) -> tuple[ScheduledBlock, ...]:
    """The live guests of all meetings of a course, in order of time."""
    found = await tx.all(_GUESTS_OF_COURSE, user_id=user_id, course_id=course_id)
    return in_order(rows.scheduled(row._mapping) for row in found)


async def set_embedding(
    tx: Tx, user_id: int, course_id: int, can_be_embedded: bool
) -> tuple[BlockState, ...]:
    """Opens or closes a course and its meetings; gives the meetings that changed."""
    chosen = {"user_id": user_id, "course_id": course_id, "can_be_embedded": can_be_embedded}
    await tx.execute(_OPEN_COURSE, **chosen)
    return rows.states(await tx.all(_OPEN_MEETINGS, **chosen))


async def count_meetings(tx: Tx, user_id: int, course_id: int) -> int:
    """How many meetings of a course stand in the schedule."""
    return int(await tx.scalar(_COUNT_MEETINGS, user_id=user_id, course_id=course_id))
