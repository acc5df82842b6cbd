"""analyze_health. Spec: planning.md, Health."""

import random
from dataclasses import replace

import pytest

from libs.planning.balance import evaluate_balance, faults
from libs.planning.health import (
    Action,
    DecisionReason,
    Dimension,
    IssueCode,
    RoomTaker,
    Severity,
    analyze_health,
)
from libs.planning.moves import Written, move, swap
from libs.planning.openings import all_swappable, is_movable
from libs.planning.rhythm import DayRhythm, day_limit, rhythm, rhythm_of
from libs.planning.simulate import Effect, Measure
from libs.planning.state import Intensity, PlanningState, Status
from libs.planning.thresholds import THRESHOLDS
from libs.planning.tightness import Tightness, Ways, count_ways
from tests.unit.planning.planning_states import course, guest_in, item, span, state
from tests.unit.planning.test_planning_balance import some_state

HIGH = Intensity.HIGH


def test_feasibility_tells_the_gap_and_who_takes_the_room():
    full = [course(n, span(n, 1, 11)) for n in (1, 2)]
    found = state(
        *full, item(11, span(1, 12, 12), of=2), item(12, length=2), item(13, length=1, of=3), days=2
    )
    health = analyze_health(found)
    assert health.feasibility is not None
    assert (health.feasibility.needed, health.feasibility.free) == (3, 1)
    assert health.feasibility.capacity_gap == 2
    assert health.feasibility.without_place == (12,)
    assert health.feasibility.takers == (RoomTaker("课程", 22), RoomTaker("类2", 1))
    assert not health.feasibility.is_feasible
    assert (health.decision.action, health.decision.reason) == (
        Action.ASK_USER, DecisionReason.INFEASIBLE,
    )  # fmt: skip
    codes = [issue.code for issue in health.issues]
    assert codes[:3] == [IssueCode.CAPACITY_GAP, IssueCode.NO_PLACE, IssueCode.PENDING_LEFT]
    assert {i.severity for i in health.issues[:3]} == {Severity.HIGH}


def test_a_place_that_the_order_forbids_is_none():
    tasks = [item(1, length=2), item(2, span(1, 1), status=Status.EXISTING)]
    health = analyze_health(state(*tasks, days=2))
    assert health.feasibility is not None
    assert health.feasibility.without_place == (1,)
    free = analyze_health(state(item(1, length=2, of=None), days=2))
    assert free.feasibility is not None
    assert free.feasibility.is_feasible
    assert free.decision.reason is DecisionReason.PENDING_LEFT


def test_the_rhythm_of_a_day():
    found = state(
        course(1, span(1, 1)),
        item(2, span(1, 3), of=1, intensity=HIGH),
        item(3, span(1, 5), of=1, order=3, intensity=HIGH),
        item(4, span(1, 7, 7), of=2, intensity=HIGH),
        item(5, span(1, 10, 11), of=2, order=5, intensity=HIGH),
        days=2,
    )
    assert rhythm(found) == (DayRhythm(1, 9, 2, 7, 2),)
    assert rhythm_of(2, found.day(2)) == DayRhythm(2, 0, 0, 0, 0)


def test_a_host_with_a_guest_is_the_guests_time():
    host, guest = guest_in(
        course(1, span(1, 1, 4), embeddable=True), item(2, span(1, 3), intensity=HIGH)
    )
    other = item(3, span(1, 5), intensity=HIGH)
    assert rhythm(state(host, guest, other)) == (DayRhythm(1, 6, 0, 6, 1),)
    plain = course(1, span(1, 1, 4), embeddable=True)
    assert rhythm(state(plain, item(3, span(1, 5), intensity=HIGH)))[0].switches == 1


def test_days_that_are_past_are_not_looked_at():
    found = state(course(1, span(1, 1, 12)), course(2, span(2, 1, 12)), open_from=(2, 1))
    assert [day.day for day in rhythm(found)] == [2]


def test_every_threshold_stands_in_one_table():
    day = DayRhythm(1, THRESHOLDS.day_load, THRESHOLDS.switches, THRESHOLDS.run, 0)
    assert day.excess(12) == 0
    for field in ("load", "switches", "longest_run", "heavy_neighbours"):
        assert replace(day, **{field: getattr(day, field) + 1}).excess(12) == 1
    assert (day_limit(12), day_limit(14), day_limit(10)) == (10, 11, 8)


