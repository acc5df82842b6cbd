"""What is to be done about a case: the rules in their order, the first that matches wins.

Spec: active-scheduling.md, Observation and decision. A question is asked only where its answer
leads to a candidate: each one is tried before it is asked.
"""

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from datetime import timedelta

from libs.planning import grid
from libs.planning.grid import Block, BlockKind, Grid, Place
from services.active_scheduler.domain import (
    finding,
    lineup,
    observation,
    options,
    question_words,
)
from services.active_scheduler.domain.case import Case
from services.active_scheduler.domain.facts import Facts
from services.active_scheduler.domain.observation import Action, Decision, Issue, Metrics
from services.active_scheduler.domain.options import Option
from services.active_scheduler.domain.questions import Answers, Question, QuestionKind

NO_METRICS = Metrics(needed=0, longest_run=0, free=0, total=0, taken_by_courses=0, taken_by_tasks=0)
"""Where there is no target yet that anything could be measured for."""


@dataclass(frozen=True, slots=True)
class Outcome:
    """What a look comes to: the decision, and what is shown with it, if anything is."""

    decision: Decision
    metrics: Metrics
    issues: tuple[Issue, ...] = ()
    options: tuple[Option, ...] = ()
    question: Question | None = None


@dataclass(frozen=True, slots=True)
class Rule:
    """A line of the decision: what it leads to, why, and when it is reached."""

    number: int
    action: Action
    reason: str
    when: str


RULES = (
    Rule(1, Action.CLOSE, "target_completed", "the target is done"),
    Rule(1, Action.CLOSE, "already_scheduled", "an urgent task has a block now or ahead"),
    Rule(1, Action.CLOSE, "assumed_completed", "an urgent task had its block, all of it past"),
    Rule(1, Action.CLOSE, "not_urgent", "the task is not urgent and important"),
    Rule(1, Action.CLOSE, "makeup_scheduled", "a makeup of the unfinished block lies ahead"),
    Rule(2, Action.ASK_USER, "block_unknown", "which block was meant is not known"),
    Rule(3, Action.SELECT_CANDIDATE, "candidates_found", "there is room where it may go"),
    Rule(3, Action.SELECT_CANDIDATE, "reorder_found", "there is, if later items give way"),
    Rule(3, Action.SELECT_CANDIDATE, "repeated_misses", "the third miss: shorter, split, dropped"),
    Rule(4, Action.ASK_USER, "room_after_deadline", "there is room only after the deadline"),
    Rule(5, Action.SELECT_CANDIDATE, "compress_only", "the next task's block can be shared"),
    Rule(6, Action.ASK_USER, "room_when_shorter", "there is room for less of it"),
    Rule(6, Action.ASK_USER, "room_in_two_parts", "there is room for it in two parts"),
    Rule(6, Action.ASK_USER, "room_on_other_day", "there is room behind the next 24 hours"),
    Rule(7, Action.NOTIFY_ONLY, "no_window", "no section of a semester lies ahead"),
    Rule(7, Action.NOTIFY_ONLY, "window_full", "every section ahead is taken"),
    Rule(7, Action.NOTIFY_ONLY, "order_in_the_way", "the order of its class leaves no place"),
    Rule(7, Action.NOTIFY_ONLY, "no_run_long_enough", "no free run is long enough"),
)
"""Every decision that there is, in the order in which the rules are tried."""

FIRST_CHOICES = frozenset({"block_unknown", "candidates_found", "reorder_found", "repeated_misses"})
"""Reasons of decisions that nothing further ahead could better."""


def decided(case: Case) -> Outcome:
    """The one outcome of a case; equal cases give equal ones, byte for byte."""
    metrics, why = measure(case), settled(case)
    if why:
        return Outcome(Decision(Action.CLOSE, why), metrics)
    issues = finding.issues(case, metrics)
    for rule in _TRIED:
        outcome = rule(case, metrics, issues)
        if outcome is not None:
            return outcome
    return _told(case, metrics, issues)


def unlocated(near: Sequence[Block], laid: Grid) -> Outcome:
    """For words that name no block: which of those around now was meant."""
    question = question_words.which_block(near, laid)
    return _asking("block_unknown", NO_METRICS, (finding.block_unknown(),), question)


def measure(case: Case) -> Metrics:
    """The figures of the window; runs count in the time that is open to the target."""
    facts = case.facts
    taken = {BlockKind.COURSE: 0, BlockKind.TASK: 0}
    cells = grid.window_cells(facts.world.grid, facts.now, facts.window_end)
    for cell in cells:
        occupants = facts.world.grid.occupants(cell)
        if occupants:
            taken[occupants[-1].kind] += 1
    places = lineup.makeup_places(case) if case.block else case.free_places
    return Metrics(
        needed=facts.needed_sections,
        longest_run=grid.longest_run_in(facts.world.grid, start=case.opens, end=case.closes),
        free=len(cells) - sum(taken.values()),
        total=len(cells),
        taken_by_courses=taken[BlockKind.COURSE],
        taken_by_tasks=taken[BlockKind.TASK],
        preference_source=facts.preferences.source,
        preferences=len(facts.preferences.wishes),
        preferences_met=max(map(facts.preferences.met, places), default=0),
        misses=case.unfinished.misses if case.unfinished is not None else 0,
        margin=_margin(facts, places),
    )


