"""Order inside a task class. Spec: planning.md, Order inside a task class."""

import random
from itertools import pairwise, permutations

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from libs.planning.order import (
    AllowedRange,
    OrderedBlock,
    Span,
    allowed_range,
    lineup,
    range_words,
    repaired_orders,
    violation,
    violations,
)
from tests.unit.planning.planning_world import steady

some = settings(parent=steady, max_examples=40)


def block(
    item: int,
    day: int,
    first: int = 1,
    last: int | None = None,
    *,
    of: int = 1,
    order: int | None = None,
    makeup: bool = False,
    begun: bool = False,
    makeup_for: int | None = None,
) -> OrderedBlock:
    return OrderedBlock(
        of,
        item,
        item if order is None else order,
        Span(day, first, first + 1 if last is None else last),
        makeup or makeup_for is not None,
        begun,
        f"项{item}",
        makeup_for,
    )


# (what is wanted, what lies there, who is in the way or None)
RULES = [
    pytest.param(block(2, 5), [], None, id="alone it may lie anywhere"),
    pytest.param(block(2, 5), [block(1, 4)], None, id="after the one before it"),
    pytest.param(block(2, 3), [block(1, 4)], 1, id="not on a day before the one before it"),
    pytest.param(block(2, 4, 3), [block(1, 4, 1, 2)], None, id="right behind it on the same day"),
    pytest.param(block(2, 4, 2), [block(1, 4, 1, 2)], 1, id="not while it still runs"),
    pytest.param(block(2, 4, 1), [block(1, 4, 5)], 1, id="not before it on the same day"),
    pytest.param(block(2, 5), [block(3, 6)], None, id="before the one behind it"),
    pytest.param(block(2, 7), [block(3, 6)], 3, id="not after the one behind it"),
    pytest.param(block(2, 6, 1, 2), [block(3, 6, 3)], None, id="ending right before it"),
    pytest.param(block(2, 6, 1, 3), [block(3, 6, 3)], 3, id="not reaching into it"),
    pytest.param(
        block(1, 5), [block(3, 4)], 3, id="1 and 3 do not invert around an unplaced 2"
    ),
    pytest.param(block(4, 5), [block(1, 6)], 1, id="nor 1 and 4 around unplaced 2 and 3"),
    pytest.param(block(2, 5), [block(1, 6, of=2), block(3, 4, of=2)], None, id="of its class"),
    pytest.param(block(2, 9), [block(2, 5)], None, id="its own old place does not bind"),
    pytest.param(
        block(3, 7), [block(1, 8), block(2, 5)], 1, id="where others are inverted all bind"
    ),
    pytest.param(
        block(2, 9, makeup=True), [block(3, 8, begun=True)], None,
        id="a makeup may come after what has begun",
    ),
    pytest.param(
        block(2, 9), [block(3, 8, begun=True)], 3, id="anything but a makeup may not",
    ),
    pytest.param(
        block(2, 9, makeup=True), [block(3, 8, begun=True), block(4, 7)], 4,
        id="what has not begun binds a makeup",
    ),
    pytest.param(
        block(2, 3, makeup=True), [block(1, 4, begun=True)], 1,
        id="what has begun binds a makeup from the front",
    ),
    pytest.param(
        block(3, 6), [block(2, 4, begun=True), block(2, 8, makeup=True)], 2,
        id="a makeup stands for its original",
    ),
    pytest.param(
        block(3, 9), [block(2, 4, begun=True), block(2, 8, makeup=True)], None,
        id="so the next item comes after the makeup",
    ),
    pytest.param(
        block(1, 6), [block(2, 4, begun=True), block(2, 8, makeup=True)], None,
        id="and the original binds no longer",
    ),
    pytest.param(
        block(3, 6), [block(2, 4, makeup=True, begun=True), block(2, 8, makeup=True)], 2,
        id="of several makeups the last one stands",
    ),
    pytest.param(
        block(3, 5), [block(2, 4, makeup_for=8), block(2, 6, makeup_for=8)], 2,
        id="of a makeup in two halves both stand: not between them",
    ),
    pytest.param(
        block(1, 5), [block(2, 4, makeup_for=8), block(2, 6, makeup_for=8)], 2,
        id="nor behind the first of them for what comes before",
    ),
    pytest.param(
        block(1, 5), [block(2, 4, makeup_for=8), block(2, 6, makeup_for=9)], None,
        id="a makeup of a makeup stands for it alone",
    ),
    pytest.param(
        block(4, 7), [block(2, 9, makeup=True), block(3, 5, begun=True)], 2,
        id="2 and 4 do not invert around a past 3",
    ),
]  # fmt: skip


