"""From the event to the stand-in: sent once, worth it, in the right words, by the right channel."""

import asyncio
import itertools
import os
import uuid
from collections.abc import Mapping
from dataclasses import replace
from datetime import UTC, datetime, timedelta
from typing import Any

import nats.js.api
import pytest
from sqlalchemy import text

from libs.events import envelope
from libs.events.contract import contract
from libs.outbox.retention import KIT, Retention
from services.notification.channels.sealing import Sealer
from services.notification.domain.message import Language
from services.notification.handlers import channels
from services.notification.store import rates, records
from services.notification.store.rates import Limits
from smartmate.active_scheduler.v1 import preview_pb2
from smartmate.events.v1 import events_pb2
from smartmate.notification.v1 import record_pb2
from smartmate.text.v1.localized_text_pb2 import LocalizedText
from tests.integration.notification.rig import (
    BASE_URL,
    FAST,
    PATIENCE,
    SUMMARY,
    Rig,
    a_request,
    a_user,
    say,
    summary_of,
)

TEMPLATE = "一项任务有一条安排建议，等你看过再定。"


def shown(message: Mapping[str, Any]) -> str:
    """The summary that a card shows."""
    text: str = message["card"]["body"]["elements"][0]["text"]["content"]
    return text


async def delivered(rig: Rig, user: int, **about: Any) -> Mapping[str, Any]:
    """The one message that a ready preview of a user leads to."""
    preview_id = await rig.ready(user, **about)
    async with rig.running(rig.sender()):
        await rig.ask(user, preview_id)
        await rig.rows.until(user, "sent")
    (message,) = await rig.standin.messages(verdict="accepted")
    return message


async def test_a_ready_preview_reaches_feishu_signed_with_its_words_and_its_link(rig: Rig) -> None:
    user = a_user()
    await rig.bot(user, "t1")
    preview_id = await rig.ready(user)
    async with rig.running(rig.sender()):
        await rig.ask(user, preview_id)
        await rig.rows.until(user, "sent")
    (message,) = await rig.standin.messages()
    assert (message["verdict"], message["signature"]) == ("accepted", "verified")
    assert message["title"] == "SmartMate：有一条调整建议"
    assert shown(message) == SUMMARY.zh_cn
    (link,) = message["links"]
    assert link["url"] == f"{BASE_URL}/active-schedule/previews/{preview_id}"
    row = await rig.rows.record(user)
    assert (row["attempts"], row["provider_code"], row["reason"]) == (1, 0, "")
    assert summary_of(row, "request")["msg_type"] == "interactive"
    assert summary_of(row, "response") == {"outcome": "delivered"}
    (settled,) = await rig.rows.settled(user)
    assert (settled.preview_id, settled.state) == (preview_id, record_pb2.RECORD_STATE_SENT)
    assert settled.reason == ""


async def test_the_message_is_in_the_language_of_its_channel(rig: Rig) -> None:
    user = a_user()
    await rig.bot(user, "t1", language=Language.EN_US)
    message = await delivered(rig, user)
    assert (message["title"], shown(message)) == ("SmartMate: a suggestion", SUMMARY.en_us)


async def test_the_trace_of_the_event_goes_on_in_the_record(rig: Rig) -> None:
    user = a_user()
    await rig.bot(user, "t1")
    preview_id = await rig.ready(user)
    trace = "00-" + "a" * 32 + "-" + "b" * 16 + "-01"
    event = a_request(user, preview_id)
    headers = envelope.headers_for(
        event, event_id=envelope.uuid7(), user_id=user, at=datetime.now(UTC)
    )
    async with rig.running(rig.sender()):
        await rig.sayer.jetstream.publish(
            contract(event).subject,
            event.SerializeToString(),
            headers=headers | {"traceparent": trace},
        )
        await rig.rows.until(user, "sent")
    assert "a" * 32 in (await rig.rows.record(user))["traceparent"]


# Once


