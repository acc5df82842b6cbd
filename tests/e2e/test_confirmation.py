"""From a preview to the changed week: confirm, exactly once, or a refusal with its reason."""

import asyncio
from collections.abc import Awaitable, Callable
from datetime import timedelta

import grpc
import pytest

from libs.rpc.errors import RemoteError
from smartmate.active_scheduler.v1 import active_scheduler_service_pb2 as active_pb2
from smartmate.active_scheduler.v1 import preview_pb2
from smartmate.schedule.v1 import apply_pb2, calendar_pb2, change_pb2
from smartmate.schedule.v1 import schedule_service_pb2 as schedule_pb2
from tests.student import Student, course, new_key
from tests.world import World


async def applied_once(world: World, student: Student, task_id: int) -> None:
    """One block, one verdict, one event of success."""
    blocks = await student.task_blocks()
    assert [block.source.id for block in blocks] == [task_id]
    verdicts = await world.fetch(
        "schedule",
        "SELECT apply_id FROM applies WHERE user_id = $1 AND state = 'applied'",
        student.id,
    )
    assert len(verdicts) == 1
    events = await world.fetch(
        "schedule",
        "SELECT id FROM outbox WHERE user_id = $1 AND subject = $2",
        student.id,
        "smartmate.schedule.apply.succeeded.v1",
    )
    assert len(events) == 1


def first_refusal(preview: preview_pb2.Preview) -> apply_pb2.Refusal:
    assert preview.state == preview_pb2.PREVIEW_STATE_READY
    return preview.last_refusals[0]


async def test_a_confirmed_candidate_stands_in_the_week(student: Student, world: World) -> None:
    task = await student.create_task()
    preview = await student.proposed(task.task_id)

    answer = await student.confirm(preview)

    assert answer.preview.state == preview_pb2.PREVIEW_STATE_APPLIED
    (block,) = await student.task_blocks()
    assert block.place == preview.candidates[0].changes[0].to
    assert list(answer.preview.applied_event_ids) == [block.event_id]
    await applied_once(world, student, task.task_id)


async def test_confirming_again_gives_the_same_apply(student: Student, world: World) -> None:
    task = await student.create_task()
    preview = await student.proposed(task.task_id)
    key = new_key()

    first = await student.confirm(preview, key=key)
    again = await student.confirm(preview, key=key)
    with_another_key = await student.confirm(preview)

    assert first.apply_id == again.apply_id == with_another_key.apply_id
    assert again.preview.state == preview_pb2.PREVIEW_STATE_APPLIED
    await applied_once(world, student, task.task_id)


async def test_the_same_key_for_another_candidate_is_a_conflict(student: Student) -> None:
    task = await student.create_task()
    preview = await student.proposed(task.task_id)
    key = new_key()
    await student.confirm(preview, key=key)

    with pytest.raises(RemoteError) as refused:
        await student.confirm(preview, candidate_id=preview.candidates[1].candidate_id, key=key)

    assert refused.value.code is grpc.StatusCode.ALREADY_EXISTS
    assert refused.value.reason == "idempotency_conflict"


async def test_twenty_parallel_confirms_through_two_replicas_are_one_apply(
    student: Student, world: World
) -> None:
    task = await student.create_task()
    preview = await student.proposed(task.task_id)
    key = new_key()
    assert len(world.suite.pids("active_scheduler")) == 2

    answers = await asyncio.gather(*(student.confirm(preview, key=key) for _ in range(20)))

    assert len({answer.apply_id for answer in answers}) == 1
    assert (await student.settled(preview.preview_id)).state == preview_pb2.PREVIEW_STATE_APPLIED
    await applied_once(world, student, task.task_id)


async def test_ten_previews_for_one_cell_let_one_win(student: Student) -> None:
    place = student.place(5, 6)
    tasks = [await student.create_task(f"作业{number}") for number in range(10)]

    verdicts = await asyncio.gather(*(student.add(task.task_id, place) for task in tasks))

    refused = [verdict for verdict in verdicts if verdict.state == apply_pb2.APPLY_STATE_REFUSED]
    assert len(refused) == 9
    assert {verdict.refusals[0].code for verdict in refused} <= {
        apply_pb2.REFUSAL_CODE_SLOT_CONFLICT,
        apply_pb2.REFUSAL_CODE_BASE_VERSION_CHANGED,
    }
    assert len(await student.task_blocks()) == 1


async def test_a_new_block_in_a_touched_cell_refuses_and_names_it(student: Student) -> None:
    task, other = await student.create_task(), await student.create_task("英语听力", sections=1)
    preview = await student.proposed(task.task_id)
    taken = calendar_pb2.Place()
    taken.CopyFrom(preview.candidates[0].changes[0].to)
    taken.last_section = taken.first_section
    await student.add(other.task_id, taken)

    answer = await student.confirm(preview)

    refusal = first_refusal(answer.preview)
    assert refusal.code == apply_pb2.REFUSAL_CODE_BASE_VERSION_CHANGED
    (entry,) = refusal.base_entries
    assert entry.key.startswith("cell:")
    assert entry.expected == "empty"
    assert len(await student.task_blocks()) == 1


