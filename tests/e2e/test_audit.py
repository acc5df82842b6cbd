"""The audit finds what it is there to find: each of its rules, with a planted violation."""

import asyncpg
import pytest

from smartmate.active_scheduler.v1 import preview_pb2
from tests import audit
from tests.student import Student
from tests.world import World

# Rule → statements that break it, given user ($1) where they ask for it. Rolled back afterwards.
PLANTS: dict[str, str] = {
    "no two live blocks in one cell, guest in host aside": """
        INSERT INTO schedule_events (user_id, semester_id, week, day_of_week, first_section,
            last_section, start_time, end_time, type, name, version, placement_version)
        SELECT user_id, semester_id, week, day_of_week, first_section, last_section, start_time,
            end_time, type, 'planted', 1, 1 FROM schedule_events WHERE live LIMIT 1""",
    "the section rows of a block are its sections, and a removed one has none": """
        DELETE FROM schedules WHERE ctid = (SELECT ctid FROM schedules LIMIT 1)""",
    "every guest has a live host that holds it": """
        UPDATE schedule_events SET host_event_id = -1 WHERE live AND id =
            (SELECT max(id) FROM schedule_events WHERE live)""",
    "an applied verdict wrote its blocks, and no other verdict wrote them": """
        UPDATE applies SET event_ids = '{-1}' WHERE state = 'applied'""",
    "every block of an apply belongs to its one applied verdict": """
        UPDATE schedule_events SET apply_id = 'nobody' WHERE apply_id IS NOT NULL""",
    "no preview is stuck in applying": """
        UPDATE active_schedule_previews SET state = 'applying' WHERE state = 'applied'""",
    "no apply waits for a verdict": """
        UPDATE apply_requests SET state = 'applying' WHERE state = 'applied'""",
    "no trigger is pending or stuck in processing": """
        UPDATE active_schedule_triggers SET state = 'processing'""",
    "no due job is left lying": """
        INSERT INTO active_schedule_jobs (user_id, task_id, task_version, urgency_version, state,
            trigger_at, due_at)
        SELECT -1, -1, 1, 1, 'pending', late.at, late.at
        FROM (SELECT clock_timestamp() - interval '1 minute' AS at) late""",
    "a preview says what its apply says": """
        UPDATE apply_requests SET event_ids = '{-1}' WHERE state = 'applied'""",
    "at most one preview of a target is open, mock ones aside": """
        UPDATE active_schedule_previews SET state = 'ready', target_id = 1, user_id = 1,
            expires_at = clock_timestamp() + interval '1 hour'
        WHERE target_id IS NOT NULL""",
    "a trigger with a preview has that preview, and no other has one": """
        UPDATE active_schedule_triggers SET preview_id = NULL""",
    "no message is left lying": """
        INSERT INTO notification_records (user_id, notification_id, channel_id, trigger_id,
            preview_id, target_kind, path, valid_until, traceparent, state, due_at)
        VALUES (1, 'planted', 0, '', '', '', '', clock_timestamp(), '', 'pending',
            clock_timestamp() - interval '1 minute')""",
    "what waits in a batch waits for one that is to come": """
        INSERT INTO notification_records (user_id, notification_id, channel_id, trigger_id,
            preview_id, target_kind, path, valid_until, traceparent, state, batch_id)
        VALUES (1, 'planted', 0, '', '', '', '', clock_timestamp(), '', 'pending', 'bat_gone')""",
}


@pytest.fixture
async def lived(student: Student, world: World) -> Student:
    """A student to whom everything has happened that the rules look at."""
    await student.put_bot(world.hook(student), world.suite.feishu_secret)
    for title in ("概率论大作业", "英语听力"):
        task = await student.create_task(title)
        preview = await student.proposed(task.task_id)
        answer = await student.confirm(preview)
        assert answer.preview.state == preview_pb2.PREVIEW_STATE_APPLIED
    await world.messages(student, count=1)
    await audit.clean(world.dsns())
    return student


async def _planted(world: World, service: str, statement: str) -> list[audit.Violation]:
    """What the rules of a service find while a violation is there; then it is taken back."""
    connection = await asyncpg.connect(world.suite.dsn(service))
    transaction = connection.transaction()
    await transaction.start()
    try:
        await connection.execute(statement)
        return await audit.violations_in(service, connection)
    finally:
        await transaction.rollback()
        await connection.close()


def test_every_rule_has_a_plant() -> None:
    assert PLANTS.keys() == {rule.name for rule in audit.RULES}


@pytest.mark.parametrize("rule", audit.RULES, ids=lambda rule: rule.name.replace(" ", "_"))
async def test_a_planted_violation_is_found(rule: audit.Rule, lived: Student, world: World) -> None:
    found = await _planted(world, rule.service, PLANTS[rule.name])

    assert rule.name in {violation.rule for violation in found}


async def _across(world: World, service: str, statement: str) -> list[audit.Violation]:
    """What the rules over several databases find while a violation is there."""
    connections = {one: await asyncpg.connect(world.suite.dsn(one)) for one in audit.SERVICES}
    transaction = connections[service].transaction()
    await transaction.start()
    try:
        await connections[service].execute(statement)
        return [
            *await audit.lost_events(connections),
            *await audit.differing_verdicts(connections),
            *await audit.untold_previews(connections),
        ]
    finally:
        await transaction.rollback()
        for connection in connections.values():
            await connection.close()


@pytest.mark.parametrize(
    ("service", "statement", "rule"),
    [
        (
            "schedule",
            "UPDATE outbox SET published_at = NULL",
            "every event is published",
        ),
        ("active_scheduler", "DELETE FROM inbox", "every event is consumed or parked"),
        (
            "schedule",
            "DELETE FROM applies",
            "what was confirmed is what the schedule says",
        ),
        (
            "notification",
            "DELETE FROM notification_records",
            "every preview led to a notification record",
        ),
    ],
)
async def test_a_violation_between_services_is_found(
    lived: Student, world: World, service: str, statement: str, rule: str
) -> None:
    found = await _across(world, service, statement)

    assert rule in {violation.rule for violation in found}


def test_a_message_that_came_twice_is_found() -> None:
    message = {"links": [{"url": "http://127.0.0.1/active-schedule/previews/asp_1"}]}

    assert audit.doubled_messages([message, message], unknown=0)
    assert not audit.doubled_messages([message, message], unknown=1)
    assert not audit.doubled_messages([message], unknown=0)
