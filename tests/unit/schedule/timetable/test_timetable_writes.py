"""From a difference of courses to the blocks that are written, overrides applied."""

from dataclasses import replace
from datetime import date
from typing import Any

from hypothesis import given
from hypothesis import strategies as st

from libs.planning.calendar import Override, TaughtDays
from libs.planning.grid import Place
from services.schedule.domain import expansion
from services.schedule.domain.block import ScheduledBlock
from services.schedule.domain.expansion import MeetingWrites
from services.schedule.domain.timetable import diff as diffs
from services.schedule.domain.timetable import seating, writes
from services.schedule.domain.timetable.diff import TimetableDiff
from services.schedule.domain.timetable.matching import StoredCourse
from services.schedule.domain.timetable.rows import CourseRow
from services.schedule.domain.timetable.seating import Block
from tests.unit.schedule.schedule_samples import AUTUMN, at, meeting, work

PLAIN = TaughtDays(AUTUMN)
# Saturday of week 5 runs the Tuesday of week 4; the Tuesday of week 4 is free.
MOVED = TaughtDays(
    AUTUMN, [Override(date(2026, 10, 10), (4, 2), 1), Override(date(2026, 9, 29), None, 1)]
)


def _row(name: str = "高等数学", **others: Any) -> CourseRow:
    values: dict[str, Any] = {
        "line": 1,
        "name": name,
        "teacher": "王老师",
        "room": "A101",
        "campus": "主校区",
        "day_of_week": 1,
        "first": 1,
        "last": 2,
        "weeks": (1, 2, 3),
    }
    return CourseRow(**(values | others))


def _stored(course_id: int, row: CourseRow, **others: Any) -> StoredCourse:
    made = StoredCourse(
        id=course_id,
        name=row.name,
        teacher=row.teacher,
        room=row.room,
        campus=row.campus,
        day_of_week=row.day_of_week,
        first=row.first,
        last=row.last,
        weeks=row.weeks,
        can_be_embedded=False,
    )
    return replace(made, **others)


def _diff(stored: CourseRow, *rows: CourseRow) -> TimetableDiff:
    return diffs.diff([_stored(1, stored)], rows, days=PLAIN, taken={})


PLACED = tuple(meeting(10 + week, 1, at(week, 1, 1, 2)) for week in (1, 2, 3))


def _writes(difference: TimetableDiff, *added_ids: int) -> MeetingWrites:
    placed = (*PLACED, work(50, 1, at(1, 5, 1)))
    return writes.plan(difference, placed, days=PLAIN, added_ids=added_ids)


def _new(found: MeetingWrites) -> list[tuple[int, int, int]]:
    return [(one.course_id, one.week, one.day) for one in found.new]


def test_a_new_course_gets_a_meeting_a_week() -> None:
    row = _row("体育", line=2, day_of_week=3)
    found = _writes(_diff(_row(), _row(), row), 2)
    assert _new(found) == [(2, week, 3) for week in (1, 2, 3)]
    assert (found.removed, found.kept, found.moved) == ((), (), ())


def test_a_new_name_rewrites_every_meeting_and_moves_none() -> None:
    found = _writes(_diff(_row(), _row("高等数学A")))
    assert [id_ for id_, _ in found.kept] == [11, 12, 13]
    assert (found.removed, found.moved, found.new) == ((), (), ())


def test_other_weeks_touch_only_the_weeks_that_differ() -> None:
    found = _writes(_diff(_row(), _row(weeks=(2, 3, 4))))
    assert (found.removed, found.kept, _new(found)) == ((11,), (), [(1, 4, 1)])


def test_a_move_keeps_the_blocks() -> None:
    found = _writes(_diff(_row(), _row(day_of_week=2)))
    assert found.moved == (11, 12, 13)
    assert (found.removed, found.new) == ((), ())


def test_a_removed_course_leaves_in_all_its_weeks() -> None:
    row = _row("体育", day_of_week=3, weeks=(7,))
    assert _writes(_diff(_row(), row), 2).removed == (11, 12, 13)


def test_guests_that_lose_their_host_leave_too() -> None:
    taken = {(1, 1, 1): Block(id=60, name="作业", host_id=1)}
    difference = diffs.diff([_stored(1, _row())], [], days=PLAIN, taken=taken)
    assert _writes(difference).removed == (11, 12, 13, 60)


def test_blocks_that_give_way_leave() -> None:
    block = Block(id=60, name="作业", cells=((2, 3, 1), (2, 3, 2)))
    row = _row("体育", line=2, day_of_week=3)
    taken = dict.fromkeys(block.cells, block)
    for chosen, removed, weeks in (((), (), [1, 3]), ((60,), (60,), [1, 2, 3])):
        difference = diffs.diff(
            [_stored(1, _row())], [_row(), row], days=PLAIN, taken=taken, displaced=chosen
        )
        found = _writes(difference, 2)
        assert found.removed == removed
        assert [one.week for one in found.new] == weeks


