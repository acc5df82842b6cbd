"""The first message goes out at once; what follows soon goes out as one that lists all."""

import asyncio
from collections.abc import AsyncIterator, Mapping, Sequence
from contextlib import asynccontextmanager
from dataclasses import replace
from datetime import UTC, datetime, timedelta
from typing import Any

import asyncpg
import pytest

from services.notification.domain.batch import Window
from services.notification.domain.message import Language
from services.notification.domain.words import words
from services.notification.sender import Sender
from smartmate.active_scheduler.v1 import preview_pb2
from smartmate.notification.v1 import record_pb2
from smartmate.text.v1.localized_text_pb2 import LocalizedText
from tests.integration.notification.rig import BASE_URL, FAST, Rig, a_request, a_user, kept_up, say
from tests.waiting import until

LIST = f"{BASE_URL}/active-schedule/previews"
MARGIN = timedelta(minutes=10)
SHORT = Window(timedelta(seconds=0.7), MARGIN)
LONG = Window(timedelta(hours=1), MARGIN)
"""No test waits for its end."""


def sender(rig: Rig, window: Window, **rules: Any) -> Sender:
    """A sender that gathers; the consumer beside it does so too."""
    rig.window = window
    return rig.sender(replace(FAST, window=window, **rules))


@asynccontextmanager
async def gathering(rig: Rig, window: Window, *, senders: int = 1) -> AsyncIterator[None]:
    """Consumer and senders run."""
    async with rig.running(*(sender(rig, window) for _ in range(senders))):
        yield


async def tell(rig: Rig, user: int, words_: str, *, life: timedelta = timedelta(hours=1)) -> str:
    """Asks for the message of a new ready preview with these words."""
    preview_id = await rig.ready(user, summary=LocalizedText(zh_cn=words_, en_us=words_))
    await rig.ask(user, preview_id, life=life)
    return preview_id


async def first_then(rig: Rig, user: int, *more: str, life: timedelta = timedelta(hours=1)) -> str:
    """One message that went out at once, and others asked for after it; gives the first's id."""
    preview_id = await tell(rig, user, "第一件")
    await rig.rows.until(user, "sent")
    for words_ in more:
        await tell(rig, user, words_, life=life)
    return preview_id


async def ended(rig: Rig, user: int, count: int) -> Sequence[Mapping[str, Any]]:
    """A user's records, once there are so many and all of them have ended."""

    async def look() -> Sequence[Mapping[str, Any]] | None:
        rows = await rig.rows.records(user)
        return rows if len(rows) == count and all(row["settled_at"] for row in rows) else None

    return await until(look, what="the end of all records") or ()


def batch_of(rows: Sequence[Mapping[str, Any]]) -> Mapping[str, Any]:
    """The record that goes out for all."""
    (found,) = [row for row in rows if row["target_kind"] == "batch"]
    return found


def members_of(rows: Sequence[Mapping[str, Any]]) -> list[Mapping[str, Any]]:
    """The records that go out with a batch."""
    return [row for row in rows if row["batch_id"]]


def link(message: Mapping[str, Any]) -> str:
    """Where the only button leads."""
    (found,) = message["links"]
    return str(found["url"])


async def joined(rig: Rig, user: int, count: int) -> None:
    """Returns once so many wait in a user's batch."""

    async def look() -> bool:
        return len(members_of(await rig.rows.records(user))) == count

    await until(look, what="the members")


# What goes out, and when


async def test_the_first_goes_out_at_once_and_the_others_as_one_list(rig: Rig) -> None:
    user = a_user()
    await rig.bot(user, "t1")
    async with gathering(rig, SHORT):
        first = await first_then(rig, user, "第二件", "第三件", "第四件")
        rows = await ended(rig, user, 5)
    alone, together = await rig.standin.messages()
    assert link(alone) == f"{LIST}/{first}"
    assert link(together) == LIST
    assert together["title"] == "SmartMate：有 3 件事等你来看"
    listed = str(together["card"])
    assert [word in listed for word in ("第一件", "第二件", "第三件", "第四件")] == [
        False,
        True,
        True,
        True,
    ]
    assert listed.count("前有效") == 3
    batch = batch_of(rows)
    assert batch["notification_id"].startswith("bat_")
    members = members_of(rows)
    assert {row["batch_id"] for row in members} == {batch["notification_id"]}
    assert [(row["state"], row["attempts"]) for row in members] == [("sent", 1)] * 3
    # Each of them is told to active_scheduler, the batch itself is not.
    settled = await rig.rows.settled(user)
    assert sorted(one.preview_id for one in settled) == sorted(
        row["preview_id"] for row in rows if row["preview_id"]
    )
    assert {one.state for one in settled} == {record_pb2.RECORD_STATE_SENT}


