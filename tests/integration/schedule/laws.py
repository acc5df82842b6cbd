"""What holds of a schedule whatever was done to it: asked of the database, after anything."""

from collections import defaultdict
from datetime import UTC, datetime

from sqlalchemy import text

from libs.planning.class_order import broken
from libs.planning.grid import Grid
from services.schedule.domain import expansion
from services.schedule.handlers.expansion import stated
from services.schedule.store import blocks, overrides, rows
from services.schedule.store import semesters as semester_rows
from smartmate.events.v1 import events_pb2
from tests.integration.schedule.people import Person

_LIVE = text(f"SELECT {blocks.SEEN} FROM schedule_events e WHERE e.user_id = :user AND e.live")
_ALL = text(
    "SELECT id, version, live, semester_id, week, day_of_week, first_section, last_section "
    "FROM schedule_events WHERE user_id = :user"
)


async def hold(person: Person) -> None:
    """Fails with what does not hold."""
    await _no_two_blocks_share_a_cell(person)
    await _classes_are_in_order(person)
    await _courses_stand_where_they_are_held(person)
    await _what_was_told_is_what_is(person)


async def _no_two_blocks_share_a_cell(person: Person) -> None:
    live = await _live(person)
    known = {one.block.id: one.block for one in live}
    free: dict[object, int] = {}
    guests: dict[object, int] = {}
    for one in live:
        block = one.block
        for cell in block.place.cells:
            taken = guests if block.host_id is not None else free
            assert cell not in taken, (cell, block.id, taken[cell])
            taken[cell] = block.id
        if block.host_id is not None:
            host = known.get(block.host_id)
            assert host is not None, f"guest {block.id} has no host"
            assert host.can_be_embedded, f"guest {block.id} sits in a closed host"
            assert host.place.contains(block.place), f"guest {block.id} lies outside its host"


async def _classes_are_in_order(person: Person) -> None:
    live = [one.block for one in await _live(person)]
    async with person.backend.db.snapshot() as tx:
        known = await semester_rows.some(
            tx, person.id, sorted({block.place.semester_id for block in live})
        )
    grid, now = Grid(known, ()), datetime.now(UTC)
    ahead = [block for block in live if grid.starts_at(block.place) >= now]
    found = broken(live, ahead, grid, now)
    assert not found, [one.violation.reason for one in found]


async def _courses_stand_where_they_are_held(person: Person) -> None:
    async with person.backend.db.snapshot() as tx:
        semester = await semester_rows.get(tx, person.id, person.semester.semester_id)
        assert semester is not None
        days = await overrides.taught_days(tx, person.id, semester)
        plan = expansion.plan(
            await stated(tx, person.id, semester.id),
            await blocks.of_semester(tx, person.id, semester.id),
            before=days,
            after=days,
            absent=await overrides.absences(tx, person.id, semester.id),
        )
    assert plan.changes_nothing, plan


async def _what_was_told_is_what_is(person: Person) -> None:
    """Versions only grow, each is told once, and the newest of each block is its row."""
    told: dict[int, dict[int, events_pb2.ScheduleEventState]] = defaultdict(dict)
    for event in await person.told_of(events_pb2.ScheduleChanged):
        for state in event.events:
            assert state.version not in told[state.event_id], f"{state.event_id} is told twice"
            told[state.event_id][state.version] = state
    async with person.backend.db.snapshot() as tx:
        found = await tx.all(_ALL, user=person.id)
    for row in found:
        newest = told[row.id][max(told[row.id])]
        assert (newest.version, newest.removed) == (row.version, not row.live), row.id
        place = newest.place
        at = (place.week, place.day_of_week, place.first_section, place.last_section)
        stands = (row.week, row.day_of_week, row.first_section, row.last_section)
        assert not row.live or at == stands or row.week <= 2, row.id


async def _live(person: Person) -> list[blocks.ScheduledBlock]:
    async with person.backend.db.snapshot() as tx:
        return [rows.scheduled(row._mapping) for row in await tx.all(_LIVE, user=person.id)]
