"""Events come twice, late and in reverse, and change nothing."""

from collections.abc import Mapping

from nats.js import JetStreamContext

from libs.events.contract import contracts_in
from libs.events.envelope import MSG_ID
from smartmate.active_scheduler.v1 import preview_pb2
from smartmate.events.v1 import events_pb2
from tests.student import Student, new_key
from tests.world import World

# Everything that a user's events may change; bookkeeping of the kit aside.
TABLES: Mapping[str, tuple[str, ...]] = {
    "schedule": ("tasks", "schedule_events", "schedules", "applies"),
    "active_scheduler": (
        "active_schedule_jobs",
        "active_schedule_triggers",
        "active_schedule_previews",
        "apply_requests",
    ),
    "notification": ("notification_records",),
}


async def state_of(world: World, student: Student) -> dict[str, list[str]]:
    """Every row of this user, as text."""
    found = {}
    for service, tables in TABLES.items():
        for table in tables:
            query = f"SELECT t::text AS row FROM {table} t WHERE user_id = $1 ORDER BY 1"
            rows = await world.fetch(service, query, student.id)
            found[table] = [row["row"] for row in rows]
    return found


async def told_about(
    jetstream: JetStreamContext, student: Student
) -> list[tuple[str, bytes, dict[str, str]]]:
    """Every event of this user, in the order in which it was told."""
    found = []
    for stream in sorted({contract.stream for contract in contracts_in(events_pb2.DESCRIPTOR)}):
        info = await jetstream.stream_info(stream)
        for sequence in range(info.state.first_seq, info.state.last_seq + 1):
            message = await jetstream.get_msg(stream, sequence)
            headers = dict(message.headers or {})
            if headers.get("ce-subject") == str(student.id):
                found.append((message.subject or "", message.data or b"", headers))
    return found


async def test_every_event_again_and_in_reverse_changes_nothing(
    student: Student, world: World
) -> None:
    await student.put_bot(world.hook(student), world.suite.feishu_secret)
    task, other = await student.create_task(), await student.create_task("英语听力")
    preview = await student.proposed(task.task_id)
    refused = await student.proposed(other.task_id)
    await student.add(other.task_id, refused.candidates[0].changes[0].to)
    confirmed = await student.confirm(preview, candidate_id=preview.candidates[1].candidate_id)
    assert confirmed.preview.state == preview_pb2.PREVIEW_STATE_APPLIED
    answer = await student.confirm(refused)
    assert answer.preview.last_refusals
    await world.messages(student, count=2)
    await world.quiet()
    before = await state_of(world, student)

    async with world.broker() as jetstream:
        events = await told_about(jetstream, student)
        for _ in range(2):
            for subject, data, headers in reversed(events):
                again = {**headers, MSG_ID: new_key()}
                await jetstream.publish(subject, data, headers=again)
    await world.quiet()

    assert {subject for subject, _, _ in events} == {
        contract.subject for contract in contracts_in(events_pb2.DESCRIPTOR)
    }
    assert await state_of(world, student) == before
    assert len(await world.messages(student)) == 2