async def test_a_change_elsewhere_and_a_rename_spoil_nothing(
    student: Student, world: World
) -> None:
    day = student.today[1]
    await student.import_courses(course("高等数学", day=day, sections="1-2"))
    task, other = await student.create_task(), await student.create_task("英语听力", sections=1)
    preview = await student.proposed(task.task_id)
    await student.import_courses(course("高等数学（改名）", day=day, sections="1-2"))
    await student.add(other.task_id, student.place(11, 11, day_offset=5))
    rename = schedule_pb2.UpdateTaskRequest(request_id=new_key(), task_id=task.task_id)
    rename.task.title = "概率论大作业（终稿）"
    rename.task.quadrant = task.quadrant
    rename.task.deadline_time.CopyFrom(task.deadline_time)
    rename.task.estimated_sections = task.estimated_sections
    await student.call(student.line.schedule.UpdateTask, rename)

    answer = await student.confirm(preview)

    assert answer.preview.state == preview_pb2.PREVIEW_STATE_APPLIED
    names = [block.name for block in await student.task_blocks()]
    assert "概率论大作业（终稿）" in names


async def test_after_a_refusal_another_candidate_can_be_confirmed(
    student: Student, world: World
) -> None:
    task, other = await student.create_task(), await student.create_task("英语听力")
    preview = await student.proposed(task.task_id)
    await student.add(other.task_id, preview.candidates[0].changes[0].to)
    key = new_key()
    refused = await student.confirm(preview, key=key)
    assert first_refusal(refused.preview).code == apply_pb2.REFUSAL_CODE_BASE_VERSION_CHANGED

    answer = await student.confirm(preview, candidate_id=preview.candidates[1].candidate_id)

    assert answer.preview.state == preview_pb2.PREVIEW_STATE_APPLIED
    assert answer.apply_id != refused.apply_id
    repeated = await student.confirm(preview, key=key)
    assert repeated.apply_id == refused.apply_id


async def ignore(student: Student, preview: preview_pb2.Preview) -> preview_pb2.Preview:
    request = active_pb2.IgnorePreviewRequest(request_id=new_key(), preview_id=preview.preview_id)
    answer = await student.call(student.line.active.IgnorePreview, request)
    ignored: preview_pb2.Preview = answer.preview
    return ignored


WAYS: dict[str, Callable[[Student, preview_pb2.Preview], Awaitable[object]]] = {
    "read": lambda student, preview: student.preview(preview.preview_id),
    "confirm": lambda student, preview: student.confirm(preview),
    "ignore": ignore,
    "watch": lambda student, preview: anext(student.watch(preview.preview_id)),
}


@pytest.mark.parametrize("way", WAYS)
async def test_another_users_preview_is_not_found(student: Student, world: World, way: str) -> None:
    task = await student.create_task()
    preview = await student.proposed(task.task_id)
    stranger = await world.student()

    with pytest.raises(RemoteError) as refused:
        await WAYS[way](stranger, preview)

    assert refused.value.code is grpc.StatusCode.NOT_FOUND
    assert refused.value.reason == "preview_not_found"


@pytest.mark.parametrize(("age", "confirmable"), [(3595, True), (3600, False)])
async def test_a_preview_is_confirmable_for_an_hour_and_not_longer(
    student: Student, world: World, age: int, confirmable: bool
) -> None:
    task = await student.create_task()
    preview = await student.proposed(task.task_id)
    await world.fetch(
        "active_scheduler",
        """UPDATE active_schedule_previews SET expires_at = clock_timestamp()
           + make_interval(secs => $2) WHERE id = $1""",
        preview.preview_id,
        3600 - age,
    )

    if confirmable:
        answer = await student.confirm(preview)
        assert answer.preview.state == preview_pb2.PREVIEW_STATE_APPLIED
        return
    with pytest.raises(RemoteError) as refused:
        await student.confirm(preview)
    assert refused.value.reason == "preview_expired"
    expired = await student.preview(preview.preview_id)
    assert expired.state == preview_pb2.PREVIEW_STATE_EXPIRED
    assert not await student.task_blocks()


def moved(
    preview: preview_pb2.Preview, to: calendar_pb2.Place
) -> tuple[change_pb2.ScheduleChange, ...]:
    change = preview.candidates[0].changes[0]
    return (change_pb2.ScheduleChange(change_id=change.change_id, to=to),)


async def test_an_edited_place_is_where_it_is_applied(student: Student) -> None:
    task = await student.create_task(due_in=timedelta(days=3))
    preview = await student.proposed(task.task_id)
    to = student.place(9, 10, day_offset=1)

    answer = await student.confirm(preview, edits=moved(preview, to))

    assert answer.preview.state == preview_pb2.PREVIEW_STATE_APPLIED
    (block,) = await student.task_blocks()
    assert block.place == to


EDITS: list[tuple[str, Callable[[Student], calendar_pb2.Place], int]] = [
    (
        "taken",
        lambda s: s.place(1, 2, day_offset=1),
        apply_pb2.REFUSAL_CODE_SLOT_CONFLICT,
    ),
    ("past", lambda s: s.place(1, 2, day_offset=-7), apply_pb2.REFUSAL_CODE_IN_THE_PAST),
]


