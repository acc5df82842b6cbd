"""A model that only ever takes the first candidate comes to an end, and reads little on the way."""

import random
from collections.abc import Callable

import pytest

from libs.planning.balance import Balance
from libs.planning.health import Health
from libs.planning.state import PlanningState, Status
from services.agent.tools import bounds, offering, registry
from services.agent.tools.bounds import Bounds
from services.agent.tools.result import Candidates, ToolResult
from tests.unit.agent.tools.plans import course, plan, task, window
from tests.unit.agent.tools.rough_built import rough_built
from tests.unit.agent.tools.seeded import seeded
from tests.unit.agent.tools.soundness import faults

MOST_CALLS = 20
SEEDS = range(50)


class Run:
    """One run over a plan: what was called, what it cost, how the variance went."""

    def __init__(self, state: PlanningState, limits: Bounds | None = None) -> None:
        self.state = state
        self.limits = limits or Bounds()
        self.calls = 0
        self.texts: list[str] = []
        self.variances: list[float] = []

    def call(self, name: str, **arguments: object) -> ToolResult:
        self.calls += 1
        assert self.calls <= 3 * MOST_CALLS, "no end in sight"
        result = registry.call(self.state, name, arguments)
        result = bounds.bounded(self.state, result, self.limits)
        self.texts.append(result.text)
        self.state = result.state
        return result

    def balance(self) -> Balance:
        """Asks whether it is enough."""
        found = self.call("evaluate_balance").facts
        assert isinstance(found, Balance)
        self.variances.append(found.load_variance)
        return found


def by_free_places(run: Run) -> None:
    """Moves the task that the balance names to candidate 1 of find_first_free.

    To where the balance said where that is inside a course, or where the class forbids the other.
    """
    while not (found := run.balance()).done_suggestion:
        assert found.levelling is not None
        task_id, said = found.levelling.task_id, found.levelling.span
        spans = [said]
        if found.levelling.host_id is None:
            length = run.state.tasks[task_id].length
            candidates = run.call("find_first_free", duration=length).facts
            assert isinstance(candidates, Candidates)
            spans.insert(0, candidates.best[0].span)
        for span in spans:
            moved = run.call("move", task_id=task_id, new_day=span.day, new_slot_start=span.first)
            if moved.is_ok:
                break


def by_checked_candidates(run: Run) -> None:
    """Takes candidate 1 of analyze_health, whatever it is."""
    while not run.balance().done_suggestion:
        health = run.call("analyze_health").facts
        assert isinstance(health, Health)
        first = health.candidates[0]
        if first.partner_id is not None:
            done = run.call("swap", task_a=first.task_id, task_b=first.partner_id)
        else:
            span = first.span
            done = run.call(
                "move", task_id=first.task_id, new_day=span.day, new_slot_start=span.first
            )
        assert done.is_ok, done.text


def nearly_done(state: PlanningState, seed: int) -> PlanningState:
    """A rough plan that was levelled, and in which three tasks were then put elsewhere."""
    state = registry.call(state, "spread_even", {}).state
    chance, moved, days = random.Random(seed), 0, state.window.total_days
    while moved < 3:
        task_id = chance.choice(state.with_status(Status.SUGGESTED)).state_id
        where = {"new_day": chance.randint(2, days), "new_slot_start": chance.randint(1, 10)}
        result = registry.call(state, "move", {"task_id": task_id, **where})
        moved += bool(result.changed)
        state = result.state
    return state


@pytest.mark.parametrize("seed", SEEDS)
@pytest.mark.parametrize("hosts", [False, True], ids=["no_hosts", "hosts"])
@pytest.mark.parametrize(
    "script", [by_free_places, by_checked_candidates], ids=["find_first_free", "analyze_health"]
)
def test_whoever_takes_candidate_one_is_done_within_twenty_calls_and_never_makes_it_worse(
    script: Callable[[Run], None], hosts: bool, seed: int
) -> None:
    rough = seeded(seed, days=21, items=7, wait=False, hosts=hosts)
    run = Run(nearly_done(rough, seed))

    script(run)

    assert run.calls <= MOST_CALLS
    assert run.variances == sorted(run.variances, reverse=True)
    assert faults(run.state) == []


