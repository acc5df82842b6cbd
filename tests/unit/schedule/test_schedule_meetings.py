"""From a difference of courses to the blocks that are written."""

from hypothesis import given
from hypothesis import strategies as st

from libs.planning.grid import Place
from services.schedule.domain import meetings
from services.schedule.domain.meetings import Meeting, MeetingWrites
from services.schedule.domain.timetable import diff as diffs
from services.schedule.domain.timetable.diff import TimetableDiff
from services.schedule.domain.timetable.matching import StoredCourse
from services.schedule.domain.timetable.rows import CourseRow
from services.schedule.domain.timetable.seating import Block
from tests.unit.schedule.schedule_samples import AUTUMN, at, meeting, work


def _row(name: str = "高等数学", **others: object) -> CourseRow:
    values = {
        "line": 1,
        "name": name,
        "teacher": "王老师",
        "room": "A101",
        "campus": "主校区",
        "day_of_week": 1,
        "first": 1,
        "last": 2,
        "weeks": (1, 2, 3),
    } | others
    return CourseRow(**values)  # type: ignore[arg-type]


def _stored(course_id: int, row: CourseRow) -> StoredCourse:
    return StoredCourse(
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


def _diff(stored: CourseRow, *rows: CourseRow) -> TimetableDiff:
    return diffs.diff([_stored(1, stored)], rows, taken={})


PLACED = tuple(meeting(10 + week, 1, at(week, 1, 1, 2)) for week in (1, 2, 3))


def _writes(difference: TimetableDiff, added_ids: tuple[int, ...] = ()) -> MeetingWrites:
    return meetings.writes(
        difference, (*PLACED, work(50, 1, at(1, 5, 1))), semester_id=7, added_ids=added_ids
    )


def test_a_new_course_gets_a_meeting_a_week() -> None:
    row = _row("体育", line=2, day_of_week=3)
    found = _writes(_diff(_row(), _row(), row), (2,))
    assert found == MeetingWrites((), (), (), tuple(Meeting(2, row, week) for week in (1, 2, 3)))


def test_a_new_name_rewrites_every_meeting_and_moves_none() -> None:
    row = _row("高等数学A")
    found = _writes(_diff(_row(), row))
    assert found == MeetingWrites(
        (), tuple((10 + week, Meeting(1, row, week)) for week in (1, 2, 3)), (), ()
    )


def test_other_weeks_touch_only_the_weeks_that_differ() -> None:
    row = _row(weeks=(2, 3, 4))
    found = _writes(_diff(_row(), row))
    assert found == MeetingWrites((11,), (), (), (Meeting(1, row, 4),))


def test_a_move_keeps_the_blocks() -> None:
    row = _row(day_of_week=2)
    found = _writes(_diff(_row(), row))
    assert found.moved == (11, 12, 13)
    assert [id_ for id_, _ in found.kept] == [11, 12, 13]
    assert (found.removed, found.new) == ((), ())


def test_a_removed_course_leaves_in_all_its_weeks() -> None:
    row = _row("体育", day_of_week=3, weeks=(7,))
    found = _writes(_diff(_row(), row), (2,))
    assert found.removed == (11, 12, 13)


def test_guests_that_lose_their_host_leave_too() -> None:
    difference = diffs.diff(
        [_stored(1, _row())], [], taken={(1, 1, 1): Block(id=60, name="作业", host_id=1)}
    )
    assert _writes(difference).removed == (11, 12, 13, 60)


def test_blocks_carry_campus_room_teacher_and_instants() -> None:
    bare = _row(campus="", room="")
    one, other = meetings.blocks([(10, Meeting(1, _row(), 3)), (11, Meeting(2, bare, 4))], AUTUMN)
    assert (one.id, one.course_id, one.place) == (10, 1, at(3, 1, 1, 2))
    assert (one.location, one.teacher, other.location) == ("主校区 A101", "王老师", "")
    assert one.starts_at == AUTUMN.starts_at(3, 1, 1)
    assert one.ends_at == AUTUMN.ends_at(3, 1, 2)


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


@given(before=st.lists(ROWS, max_size=4), after=st.lists(ROWS, max_size=4))
def test_after_the_writes_every_course_stands_in_exactly_its_weeks(
    before: list[CourseRow], after: list[CourseRow]
) -> None:
    lined = [_row(row.name, **_fields(row), line=n + 1) for n, row in enumerate(before)]
    first = diffs.diff([], lined, taken={})
    stored = [_stored(n + 1, row) for n, row in enumerate(first.added)]
    placed = [
        meeting(100 * course.id + week, course.id, _place(course, week), name=course.name)
        for course in stored
        for week in course.weeks
    ]
    lined = [_row(row.name, **_fields(row), line=n + 1) for n, row in enumerate(after)]
    second = diffs.diff(stored, lined, taken={})
    ids = tuple(range(50, 50 + len(second.added)))
    found = meetings.writes(second, placed, semester_id=7, added_ids=ids)
    standing = {one.block.id: one.block.place for one in placed}
    for id_ in found.removed:
        del standing[id_]
    for id_, kept in found.kept:
        assert (standing[id_] != meetings.place_of(kept, 7)) == (id_ in found.moved)
        standing[id_] = meetings.place_of(kept, 7)
    places = [*standing.values(), *(meetings.place_of(one, 7) for one in found.new)]
    courses: list[StoredCourse | CourseRow] = [*second.unchanged, *second.kept, *second.added]
    courses += [change.row for change in second.changed]
    assert sorted(places) == sorted(
        _place(course, week) for course in courses for week in course.weeks
    )
    cells = [cell for place in places for cell in place.cells]
    assert len(cells) == len(set(cells))


def _fields(row: CourseRow) -> dict[str, object]:
    return {
        "day_of_week": row.day_of_week,
        "first": row.first,
        "last": row.last,
        "weeks": row.weeks,
    }


def _place(course: StoredCourse | CourseRow, week: int) -> Place:
    return at(week, course.day_of_week, course.first, course.last)
