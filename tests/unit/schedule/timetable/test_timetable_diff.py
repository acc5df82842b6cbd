"""What a file changes: identity of courses, and cells that two want."""

import random
from collections import Counter
from collections.abc import Collection, Iterable, Sequence
from dataclasses import replace
from typing import Any

import pytest
from hypothesis import assume, given
from hypothesis import strategies as st

from libs.planning.calendar import TaughtDays
from services.schedule.domain.timetable import diff, matching, report, seating
from services.schedule.domain.timetable.diff import TimetableDiff
from services.schedule.domain.timetable.matching import StoredCourse
from services.schedule.domain.timetable.problems import RowProblem
from services.schedule.domain.timetable.rows import CourseRow, Form, ParsedTimetable
from services.schedule.domain.timetable.seating import Block, Cell
from tests.unit.schedule.schedule_samples import AUTUMN

PLAIN = TaughtDays(AUTUMN)
ALL_WEEKS = tuple(range(1, 17))
ODD = tuple(range(1, 17, 2))
EVEN = tuple(range(2, 17, 2))


def row(line: int = 1, name: str = "高等数学", **fields: Any) -> CourseRow:
    plain = CourseRow(
        line=line,
        name=name,
        teacher="教师甲",
        room="3201",
        campus="",
        day_of_week=1,
        first=1,
        last=2,
        weeks=ALL_WEEKS,
    )
    return replace(plain, **fields)


def stored(
    course_id: int = 1,
    name: str = "高等数学",
    *,
    absent: tuple[int, ...] = (),
    skipped: tuple[int, ...] = (),
    **fields: Any,
) -> StoredCourse:
    made = store(row(1, name, **fields), course_id)
    return replace(made, absent=on_own_day(absent), skipped=on_own_day(skipped))


def on_own_day(weeks: Iterable[int]) -> tuple[tuple[int, int], ...]:
    """Meetings that are away, by week."""
    return tuple((week, 0) for week in weeks)


def store(source: CourseRow, course_id: int) -> StoredCourse:
    return StoredCourse(
        id=course_id,
        name=source.name,
        teacher=source.teacher,
        room=source.room,
        campus=source.campus,
        day_of_week=source.day_of_week,
        first=source.first,
        last=source.last,
        weeks=source.weeks,
        can_be_embedded=course_id % 2 == 0,
    )


def problem(name: str | None) -> RowProblem:
    return RowProblem(
        line=99,
        raw="{}",
        name=name,
        field="zcd",
        value="",
        position=None,
        reason="missing",
        message_zh="缺少周次。",
        message_en="The week list is missing.",
        expected="1-16周(单),18周",
    )


def block_at(block: Block, week: int, day: int, sections: Iterable[int]) -> dict[Cell, Block]:
    return {(week, day, section): block for section in sections}


def compare(
    existing: Sequence[StoredCourse],
    rows: Sequence[CourseRow],
    *,
    taken: dict[Cell, Block] | None = None,
    not_understood: Sequence[RowProblem] = (),
    displaced: Collection[int] = (),
) -> TimetableDiff:
    return diff.diff(
        existing,
        rows,
        days=PLAIN,
        taken=taken or {},
        not_understood=not_understood,
        displaced=displaced,
    )


def kinds(found: TimetableDiff) -> dict[str, list[int]]:
    """Lines of rows and ids of courses, by what becomes of them; empty kinds left out."""
    by_kind = {
        "added": [one.row.line for one in found.added],
        "changed": [change.course.id for change in found.changed],
        "removed": [course.id for course in found.removed],
        "unchanged": [course.id for course in found.unchanged],
        "kept": [course.id for course in found.kept],
        "refused": [one.line for one in found.refused],
    }
    return {kind: entries for kind, entries in by_kind.items() if entries}


def test_the_first_import_adds_everything() -> None:
    rows = [row(1), row(2, "数据结构", day_of_week=7)]
    assert kinds(compare([], rows)) == {"added": [1, 2]}


def test_the_same_file_again_changes_nothing() -> None:
    rows = [row(1), row(2, weeks=(17, 18)), row(3, "数据结构", day_of_week=7)]
    existing = [store(one, course_id) for course_id, one in enumerate(rows, start=5)]
    assert kinds(compare(existing, rows)) == {"unchanged": [5, 6, 7]}


