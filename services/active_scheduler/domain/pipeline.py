"""The pipeline between facts and preview: observe → candidates → decide → words.

Dry run, trigger and worker run this same function, so that equal facts give equal previews.
"""

from dataclasses import replace

from libs.planning.calendar import Semester
from libs.planning.grid import Block
from services.active_scheduler.domain import candidates, observation, words
from services.active_scheduler.domain.candidates import Proposal
from services.active_scheduler.domain.facts import Facts
from services.active_scheduler.domain.observation import Action, Decision, Metrics
from services.active_scheduler.domain.preview import Candidate, Content
from services.active_scheduler.domain.text import Text


def look(facts: Facts) -> Content:
    """What is to be shown, or, with the action `close`, why nothing is."""
    metrics = observation.measure(facts)
    proposals = candidates.propose(facts)
    issues = observation.findings(facts, metrics)
    decision = observation.decide(facts, metrics, proposals)
    if issues:
        decision = replace(decision, primary_issue=issues[0].code)
    offered = proposals if decision.action is Action.SELECT_CANDIDATE else ()
    shown = decision.writes_preview
    return Content(
        decision=decision,
        candidates=tuple(_candidate(facts, proposal) for proposal in offered),
        selected_id=offered[0].id if offered else None,
        summary=_summary(facts, decision, metrics, offered),
        facts=words.why(facts, metrics) if shown else (),
        inaction=words.inaction(facts) if shown else Text(),
        warnings=facts.warnings(),
        metrics=metrics,
        issues=issues,
        before=_before(facts, offered),
        semesters=_semesters(facts, offered),
        target_title=facts.target.title,
        deadline=facts.target.deadline,
        planned_sections=facts.needed_sections,
        facts_at=facts.now,
    )


def _candidate(facts: Facts, proposal: Proposal) -> Candidate:
    return Candidate(
        id=proposal.id,
        family=proposal.family,
        changes=proposal.changes,
        base=proposal.base,
        summary=words.proposal_summary(facts, proposal),
        reason=words.proposal_reason(proposal),
        risk=words.proposal_risk(facts, proposal),
    )


def _summary(
    facts: Facts, decision: Decision, metrics: Metrics, offered: tuple[Proposal, ...]
) -> Text:
    if offered:
        return words.proposal_summary(facts, offered[0])
    if decision.action is Action.CLOSE:
        return Text()
    return words.notice(facts, decision, metrics)


def _before(facts: Facts, offered: tuple[Proposal, ...]) -> tuple[Block, ...]:
    """Every block of a day that any candidate touches, in order of time."""
    touched = {
        (place.semester_id, place.week, place.day)
        for place in (proposal.place for proposal in offered)
    }
    found = [block for block in facts.world.blocks if block.place.on_day in touched]
    return tuple(sorted(found, key=lambda block: (block.place, block.id)))


def _semesters(facts: Facts, offered: tuple[Proposal, ...]) -> tuple[Semester, ...]:
    """Those that a place belongs to; all where there is none. Earliest first."""
    wanted = {proposal.place.semester_id for proposal in offered}
    return tuple(one for one in facts.world.grid.semesters if one.id in wanted or not wanted)
