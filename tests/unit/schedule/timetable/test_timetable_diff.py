"""What a file changes: identity of courses, and cells that two want."""

import random
from collections import Counter
from collections.abc import Iterable, Sequence
from dataclasses import replace
from typing import Any

import pytest
from hypothesis import assume, given
from hypothesis import strategies as st

from services.schedule.domain.timetable import diff, matching, seating
from services.schedule.domain.timetable.diff import TimetableDiff
from services.schedule.domain.timetable.matching import StoredCourse
from services.schedule.domain.timetable.problems import RowProblem
from services.schedule.domain.timetable.rows import CourseRow
from services.schedule.domain.timetable.seating import Block, Cell

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


def stored(course_id: int = 1, name: str = "高等数学", **fields: Any) -> StoredCourse:
    return store(row(1, name, **fields), course_id)


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
) -> TimetableDiff:
    return diff.diff(existing, rows, taken=taken or {}, not_understood=not_understood)


def kinds(found: TimetableDiff) -> dict[str, list[int]]:
    """Lines of rows and ids of courses, by what becomes of them; empty kinds left out."""
    by_kind = {
        "added": [one.line for one in found.added],
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
    task = Block(id=7, name="拓扑排序")
    rows = [row(1, weeks=(12, 13)), row(2, "概率论", weeks=(12,))]
    found = compare([], rows, taken=block_at(task, 13, 1, [2, 3]))
    assert kinds(found) == {"added": [2], "refused": [1]}
    (conflict,) = found.conflicts
    assert (conflict.other, conflict.other_id, conflict.other_name) == ("task", 7, "拓扑排序")
    assert conflict.cells == ((13, 1, 2),)


def test_a_row_names_everything_that_is_in_its_way() -> None:
    task, other = Block(id=7, name="拓扑排序"), Block(id=8, name="写报告")
    taken = block_at(task, 3, 1, [2]) | block_at(other, 4, 1, [1, 2])
    found = compare([], [row(1, weeks=(1, 2)), row(2, "概率论")], taken=taken)
    assert [(conflict.other, conflict.other_id) for conflict in found.conflicts] == [
        ("row", 1),
        ("task", 7),
        ("task", 8),
    ]


def test_a_stored_course_keeps_its_cells_against_an_earlier_line() -> None:
    found = compare([stored(4)], [row(1, "概率论", last=3), row(2)])
    assert kinds(found) == {"unchanged": [4], "refused": [1]}


def test_a_rename_keeps_its_cells_against_a_move_on_an_earlier_line() -> None:
    existing = [stored(1, "概率论", day_of_week=2), stored(2)]
    rows = [row(1, "概率论", last=3), row(2, "高数")]
    found = compare(existing, rows)
    assert kinds(found) == {"changed": [2], "kept": [1], "refused": [1]}


def test_a_task_in_the_way_of_a_move_leaves_the_course_where_it_was() -> None:
    task = Block(id=7, name="拓扑排序")
    found = compare([stored(4)], [row(1, day_of_week=2)], taken=block_at(task, 13, 2, [1]))
    assert kinds(found) == {"kept": [4], "refused": [1]}
    assert [conflict.other for conflict in found.conflicts] == ["task"]


def test_a_move_that_is_refused_stops_those_that_wanted_its_place() -> None:
    task = Block(id=7, name="拓扑排序")
    existing = [
        stored(1, "概率论", day_of_week=1),
        stored(2, "线性代数", day_of_week=2, weeks=ODD),
        stored(3, "形势与政策", day_of_week=4, weeks=(1,)),
    ]
    rows = [
        row(1, "线性代数", day_of_week=1, weeks=ODD),
        row(2, "概率论", day_of_week=3),
        row(3, "工程伦理", day_of_week=2, weeks=(3,)),
        row(4, "形势与政策", day_of_week=5, weeks=(1,)),
    ]
    free = compare(existing, rows)
    assert kinds(free) == {"added": [3], "changed": [2, 1, 3]}
    found = compare(existing, rows, taken=block_at(task, 13, 3, [1]))
    assert kinds(found) == {"changed": [3], "kept": [1, 2], "refused": [1, 2, 3]}
    assert [(conflict.line, conflict.other, conflict.other_id) for conflict in found.conflicts] == [
        (1, "course", 1),
        (2, "task", 7),
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
    assert kinds(found) == {"refused": [1]}


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


def taken_by(existing: Sequence[StoredCourse], block_cells: Sequence[Cell]) -> dict[Cell, Block]:
    """Blocks in those cells: guests where a course holds the cell."""
    hosts = {cell: course.id for course in existing for cell in seating.cells(course)}
    return {
        cell: Block(id=100 + index, name="任务", host_id=hosts.get(cell))
        for index, cell in enumerate(block_cells)
    }


@given(timetable_rows(), timetable_rows(), blocks(), problems)
def test_a_diff_can_be_written_as_it_stands(
    old: list[CourseRow],
    new: list[CourseRow],
    block_cells: list[Cell],
    not_understood: list[RowProblem],
) -> None:
    existing = [store(one, one.line) for one in apart(old)]
    taken = taken_by(existing, block_cells)
    found = diff.diff(existing, new, taken=taken, not_understood=not_understood)

    lines = [one.line for one in (*found.added, *found.refused)]
    lines += [change.row.line for change in found.changed]
    assert len(lines) == len(set(lines))
    assert len(lines) + len(found.unchanged) == len(new)
    left = [*found.removed, *found.unchanged, *found.kept]
    ids = [course.id for course in left] + [change.course.id for change in found.changed]
    assert sorted(ids) == sorted(course.id for course in existing)

    written: list[StoredCourse | CourseRow] = [
        *found.unchanged,
        *found.kept,
        *(change.row for change in found.changed),
        *found.added,
    ]
    use = Counter(cell for course in written for cell in seating.cells(course))
    use.update(cell for cell, block in taken.items() if block.host_id is None)
    assert all(count == 1 for count in use.values())

    assert {conflict.line for conflict in found.conflicts} == {one.line for one in found.refused}
    by_line = {one.line: one for one in new}
    for conflict in found.conflicts:
        assert conflict.cells
        assert set(conflict.cells) <= seating.cells(by_line[conflict.line])


@given(timetable_rows(), timetable_rows(), blocks(), problems, st.randoms(use_true_random=False))
def test_the_order_of_the_input_is_without_effect(
    old: list[CourseRow],
    new: list[CourseRow],
    block_cells: list[Cell],
    not_understood: list[RowProblem],
    chance: random.Random,
) -> None:
    existing = [store(one, one.line) for one in apart(old)]
    taken = taken_by(existing, block_cells)
    first = diff.diff(existing, new, taken=taken, not_understood=not_understood)
    items = list(taken.items())
    for shuffled in (existing, new, items):
        chance.shuffle(shuffled)
    assert diff.diff(existing, new, taken=dict(items), not_understood=not_understood) == first


@given(timetable_rows(), blocks())
def test_what_was_written_is_unchanged_the_next_time(
    new: list[CourseRow], block_cells: list[Cell]
) -> None:
    assume(new)
    first = compare([], new, taken=taken_by([], block_cells))
    existing = [store(one, one.line) for one in first.added]
    again = compare(existing, new, taken=taken_by([], block_cells))
    assert (again.added, again.changed, again.removed, again.kept) == ((), (), (), ())
    assert [course.id for course in again.unchanged] == [one.line for one in first.added]
    assert again.refused == first.refused


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
