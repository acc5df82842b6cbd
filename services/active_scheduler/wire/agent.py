"""What the agent service is told and answers."""

from libs.planning.calendar import Semester
from libs.planning.grid import Place
from services.active_scheduler.domain import words
from services.active_scheduler.domain.preferences import Preferences, PreferenceSource, Wish
from services.active_scheduler.domain.preview import Candidate, Content, Selection
from services.active_scheduler.domain.selection import Chosen
from services.active_scheduler.domain.text import Text
from services.active_scheduler.wire import preview, values
from smartmate.agent.v1 import agent_service_pb2 as pb
from smartmate.agent.v1 import memory_pb2, selection_pb2
from smartmate.text.v1.localized_text_pb2 import LocalizedText

_SUITS = {memory_pb2.MEMORY_TYPE_PREFERENCE: True, memory_pb2.MEMORY_TYPE_CONSTRAINT: False}
_QUERY_LENGTH = 1000
_MOST_TEXTS = 20


def recall_call(title: str) -> pb.RecallMemoryRequest:
    """Preferences and constraints that bear on a title, or speak of times."""
    return pb.RecallMemoryRequest(
        query=title[:_QUERY_LENGTH], types=list(_SUITS), include_timed=True, limit=_MOST_TEXTS
    )


def preferences(answer: pb.RecallMemoryResponse) -> Preferences:
    """What was recalled; a kind that is not known here is read, and sways nothing."""
    wishes = (_wish(item) for item in answer.items if item.type in _SUITS)
    return Preferences(
        source=PreferenceSource.MEMORY if answer.items else PreferenceSource.NONE,
        wishes=tuple(wish for wish in wishes if wish.speaks_of_time),
        texts=tuple(item.text for item in answer.items),
    )


def select_call(content: Content, texts: tuple[str, ...]) -> pb.SelectCandidateRequest:
    """Everything that a look found, for choice and words."""
    return pb.SelectCandidateRequest(
        situation=_situation(content),
        candidates=[_brief(content, one) for one in content.candidates],
        memory_texts=texts[:_MOST_TEXTS],
        locale=selection_pb2.LOCALE_ZH_CN,
    )


def chosen(answer: pb.SelectCandidateResponse) -> Chosen:
    """The choice and its words."""
    return Chosen(
        selected_id=answer.selected_candidate_id or None,
        summary=_text(answer.summary),
        selection=Selection(
            reason=_text(answer.reason),
            risk=_text(answer.risk),
            notification=_text(answer.notification_text),
            fallback_used=answer.fallback_used,
            template_reason=answer.fallback_reason,
            model=answer.model,
        ),
    )


def _situation(content: Content) -> selection_pb2.Situation:
    return selection_pb2.Situation(
        action=preview.ACTIONS[content.decision.action],
        reason_code=content.decision.reason,
        target_title=content.target_title,
        facts_time=values.timestamp(content.facts_at),
        time_zone=words.zone_among(content.semesters, content.facts_at),
        deadline_time=values.timestamp(content.deadline),
        facts=[values.localized(fact) for fact in content.facts],
        inaction=values.localized(content.inaction),
        metrics=preview.metrics_message(content.metrics),
        issues=[preview.issue_message(issue) for issue in content.issues],
        notice=values.localized(Text() if content.candidates else content.summary),
    )


def _brief(content: Content, candidate: Candidate) -> selection_pb2.CandidateBrief:
    return selection_pb2.CandidateBrief(
        candidate_id=candidate.id,
        family=preview.FAMILIES[candidate.family],
        places=[
            _place(change.to, semester)
            for change in candidate.changes
            if change.to is not None
            and (semester := content.semester(change.to.semester_id)) is not None
        ],
        summary=values.localized(candidate.summary),
        reason=values.localized(candidate.reason),
        risk=values.localized(candidate.risk),
    )


def _place(place: Place, semester: Semester) -> selection_pb2.BriefPlace:
    starts_at, ends_at = semester.span(place.week, place.day, place.first, place.last)
    return selection_pb2.BriefPlace(
        week=place.week,
        day_of_week=place.day,
        first_section=place.first,
        last_section=place.last,
        start_time=values.timestamp(starts_at),
        end_time=values.timestamp(ends_at),
    )


def _wish(item: memory_pb2.MemoryItem) -> Wish:
    return Wish(
        suits=_SUITS[item.type],
        days=tuple(item.days_of_week),
        first=item.first_section,
        last=item.last_section,
    )


def _text(message: LocalizedText) -> Text:
    return Text(message.zh_cn, message.en_us)
