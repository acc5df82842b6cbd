"""Attempts that are cut off or lose their answer: repeated at most once, and marked."""

import asyncio
from collections.abc import AsyncIterator, Mapping
from contextlib import asynccontextmanager
from dataclasses import replace
from typing import Any

import asyncpg
from structlog.testing import capture_logs

from libs.db.database import Database
from services.notification.domain.message import Language
from services.notification.domain.words import words
from services.notification.domain.writing import short_number
from services.notification.sender import Sender
from services.standalone.suite import Suite
from smartmate.active_scheduler.v1 import preview_pb2
from smartmate.notification.v1 import record_pb2
from tests.integration.notification.rig import FAST, Rig, a_user, kept_up

MARK = words(Language.ZH_CN).repeat
SHORT = replace(FAST, lease_seconds=0.4)
"""A lease that lapses while the test looks on."""


@asynccontextmanager
async def cut_off(rig: Rig, sender: Sender) -> AsyncIterator[None]:
    """The sender runs until the end of the block and is then gone, as after kill -9."""
    stop = asyncio.Event()
    async with asyncio.TaskGroup() as group:
        running = group.create_task(sender.run(stop))
        hearing = [group.create_task(kept_up(loop, stop)) for loop in rig.loops(sender)]
        try:
            yield
        finally:
            running.cancel()
            stop.set()
            await asyncio.wait([running, *hearing])
            await rig.forgotten()


def foot(message: Mapping[str, Any]) -> str:
    """The last line of a card, which holds the short number."""
    text: str = message["card"]["body"]["elements"][-1]["text"]["content"]
    return text


async def test_a_send_that_is_cut_off_is_repeated_once_and_marked(rig: Rig) -> None:
    user = a_user()
    await rig.bot(user, "t1")
    preview_id = await rig.ready(user)
    await rig.standin.script({"hold": True})
    async with cut_off(rig, rig.sender(SHORT)):
        await rig.ask(user, preview_id)
        await rig.standin.arrived(1)
    assert await rig.rows.states(user) == [("sending", "")]
    async with rig.running(rig.sender()):
        await rig.rows.until(user, "sent")
    first, second = await rig.standin.messages()
    assert foot(second) == f"{foot(first)} · {MARK}"
    assert short_number(preview_id) in foot(first)
    row = await rig.rows.record(user)
    assert (row["attempts"], row["repeats"]) == (2, 1)
    assert [one.state for one in await rig.rows.settled(user)] == [record_pb2.RECORD_STATE_SENT]


async def test_a_repeat_that_is_cut_off_too_ends_unknown_and_no_third_is_sent(rig: Rig) -> None:
    user = a_user()
    await rig.bot(user, "t1")
    await rig.console(user)
    await rig.standin.script({"hold": True, "times": "always"})
    async with cut_off(rig, rig.sender(SHORT)):
        await rig.ask(user, await rig.ready(user))
        await rig.standin.arrived(1)
    async with cut_off(rig, rig.sender(SHORT)):
        await rig.standin.arrived(2)
    async with rig.running(rig.sender()):
        await rig.rows.until(user, "unknown")
    assert len(await rig.standin.messages()) == 2
    (settled,) = await rig.rows.settled(user)
    assert (settled.state, settled.reason) == (record_pb2.RECORD_STATE_UNKNOWN, "lease_expired")
    # Never the next channel after an unknown.
    assert rig.printed == []
    assert (await rig.rows.record(user))["due_at"] is None


async def test_what_was_cut_off_before_anything_went_out_is_sent_unmarked(rig: Rig) -> None:
    user = a_user()
    await rig.bot(user, "t1")
    preview_id = await rig.ready(user)
    rig.scheduler.hangs = True
    async with cut_off(rig, rig.sender(SHORT)):
        await rig.ask(user, preview_id)
        await until_asked(rig)
    rig.scheduler.hangs = False
    async with rig.running(rig.sender()):
        await rig.rows.until(user, "sent")
    (message,) = await rig.standin.messages()
    assert MARK not in foot(message)
    row = await rig.rows.record(user)
    assert (row["attempts"], row["repeats"]) == (1, 0)


