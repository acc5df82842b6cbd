"""A suggestion over the schedule as it stands now, rather than as it stood when it was made."""

from collections.abc import Iterable, Iterator, Sequence

from services.gateway.wire.edits import day_word
from smartmate.active_scheduler.v1 import active_scheduler_service_pb2, preview_pb2
from smartmate.schedule.v1 import calendar_pb2, schedule_event_pb2

Event = schedule_event_pb2.ScheduleEvent
Answer = active_scheduler_service_pb2.CheckEditsResponse


def touched_days(preview: preview_pb2.Preview) -> frozenset[str]:
    """The days of every place that the suggestion shows or would change."""
    return frozenset(day_word(place) for place in _places(preview))


def near_days(room: Answer) -> frozenset[str]:
    """The days that the suggestion looked at."""
    return frozenset(day_word(day.spots[0].place) for day in room.days if day.is_near and day.spots)


def as_it_stands(
    preview: preview_pb2.Preview, room: Answer, days: frozenset[str]
) -> preview_pb2.Preview:
    """The same suggestion, with what stands on `days` now before and after it."""
    known = {day_word(day.spots[0].place) for day in room.days if day.spots}
    now = [event for event in room.events if day_word(event.place) in days]
    now += [event for event in preview.before_events if day_word(event.place) not in known]
    made = preview_pb2.Preview()
    made.CopyFrom(preview)
    for candidate, stored in zip(made.candidates, preview.candidates, strict=True):
        altered = tuple(_altered(stored.after_events, preview.before_events))
        gone = _ids(preview.before_events) - _ids(stored.after_events)
        kept = [one for one in now if one.event_id not in gone | _ids(altered)]
        candidate.ClearField("after_events")
        candidate.after_events.extend([*kept, *altered])
    made.ClearField("before_events")
    made.before_events.extend(now)
    ids = {semester.semester_id for semester in preview.semesters}
    made.semesters.extend(one for one in room.semesters if one.semester_id not in ids)
    return made


def with_beside(
    answer: active_scheduler_service_pb2.GetPreviewResponse, events: Sequence[Event]
) -> active_scheduler_service_pb2.GetPreviewResponse:
    """The same answer, with blocks of other days before and after it as well."""
    if not events:
        return answer
    made = active_scheduler_service_pb2.GetPreviewResponse()
    made.CopyFrom(answer)
    made.preview.before_events.extend(events)
    for candidate in made.preview.candidates:
        candidate.after_events.extend(events)
    return made


def _altered(after: Iterable[Event], before: Iterable[Event]) -> Iterator[Event]:
    """What a candidate adds or puts elsewhere."""
    places = {event.event_id: event.place for event in before}
    for event in after:
        if event.event_id == 0 or places.get(event.event_id) != event.place:
            yield event


def _ids(events: Iterable[Event]) -> set[int]:
    return {event.event_id for event in events if event.event_id}


def _places(preview: preview_pb2.Preview) -> Iterator[calendar_pb2.Place]:
    for event in preview.before_events:
        yield event.place
    for candidate in preview.candidates:
        for event in candidate.after_events:
            yield event.place
        for change in candidate.changes:
            if change.HasField("to"):
                yield change.to