def put_elsewhere(state: PlanningState, limits: Bounds, seed: int) -> PlanningState:
    """Three tasks elsewhere, where their classes allow it."""
    chance, moved = random.Random(seed), 0
    while moved < 3:
        task_id = chance.choice(state.with_status(Status.SUGGESTED)).state_id
        where = {"new_day": chance.randint(1, 21), "new_slot_start": chance.randint(1, 10)}
        result = registry.call(state, "move", {"task_id": task_id, **where})
        result = bounds.bounded(state, result, limits)
        moved += bool(result.changed)
        state = result.state
    return state


@pytest.mark.parametrize("seed", SEEDS)
@pytest.mark.parametrize("elsewhere", [False, True], ids=["as_built", "three_elsewhere"])
@pytest.mark.parametrize(
    "script", [by_free_places, by_checked_candidates], ids=["find_first_free", "analyze_health"]
)
def test_a_rough_build_within_the_rules_of_its_classes_is_done_within_twenty_calls(
    script: Callable[[Run], None], elsewhere: bool, seed: int
) -> None:
    built, limits = rough_built(seed)
    state = bounds.within(built, limits)
    run = Run(put_elsewhere(state, limits, seed) if elsewhere else state, limits)

    script(run)

    assert run.calls <= MOST_CALLS
    assert run.variances == sorted(run.variances, reverse=True)
    assert faults(run.state) == []


@pytest.mark.parametrize("seed", range(0, 400, 8))
def test_a_plan_that_can_be_levelled_is_never_called_closed(seed: int) -> None:
    state = seeded(seed, wait=False)

    balance = registry.call(state, "evaluate_balance", {}).facts
    health = registry.call(state, "analyze_health", {}).facts

    assert isinstance(balance, Balance)
    assert isinstance(health, Health)
    if not balance.done_suggestion:
        assert health.decision.action == "select_candidate"
        assert health.candidates[0].after.variance <= balance.load_variance


def tokens(text: str) -> int:
    """A cautious estimate: one for each Chinese letter, one for every three others."""
    chinese = sum(letter > "\u2e80" for letter in text)
    return chinese + -(-(len(text) - chinese) // 3)


def sixty_tasks() -> PlanningState:
    """Six courses and 54 items of four weeks, more of them in the first two than in the others."""
    courses = [
        course(number, f"第{number}门课程", *((number + week, 1, 2) for week in (0, 7, 14, 21)))
        for number in range(1, 7)
    ]
    items = []
    for number in range(54):
        class_id, order = number % 6 + 1, number // 6 + 1
        day = 1 + order * 2 + (order > 6) * 6
        first = 3 + 2 * (number % 5) if number % 6 < 5 else 3
        day += number % 6 == 5
        items.append(
            task(
                7 + number,
                f"第{order}讲 复习与习题",
                f"线性代数{class_id}",
                Status.SUGGESTED,
                (day, first, first + 1),
                of=(class_id, order),
            )
        )
    return plan(*courses, *items, in_window=window(28))


def by_spreading(run: Run) -> None:
    """Spreads once, then asks."""
    run.call("spread_even")
    run.balance()


@pytest.mark.parametrize(
    ("script", "state"),
    [
        (by_spreading, sixty_tasks()),
        (by_free_places, nearly_done(sixty_tasks(), 1)),
        (by_checked_candidates, nearly_done(sixty_tasks(), 2)),
    ],
    ids=["spread_even", "find_first_free", "analyze_health"],
)
def test_the_texts_of_a_whole_run_over_sixty_tasks_are_short(
    script: Callable[[Run], None], state: PlanningState
) -> None:
    run = Run(state)
    assert len(state.tasks) == 60
    assert faults(state) == []

    run.call("get_overview")
    run.call("list_tasks", status="suggested")
    run.call("analyze_health")
    script(run)

    assert "可结束" in run.texts[-1]
    assert sum(map(tokens, run.texts)) < 6_000
    assert tokens(offering.listing(registry.SCHEDULE_TOOLS)) < 600
