"""Ways to tell that something was not finished, and the weeks in which it is told."""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from datetime import date, timedelta
from itertools import groupby
from typing import Any

from libs.rpc.identity import Caller
from smartmate.active_scheduler.v1 import active_scheduler_service_pb2 as pb
from smartmate.active_scheduler.v1 import preview_pb2, trigger_pb2
from smartmate.schedule.v1 import calendar_pb2, change_pb2, task_class_pb2
from smartmate.schedule.v1 import schedule_service_pb2 as schedule_pb2
from tests.student import CALL_SECONDS, Student, course, new_key
from tests.world import World

EVENT = change_pb2.TARGET_KIND_SCHEDULE_EVENT
ITEM = change_pb2.TARGET_KIND_TASK_ITEM
POOL = change_pb2.TARGET_KIND_TASK_POOL
UNFINISHED = trigger_pb2.TRIGGER_TYPE_UNFINISHED_FEEDBACK


def target(kind: change_pb2.TargetKind, id_: int) -> change_pb2.Target:
    return change_pb2.Target(kind=kind, id=id_)


async def submit(
    student: Student,
    about: change_pb2.Target | None = None,
    *,
    text: str = "",
    feedback_id: str = "",
    key: str | None = None,
) -> pb.SubmitFeedbackResponse:
    """SubmitFeedback; gives the whole answer."""
    request = pb.SubmitFeedbackRequest(
        request_id=key or new_key(), feedback_id=feedback_id, target=about, text=text
    )
    answer: pb.SubmitFeedbackResponse = await student.call(
        student.line.active.SubmitFeedback, request
    )
    return answer


async def told(
    student: Student, about: change_pb2.Target | None = None, *, text: str = ""
) -> tuple[trigger_pb2.TriggerRecord, preview_pb2.Preview]:
    """The trigger of a feedback once it has ended, and the preview that it led to."""
    answer = await submit(student, about, text=text)
    return await led_to(student, answer.trigger.trigger_id)


async def led_to(
    student: Student, trigger_id: str
) -> tuple[trigger_pb2.TriggerRecord, preview_pb2.Preview]:
    """A trigger once it has ended, and the preview that it led to."""
    ended = await student.trigger_ended(trigger_id)
    assert ended.preview_id, f"no preview: {ended.reason}"
    return ended, await student.preview(ended.preview_id)


async def answer(
    student: Student,
    preview: preview_pb2.Preview,
    choice: str = "",
    *,
    text: str = "",
    key: str | None = None,
) -> pb.AnswerQuestionResponse:
    """AnswerQuestion; gives the whole answer."""
    request = pb.AnswerQuestionRequest(
        request_id=key or new_key(), preview_id=preview.preview_id, choice_id=choice, text=text
    )
    found: pb.AnswerQuestionResponse = await student.call(
        student.line.active.AnswerQuestion, request
    )
    return found


async def dry_run(student: Student, about: change_pb2.Target, **more: Any) -> pb.DryRunResponse:
    found: pb.DryRunResponse = await student.call(
        student.line.active.DryRun, pb.DryRunRequest(target=about, **more)
    )
    return found


async def as_operator(student: Student, method: Any, request: Any) -> Any:
    """A call of somebody who looks after the suite."""
    roles = frozenset({"operator"})
    token = student.line.issuer.user_token(student.id, roles)
    caller = Caller("gateway", student.id, roles, token)
    return await student.line.client.call(
        method, request, on_behalf_of=caller, seconds=CALL_SECONDS
    )


async def trace(student: Student, trigger_id: str) -> list[tuple[str, str]]:
    """Names and reasons of the steps of a trigger."""
    found = await as_operator(
        student, student.line.active.GetTrace, pb.GetTraceRequest(trigger_id=trigger_id)
    )
    return [(step.name, step.reason) for step in found.steps]