@pytest.mark.parametrize(("wanted", "there", "in_the_way"), RULES)
def test_the_rule(wanted, there, in_the_way):
    broken = violation(wanted, there)
    assert (broken.neighbour.item_id if broken else None) == in_the_way
    assert allowed_range(wanted, there).admits(wanted.span) is (in_the_way is None)


def test_a_violation_says_who_where_and_what_would_be_allowed():
    broken = violation(block(2, 9), [block(1, 4, 3, 4), block(3, 8, 5)])
    assert broken is not None
    assert broken.allowed == AllowedRange(block(1, 4, 3, 4), block(3, 8, 5))
    assert broken.reason == (
        "「项2」须排在同一任务类后面的「项3」（第8天第5-6节）之前；"
        "可放范围：晚于第4天第3-4节、早于第8天第5-6节"
    )
    before = violation(block(2, 3, 2, 2), [block(1, 4, 3, 3)])
    assert before is not None
    assert before.said(lambda b: f"[{b.item_id}]", lambda s: f"w{s.day}") == (
        "[2]须排在同一任务类前面的[1]（w4）之后；可放范围：晚于w4"
    )


def test_an_open_range_and_an_item_without_a_name_have_words_too():
    assert range_words(AllowedRange()) == "不限"
    nameless = OrderedBlock(1, 2, 2, Span(3, 1, 1))
    broken = violation(nameless, [block(1, 4)])
    assert broken is not None
    assert broken.reason.startswith("该项须排在")


@pytest.mark.parametrize(
    ("given_orders", "orders", "problems"),
    [
        ({7: 1, 8: 2}, {7: 1, 8: 2}, {}),
        ({7: 40, 8: 0, 9: 20}, {7: 40, 8: 0, 9: 20}, {}),
        ({7: 1, 8: 1, 9: None}, {7: 1, 8: 2, 9: 3},
         {7: "doubled", 8: "doubled", 9: "missing"}),
        ({9: None, 8: None, 7: 5}, {7: 1, 8: 2, 9: 3}, {8: "missing", 9: "missing"}),
        ({1: 5, 2: 5, 3: 3}, {3: 1, 1: 2, 2: 3}, {1: "doubled", 2: "doubled"}),
        ({}, {}, {}),
    ],
)  # fmt: skip
def test_missing_and_doubled_orders_take_their_stable_position(given_orders, orders, problems):
    repaired = repaired_orders(given_orders)
    assert dict(repaired.of) == orders
    assert {repair.item_id: repair.problem for repair in repaired.repairs} == problems
    assert all(repair.order == orders[repair.item_id] for repair in repaired.repairs)
    assert all(repair.given == given_orders[repair.item_id] for repair in repaired.repairs)


@some
@given(st.dictionaries(st.integers(1, 30), st.none() | st.integers(0, 6), max_size=8))
def test_repaired_orders_are_different_and_keep_what_was_said(orders):
    repaired = repaired_orders(orders).of
    assert len(set(repaired.values())) == len(orders)
    said = [item for item in orders if orders[item] is not None]
    for one in said:
        for other in said:
            if orders[one] < orders[other]:
                assert repaired[one] < repaired[other]


def test_a_set_of_final_placements_is_judged_together():
    swapped = [block(1, 5), block(2, 4)]
    found = violations(swapped)
    assert [(v.wanted.item_id, v.neighbour.item_id) for v in found] == [(1, 2), (2, 1)]
    assert [v.wanted.item_id for v in violations(swapped, only=[swapped[1]])] == [2]
    assert violations([block(1, 4), block(2, 5), block(1, 9, of=2)]) == ()


