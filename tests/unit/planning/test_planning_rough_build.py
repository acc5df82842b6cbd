"""Rough build. Spec: planning.md, Rough build."""

import random
from dataclasses import replace
from datetime import date
from itertools import pairwise

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from libs.planning.grid import Block, BlockKind, Grid
from libs.planning.rough_build import rough_build
from libs.planning.rough_input import PlacedBlock, PlanClass, PlanItem, Strategy, item_length
from libs.planning.rough_reasons import ShortageCode
from libs.planning.window import BadDates
from tests.unit.planning.planning_rough import (
    BEFORE,
    build,
    busy,
    cost_of,
    day_number,
    items,
    least_cost,
    on,
    plan_class,
    where,
)
from tests.unit.planning.planning_world import COURSES, NOW, SEMESTER, at, course, steady, task

RAPID = Strategy.RAPID


@pytest.mark.parametrize(
    ("total", "count", "sections", "remainder"),
    [(20, 10, 2, 0), (23, 10, 2, 3), (9, 10, 1, -1), (None, 4, 2, 0), (0, 4, 2, 0), (-3, 4, 2, 0),
     (5, 0, 2, 0), (7, 1, 7, 0)],
)  # fmt: skip
def test_the_whole_is_shared_out_and_rounded_down(total, count, sections, remainder):
    length = item_length(total, count)
    assert (length.sections, length.remainder) == (sections, remainder)


def test_the_remainder_is_reported_with_the_class():
    one = replace(plan_class(1, 3, on(1, 1), on(1, 7)), total_slots=8)
    plan = build(one)
    assert [(r.class_id, r.length.sections, r.length.remainder) for r in plan.classes] == [
        (1, 2, 2)
    ]
    assert {p.place.length for p in plan.placements} == {2}


def test_steady_is_even_over_the_range():
    plan = build(plan_class(1, 4, on(1, 1), on(4, 7)))
    assert [day_number(w, d) for w, d, _, _ in where(plan).values()] == [3, 10, 17, 24]


def test_rapid_is_drawn_to_the_first_day():
    plan = build(plan_class(1, 3, on(1, 1), on(8, 7), strategy=RAPID))
    assert [(w, d) for w, d, _, _ in where(plan).values()] == [(1, 1), (1, 2), (1, 3)]


def test_days_are_levelled_and_nobody_clumps():
    plan = build(plan_class(1, 12, on(1, 1), on(2, 7)))
    days = [day_number(w, d) for w, d, _, _ in where(plan).values()]
    assert max(days.count(day) for day in days) == 1
    full = [course(n, at(1, n, 1, 8)) for n in range(1, 6)]
    weekend = build(plan_class(1, 2, on(1, 1), on(1, 7)), blocks=full)
    assert {d for _, d, _, _ in where(weekend).values()} == {6, 7}


def test_even_lengths_prefer_standard_pairs():
    plan = build(
        plan_class(1, 26, on(1, 1), on(1, 7)), plan_class(2, 7, on(1, 1), on(1, 7), length=4)
    )
    assert plan.is_complete
    assert all(p.place.first % 2 == 1 for p in plan.placements)


def test_breaks_are_not_bridged():
    blocks = busy(1, 1, (3, 6))
    plan = build(plan_class(1, 1, on(1, 1), on(1, 1), length=3), blocks=blocks)
    assert plan.unplaced[0].shortage.code is ShortageCode.TOO_LONG
    assert plan.unplaced[0].shortage.longest_run == 2


def test_exclusions_are_hard():
    one = plan_class(1, 20, on(1, 1), on(2, 7), no_days=(6, 7), no_slots=(1, 6))
    plan = build(one)
    assert plan.is_complete
    for _, day, first, last in where(plan).values():
        assert day <= 5
        assert first >= 3
        assert last <= 10
    none = build(plan_class(1, 1, on(1, 6), on(1, 7), no_days=(6, 7)))
    assert none.unplaced[0].shortage.code is ShortageCode.DAYS_EXCLUDED
    assert none.unplaced[0].shortage.text == "范围内2天全部被排除规则去掉"