async def test_one_that_follows_goes_out_as_it_would_alone(rig: Rig) -> None:
    user = a_user()
    await rig.bot(user, "t1")
    async with gathering(rig, SHORT):
        await first_then(rig, user, "第二件")
        rows = await ended(rig, user, 3)
    _, second = await rig.standin.messages()
    (member,) = members_of(rows)
    assert link(second) == f"{LIST}/{member['preview_id']}"
    assert second["title"] == "SmartMate：有一条调整建议"


async def test_what_follows_waits_for_the_end_of_the_window(rig: Rig) -> None:
    user = a_user()
    await rig.bot(user, "t1")
    async with gathering(rig, LONG):
        await first_then(rig, user, "第二件", "第三件", life=timedelta(hours=2))
        await joined(rig, user, 2)
        batch = batch_of(await rig.rows.records(user))
    left = batch["due_at"] - datetime.now(UTC)
    assert timedelta(minutes=59) < left < timedelta(hours=1)
    assert len(await rig.standin.messages()) == 1


async def test_a_batch_goes_out_ten_minutes_before_the_first_of_it_ends(rig: Rig) -> None:
    user = a_user()
    await rig.bot(user, "t1")
    async with gathering(rig, LONG):
        await first_then(rig, user, "还早", life=timedelta(hours=2))
        await joined(rig, user, 1)
        await tell(rig, user, "先到期", life=timedelta(minutes=40))
        await joined(rig, user, 2)
        left = batch_of(await rig.rows.records(user))["due_at"] - datetime.now(UTC)
        assert timedelta(minutes=29) < left < timedelta(minutes=30)
        await tell(rig, user, "马上到期", life=timedelta(minutes=9))
        await ended(rig, user, 5)
    _, together = await rig.standin.messages()
    assert all(word in str(together["card"]) for word in ("还早", "先到期", "马上到期"))


async def test_a_full_batch_goes_out_at_once(rig: Rig) -> None:
    user = a_user()
    await rig.bot(user, "t1")
    async with gathering(rig, replace(LONG, most=3)):
        await first_then(rig, user, "二", "三", "四")
        await ended(rig, user, 5)
    assert len(await rig.standin.messages()) == 2


async def test_after_a_quiet_window_the_next_one_is_a_first_one_again(rig: Rig) -> None:
    user = a_user()
    await rig.bot(user, "t1")
    async with gathering(rig, replace(SHORT, length=timedelta(milliseconds=1))):
        await first_then(rig, user)
        await tell(rig, user, "第二件")
        await rig.rows.until(user, "sent", "sent")
    assert len(await rig.standin.messages()) == 2
    assert members_of(await rig.rows.records(user)) == []
    open_ = await rig.rows.connection.fetchval("SELECT count(*) FROM notification_batches")
    assert open_ == 1


async def test_what_comes_after_a_batch_has_gone_out_opens_a_new_window(rig: Rig) -> None:
    user = a_user()
    await rig.bot(user, "t1")
    async with gathering(rig, replace(LONG, most=1)):
        await first_then(rig, user, "第二件")
        await ended(rig, user, 3)
        third = await tell(rig, user, "第三件")
        await ended(rig, user, 4)
        await tell(rig, user, "第四件")
        await ended(rig, user, 6)
    links = [link(message) for message in await rig.standin.messages()]
    assert links[2] == f"{LIST}/{third}"
    assert len(links) == 4


async def test_channels_and_users_have_windows_of_their_own(rig: Rig) -> None:
    user, other = a_user(), a_user()
    await rig.bot(user, "t1")
    await rig.bot(other, "t1")
    async with gathering(rig, LONG):
        await first_then(rig, user)
        await first_then(rig, other)
        # The first channel is another one from now on.
        await rig.bot(user, "t2", position=1)
        await rig.rows.connection.execute(
            "UPDATE notification_channels SET position = position + 1 WHERE user_id = $1 AND id < "
            "(SELECT max(id) FROM notification_channels WHERE user_id = $1)",
            user,
        )
        await tell(rig, user, "另一个群的第一件")
        await rig.rows.until(user, "sent", "sent")
    assert [one["token"] for one in await rig.standin.messages()] == ["t1", "t1", "t2"]