async def test_an_event_delivered_again_leads_to_no_second_message(rig: Rig) -> None:
    user = a_user()
    await rig.bot(user, "t1")
    preview_id = await rig.ready(user)
    event, event_id = a_request(user, preview_id), envelope.uuid7()
    async with rig.running(rig.sender()):
        await say(rig.sayer, event, event_id=event_id)
        await rig.rows.until(user, "sent")
        for _ in range(3):
            await say(rig.sayer, event, event_id=event_id)
        await all_consumed(rig)
    # A restart forgets nothing.
    async with rig.running(rig.sender()):
        await say(rig.sayer, event, event_id=event_id)
        await all_consumed(rig)
    assert len(await rig.standin.messages()) == 1
    assert await rig.rows.states(user) == [("sent", "")]
    assert len(await rig.rows.settled(user)) == 1


async def test_another_event_about_the_same_preview_leads_to_no_second_message(rig: Rig) -> None:
    user = a_user()
    await rig.bot(user, "t1")
    preview_id = await rig.ready(user)
    async with rig.running(rig.sender()):
        await rig.ask(user, preview_id)
        await rig.rows.until(user, "sent")
        # Another first channel since then makes no difference.
        await rig.bot(user, "t2", position=1)
        await rig.ask(user, preview_id)
        await all_consumed(rig)
    assert len(await rig.standin.messages()) == 1
    assert len(await rig.rows.records(user)) == 1


async def test_two_senders_side_by_side_send_each_message_once(rig: Rig) -> None:
    users = [a_user() for _ in range(12)]
    for user in users:
        await rig.bot(user, f"t{user}")
    async with rig.running(rig.sender(), rig.sender()):
        for user in users:
            await rig.ask(user, await rig.ready(user))
        for user in users:
            await rig.rows.until(user, "sent")
    messages = await rig.standin.messages()
    assert sorted(one["token"] for one in messages) == sorted(f"t{user}" for user in users)


# Nowhere to go, not worth it


async def test_without_a_channel_the_message_is_skipped_and_says_so(rig: Rig) -> None:
    user = a_user()
    preview_id = await rig.ready(user)
    async with rig.running(rig.sender()):
        await rig.ask(user, preview_id)
        await rig.rows.until(user, "skipped")
    row = await rig.rows.record(user)
    assert (row["channel_id"], row["channel_type"], row["reason"]) == (0, None, "no_channel")
    (settled,) = await rig.rows.settled(user)
    assert (settled.state, settled.reason, settled.notification_id) == (
        record_pb2.RECORD_STATE_SKIPPED,
        "no_channel",
        preview_id,
    )


@pytest.mark.parametrize(
    ("about", "reason"),
    [
        ({"life": timedelta(seconds=110)}, "preview_expired"),
        ({"state": preview_pb2.PREVIEW_STATE_EXPIRED}, "preview_expired"),
        ({"state": preview_pb2.PREVIEW_STATE_SUPERSEDED}, "preview_superseded"),
        ({"state": preview_pb2.PREVIEW_STATE_IGNORED}, "preview_ignored"),
        ({"state": preview_pb2.PREVIEW_STATE_APPLYING}, "preview_applying"),
        ({"state": preview_pb2.PREVIEW_STATE_APPLIED}, "applied"),
        ({"is_answered": True}, "question_answered"),
    ],
)
async def test_what_is_not_worth_it_any_more_is_skipped_with_its_reason(
    rig: Rig, about: dict[str, Any], reason: str
) -> None:
    user = a_user()
    await rig.bot(user, "t1")
    async with rig.running(rig.sender()):
        await rig.ask(user, await rig.ready(user, **about))
        await rig.rows.until(user, "skipped")
    assert await rig.rows.states(user) == [("skipped", reason)]
    assert [one.reason for one in await rig.rows.settled(user)] == [reason]
    assert await rig.standin.messages() == []


async def test_a_preview_of_another_user_is_not_told(rig: Rig) -> None:
    user, other = a_user(), a_user()
    await rig.bot(user, "t1")
    preview_id = await rig.ready(other)
    async with rig.running(rig.sender()):
        await rig.ask(user, preview_id)
        await rig.rows.until(user, "skipped")
    assert await rig.rows.states(user) == [("skipped", "preview_not_found")]
    assert await rig.standin.messages() == []