def _margin(facts: Facts, places: Sequence[Place]) -> timedelta | None:
    """What the earliest of the places leaves before the deadline."""
    deadline = facts.deadline_ahead
    if deadline is None or not places:
        return None
    return deadline - facts.world.grid.ends_at(places[0])


def settled(case: Case) -> str | None:
    """Rule 1: why nothing needs to be done, or None."""
    if case.unfinished is None:
        return observation.settled(case.facts)
    if case.facts.target.done:
        return "target_completed"
    return "makeup_scheduled" if case.makeup_ahead is not None else None


def _asked_which(case: Case, metrics: Metrics, issues: tuple[Issue, ...]) -> Outcome | None:
    """Rule 2."""
    if case.unfinished is None or case.block is not None:
        return None
    question = question_words.which_block(case.unfinished.near, case.facts.world.grid)
    return _asking("block_unknown", metrics, issues, question)


def _selected(case: Case, metrics: Metrics, issues: tuple[Issue, ...]) -> Outcome | None:
    """Rule 3."""
    found = options.options(case)
    if not found:
        return None
    reason = "candidates_found"
    if all(one.type is options.OptionType.REORDER for one in found):
        reason = "reorder_found"
    if case.is_repeated:
        reason = "repeated_misses"
    return _offering(reason, metrics, issues, found)


def _asked_delay(case: Case, metrics: Metrics, issues: tuple[Issue, ...]) -> Outcome | None:
    """Rule 4: only where no day before the deadline would do."""
    kind = QuestionKind.DELAY_END
    if case.facts.deadline_ahead is None or not case.answers.allow(kind):
        return None
    if _tried(case, case.answers.agreeing(QuestionKind.OTHER_DAY)):
        return None
    later = _tried(case, case.answers.agreeing(kind))
    if not later:
        return None
    question = question_words.delay_end(case, _earliest(case, later))
    return _asking("room_after_deadline", metrics, issues, question)


def _compressed(case: Case, metrics: Metrics, issues: tuple[Issue, ...]) -> Outcome | None:
    """Rule 5."""
    found = options.compression(case)
    return _offering("compress_only", metrics, issues, found) if found else None


def _asked_day(case: Case, metrics: Metrics, issues: tuple[Issue, ...]) -> Outcome | None:
    """Rule 6, another day."""
    kind = QuestionKind.OTHER_DAY
    if not case.answers.allow(kind):
        return None
    later = _tried(case, case.answers.agreeing(kind))
    if not later:
        return None
    question = question_words.other_day(case, _earliest(case, later))
    return _asking("room_on_other_day", metrics, issues, question)


def _asked_shorter(case: Case, metrics: Metrics, issues: tuple[Issue, ...]) -> Outcome | None:
    """Rule 6, a shorter one: as long as there is room for."""
    kind = QuestionKind.SHORTEN
    if not case.answers.allow(kind):
        return None
    for sections in range(metrics.needed - 1, 0, -1):
        if _tried(case, case.answers.agreeing(kind, sections=sections)):
            question = question_words.shorten(case, sections)
            return _asking("room_when_shorter", metrics, issues, question)
    return None


def _asked_split(case: Case, metrics: Metrics, issues: tuple[Issue, ...]) -> Outcome | None:
    """Rule 6, two parts."""
    kind = QuestionKind.SPLIT
    if not case.answers.allow(kind):
        return None
    parts = _tried(case, case.answers.agreeing(kind))
    if not parts:
        return None
    return _asking("room_in_two_parts", metrics, issues, question_words.split(case, parts[0]))


def _told(case: Case, metrics: Metrics, issues: tuple[Issue, ...]) -> Outcome:
    """Rule 7."""
    if not metrics.total:
        reason = "no_window"
    elif metrics.free == 0:
        reason = "window_full"
    elif metrics.capacity_gap <= 0:
        reason = "order_in_the_way"
    else:
        reason = "no_run_long_enough"
    return Outcome(_because(Action.NOTIFY_ONLY, reason, issues), metrics, issues)


_TRIED: tuple[Callable[[Case, Metrics, tuple[Issue, ...]], Outcome | None], ...] = (
    _asked_which,
    _selected,
    _asked_delay,
    _compressed,
    _asked_shorter,
    _asked_split,
    _asked_day,
)


def _tried(case: Case, answers: Answers) -> tuple[Option, ...]:
    """What could be proposed if it were answered so."""
    return options.options(case.answering(answers)) if answers != case.answers else ()


def _earliest(case: Case, found: tuple[Option, ...]) -> Option:
    starts_at = case.facts.world.grid.starts_at
    return min(found, key=lambda one: (starts_at(one.place), one.id))


def _asking(
    reason: str, metrics: Metrics, issues: tuple[Issue, ...], question: Question
) -> Outcome:
    decision = _because(Action.ASK_USER, reason, issues)
    return Outcome(decision, metrics, issues, question=question)


def _offering(
    reason: str, metrics: Metrics, issues: tuple[Issue, ...], found: tuple[Option, ...]
) -> Outcome:
    decision = _because(Action.SELECT_CANDIDATE, reason, issues)
    return Outcome(decision, metrics, issues, options=found)


def _because(action: Action, reason: str, issues: tuple[Issue, ...]) -> Decision:
    return Decision(action, reason, issues[0].code if issues else "")