@pytest.mark.parametrize(
    ("fields", "named", "moves"),
    [
        ({"name": "高等数学A"}, ("name",), False),
        ({"room": "A101"}, ("room",), False),
        ({"teacher": "教师乙", "campus": "南湖"}, ("teacher", "campus"), False),
        ({"name": "高数", "teacher": "教师乙", "room": ""}, ("name", "teacher", "room"), False),
        ({"weeks": ODD}, ("weeks",), True),
        ({"weeks": (17, 18)}, ("weeks",), True),
        ({"last": 3}, ("sections",), True),
        ({"first": 2, "weeks": ODD}, ("sections", "weeks"), True),
        ({"day_of_week": 3, "first": 7, "last": 8}, ("day_of_week", "sections"), True),
    ],
)
def test_a_changed_course_keeps_its_id(
    fields: dict[str, Any], named: tuple[str, ...], moves: bool
) -> None:
    found = compare([stored(4)], [row(2, **fields)])
    assert kinds(found) == {"changed": [4]}
    assert found.changed[0].fields == named
    assert found.changed[0].moves is moves


@pytest.mark.parametrize(
    "fields",
    [
        {"name": "概率论", "weeks": ODD},
        {"name": "概率论", "first": 2},
        {"day_of_week": 2, "weeks": (17,)},
        {"first": 3, "last": 4, "weeks": (17,)},
    ],
)
def test_a_course_without_anything_in_common_is_another_one(fields: dict[str, Any]) -> None:
    assert kinds(compare([stored(4)], [row(2, **fields)])) == {"added": [2], "removed": [4]}


def test_a_rename_disturbs_nothing_that_is_placed() -> None:
    guest = Block(id=8, name="复习", host_id=4)
    found = compare([stored(4)], [row(1, "高数")], taken=block_at(guest, 3, 1, [1, 2]))
    assert kinds(found) == {"changed": [4]}
    assert found.conflicts == ()
    assert found.unhosted == ()


def test_an_exact_match_goes_before_a_near_one() -> None:
    existing = [stored(1, room="A"), stored(2, room="B", weeks=(17, 18))]
    rows = [row(1, room="B", weeks=(17, 18)), row(2, room="C")]
    assert kinds(compare(existing, rows)) == {"changed": [1], "unchanged": [2]}


def test_the_same_time_goes_before_the_same_name() -> None:
    existing = [stored(1, "线性代数"), stored(2, "概率论", day_of_week=2)]
    rows = [row(1, "概率论"), row(2, "线性代数", day_of_week=2)]
    found = compare(existing, rows)
    assert [(change.course.id, change.row.line) for change in found.changed] == [(1, 1), (2, 2)]
    assert not any(change.moves for change in found.changed)


def test_among_equal_pairs_more_shared_weeks_go_first() -> None:
    existing = [stored(1, weeks=(9, 10)), stored(2, weeks=(1, 2))]
    rows = [row(1, weeks=(9, 10, 11)), row(2, weeks=(1, 2, 3))]
    found = compare(existing, rows)
    assert [(change.course.id, change.row.line) for change in found.changed] == [(1, 1), (2, 2)]


def test_a_shift_by_one_section_goes_before_another_day() -> None:
    rows = [row(1, day_of_week=2), row(2, first=2, last=3, weeks=ODD)]
    found = compare([stored(4)], rows)
    assert kinds(found) == {"added": [1], "changed": [4]}
    assert found.changed[0].row.line == 2


def test_one_course_in_two_rooms_in_turn_is_matched_room_by_room() -> None:
    existing = [stored(1, room="A", weeks=ODD), stored(2, room="B", weeks=EVEN)]
    rows = [row(1, room="B", weeks=EVEN), row(2, room="A", weeks=ODD)]
    assert kinds(compare(existing, rows)) == {"unchanged": [1, 2]}


def test_of_equal_stored_courses_the_first_is_the_one() -> None:
    assert kinds(compare([stored(9), stored(3)], [row()])) == {"unchanged": [3], "removed": [9]}


def test_odd_and_even_weeks_share_no_cell() -> None:
    rows = [
        row(1, "X", day_of_week=4, weeks=ODD),
        row(2, "Y", day_of_week=4, weeks=EVEN),
    ]
    found = compare([], rows)
    assert kinds(found) == {"added": [1, 2]}
    assert found.conflicts == ()