def test_issues_name_the_day_and_how_much():
    tasks = [item(n, span(1, 2 * n - 1), of=n, intensity=HIGH) for n in range(1, 7)]
    found = state(*tasks, course(9, span(2, 1)), days=2)
    issues = {issue.code: issue for issue in analyze_health(found).issues}
    assert (issues[IssueCode.FULL_DAY].day, issues[IssueCode.FULL_DAY].value) == (1, 12)
    assert issues[IssueCode.MANY_SWITCHES].value == 5
    assert issues[IssueCode.LONG_RUN].value == 12
    assert issues[IssueCode.HEAVY_NEIGHBOURS].value == 5
    assert issues[IssueCode.UNEVEN_LOAD].task_ids
    assert issues[IssueCode.UNEVEN_LOAD].severity is Severity.MEDIUM


def test_tightness_counts_the_legal_ways():
    loose = count_ways(state(item(1, span(1, 1)), days=3))
    assert loose == Ways(1, 32, 0)
    assert loose.tightness is Tightness.LOOSE
    full = [course(n, span(n, 1, 10)) for n in (1, 2)]
    locked = state(*full, item(5, span(1, 11)), item(6, span(2, 11)), days=2)
    assert count_ways(locked) == Ways(2, 0, 0)
    assert count_ways(locked).tightness is Tightness.LOCKED
    assert IssueCode.LOCKED_PLAN in {i.code for i in analyze_health(locked).issues}
    tight = state(*full, item(5, span(1, 11)), item(6, span(2, 11), of=2), days=2)
    assert count_ways(tight) == Ways(2, 0, 1)
    assert count_ways(tight).tightness is Tightness.TIGHT
    assert count_ways(state(days=2)).tightness is Tightness.LOCKED


def every_way(found: PlanningState) -> tuple[int, int]:
    moves = sum(
        isinstance(move(found, task, day, first), Written)
        and found.tasks[task].slots[0] != span(day, first, first + found.tasks[task].length - 1)
        for task in found.tasks
        for day in range(1, found.window.total_days + 1)
        for first in range(1, 13)
    )
    swaps = sum(
        isinstance(swap(found, one, other), Written)
        for one in found.tasks
        for other in found.tasks
        if one < other
    )
    return moves, swaps


def test_the_ways_are_counted_as_the_tools_judge_them():
    dice = random.Random(12)
    for _ in range(25):
        found = some_state(dice)
        ways = count_ways(found)
        assert (ways.moves, ways.swaps) == every_way(found)
        movable = [task for task in found.tasks.values() if is_movable(found, task)]
        assert ways.movable == len(movable) <= len(all_swappable(found))


def test_written_tasks_may_be_swapped_but_not_moved():
    found = state(
        item(1, span(1, 1), of=1, status=Status.EXISTING), item(2, span(2, 1), of=2),
        item(3, span(3, 1), of=3, status=Status.EXISTING), days=3,
    )  # fmt: skip
    ways = count_ways(found)
    assert ways.movable == 1
    assert (ways.moves, ways.swaps) == every_way(found)


@pytest.mark.parametrize(
    ("after", "effect"),
    [
        (Measure(0, 9.0, 9), Effect.IMPROVE),  # fewer faults, whatever else
        (Measure(2, 1.0, 0), Effect.NO_GAIN),  # more faults, whatever else
        (Measure(1, 4.9, 9), Effect.IMPROVE),  # by the threshold
        (Measure(1, 4.95, 5), Effect.PARTIAL),  # by less
        (Measure(1, 5.0, 4), Effect.IMPROVE),  # smoother and as level
        (Measure(1, 5.1, 4), Effect.PARTIAL),  # smoother and less level
        (Measure(1, 5.0, 5), Effect.NO_GAIN),
        (Measure(1, 5.1, 5), Effect.NO_GAIN),
    ],
)
def test_effects_weigh_faults_before_variance_before_rhythm(after, effect):
    assert after.compared(Measure(1, 5.0, 5)) is effect


def test_a_level_plan_cannot_be_levelled_further():
    assert Measure(0, 0.0, 3).compared(Measure(0, 0.0, 3)) is Effect.NO_GAIN
    assert Measure(0, 0.0, 2).compared(Measure(0, 0.0, 3)) is Effect.IMPROVE


