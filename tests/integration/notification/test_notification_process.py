"""Two replicas of the service as processes: its calls, its secrets, and what survives kill -9."""

import asyncio
import json
import uuid
from collections.abc import Awaitable, Callable
from functools import partial
from typing import Any

import grpc
import httpx2
import nats
import pytest

from libs.clock import SystemClock
from libs.rpc.client import Client
from libs.rpc.identity import Issuer
from services.notification.domain.message import Language
from services.notification.domain.words import words
from smartmate.events.v1 import events_pb2
from smartmate.notification.v1 import channel_pb2, record_pb2
from smartmate.notification.v1 import notification_service_pb2 as pb
from tests.integration.notification import rig as rigs
from tests.integration.notification.processes import World, a_put, refusal
from tests.integration.notification.rig import a_user

# Sending


async def test_from_the_event_to_the_group_and_back(world: World) -> None:
    user = a_user()
    await world.bot(user, "whole-way")
    heard: asyncio.Queue[events_pb2.NotificationSettled] = asyncio.Queue()
    admin = await nats.connect(world.suite.nats_admin)

    async def hear(message: Any) -> None:
        heard.put_nowait(events_pb2.NotificationSettled.FromString(message.data))

    await admin.subscribe("smartmate.notification.settled.v1", cb=hear)
    await admin.flush()
    preview_id = await world.ask(user)
    await world.until(user, record_pb2.RECORD_STATE_SENT)
    settled = await asyncio.wait_for(heard.get(), 10)
    await admin.close()
    assert (settled.preview_id, settled.user_id) == (preview_id, user)
    assert settled.state == record_pb2.RECORD_STATE_SENT
    (message,) = await world.standin.messages(token="whole-way")
    assert (message["verdict"], message["signature"]) == ("accepted", "verified")
    (record,) = await world.records(user)
    assert (record.attempt_count, record.reason, record.provider_code) == (1, "", 0)
    assert not record.HasField("next_attempt_time")
    assert record.settle_time.seconds >= record.create_time.seconds
    answer = await world.call("GetRecord", pb.GetRecordRequest(record_id=record.record_id), user)
    assert answer.record == record


async def test_replicas_killed_mid_send_lead_to_one_marked_repeat(world: World) -> None:
    user = a_user()
    await world.bot(user, "killed")
    await world.standin.script({"hold": True}, token="killed")
    await world.ask(user)
    await world.standin.arrived(1, token="killed")
    await asyncio.gather(*(world.suite.kill("notification", index) for index in (0, 1)))
    await world.suite.ready("notification")
    await world.until(user, record_pb2.RECORD_STATE_SENT)
    first, second = await world.standin.messages(token="killed")
    mark = words(Language.ZH_CN).repeat
    assert (mark in str(first["card"]), mark in str(second["card"])) == (False, True)
    (record,) = await world.records(user)
    assert record.attempt_count == 2
    await world.standin.release()


async def test_a_stop_waits_for_the_answer_to_what_is_under_way(world: World) -> None:
    user = a_user()
    await world.bot(user, "stopped")
    await world.standin.script({"delay_ms": 700}, token="stopped")
    await world.ask(user)
    await world.standin.arrived(1, token="stopped")
    await world.suite.stop("notification")
    rows = await rigs.connected_rows(world.suite)
    try:
        assert await rows.states(user) == [("sent", "")]
    finally:
        await rows.connection.close()
        await world.suite.start("notification")
    assert len(await world.standin.messages(token="stopped")) == 1


async def test_what_was_asked_for_while_nobody_ran_is_sent_afterwards(world: World) -> None:
    user = a_user()
    await world.bot(user, "later")
    await world.suite.stop("notification")
    await world.ask(user)
    await world.suite.start("notification")
    await world.until(user, record_pb2.RECORD_STATE_SENT)
    assert len(await world.standin.messages(token="later")) == 1


