"""Previews and triggers as messages."""

from datetime import UTC

from libs.rpc.errors import invalid
from services.active_scheduler.domain import preview as domain
from services.active_scheduler.domain import selection
from services.active_scheduler.domain.candidates import Family
from services.active_scheduler.domain.confirm import Edit
from services.active_scheduler.domain.observation import Action, Issue, Metrics
from services.active_scheduler.domain.options import OptionType
from services.active_scheduler.domain.preview import (
    Candidate,
    Content,
    NotificationStatus,
    Preview,
    PreviewState,
    RefusalRecord,
    Reply,
)
from services.active_scheduler.domain.questions import Question, QuestionKind
from services.active_scheduler.wire import plan, values
from services.active_scheduler.wire.trigger import TRIGGER_TYPE_NUMBERS
from smartmate.active_scheduler.v1 import observation_pb2, preview_pb2, question_pb2
from smartmate.schedule.v1 import apply_pb2, change_pb2

ACTIONS = {
    Action.CLOSE: preview_pb2.DECISION_ACTION_CLOSE,
    Action.ASK_USER: preview_pb2.DECISION_ACTION_ASK_USER,
    Action.SELECT_CANDIDATE: preview_pb2.DECISION_ACTION_SELECT_CANDIDATE,
    Action.NOTIFY_ONLY: preview_pb2.DECISION_ACTION_NOTIFY_ONLY,
}
STATES = {
    PreviewState.READY: preview_pb2.PREVIEW_STATE_READY,
    PreviewState.APPLYING: preview_pb2.PREVIEW_STATE_APPLYING,
    PreviewState.APPLIED: preview_pb2.PREVIEW_STATE_APPLIED,
    PreviewState.IGNORED: preview_pb2.PREVIEW_STATE_IGNORED,
    PreviewState.SUPERSEDED: preview_pb2.PREVIEW_STATE_SUPERSEDED,
    PreviewState.EXPIRED: preview_pb2.PREVIEW_STATE_EXPIRED,
}
FAMILIES = {
    Family.EARLIEST: preview_pb2.CANDIDATE_FAMILY_EARLIEST,
    Family.LAST_SAFE: preview_pb2.CANDIDATE_FAMILY_LAST_SAFE,
    Family.BEST_MATCH: preview_pb2.CANDIDATE_FAMILY_BEST_MATCH,
    Family.LEAST_DISTURBANCE: preview_pb2.CANDIDATE_FAMILY_LEAST_DISTURBANCE,
}
TYPES = {
    OptionType.ADD: preview_pb2.CANDIDATE_TYPE_ADD_TASK_POOL_TO_SCHEDULE,
    OptionType.MAKEUP: preview_pb2.CANDIDATE_TYPE_MAKEUP_BLOCK,
    OptionType.REORDER: preview_pb2.CANDIDATE_TYPE_LOCAL_REORDER_MAKEUP,
    OptionType.COMPRESS: preview_pb2.CANDIDATE_TYPE_COMPRESS_WITH_NEXT_DYNAMIC_TASK,
    OptionType.SPLIT: preview_pb2.CANDIDATE_TYPE_SPLIT_IN_TWO,
    OptionType.DROP: preview_pb2.CANDIDATE_TYPE_DROP_UNFINISHED,
}
QUESTIONS = {
    QuestionKind.WHICH_BLOCK: question_pb2.QUESTION_KIND_WHICH_BLOCK,
    QuestionKind.DELAY_END: question_pb2.QUESTION_KIND_DELAY_END,
    QuestionKind.OTHER_DAY: question_pb2.QUESTION_KIND_OTHER_DAY,
    QuestionKind.SHORTEN: question_pb2.QUESTION_KIND_SHORTEN,
    QuestionKind.SPLIT: question_pb2.QUESTION_KIND_SPLIT,
}
_NOTIFICATIONS = {
    NotificationStatus.NONE: preview_pb2.NOTIFICATION_STATUS_UNSPECIFIED,
    NotificationStatus.PENDING: preview_pb2.NOTIFICATION_STATUS_PENDING,
    NotificationStatus.SENT: preview_pb2.NOTIFICATION_STATUS_SENT,
    NotificationStatus.DEAD: preview_pb2.NOTIFICATION_STATUS_DEAD,
    NotificationStatus.SKIPPED: preview_pb2.NOTIFICATION_STATUS_SKIPPED,
    NotificationStatus.UNKNOWN: preview_pb2.NOTIFICATION_STATUS_UNKNOWN,
}
_MAX_EDITS = 50
_MAX_CANDIDATE_ID = 200


def preview_message(preview: Preview) -> preview_pb2.Preview:
    """A stored preview in full."""
    message = content_message(preview.content)
    message.preview_id = preview.id
    message.trigger_id = preview.trigger_id
    message.trigger_type = TRIGGER_TYPE_NUMBERS[preview.trigger_type]
    if preview.target is not None:
        message.target.CopyFrom(values.target_message(preview.target))
    message.state = STATES[preview.state]
    message.version = preview.version
    message.generate_time.FromDatetime(preview.generated_at)
    message.expire_time.FromDatetime(preview.expires_at)
    message.apply_id = preview.apply_id or ""
    message.last_refusals.extend(refusal_message(one) for one in preview.last_refusals)
    if preview.applied_at:
        message.apply_time.FromDatetime(preview.applied_at)
    message.conversation_id = preview.conversation_id
    if preview.undone_at:
        message.undo_time.FromDatetime(preview.undone_at)
    if preview.reply:
        _put_reply(message.question, preview.reply)
    message.applied_event_ids.extend(preview.applied_event_ids)
    message.applied_changes.extend(plan.change_message(one) for one in preview.applied_changes)
    message.notification_status = _NOTIFICATIONS[preview.notification_status]
    message.is_mock_time = preview.is_mock
    return message


