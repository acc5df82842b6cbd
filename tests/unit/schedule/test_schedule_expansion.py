"""From courses and overrides to the blocks that stand."""

from dataclasses import replace
from datetime import date

from hypothesis import given
from hypothesis import strategies as st

from libs.planning.calendar import Override, TaughtDays
from libs.planning.grid import Place
from services.schedule.domain import expansion
from services.schedule.domain.block import ScheduledBlock
from services.schedule.domain.expansion import Meeting, MeetingWrites, Stated
from services.schedule.domain.timetable.rows import CourseRow
from tests.unit.schedule.schedule_samples import AUTUMN, at, meeting, work

PLAIN = TaughtDays(AUTUMN)
SATURDAY = Override(date(2026, 10, 10), (4, 2), 1)
HOLIDAY = Override(date(2026, 9, 29), None, 1)


def _row(day: int = 2, weeks: tuple[int, ...] = (4, 5), name: str = "高等数学") -> CourseRow:
    return CourseRow(
        line=1,
        name=name,
        teacher="王老师",
        room="A101",
        campus="主校区",
        day_of_week=day,
        first=1,
        last=2,
        weeks=weeks,
    )


COURSE = Stated(1, _row())
PLACED = (meeting(14, 1, at(4, 2, 1, 2)), meeting(15, 1, at(5, 2, 1, 2)))


def _guest(event_id: int, host_id: int, place: Place) -> ScheduledBlock:
    found = work(event_id, 9, place)
    return replace(found, block=replace(found.block, host_id=host_id))


def _replan(
    placed: tuple[ScheduledBlock, ...] = PLACED,
    *,
    before: TaughtDays = PLAIN,
    after: TaughtDays = PLAIN,
    stated: tuple[Stated, ...] = (COURSE,),
    absent: expansion.RunAbsences = frozenset(),
) -> MeetingWrites:
    return expansion.plan(stated, placed, before=before, after=after, absent=absent)


def test_a_calendar_that_stays_changes_nothing() -> None:
    assert _replan().changes_nothing


def test_a_holiday_takes_its_meeting_away() -> None:
    found = _replan(after=TaughtDays(AUTUMN, [HOLIDAY]))
    assert (found.removed, found.new) == ((14,), ())


def test_a_saturday_that_runs_a_tuesday_gets_its_meetings() -> None:
    found = _replan(after=TaughtDays(AUTUMN, [SATURDAY]))
    assert found.removed == ()
    assert found.new == (Meeting(1, COURSE.row, 5, 6),)
    assert expansion.place_of(found.new[0], 7) == at(5, 6, 1, 2)


def test_a_saturday_loses_its_own_meetings_to_those_it_runs() -> None:
    own = Stated(2, _row(day=6, weeks=(5,)))
    placed = (*PLACED, meeting(25, 2, at(5, 6, 1, 2)))
    found = _replan(placed, after=TaughtDays(AUTUMN, [SATURDAY]), stated=(COURSE, own))
    assert found.removed == (25,)
    assert [one.course_id for one in found.new] == [1]
    assert expansion.collisions(found, placed, 7) == ()


def test_a_deleted_override_gives_the_date_its_own_meetings_back() -> None:
    shifted = TaughtDays(AUTUMN, [HOLIDAY, SATURDAY])
    placed = (meeting(40, 1, at(5, 6, 1, 2)), meeting(15, 1, at(5, 2, 1, 2)))
    assert _replan(placed, before=shifted, after=shifted).changes_nothing
    found = _replan(placed, before=shifted, after=PLAIN)
    assert found.removed == (40,)
    assert [expansion.place_of(one, 7) for one in found.new] == [at(4, 2, 1, 2)]


def test_a_meeting_keeps_its_id_when_its_course_moves() -> None:
    moved = Stated(1, _row(day=3))
    found = _replan(stated=(moved,))
    assert found.moved == (14, 15)
    assert (found.removed, found.new) == ((), ())


def test_a_meeting_on_an_overridden_date_keeps_its_id_when_the_name_changes() -> None:
    days = TaughtDays(AUTUMN, [HOLIDAY, SATURDAY])
    placed = (meeting(40, 1, at(5, 6, 1, 2)), meeting(15, 1, at(5, 2, 1, 2)))
    renamed = Stated(1, _row(name="高等数学A"))
    found = _replan(placed, before=days, after=days, stated=(renamed,))
    assert sorted(id_ for id_, _ in found.kept) == [15, 40]
    assert (found.removed, found.moved, found.new) == ((), (), ())