async def test_an_answer_that_comes_after_the_lease_changes_nothing(rig: Rig) -> None:
    user = a_user()
    await rig.bot(user, "t1")
    await rig.standin.script({"hold": True})
    with capture_logs() as lines:
        async with rig.running(rig.sender(SHORT)):
            await rig.ask(user, await rig.ready(user))
            await rig.standin.arrived(1)
            async with rig.running(rig.sender()):
                await rig.standin.arrived(2)
                await rig.rows.until(user, "sent")
            await rig.standin.release()
            await until_logged(lines, "lease_lost")
    assert len(await rig.standin.messages()) == 2
    assert len(await rig.rows.settled(user)) == 1


async def test_a_dropped_answer_leads_to_one_marked_repeat(rig: Rig) -> None:
    user = a_user()
    await rig.bot(user, "t1")
    await rig.standin.script({"accept_then_drop": True})
    async with rig.running(rig.sender()):
        await rig.ask(user, await rig.ready(user))
        await rig.rows.until(user, "sent")
    first, second = await rig.standin.messages()
    assert MARK in foot(second)
    assert MARK not in foot(first)


async def test_two_dropped_answers_end_unknown_without_the_next_channel(rig: Rig) -> None:
    user = a_user()
    await rig.bot(user, "t1")
    await rig.console(user)
    await rig.standin.script({"accept_then_drop": True, "times": 2})
    async with rig.running(rig.sender()):
        await rig.ask(user, await rig.ready(user))
        await settled(rig, user)
    assert await rig.rows.states(user) == [("unknown", "no_answer")]
    assert len(await rig.standin.messages()) == 2
    assert rig.printed == []


async def test_a_repeat_that_is_refused_leaves_unknown_as_the_truth(rig: Rig) -> None:
    user = a_user()
    await rig.bot(user, "t1")
    await rig.console(user)
    await rig.standin.script({"accept_then_drop": True}, {"code": 19024, "msg": "keyword"})
    async with rig.running(rig.sender()):
        await rig.ask(user, await rig.ready(user))
        await settled(rig, user)
    assert await rig.rows.states(user) == [("unknown", "keyword_missing")]
    assert rig.printed == []


async def test_a_planned_repeat_that_is_not_worth_it_any_more_is_left_out(rig: Rig) -> None:
    user = a_user()
    await rig.bot(user, "t1")
    preview_id = await rig.ready(user)
    await rig.standin.script({"hold": True})
    async with cut_off(rig, rig.sender(SHORT)):
        await rig.ask(user, preview_id)
        await rig.standin.arrived(1)
    rig.scheduler.put(user, preview_id, state=preview_pb2.PREVIEW_STATE_APPLIED)
    async with rig.running(rig.sender()):
        await settled(rig, user)
    assert await rig.rows.states(user) == [("unknown", "applied")]
    assert len(await rig.standin.messages()) == 1


async def test_a_delivery_is_written_down_though_the_database_was_away(
    rig: Rig, servers: Suite
) -> None:
    user = a_user()
    await rig.bot(user, "t1")
    await rig.standin.script({"hold": True})
    url = servers.database_url("notification")
    impatient = Database(url, application="notification", lock_timeout_ms=50)
    blocker = await asyncpg.connect(servers.dsn("notification"))
    try:
        with capture_logs() as lines:
            async with rig.running(rig.sender(db=impatient)):
                await rig.ask(user, await rig.ready(user))
                await rig.standin.arrived(1)
                async with blocker.transaction():
                    await blocker.execute("LOCK TABLE notification_records IN EXCLUSIVE MODE")
                    await rig.standin.release()
                    await until_logged(lines, "outcome_waits", times=2)
                await rig.rows.until(user, "sent")
    finally:
        await blocker.close()
        await impatient.close()
    assert len(await rig.standin.messages()) == 1
    assert (await rig.rows.record(user))["repeats"] == 0


async def settled(rig: Rig, user: int) -> None:
    """Returns once an event about the user's record was written."""
    async with asyncio.timeout(15):
        while True:
            if await rig.rows.settled(user):
                return
            await asyncio.sleep(0.01)


async def until_asked(rig: Rig) -> None:
    """Returns once active_scheduler was asked something."""
    async with asyncio.timeout(10):
        while True:
            if rig.scheduler.asked:
                return
            await asyncio.sleep(0.005)


async def until_logged(lines: list[Any], event: str, *, times: int = 1) -> None:
    """Returns once a line of this name was logged so often."""
    async with asyncio.timeout(10):
        while True:
            if len([line for line in lines if line["event"] == event]) >= times:
                return
            await asyncio.sleep(0.005)