async def test_what_was_done_is_counted(world: World) -> None:
    user = a_user()
    await world.bot(user, "counted")
    await world.ask(user)
    await world.until(user, record_pb2.RECORD_STATE_SENT)
    async with httpx2.AsyncClient(trust_env=False) as client:
        pages = [
            (await client.get(f"http://{world.suite.ops_address('notification', i)}/metrics")).text
            for i in (0, 1)
        ]
    page = "\n".join(pages)
    for name in ("requested", "sent", "failed", "dead", "deduplicated", "fallback_used"):
        assert f"# TYPE smartmate_notification_{name}_total counter" in page
    assert 'smartmate_notification_sent_total{channel="feishu_bot"}' in page
    assert "smartmate_notification_provider_seconds_bucket" in page


async def test_no_secret_is_in_rows_logs_or_answers(world: World) -> None:
    user = a_user()
    token, secret = f"tok{uuid.uuid4().hex}", world.suite.feishu_secret
    await world.bot(user, token)
    fault = {"code": 19001, "msg": f"no hook {token} {secret}", "times": 1}
    await world.standin.script(fault, token=token)
    await world.ask(user)
    await world.until(user, record_pb2.RECORD_STATE_DEAD)
    listed = await world.call("ListChannels", pb.ListChannelsRequest(), user)
    assert listed.channels[0].masked_url.endswith(token[-4:])
    assert listed.channels[0].has_secret
    rows = await rigs.connected_rows(world.suite)
    everything = await rows.everything()
    await rows.connection.close()
    logs = "".join(world.suite.log("notification", index).read_text() for index in (0, 1))
    assert str(user) in logs
    seen = everything + logs + str(listed) + str(await world.records(user))
    for hidden in (token, secret, token.encode().hex(), secret.encode().hex()):
        assert hidden not in seen
    # Titles stay out of the logs, too.
    assert rigs.TITLE not in logs
    assert json.dumps(rigs.TITLE).strip('"') not in logs


# Channels


async def test_a_channel_is_put_shown_changed_and_deleted(world: World) -> None:
    user = a_user()
    made = await world.bot(user, "0123456789abcdef", keyword="日程")
    assert made.position == 1
    assert made.masked_url == "http…cdef"
    get = pb.GetChannelRequest(channel_id=made.channel_id)
    assert (await world.call("GetChannel", get, user)).channel == made
    change = pb.PutChannelRequest(
        request_id=uuid.uuid4().hex,
        channel_id=made.channel_id,
        type=made.type,
        name="新的群",
        position=7,
        language=channel_pb2.LANGUAGE_EN_US,
    )
    changed = (await world.call("PutChannel", change, user)).channel
    assert (changed.name, changed.position, changed.keyword) == ("新的群", 7, "")
    assert (changed.masked_url, changed.has_secret) == (made.masked_url, True)
    without = pb.PutChannelRequest()
    without.CopyFrom(change)
    without.request_id, without.secret = uuid.uuid4().hex, ""
    assert not (await world.call("PutChannel", without, user)).channel.has_secret
    for _ in range(2):
        delete = pb.DeleteChannelRequest(request_id=uuid.uuid4().hex, channel_id=made.channel_id)
        await world.call("DeleteChannel", delete, user)
    error = await refusal(world.call("GetChannel", get, user))
    assert (error.code, error.reason) == (grpc.StatusCode.NOT_FOUND, "channel_not_found")
    change.request_id = uuid.uuid4().hex
    assert (await refusal(world.call("PutChannel", change, user))).reason == "channel_not_found"


async def test_a_changed_secret_is_the_one_that_signs(world: World) -> None:
    user = a_user()
    made = await world.bot(user, "resigned")
    assert made.has_secret
    wrong = a_put(world.standin.hook("resigned"), secret="wrong", channel_id=made.channel_id)
    await world.call("PutChannel", wrong, user)
    await world.ask(user)
    await world.until(user, record_pb2.RECORD_STATE_DEAD)
    right = pb.PutChannelRequest(
        request_id=uuid.uuid4().hex,
        channel_id=made.channel_id,
        type=made.type,
        name="群",
        secret=world.suite.feishu_secret,
    )
    await world.call("PutChannel", right, user)
    await world.ask(user)
    await world.until(user, record_pb2.RECORD_STATE_SENT, record_pb2.RECORD_STATE_DEAD)


