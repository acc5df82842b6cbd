"""Requests to apply that come by event: the same function, once, whatever is delivered."""

import asyncio
import uuid
from collections.abc import AsyncIterator
from datetime import UTC, datetime, timedelta

import pytest

from libs.events import connection, envelope
from libs.events.connection import Bus
from libs.events.consumer import Parked
from services.schedule.consumers import ApplyRequests
from smartmate.events.v1 import events_pb2
from smartmate.schedule.v1 import apply_pb2, change_pb2
from smartmate.schedule.v1 import schedule_service_pb2 as pb
from tests.integration.schedule.people import (
    Backend,
    Person,
    applied,
    codes,
    fresh,
    until,
)

SUBJECT = "smartmate.schedule.apply.requested.v1"


@pytest.fixture(scope="session")
async def scheduler(backend: Backend) -> AsyncIterator[Bus]:
    """The broker as the active scheduler sees it."""
    found = await connection.connect(backend.scheduler_nats, service="active_scheduler")
    yield found
    await found.close()


def _asked(
    person: Person, *changes: change_pb2.ScheduleChange, apply_id: str | None = None
) -> events_pb2.ScheduleApplyRequested:
    return events_pb2.ScheduleApplyRequested(
        user_id=person.id, apply_id=apply_id or fresh("asa_"), preview_id="asp_1", changes=changes
    )


async def _say(
    scheduler: Bus,
    message: events_pb2.ScheduleApplyRequested,
    *,
    payload: bytes | None = None,
    without: str = "",
    again_as: uuid.UUID | None = None,
) -> uuid.UUID:
    """Publishes the event; gives its id. `again_as` publishes it under an id used before."""
    event_id = again_as or envelope.uuid7()
    headers = envelope.headers_for(
        message, event_id=event_id, user_id=message.user_id, at=datetime.now(UTC)
    )
    # What is delivered again has the same ce-id; the broker must not take it for a duplicate.
    headers[envelope.MSG_ID] = str(uuid.uuid4())
    headers.pop(without, None)
    data = message.SerializeToString() if payload is None else payload
    await scheduler.jetstream.publish(SUBJECT, data, headers=headers)
    return event_id


async def _settled(backend: Backend, event_id: uuid.UUID) -> str:
    """Waits until the event was consumed or parked; says which."""
    found: list[str] = []

    async def settled() -> bool:
        for table in ("inbox", "dead_letters"):
            rows = await backend.rows(
                f"SELECT 1 FROM {table} WHERE CAST(event_id AS text) = :id", id=str(event_id)
            )
            found.extend([table] if rows else [])
        return bool(found)

    await until(settled)
    return found[0]


async def _verdict(person: Person, apply_id: str) -> apply_pb2.ApplyVerdict:
    answer = await person.call("GetApply", pb.GetApplyRequest(apply_id=apply_id))
    found: apply_pb2.ApplyVerdict = answer.verdict
    return found


async def test_an_event_is_applied_and_its_verdict_told(scheduler: Bus, student: Person) -> None:
    task = await student.add_task()
    asked = _asked(student, student.add(task, student.place(9)))
    assert await _settled(student.backend, await _say(scheduler, asked)) == "inbox"
    verdict = await _verdict(student, asked.apply_id)
    assert applied(verdict)
    (told,) = await student.told_of(events_pb2.ScheduleApplySucceeded)
    assert (told.apply_id, list(told.event_ids)) == (asked.apply_id, list(verdict.event_ids))


async def test_an_event_after_the_call_changes_nothing(scheduler: Bus, student: Person) -> None:
    task = await student.add_task()
    change = student.add(task, student.place(9))
    asked = _asked(student, change)
    verdict = await student.apply(change, apply_id=asked.apply_id)
    before = await student.told()
    for _ in range(2):
        await _settled(student.backend, await _say(scheduler, asked))
    assert await _verdict(student, asked.apply_id) == verdict
    assert await student.told() == before


async def test_an_event_delivered_again_changes_nothing(scheduler: Bus, student: Person) -> None:
    task = await student.add_task()
    asked = _asked(student, student.add(task, student.place(9)))
    event_id = await _say(scheduler, asked)
    await _settled(student.backend, event_id)
    before = await student.told()
    await _say(scheduler, asked, again_as=event_id)
    # A later event of the same stream tells that the one before was dealt with.
    await _settled(student.backend, await _say(scheduler, asked))
    assert await student.told() == before


async def test_call_and_event_at_once_are_one_apply(scheduler: Bus, student: Person) -> None:
    task = await student.add_task()
    change = student.add(task, student.place(9))
    asked = _asked(student, change)
    said = asyncio.ensure_future(_say(scheduler, asked))
    verdicts = await asyncio.gather(
        *(student.apply(change, apply_id=asked.apply_id) for _ in range(3))
    )
    event_id = await said
    await _settled(student.backend, event_id)
    assert all(applied(verdict) for verdict in verdicts)
    assert len(await student.told_of(events_pb2.ScheduleApplySucceeded)) == 1