def test_two_rows_in_one_cell_name_each_other_and_the_earlier_line_stays() -> None:
    found = compare([], [row(3, "概率论", first=2, last=3, weeks=(5, 6)), row(1)])
    assert kinds(found) == {"added": [1], "refused": [3]}
    (conflict,) = found.conflicts
    assert (conflict.line, conflict.name) == (3, "概率论")
    assert (conflict.other, conflict.other_id, conflict.other_name) == ("row", 1, "高等数学")
    assert conflict.cells == ((5, 1, 2), (6, 1, 2))


def test_one_class_in_two_rooms_at_once_is_told_and_not_merged() -> None:
    rows = [row(1, room="A101"), row(2, room="B202")]
    found = compare([], rows)
    assert kinds(found) == {"added": [1], "refused": [2]}
    again = compare([store(rows[0], 1)], rows)
    assert kinds(again) == {"unchanged": [1], "refused": [2]}
    assert again.conflicts == found.conflicts


def test_a_refused_row_is_not_in_the_way_of_others() -> None:
    rows = [row(1, last=3, weeks=(12, 13)), row(2, "概率论", weeks=(12,)), row(3, "体育", first=3)]
    found = compare([stored(4, "线性代数", weeks=(13,))], [*rows, row(4, "线性代数", weeks=(13,))])
    assert kinds(found) == {"added": [2, 3], "refused": [1], "unchanged": [4]}


def test_a_meeting_gives_way_to_a_block_of_work_and_the_others_are_written() -> None:
    task = Block(id=7, name="拓扑排序")
    found = compare([], [row(1)], taken=block_at(task, 13, 1, [2, 3]))
    assert kinds(found) == {"added": [1]}
    assert found.added[0].skipped == ((13, 0),)
    (conflict,) = found.conflicts
    assert (conflict.other, conflict.other_id, conflict.other_name) == ("task", 7, "拓扑排序")
    assert conflict.cells == ((13, 1, 2),)
    assert conflict.can_give_way
    assert found.displaced == ()


def test_a_block_of_work_gives_way_where_that_was_chosen() -> None:
    task, other = Block(id=7, name="拓扑排序"), Block(id=8, name="写报告")
    taken = block_at(task, 13, 1, [2, 3]) | block_at(other, 14, 1, [1])
    found = compare([], [row(1)], taken=taken, displaced=[7])
    assert found.added[0].skipped == ((14, 0),)
    assert found.displaced == (task,)
    assert found.conflicts == compare([], [row(1)], taken=taken).conflicts


def test_what_has_begun_stays_whatever_was_chosen() -> None:
    task = Block(id=7, name="拓扑排序", has_begun=True)
    found = compare([], [row(1)], taken=block_at(task, 13, 1, [2]), displaced=[7])
    assert found.added[0].skipped == ((13, 0),)
    assert found.displaced == ()
    assert not found.conflicts[0].can_give_way


def test_a_block_stays_when_another_one_stops_the_same_meeting() -> None:
    task, other = Block(id=7, name="拓扑排序"), Block(id=8, name="写报告")
    taken = block_at(task, 13, 1, [1]) | block_at(other, 13, 1, [2])
    found = compare([], [row(1)], taken=taken, displaced=[7])
    assert found.added[0].skipped == ((13, 0),)
    assert found.displaced == ()
    found = compare([], [row(1)], taken=taken, displaced=[7, 8])
    assert found.added[0].skipped == ()
    assert found.displaced == (task, other)


def test_one_block_may_give_way_to_two_courses() -> None:
    task = Block(id=7, name="拓扑排序")
    rows = [row(1), row(2, "概率论", first=3, last=4)]
    taken = block_at(task, 13, 1, [2, 3])
    found = compare([], rows, taken=taken, displaced=[7])
    assert [one.skipped for one in found.added] == [(), ()]
    assert found.displaced == (task,)
    assert [conflict.line for conflict in found.conflicts] == [1, 2]


def test_a_course_of_one_meeting_that_gives_way_is_written_without_it() -> None:
    task = Block(id=7, name="拓扑排序")
    found = compare([], [row(1, weeks=(13,))], taken=block_at(task, 13, 1, [1]))
    assert (kinds(found), found.added[0].skipped) == ({"added": [1]}, ((13, 0),))