def test_weeks_that_are_away_stay_away_on_their_own_day_alone() -> None:
    away = Stated(1, _row(), away=frozenset({4}))
    found = _replan(PLACED[1:], after=TaughtDays(AUTUMN, [SATURDAY]), stated=(away,))
    assert [expansion.place_of(one, 7) for one in found.new] == [at(5, 6, 1, 2)]


def test_a_meeting_deleted_from_an_overridden_date_stays_away_there_alone() -> None:
    days = TaughtDays(AUTUMN, [SATURDAY])
    found = _replan(before=days, after=days, absent=frozenset({(1, 5, 6)}))
    assert found.changes_nothing


def test_an_open_course_has_open_meetings() -> None:
    opened = Stated(1, _row(weeks=(4, 5, 6)), can_be_embedded=True)
    (new,) = _replan(stated=(opened,)).new
    assert expansion.blocks([(50, new)], AUTUMN)[0].can_be_embedded


def test_guests_leave_with_their_host_and_are_named() -> None:
    guest = _guest(60, 14, at(4, 2, 1))
    found = _replan((*PLACED, guest), after=TaughtDays(AUTUMN, [HOLIDAY]))
    assert found.removed == (14, 60)
    assert found.unhosted == (guest,)


def test_a_guest_stays_in_a_host_that_still_holds_it() -> None:
    guest = _guest(60, 14, at(4, 2, 1))
    found = _replan((*PLACED, guest), stated=(Stated(1, _row(name="高等数学A")),))
    assert (found.removed, found.unhosted) == ((), ())


def test_a_guest_is_lost_where_its_host_moves_away_from_it() -> None:
    guest = _guest(60, 14, at(4, 2, 1))
    found = _replan((*PLACED, guest), stated=(Stated(1, _row(day=3)),))
    assert found.unhosted == (guest,)
    assert found.removed == (60,)


def test_work_in_the_way_of_a_class_is_found() -> None:
    there = work(70, 9, at(5, 6, 2, 3))
    elsewhere = work(71, 9, at(5, 6, 3, 4))
    placed = (*PLACED, there)
    after = TaughtDays(AUTUMN, [SATURDAY])
    found = _replan(placed, after=after)
    assert expansion.collisions(found, placed, 7) == (there,)
    placed = (*PLACED, elsewhere)
    assert expansion.collisions(_replan(placed, after=after), placed, 7) == ()


DAYS = [(week, day) for week in range(1, 7) for day in range(1, 8)]
OVERRIDES = st.dictionaries(
    st.sampled_from(DAYS), st.none() | st.sampled_from(DAYS), max_size=6
).map(lambda found: [Override(AUTUMN.date_of(*on), runs, 1) for on, runs in found.items()])
WEEKS = st.sets(st.integers(1, 6), min_size=1).map(lambda found: tuple(sorted(found)))
COURSES = st.dictionaries(st.integers(1, 3), st.tuples(st.integers(1, 7), WEEKS), min_size=1)


def _expected(courses: dict[int, Stated], days: TaughtDays) -> list[tuple[int, Place]]:
    return sorted(
        (course_id, at(week, day, 1, 2))
        for week, day in DAYS
        if (taught := days.taught_on(week, day)) is not None
        for course_id, one in courses.items()
        if one.row.day_of_week == taught[1] and taught[0] in one.row.weeks
    )


@given(drawn=COURSES, first=OVERRIDES, second=OVERRIDES)
def test_from_any_calendar_to_any_other_every_class_stands_where_it_is_held(
    drawn: dict[int, tuple[int, tuple[int, ...]]], first: list[Override], second: list[Override]
) -> None:
    courses = {id_: Stated(id_, _row(day, weeks)) for id_, (day, weeks) in drawn.items()}
    before, after = TaughtDays(AUTUMN, first), TaughtDays(AUTUMN, second)
    empty = expansion.plan(courses.values(), (), before=PLAIN, after=before)
    placed = tuple(
        meeting(100 + n, one.course_id, expansion.place_of(one, 7))
        for n, one in enumerate(empty.new)
    )
    assert sorted((one.course_id or 0, one.block.place) for one in placed) == _expected(
        courses, before
    )
    found = expansion.plan(courses.values(), placed, before=before, after=after)
    assert found.kept == ()
    standing = [
        (one.course_id or 0, one.block.place) for one in placed if one.block.id not in found.removed
    ]
    standing += [(one.course_id, expansion.place_of(one, 7)) for one in found.new]
    assert sorted(standing) == _expected(courses, after)