def test_filler_courses_take_guests_only_where_the_class_allows_it():
    host = course(50, at(1, 1, 3, 4), embeddable=True)
    blocks = [host, *busy(1, 1, (3, 4), first_id=100)]
    refused = build(plan_class(1, 1, on(1, 1), on(1, 1)), blocks=blocks)
    assert not refused.is_complete
    plan = build(plan_class(1, 1, on(1, 1), on(1, 1), filler=True), blocks=blocks)
    assert [(p.place, p.host_id) for p in plan.placements] == [(at(1, 1, 3, 4), 50)]


def test_free_cells_come_before_hosts_and_a_cell_takes_one_guest():
    host = course(50, at(1, 1, 1, 4), embeddable=True)
    guest = task(51, at(1, 1, 1, 2), host=50)
    blocks = [host, guest, *busy(1, 1, (1, 6), first_id=100)]
    plan = build(plan_class(1, 2, on(1, 1), on(1, 1), filler=True), blocks=blocks)
    assert sorted((p.place.first, p.host_id) for p in plan.placements) == [(3, 50), (5, None)]
    over = build(plan_class(1, 3, on(1, 1), on(1, 1), filler=True), blocks=blocks)
    assert len(over.unplaced) == 1


def test_nothing_that_is_there_moves_and_nothing_lands_on_it():
    plan = build(plan_class(1, 60, on(1, 1), on(8, 7)), blocks=COURSES)
    taken = {cell for block in COURSES for cell in block.place.cells}
    placed = [cell for p in plan.placements for cell in p.place.cells]
    assert len(placed) == len(set(placed)) == 120
    assert not taken & set(placed)


def test_sections_that_have_begun_are_no_longer_free():
    plan = build(plan_class(1, 5, on(13, 1), on(13, 1), strategy=RAPID), now=NOW)
    assert plan.is_complete
    assert min(p.place.first for p in plan.placements) == 3
    past = build(plan_class(1, 2, on(12, 1), on(12, 7)), now=NOW)
    assert [u.shortage.code for u in past.unplaced] == [ShortageCode.RANGE_OVER] * 2
    assert past.unplaced[0].shortage.text == "任务类的日期已经过去，没有剩下的日子"


def test_a_class_that_has_begun_is_spread_over_the_days_that_are_left():
    plan = build(plan_class(1, 2, on(1, 1), on(14, 7)), now=NOW)
    assert [(w, d) for w, d, _, _ in where(plan).values()] == [(13, 4), (14, 4)]


def test_classes_with_bad_dates_are_left_out_and_spoil_nothing():
    good = plan_class(1, 3, on(2, 1), on(3, 7))
    bad = [
        plan_class(2, 1, None, on(2, 1)),
        plan_class(3, 1, on(2, 1), None),
        plan_class(4, 1, on(3, 1), on(2, 1)),
        plan_class(5, 1, date(1970, 1, 1), date(1970, 1, 2)),
    ]
    plan = build(good, *bad)
    assert where(plan) == where(build(good))
    assert [(s.class_id, s.problem) for s in plan.skipped] == [
        (2, BadDates.MISSING),
        (3, BadDates.MISSING),
        (4, BadDates.REVERSED),
        (5, BadDates.OUTSIDE),
    ]
    assert plan.days == build(good).days
    assert "任务类4：结束日期早于开始日期，已跳过" in plan.explanation
    only_bad = build(*bad)
    assert (only_bad.placements, only_bad.days, only_bad.is_complete) == ((), (), True)


def test_without_a_semester_every_class_is_outside():
    plan = rough_build([plan_class(1, 1, on(1, 1), on(1, 1))], Grid([], []), now=BEFORE)
    assert [s.problem for s in plan.skipped] == [BadDates.OUTSIDE]


def test_two_of_one_id_are_refused():
    one = plan_class(1, 2, on(1, 1), on(1, 7))
    with pytest.raises(ValueError, match="one id"):
        build(one, one)
    with pytest.raises(ValueError, match="one id"):
        build(one, replace(one, id=2))


