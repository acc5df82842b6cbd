"""A preview that has had its time leads to a new look; operators see the whole way."""

import grpc
import pytest

from libs.rpc.errors import RemoteError
from libs.rpc.identity import Caller
from smartmate.active_scheduler.v1 import active_scheduler_service_pb2 as active_pb2
from smartmate.active_scheduler.v1 import preview_pb2, trigger_pb2
from tests.student import CALL_SECONDS, Student, new_key
from tests.world import World


async def regenerate(
    student: Student, preview: preview_pb2.Preview, *, key: str | None = None
) -> trigger_pb2.TriggerRecord:
    request = active_pb2.RegeneratePreviewRequest(
        request_id=key or new_key(), preview_id=preview.preview_id
    )
    answer = await student.call(student.line.active.RegeneratePreview, request)
    trigger: trigger_pb2.TriggerRecord = answer.trigger
    return trigger


async def trace(student: Student, trigger_id: str, *, operator: bool) -> list[str]:
    """Names of the steps, asked for by an operator or by the student."""
    roles = frozenset({"operator"}) if operator else frozenset()
    token = student.line.issuer.user_token(student.id, roles)
    answer = await student.line.client.call(
        student.line.active.GetTrace,
        active_pb2.GetTraceRequest(trigger_id=trigger_id),
        on_behalf_of=Caller("gateway", student.id, roles, token),
        seconds=CALL_SECONDS,
    )
    return [step.name for step in answer.steps]


async def test_an_expired_preview_leads_to_a_new_one_at_once(
    student: Student, world: World
) -> None:
    task = await student.create_task()
    old = await student.proposed(task.task_id)
    await world.fetch(
        "active_scheduler",
        "UPDATE active_schedule_previews SET expires_at = clock_timestamp() WHERE id = $1",
        old.preview_id,
    )
    key = new_key()

    trigger = await regenerate(student, old, key=key)
    again = await regenerate(student, old, key=key)

    assert trigger == again
    assert trigger.source == trigger_pb2.TRIGGER_SOURCE_REGENERATE
    assert trigger.linked_trigger_id == old.trigger_id
    ended = await student.trigger_ended(trigger.trigger_id)
    new = await student.preview(ended.preview_id)
    assert new.state == preview_pb2.PREVIEW_STATE_READY
    assert (await student.confirm(new)).preview.state == preview_pb2.PREVIEW_STATE_APPLIED


async def test_after_a_refusal_the_new_preview_rests_on_what_is_there_now(
    student: Student,
) -> None:
    task, other = await student.create_task(), await student.create_task("英语听力")
    old = await student.proposed(task.task_id)
    taken = old.candidates[0].changes[0].to
    await student.add(other.task_id, taken)
    assert (await student.confirm(old)).preview.last_refusals

    ended = await student.trigger_ended((await regenerate(student, old)).trigger_id)

    new = await student.preview(ended.preview_id)
    assert all(one.changes[0].to != taken for one in new.candidates)
    old = await student.preview(old.preview_id)
    assert old.state == preview_pb2.PREVIEW_STATE_SUPERSEDED


async def test_an_applied_preview_is_not_looked_at_again(student: Student) -> None:
    task = await student.create_task()
    preview = await student.proposed(task.task_id)
    await student.confirm(preview)

    with pytest.raises(RemoteError) as refused:
        await regenerate(student, preview)

    assert refused.value.code is grpc.StatusCode.FAILED_PRECONDITION
    assert refused.value.reason == "preview_applied"


async def test_an_operator_sees_the_whole_way_and_a_student_does_not(
    student: Student, world: World
) -> None:
    await student.put_bot(world.hook(student), world.suite.feishu_secret)
    task = await student.create_task()
    preview = await student.proposed(task.task_id)
    await world.messages(student, count=1)
    await world.quiet()
    await student.confirm(preview)

    steps = await trace(student, preview.trigger_id, operator=True)

    assert steps[0] == "trigger.pending"
    assert {"preview.ready", "notification.sent", "apply.applying"} <= set(steps)
    assert {"trigger.preview_generated", "apply.applied", "preview.applied"} <= set(steps)
    with pytest.raises(RemoteError) as refused:
        await trace(student, preview.trigger_id, operator=False)
    assert refused.value.code is grpc.StatusCode.PERMISSION_DENIED
