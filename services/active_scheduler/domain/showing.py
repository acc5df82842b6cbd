"""From the outcome of a case to what the person sees: candidates, question and words.

Dry run, trigger and worker show by this same function, so that equal cases look alike.
"""

from collections.abc import Iterator, Sequence
from datetime import datetime

from libs.planning.calendar import Semester
from libs.planning.grid import Block, Grid, Place
from services.active_scheduler.domain import (
    deciding,
    option_words,
    preference_words,
    question_words,
    words,
)
from services.active_scheduler.domain.case import Case
from services.active_scheduler.domain.deciding import Outcome
from services.active_scheduler.domain.observation import Action
from services.active_scheduler.domain.options import Option
from services.active_scheduler.domain.preview import Candidate, Content
from services.active_scheduler.domain.text import SILENCE, Text, counted, instant_words

_NOTHING_CHANGES = Text(
    "日程保持原样，没做完的部分要自己找时间补。",
    "Your schedule stays as it is, and you find the time for what is left yourself.",
)
_LET_GO = Text(
    "日程保持原样，不再补，没做完的这一块就先放下。",
    "Your schedule stays as it is, nothing makes up for the unfinished block, and you let it go.",
)


def look(case: Case) -> Content:
    """What is to be shown, or, with the action `close`, why nothing is."""
    return content(case, deciding.decided(case))


def unlocated(near: Sequence[Block], laid: Grid, now: datetime) -> Content:
    """For words that name no block: the question which of those around was meant."""
    outcome = deciding.unlocated(near, laid)
    question = outcome.question
    if question is None:
        raise AssertionError("what is not located is asked for")
    return Content(
        decision=outcome.decision,
        candidates=(),
        selected_id=None,
        summary=question.text,
        facts=tuple(issue.evidence for issue in outcome.issues),
        inaction=_NOTHING_CHANGES,
        warnings=(),
        metrics=outcome.metrics,
        issues=outcome.issues,
        before=(),
        semesters=laid.semesters,
        target_title="",
        deadline=None,
        planned_sections=0,
        facts_at=now,
        question=question,
    )


def content(case: Case, outcome: Outcome) -> Content:
    """The content of an outcome, in template words."""
    facts, shown = case.facts, outcome.decision.writes_preview
    return Content(
        decision=outcome.decision,
        candidates=tuple(_candidate(case, option) for option in outcome.options),
        selected_id=outcome.options[0].id if outcome.options else None,
        summary=_summary(case, outcome),
        facts=tuple(_why(case, outcome)) if shown else (),
        inaction=_inaction(case) if shown else SILENCE,
        warnings=facts.warnings(),
        metrics=outcome.metrics,
        issues=outcome.issues,
        before=_before(facts.world.blocks, outcome.options),
        semesters=_semesters(facts.world.grid, outcome.options),
        target_title=facts.target.title,
        deadline=facts.target.deadline,
        planned_sections=facts.needed_sections,
        facts_at=facts.now,
        question=outcome.question,
        answers=case.answers,
    )


def _candidate(case: Case, option: Option) -> Candidate:
    return Candidate(
        id=option.id,
        family=option.family,
        changes=option.changes,
        base=option.base,
        summary=option_words.summary(case, option),
        reason=option_words.reason(case, option),
        risk=option_words.risk(case, option),
        type=option.type,
        preferences_met=preference_words.kept(case, option),
        preferences_unmet=preference_words.broken(case, option),
    )


def _summary(case: Case, outcome: Outcome) -> Text:
    if outcome.options:
        return option_words.summary(case, outcome.options[0])
    if outcome.question is not None:
        return outcome.question.text
    if outcome.decision.action is Action.CLOSE:
        return SILENCE
    return question_words.notice(case, outcome.decision, outcome.metrics)


def _why(case: Case, outcome: Outcome) -> Iterator[Text]:
    """Why it fired, fact by fact."""
    if case.unfinished is None:
        yield from words.why(case.facts, outcome.metrics)
        return
    yield from (issue.evidence for issue in outcome.issues)
    if case.block is None:
        return
    place, length = question_words.place_of(case, case.block.place), case.block.place.length
    yield Text(
        f"那一块在{place.zh}，共 {length} 节。",
        f"The block was at {place.en}, {counted(length)} long.",
    )
    deadline = case.facts.deadline_ahead
    if deadline is not None:
        at = instant_words(deadline, words.zone_of(case.facts))
        yield Text(f"截止时间是 {at.zh}。", f"It is due {at.en}.")
    yield _room(case, outcome)


def _room(case: Case, outcome: Outcome) -> Text:
    metrics, where = outcome.metrics, question_words.span(case)
    return Text(
        f"接下来 24 小时里有 {metrics.free} 节空闲，{where.zh}最长连续 {metrics.longest_run} 节。",
        f"The next 24 hours have {counted(metrics.free, 'free section')}; the longest run "
        f"{where.en} is {metrics.longest_run}.",
    )


def _inaction(case: Case) -> Text:
    """What happens if nothing is done, as plainly as the gain."""
    if case.unfinished is None:
        return words.inaction(case.facts)
    return _LET_GO if case.is_repeated else _NOTHING_CHANGES


def _before(blocks: tuple[Block, ...], offered: tuple[Option, ...]) -> tuple[Block, ...]:
    """Every block of a day that any candidate touches, in order of time."""
    touched = {place.on_day for place in _places(offered)}
    found = [block for block in blocks if block.place.on_day in touched]
    return tuple(sorted(found, key=lambda block: (block.place, block.id)))


def _semesters(laid: Grid, offered: tuple[Option, ...]) -> tuple[Semester, ...]:
    """Those that a place belongs to; all where there is none. Earliest first."""
    wanted = {place.semester_id for place in _places(offered)}
    return tuple(one for one in laid.semesters if one.id in wanted or not wanted)


def _places(offered: tuple[Option, ...]) -> Iterator[Place]:
    for option in offered:
        for change in option.changes:
            yield from (place for place in (change.to, change.from_) if place is not None)