async def test_a_link_that_has_expired_is_not_sent_nor_asked_about(rig: Rig) -> None:
    user = a_user()
    await rig.bot(user, "t1")
    async with rig.running(rig.sender()):
        await rig.ask(user, await rig.ready(user), life=timedelta(seconds=-1))
        await rig.rows.until(user, "skipped")
    assert await rig.rows.states(user) == [("skipped", "preview_expired")]
    assert rig.scheduler.asked == []
    assert await rig.standin.messages() == []


# The words


@pytest.mark.parametrize("trouble", ["fails", "hangs", "newer"])
async def test_without_an_answer_the_template_goes_out(rig: Rig, trouble: str) -> None:
    user = a_user()
    await rig.bot(user, "t1")
    about = {"state": 99} if trouble == "newer" else {}
    rig.scheduler.fails, rig.scheduler.hangs = trouble == "fails", trouble == "hangs"
    message = await delivered(rig, user, **about)
    assert shown(message) == TEMPLATE
    assert len(message["links"]) == 1


async def test_a_message_without_a_preview_is_sent_without_asking(rig: Rig) -> None:
    user = a_user()
    await rig.bot(user, "t1")
    event = a_request(user, "ast_" + "k" * 24, path="/active-schedule/triggers/ast_k")
    event.preview_id = ""
    async with rig.running(rig.sender()):
        await say(rig.sayer, event)
        await rig.rows.until(user, "sent")
    assert rig.scheduler.asked == []
    (message,) = await rig.standin.messages()
    assert shown(message) == TEMPLATE


@pytest.mark.parametrize("words", ["", "看 https://evil.example", "长" * 501])
async def test_words_that_are_not_fit_give_way_to_the_template(rig: Rig, words: str) -> None:
    user = a_user()
    await rig.bot(user, "t1")
    message = await delivered(rig, user, summary=LocalizedText(zh_cn=words))
    assert shown(message) == "「概率论大作业」有一条安排建议，等你看过再定。"


async def test_the_content_is_frozen_at_the_first_attempt(rig: Rig) -> None:
    user = a_user()
    await rig.bot(user, "t1")
    preview_id = await rig.ready(user)
    await rig.standin.script({"http": 500, "delay_ms": 1})
    async with rig.running(rig.sender()):
        await rig.ask(user, preview_id)
        await rig.standin.arrived(1)
        rig.scheduler.put(user, preview_id, summary=LocalizedText(zh_cn="别的话"))
        await rig.rows.until(user, "sent")
    first, second = await rig.standin.messages()
    assert first["card"] == second["card"]
    assert shown(second) == SUMMARY.zh_cn


# What the provider does


@pytest.mark.parametrize(
    "faults",
    [
        ({"http": 500},),
        ({"http": 429, "headers": {"retry-after": "0"}},),
        ({"code": 11232, "msg": "frequency limited"},),
        ({"code": 19021, "msg": "sign match fail"},),
        ({"code": 11233}, {"code": 5000}, {"http": 503}),
    ],
)
async def test_what_passes_is_tried_again_and_then_sent(
    rig: Rig, faults: tuple[dict[str, object], ...]
) -> None:
    user = a_user()
    await rig.bot(user, "t1")
    await rig.standin.script(*faults)
    preview_id = await rig.ready(user)
    async with rig.running(rig.sender()):
        await rig.ask(user, preview_id)
        await rig.rows.until(user, "sent")
    row = await rig.rows.record(user)
    assert row["attempts"] == len(faults) + 1
    assert len(await rig.standin.messages(verdict="accepted")) == 1
    # Asked each time: an attempt may have become worthless meanwhile.
    assert len(rig.scheduler.asked) == len(faults) + 1


async def test_a_refused_signature_is_renewed_once_and_then_given_up(rig: Rig) -> None:
    user = a_user()
    await rig.bot(user, "t1", secret="wrong")
    async with rig.running(rig.sender()):
        await rig.ask(user, await rig.ready(user))
        await rig.rows.until(user, "dead")
    row = await rig.rows.record(user)
    assert (row["attempts"], row["reason"], row["provider_code"]) == (2, "signature_refused", 19021)
    assert len(await rig.standin.messages()) == 2


