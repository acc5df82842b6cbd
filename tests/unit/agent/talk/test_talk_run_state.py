"""The state of a run: stored and read back whole, reset for the next one, its plan redrawn."""

from dataclasses import fields, replace
from datetime import UTC, date, datetime
from typing import Any

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from libs.planning.changes import Change, ChangeType
from libs.planning.grid import Place, Target, TargetKind
from libs.planning.state import PlanningState
from services.agent.domain import beginning
from services.agent.domain.drawn import Counts, Drawn, Load, Placed
from services.agent.domain.run import (
    Call,
    Choice,
    Confirm,
    ConfirmKind,
    Note,
    Outcome,
    OutcomeKind,
    Phase,
    PlanStep,
    Question,
    Replied,
    Reply,
    Run,
    Wait,
    Weight,
)
from services.agent.domain.scope import Scope
from services.agent.graph import plan as plans
from services.agent.store import codec
from services.agent.tools import registry
from services.agent.tools.loading import Loaded, Snapshot
from tests.unit.agent.talk import runs
from tests.unit.agent.tools.seeded import seeded

CHANGE = Change(
    "place:task_item:7",
    ChangeType.PLACE,
    Target(TargetKind.TASK_ITEM, 7),
    Place(1, 13, 1, 3, 4),
)
FULL = runs.run(
    rest="还有一件",
    quick="note",
    note=Note("提醒我", datetime(2026, 11, 30, 1, tzinfo=UTC), (("c1", ""), ("", "周三"))),
    told=2,
    trigger_id="ast_1",
    card_due=True,
    preview_id="asp_1",
    phase=Phase.CONFIRM_WRITE,
    wait=Wait.CONFIRM,
    question=Question(2, "哪天？", (Choice("a", "周一"),), allows_text=False, about="dates"),
    confirm=Confirm(
        3, ConfirmKind.CHANGES, "写入？", (CHANGE,), {"cell:1": "empty"}, Call(4, "move", "{}")
    ),
    reply=Reply(accepted=True, choice="a", words="好"),
    questions=2,
    confirms=3,
    replied=(Replied(Wait.QUESTION, 1, 12),),
    scope=Scope(
        (1, 2), date(2026, 12, 1), date(2026, 12, 20), (7,), (1,), ((1, 2),), ((3, 9, 12),)
    ),
    steps=(PlanStep("排完", "没有待安排", date(2026, 12, 1), date(2026, 12, 2), (1,)),),
    step=1,
    rough_built=True,
    round=9,
    corrections=1,
    calls=5,
    loads=2,
    reloads=1,
    seconds=3.5,
    tokens=1234,
    token_factor=1.25,
    answers=(("哪天？", "周一"),),
    earlier="上一次",
    loop=(runs.turn(1), runs.turn(2, ok=False)),
    seen=("ab", "cd"),
    by_rules="model_timeout",
    apply_uncertain=True,
    ending=Outcome(OutcomeKind.EXHAUSTED, "rounds", "用完了", "why", "id"),
    outcome=Outcome(OutcomeKind.ABORTED, "declined", "好"),
    weights=(Weight("rules", 900),),
    counts=Counts(1, 2, 3),
    drawn=Drawn(
        Load(runs.RUN_ID, 2),
        Scope((1, 2), date(2026, 12, 1), excluded_dates=(date(2026, 12, 24),)),
        (("event", 5, 1),),
        (Placed(1, runs.planned(seeded(1)).base.tasks[1].status, ((1, 2, 3),), 4, (5, 6)),),
    ),
)


def test_every_field_of_a_run_is_stored_and_read_back() -> None:
    plain = runs.run()
    unset = [
        one.name
        for one in fields(Run)
        if one.name not in ("id", "conversation_id", "user_id", "goal", "text")
        and getattr(FULL, one.name) == getattr(plain, one.name)
    ]
    assert unset == []
    assert codec.loaded(codec.dumped(FULL)) == FULL
    assert codec.loaded(codec.dumped(plain)) == plain


