"""Study plans: orders, lengths, and what matters to a plan."""

from dataclasses import replace
from datetime import UTC, date, datetime

from hypothesis import given
from hypothesis import strategies as st

from libs.planning.calendar import Semester
from libs.planning.window import BadDates
from services.schedule.domain import planning, rough
from services.schedule.domain.planning import Skip
from services.schedule.domain.rough import RoughInput
from services.schedule.domain.task_class import (
    ClassFields,
    Item,
    ItemAsked,
    Level,
    Mode,
    SubjectType,
    TaskClass,
    arrange,
)
from services.schedule.domain.views import ItemOfClass
from tests.unit.schedule.schedule_samples import AUTUMN, NOW, SPRING

BASE = ClassFields("线代", start=date(2026, 12, 1), end=date(2026, 12, 20), total_sections=7)


def _class(fields: ClassFields = BASE, items: int = 3, id: int = 5) -> TaskClass:
    found = tuple(Item(100 * id + n, f"第{n}章", n) for n in range(1, items + 1))
    return TaskClass(id, fields, found, 1, 1, datetime(2026, 11, 1, tzinfo=UTC))


def test_the_whole_is_shared_out_and_rounded_down() -> None:
    lengths = [
        _class(replace(BASE, total_sections=total), items=3).item_sections
        for total in (None, 1, 3, 7, 9)
    ]
    assert lengths == [2, 1, 1, 2, 3]


def test_a_name_and_how_hard_it_is_are_no_part_of_a_plan() -> None:
    same = replace(
        BASE,
        name="别的",
        subject_type=SubjectType.MEMORY,
        difficulty=Level.HIGH,
        intensity=Level.LOW,
    )
    assert not same.plans_otherwise_than(BASE)
    for other in (
        replace(BASE, start=None),
        replace(BASE, end=date(2026, 12, 21)),
        replace(BASE, total_sections=None),
        replace(BASE, mode=Mode.MANUAL),
        replace(BASE, excluded_pairs=(1,)),
        replace(BASE, excluded_days=(7,)),
        replace(BASE, allow_filler_course=True),
    ):
        assert other.plans_otherwise_than(BASE)


def test_equal_orders_are_told_apart_by_the_list() -> None:
    asked = [
        ItemAsked(0, "甲", 2),
        ItemAsked(0, "乙", 1),
        ItemAsked(0, "丙", 2),
        ItemAsked(0, "丁"),
    ]
    arranged = arrange(asked, [11, 12, 13, 14])
    assert [(one.id, one.content, one.order) for one in arranged.items] == [
        (12, "乙", 1),
        (11, "甲", 2),
        (13, "丙", 3),
        (14, "丁", 4),
    ]
    assert [(one.item_id, one.given, one.order, one.problem) for one in arranged.repairs] == [
        (11, 2, 2, "doubled"),
        (13, 2, 3, "doubled"),
        (14, None, 4, "missing"),
    ]


@given(orders=st.lists(st.none() | st.integers(1, 5), min_size=1, max_size=8))
def test_every_item_gets_an_order_of_its_own_that_keeps_what_was_given(
    orders: list[int | None],
) -> None:
    asked = [ItemAsked(0, str(n), order) for n, order in enumerate(orders)]
    ids = list(range(50, 50 + len(orders)))
    arranged = arrange(asked, ids)
    found = {one.id: one.order for one in arranged.items}
    assert len(set(found.values())) == len(ids)
    assert [one.order for one in arranged.items] == sorted(found.values())
    for one, first in zip(ids, orders, strict=True):
        for other, second in zip(ids, orders, strict=True):
            if first is not None and (second is None or first < second):
                assert found[one] < found[other]
    repaired = {one.item_id for one in arranged.repairs}
    doubtful = {
        id_
        for id_, order in zip(ids, orders, strict=True)
        if order is None or orders.count(order) > 1
    }
    assert repaired == (doubtful if any(order is not None for order in orders) else set())


def test_an_item_is_due_at_the_end_of_its_classs_last_day_there() -> None:
    found = ItemOfClass(Item(1, "一", 1), _class())
    assert found.deadline((AUTUMN, SPRING)) == datetime(2026, 12, 20, 16, tzinfo=UTC)
    toronto = Semester(9, date(2026, 9, 7), 20, "America/Toronto", AUTUMN.clock, 1)
    assert found.deadline((toronto,)) == datetime(2026, 12, 21, 5, tzinfo=UTC)
    assert found.deadline(()) is None
    assert ItemOfClass(found.item, _class(replace(BASE, end=None))).deadline((AUTUMN,)) is None


def test_a_plan_goes_to_the_first_semester_that_is_not_over_and_has_days() -> None:
    both = (SPRING, AUTUMN)
    spring = _class(replace(BASE, start=date(2027, 3, 2), end=date(2027, 3, 9)))
    bridging = _class(replace(BASE, start=date(2026, 9, 8), end=date(2027, 3, 9)))
    assert planning.semester_for([_class()], both, NOW) == AUTUMN
    assert planning.semester_for([spring], both, NOW) == SPRING
    assert planning.semester_for([bridging], both, NOW) == AUTUMN
    assert planning.semester_for([bridging], both, datetime(2027, 2, 20, tzinfo=UTC)) == SPRING
    assert planning.semester_for([spring], (AUTUMN,), NOW) is None


def test_the_reach_of_classes_leaves_bad_dates_out() -> None:
    bad = replace(BASE, start=None), replace(BASE, end=date(2026, 11, 1))
    assert planning.reach_of([_class(one) for one in bad]) is None
    late = replace(BASE, start=date(2026, 12, 5), end=date(2027, 1, 1))
    found = planning.reach_of([_class(one) for one in (*bad, BASE, late)])
    assert found == (date(2026, 12, 1), date(2027, 1, 1))


def test_a_rough_build_leaves_out_what_it_may_not_plan_and_says_so() -> None:
    period = (date(2026, 12, 1), date(2026, 12, 10))
    classes = (
        _class(replace(BASE, mode=Mode.MANUAL), id=1),
        _class(replace(BASE, start=date(2027, 1, 1), end=date(2027, 1, 5)), id=2),
        _class(replace(BASE, start=None), id=3),
        _class(replace(BASE, end=date(2026, 11, 1)), id=4),
        _class(id=6),
    )
    found = rough.build(RoughInput(NOW, classes, period, (AUTUMN,), ()))
    assert [(one.class_id, one.reason) for one in found.skipped] == [
        (1, Skip.MANUAL),
        (2, Skip.OUTSIDE_PERIOD),
        (3, Skip.DATES_MISSING),
        (4, Skip.DATES_REVERSED),
    ]
    assert {one.class_id for one in found.plan.placements} == {6}
    dates = [AUTUMN.date_of(one.place.week, one.place.day) for one in found.plan.placements]
    assert all(period[0] <= on <= period[1] for on in dates)
    assert [one.target.id for one in found.changes] == [
        one.item_id for one in found.plan.placements
    ]


def test_an_incomplete_plan_gives_no_changes() -> None:
    one_day = replace(BASE, start=date(2026, 12, 1), end=date(2026, 12, 1), total_sections=60)
    found = rough.build(RoughInput(NOW, (_class(one_day),), None, (AUTUMN,), ()))
    assert not found.plan.is_complete
    assert found.changes == ()


def test_every_kind_of_bad_dates_has_its_word() -> None:
    assert set(planning.SKIPS) == set(BadDates)
