"""Writing meetings where courses are held. The caller holds the user's lock."""

from collections.abc import Iterable, Sequence

from libs.db.database import Tx
from libs.planning.calendar import Semester, TaughtDays
from services.schedule.domain import expansion
from services.schedule.domain.block import BlockState, ScheduledBlock, first_version
from services.schedule.domain.errors import CalendarCollision
from services.schedule.domain.expansion import MeetingWrites, Stated
from services.schedule.store import blocks, courses, overrides, semesters


async def replan(
    tx: Tx,
    user_id: int,
    placed: Sequence[ScheduledBlock],
    *,
    before: TaughtDays,
    after: TaughtDays,
) -> MeetingWrites:
    """What to write when the calendar of all courses of a semester becomes another one.

    Raises CalendarCollision where work stands where a class would be held.
    """
    semester_id = after.semester.id
    plan = expansion.plan(
        await stated(tx, user_id, semester_id),
        placed,
        before=before,
        after=after,
        absent=await overrides.absences(tx, user_id, semester_id),
    )
    in_the_way = expansion.collisions(plan, placed, semester_id)
    if in_the_way:
        raise CalendarCollision([one.block.id for one in in_the_way])
    return plan


async def stated(tx: Tx, user_id: int, semester_id: int) -> tuple[Stated, ...]:
    """The courses of a semester as they are stored."""
    return tuple(
        Stated(
            course_id=course.id,
            row=course,
            away=frozenset(week for week, day in (*course.absent, *course.skipped) if not day),
            can_be_embedded=course.can_be_embedded,
        )
        for course in await courses.of_semester(tx, user_id, semester_id)
    )


async def carry_out(
    tx: Tx, user_id: int, semester: Semester, plan: MeetingWrites
) -> tuple[BlockState, ...]:
    """Writes a plan; every section that is left is freed before any is taken.

    Raises CellTaken where a row of the database stands outside of the rules.
    """
    removed = await blocks.remove(tx, user_id, plan.removed)
    await blocks.clear_cells(tx, user_id, plan.moved)
    kept = await blocks.put(tx, user_id, expansion.blocks(plan.kept, semester))
    await blocks.fill_cells(tx, user_id, plan.moved)
    return (*removed, *kept, *await _add(tx, user_id, semester, plan.new))


async def _add(
    tx: Tx, user_id: int, semester: Semester, meetings: Iterable[expansion.Meeting]
) -> tuple[BlockState, ...]:
    meetings = tuple(meetings)
    ids = await blocks.new_ids(tx, len(meetings))
    new = expansion.blocks(zip(ids, meetings, strict=True), semester)
    version = first_version(await semesters.now(tx))
    return await blocks.add(tx, user_id, new, version=version)