@pytest.mark.parametrize(
    ("one", "other"),
    [
        ({"end": on(1, 1)}, {"end": on(1, 2)}),
        ({"strategy": RAPID}, {}),
        ({"position": 1}, {"position": 2}),
        ({}, {}),
    ],
    ids=["end date", "rapid before steady", "given order", "id"],
)
@pytest.mark.parametrize("length", [2, 1])
def test_who_is_served_first_where_there_is_not_enough(one, other, length):
    # Monday has room for one item, Tuesday for none.
    blocks = [*busy(1, 1, (5, 5 + length - 1)), *busy(1, 2, first_id=40)]
    first = replace(plan_class(1, 1, on(1, 1), on(1, 2), length=length), **one)
    second = replace(plan_class(2, 1, on(1, 1), on(1, 2), length=length), **other)
    plan = build(second, first, blocks=blocks)
    assert list(where(plan)) == [100]
    swapped = [replace(first, id=2), replace(second, id=1)]
    if one != other:
        assert list(where(build(*swapped, blocks=blocks))) == [100]


def test_what_does_not_fit_says_why_with_its_numbers():
    blocks = [
        Block(1, BlockKind.COURSE, at(1, 1, 1, 8), 1, name="高等数学"),
        Block(2, BlockKind.COURSE, at(1, 2, 1, 4), 1, name="大学物理"),
        Block(3, BlockKind.COURSE, at(1, 2, 9, 10), 1, name="体育"),
    ]
    one = plan_class(1, 6, on(1, 1), on(1, 2), length=2, no_slots=(3,))
    plan = build(one, blocks=blocks)
    assert len(plan.placements) == 4
    assert [u.item_id for u in plan.unplaced] == [104, 105]
    shortage = plan.unplaced[0].shortage
    assert shortage.code is ShortageCode.NO_ROOM
    assert (shortage.needed, shortage.waiting, shortage.short) == (2, 2, 4)
    assert (shortage.days, shortage.taken, shortage.excluded) == (2, 14, 2)
    assert (shortage.planned, shortage.free, shortage.longest_run) == (8, 0, 4)
    assert [(t.name, t.sections) for t in shortage.takers] == [
        ("高等数学", 8), ("大学物理", 4), ("体育", 2),
    ]  # fmt: skip
    assert shortage.text == (
        "2项各需2节，共缺4节：范围内2天，已有日程占14节（高等数学8节、大学物理4节、体育2节），"
        "排除规则去掉2节，本次已排8节，剩下0节不够连在一起"
    )
    assert not plan.is_complete
    assert plan.explanation.count("\n") == 1


def test_an_item_longer_than_any_run_between_breaks_says_so():
    plan = build(plan_class(1, 2, on(1, 1), on(20, 7), length=5))
    assert plan.placements == ()
    assert {u.shortage.code for u in plan.unplaced} == {ShortageCode.TOO_LONG}
    assert plan.unplaced[0].shortage.text == (
        "每项需5节连续时间，范围内两次休息之间最长的空闲只有4节"
    )
    huge = build(replace(plan_class(1, 1, on(1, 1), on(20, 7)), total_slots=10**9))
    assert huge.unplaced[0].shortage.code is ShortageCode.TOO_LONG


def placed(id: int, order: int, place, *, makeup: bool = False) -> PlanItem:
    return PlanItem(id, order, f"项{id}", blocks=(PlacedBlock(place, makeup),))


def test_items_that_are_placed_or_done_stay_and_bind_the_order():
    fixed = placed(2, 2, at(2, 3, 5, 6))
    of = (
        PlanItem(1, 1, "甲"), fixed, PlanItem(3, 3, "丙"),
        PlanItem(4, 4, "丁", done=True), PlanItem(5, 5, "戊"),
    )  # fmt: skip
    blocks = [task(9, at(2, 3, 5, 6))]
    plan = build(plan_class(1, 5, on(1, 1), on(3, 7), of=of), blocks=blocks)
    places = where(plan)
    assert sorted(places) == [1, 3, 5]
    assert places[1] < (2, 3, 5, 6) < places[3] < places[5]
    # Four lie ahead, at the middles of their shares: 2, 7, 13, 18.
    assert [day_number(*places[n][:2]) for n in (1, 3, 5)] == [2, 13, 18]