async def test_channels_and_records_of_another_user_are_not_found(world: World) -> None:
    owner, other = a_user(), a_user()
    made = await world.bot(owner, "owned")
    await world.ask(owner)
    await world.until(owner, record_pb2.RECORD_STATE_SENT)
    (record,) = await world.records(owner)
    id_ = made.channel_id
    calls: list[tuple[str, Any]] = [
        ("GetChannel", pb.GetChannelRequest(channel_id=id_)),
        ("DeleteChannel", pb.DeleteChannelRequest(request_id="d", channel_id=id_)),
        ("PutChannel", a_put(world.standin.hook("x"), channel_id=id_)),
        ("GetRecord", pb.GetRecordRequest(record_id=record.record_id)),
    ]
    for rpc, request in calls:
        error = await refusal(world.call(rpc, request, other))
        assert error.code is grpc.StatusCode.NOT_FOUND, rpc
    assert list(await world.records(other)) == []
    assert not (await world.call("ListChannels", pb.ListChannelsRequest(), other)).channels
    shown = await world.call("GetChannel", pb.GetChannelRequest(channel_id=id_), owner)
    assert shown.channel == made


async def test_the_same_request_has_one_effect_and_one_answer(world: World) -> None:
    user = a_user()
    request = a_put(world.standin.hook("twice"), secret="s")
    first = await world.call("PutChannel", request, user)
    again = await asyncio.gather(*(world.call("PutChannel", request, user) for _ in range(4)))
    assert again == [first] * 4
    assert len((await world.call("ListChannels", pb.ListChannelsRequest(), user)).channels) == 1
    request.name = "另一个"
    error = await refusal(world.call("PutChannel", request, user))
    assert (error.code, error.reason) == (
        grpc.StatusCode.ALREADY_EXISTS,
        "idempotency_conflict",
    )


@pytest.mark.parametrize(
    ("url", "problem"),
    [
        ("http://open.feishu.cn/open-apis/bot/v2/hook/abc", "not_https"),
        ("https://evil.example/open-apis/bot/v2/hook/abc", "host_not_allowed"),
        ("https://169.254.169.254/open-apis/bot/v2/hook/abc", "host_not_allowed"),
        ("https://open.feishu.cn/open-apis/bot/v2/hook/../x", "path_not_allowed"),
    ],
)
async def test_an_address_that_is_not_feishus_is_refused(
    world: World, url: str, problem: str
) -> None:
    error = await refusal(world.call("PutChannel", a_put(url), a_user()))
    assert (error.code, error.reason) == (
        grpc.StatusCode.INVALID_ARGUMENT,
        "webhook_url_refused",
    )
    assert error.metadata == {"problem": problem}
    assert [one.field for one in error.violations] == ["webhook_url"]


async def test_a_bot_without_an_address_and_another_type_are_refused(world: World) -> None:
    user = a_user()
    bare = a_put("", type=channel_pb2.CHANNEL_TYPE_FEISHU_BOT)
    bare.ClearField("webhook_url")
    error = await refusal(world.call("PutChannel", bare, user))
    assert (error.code, error.metadata["field"]) == (
        grpc.StatusCode.INVALID_ARGUMENT,
        "webhook_url",
    )
    made = await world.bot(user, "typed")
    other = pb.PutChannelRequest(
        request_id="o",
        channel_id=made.channel_id,
        type=channel_pb2.CHANNEL_TYPE_CONSOLE,
        name="c",
    )
    error = await refusal(world.call("PutChannel", other, user))
    assert (error.code, error.metadata["field"]) == (grpc.StatusCode.INVALID_ARGUMENT, "type")


async def test_channels_are_listed_in_the_order_in_which_they_are_tried(world: World) -> None:
    user = a_user()
    for index, position in enumerate((5, 0, 2, 2)):
        await world.bot(user, f"list{index}", name=f"n{index}", position=position)
    names: list[str] = []
    token = ""
    while True:
        page = await world.call(
            "ListChannels", pb.ListChannelsRequest(page_size=2, page_token=token), user
        )
        names += [one.name for one in page.channels]
        token = page.next_page_token
        if not token:
            break
    assert names == ["n2", "n3", "n0", "n1"]


