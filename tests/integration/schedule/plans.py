"""Study plans and changes of every kind, as tests of the schedule service say them."""

from collections.abc import Sequence
from datetime import date, timedelta

from smartmate.schedule.v1 import (
    apply_pb2,
    calendar_pb2,
    change_pb2,
    schedule_event_pb2,
    task_class_pb2,
)
from smartmate.schedule.v1 import schedule_service_pb2 as pb
from tests.integration.schedule.people import Person, fresh

EVENT = change_pb2.TARGET_KIND_SCHEDULE_EVENT
ITEM = change_pb2.TARGET_KIND_TASK_ITEM
POOL = change_pb2.TARGET_KIND_TASK_POOL


def change(
    type_: str,
    kind: change_pb2.TargetKind,
    id_: int,
    to: calendar_pb2.Place | None = None,
    *,
    change_id: str = "c1",
    host: int = 0,
    seen: calendar_pb2.Place | None = None,
) -> change_pb2.ScheduleChange:
    """A change; `type_` as the spec writes it, `seen` is where the block was."""
    found = change_pb2.ScheduleChange(
        change_id=change_id,
        type=change_pb2.ChangeType.Value(f"CHANGE_TYPE_{type_.upper()}"),
        target=change_pb2.Target(kind=kind, id=id_),
        to=to,
        host_event_id=host,
    )
    if seen is not None:
        getattr(found, "from").CopyFrom(seen)
    return found


def stated(
    *contents: str | pb.TaskItemInput, name: str = "复习线代", **others: object
) -> pb.TaskClassInput:
    """A class with items of these contents."""
    items = [
        one if isinstance(one, pb.TaskItemInput) else pb.TaskItemInput(content=one)
        for one in contents
    ]
    return pb.TaskClassInput(name=name, items=items, **others)  # type: ignore[arg-type]


async def put_class(
    person: Person, asked: pb.TaskClassInput, *, class_id: int = 0, if_version: int = 0
) -> pb.PutTaskClassResponse:
    """Creates a class, or replaces the one named."""
    answer: pb.PutTaskClassResponse = await person.call(
        "PutTaskClass",
        pb.PutTaskClassRequest(
            request_id=fresh(), task_class_id=class_id, task_class=asked, if_version=if_version
        ),
    )
    return answer


async def add_class(person: Person, *contents: str, **others: object) -> task_class_pb2.TaskClass:
    """A new class with items of these contents."""
    return (await put_class(person, stated(*contents, **others))).task_class


async def get_class(person: Person, class_id: int) -> task_class_pb2.TaskClass:
    """A class as it is stored."""
    found: task_class_pb2.TaskClass = (
        await person.call("GetTaskClass", pb.GetTaskClassRequest(task_class_id=class_id))
    ).task_class
    return found


async def undo(
    person: Person, undone: str = "", *, apply_id: str | None = None
) -> apply_pb2.ApplyVerdict:
    """Takes an apply back, the latest one for no name."""
    answer = await person.call(
        "UndoApply",
        pb.UndoApplyRequest(apply_id=apply_id or fresh("asa_"), undone_apply_id=undone),
    )
    verdict: apply_pb2.ApplyVerdict = answer.verdict
    return verdict


async def open_course(person: Person, course_id: int, *, opened: bool = True) -> None:
    """Says whether a course may host work."""
    await person.call(
        "SetCourseEmbedding",
        pb.SetCourseEmbeddingRequest(
            request_id=fresh(), course_id=course_id, can_be_embedded=opened
        ),
    )


async def standing(person: Person) -> list[schedule_event_pb2.ScheduleEvent]:
    """Everything that stands in the person's semester."""
    first = date.fromisoformat(person.semester.first_date)
    last = first + timedelta(days=7 * person.semester.week_count - 1)
    request = pb.ListEventsRequest(
        first_date=first.isoformat(), last_date=last.isoformat(), page_size=500
    )
    found: list[schedule_event_pb2.ScheduleEvent] = []
    while True:
        page = await person.call("ListEvents", request)
        found += page.events
        if not page.next_page_token:
            return found
        request.page_token = page.next_page_token


def places(
    events: Sequence[schedule_event_pb2.ScheduleEvent],
) -> dict[int, tuple[int, int, int, int, int]]:
    """Where blocks stand and in which host, by their ids."""
    return {
        one.event_id: (
            one.place.week,
            one.place.day_of_week,
            one.place.first_section,
            one.place.last_section,
            one.host_event_id,
        )
        for one in events
    }


async def make_past(person: Person, event_id: int, *, days: int = 7) -> None:
    """Puts a block some days back, where it is over, behind the service's back."""
    await person.backend.execute(
        "UPDATE schedule_events SET start_time = start_time - make_interval(days => :days), "
        "end_time = end_time - make_interval(days => :days), week = week - :days / 7 "
        "WHERE user_id = :user AND id = :id",
        days=days,
        user=person.id,
        id=event_id,
    )
    await person.backend.execute(
        "UPDATE schedules SET week = week - :days / 7 WHERE user_id = :user AND event_id = :id",
        days=days,
        user=person.id,
        id=event_id,
    )