def test_history_that_a_makeup_stands_for_is_not_judged():
    final = [block(1, 4), block(2, 2, begun=True), block(2, 6, makeup=True), block(3, 9)]
    assert violations(final) == ()


def test_both_halves_of_a_makeup_are_judged():
    halves = [block(2, 3, makeup_for=8), block(2, 6, makeup_for=8)]
    found = violations([block(1, 4), block(2, 2, begun=True), *halves, block(3, 9)])
    assert [(one.wanted.item_id, one.wanted.span.day) for one in found] == [(1, 4), (2, 3)]
    assert violations([block(1, 1), *halves, block(3, 9)]) == ()


def test_two_makeups_in_one_place_are_judged_alike_in_any_order():
    twins = [block(3, 2, makeup=True, begun=True), block(3, 2, makeup=True)]
    for blocks in (twins, twins[::-1]):
        assert violation(block(1, 2, makeup=True), blocks) is not None


def test_a_makeup_behind_what_has_begun_is_no_violation_on_either_side():
    assert violations([block(2, 9, makeup=True), block(3, 8, begun=True), block(4, 10)]) == ()


def any_block() -> st.SearchStrategy[OrderedBlock]:
    return st.builds(
        lambda item, day, first, makeup, begun, makeup_for: block(
            item,
            day,
            first,
            order=item // 2,
            makeup=makeup,
            begun=begun,
            makeup_for=makeup_for if makeup else None,
        ),
        st.integers(1, 6),
        st.integers(1, 4),
        st.integers(1, 8),
        st.booleans(),
        st.booleans(),
        st.none() | st.integers(1, 2),
    )


@some
@given(st.lists(any_block(), max_size=9))
def test_the_line_up_says_for_all_what_the_rule_says_for_each(blocks):
    made = [(b.item_id, (b.span, b.makeup_for or 0)) for b in blocks if b.makeup]
    last = {item: max(one for of, one in made if of == item) for item, _ in made}
    for one, allowed in zip(blocks, lineup(blocks), strict=True):
        is_last = (one.span, one.makeup_for or 0) == last.get(one.item_id)
        is_half = one.makeup_for is not None and one.makeup_for == last[one.item_id][1]
        stands = one.item_id not in last or (one.makeup and (is_last or is_half))
        if allowed is not None:
            assert stands
            expected = allowed_range(one, blocks)
            for got, wanted in ((allowed.after, expected.after), (allowed.before, expected.before)):
                assert (got and got.span) == (wanted and wanted.span)
        elif stands:
            assert blocks.count(one) > 1 or any(
                o.item_id == one.item_id and o.span == one.span and o is not one for o in blocks
            )


@some
@given(st.lists(any_block(), max_size=7), any_block(), st.randoms(use_true_random=False))
def test_the_order_of_the_input_decides_nothing(blocks, wanted, dice):
    first = violation(wanted, blocks)
    shuffled = blocks.copy()
    dice.shuffle(shuffled)
    again = violation(wanted, shuffled)
    assert (first and first.reason) == (again and again.reason)


def test_what_is_allowed_is_exactly_what_keeps_everyone_in_order():
    there = [block(1, 2, 3, 4), block(4, 4, 3, 4), block(5, 5, 1, 2)]
    for day in range(1, 7):
        for first in range(1, 12):
            wanted = block(3, day, first)
            in_order = sorted([*there, wanted], key=lambda b: b.rank)
            apart = all(one.span.end < other.span.start for one, other in pairwise(in_order))
            assert (violation(wanted, there) is None) is apart


def test_only_one_arrangement_of_a_class_is_in_order():
    days = [3, 5, 8, 9]
    legal = [
        order
        for order in permutations(range(1, 5))
        if not violations([block(item, day) for item, day in zip(order, days, strict=True)])
    ]
    assert legal == [(1, 2, 3, 4)]


def test_orders_of_items_come_out_the_same_in_any_order_of_the_input():
    given_orders = {item: item % 3 for item in range(20)}
    dice = random.Random(4)
    shuffled = list(given_orders.items())
    dice.shuffle(shuffled)
    assert repaired_orders(dict(shuffled)) == repaired_orders(given_orders)
