"""active_scheduler's answer as a domain value."""

from collections.abc import Iterable, Iterator, Mapping
from datetime import date, time

from libs.planning.calendar import (
    DEFAULT_TIME_ZONE,
    CalendarError,
    SectionClock,
    SectionTime,
    Semester,
)
from services.notification.domain.answer import (
    Answer,
    PlannedChange,
    PreviewState,
    Silence,
    Spot,
    Told,
    Topic,
)
from services.notification.domain.message import Language
from services.notification.wire import values
from smartmate.active_scheduler.v1 import active_scheduler_service_pb2 as service_pb2
from smartmate.active_scheduler.v1 import preview_pb2
from smartmate.schedule.v1 import calendar_pb2, change_pb2, schedule_event_pb2
from smartmate.text.v1.localized_text_pb2 import LocalizedText

_STATES = {
    preview_pb2.PREVIEW_STATE_READY: PreviewState.READY,
    preview_pb2.PREVIEW_STATE_APPLYING: PreviewState.APPLYING,
    preview_pb2.PREVIEW_STATE_APPLIED: PreviewState.APPLIED,
    preview_pb2.PREVIEW_STATE_IGNORED: PreviewState.IGNORED,
    preview_pb2.PREVIEW_STATE_SUPERSEDED: PreviewState.SUPERSEDED,
    preview_pb2.PREVIEW_STATE_EXPIRED: PreviewState.EXPIRED,
}
_TOPICS = {
    preview_pb2.DECISION_ACTION_ASK_USER: Topic.QUESTION,
    preview_pb2.DECISION_ACTION_NOTIFY_ONLY: Topic.NOTICE,
}

Semesters = Mapping[int, Semester]


def answer(response: service_pb2.GetPreviewResponse) -> Answer:
    """What was told; what cannot be read, a newer peer's state say, is like no answer at all."""
    preview = response.preview
    state = _STATES.get(preview.state)
    try:
        now, expires_at = values.instant(response.now_time), values.instant(preview.expire_time)
    except (ValueError, OverflowError):
        return Silence()
    if state is None:
        return Silence()
    semesters = _semesters(preview.semesters)
    zone = next((one.time_zone for one in semesters.values()), DEFAULT_TIME_ZONE)
    return Told(
        state=state,
        topic=_TOPICS.get(preview.action, Topic.SUGGESTION),
        target_title=preview.target_title,
        summary=_words(preview),
        changes=tuple(_changes(preview, semesters)),
        now=now,
        expires_at=expires_at,
        time_zone=zone,
        is_answered=preview.question.HasField("answer_time"),
    )


def _words(preview: preview_pb2.Preview) -> Mapping[Language, str]:
    """The words that were made for the message, where there are any."""
    own = preview.notification_text
    return _both(own if own.zh_cn and own.en_us else preview.summary)


def _both(text: LocalizedText) -> Mapping[Language, str]:
    return {Language.ZH_CN: text.zh_cn, Language.EN_US: text.en_us}


def _changes(preview: preview_pb2.Preview, semesters: Semesters) -> Iterator[PlannedChange]:
    """The changes of the candidate that is proposed."""
    for candidate in preview.candidates:
        if candidate.candidate_id == preview.selected_candidate_id:
            for change in candidate.changes:
                yield _change(change, preview, candidate, semesters)


def _change(
    change: change_pb2.ScheduleChange,
    preview: preview_pb2.Preview,
    candidate: preview_pb2.Candidate,
    semesters: Semesters,
) -> PlannedChange:
    # `from` is a word of the language.
    from_ = getattr(change, "from") if change.HasField("from") else None
    to = change.to if change.HasField("to") else None
    return PlannedChange(
        name=_name(change.target, preview, candidate),
        from_=_spot(from_, semesters),
        to=_spot(to, semesters),
        taken_by=tuple(_taken_by(to, preview.before_events)) if to is not None else (),
    )


def _name(
    target: change_pb2.Target, preview: preview_pb2.Preview, candidate: preview_pb2.Candidate
) -> str:
    if target == preview.target:
        return preview.target_title
    for block in (*preview.before_events, *candidate.after_events):
        is_block = target.kind == change_pb2.TARGET_KIND_SCHEDULE_EVENT
        if (is_block and block.event_id == target.id) or block.source == target:
            return block.name
    return preview.target_title


def _taken_by(
    place: calendar_pb2.Place, blocks: Iterable[schedule_event_pb2.ScheduleEvent]
) -> Iterator[str]:
    for block in blocks:
        there = block.place
        same_day = (there.semester_id, there.week, there.day_of_week) == (
            place.semester_id,
            place.week,
            place.day_of_week,
        )
        overlaps = (
            there.first_section <= place.last_section and place.first_section <= there.last_section
        )
        if same_day and overlaps:
            yield block.name


def _spot(place: calendar_pb2.Place | None, semesters: Semesters) -> Spot | None:
    """None where the place cannot be told: its semester is not known, or does not have it."""
    semester = semesters.get(place.semester_id) if place is not None else None
    if place is None or semester is None:
        return None
    try:
        starts_at, ends_at = semester.span(
            place.week, place.day_of_week, place.first_section, place.last_section
        )
    except CalendarError:
        return None
    return Spot(
        place.first_section,
        place.last_section,
        starts_at.astimezone(semester.zone),
        ends_at.astimezone(semester.zone),
    )


def _semesters(messages: Iterable[calendar_pb2.Semester]) -> Semesters:
    """The semesters that can be read; what lies in another one is told without its place."""
    found = {}
    for message in messages:
        try:
            found[message.semester_id] = _semester(message)
        except ValueError:
            continue
    return found


def _semester(message: calendar_pb2.Semester) -> Semester:
    sections = tuple(
        SectionTime(_time(one.start_minute_of_day), _time(one.end_minute_of_day))
        for one in message.clock.sections
    )
    return Semester(
        id=message.semester_id,
        first_day=date.fromisoformat(message.first_date),
        weeks=message.week_count,
        time_zone=message.time_zone,
        clock=SectionClock(
            sections, message.clock.lunch_after_section, message.clock.dinner_after_section
        ),
        version=message.version,
    )


def _time(minutes: int) -> time:
    # Midnight at the end of a day is told as 24:00; the clock's last instant is 23:59.
    return time(*divmod(min(minutes, 24 * 60 - 1), 60))