def test_a_choice_of_what_is_in_nobodys_way_changes_nothing() -> None:
    task = Block(id=7, name="拓扑排序")
    taken = block_at(task, 13, 5, [1])
    assert compare([], [row(1)], taken=taken, displaced=[7, 99]) == compare(
        [], [row(1)], taken=taken
    )


def test_a_skipped_meeting_is_told_again_and_changes_nothing() -> None:
    task = Block(id=7, name="拓扑排序")
    found = compare([stored(4, skipped=(13,))], [row(1)], taken=block_at(task, 13, 1, [2]))
    assert kinds(found) == {"unchanged": [4]}
    assert [conflict.was_skipped for conflict in found.conflicts] == [True]
    assert found.changes_nothing


def test_a_skipped_meeting_comes_back_once_nothing_is_in_its_way() -> None:
    found = compare([stored(4, skipped=(13,))], [row(1)])
    assert kinds(found) == {"changed": [4]}
    (change,) = found.changed
    assert (change.fields, change.skipped) == (("weeks",), ())
    task = Block(id=7, name="拓扑排序")
    found = compare(
        [stored(4, skipped=(13,))], [row(1)], taken=block_at(task, 13, 1, [2]), displaced=[7]
    )
    assert found.changed[0].fields == ("weeks",)
    assert found.displaced == (task,)


def test_a_deleted_meeting_stays_away_and_is_in_nobodys_way() -> None:
    task = Block(id=7, name="拓扑排序")
    found = compare([stored(4, absent=(13,))], [row(1)], taken=block_at(task, 13, 1, [2]))
    assert (kinds(found), found.conflicts) == ({"unchanged": [4]}, ())
    found = compare([stored(4, absent=(13,))], [row(1, day_of_week=2)])
    assert found.changed[0].away == {(13, 0)}


def test_a_refused_row_names_everything_that_is_in_its_way() -> None:
    rows = [row(1, weeks=(1, 2)), row(2, "体育", weeks=(3,)), row(3, "概率论")]
    found = compare([], rows)
    assert [(conflict.other, conflict.other_id) for conflict in found.conflicts] == [
        ("row", 1),
        ("row", 2),
    ]


def test_a_stored_course_keeps_its_cells_against_an_earlier_line() -> None:
    found = compare([stored(4)], [row(1, "概率论", last=3), row(2)])
    assert kinds(found) == {"unchanged": [4], "refused": [1]}


def test_a_rename_keeps_its_cells_against_a_move_on_an_earlier_line() -> None:
    existing = [stored(1, "概率论", day_of_week=2), stored(2)]
    rows = [row(1, "概率论", last=3), row(2, "高数")]
    found = compare(existing, rows)
    assert kinds(found) == {"changed": [2], "kept": [1], "refused": [1]}


def test_a_task_in_the_way_of_a_move_stops_one_meeting_alone() -> None:
    task = Block(id=7, name="拓扑排序")
    found = compare([stored(4)], [row(1, day_of_week=2)], taken=block_at(task, 13, 2, [1]))
    assert kinds(found) == {"changed": [4]}
    assert found.changed[0].skipped == ((13, 0),)


def test_a_move_that_is_refused_stops_those_that_wanted_its_place() -> None:
    existing = [
        stored(1, "概率论", day_of_week=1),
        stored(2, "线性代数", day_of_week=2, weeks=ODD),
        stored(3, "形势与政策", day_of_week=4, weeks=(1,)),
        stored(5, "体育", day_of_week=3, weeks=(17,)),
    ]
    rows = [
        row(1, "线性代数", day_of_week=1, weeks=ODD),
        row(2, "概率论", day_of_week=3),
        row(3, "工程伦理", day_of_week=2, weeks=(3,)),
        row(4, "形势与政策", day_of_week=5, weeks=(1,)),
        row(5, "体育", day_of_week=3, weeks=(17,)),
    ]
    free = compare(existing, rows)
    assert kinds(free) == {"added": [3], "changed": [2, 1, 3], "unchanged": [5]}
    taken = [stored(6, "班会", day_of_week=3, weeks=(13,))]
    found = compare([*existing, *taken], [*rows, row(6, "班会", day_of_week=3, weeks=(13,))])
    assert kinds(found) == {
        "changed": [3],
        "unchanged": [5, 6],
        "kept": [1, 2],
        "refused": [1, 2, 3],
    }
    assert [(conflict.line, conflict.other, conflict.other_id) for conflict in found.conflicts] == [
        (1, "course", 1),
        (2, "row", 6),
        (3, "course", 2),
    ]


