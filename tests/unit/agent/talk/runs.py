"""Runs and plans that the tests of the conversation work on."""

from datetime import date
from typing import Any

from libs.planning.state import PlanningState
from services.agent.domain.drawn import Load
from services.agent.domain.run import Run, Turn
from services.agent.domain.scope import Scope
from services.agent.graph.plan import Plan
from services.agent.graph.step import State
from services.agent.tools.loading import StateIds

RUN_ID = "run_" + "0" * 32
MONDAY = date(2026, 11, 30)


def run(**fields: Any) -> Run:
    """A run that has just begun."""
    given = {"goal": "把线代复习排进去", "text": "把线代复习排进去", **fields}
    return Run(id=RUN_ID, conversation_id="cnv_" + "0" * 32, user_id=7, **given)


def planned(base: PlanningState, current: PlanningState | None = None) -> Plan:
    """A plan whose days begin on a Monday; numbers stand for what the tasks come from."""
    ids = {("event", one.source_id): one.state_id for one in base.tasks.values()}
    return Plan(
        load=Load(RUN_ID, 1),
        scope=Scope(class_ids=(1, 2)),
        first_date=MONDAY,
        base=base,
        current=current or base,
        ids=StateIds(ids),
        meetings={},
        rules=(),
    )


def state(plan: Plan | None = None, **fields: Any) -> State:
    """A run with its plan."""
    return State(run(**fields), plan)


def turn(round_: int, tool: str = "move", *, ok: bool = True, text: str = "好") -> Turn:
    """One round of the loop."""
    return Turn(round_, f"想法{round_}", tool, f'{{"n": {round_}}}', ok, text)