async def test_a_refused_card_goes_out_once_as_a_post(rig: Rig) -> None:
    user = a_user()
    await rig.bot(user, "t1")
    await rig.standin.script({"code": 11246, "msg": "card"})
    async with rig.running(rig.sender()):
        await rig.ask(user, await rig.ready(user))
        await rig.rows.until(user, "sent")
    first, second = await rig.standin.messages()
    assert (first["msg_type"], second["msg_type"]) == ("interactive", "post")
    assert SUMMARY.zh_cn in str(second["content"])
    assert summary_of(await rig.rows.record(user), "request")["is_fallback"]


async def test_a_permanent_refusal_gives_the_next_channel_its_turn(rig: Rig) -> None:
    user = a_user()
    await rig.console(user)
    await rig.bot(user, "t1", position=1)
    await rig.standin.script({"code": 19024, "msg": "Key Words Not Found"})
    # The bot is behind the console in age and before it in order.
    await rig.rows.connection.execute(
        "UPDATE notification_channels SET position = 2 WHERE user_id = $1 AND type = 'console'",
        user,
    )
    preview_id = await rig.ready(user)
    async with rig.running(rig.sender()):
        await rig.ask(user, preview_id)
        await rig.rows.until(user, "dead", "sent")
    dead, sent = await rig.rows.records(user)
    assert (dead["channel_type"], dead["reason"], dead["provider_code"]) == (
        "feishu_bot",
        "keyword_missing",
        19024,
    )
    assert (sent["channel_type"], sent["notification_id"]) == ("console", preview_id)
    (text,) = rig.printed
    assert SUMMARY.zh_cn in text
    assert preview_id in text
    states = [one.state for one in await rig.rows.settled(user)]
    assert states == [record_pb2.RECORD_STATE_DEAD, record_pb2.RECORD_STATE_SENT]


async def test_a_refusal_without_another_channel_ends_the_message(rig: Rig) -> None:
    user = a_user()
    await rig.bot(user, "t1")
    await rig.standin.script({"code": 19001, "msg": "no such hook", "times": "always"})
    async with rig.running(rig.sender()):
        await rig.ask(user, await rig.ready(user))
        await rig.rows.until(user, "dead")
    assert await rig.rows.states(user) == [("dead", "robot_gone")]
    assert [one.state for one in await rig.rows.settled(user)] == [record_pb2.RECORD_STATE_DEAD]


async def test_a_channel_deleted_meanwhile_gives_the_next_one_its_turn(rig: Rig) -> None:
    user = a_user()
    first = await rig.bot(user, "t1")
    await rig.bot(user, "t2")
    sender = rig.sender()
    await rig.standin.script({"http": 500})
    async with rig.running(sender):
        await rig.ask(user, await rig.ready(user))
        await rig.standin.arrived(1)
        await rig.db.run(lambda tx: channels.delete(tx, user, first.id))
        await rig.rows.until(user, "dead", "sent")
    assert await rig.rows.states(user) == [("dead", "channel_deleted"), ("sent", "")]
    assert [one["token"] for one in await rig.standin.messages()] == ["t1", "t2"]


async def test_attempts_end_when_the_link_dies_and_the_next_channel_stays_out_of_it(
    rig: Rig,
) -> None:
    user = a_user()
    await rig.bot(user, "t1")
    await rig.console(user)
    await rig.standin.script({"http": 500, "times": "always"})
    async with rig.running(rig.sender()):
        await rig.ask(user, await rig.ready(user), life=timedelta(seconds=1))
        await rig.rows.until(user, "dead")
    (state,) = await rig.rows.states(user)
    assert state == ("dead", "http_500")
    assert rig.printed == []
    assert (await rig.rows.record(user))["attempts"] >= 2


