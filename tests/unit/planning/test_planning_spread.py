"""spread_even: levels day loads by an assignment that keeps class order. Spec: tools.md."""

import random
from dataclasses import replace

import pytest

from libs.planning.balance import faults, open_loads, variance
from libs.planning.moves import MoveCode, Refused
from libs.planning.spread import Spread, spread_even
from libs.planning.state import PlanningState, Status, Task
from tests.unit.planning.planning_states import course, guest_in, item, span, state


def spread(found: PlanningState, *arguments) -> Spread:
    outcome = spread_even(found, *arguments)
    assert isinstance(outcome, Spread), outcome
    return outcome


def clumped(count: int = 6, *, of: int = 1, first_id: int = 1, day: int = 1) -> list[Task]:
    places = [(day + n // 6, 2 * (n % 6) + 1) for n in range(count)]
    return [item(first_id + n, span(at, first), of=of) for n, (at, first) in enumerate(places)]


def test_a_clump_is_levelled_and_its_order_kept():
    outcome = spread(state(*clumped(6), days=6))
    assert open_loads(outcome.state) == [2] * 6
    assert [outcome.state.tasks[n].slots[0].day for n in range(1, 7)] == [1, 2, 3, 4, 5, 6]
    assert outcome.variance_before > outcome.variance_after == 0.0
    assert outcome.changed == (2, 3, 4, 5, 6)
    assert faults(outcome.state) == (0, 0)


def test_nothing_to_gain_changes_nothing():
    level = state(*(item(n, span(n, 1)) for n in range(1, 5)), days=4)
    outcome = spread(level)
    assert outcome.state is level
    assert outcome.changed == ()
    assert outcome.variance_before == outcome.variance_after
    again = spread(outcome.state)
    assert again.state is level
    empty = state(days=3)
    assert spread(empty).state is empty


def test_only_suggested_single_blocks_of_no_host_are_touched():
    host, guest = guest_in(course(1, span(1, 1, 2), embeddable=True), item(2, span(1, 1), of=2))
    two = replace(item(5, span(1, 9), of=None), slots=(span(1, 9), span(1, 11)))
    found = state(
        host, guest, course(3, span(1, 3)), item(4, span(1, 5), of=None, status=Status.EXISTING),
        two, item(6, span(1, 7), of=None), item(7, of=None), days=4,
    )  # fmt: skip
    outcome = spread(found)
    assert outcome.changed == (6,)


def test_a_block_that_has_begun_or_bridges_a_break_stays():
    found = state(
        item(1, span(1, 1), of=None), item(2, span(1, 4, 5), of=None), item(3, span(1, 9), of=None),
        days=3, open_from=(1, 2),
    )  # fmt: skip
    assert spread(found).changed == (3,)


def test_days_and_ids_narrow_it():
    found = state(*clumped(6), *clumped(4, of=2, first_id=11, day=2), days=8)
    in_days = spread(found, None, 1, 3)
    assert {in_days.state.tasks[n].slots[0].day for n in in_days.changed} <= {1, 2, 3}
    named = spread(found, [5, 6])
    assert set(named.changed) <= {5, 6}
    assert named.variance_after < named.variance_before
    brought = spread(found, [6, 6], 7, 8)
    assert brought.changed == (6,)
    assert brought.state.tasks[6].slots[0].day in (7, 8)


@pytest.mark.parametrize(
    ("arguments", "code"),
    [
        ((None, 0, 3), MoveCode.OUT_OF_RANGE),
        ((None, 3, 2), MoveCode.OUT_OF_RANGE),
        ((None, 1, 9), MoveCode.OUT_OF_RANGE),
        ((None, -1, None), MoveCode.OUT_OF_RANGE),
        (([77], None, None), MoveCode.UNKNOWN_TASK),
        (([2], None, None), MoveCode.COURSE),
        (([3], None, None), MoveCode.WRONG_STATUS),
    ],
)
def test_what_cannot_be_spread_is_refused(arguments, code):
    outcome = spread_even(
        state(item(1, span(1, 1)), course(2, span(2, 1)), item(3), days=8), *arguments
    )
    assert isinstance(outcome, Refused)
    assert outcome.code is code


def test_what_stays_bounds_what_goes():
    written = item(3, span(2, 1), status=Status.EXISTING)
    tasks = [
        item(1, span(1, 1)),
        item(2, span(1, 3)),
        written,
        item(4, span(2, 3)),
        item(5, span(2, 5)),
    ]
    outcome = spread(state(*tasks, days=6))
    days = [outcome.state.tasks[n].slots[0] for n in range(1, 6)]
    assert days == sorted(days)
    assert outcome.state.tasks[3] == written
    assert faults(outcome.state) == (0, 0)
    assert outcome.changed


def test_tasks_of_one_class_and_different_lengths_do_not_pass_each_other():
    tasks = [item(n, span(1, 2 * n - 1, 2 * n - 1 + n % 2)) for n in range(1, 7)]
    outcome = spread(state(*tasks, days=5))
    assert outcome.changed
    assert faults(outcome.state) == (0, 0)


def test_who_stays_on_a_day_keeps_its_place_there():
    tasks = [item(1, span(1, 5), of=1), item(2, span(1, 9), of=2), item(3, span(2, 3), of=3)]
    outcome = spread(state(*tasks, days=3))
    for task_id in {1, 2, 3} - set(outcome.changed):
        assert outcome.state.tasks[task_id] == tasks[task_id - 1]
    assert len(outcome.changed) == 1


def test_a_day_is_packed_anew_where_a_newcomer_needs_it():
    # Day 2 has room for two sections only if the one that is there moves aside.
    stays = [course(10, span(2, 1, 4)), course(11, span(2, 9, 12)), course(12, span(2, 5, 5))]
    other = item(3, span(2, 7, 7), of=2, length=1)
    tasks = [item(1, span(1, 1), of=1), item(2, span(1, 3, 12), of=3)]
    outcome = spread(state(*stays, other, *tasks, days=2))
    assert faults(outcome.state) == (0, 0)


def some_state(dice: random.Random) -> PlanningState:
    days = dice.randint(3, 9)
    cells = {(d, s) for d in range(1, days + 1) for s in range(1, 13)}
    tasks: list[Task] = []
    pairs = [(d, 2 * p + 1) for d in range(1, days + 1) for p in range(6)]
    for number, (day, first) in enumerate(dice.sample(pairs, 3), start=1):
        tasks.append(course(number, span(day, first)))
        cells -= {(day, first), (day, first + 1)}
    last: dict[int, tuple[int, int]] = {}
    for number in range(4, dice.randint(8, 24)):
        of = dice.randint(1, 3)
        length = dice.choice((1, 2, of))
        starts = [
            (d, s) for d, s in sorted(cells)
            if (d, s) > last.get(of, (0, 0)) and d <= (days + 1) // 2 + 1
            and all((d, s + n) in cells for n in range(length))
        ]  # fmt: skip
        if not starts:
            continue
        day, first = starts[min(dice.randint(0, 3), len(starts) - 1)]
        status = Status.EXISTING if dice.random() < 0.2 else Status.SUGGESTED
        kind = None if dice.random() < 0.1 else of
        tasks.append(item(number, span(day, first, first + length - 1), of=kind, status=status))
        cells -= {(day, first + n) for n in range(length)}
        last[of] = day, first + length - 1
    return state(*tasks, days=days)


def test_whatever_is_spread_the_variance_never_rises_and_the_plan_stays_sound():
    dice = random.Random(9)
    gained = 0
    for _ in range(60):
        found = some_state(dice)
        before = faults(found)
        outcome = spread(found)
        assert outcome.variance_after == variance(open_loads(outcome.state))
        assert outcome.variance_after <= outcome.variance_before
        assert faults(outcome.state) == before == (0, 0)
        assert (outcome.state is found) is (not outcome.changed)
        gained += bool(outcome.changed)
        for task_id, task in outcome.state.tasks.items():
            assert (task == found.tasks[task_id]) is (task_id not in outcome.changed)
            if task_id in outcome.changed:
                at = task.slots[0]
                assert not found.window.clock.crosses_break(at.first, at.last)
    assert gained >= 25


def test_a_plan_with_conflicts_gets_no_more_of_them():
    tasks = [course(9, span(1, 1, 4)), *clumped(6)]
    outcome = spread(state(*tasks, days=5))
    assert faults(state(*tasks, days=5)) == (2, 0)
    assert faults(outcome.state) == (0, 0)


def test_a_plan_that_is_out_of_order_and_in_conflict_is_left_to_others():
    # The two would have to change days, and neither day has room for the other.
    tasks = [
        course(9, span(1, 1, 12)), course(8, span(2, 1, 12)),
        item(1, span(2, 1)), item(2, span(1, 1)),
    ]  # fmt: skip
    found = state(*tasks, days=2)
    assert spread(found).state is found


def test_equal_states_are_spread_equally():
    dice = random.Random(10)
    found = some_state(dice)
    tasks = list(found.tasks.values())
    results = set()
    for _ in range(10):
        dice.shuffle(tasks)
        results.add(repr(spread(PlanningState(found.window, tasks)).state))
    assert len(results) == 1