async def lay(
    world: World, student: Student, event_id: int, place: calendar_pb2.Place, *, days: int
) -> None:
    """Puts a block some days back, behind the service's back: into the past where need be."""
    args = (place.week, place.day_of_week, student.id, event_id)
    for table, key in (("schedule_events", "id"), ("schedules", "event_id")):
        await world.fetch(
            "schedule",
            f"UPDATE {table} SET week = $1, day_of_week = $2 WHERE user_id = $3 AND {key} = $4",
            *args,
        )
    await world.fetch(
        "schedule",
        "UPDATE schedule_events SET start_time = start_time - make_interval(days => $3), "
        "end_time = end_time - make_interval(days => $3) WHERE user_id = $1 AND id = $2",
        student.id,
        event_id,
        days,
    )


async def had_block(
    world: World,
    student: Student,
    title: str = "概率论大作业",
    *,
    sections: str = "5-6",
    ago: int = 1,
) -> int:
    """A block of a pool task that is over, some days ago; gives its id."""
    first, last = map(int, sections.split("-"))
    task = await student.create_task(title, sections=last - first + 1, due_in=None)
    # It is placed where a week has room whatever is imported, and then laid back.
    far = student.place(first, last, day_offset=10)
    verdict = await student.add(task.task_id, far)
    (event_id,) = verdict.event_ids
    back = student.place(first, last, day_offset=-ago)
    await lay(world, student, event_id, back, days=10 + ago)
    return int(event_id)


async def study_plan(
    student: Student, *contents: str, ends_in: int = 40, **others: Any
) -> task_class_pb2.TaskClass:
    """A class whose items keep their order, ending some days from now."""
    fields = {
        "start_date": (today(student) - timedelta(days=20)).isoformat(),
        "end_date": (today(student) + timedelta(days=ends_in)).isoformat(),
        "total_sections": 2 * len(contents),
        "name": "复习线代",
        **others,
    }
    asked = schedule_pb2.TaskClassInput(
        items=[schedule_pb2.TaskItemInput(content=one) for one in contents],
        **fields,
    )
    request = schedule_pb2.PutTaskClassRequest(request_id=new_key(), task_class=asked)
    found: task_class_pb2.TaskClass = (
        await student.call(student.line.schedule.PutTaskClass, request)
    ).task_class
    return found


def today(student: Student) -> date:
    """The date where the student is."""
    week, day = student.today
    first = date.fromisoformat(student.semester.first_date)
    return first + timedelta(days=7 * (week - 1) + day - 1)


async def place_item(student: Student, item_id: int, place: calendar_pb2.Place) -> int:
    """Puts an item into the schedule; gives the id of its block."""
    change = change_pb2.ScheduleChange(
        change_id="c1", type="CHANGE_TYPE_PLACE", target=target(ITEM, item_id), to=place
    )
    request = schedule_pb2.ApplyChangesRequest(apply_id=new_key(), changes=[change])
    verdict = (await student.call(student.line.schedule.ApplyChanges, request)).verdict
    assert verdict.event_ids, verdict
    return int(verdict.event_ids[0])


async def had_item(
    world: World, student: Student, item_id: int, *, sections: str = "5-6", ago: int = 1
) -> int:
    """A block of an item that is over, some days ago; gives its id."""
    first, last = map(int, sections.split("-"))
    event_id = await place_item(student, item_id, student.place(first, last, day_offset=10))
    back = student.place(first, last, day_offset=-ago)
    await lay(world, student, event_id, back, days=10 + ago)
    return event_id


async def fill(
    student: Student, days: Iterable[int], *, free: Mapping[int, range] | None = None
) -> None:
    """Courses on every section of these days, counted from today, but for the free ones."""
    rows = []
    for offset in days:
        kept = (free or {}).get(offset, range(0))
        place = student.place(1, 1, day_offset=offset)
        for first, last in _runs([section for section in range(1, 13) if section not in kept]):
            rows.append(
                course(
                    f"满{offset}",
                    day=place.day_of_week,
                    sections=f"{first}-{last}",
                    weeks=f"{place.week}周",
                )
            )
    await student.import_courses(*rows)


def _runs(sections: Sequence[int]) -> Iterator[tuple[int, int]]:
    """First and last of each run without a gap."""
    for _, run in groupby(enumerate(sections), key=lambda one: one[1] - one[0]):
        found = [section for _, section in run]
        yield found[0], found[-1]