def test_the_order_holds_on_the_day_of_a_placed_neighbour_too():
    of = (PlanItem(1, 1, "甲"), placed(2, 2, at(1, 1, 5, 6)), PlanItem(3, 3, "丙"))
    blocks = [task(9, at(1, 1, 5, 6))]
    plan = build(plan_class(1, 3, on(1, 1), on(1, 1), of=of), blocks=blocks)
    places = where(plan)
    assert places[1][3] <= 4
    assert places[3][2] >= 7
    squeezed = (placed(2, 2, at(1, 1, 1, 2)), PlanItem(1, 1, "甲"))
    none = build(
        plan_class(1, 2, on(1, 1), on(1, 2), of=squeezed), blocks=[task(9, at(1, 1, 1, 2))]
    )
    assert none.unplaced[0].shortage.code is ShortageCode.ORDER
    assert none.unplaced[0].shortage.text == (
        "须排在「项2」（9月7日）之前，这段时间里没有2节的空位"
    )
    between = (placed(1, 1, at(1, 1, 1, 2)), PlanItem(2, 2), placed(3, 3, at(1, 1, 3, 4)))
    blocks = [task(8, at(1, 1, 1, 2)), task(9, at(1, 1, 3, 4))]
    stuck = build(plan_class(1, 3, on(1, 1), on(1, 7), of=between), blocks=blocks)
    assert "「项1」（9月7日）之后、「项3」（9月7日）之前" in stuck.unplaced[0].shortage.text


def test_a_live_makeup_stands_for_its_original():
    original, makeup = at(1, 1, 1, 2), at(2, 1, 1, 2)
    missed = PlanItem(1, 1, "甲", blocks=(PlacedBlock(original), PlacedBlock(makeup, True)))
    blocks = [task(8, original), task(9, makeup)]
    one = plan_class(1, 2, on(1, 1), on(3, 7), of=(missed, PlanItem(2, 2, "乙")))
    assert where(build(one, blocks=blocks))[2] > (2, 1, 1, 2)


def test_missing_and_doubled_orders_are_repaired_and_reported():
    of = (PlanItem(7, None, "丙"), PlanItem(6, 1, "乙"), PlanItem(5, 1, "甲"))
    plan = build(plan_class(1, 3, on(1, 1), on(3, 7), of=of))
    places = where(plan)
    assert places[5] < places[6] < places[7]
    assert [(r.item_id, r.problem) for r in plan.classes[0].repairs] == [
        (5, "doubled"), (6, "doubled"), (7, "missing"),
    ]  # fmt: skip


def order_holds(plan, classes: list[PlanClass]) -> bool:
    places = where(plan)
    for one in classes:
        in_order = [places[item.id] for item in one.items if item.id in places]
        for before, after in pairwise(in_order):
            if (*before[:2], before[3]) >= (*after[:2], after[2]):
                return False
    return True


def some_classes(dice: random.Random, *, mixed: bool) -> tuple[list[PlanClass], list[Block]]:
    """Up to four items of two classes in a few days with little room."""
    blocks: list[Block] = []
    days = dice.randint(2, 4)
    for day in range(1, days + 1):
        first = dice.choice((1, 3, 5, 9))
        blocks += busy(1, day, (first, first + dice.randint(2, 3)), first_id=100 * day)
    classes = []
    length = dice.randint(1, 2)
    for id_ in (1, 2):
        start = dice.randint(1, days)
        classes.append(
            plan_class(
                id_, dice.randint(1, 3), on(1, start), on(1, dice.randint(start, days)),
                length=dice.randint(1, 3) if mixed else length,
                strategy=dice.choice((Strategy.STEADY, RAPID)),
                no_days=[dice.randint(1, days)] if mixed and dice.random() < 0.3 else (),
                no_slots=[dice.randint(1, 6)] if mixed and dice.random() < 0.3 else (),
            )
        )  # fmt: skip
    return classes, blocks


@pytest.mark.parametrize("mixed", [False, True], ids=["equal lengths", "mixed"])
def test_small_plans_are_the_best_of_all_that_there_are(mixed):
    dice = random.Random(20260907)
    complete = 0
    for _ in range(100):
        classes, blocks = some_classes(dice, mixed=mixed)
        plan = build(*classes, blocks=blocks)
        best = least_cost(classes, blocks)
        assert plan.is_complete is (best is not None)
        if best is not None:
            complete += 1
            assert cost_of(plan, classes, blocks) == best
            assert order_holds(plan, classes)
    assert complete >= 25