@pytest.mark.parametrize(("name", "place", "code"), EDITS, ids=[name for name, _, _ in EDITS])
async def test_an_edit_to_an_illegal_place_is_refused_and_nothing_changes(
    student: Student,
    name: str,
    place: Callable[[Student], calendar_pb2.Place],
    code: apply_pb2.RefusalCode,
) -> None:
    day = (student.today[1]) % 7 + 1
    await student.import_courses(course("大学物理", day=day, sections="1-2"))
    task = await student.create_task(due_in=timedelta(days=3))
    preview = await student.proposed(task.task_id)

    answer = await student.confirm(preview, edits=moved(preview, place(student)))

    assert first_refusal(answer.preview).code == code
    assert not await student.task_blocks()


@pytest.mark.parametrize(
    ("last", "problem"), [(1, "length"), (99, "length")], ids=["shorter", "longer"]
)
async def test_an_edit_keeps_the_length(student: Student, last: int, problem: str) -> None:
    task = await student.create_task()
    preview = await student.proposed(task.task_id)

    with pytest.raises(RemoteError) as refused:
        await student.confirm(preview, edits=moved(preview, student.place(1, last, day_offset=1)))

    assert refused.value.code is grpc.StatusCode.FAILED_PRECONDITION
    assert refused.value.reason == "invalid_edited_changes"
    assert refused.value.metadata["problem"] == problem


async def test_a_task_that_was_done_meanwhile_is_refused(student: Student) -> None:
    task = await student.create_task()
    preview = await student.proposed(task.task_id)
    request = schedule_pb2.CompleteTaskRequest(request_id=new_key(), task_id=task.task_id)
    await student.call(student.line.schedule.CompleteTask, request)

    answer = await student.confirm(preview)

    assert first_refusal(answer.preview).code == apply_pb2.REFUSAL_CODE_TARGET_COMPLETED


async def test_a_task_that_was_placed_meanwhile_is_refused(student: Student) -> None:
    task = await student.create_task()
    preview = await student.proposed(task.task_id)
    await student.add(task.task_id, student.place(11, 12, day_offset=3))

    answer = await student.confirm(preview)

    refusal = first_refusal(answer.preview)
    assert refusal.code == apply_pb2.REFUSAL_CODE_TARGET_ALREADY_SCHEDULED


async def test_a_task_that_was_deleted_meanwhile_is_refused(student: Student) -> None:
    task = await student.create_task()
    preview = await student.proposed(task.task_id)
    request = schedule_pb2.DeleteTaskRequest(request_id=new_key(), task_id=task.task_id)
    await student.call(student.line.schedule.DeleteTask, request)

    answer = await student.confirm(preview)

    assert first_refusal(answer.preview).code == apply_pb2.REFUSAL_CODE_TARGET_NOT_FOUND


async def test_an_ignored_preview_stays_ignored_and_changes_nothing(student: Student) -> None:
    task = await student.create_task()
    preview = await student.proposed(task.task_id)

    for _ in range(2):
        assert (await ignore(student, preview)).state == preview_pb2.PREVIEW_STATE_IGNORED

    with pytest.raises(RemoteError) as refused:
        await student.confirm(preview)
    assert refused.value.reason == "preview_ignored"
    assert not await student.task_blocks()


async def test_a_watch_tells_each_change_of_state(student: Student) -> None:
    task = await student.create_task()
    preview = await student.proposed(task.task_id)
    states = []
    async with asyncio.timeout(20):
        async for answer in student.watch(preview.preview_id):
            states.append(answer.preview.state)
            if len(states) == 1:
                await student.confirm(preview)
            if states[-1] == preview_pb2.PREVIEW_STATE_APPLIED:
                break

    assert states[0] == preview_pb2.PREVIEW_STATE_READY
    assert states[-1] == preview_pb2.PREVIEW_STATE_APPLIED


async def test_a_watch_tells_that_a_preview_has_expired(student: Student, world: World) -> None:
    task = await student.create_task()
    preview = await student.proposed(task.task_id)
    await world.fetch(
        "active_scheduler",
        """UPDATE active_schedule_previews SET expires_at = clock_timestamp()
           + interval '1 second' WHERE id = $1""",
        preview.preview_id,
    )

    async with asyncio.timeout(20):
        async for answer in student.watch(preview.preview_id):
            if answer.preview.state == preview_pb2.PREVIEW_STATE_EXPIRED:
                break


async def test_the_list_shows_open_previews_newest_first(student: Student) -> None:
    tasks = [await student.create_task(f"作业{number}") for number in range(3)]
    made = [await student.proposed(task.task_id) for task in tasks]
    await student.confirm(made[1])

    request = active_pb2.ListPreviewsRequest(open_only=True, page_size=1)
    first = await student.call(student.line.active.ListPreviews, request)
    request.page_token = first.next_page_token
    second = await student.call(student.line.active.ListPreviews, request)

    listed = [*first.previews, *second.previews]
    assert [one.preview_id for one in listed] == [made[2].preview_id, made[0].preview_id]
    assert not second.next_page_token
