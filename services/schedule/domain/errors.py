"""What the schedule service refuses, as one tree.

    ScheduleError
    ├── NotFound
    │   ├── SemesterNotFound        semester_not_found
    │   ├── TaskNotFound            task_not_found
    │   ├── TargetNotFound          target_not_found
    │   ├── EventNotFound           event_not_found
    │   ├── CourseNotFound          course_not_found
    │   ├── OverrideNotFound        override_not_found
    │   ├── TaskClassNotFound       task_class_not_found
    │   ├── TaskItemNotFound        task_item_not_found
    │   └── ApplyNotFound           apply_not_found
    ├── StateForbids
    │   ├── SemesterOverlap         semester_overlap
    │   ├── SemesterInUse           semester_in_use
    │   ├── EventHasBegun           event_has_begun
    │   ├── EventNotRevocable       event_not_revocable
    │   ├── CourseHostsWork         course_hosts_work
    │   ├── CalendarCollision       calendar_collision
    │   ├── ItemOrderBroken         order_violation
    │   ├── ApplyNotUndoable        apply_not_undoable
    │   ├── ApplyAlreadyUndone      apply_already_undone
    │   └── OutsideEverySemester
    │       ├── NotStarted          not_started
    │       └── Ended               ended
    ├── Outdated
    │   ├── VersionMismatch         version_mismatch
    │   ├── SemesterChanged         semester_changed
    │   └── BaseVersionChanged      base_version_changed
    ├── Unusable
    │   ├── WeekOutOfSemester       out_of_semester
    │   ├── RangeUnusable           range_unusable
    │   └── UnreadableTimetable     the file's own reason
    ├── TooManyTaskClasses          too_many_task_classes
    ├── ApplyIdReused               idempotency_conflict
    └── CellTaken                   slot_conflict

Each class has a `reason`, a stable code, and `metadata` for programs; none knows a status code.
"""

from collections.abc import Mapping, Sequence
from datetime import date
from types import MappingProxyType

_NOTHING: Mapping[str, str] = MappingProxyType({})
# Metadata travels in headers, which have a limit.
_MOST_NAMED = 20


def _named_events(event_ids: Sequence[int]) -> dict[str, str]:
    named = ",".join(str(event_id) for event_id in event_ids[:_MOST_NAMED])
    return {"event_ids": named, "event_count": str(len(event_ids))}


class ScheduleError(Exception):
    """Anything that this service refuses for a reason it knows."""

    reason = "schedule_error"
    metadata: Mapping[str, str] = _NOTHING


class NotFound(ScheduleError):
    """It is not there, or it is another user's; the two look the same."""


class SemesterNotFound(NotFound):
    """No such semester of this user, or none at all."""

    reason = "semester_not_found"


class TaskNotFound(NotFound):
    """No such task of this user."""

    reason = "task_not_found"


class TargetNotFound(NotFound):
    """What is to be placed is not this user's, or of a kind that cannot be placed."""

    reason = "target_not_found"


class EventNotFound(NotFound):
    """No such live block of this user."""

    reason = "event_not_found"


class CourseNotFound(NotFound):
    """No such course of this user."""

    reason = "course_not_found"


class OverrideNotFound(NotFound):
    """Nothing is said of that date."""

    reason = "override_not_found"


class TaskClassNotFound(NotFound):
    """No such task class of this user."""

    reason = "task_class_not_found"


class TaskItemNotFound(NotFound):
    """Item `item_id` is none of the class."""

    reason = "task_item_not_found"

    def __init__(self, item_id: int) -> None:
        super().__init__(item_id)
        self.metadata = {"task_item_id": str(item_id)}


class ApplyNotFound(NotFound):
    """There is no verdict under this apply_id."""

    reason = "apply_not_found"


class StateForbids(ScheduleError):
    """It would be legal at another time or in another state."""


class SemesterOverlap(StateForbids):
    """Semester `other_id` of the same user covers some of the same dates."""

    reason = "semester_overlap"

    def __init__(self, other_id: int) -> None:
        super().__init__(other_id)
        self.metadata = {"semester_id": str(other_id)}


class SemesterInUse(StateForbids):
    """Block `event_id` would fall outside the semester as it is asked for."""

    reason = "semester_in_use"

    def __init__(self, event_id: int) -> None:
        super().__init__(event_id)
        self.metadata = {"event_id": str(event_id)}


class EventHasBegun(StateForbids):
    """Block `event_id` runs or is over: what has begun stays as it is."""

    reason = "event_has_begun"

    def __init__(self, event_id: int) -> None:
        super().__init__(event_id)
        self.metadata = {"event_id": str(event_id)}