def test_courses_may_trade_places() -> None:
    existing = [stored(1, weeks=ODD), stored(2, "概率论", day_of_week=2, weeks=EVEN)]
    rows = [row(1, day_of_week=2, weeks=ODD), row(2, "概率论", weeks=EVEN)]
    assert kinds(compare(existing, rows)) == {"changed": [1, 2]}


def test_a_change_is_not_stopped_by_a_block_inside_its_own_cells() -> None:
    block = Block(id=7, name="复习")
    found = compare([stored(4)], [row(1, weeks=(*ALL_WEEKS, 17))], taken=block_at(block, 3, 1, [1]))
    assert kinds(found) == {"changed": [4]}


def test_a_course_whose_row_was_not_understood_is_not_removed() -> None:
    existing = [stored(1), stored(2, "概率论", day_of_week=2)]
    found = compare(existing, [], not_understood=[problem("高等数学")])
    assert kinds(found) == {"removed": [2], "kept": [1]}


def test_a_row_without_a_readable_name_keeps_every_course_that_is_not_stated() -> None:
    existing = [stored(1), stored(2, "概率论", day_of_week=2), stored(3, "体育", day_of_week=5)]
    rows = [row(1, "体育", day_of_week=5)]
    found = compare(existing, rows, not_understood=[problem(None)])
    assert kinds(found) == {"unchanged": [3], "kept": [1, 2]}


def test_a_kept_course_holds_its_cells() -> None:
    rows = [row(1, "概率论", weeks=(3,))]
    found = compare([stored(4)], rows, not_understood=[problem("高等数学")])
    assert kinds(found) == {"kept": [4], "refused": [1]}
    assert [(one.other, one.other_id, one.other_name) for one in found.conflicts] == [
        ("course", 4, "高等数学")
    ]


@pytest.mark.parametrize(
    "rows",
    [
        [],
        [row(1, day_of_week=2)],
        [row(1, weeks=ODD)],
        [row(1, last=1)],
        [row(1, "概率论", weeks=(14,))],
    ],
    ids=["removed", "moved", "other weeks", "shorter", "replaced"],
)
def test_a_guest_that_loses_its_host_is_told_and_stops_no_one(rows: list[CourseRow]) -> None:
    guest = Block(id=8, name="复习", host_id=4)
    found = compare([stored(4)], rows, taken=block_at(guest, 14, 1, [1, 2]))
    assert found.unhosted == (guest,)
    assert found.refused == ()


def test_a_guest_of_a_course_that_stays_is_left_alone() -> None:
    guest = Block(id=8, name="复习", host_id=4)
    taken = block_at(guest, 13, 1, [1, 2])
    for rows, problems in (([row()], []), ([row(1, weeks=ODD)], []), ([], [problem(None)])):
        assert compare([stored(4)], rows, taken=taken, not_understood=problems).unhosted == ()


def test_a_block_whose_host_is_unknown_is_in_the_way_like_any_other() -> None:
    block = Block(id=8, name="复习", host_id=77)
    found = compare([], [row(1)], taken=block_at(block, 3, 1, [1]))
    assert found.added[0].skipped == ((3, 0),)


def test_a_large_timetable_against_another_is_compared_whole() -> None:
    old = [
        row(line, f"课{line}", day_of_week=line % 7 + 1, weeks=(line % 30 + 1,))
        for line in range(200)
    ]
    new = [
        row(line, f"课{line}", day_of_week=line % 5 + 1, weeks=(line % 29 + 1,))
        for line in range(200)
    ]
    found = compare([store(one, one.line) for one in old], new)
    assert len(found.changed) + len(found.unchanged) + len(found.kept) + len(found.removed) == 200


weeks_of_four = st.sets(st.integers(1, 4), min_size=1).map(lambda weeks: tuple(sorted(weeks)))
row_fields: st.SearchStrategy[dict[str, Any]] = st.fixed_dictionaries(
    {
        "name": st.sampled_from("ABC"),
        "teacher": st.sampled_from(["", "甲"]),
        "room": st.sampled_from(["", "1", "2"]),
        "day_of_week": st.integers(1, 2),
        "weeks": weeks_of_four,
    }
)
sections = st.sampled_from([(1, 1), (1, 2), (2, 3), (3, 4)])


