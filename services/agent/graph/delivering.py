"""deliver and confirm_write: the outcome in words, and writing what the person accepts.

The words come from the difference of the plan. Before anything is offered a read-only assertion
looks at order, conflicts and links. Spec: agent.md.
"""

from dataclasses import replace

from libs.planning.balance import evaluate_balance
from libs.planning.order import Span
from libs.planning.state import PlanningState, Task
from libs.planning.window import NoWindow
from libs.telemetry import logs
from services.agent.domain.errors import ServiceAway
from services.agent.domain.happening import ToConfirm
from services.agent.domain.known import Refusal, Verdict
from services.agent.domain.run import (
    Confirm,
    ConfirmKind,
    Outcome,
    OutcomeKind,
    Phase,
    Reply,
    Wait,
)
from services.agent.graph import diffing, loading, words
from services.agent.graph.desk import Desk
from services.agent.graph.plan import Plan
from services.agent.graph.step import (
    State,
    Step,
    aborted,
    completed,
    confirm_of,
    confirming,
    ending,
    finished,
    status,
    to,
)

_log = logs.get("graph.deliver")

MOST_CHANGES = 300
"""That one apply takes."""


async def deliver(state: State, desk: Desk) -> Step:
    """The end without a plan, or what is to be confirmed."""
    run, plan = state.run, state.plan
    if run.ending is not None:
        return _ended(state, run.ending)
    if plan is None:
        return _ended(state, completed("nothing_to_change", words.NOTHING_TO_CHANGE))
    if (problem := broken(plan)) is not None:
        # The tools and the rough build keep all of this: it is a defect where it does not hold.
        _log.error("order_broken", run=run.id, problem=problem)
        return _ended(state, aborted("order_broken", words.ORDER_BROKEN, problem))
    if run.rough_built and plan.counts.pending:
        message = words.STILL_PENDING.format(count=plan.counts.pending)
        return _ended(state, aborted("pending_left", message))
    changes = plan.changes
    if not changes:
        return _ended(state, completed("nothing_to_change", words.NOTHING_TO_CHANGE))
    if len(changes) > MOST_CHANGES:
        message = words.TOO_MANY.format(most=MOST_CHANGES, count=len(changes))
        return _ended(state, aborted("too_many_changes", message))
    checked = await desk.tools.schedule.check(desk.caller, changes)
    if checked.refusals:
        return await _overtaken(state, desk, checked.refusals)
    rules = desk.tools.model is None or bool(run.by_rules)
    text = words.proposal(plan, by_rules=rules)
    confirm = Confirm(0, ConfirmKind.CHANGES, text, changes, checked.base)
    counts = plan.counts
    _log.info(
        "delivered",
        run=run.id,
        pending=counts.pending,
        suggested=counts.suggested,
        existing=counts.existing,
        changes=len(changes),
    )
    offered = state.having(phase=Phase.CONFIRM_WRITE, counts=counts)
    return confirming(offered, ToConfirm(confirm, diff=diffing.by_day(plan)))


async def confirm_write(state: State, desk: Desk) -> Step:
    """What the person said to the changes."""
    reply = state.run.reply or Reply()
    if state.run.apply_uncertain and not reply.accepted:
        verdict = await desk.tools.schedule.verdict(desk.caller, state.run.apply_id)
        if verdict is not None and verdict.applied:
            return _written(state, verdict)
    if reply.accepted:
        return await _apply(state, desk)
    if not reply.words:
        return _ended(_put_aside(state), aborted("declined", words.DECLINED))
    if desk.tools.model is None or state.run.by_rules:
        return to(state, Phase.PLAN, text=reply.words, note=None, apply_uncertain=False)
    return to(state, Phase.EXECUTE, text=reply.words, apply_uncertain=False)


def broken(plan: Plan) -> str | None:
    """What of order, conflicts and links does not hold; None where all does."""
    before, after = evaluate_balance(plan.base), evaluate_balance(plan.current)
    if after.hard_conflict_count > before.hard_conflict_count:
        return f"{after.hard_conflict_count} hard conflicts"
    if after.order_violation_count > before.order_violation_count:
        return f"{after.order_violation_count} order violations"
    return _broken_links(plan.current)


def _broken_links(state: PlanningState) -> str | None:
    for task in state.tasks.values():
        host = None if task.embed_host is None else state.task(task.embed_host)
        if task.embed_host is not None and (
            host is None or not host.can_embed or task.state_id not in host.embedded_by
        ):
            return f"task {task.state_id} has no such host"
        if host is not None and task.single is not None and not _holds(host, task.single):
            return f"task {task.state_id} lies outside its host"
        for guest_id in task.embedded_by:
            guest = state.task(guest_id)
            if guest is None or guest.embed_host != task.state_id:
                return f"task {task.state_id} has no such guest"
    return None


def _holds(host: Task, span: Span) -> bool:
    """Whether a span lies wholly in one block of the host."""
    return any(
        one.day == span.day and one.first <= span.first and span.last <= one.last
        for one in host.slots
    )


def _ended(state: State, outcome: Outcome) -> Step:
    # Why may be a model's words, which no log holds; the run keeps them.
    _log.info("ended", run=state.run.id, kind=outcome.kind.value, code=outcome.code)
    step = finished(state, outcome)
    if outcome.kind is OutcomeKind.EXHAUSTED:
        return step
    # Only what was not brought to an end is gone on with.
    return Step(State(step.state.run), step.events, step.said)


def _put_aside(state: State) -> State:
    """Without the plan that the person does not want."""
    return State(state.run)


async def _apply(state: State, desk: Desk) -> Step:
    confirm = confirm_of(state.run)
    apply_id = state.run.apply_id
    try:
        verdict = await desk.tools.schedule.apply(
            desk.caller, apply_id, confirm.changes, confirm.base
        )
    except ServiceAway:
        return _uncertain(state, confirm)
    if verdict.applied:
        return _written(state, verdict)
    return await _overtaken(state, desk, verdict.refusals)


def _written(state: State, verdict: Verdict) -> Step:
    count = len(confirm_of(state.run).changes)
    message = words.WRITTEN.format(count=count)
    step = finished(state, completed("written", message, apply_id=verdict.apply_id))
    # What was suggested stands in the schedule now: the next plan begins from there.
    return Step(State(step.state.run), step.events, step.said)


def _uncertain(state: State, confirm: Confirm) -> Step:
    """The same request again, with its number: another yes finds out and writes nothing twice."""
    text = words.UNCERTAIN
    again = replace(confirm, text=text)
    waiting = state.having(confirm=again, reply=None, wait=Wait.CONFIRM, apply_uncertain=True)
    plan = state.plan
    diff = None if plan is None else diffing.by_day(plan)
    return Step(waiting, (ToConfirm(again, diff=diff),), (text,))


async def _overtaken(state: State, desk: Desk, refusals: tuple[Refusal, ...]) -> Step:
    """The schedule has moved on: what still fits is carried over, and offered anew."""
    run = state.run
    if run.reloads >= desk.tools.limits.reloads:
        return _ended(_put_aside(state), aborted("schedule_changed", words.SCHEDULE_CHANGED))
    told = status(run, "refused", words.refused(refusals))
    step = await loading.loaded(state.having(reloads=run.reloads + 1), desk, run.scope)
    if isinstance(step, NoWindow):
        return ending(_put_aside(state), aborted("no_window", words.NO_WINDOW), told)
    plan = step.state.plan
    assert plan is not None
    phase = Phase.ROUGH_BUILD if plan.counts.pending else Phase.DELIVER
    return to(step.state, phase).after(step).after(Step(state, (told,)))