class EventNotRevocable(StateForbids):
    """Block `event_id` is a meeting of a course: there is nothing it could go back to."""

    reason = "event_not_revocable"

    def __init__(self, event_id: int) -> None:
        super().__init__(event_id)
        self.metadata = {"event_id": str(event_id)}


class CourseHostsWork(StateForbids):
    """Blocks that are not over sit in meetings of the course; the metadata names some."""

    reason = "course_hosts_work"

    def __init__(self, event_ids: Sequence[int]) -> None:
        super().__init__(event_ids)
        self.metadata = _named_events(event_ids)


class CalendarCollision(StateForbids):
    """Blocks of work stand where the calendar asked for would hold classes."""

    reason = "calendar_collision"

    def __init__(self, event_ids: Sequence[int]) -> None:
        super().__init__(event_ids)
        self.metadata = _named_events(event_ids)


class ItemOrderBroken(StateForbids):
    """Block `event_id` of an item would stand against another item of its class."""

    reason = "order_violation"

    def __init__(self, *, item_id: int, other_item_id: int, event_id: int) -> None:
        super().__init__(item_id)
        self.metadata = {
            "task_item_id": str(item_id),
            "other_task_item_id": str(other_item_id),
            "event_id": str(event_id),
        }


class ApplyNotUndoable(StateForbids):
    """An undo, which is not taken back itself, or an apply whose effects were not kept."""

    reason = "apply_not_undoable"

    def __init__(self, apply_id: str) -> None:
        super().__init__(apply_id)
        self.metadata = {"apply_id": apply_id}


class ApplyAlreadyUndone(StateForbids):
    """Apply `apply_id` has taken it back."""

    reason = "apply_already_undone"

    def __init__(self, apply_id: str) -> None:
        super().__init__(apply_id)
        self.metadata = {"apply_id": apply_id}


class OutsideEverySemester(StateForbids):
    """A date that no semester holds; the metadata names the nearest semester and its dates."""

    def __init__(self, on: date, *, semester_id: int, first: date, last: date) -> None:
        super().__init__(on.isoformat())
        self.metadata = {
            "date": on.isoformat(),
            "semester_id": str(semester_id),
            "first_date": first.isoformat(),
            "last_date": last.isoformat(),
        }


class NotStarted(OutsideEverySemester):
    """The nearest semester has not begun on that date."""

    reason = "not_started"


class Ended(OutsideEverySemester):
    """The last semester was over on that date."""

    reason = "ended"


class Outdated(ScheduleError):
    """The caller, or this service, judged by something that has changed since."""


class VersionMismatch(Outdated):
    """The row has version `actual`, not the one that the caller has seen."""

    reason = "version_mismatch"

    def __init__(self, actual: int) -> None:
        super().__init__(actual)
        self.metadata = {"actual_version": str(actual)}


class SemesterChanged(Outdated):
    """The semester changed between reading a file for it and writing what the file says."""

    reason = "semester_changed"


class BaseVersionChanged(Outdated):
    """A file would change something else by now than the person has seen; `actual` names it."""

    reason = "base_version_changed"

    def __init__(self, actual: str) -> None:
        super().__init__(actual)
        self.metadata = {"actual_version": actual}


class Unusable(ScheduleError):
    """The request names or holds something that can never be used."""


class WeekOutOfSemester(Unusable):
    """A week that the semester does not have."""

    reason = "out_of_semester"

    def __init__(self, week: int, weeks: int) -> None:
        super().__init__(week)
        self.metadata = {"week": str(week), "week_count": str(weeks)}


class RangeUnusable(Unusable):
    """Dates that end before they begin, or are more than `most` days."""

    reason = "range_unusable"

    def __init__(self, first: date, last: date, *, most: int) -> None:
        super().__init__(f"{first.isoformat()}..{last.isoformat()}")
        self.metadata = {
            "first_date": first.isoformat(),
            "last_date": last.isoformat(),
            "most_days": str(most),
        }


class UnreadableTimetable(Unusable):
    """The file is no timetable; the reason is the file's own, the words are in the metadata."""

    def __init__(self, reason: str, *, message_zh: str, message_en: str) -> None:
        super().__init__(reason)
        self.reason = reason
        self.metadata = {"message_zh_cn": message_zh, "message_en_us": message_en}


class TooManyTaskClasses(ScheduleError):
    """The user has as many task classes as one may have."""

    reason = "too_many_task_classes"


class ApplyIdReused(ScheduleError):
    """The apply_id was used for other changes."""

    reason = "idempotency_conflict"

    def __init__(self, apply_id: str) -> None:
        super().__init__(apply_id)
        self.metadata = {"apply_id": apply_id}


class CellTaken(ScheduleError):
    """The database's last guard found two blocks in one cell; the transaction is lost."""

    reason = "slot_conflict"
