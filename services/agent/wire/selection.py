"""Selections as messages."""

from collections.abc import Sequence
from typing import TypeVar
from zoneinfo import ZoneInfo, ZoneInfoNotFoundError

from libs.rpc.errors import invalid
from services.agent.domain.situation import Action, Candidate, Issue, Place, Selection, Situation
from services.agent.domain.text import Language
from services.agent.wire import values
from smartmate.active_scheduler.v1 import observation_pb2, preview_pb2
from smartmate.agent.v1 import agent_service_pb2 as pb
from smartmate.agent.v1 import selection_pb2

T = TypeVar("T")

_ACTIONS = {
    preview_pb2.DECISION_ACTION_SELECT_CANDIDATE: Action.SELECT_CANDIDATE,
    preview_pb2.DECISION_ACTION_ASK_USER: Action.ASK_USER,
    preview_pb2.DECISION_ACTION_NOTIFY_ONLY: Action.NOTIFY_ONLY,
}
_LANGUAGES = {
    selection_pb2.LOCALE_UNSPECIFIED: Language.ZH,
    selection_pb2.LOCALE_ZH_CN: Language.ZH,
    selection_pb2.LOCALE_EN_US: Language.EN,
}
_FAMILY = "CANDIDATE_FAMILY_"

MAX_CANDIDATES = 3
MAX_PLACES = 10
MAX_MEMORY = 20
MAX_FACTS = 50
MAX_ISSUES = 20
_MAX_CANDIDATE_ID = 200
_MAX_TITLE = 10_000
_MAX_SENTENCE = 2000
_MAX_CODE = 100


def situation(request: pb.SelectCandidateRequest) -> Situation:
    """The request in domain terms. Raises InvalidRequest."""
    told = request.situation
    return Situation(
        action=_action(request),
        reason_code=told.reason_code[:_MAX_CODE],
        title=_bounded(told.target_title, "situation.target_title", _MAX_TITLE),
        now=values.checked_instant(told.facts_time, "situation.facts_time"),
        zone=_zone(told.time_zone),
        deadline=(
            values.checked_instant(told.deadline_time, "situation.deadline_time")
            if told.HasField("deadline_time")
            else None
        ),
        facts=tuple(
            values.checked_both(one, f"situation.facts[{index}]", most=_MAX_SENTENCE)
            for index, one in enumerate(_few(told.facts, "situation.facts", MAX_FACTS))
        ),
        inaction=values.checked_both(told.inaction, "situation.inaction", most=_MAX_SENTENCE),
        metrics=_metrics(told.metrics),
        issues=tuple(
            _issue(one, f"situation.issues[{index}]")
            for index, one in enumerate(_few(told.issues, "situation.issues", MAX_ISSUES))
        ),
        notice=values.checked_both(told.notice, "situation.notice", most=_MAX_SENTENCE),
        candidates=tuple(
            _candidate(one, f"candidates[{index}]") for index, one in enumerate(request.candidates)
        ),
        memory=tuple(
            _bounded(one, f"memory_texts[{index}]", _MAX_SENTENCE)
            for index, one in enumerate(_few(request.memory_texts, "memory_texts", MAX_MEMORY))
        ),
        user_words=_bounded(request.user_words, "user_words", _MAX_SENTENCE),
        language=_LANGUAGES.get(request.locale, Language.ZH),
    )


def response(selection: Selection) -> pb.SelectCandidateResponse:
    return pb.SelectCandidateResponse(
        selected_candidate_id=selection.selected_id,
        summary=values.localized(selection.words.summary),
        reason=values.localized(selection.words.reason),
        risk=values.localized(selection.words.risk),
        notification_text=values.localized(selection.words.notification),
        fallback_used=selection.fallback_used,
        fallback_reason=selection.template_reason,
        model=selection.model,
    )


def _action(request: pb.SelectCandidateRequest) -> Action:
    action = _ACTIONS.get(request.situation.action)
    if action is None:
        raise invalid("situation.action", "must be one that is told to a person")
    count, chooses = len(request.candidates), action is Action.SELECT_CANDIDATE
    if chooses and not 1 <= count <= MAX_CANDIDATES:
        raise invalid("candidates", f"must be 1..{MAX_CANDIDATES}")
    if not chooses and count:
        raise invalid("candidates", "must be empty where there is nothing to choose")
    ids = [one.candidate_id for one in request.candidates]
    if len(set(ids)) < count:
        raise invalid("candidates", "must have different ids")
    return action


def _candidate(message: selection_pb2.CandidateBrief, field: str) -> Candidate:
    return Candidate(
        id=values.checked_id(message.candidate_id, f"{field}.candidate_id", most=_MAX_CANDIDATE_ID),
        family=_family(message.family),
        places=tuple(
            _place(one, f"{field}.places[{index}]")
            for index, one in enumerate(_few(message.places, f"{field}.places", MAX_PLACES))
        ),
        summary=values.checked_both(message.summary, f"{field}.summary", most=_MAX_SENTENCE),
        reason=values.checked_both(message.reason, f"{field}.reason", most=_MAX_SENTENCE),
        risk=values.checked_both(message.risk, f"{field}.risk", most=_MAX_SENTENCE),
    )


def _family(number: "preview_pb2.CandidateFamily") -> str:
    """The family's name; a newer peer's is told as a number."""
    value = preview_pb2.CandidateFamily.DESCRIPTOR.values_by_number.get(number)
    return str(value.name).removeprefix(_FAMILY).lower() if value else str(number)


def _place(message: selection_pb2.BriefPlace, field: str) -> Place:
    if not 1 <= message.day_of_week <= 7:
        raise invalid(f"{field}.day_of_week", "must be 1..7")
    if not 1 <= message.first_section <= message.last_section <= 100 or message.week < 1:
        raise invalid(field, "is not a place")
    return Place(
        week=message.week,
        day=message.day_of_week,
        first=message.first_section,
        last=message.last_section,
        starts_at=values.checked_instant(message.start_time, f"{field}.start_time"),
        ends_at=values.checked_instant(message.end_time, f"{field}.end_time"),
    )


def _issue(message: observation_pb2.Issue, field: str) -> Issue:
    return Issue(
        code=message.code[:_MAX_CODE],
        severity=message.severity[:_MAX_CODE],
        evidence=values.checked_both(message.evidence, f"{field}.evidence", most=_MAX_SENTENCE),
    )


def _metrics(message: observation_pb2.Metrics) -> dict[str, int]:
    """Its figures by name."""
    return {
        "needed_sections": message.needed_sections,
        "longest_free_run_sections": message.longest_free_run_sections,
        "free_sections": message.free_sections,
        "window_sections": message.window_sections,
    }


def _zone(name: str) -> ZoneInfo:
    try:
        return ZoneInfo(name)
    except (ZoneInfoNotFoundError, ValueError, OSError) as error:
        raise invalid("situation.time_zone", "must be an IANA name") from error


def _bounded(value: str, field: str, most: int) -> str:
    if len(value) > most:
        raise invalid(field, f"must be at most {most} characters")
    return value


def _few(messages: "Sequence[T]", field: str, most: int) -> "Sequence[T]":
    if len(messages) > most:
        raise invalid(field, f"must be at most {most}")
    return messages
