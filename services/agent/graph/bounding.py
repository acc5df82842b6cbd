"""What bounds the writes of a run: its scope, the step that it works on, the rules of classes."""

from dataclasses import replace
from datetime import date

from services.agent.domain.run import PlanStep, Run
from services.agent.graph.plan import Plan
from services.agent.tools.bounds import Bounds


def bounds_of(run: Run, plan: Plan) -> Bounds:
    """All bounds; those of the agreed step as days and tasks of this plan."""
    step = run.current_step
    return replace(
        of_plan(plan),
        days=_days(plan, step) if step else (),
        task_ids=_tasks(plan, step) if step else (),
    )


def of_plan(plan: Plan) -> Bounds:
    """The bounds that hold whatever the step."""
    scope, days = plan.scope, range(1, plan.base.window.total_days + 1)
    return Bounds(
        rules=plan.rules,
        excluded_days=scope.excluded_days,
        excluded_sections=scope.excluded_sections,
        excluded_limits=(*scope.excluded_limits, *scope.remembered),
        closed=tuple(day for day in days if plan.date_of(day) in scope.excluded_dates),
    )


def _days(plan: Plan, step: PlanStep) -> tuple[int, ...]:
    if step.first is None or step.last is None:
        return ()
    days = range(1, plan.base.window.total_days + 1)
    within = tuple(day for day in days if step.first <= plan.date_of(day) <= step.last)
    # A step about no day of the window lets nothing be written, which no day does not say.
    return within or (0,)


def _tasks(plan: Plan, step: PlanStep) -> tuple[int, ...]:
    if not step.class_ids:
        return ()
    tasks = plan.current.tasks.values()
    return tuple(one.state_id for one in tasks if one.task_class_id in step.class_ids) or (0,)


def period_of(first: date | None, last: date | None) -> str:
    """2026-12-07 到 2026-12-20."""
    return "" if first is None or last is None else f"{first.isoformat()} 到 {last.isoformat()}"