def content_message(content: Content) -> preview_pb2.Preview:
    """What the pipeline made, without the life of a stored preview."""
    return preview_pb2.Preview(
        target_title=content.target_title,
        action=ACTIONS[content.decision.action],
        reason_code=content.decision.reason,
        candidates=[
            _candidate(content, selection.worded(content, one)) for one in content.candidates
        ],
        selected_candidate_id=content.selected_id or "",
        summary=values.localized(content.summary),
        facts=[values.localized(fact) for fact in content.facts],
        inaction=values.localized(content.inaction),
        warnings=content.warnings,
        before_events=[plan.block_message(one, content.semesters) for one in content.before],
        semesters=[plan.semester_message(one) for one in content.semesters],
        facts_time=values.timestamp(content.facts_at),
        deadline_time=values.timestamp(content.deadline),
        planned_sections=content.planned_sections,
        notification_text=values.localized(content.selection.notification),
        llm_fallback_used=content.selection.fallback_used,
        llm_fallback_reason=content.selection.template_reason,
        model=content.selection.model,
        question=_question(content.question) if content.question else None,
        words=content.words,
    )


def summary_message(preview: Preview) -> preview_pb2.PreviewSummary:
    """A line in a list."""
    return preview_pb2.PreviewSummary(
        preview_id=preview.id,
        target_title=preview.content.target_title,
        summary=values.localized(preview.content.summary),
        state=STATES[preview.state],
        generate_time=values.timestamp(preview.generated_at),
        expire_time=values.timestamp(preview.expires_at),
        target=values.target_message(preview.target) if preview.target else None,
        action=ACTIONS[preview.content.decision.action],
        trigger_type=TRIGGER_TYPE_NUMBERS[preview.trigger_type],
        is_answered=preview.reply is not None,
    )


def metrics_message(metrics: Metrics) -> observation_pb2.Metrics:
    return observation_pb2.Metrics(
        needed_sections=metrics.needed,
        longest_free_run_sections=metrics.longest_run,
        capacity_gap_sections=metrics.capacity_gap,
        free_sections=metrics.free,
        window_sections=metrics.total,
        preference_source=metrics.preference_source.value,
        preference_count=metrics.preferences,
        preferences_met_count=metrics.preferences_met,
        miss_count=metrics.misses,
        deadline_margin=metrics.margin,
    )


def issue_message(issue: Issue) -> observation_pb2.Issue:
    return observation_pb2.Issue(
        code=issue.code, severity=issue.severity.value, evidence=values.localized(issue.evidence)
    )


def refusal_message(refusal: RefusalRecord) -> apply_pb2.Refusal:
    return apply_pb2.Refusal(
        code=f"REFUSAL_CODE_{refusal.code.upper()}",
        change_id=refusal.change_id,
        place=plan.place_message(refusal.place) if refusal.place else None,
        event_id=refusal.event_id,
        event_name=refusal.event_name,
        base_entries=[
            apply_pb2.BaseEntryChange(key=one.key, expected=one.expected, actual=one.actual)
            for one in refusal.entries
        ],
        detail=refusal.detail,
    )


def checked_candidate_id(value: str) -> str:
    """A candidate id out of a request; it is longer than other ids."""
    if not 1 <= len(value) <= _MAX_CANDIDATE_ID or not value.isprintable():
        raise invalid("candidate_id", f"must be 1..{_MAX_CANDIDATE_ID} printable characters")
    return value


def edits(messages: "list[change_pb2.ScheduleChange]") -> tuple[Edit, ...]:
    """Edited places out of a request: change_id and `to` are read, all else is ignored."""
    if len(messages) > _MAX_EDITS:
        raise invalid("edited_changes", f"must be at most {_MAX_EDITS}")
    found = []
    for index, message in enumerate(messages):
        field = f"edited_changes[{index}]"
        if not message.HasField("to"):
            raise invalid(f"{field}.to", "is required")
        to = plan.place(message.to)
        if not 1 <= to.first <= to.last or min(to.semester_id, to.week, to.day) < 1:
            raise invalid(f"{field}.to", "is not a place")
        found.append(Edit(values.checked_id(message.change_id, f"{field}.change_id"), to))
    return tuple(found)


def _candidate(content: Content, candidate: Candidate) -> preview_pb2.Candidate:
    after = domain.after(content.before, candidate.changes, content.target_title)
    return preview_pb2.Candidate(
        candidate_id=candidate.id,
        family=FAMILIES[candidate.family],
        changes=[plan.change_message(one, risk=candidate.risk.zh) for one in candidate.changes],
        summary=values.localized(candidate.summary),
        reason=values.localized(candidate.reason),
        risk=values.localized(candidate.risk),
        after_events=[plan.block_message(one, content.semesters) for one in after],
        base=dict(candidate.base),
        type=TYPES[candidate.type],
        preferences_met=[values.localized(one) for one in candidate.preferences_met],
        preferences_unmet=[values.localized(one) for one in candidate.preferences_unmet],
    )


def _question(question: Question) -> question_pb2.Question:
    return question_pb2.Question(
        kind=QUESTIONS[question.kind],
        text=values.localized(question.text),
        choices=[
            question_pb2.QuestionChoice(
                choice_id=one.id, text=values.localized(one.text), event_id=one.block_id or 0
            )
            for one in question.choices
        ],
        room_from_time=values.timestamp(question.room_from),
        sections=question.sections or 0,
    )


def _put_reply(message: question_pb2.Question, reply: Reply) -> None:
    message.answer_time.FromDatetime(reply.at.astimezone(UTC))
    message.answered_choice_id = reply.choice_id
    message.answer_words = reply.words
    message.answer_trigger_id = reply.trigger_id