@st.composite
def timetable_rows(draw: st.DrawFn) -> list[CourseRow]:
    """Rows of one file: no two alike, lines from 1."""
    found: dict[CourseRow, None] = {}
    for fields in draw(st.lists(row_fields, max_size=7)):
        first, last = draw(sections)
        found[row(0, first=first, last=last, **fields)] = None
    return [replace(one, line=line) for line, one in enumerate(found, start=1)]


def apart(rows: Sequence[CourseRow]) -> list[CourseRow]:
    """Those rows that can stand together, as a database would hold them."""
    held: set[Cell] = set()
    kept = []
    for one in rows:
        if held.isdisjoint(seating.cells(one)):
            held |= seating.cells(one)
            kept.append(one)
    return kept


@st.composite
def blocks(draw: st.DrawFn) -> list[Cell]:
    cell = st.tuples(st.integers(1, 4), st.integers(1, 2), st.integers(1, 4))
    return draw(st.lists(cell, max_size=3, unique=True))


problems = st.lists(st.sampled_from(["A", "B", None]).map(problem), max_size=1)


chosen = st.sets(st.integers(100, 102), max_size=3)


def taken_by(existing: Sequence[StoredCourse], block_cells: Sequence[Cell]) -> dict[Cell, Block]:
    """Blocks in those cells: guests where a course holds the cell; every third has begun."""
    hosts = {
        cell: course.id
        for course in existing
        for cell in seating.held(course, PLAIN, away=course.skipped)
    }
    return {
        cell: Block(
            id=100 + index,
            name="任务",
            host_id=hosts.get(cell),
            has_begun=index % 3 == 2,
            cells=(cell,),
        )
        for index, cell in enumerate(block_cells)
    }


def skipping(existing: Sequence[StoredCourse], weeks: Collection[int]) -> list[StoredCourse]:
    """The courses, of which some meetings were left out before."""
    return [
        replace(course, skipped=on_own_day(week for week in course.weeks if week in weeks))
        for course in existing
    ]


def held(found: TimetableDiff) -> list[Cell]:
    """Every cell that a course meets in after the write."""
    cells = [
        cell
        for course in (*found.unchanged, *found.kept)
        for cell in seating.held(course, PLAIN, away=(*course.skipped, *course.absent))
    ]
    cells += [c for one in found.changed for c in seating.held(one.row, PLAIN, away=one.away)]
    return cells + [
        c for one in found.added for c in seating.held(one.row, PLAIN, away=one.skipped)
    ]


@given(timetable_rows(), timetable_rows(), blocks(), problems, chosen, st.sets(st.integers(1, 4)))
def test_a_diff_can_be_written_as_it_stands(
    old: list[CourseRow],
    new: list[CourseRow],
    block_cells: list[Cell],
    not_understood: list[RowProblem],
    displaced: set[int],
    weeks: set[int],
) -> None:
    existing = skipping([store(one, one.line) for one in apart(old)], weeks)
    taken = taken_by(existing, block_cells)
    found = diff.diff(
        existing,
        new,
        days=PLAIN,
        taken=taken,
        not_understood=not_understood,
        displaced=displaced,
    )

    lines = [one.row.line for one in (*found.added, *found.changed)]
    lines += [one.line for one in found.refused]
    assert len(lines) == len(set(lines))
    assert len(lines) + len(found.unchanged) == len(new)
    left = [*found.removed, *found.unchanged, *found.kept]
    ids = [course.id for course in left] + [change.course.id for change in found.changed]
    assert sorted(ids) == sorted(course.id for course in existing)

    lost = {block.id for block in (*found.displaced, *found.unhosted)}
    use = Counter(held(found))
    use.update(c for c, block in taken.items() if block.host_id is None and block.id not in lost)
    assert all(count == 1 for count in use.values())

    assert {block.id for block in found.displaced} <= displaced
    assert not any(block.has_begun for block in found.displaced)
    for block in found.displaced:
        assert set(block.cells) & set(held(found))

    refused = {one.line for one in found.refused}
    in_the_way = {conflict.line for conflict in found.conflicts if conflict.other != "task"}
    assert in_the_way == refused
    by_line = {one.line: one for one in new}
    for conflict in found.conflicts:
        assert conflict.cells
        assert set(conflict.cells) <= seating.cells(by_line[conflict.line])