async def test_a_late_event_is_refused_as_expired(scheduler: Bus, student: Person) -> None:
    task = await student.add_task()
    asked = _asked(student, student.add(task, student.place(9)))
    asked.not_after_time.FromDatetime(datetime.now(UTC) - timedelta(seconds=1))
    assert await _settled(student.backend, await _say(scheduler, asked)) == "inbox"
    assert codes(await _verdict(student, asked.apply_id)) == ["expired"]


async def test_an_apply_id_used_for_other_changes_is_acknowledged(
    scheduler: Bus, student: Person
) -> None:
    task = await student.add_task()
    verdict = await student.apply(student.add(task, student.place(9)), apply_id="asa_1")
    asked = _asked(student, student.add(task, student.place(10)), apply_id="asa_1")
    assert await _settled(student.backend, await _say(scheduler, asked)) == "inbox"
    assert await _verdict(student, "asa_1") == verdict


async def test_the_events_user_is_checked_against_every_row(
    scheduler: Bus, student: Person
) -> None:
    theirs = await student.backend.someone().add_task()
    asked = _asked(student, student.add(theirs, student.place(9)))
    await _settled(student.backend, await _say(scheduler, asked))
    assert codes(await _verdict(student, asked.apply_id)) == ["target_not_found"]


@pytest.mark.parametrize("spoil", ["no_changes", "no_target", "bad_base", "no_type"])
async def test_a_poisonous_request_is_parked_and_its_apply_ends(
    scheduler: Bus, student: Person, spoil: str
) -> None:
    task = await student.add_task()
    asked = _asked(student, student.add(task, student.place(9)))
    if spoil == "no_changes":
        del asked.changes[:]
    elif spoil == "no_target":
        asked.changes[0].ClearField("target")
    elif spoil == "bad_base":
        asked.base["x" * 300] = "y"
    else:
        asked.changes[0].type = change_pb2.CHANGE_TYPE_UNSPECIFIED
    assert await _settled(student.backend, await _say(scheduler, asked)) == "dead_letters"
    assert codes(await _verdict(student, asked.apply_id)) == ["invalid_edited_changes"]
    (failed,) = await student.told_of(events_pb2.ScheduleApplyFailed)
    assert failed.apply_id == asked.apply_id
    fine = _asked(student, student.add(task, student.place(9)))
    await _settled(student.backend, await _say(scheduler, fine))
    assert applied(await _verdict(student, fine.apply_id))


async def test_a_newer_type_of_change_is_refused_alike_by_event_and_by_call(
    scheduler: Bus, student: Person
) -> None:
    change = student.add(await student.add_task(), student.place(9))
    change.type = 99  # type: ignore[assignment]
    asked = _asked(student, change)
    assert await _settled(student.backend, await _say(scheduler, asked)) == "inbox"
    verdict = await student.apply(change, apply_id=asked.apply_id)
    assert codes(verdict) == ["unsupported_change_type"]
    assert verdict == await _verdict(student, asked.apply_id)
    assert codes(await student.apply(change)) == ["unsupported_change_type"]


async def test_what_cannot_be_read_at_all_is_a_dead_letter_alone(
    scheduler: Bus, student: Person
) -> None:
    asked = _asked(student)
    for payload in (b"\xff\xff\xff", b"", b"{}"):
        event_id = await _say(scheduler, asked, payload=payload)
        assert await _settled(student.backend, event_id) == "dead_letters"
    asked.apply_id = "x" * 100
    assert await _settled(student.backend, await _say(scheduler, asked)) == "dead_letters"
    nobody = events_pb2.ScheduleApplyRequested(user_id=-1, apply_id="asa_1")
    assert await _settled(student.backend, await _say(scheduler, nobody)) == "dead_letters"
    assert await student.told() == []


async def test_a_parked_request_that_was_judged_before_keeps_its_verdict(
    student: Person,
) -> None:
    task = await student.add_task()
    asked = _asked(student, student.add(task, student.place(9)))
    verdict = await student.apply(*asked.changes, apply_id=asked.apply_id)
    parked = Parked(
        consumer="schedule__schedule_apply_requested",
        subject=SUBJECT,
        data=asked.SerializeToString(),
        headers={"ce-id": str(uuid.uuid4()), "ce-subject": str(student.id)},
        delivered=5,
        reason="handler_failed",
        error="RuntimeError: x",
    )
    hearer = ApplyRequests(student.backend.db, student.backend.outlet)
    before = await student.told()
    await hearer.park(parked)
    assert await _verdict(student, asked.apply_id) == verdict
    assert await student.told() == before


async def test_a_parked_request_that_was_never_judged_is_refused_to_the_call_too(
    student: Person,
) -> None:
    task = await student.add_task()
    asked = _asked(student, student.add(task, student.place(9)))
    parked = Parked(
        consumer="schedule__schedule_apply_requested",
        subject=SUBJECT,
        data=asked.SerializeToString(),
        headers={"ce-id": str(uuid.uuid4()), "ce-subject": str(student.id)},
        delivered=5,
        reason="handler_failed",
        error="RuntimeError: x",
    )
    await ApplyRequests(student.backend.db, student.backend.outlet).park(parked)
    verdict = await student.apply(*asked.changes, apply_id=asked.apply_id)
    assert codes(verdict) == ["invalid_edited_changes"]
    assert verdict.refusals[0].detail == "handler_failed"