def test_candidates_are_legal_tried_out_and_at_most_five():
    dice = random.Random(13)
    offered = 0
    for _ in range(60):
        found = some_state(dice)
        health = analyze_health(found)
        assert len(health.candidates) <= THRESHOLDS.candidates
        for one in health.candidates:
            offered += 1
            outcome = (
                move(found, one.task_id, one.span.day, one.span.first)
                if one.partner_id is None
                else swap(found, one.task_id, one.partner_id)
            )
            assert isinstance(outcome, Written)
            new = outcome.state
            assert new.tasks[one.task_id].slots == (one.span,)
            assert one.after.faults == sum(faults(new))
            assert one.after.variance == pytest.approx(evaluate_balance(new).load_variance)
            assert one.after.excess == sum(day.excess(12) for day in rhythm(new))
            if found.window.clock.crosses_break(one.span.first, one.span.last):
                # Only where no other move would level the days as well.
                assert one.partner_id is not None or (
                    health.balance.levelling is not None
                    and one.span == health.balance.levelling.span
                )
    assert offered >= 60


def test_following_the_candidates_ends_in_close():
    dice = random.Random(14)
    for _ in range(15):
        found = some_state(dice)
        for _ in range(60):
            health = analyze_health(found)
            if health.decision.action is not Action.SELECT_CANDIDATE:
                break
            best = health.candidates[0]
            outcome = (
                move(found, best.task_id, best.span.day, best.span.first)
                if best.partner_id is None
                else swap(found, best.task_id, best.partner_id)
            )
            assert isinstance(outcome, Written)
            found = outcome.state
        assert health.decision.action is Action.CLOSE
        assert health.decision.reason is DecisionReason.NOTHING_TO_GAIN


def test_a_swap_is_offered_where_demanding_blocks_stand_side_by_side():
    tasks = [
        item(1, span(1, 1), of=1, intensity=HIGH), item(2, span(1, 3), of=2, intensity=HIGH),
        item(3, span(2, 1), of=3), item(4, span(2, 5), of=4),
    ]  # fmt: skip
    health = analyze_health(state(*tasks, days=2))
    assert health.decision.action is Action.SELECT_CANDIDATE
    assert any(c.partner_id is not None and c.effect is Effect.IMPROVE for c in health.candidates)


def test_faults_are_mended_first_and_asked_about_where_no_way_is():
    broken = state(item(1, span(3, 1)), item(2, span(1, 1)), days=4)
    health = analyze_health(broken)
    assert health.decision.action is Action.SELECT_CANDIDATE
    assert health.candidates[0].after.faults == 0
    stuck = state(course(1, span(1, 1)), course(2, span(1, 2)), days=1)
    decision = analyze_health(stuck).decision
    assert (decision.action, decision.reason) == (
        Action.ASK_USER, DecisionReason.FAULTS_WITHOUT_WAY,
    )  # fmt: skip
    assert analyze_health(stuck).issues[0].code is IssueCode.HARD_CONFLICT


def test_nothing_left_to_gain_closes():
    level = state(*(item(n, span(n, 1)) for n in range(1, 4)), days=3)
    health = analyze_health(level)
    assert (health.decision.action, health.issues) == (Action.CLOSE, ())
    assert all(c.effect is Effect.NO_GAIN for c in health.candidates)
    assert health.balance.done_suggestion
    assert health.tightness is Tightness.LOOSE


@pytest.mark.parametrize("dimension", list(Dimension))
def test_one_dimension_may_be_asked_for_alone(dimension):
    full = [course(n, span(n, 1, 12)) for n in (1, 2)]
    found = state(*full, item(5, span(3, 1)), item(6, length=13), days=3)
    whole, alone = analyze_health(found), analyze_health(found, [dimension])
    shown = {
        Dimension.FEASIBILITY: alone.feasibility,
        Dimension.RHYTHM: alone.rhythm,
        Dimension.TIGHTNESS: alone.ways,
    }
    assert [of for of, value in shown.items() if value is not None] == [dimension]
    assert set(alone.issues) < set(whole.issues)
    assert (alone.decision, alone.candidates) == (whole.decision, whole.candidates)
    assert (alone.tightness is None) is (dimension is not Dimension.TIGHTNESS)
