"""What the agent service is told and answers."""

from dataclasses import replace

from libs.planning.calendar import Semester
from libs.planning.grid import Block, Grid, Place
from services.active_scheduler.domain import words
from services.active_scheduler.domain.preferences import Preferences, PreferenceSource, Wish
from services.active_scheduler.domain.preview import Candidate, Content, Selection
from services.active_scheduler.domain.selection import Chosen
from services.active_scheduler.domain.snapshot import Surroundings
from services.active_scheduler.domain.text import SILENCE, Text
from services.active_scheduler.wire import preview, values
from smartmate.agent.v1 import agent_service_pb2 as pb
from smartmate.agent.v1 import feedback_pb2, memory_pb2, selection_pb2
from smartmate.text.v1.localized_text_pb2 import LocalizedText

_SUITS = {memory_pb2.MEMORY_TYPE_PREFERENCE: True, memory_pb2.MEMORY_TYPE_CONSTRAINT: False}
_QUERY_LENGTH = 1000
_MOST_TEXTS = 20
_MOST_BLOCKS = 200
_MOST_PLACES = 10


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


def locate_call(words_said: str, around: Surroundings) -> pb.LocateFeedbackRequest:
    """Words, and the blocks that they may mean, the nearest ones where there are too many."""
    told_at, laid = around.told_at, around.laid
    nearest = sorted(around.blocks, key=lambda one: abs(laid.starts_at(one.place) - told_at))
    shown = {one.id for one in nearest[:_MOST_BLOCKS]}
    return pb.LocateFeedbackRequest(
        text=words_said,
        now_time=values.timestamp(told_at),
        time_zone=words.zone_among(laid.semesters, told_at),
        blocks=[
            _around(one, laid, around.class_name(one)) for one in around.blocks if one.id in shown
        ],
    )


def _around(block: Block, laid: Grid, class_name: str) -> feedback_pb2.FeedbackBlock:
    return feedback_pb2.FeedbackBlock(
        event_id=block.id,
        title=block.name,
        start_time=values.timestamp(laid.starts_at(block.place)),
        end_time=values.timestamp(laid.ends_at(block.place)),
        day_of_week=block.place.day,
        first_section=block.place.first,
        last_section=block.place.last,
        task_class_name=class_name,
    )


def select_call(content: Content, texts: tuple[str, ...]) -> pb.SelectCandidateRequest:
    """Everything that a look found, for choice and words."""
    return pb.SelectCandidateRequest(
        situation=_situation(content),
        candidates=[_brief(content, one) for one in content.candidates],
        memory_texts=texts[:_MOST_TEXTS],
        user_words=content.words,
        locale=selection_pb2.LOCALE_ZH_CN,
    )


def chosen(answer: pb.SelectCandidateResponse) -> Chosen:
    """The choice, and the words of a model; where there are none, ours say more than the brief."""
    selection = Selection(
        fallback_used=answer.fallback_used,
        template_reason=answer.fallback_reason,
        model=answer.model,
    )
    selected_id = answer.selected_candidate_id or None
    if answer.fallback_reason:
        return Chosen(selected_id, SILENCE, selection)
    worded = replace(
        selection,
        reason=_text(answer.reason),
        risk=_text(answer.risk),
        notification=_text(answer.notification_text),
    )
    return Chosen(selected_id, _text(answer.summary), worded)


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
        ][:_MOST_PLACES],
        summary=values.localized(_unnamed(content, candidate.summary)),
        reason=values.localized(_unnamed(content, candidate.reason)),
        risk=values.localized(_unnamed(content, candidate.risk)),
    )


def _unnamed(content: Content, text: Text) -> Text:
    """Without the names of other blocks: facts hold no words of a person but the title."""
    names = {block.name for block in content.before} - {content.target_title, ""}
    for name in sorted(names, key=len, reverse=True):
        text = Text(
            text.zh.replace(f"「{name}」", "另一项"), text.en.replace(f"“{name}”", "another one")
        )
    return text


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
        text=item.text,
    )


def _text(message: LocalizedText) -> Text:
    return Text(message.zh_cn, message.en_us)
