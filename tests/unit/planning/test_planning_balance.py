"""evaluate_balance: the criterion to stop. Spec: planning.md, Health."""

import random
import statistics
from dataclasses import replace

import pytest

from libs.planning.balance import (
    DoneReason,
    evaluate_balance,
    faults,
    open_loads,
    variance,
)
from libs.planning.moves import Written, move, swap
from libs.planning.state import PlanningState, Status, Task
from tests.unit.planning.planning_states import course, guest_in, item, span, state


def test_the_variance_is_that_of_the_taken_sections_of_each_day_from_today_on():
    found = state(
        course(1, span(1, 1, 6)), course(2, span(3, 1, 4)), item(3, span(5, 1)),
        days=6, open_from=(3, 5),
    )  # fmt: skip
    loads = [4, 0, 2, 0]
    assert open_loads(found) == loads
    balance = evaluate_balance(found)
    assert balance.load_variance == pytest.approx(statistics.pvariance(loads))
    assert balance.max_day_load == 4
    assert variance([]) == 0.0


def test_a_guest_and_its_host_are_one_load():
    host, guest = guest_in(course(1, span(1, 1, 4), embeddable=True), item(2, span(1, 1)))
    assert open_loads(state(host, guest, days=2)) == [4, 0]


LEVEL = [course(n, span(n, 1, 2)) for n in range(1, 4)]


@pytest.mark.parametrize(
    ("tasks", "reason", "counts"),
    [
        ([item(11, span(1, 1))], DoneReason.HARD_CONFLICTS, (1, 0, 0)),
        ([item(11, span(2, 3)), item(12, span(1, 3))], DoneReason.ORDER_BROKEN, (0, 1, 0)),
        ([item(11)], DoneReason.PENDING_LEFT, (0, 0, 1)),
        ([item(11, span(1, 3)), item(12, span(1, 5))], DoneReason.CAN_BE_LEVELLED, (0, 0, 0)),
        ([item(11, span(1, 3)), item(12, span(2, 3)), item(13, span(3, 3))],
         DoneReason.LEVEL, (0, 0, 0)),
    ],
)  # fmt: skip
def test_done_iff_nothing_is_broken_or_waits_and_no_move_is_worth_it(tasks, reason, counts):
    balance = evaluate_balance(state(*LEVEL, *tasks, days=3))
    found = (balance.hard_conflict_count, balance.order_violation_count, balance.pending_count)
    assert (balance.reason_code, found) == (reason, counts)
    assert balance.done_suggestion is (reason is DoneReason.LEVEL)
    assert balance.reason
    assert (balance.levelling is not None) is (reason is DoneReason.CAN_BE_LEVELLED)


def test_the_reasons_are_facts_in_chinese():
    tasks = [item(11, span(1, 3)), item(12, span(1, 5))]
    words = evaluate_balance(state(*LEVEL, *tasks, days=3)).reason
    assert words == "还有合法的移动能把每日负载方差从3.56降到0.89"
    assert evaluate_balance(state(*LEVEL, days=3)).reason.startswith("没有冲突")
    assert evaluate_balance(state(*LEVEL, item(11), days=3)).reason == "还有1项待安排"


def test_courses_and_written_tasks_are_no_reason_to_go_on():
    fixed = item(11, span(1, 3, 8), status=Status.EXISTING)
    assert evaluate_balance(state(*LEVEL, fixed, days=3)).done_suggestion


def test_what_the_order_forbids_is_no_reason_to_go_on():
    # Item 1 must stay before item 2, which is written and lies on the first day.
    tasks = [item(1, span(1, 1)), item(2, span(1, 3), status=Status.EXISTING)]
    assert evaluate_balance(state(*tasks, days=3)).done_suggestion
    assert not evaluate_balance(state(tasks[0], days=3)).pending_count


def test_a_window_that_is_over_is_done():
    balance = evaluate_balance(state(item(1, span(1, 1)), days=2, open_from=(3, 1)))
    assert (balance.done_suggestion, balance.load_variance, balance.max_day_load) == (True, 0.0, 0)


def test_a_move_into_a_host_counts_and_names_it():
    full = [course(n, span(n, 1, 12)) for n in (1, 3)]
    host = course(2, span(2, 1, 12), embeddable=True)
    spare = course(4, span(4, 1, 10))
    balance = evaluate_balance(state(*full, host, spare, item(5, span(4, 11)), days=4))
    assert balance.levelling is None
    lone = course(4, span(4, 1, 12))
    crowded = state(course(6, span(1, 1, 2)), host, item(5, span(1, 3, 12)), days=2)
    assert evaluate_balance(crowded).levelling is None
    assert lone.locked


def every_move(found: PlanningState):
    for task in found.tasks.values():
        for day in range(1, found.window.total_days + 1):
            for first in range(1, 13):
                outcome = move(found, task.state_id, day, first)
                if isinstance(outcome, Written):
                    yield outcome.state


def some_state(dice: random.Random) -> PlanningState:
    days = dice.randint(2, 4)
    host = course(1, span(dice.randint(1, days), 1, 4), embeddable=True)
    tasks: list[Task] = [host, course(2, span(dice.randint(1, days), 5, 5 + dice.randint(1, 7)))]
    at = sorted(dice.sample([(d, f) for d in range(1, days + 1) for f in (5, 7, 9, 11)], 4))
    for number, (day, first) in enumerate(at, start=3):
        one = item(number, span(day, first, first + dice.randint(0, 1)), of=number % 2)
        candidate = [*tasks, one]
        if not any(view.conflicts for view in state(*candidate, days=days).days):
            tasks = candidate
    if dice.random() < 0.5:
        lies = replace(host, embedded_by=(9,))
        guest = replace(item(9, span(host.slots[0].day, 1, 2), of=None), embed_host=1)
        tasks = [lies, *tasks[1:], guest]
    return state(*tasks, days=days, open_from=(1, dice.choice((1, 1, 6))))


def test_the_best_move_is_the_best_of_all_legal_moves():
    dice = random.Random(5)
    levelled = 0
    for _ in range(30):
        found = some_state(dice)
        assert faults(found) == (0, 0)
        now = variance(open_loads(found))
        least = min((variance(open_loads(new)) for new in every_move(found)), default=now)
        balance = evaluate_balance(found)
        if least <= now * 0.98 and now > 0:
            levelled += 1
            assert balance.levelling is not None
            assert balance.levelling.variance == pytest.approx(least)
            at = balance.levelling.span
            made = move(found, balance.levelling.task_id, at.day, at.first)
            assert isinstance(made, Written)
            assert variance(open_loads(made.state)) == pytest.approx(least)
            host = made.state.tasks[balance.levelling.task_id].embed_host
            assert host == balance.levelling.host_id
        else:
            assert balance.done_suggestion
    assert levelled >= 8


def test_no_swap_changes_the_variance():
    dice = random.Random(6)
    swapped = 0
    for _ in range(40):
        found = some_state(dice)
        for one in found.tasks:
            for other in found.tasks:
                outcome = swap(found, one, other)
                if isinstance(outcome, Written):
                    swapped += 1
                    assert open_loads(outcome.state) == open_loads(found)
    assert swapped >= 20