@settings(parent=steady, max_examples=15)
@given(
    st.integers(0, 10**6),
    st.lists(st.tuples(st.integers(1, 14), st.integers(1, 4)), min_size=1, max_size=4),
)
def test_a_plan_of_any_classes_is_sound(seed, sizes):
    dice = random.Random(seed)
    blocks = [
        course(n, at(dice.randint(1, 3), dice.randint(1, 7), 2 * pair + 1, 2 * pair + 2))
        for n, pair in enumerate([0, 1, 2, 3, 4, 5] * 5)
    ]
    hosts = [course(900 + n, at(1, n, 11, 12), embeddable=True) for n in range(1, 4)]
    hosts = [h for h in hosts if not any(h.place.overlaps(b.place) for b in blocks)]
    classes = [
        plan_class(
            number, count, on(1, dice.randint(1, 7)), on(dice.randint(2, 3), 7), length=length,
            strategy=dice.choice((Strategy.STEADY, RAPID)), filler=dice.random() < 0.5,
            no_days=[dice.randint(1, 7)], no_slots=[dice.randint(1, 6)],
        )
        for number, (count, length) in enumerate(sizes, start=1)
    ]  # fmt: skip
    plan = build(*classes, blocks=blocks + hosts)
    assert len(plan.placements) + len(plan.unplaced) == sum(count for count, _ in sizes)
    taken = {cell for block in blocks + hosts for cell in block.place.cells}
    free_of = {c.id: c for c in classes}
    cells = [cell for p in plan.placements for cell in p.place.cells]
    assert len(cells) == len(set(cells))
    for p in plan.placements:
        one = free_of[p.class_id]
        assert one.start <= SEMESTER.date_of(p.place.week, p.place.day) <= one.end
        assert p.place.day not in one.excluded_days_of_week
        assert not SEMESTER.clock.crosses_break(p.place.first, p.place.last)
        assert not {(s + 1) // 2 for s in range(p.place.first, p.place.last + 1)} & (
            one.excluded_slots
        )
        if p.host_id is None:
            assert not taken & set(p.place.cells)
        else:
            assert one.allow_filler_course
            host = next(h for h in hosts if h.id == p.host_id)
            assert host.place.contains(p.place)
    assert order_holds(plan, classes)
    assert len({u.item_id for u in plan.unplaced} | set(where(plan))) == sum(c for c, _ in sizes)


def test_equal_input_in_any_order_gives_an_equal_plan():
    dice = random.Random(11)
    classes = [
        plan_class(n, 12, on(1, 1), on(3, 7), length=length, no_days=[n], position=3 - n)
        for n, length in ((1, 2), (2, 3), (3, 1))
    ]
    blocks = list(COURSES)
    plans = set()
    for _ in range(6):
        dice.shuffle(classes)
        dice.shuffle(blocks)
        shuffled = [
            replace(one, items=tuple(dice.sample(one.items, len(one.items)))) for one in classes
        ]
        plans.add(repr(build(*shuffled, blocks=blocks)))
    assert len(plans) == 1


def test_of_equal_costs_the_plan_with_fewer_repeats_is_taken():
    # Two classes over the same days: each day has one item of either, alternating is free.
    classes = [plan_class(n, 7, on(1, 1), on(2, 7)) for n in (1, 2)]
    plan = build(*classes)
    assert plan.is_complete
    assert plan.repeats == 0
    crowded = build(plan_class(1, 14, on(1, 1), on(2, 7)))
    assert crowded.repeats == 13


def test_a_plan_without_waiting_items_is_empty_and_complete():
    done = (PlanItem(1, 1, done=True), placed(2, 2, at(1, 1, 1, 2)))
    plan = build(plan_class(1, 2, on(1, 1), on(1, 7), of=done), blocks=[task(9, at(1, 1, 1, 2))])
    assert (plan.placements, plan.unplaced, plan.is_complete) == ((), (), True)
    assert build(plan_class(1, 0, on(1, 1), on(1, 7), of=())).is_complete
    assert build().is_complete
    assert items(0) == ()
