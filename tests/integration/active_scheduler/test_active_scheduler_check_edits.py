"""CheckEdits by call: every place is told as confirming it there turns out."""

import random
from collections.abc import Iterator
from datetime import timedelta
from typing import Any

import grpc
import pytest

from libs.rpc.errors import RemoteError
from smartmate.active_scheduler.v1 import active_scheduler_service_pb2 as pb
from smartmate.active_scheduler.v1 import edit_pb2, preview_pb2
from smartmate.schedule.v1 import apply_pb2, calendar_pb2, change_pb2
from smartmate.schedule.v1 import schedule_service_pb2 as schedule_pb2
from tests.student import Student, course, new_key
from tests.world import World

SLOTS = ("1-2", "3-4", "5-6", "7-8", "9-10", "11-12", "6-6", "9-9", "2-5")
TAKEN = "REFUSAL_CODE_SLOT_CONFLICT"
# What a confirmation says where the place is told as shut by one of these, or as not shut. What
# stands in the way is told even where the deadline lies before it, which a confirmation asks first.
SAID: dict[int, set[str | None]] = {
    edit_pb2.SHUT_CODE_UNSPECIFIED: {None},
    edit_pb2.SHUT_CODE_STARTED: {"REFUSAL_CODE_IN_THE_PAST"},
    edit_pb2.SHUT_CODE_COURSE: {TAKEN, "deadline"},
    edit_pb2.SHUT_CODE_TASK: {TAKEN, "deadline"},
    edit_pb2.SHUT_CODE_DEADLINE: {"deadline"},
    edit_pb2.SHUT_CODE_TOO_LONG: {"out_of_semester"},
}


def request_of(preview: preview_pb2.Preview, **altered: str) -> pb.CheckEditsRequest:
    request = pb.CheckEditsRequest(
        preview_id=preview.preview_id,
        candidate_id=preview.selected_candidate_id,
        change_id="c1",
    )
    for name, value in altered.items():
        setattr(request, name, value)
    return request


async def check(
    student: Student, preview: preview_pb2.Preview, **altered: str
) -> pb.CheckEditsResponse:
    found: pb.CheckEditsResponse = await student.call(
        student.line.active.CheckEdits, request_of(preview, **altered)
    )
    return found


def spots(room: pb.CheckEditsResponse) -> Iterator[edit_pb2.EditSpot]:
    for day in room.days:
        yield from day.spots


def edited(to: calendar_pb2.Place) -> tuple[change_pb2.ScheduleChange, ...]:
    return (change_pb2.ScheduleChange(change_id="c1", to=to),)


async def some_world(student: Student, seed: int) -> preview_pb2.Preview:
    """A proposal among courses and tasks that stand here and there."""
    chance = random.Random(seed)
    today = student.today[1]
    rows = [
        course(f"课程{offset}{slot}", day=(today - 1 + offset) % 7 + 1, sections=slot)
        for offset in range(4)
        for slot in chance.sample(SLOTS, chance.randint(0, 2))
    ]
    await student.import_courses(*rows)
    for offset in range(3):
        first = chance.randint(1, 11)
        other = await student.create_task(f"别的事{offset}", sections=2)
        await student.add(other.task_id, student.place(first, first + 1, day_offset=offset))
    due_in = chance.choice((None, timedelta(hours=30), timedelta(hours=60)))
    task = await student.create_task(sections=chance.randint(1, 3), due_in=due_in)
    return await student.proposed(task.task_id)


async def outcome(
    student: Student, preview: preview_pb2.Preview, to: calendar_pb2.Place
) -> str | None:
    """What comes of confirming the preview there: the reason against it, None where it is done."""
    try:
        answer = await student.confirm(preview, edits=edited(to))
    except RemoteError as refused:
        return refused.metadata["problem"]
    if answer.preview.state == preview_pb2.PREVIEW_STATE_APPLIED:
        return None
    (code,) = {refusal.code for refusal in answer.preview.last_refusals}
    return apply_pb2.RefusalCode.Name(code)


async def take_back(world: World, student: Student, preview: preview_pb2.Preview) -> None:
    """Everything as it was before the preview was confirmed."""
    event_ids = (await student.preview(preview.preview_id)).applied_event_ids
    for table, key in (("schedules", "event_id"), ("schedule_events", "id")):
        await world.fetch("schedule", f"DELETE FROM {table} WHERE {key} = ANY($1)", event_ids)
    for statement in (
        "UPDATE active_schedule_previews SET state = 'ready', apply_id = NULL WHERE id = $1",
        "DELETE FROM apply_requests WHERE preview_id = $1",
    ):
        await world.fetch("active_scheduler", statement, preview.preview_id)


@pytest.mark.parametrize("seed", range(5))
async def test_every_place_is_told_as_confirming_it_turns_out(
    two_services: World, student: Student, seed: int
) -> None:
    preview = await some_world(student, seed)
    room = await check(student, preview)
    legal = []

    for spot in spots(room):
        said = await outcome(student, preview, spot.place)
        assert said in SAID[spot.shut.code], spot
        if said is None:
            legal.append(spot.place)
            await take_back(two_services, student, preview)

    assert list(room.legal_places) == legal
    assert preview.candidates[0].changes[0].to in legal
    assert not room.HasField("blocked")