async def test_many_at_once_are_each_told_once(rig: Rig) -> None:
    user = a_user()
    await rig.bot(user, "t1")
    names = [f"事情{number:02}号" for number in range(18)]
    async with gathering(rig, SHORT, senders=2):
        await asyncio.gather(*(tell(rig, user, name) for name in names))
        await rig.standin.arrived(2)

        async def all_ended() -> bool:
            rows = await rig.rows.records(user)
            told = [row for row in rows if row["preview_id"]]
            return len(told) == len(names) and all(row["settled_at"] for row in rows)

        await until(all_ended, what="the end of all")
    messages = await rig.standin.messages()
    everything = "".join(str(message["card"]) for message in messages)
    # In the line of the phone's list the summary of a card stands once more.
    assert all(name in everything for name in names)
    lines = [name for name in names for message in messages if name in str(message["card"]["body"])]
    assert sorted(lines) == names
    assert {one.state for one in await rig.rows.settled(user)} == {record_pb2.RECORD_STATE_SENT}


async def test_the_database_holds_one_open_batch_for_a_channel(rig: Rig) -> None:
    insert = (
        "INSERT INTO notification_batches (user_id, id, channel_id, first, ends_at) "
        "VALUES (1, $1, 1, 1, now())"
    )
    await rig.rows.connection.execute(insert, "bat_1")
    with pytest.raises(asyncpg.UniqueViolationError):
        await rig.rows.connection.execute(insert, "bat_2")
    await rig.rows.connection.execute("UPDATE notification_batches SET closed_at = now()")
    await rig.rows.connection.execute(insert, "bat_2")


async def test_an_event_that_comes_again_joins_nothing(rig: Rig) -> None:
    user = a_user()
    await rig.bot(user, "t1")
    async with gathering(rig, SHORT):
        await first_then(rig, user)
        preview_id = await rig.ready(user)
        for _ in range(3):
            await say(rig.sayer, a_request(user, preview_id))
        rows = await ended(rig, user, 3)
    assert len(members_of(rows)) == 1
    assert len(await rig.standin.messages()) == 2


# What is left out, refused, lost


async def test_what_is_not_worth_it_any_more_is_left_out_with_its_reason(rig: Rig) -> None:
    user = a_user()
    await rig.bot(user, "t1")
    async with gathering(rig, SHORT):
        await first_then(rig, user, "留下一", "留下二")
        gone = await tell(rig, user, "已经处理")
        rig.scheduler.put(user, gone, state=preview_pb2.PREVIEW_STATE_APPLIED)
        rows = await ended(rig, user, 5)
    _, together = await rig.standin.messages()
    assert "已经处理" not in str(together["card"])
    assert together["title"] == "SmartMate：有 2 件事等你来看"
    assert sorted((row["state"], row["reason"]) for row in members_of(rows)) == [
        ("sent", ""),
        ("sent", ""),
        ("skipped", "applied"),
    ]


async def test_a_batch_of_nothing_that_is_worth_it_is_not_sent(rig: Rig) -> None:
    user = a_user()
    await rig.bot(user, "t1")
    async with gathering(rig, SHORT):
        await first_then(rig, user)
        for _ in range(2):
            gone = await tell(rig, user, "已经处理")
            rig.scheduler.put(user, gone, state=preview_pb2.PREVIEW_STATE_IGNORED)
        rows = await ended(rig, user, 4)
    assert len(await rig.standin.messages()) == 1
    assert {(row["state"], row["reason"]) for row in rows[1:]} == {("skipped", "preview_ignored")}
    assert len(await rig.rows.settled(user)) == 3


async def test_without_an_answer_the_templates_are_listed(rig: Rig) -> None:
    user = a_user()
    await rig.bot(user, "t1")
    async with gathering(rig, SHORT):
        await first_then(rig, user)
        rig.scheduler.fails = True
        await tell(rig, user, "问不到")
        await tell(rig, user, "问不到")
        await ended(rig, user, 4)
    _, together = await rig.standin.messages()
    assert str(together["card"]).count("一项任务有一条安排建议") == 2