@given(
    timetable_rows(),
    timetable_rows(),
    blocks(),
    problems,
    chosen,
    st.randoms(use_true_random=False),
)
def test_the_order_of_the_input_is_without_effect(
    old: list[CourseRow],
    new: list[CourseRow],
    block_cells: list[Cell],
    not_understood: list[RowProblem],
    displaced: set[int],
    chance: random.Random,
) -> None:
    existing = [store(one, one.line) for one in apart(old)]
    taken = taken_by(existing, block_cells)
    more: dict[str, Any] = {
        "days": PLAIN,
        "not_understood": not_understood,
        "displaced": displaced,
    }
    first = diff.diff(existing, new, taken=taken, **more)
    items = list(taken.items())
    for shuffled in (existing, new, items):
        chance.shuffle(shuffled)
    assert diff.diff(existing, new, taken=dict(items), **more) == first


@given(timetable_rows(), blocks(), chosen)
def test_what_was_written_is_unchanged_the_next_time(
    new: list[CourseRow], block_cells: list[Cell], displaced: set[int]
) -> None:
    assume(new)
    taken = taken_by([], block_cells)
    first = compare([], new, taken=taken, displaced=displaced)
    existing = [replace(store(one.row, one.row.line), skipped=one.skipped) for one in first.added]
    gone = {block.id for block in first.displaced}
    left = {cell: block for cell, block in taken.items() if block.id not in gone}
    again = compare(existing, new, taken=left)
    assert again.changes_nothing
    assert again.kept == ()
    assert [course.id for course in again.unchanged] == [one.row.line for one in first.added]
    assert again.refused == first.refused


@given(timetable_rows(), blocks())
def test_the_name_of_an_outcome_knows_no_order_and_nothing_that_lies_elsewhere(
    new: list[CourseRow], block_cells: list[Cell]
) -> None:
    taken = taken_by([], block_cells)
    names = {
        report.base_version(AUTUMN, parsed(new), compare([], new, taken=given))
        for given in (taken, dict(reversed(taken.items())))
    }
    assert len(names) == 1
    elsewhere = taken | block_at(Block(id=500, name="别处"), 4, 7, [9])
    assert report.base_version(AUTUMN, parsed(new), compare([], new, taken=elsewhere)) in names


def test_the_name_of_an_outcome_changes_with_what_the_person_sees() -> None:
    task = Block(id=7, name="拓扑排序")
    rows = [row(1), row(2, "概率论", day_of_week=2)]
    outcomes = [
        (rows, compare([], rows)),
        (rows, compare([], rows, taken=block_at(task, 13, 1, [2]))),
        (rows, compare([], rows, taken=block_at(replace(task, has_begun=True), 13, 1, [2]))),
        (rows, compare([stored(4)], rows)),
        (rows, compare([stored(4, room="B")], rows)),
        (rows, compare([stored(4, room="C")], rows)),
        (rows, compare([stored(4), stored(5, "体育", day_of_week=5)], rows)),
        (rows[:1], compare([], rows[:1])),
    ]
    names = [report.base_version(AUTUMN, parsed(one), found) for one, found in outcomes]
    names.append(report.base_version(replace(AUTUMN, version=99), parsed(rows), outcomes[0][1]))
    assert len(set(names)) == len(names)
    renamed = compare([], rows, taken=block_at(replace(task, name="改名"), 13, 1, [2]))
    assert report.base_version(AUTUMN, parsed(rows), renamed) == names[1]


def parsed(rows: Sequence[CourseRow]) -> ParsedTimetable:
    return ParsedTimetable(
        form=Form.WAKEUP, rows=tuple(rows), not_understood=(), duplicates=0, without_time=()
    )


@given(timetable_rows(), timetable_rows())
def test_identical_courses_are_always_paired_with_each_other(
    old: list[CourseRow], new: list[CourseRow]
) -> None:
    existing = [store(one, one.line) for one in old]
    pairs = matching.match(existing, new)
    identical = {matching.content(one) for one in existing} & {matching.content(one) for one in new}
    paired = {
        matching.content(one)
        for course, one in pairs
        if matching.content(course) == matching.content(one)
    }
    assert identical == paired
