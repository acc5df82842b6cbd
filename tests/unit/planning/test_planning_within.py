"""Bounds of task classes in a planning state: what looks for places by itself stays within.

Spec: planning.md, Health; tools.md, spread_even.
"""

import random

import pytest

from libs.planning.allowance import Allowance
from libs.planning.balance import evaluate_balance, open_loads, variance
from libs.planning.health import analyze_health
from libs.planning.moves import Written, move, swap
from libs.planning.spread import Spread, spread_even
from libs.planning.state import PlanningState, Status
from libs.planning.tightness import Ways, count_ways
from tests.unit.planning.planning_states import course, item, span, state
from tests.unit.planning.test_planning_balance import some_state
from tests.unit.planning.test_planning_spread import some_state as some_spread

WHOLE = (1 << 12) - 1


def bounded(dice: random.Random, found: PlanningState) -> PlanningState:
    """The state within bounds by chance; some classes have none."""
    return found.within(
        {
            class_id: Allowance(
                tuple(
                    dice.choice((0, WHOLE, WHOLE & ~0xF0, dice.getrandbits(12)))
                    for _ in range(found.window.total_days)
                ),
                in_hosts=dice.random() < 0.5,
            )
            for class_id in (*found.class_ids(), None)
            if dice.random() < 0.8
        }
    )


def lies_within(found: PlanningState, new: PlanningState, task_id: int) -> bool:
    task = new.tasks[task_id]
    allowance = found.allowance_of(task.task_class_id)
    in_host = task.embed_host is not None
    return allowance is None or all(allowance.admits(at, in_host=in_host) for at in task.slots)


def moves_within(found: PlanningState) -> list[PlanningState]:
    made = (
        (task, move(found, task, day, first))
        for task in found.tasks
        for day in range(1, found.window.total_days + 1)
        for first in range(1, 13)
    )
    return [
        outcome.state
        for task, outcome in made
        if isinstance(outcome, Written)
        and outcome.state.tasks[task].slots != found.tasks[task].slots
        and lies_within(found, outcome.state, task)
    ]


def swaps_within(found: PlanningState) -> int:
    made = (
        (one, other, swap(found, one, other))
        for one in found.tasks
        for other in found.tasks
        if one < other
    )
    return sum(
        isinstance(outcome, Written)
        and lies_within(found, outcome.state, one)
        and lies_within(found, outcome.state, other)
        for one, other, outcome in made
    )


def test_only_ways_within_the_bounds_are_counted():
    dice = random.Random(21)
    for _ in range(40):
        found = bounded(dice, some_state(dice))
        ways = count_ways(found)
        assert (ways.moves, ways.swaps) == (len(moves_within(found)), swaps_within(found))


def test_the_best_move_is_the_best_within_the_bounds():
    dice = random.Random(22)
    levelled = done = 0
    for _ in range(60):
        found = bounded(dice, some_state(dice))
        now = variance(open_loads(found))
        least = min((variance(open_loads(new)) for new in moves_within(found)), default=now)
        balance = evaluate_balance(found)
        if least <= now * 0.98 and now > 0:
            levelled += 1
            assert balance.levelling is not None
            assert balance.levelling.variance == pytest.approx(least)
        else:
            done += 1
            assert balance.done_suggestion
    assert levelled >= 8
    assert done >= 8


def test_candidates_lie_within_the_bounds():
    dice = random.Random(23)
    offered = 0
    for _ in range(60):
        found = bounded(dice, some_state(dice))
        for one in analyze_health(found).candidates:
            offered += 1
            outcome = (
                move(found, one.task_id, one.span.day, one.span.first)
                if one.partner_id is None
                else swap(found, one.task_id, one.partner_id)
            )
            assert isinstance(outcome, Written)
            assert all(lies_within(found, outcome.state, task) for task in outcome.changed)
    assert offered >= 30


def test_what_is_spread_lies_within_the_bounds():
    dice = random.Random(24)
    gained = 0
    for _ in range(60):
        found = bounded(dice, some_spread(dice))
        outcome = spread_even(found)
        assert isinstance(outcome, Spread)
        gained += bool(outcome.changed)
        assert outcome.variance_after <= outcome.variance_before
        for task_id in outcome.changed:
            before, after = found.tasks[task_id].slots, outcome.state.tasks[task_id].slots
            assert lies_within(found, outcome.state, task_id) or before[0].day == after[0].day
    assert gained >= 15


def test_what_waits_has_a_place_only_within_its_bounds():
    waits = state(item(1), days=2)
    nowhere = {1: Allowance((0, 0))}
    late = {1: Allowance((0, 0b1100))}
    assert analyze_health(waits).feasibility.without_place == ()
    assert analyze_health(waits.within(nowhere)).feasibility.without_place == (1,)
    assert analyze_health(waits.within(late)).feasibility.without_place == ()


def test_a_class_that_takes_no_guest_places_is_not_sent_into_courses():
    host = course(5, span(2, 1, 2), embeddable=True)
    inside = state(item(1, span(1, 1)), item(2, span(1, 3)), host, days=2)
    assert evaluate_balance(inside).levelling.host_id == 5
    outside = inside.within({1: Allowance((WHOLE, WHOLE), in_hosts=False)})
    assert evaluate_balance(outside).done_suggestion


def test_bounds_are_no_part_of_what_is_planned():
    plain = state(item(1, span(1, 1)), days=2)
    found = plain.within({1: Allowance((WHOLE, 0))})
    assert found == plain
    assert repr(found) == repr(plain)
    assert count_ways(found) == Ways(1, 10, 0)
    # What is asked for by name is for whoever asks to judge.
    moved = move(found, 1, 2, 1)
    assert isinstance(moved, Written)
    assert moved.state.allowance_of(1) is found.allowance_of(1)
    assert moved.state.tasks[1].status is Status.SUGGESTED
    assert plain.allowance_of(1) is None