def test_a_run_of_an_older_or_newer_release_is_read_with_defaults() -> None:
    stored = codec.dumped(runs.run()).replace('"quick":""', '"of_a_newer_release":[1]')
    assert codec.loaded(stored) == runs.run()


KEPT = {"conversation_id", "user_id", "drawn", "token_factor"}
OF_THE_NEW_WORDS = {"id", "goal", "text", "earlier", "preview_id"}


def test_the_next_run_keeps_conversation_user_and_schedule_state_and_nothing_else() -> None:
    new = beginning.reset_for_next_run(FULL, "run_2", "换一件事")

    clean = beginning.first_run("run_2", FULL.conversation_id, FULL.user_id, "换一件事", "")
    for one in fields(Run):
        found, wanted = getattr(new, one.name), getattr(clean, one.name)
        if one.name in KEPT:
            assert found == getattr(FULL, one.name)
        elif one.name not in OF_THE_NEW_WORDS:
            assert found == wanted, one.name
    assert (new.goal, new.text, new.preview_id, new.card_due) == (
        "换一件事",
        "换一件事",
        "asp_1",
        False,
    )
    assert "move×1；失败：move×1" in new.earlier


def test_a_run_that_has_not_ended_is_not_reset() -> None:
    with pytest.raises(ValueError, match="has not ended"):
        beginning.reset_for_next_run(runs.run(), "run_2", "x")


def test_only_the_newest_loops_of_earlier_runs_are_summed_up() -> None:
    one = replace(FULL, earlier="甲\n乙\n丙")
    assert beginning.reset_for_next_run(one, "r", "x").earlier.splitlines()[:2] == ["乙", "丙"]


def _walked(state: PlanningState, data: Any) -> PlanningState:
    """The state after some writes."""
    for _ in range(data.draw(st.integers(0, 6))):
        ids = st.sampled_from(tuple(state.tasks))
        name, arguments = data.draw(
            st.one_of(
                st.tuples(
                    st.just("move"),
                    st.fixed_dictionaries(
                        {
                            "task_id": ids,
                            "new_day": st.integers(1, 14),
                            "new_slot_start": st.integers(1, 12),
                        }
                    ),
                ),
                st.tuples(st.just("unplace"), st.fixed_dictionaries({"task_id": ids})),
                st.tuples(st.just("swap"), st.fixed_dictionaries({"task_a": ids, "task_b": ids})),
                st.tuples(st.just("spread_even"), st.just({})),
            )
        )
        state = registry.call(state, name, arguments).state
    return state


@settings(max_examples=60, deadline=None, suppress_health_check=list(HealthCheck))
@given(seed=st.integers(0, 300), data=st.data())
def test_a_plan_is_redrawn_exactly_as_it_was(seed: int, data: Any) -> None:
    base = seeded(seed)
    plan = runs.planned(base, _walked(base, data))

    stored = plans.drawn(plan)
    read = codec.loaded(codec.dumped(runs.run(drawn=stored))).drawn
    assert read == stored
    snapshot = Snapshot(b"", Loaded(base, plan.ids, {}, ()), plan.first_date)
    again = plans.redrawn(snapshot, stored)

    assert again.current == plan.current
    assert repr(again.current) == repr(plan.current)
    assert (again.ids, again.scope, again.counts) == (plan.ids, plan.scope, plan.counts)


def test_a_plan_does_not_fit_rows_that_lack_its_tasks() -> None:
    base = seeded(3)
    moved = registry.call(base, "spread_even", {}).state
    stored = plans.drawn(runs.planned(base, moved))
    assert stored.placed
    fewer = PlanningState(base.window, [one for one in base.tasks.values() if one.is_course])
    snapshot = Snapshot(b"", Loaded(fewer, plans.numbers(stored), {}, ()), runs.MONDAY)
    with pytest.raises(ValueError, match="no task"):
        plans.redrawn(snapshot, stored)