async def test_a_failing_provider_never_fails_the_consumer(rig: Rig) -> None:
    user = a_user()
    await rig.bot(user, "t1")
    await rig.standin.script({"http": 500, "times": "always"})
    async with rig.running(rig.sender()):
        await rig.ask(user, await rig.ready(user))
        await rig.standin.arrived(3)
        info = await all_consumed(rig)
        await rig.rows.connection.execute(
            "UPDATE notification_records SET valid_until = clock_timestamp()"
        )
        await rig.rows.until(user, "dead")
    assert info.num_redelivered == 0
    assert await rig.rows.connection.fetchval("SELECT count(*) FROM inbox") == 1
    assert await rig.rows.connection.fetchval("SELECT count(*) FROM dead_letters") == 0


async def test_an_event_that_can_never_be_sent_is_parked(rig: Rig) -> None:
    user = a_user()
    event = a_request(user, "asp_1", path="//evil.example/x")
    async with rig.running(rig.sender()):
        await say(rig.sayer, event)
        await all_consumed(rig)
    parked = await rig.rows.connection.fetchrow("SELECT reason, payload FROM dead_letters")
    assert parked["reason"] == "malformed"
    assert events_pb2.NotificationFeishuRequested.FromString(parked["payload"]) == event
    assert await rig.rows.records(user) == []


# The webhook's turn


async def test_senders_share_the_rate_of_a_webhook(rig: Rig) -> None:
    users = [a_user() for _ in range(6)]
    for user in users:
        await rig.bot(user, "shared")
    rules = replace(FAST, rate=Limits(per_second=20, per_minute=1000), rate_patience_seconds=0.12)
    async with rig.running(rig.sender(rules), rig.sender(rules)):
        for user in users:
            await rig.ask(user, await rig.ready(user))
        for user in users:
            await rig.rows.until(user, "sent")
    arrived = [datetime.fromisoformat(one["received_at"]) for one in await rig.standin.messages()]
    assert len(arrived) == len(users)
    # Six slots, five distances of 50 ms; the first and the last may each be a little late.
    assert max(arrived) - min(arrived) >= timedelta(milliseconds=200)
    slots = await rig.rows.connection.fetchval("SELECT slots FROM webhook_rates")
    distances = [after - before for before, after in itertools.pairwise(slots)]
    assert min(distances) >= timedelta(milliseconds=50)


async def test_a_webhook_that_has_had_its_minute_waits_without_an_attempt(rig: Rig) -> None:
    users = [a_user() for _ in range(3)]
    for user in users:
        await rig.bot(user, "busy")
    other = a_user()
    await rig.bot(other, "idle")
    rules = replace(FAST, rate=Limits(per_second=1000, per_minute=2))
    async with rig.running(rig.sender(rules)):
        for user in (*users, other):
            await rig.ask(user, await rig.ready(user))
        await rig.rows.until(other, "sent")
        await rig.standin.arrived(3)
        waiting = await waits_for_its_turn(rig, users)
    assert (waiting["reason"], waiting["attempts"]) == ("own_rate_limit", 0)
    assert waiting["due_at"] - datetime.now(UTC) > timedelta(seconds=45)
    assert len(await rig.standin.messages(token="busy")) == 2


# Secrets


async def test_a_secret_of_a_key_that_is_not_known_yet_waits_for_it(rig: Rig) -> None:
    user = a_user()
    await rig.bot(user, "t1")
    early = replace(rig, sealer=Sealer(os.urandom(32)))
    async with rig.running(early.sender()):
        await rig.ask(user, await rig.ready(user))
        await rig.rows.until(user, "failed")
    assert (await rig.rows.record(user))["attempts"] == 0
    async with rig.running(rig.sender()):
        await rig.rows.until(user, "sent")


async def test_a_seal_that_was_copied_to_another_channel_does_not_open(rig: Rig) -> None:
    user, other = a_user(), a_user()
    stolen = await rig.bot(other, "victim")
    await rig.bot(user, "thief")
    await rig.console(user)
    await rig.rows.connection.execute(
        "UPDATE notification_channels SET sealed = (SELECT sealed FROM notification_channels "
        "WHERE id = $1) WHERE user_id = $2 AND type = 'feishu_bot'",
        stolen.id,
        user,
    )
    async with rig.running(rig.sender()):
        await rig.ask(user, await rig.ready(user))
        await rig.rows.until(user, "dead", "sent")
    assert (await rig.rows.states(user))[0] == ("dead", "secret_unreadable")
    assert await rig.standin.messages() == []