async def test_a_user_has_at_most_twenty_channels(world: World) -> None:
    user = a_user()
    for index in range(20):
        await world.bot(user, f"many{index}")
    error = await refusal(world.call("PutChannel", a_put(world.standin.hook("more")), user))
    assert (error.code, error.reason) == (
        grpc.StatusCode.RESOURCE_EXHAUSTED,
        "too_many_channels",
    )


async def test_records_are_listed_newest_first_by_pages_and_by_message(world: World) -> None:
    user = a_user()
    asked = [await world.ask(user) for _ in range(3)]
    await world.until(user, *[record_pb2.RECORD_STATE_SKIPPED] * 3)
    everything = [one.notification_id for one in await world.records(user)]
    assert sorted(everything) == sorted(asked)
    first = await world.call("ListRecords", pb.ListRecordsRequest(page_size=2), user)
    request = pb.ListRecordsRequest(page_size=2, page_token=first.next_page_token)
    second = await world.call("ListRecords", request, user)
    paged = [one.notification_id for one in (*first.records, *second.records)]
    assert (paged, second.next_page_token) == (everything, "")
    of = pb.ListRecordsRequest(notification_id=asked[1])
    (record,) = (await world.call("ListRecords", of, user)).records
    assert (record.notification_id, record.reason) == (asked[1], "no_channel")
    assert (record.channel_id, record.channel_type) == (0, 0)


@pytest.mark.parametrize(
    ("rpc", "request_"),
    [
        ("GetChannel", pb.GetChannelRequest()),
        ("GetChannel", pb.GetChannelRequest(channel_id=-(2**63))),
        ("GetRecord", pb.GetRecordRequest(record_id=-1)),
        ("DeleteChannel", pb.DeleteChannelRequest(channel_id=1)),
        ("DeleteChannel", pb.DeleteChannelRequest(request_id="a\x00", channel_id=1)),
        ("PutChannel", pb.PutChannelRequest()),
        ("ListRecords", pb.ListRecordsRequest(page_size=-1)),
        ("ListRecords", pb.ListRecordsRequest(page_token="x")),
        ("ListRecords", pb.ListRecordsRequest(notification_id="n" * 65)),
        ("ListChannels", pb.ListChannelsRequest(page_token="1")),
        ("ListChannels", pb.ListChannelsRequest(page_token="9999999999999999999:1")),
    ],
)
async def test_a_request_that_cannot_be_is_refused_with_its_field(
    world: World, rpc: str, request_: Any
) -> None:
    error = await refusal(world.call(rpc, request_, a_user()))
    assert error.code is grpc.StatusCode.INVALID_ARGUMENT
    assert error.violations


async def test_the_largest_numbers_are_only_not_found(world: World) -> None:
    most = 2**63 - 1
    for rpc, request in (
        ("GetChannel", pb.GetChannelRequest(channel_id=most)),
        ("GetRecord", pb.GetRecordRequest(record_id=most)),
    ):
        error = await refusal(world.call(rpc, request, a_user()))
        assert error.code is grpc.StatusCode.NOT_FOUND
    page = pb.ListChannelsRequest(page_token=f"{most}:{most}")
    assert not (await world.call("ListChannels", page, a_user())).channels


@pytest.mark.parametrize("service", ["active_scheduler", "schedule", "gateway"])
async def test_nobody_acts_for_a_user_here(world: World, service: str) -> None:
    issuer = Issuer.load(world.suite.private_key(service), SystemClock())
    listing: Callable[..., Awaitable[Any]] = partial(
        Client(issuer).call, world.stub.ListChannels, pb.ListChannelsRequest(), seconds=5
    )
    for on_behalf_of in (7, None):
        error = await refusal(listing(on_behalf_of=on_behalf_of))
        assert error.code is grpc.StatusCode.PERMISSION_DENIED