async def test_a_refused_batch_goes_to_the_next_channel_without_a_loss(rig: Rig) -> None:
    user = a_user()
    await rig.bot(user, "t1")
    await rig.console(user)
    async with gathering(rig, SHORT):
        await first_then(rig, user, "第二件", "第三件", "第四件")
        await joined(rig, user, 3)
        await rig.standin.script({"code": 19024, "msg": "Key Words Not Found"})
        # There: one alone, the others as a batch of their own.
        rows = await ended(rig, user, 9)
    dead = [row for row in rows if row["state"] == "dead"]
    assert {row["reason"] for row in dead} == {"keyword_missing"}
    assert len(dead) == 4
    printed = "\n".join(rig.printed)
    assert [printed.count(word) for word in ("第二件", "第三件", "第四件")] == [1, 1, 1]
    assert len(rig.printed) == 2
    states = [one.state for one in await rig.rows.settled(user)]
    assert states.count(record_pb2.RECORD_STATE_DEAD) == 3
    assert states.count(record_pb2.RECORD_STATE_SENT) == 4


async def test_what_passes_is_tried_again_with_the_same_body(rig: Rig) -> None:
    user = a_user()
    await rig.bot(user, "t1")
    async with gathering(rig, SHORT):
        await first_then(rig, user, "第二件", "第三件")
        await joined(rig, user, 2)
        await rig.standin.script({"http": 500})
        await ended(rig, user, 4)
    _, refused, taken = await rig.standin.messages()
    assert refused["card"] == taken["card"]


async def test_an_unknown_batch_leaves_each_of_it_unknown_and_no_next_channel(rig: Rig) -> None:
    user = a_user()
    await rig.bot(user, "t1")
    await rig.console(user)
    async with gathering(rig, SHORT):
        await first_then(rig, user, "第二件", "第三件")
        await joined(rig, user, 2)
        await rig.standin.script({"accept_then_drop": True, "times": 2})
        rows = await ended(rig, user, 4)
    _, first, again = await rig.standin.messages()
    mark = words(Language.ZH_CN).repeat
    assert (mark in str(first["card"]), mark in str(again["card"])) == (False, True)
    assert {row["state"] for row in rows[1:]} == {"unknown"}
    assert rig.printed == []
    settled = [one.state for one in await rig.rows.settled(user)]
    assert settled.count(record_pb2.RECORD_STATE_UNKNOWN) == 2


@asynccontextmanager
async def cut_off(rig: Rig) -> AsyncIterator[None]:
    """Consumer and sender run until the end of the block and are gone then, as after kill -9."""
    dying = sender(rig, SHORT, lease_seconds=0.5)
    stop = asyncio.Event()
    async with asyncio.TaskGroup() as group:
        running = group.create_task(dying.run(stop))
        hearing = [group.create_task(kept_up(loop, stop)) for loop in rig.loops(dying)]
        try:
            yield
        finally:
            running.cancel()
            stop.set()
            await asyncio.wait([running, *hearing])
            await rig.forgotten()


async def test_the_first_attempt_freezes_members_and_body_for_the_repeat(rig: Rig) -> None:
    user = a_user()
    await rig.bot(user, "t1")
    async with cut_off(rig):
        await first_then(rig, user, "第二件", "第三件")
        await joined(rig, user, 2)
        await rig.standin.script({"hold": True})
        await rig.standin.arrived(2)
    async with gathering(rig, SHORT):
        later = await tell(rig, user, "之后来的")
        await ended(rig, user, 5)
    _, first, *rest = await rig.standin.messages()
    (again,) = [one for one in rest if link(one) == LIST]
    (alone,) = [one for one in rest if link(one) != LIST]
    assert link(alone) == f"{LIST}/{later}"
    mark = words(Language.ZH_CN).repeat
    assert str(again["card"]).replace(f" · {mark}", "") == str(first["card"])


async def test_a_batch_that_nobody_carried_to_its_start_is_sent_unmarked(rig: Rig) -> None:
    user = a_user()
    await rig.bot(user, "t1")
    async with cut_off(rig):
        await first_then(rig, user, "第二件", "第三件")
        await joined(rig, user, 2)
        rig.scheduler.hangs = True
        asked = len(rig.scheduler.asked)

        async def is_asked() -> bool:
            return len(rig.scheduler.asked) > asked

        await until(is_asked, what="a question about the batch")
    rig.scheduler.hangs = False
    async with gathering(rig, SHORT):
        await ended(rig, user, 4)
    _, together = await rig.standin.messages()
    assert words(Language.ZH_CN).repeat not in str(together["card"])
    assert all(word in str(together["card"]) for word in ("第二件", "第三件"))