# Many


async def test_only_so_many_are_under_way_at_once(rig: Rig) -> None:
    users = [a_user() for _ in range(12)]
    for user in users:
        await rig.bot(user, f"t{user}")
    await rig.standin.script({"hold": True, "times": "always"})
    async with rig.running(rig.sender()):
        for user in users:
            await rig.ask(user, await rig.ready(user))
        await rig.standin.arrived(8)
        await all_consumed(rig)
        states = sorted([(await rig.rows.record(user))["state"] for user in users])
        assert states == ["pending"] * 4 + ["sending"] * 8
        await rig.standin.client.delete("/standin/script")
        await rig.standin.release()
        for user in users:
            await rig.rows.until(user, "sent")


async def test_what_is_due_is_found_by_the_index_alone(rig: Rig) -> None:
    async with rig.db.transaction() as tx:
        await tx.execute(text("SET LOCAL enable_seqscan = off"))
        claim = text(f"EXPLAIN {records._CLAIM.text}")
        plan = await tx.all(claim, limit=8, lease=uuid.uuid4(), seconds=40.0)
    lines = "\n".join(row[0] for row in plan)
    # As a filter, and not a condition, it would read every row that waits.
    assert "Index Cond: (due_at <= statement_timestamp())" in lines


async def test_what_has_outlived_its_use_is_deleted(rig: Rig) -> None:
    await rig.rows.connection.execute("""
        INSERT INTO requests (user_id, rpc, request_id, hash, created_at)
        SELECT n, 'x', 'x', '', now() - n * interval '1 day' FROM generate_series(1, 20) AS n;
        INSERT INTO inbox (consumer, event_id, received_at)
        SELECT 'x', gen_random_uuid(), now() - n * interval '1 day'
        FROM generate_series(1, 20) AS n;
        INSERT INTO webhook_rates (webhook, slots)
        SELECT sha256(n::text::bytea), ARRAY[now() - n * interval '1 hour']
        FROM generate_series(1, 48) AS n
    """)
    stop = asyncio.Event()
    async with asyncio.TaskGroup() as group:
        group.create_task(Retention(rig.db, 0.05, (*KIT, rates.prune)).run(stop))
        async with asyncio.timeout(10):
            while await counts(rig) != (6, 8, 23):  # noqa: ASYNC110
                await asyncio.sleep(0.01)
        stop.set()


async def counts(rig: Rig) -> tuple[int, int, int]:
    """Rows of stored answers, inbox and rates."""
    row = await rig.rows.connection.fetchrow(
        "SELECT (SELECT count(*) FROM requests), (SELECT count(*) FROM inbox), "
        "(SELECT count(*) FROM webhook_rates)"
    )
    return row[0], row[1], row[2]


async def waits_for_its_turn(rig: Rig, users: list[int]) -> Mapping[str, Any]:
    """The one record of these users that was held back."""
    async with asyncio.timeout(PATIENCE):
        while True:
            rows = [row for user in users for row in await rig.rows.records(user)]
            states = sorted(row["state"] for row in rows)
            if states == ["failed", "sent", "sent"]:
                return next(row for row in rows if row["state"] == "failed")
            await asyncio.sleep(0.01)


async def all_consumed(rig: Rig) -> nats.js.api.ConsumerInfo:
    """Returns once the consumer has nothing left, neither to fetch nor to acknowledge."""
    what = contract(events_pb2.NotificationFeishuRequested)
    async with asyncio.timeout(PATIENCE):
        while True:
            info: nats.js.api.ConsumerInfo = await rig.bus.jetstream.consumer_info(
                what.stream, what.durable("notification")
            )
            if info.num_pending == 0 and info.num_ack_pending == 0:
                return info
            await asyncio.sleep(0.01)