async def test_blocks_stand_in_the_answer_as_they_are_now(student: Student) -> None:
    await student.import_courses(course("大学物理", day=student.today[1] % 7 + 1, sections="3-4"))
    task, other = await student.create_task(), await student.create_task("班会", sections=1)
    preview = await student.proposed(task.task_id)
    proposed = preview.candidates[0].changes[0].to
    taken = calendar_pb2.Place()
    taken.CopyFrom(proposed)
    taken.last_section = taken.first_section
    await student.add(other.task_id, taken)

    room = await check(student, preview)

    assert {event.name for event in room.events} == {"班会", "大学物理"}
    (spot,) = [one for one in spots(room) if one.place == proposed]
    assert (spot.shut.code, spot.shut.event_name) == (edit_pb2.SHUT_CODE_TASK, "班会")
    assert room.semesters[0] == student.semester


async def test_a_task_that_was_altered_blocks_every_place(student: Student) -> None:
    task = await student.create_task()
    preview = await student.proposed(task.task_id)
    request = schedule_pb2.CompleteTaskRequest(request_id=new_key(), task_id=task.task_id)
    await student.call(student.line.schedule.CompleteTask, request)

    room = await check(student, preview)

    assert not room.legal_places
    assert room.blocked.code == edit_pb2.SHUT_CODE_TARGET_COMPLETED


async def test_a_question_writes_nothing(two_services: World, student: Student) -> None:
    task = await student.create_task()
    preview = await student.proposed(task.task_id)

    async def written() -> list[Any]:
        tables = ("active_schedule_previews", "apply_requests", "outbox", "requests")
        return [
            await two_services.fetch(
                "active_scheduler", f"SELECT * FROM {table} WHERE user_id = $1", student.id
            )
            for table in tables
        ]

    before = await written()
    await check(student, preview)
    assert await written() == before


async def test_a_preview_of_a_mock_clock_is_asked_about_its_own_days(student: Student) -> None:
    task = await student.create_task(due_in=timedelta(days=20))
    week, day = student.today
    mock = preview_pb2.Preview().generate_time
    mock.GetCurrentTime()
    mock.FromSeconds(mock.seconds + 14 * 24 * 3600)
    answer = await student.trigger(task.task_id, mock_now_time=mock)
    trigger = await student.trigger_ended(answer.trigger.trigger_id)
    preview = await student.preview(trigger.preview_id)
    assert preview.is_mock_time

    room = await check(student, preview)

    assert (room.days[0].week, room.days[0].day_of_week) == (week + 2, day)
    assert preview.candidates[0].changes[0].to in room.legal_places
    # Sections that have begun by the mock clock have not by the real one, which apply follows.
    assert student.place(1, 2, day_offset=14) in room.legal_places


async def test_another_users_preview_is_not_found(two_services: World, student: Student) -> None:
    task = await student.create_task()
    preview = await student.proposed(task.task_id)
    stranger = await two_services.student()

    with pytest.raises(RemoteError) as refused:
        await check(stranger, preview)

    assert refused.value.code is grpc.StatusCode.NOT_FOUND
    assert refused.value.reason == "preview_not_found"


@pytest.mark.parametrize(
    ("altered", "code", "reason"),
    [
        ({"candidate_id": "c9"}, grpc.StatusCode.NOT_FOUND, "candidate_not_found"),
        ({"change_id": "c9"}, grpc.StatusCode.FAILED_PRECONDITION, "invalid_edited_changes"),
        ({"change_id": ""}, grpc.StatusCode.INVALID_ARGUMENT, "invalid_request"),
        ({"candidate_id": ""}, grpc.StatusCode.INVALID_ARGUMENT, "invalid_request"),
        ({"preview_id": "asp_0"}, grpc.StatusCode.NOT_FOUND, "preview_not_found"),
    ],
)
async def test_what_cannot_be_asked_is_refused(
    student: Student, altered: dict[str, str], code: grpc.StatusCode, reason: str
) -> None:
    task = await student.create_task()
    preview = await student.proposed(task.task_id)

    with pytest.raises(RemoteError) as refused:
        await check(student, preview, **altered)

    assert refused.value.code is code
    assert refused.value.reason == reason


async def test_a_preview_that_cannot_be_confirmed_has_no_places(student: Student) -> None:
    task = await student.create_task()
    preview = await student.proposed(task.task_id)
    await student.confirm(preview)

    with pytest.raises(RemoteError) as refused:
        await check(student, preview)

    assert refused.value.code is grpc.StatusCode.FAILED_PRECONDITION
    assert refused.value.reason == "preview_applied"


async def test_a_task_that_is_gone_is_told_as_such(student: Student) -> None:
    task = await student.create_task()
    preview = await student.proposed(task.task_id)
    request = schedule_pb2.DeleteTaskRequest(request_id=new_key(), task_id=task.task_id)
    await student.call(student.line.schedule.DeleteTask, request)

    with pytest.raises(RemoteError) as refused:
        await check(student, preview)

    assert refused.value.reason == "target_not_found"


async def test_a_mere_notice_has_nothing_to_move(student: Student) -> None:
    today = student.today[1]
    full = [course(f"满{day}", day=day, sections="1-12") for day in (today, today % 7 + 1)]
    await student.import_courses(*full)
    task = await student.create_task()
    preview = await student.proposed(task.task_id)

    with pytest.raises(RemoteError) as refused:
        await check(student, preview, candidate_id="c")

    assert refused.value.reason == "nothing_to_confirm"
