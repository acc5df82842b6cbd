"""Edited places as addresses and forms write them: `c1@3.13.2.3-4`, several with spaces between.

That is change c1 put to sections 3–4 of day 2 of week 13 of semester 3.
"""

import re
from collections.abc import Iterable, Mapping

from libs.rpc.errors import invalid
from smartmate.active_scheduler.v1 import preview_pb2
from smartmate.schedule.v1 import calendar_pb2, change_pb2, schedule_event_pb2

MOST = 50
_EDIT = re.compile(r"([^\s@]{1,64})@(\d{1,18})\.(\d{1,3})\.([1-7])\.(\d{1,2})-(\d{1,2})", re.ASCII)

Places = Mapping[str, calendar_pb2.Place]
"""By change_id."""


def word_of(change_id: str, place: calendar_pb2.Place) -> str:
    """One edit as a word."""
    return f"{change_id}@{day_word(place)}.{place.first_section}-{place.last_section}"


def day_word(place: calendar_pb2.Place) -> str:
    """The day of a place: `3.13.2`."""
    return f"{place.semester_id}.{place.week}.{place.day_of_week}"


def place_of_day(word: str) -> calendar_pb2.Place:
    """The first section of a day out of `day_word`."""
    semester, week, day = word.split(".")
    return _place(semester, week, day, "1", "1")


def read(text: str) -> dict[str, calendar_pb2.Place]:
    """The places that a text names, by change. Raises InvalidRequest."""
    words = text.split()
    found = [_EDIT.fullmatch(word) for word in words]
    edits = {match.group(1): _place(*match.groups()[1:]) for match in found if match}
    if len(edits) != len(words) or len(words) > MOST:
        raise invalid("edits", "must be different change@semester.week.day.first-last")
    return edits


def changes_of(edits: Places) -> list[change_pb2.ScheduleChange]:
    """Edited changes as messages."""
    return [
        change_pb2.ScheduleChange(change_id=change_id, to=to) for change_id, to in edits.items()
    ]


def edited(candidate: preview_pb2.Candidate, edits: Places) -> preview_pb2.Candidate:
    """The candidate with other places for some of its changes, and its days as they would be."""
    moved = {
        _key(change.to): edits[change.change_id]
        for change in candidate.changes
        if change.change_id in edits and change.HasField("to")
    }
    made = preview_pb2.Candidate()
    made.CopyFrom(candidate)
    for change in made.changes:
        if change.HasField("to"):
            change.to.CopyFrom(moved.get(_key(change.to), change.to))
    for event in made.after_events:
        # A block that is written already keeps its place: only new ones can be put elsewhere.
        if event.event_id == 0:
            event.place.CopyFrom(moved.get(_key(event.place), event.place))
    return made


def movable(candidate: preview_pb2.Candidate) -> change_pb2.ScheduleChange | None:
    """The change of a candidate that a person may put elsewhere, if there is one."""
    return next((one for one in candidate.changes if one.editable and one.HasField("to")), None)


def stands_in(
    events: Iterable[schedule_event_pb2.ScheduleEvent], place: calendar_pb2.Place
) -> tuple[schedule_event_pb2.ScheduleEvent, ...]:
    """The events that share a section with a place."""
    return tuple(event for event in events if _overlap(event.place, place))


def _overlap(one: calendar_pb2.Place, other: calendar_pb2.Place) -> bool:
    return (
        day_word(one) == day_word(other)
        and one.first_section <= other.last_section
        and other.first_section <= one.last_section
    )


def _key(place: calendar_pb2.Place) -> tuple[int, int, int, int, int]:
    return (
        place.semester_id,
        place.week,
        place.day_of_week,
        place.first_section,
        place.last_section,
    )


def _place(semester: str, week: str, day: str, first: str, last: str) -> calendar_pb2.Place:
    return calendar_pb2.Place(
        semester_id=int(semester),
        week=int(week),
        day_of_week=int(day),
        first_section=int(first),
        last_section=int(last),
    )
