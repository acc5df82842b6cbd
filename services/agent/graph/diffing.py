"""The difference of a plan, as it is shown."""

from collections.abc import Mapping

from libs.planning.changes import Change
from libs.planning.state import Entry
from services.agent.domain.happening import Diff, DiffBlock, DiffDay, DiffLine
from services.agent.graph.plan import Plan
from services.agent.tools import as_changes
from services.agent.tools.difference import DayShift, Shift


def so_far(plan: Plan) -> Diff:
    """A line for each task with another place."""
    return Diff(plan.counts, _lines(plan))


def by_day(plan: Plan) -> Diff:
    """The same with the touched days before and after."""
    ids = {one.target: one.change_id for one in plan.changes}
    shown = {
        one.state_id: ids[target]
        for one in plan.difference.shifts
        if (target := as_changes.target_of(one.after)) in ids
    }
    days = tuple(_day(plan, one, shown) for one in plan.difference.days)
    return Diff(plan.counts, _lines(plan), days)


def _lines(plan: Plan) -> tuple[DiffLine, ...]:
    written = {one.target: one for one in plan.changes}
    return tuple(
        _line(plan, shift, change)
        for shift in plan.difference.shifts
        if (change := written.get(as_changes.target_of(shift.after))) is not None
    )


def _line(plan: Plan, shift: Shift, change: Change) -> DiffLine:
    before, after = shift.before.single, shift.after.single
    return DiffLine(
        change=change,
        name=shift.after.name,
        category=shift.after.category,
        from_date=plan.date_of(before.day) if before else None,
        to_date=plan.date_of(after.day) if after else None,
    )


def _day(plan: Plan, shift: DayShift, changes: Mapping[int, str]) -> DiffDay:
    day = plan.base.window.days[shift.day - 1]
    return DiffDay(
        on=plan.date_of(shift.day),
        week=day.week,
        day_of_week=day.day_of_week,
        before=tuple(_block(one, changes) for one in shift.before),
        after=tuple(_block(one, changes) for one in shift.after),
    )


def _block(entry: Entry, changes: Mapping[int, str]) -> DiffBlock:
    task = entry.task
    return DiffBlock(
        name=task.name,
        category=task.category,
        first=entry.span.first,
        last=entry.span.last,
        course=task.is_course,
        can_be_embedded=task.can_embed,
        embedded=task.embed_host is not None,
        change_id=changes.get(task.state_id, ""),
    )