def test_a_meeting_that_was_deleted_stays_away_and_a_skipped_one_comes_back() -> None:
    course = _stored(1, _row(), absent=((2, 0),), skipped=((3, 0),))
    difference = diffs.diff([course], [_row(day_of_week=2)], days=PLAIN, taken={})
    found = writes.plan(difference, PLACED[:1], days=PLAIN, added_ids=())
    assert [id_ for id_, _ in found.kept] == [11]
    assert _new(found) == [(1, 3, 2)]


def test_new_meetings_of_an_open_course_are_open() -> None:
    course = _stored(1, _row(), can_be_embedded=True)
    difference = diffs.diff([course], [_row(weeks=(1, 2, 3, 4))], days=PLAIN, taken={})
    found = writes.plan(difference, PLACED, days=PLAIN, added_ids=())
    assert [one.can_be_embedded for one in found.new] == [True]


def test_overrides_hold_a_new_course_where_the_calendar_says() -> None:
    row = _row("体育", day_of_week=2, weeks=(3, 4))
    difference = diffs.diff([], [row], days=MOVED, taken={})
    found = writes.plan(difference, (), days=MOVED, added_ids=(2,))
    assert sorted(_new(found)) == [(2, 3, 2), (2, 5, 6)]


def test_work_on_a_day_that_runs_another_one_stops_that_meeting_alone() -> None:
    block = Block(id=60, name="作业", cells=((5, 6, 1),))
    row = _row("体育", day_of_week=2, weeks=(3, 4))
    taken = {(5, 6, 1): block}
    difference = diffs.diff([], [row], days=MOVED, taken=taken)
    assert [one.cells for one in difference.conflicts] == [((5, 6, 1),)]
    assert difference.added[0].skipped == ((5, 6),)
    assert _new(writes.plan(difference, (), days=MOVED, added_ids=(2,))) == [(2, 3, 2)]
    chosen = diffs.diff([], [row], days=MOVED, taken=taken, displaced=[60])
    found = writes.plan(chosen, (), days=MOVED, added_ids=(2,))
    assert (found.removed, sorted(_new(found))) == ((60,), [(2, 3, 2), (2, 5, 6)])


def test_work_on_a_day_without_classes_is_in_nobodys_way() -> None:
    block = Block(id=60, name="作业", cells=((4, 2, 1),))
    row = _row("体育", day_of_week=2, weeks=(4,))
    difference = diffs.diff([], [row], days=MOVED, taken={(4, 2, 1): block})
    assert difference.conflicts == ()


def test_a_skipped_meeting_whose_day_is_free_by_now_changes_nothing() -> None:
    row = _row("体育", day_of_week=2, weeks=(3, 4))
    course = _stored(1, row, skipped=((4, 0),))
    assert diffs.diff([course], [row], days=MOVED, taken={}).changes_nothing
    again = diffs.diff([course], [row], days=PLAIN, taken={})
    assert again.changed[0].skipped == ()


WEEKS = st.sets(st.integers(1, 20), min_size=1, max_size=6).map(lambda found: tuple(sorted(found)))
ROWS = st.builds(
    lambda name, day, first, weeks: _row(
        name, day_of_week=day, first=first, last=first + 1, weeks=weeks
    ),
    st.sampled_from(("甲", "乙", "丙")),
    st.integers(1, 3),
    st.integers(1, 4),
    WEEKS,
)
CALENDARS = st.sampled_from((PLAIN, MOVED))


def _lined(rows: list[CourseRow]) -> list[CourseRow]:
    return [replace(row, line=line) for line, row in enumerate(rows, start=1)]


def _standing(courses: list[StoredCourse], days: TaughtDays) -> tuple[ScheduledBlock, ...]:
    made = expansion.plan(
        [expansion.Stated(one.id, one) for one in courses], (), before=days, after=days
    )
    return tuple(
        meeting(100 + n, one.course_id, expansion.place_of(one, 7), name=one.row.name)
        for n, one in enumerate(made.new)
    )


@given(before=st.lists(ROWS, max_size=4), after=st.lists(ROWS, max_size=4), days=CALENDARS)
def test_after_the_writes_every_course_stands_exactly_where_it_is_held(
    before: list[CourseRow], after: list[CourseRow], days: TaughtDays
) -> None:
    first = diffs.diff([], _lined(before), days=days, taken={})
    stored = [_stored(n + 1, one.row) for n, one in enumerate(first.added)]
    placed = _standing(stored, days)
    second = diffs.diff(stored, _lined(after), days=days, taken={})
    ids = tuple(range(50, 50 + len(second.added)))
    found = writes.plan(second, placed, days=days, added_ids=ids)
    standing = {one.block.id: one.block.place for one in placed}
    for id_ in found.removed:
        del standing[id_]
    for id_, kept in found.kept:
        assert (standing[id_] != expansion.place_of(kept, 7)) == (id_ in found.moved)
        standing[id_] = expansion.place_of(kept, 7)
    places: list[Place] = [*standing.values()]
    places += [expansion.place_of(one, 7) for one in found.new]
    courses: list[StoredCourse | CourseRow] = [*second.unchanged, *second.kept]
    courses += [one.row for one in (*second.added, *second.changed)]
    cells = sorted((c.week, c.day, c.section) for place in places for c in place.cells)
    assert cells == sorted(cell for course in courses for cell in seating.held(course, days))
    assert len(cells) == len(set(cells))
