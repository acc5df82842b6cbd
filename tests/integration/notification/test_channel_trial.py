"""A channel is tried out: one marked message by the usual way, its outcome, and what to do."""

import asyncio
import uuid

import grpc
import pytest

from services.notification.domain.message import Language
from services.notification.domain.words import words
from smartmate.events.v1 import events_pb2
from smartmate.notification.v1 import channel_pb2, record_pb2
from smartmate.notification.v1 import notification_service_pb2 as pb
from tests.integration.notification import rig as rigs
from tests.integration.notification.processes import World, a_put, refusal
from tests.integration.notification.rig import a_user


async def told(world: World, user: int) -> list[events_pb2.NotificationSettled]:
    """What the service has told of a user's messages."""
    rows = await rigs.connected_rows(world.suite)
    try:
        return await rows.settled(user)
    finally:
        await rows.connection.close()


async def test_a_test_message_arrives_marked_and_its_outcome_is_kept(world: World) -> None:
    user = a_user()
    channel = await world.bot(user, "trial-good")
    record = await world.test(user, channel.channel_id)
    assert (record.state, record.attempt_count) == (record_pb2.RECORD_STATE_SENT, 1)
    assert record.notification_id.startswith("test_")
    assert record.channel_id == channel.channel_id
    assert not record.HasField("what_to_do")
    (message,) = await world.standin.messages(token="trial-good")
    assert (message["verdict"], message["signature"]) == ("accepted", "verified")
    assert message["title"] == "SmartMate：测试消息"
    assert "测试消息" in message["summary"]
    assert [one.notification_id for one in await world.records(user)] == [record.notification_id]
    assert await told(world, user) == []


async def test_a_test_message_is_in_the_language_of_its_channel(world: World) -> None:
    user = a_user()
    channel = await world.bot(user, "trial-english", language=channel_pb2.LANGUAGE_EN_US)
    await world.test(user, channel.channel_id)
    (message,) = await world.standin.messages(token="trial-english")
    assert message["title"] == "SmartMate: test message"


async def test_a_wrong_secret_is_told_with_the_clock_as_the_other_cause(world: World) -> None:
    user = a_user()
    channel = await world.bot(user, "trial-unsigned", secret="wrong")
    record = await world.test(user, channel.channel_id)
    assert (record.state, record.reason, record.provider_code, record.attempt_count) == (
        record_pb2.RECORD_STATE_DEAD,
        "signature_refused",
        19021,
        2,
    )
    assert "签名密钥" in record.what_to_do.zh_cn
    assert "服务器时间" in record.what_to_do.zh_cn
    assert "clock" in record.what_to_do.en_us
    assert await told(world, user) == []


async def test_only_the_channel_that_is_tried_out_is_used(world: World) -> None:
    user = a_user()
    tried = await world.bot(user, "trial-tried")
    await world.bot(user, "trial-beside")
    await world.standin.script({"code": 19024, "msg": "Key Words Not Found"}, token="trial-tried")
    record = await world.test(user, tried.channel_id)
    assert (record.state, record.reason) == (record_pb2.RECORD_STATE_DEAD, "keyword_missing")
    assert "关键词" in record.what_to_do.zh_cn
    assert [one.channel_id for one in await world.records(user)] == [tried.channel_id]
    assert await world.standin.messages(token="trial-beside") == []


async def test_the_second_channel_can_be_tried_out_before_the_first(world: World) -> None:
    user = a_user()
    await world.bot(user, "trial-first")
    second = await world.bot(user, "trial-second")
    record = await world.test(user, second.channel_id)
    assert record.state == record_pb2.RECORD_STATE_SENT
    assert await world.standin.messages(token="trial-first") == []


async def test_the_same_request_sends_one_message_and_tells_how_it_stands(world: World) -> None:
    user = a_user()
    channel = await world.bot(user, "trial-once")
    key = uuid.uuid4().hex
    answers = await asyncio.gather(
        *(world.test(user, channel.channel_id, key=key) for _ in range(4))
    )
    assert [one == answers[0] for one in answers] == [True] * 4
    assert len(await world.standin.messages(token="trial-once")) == 1
    other = await world.bot(user, "trial-other")
    request = pb.TestChannelRequest(request_id=key, channel_id=other.channel_id)
    error = await refusal(world.call("TestChannel", request, user))
    assert error.reason == "idempotency_conflict"


async def test_what_waits_for_the_provider_is_answered_as_it_stands(world: World) -> None:
    user = a_user()
    channel = await world.bot(user, "trial-later")
    fault = {"http": 503, "headers": {"retry-after": "60"}}
    await world.standin.script(fault, token="trial-later")
    record = await world.test(user, channel.channel_id)
    assert (record.state, record.reason) == (record_pb2.RECORD_STATE_FAILED, "http_503")
    assert record.next_attempt_time.seconds > record.create_time.seconds + 30
    assert not record.HasField("what_to_do")


async def test_a_provider_that_never_answers_keeps_nobody_waiting(world: World) -> None:
    user = a_user()
    channel = await world.bot(user, "trial-held")
    await world.standin.script({"hold": True, "times": 2}, token="trial-held")
    record = await world.test(user, channel.channel_id)
    assert not record.HasField("settle_time")
    ended = await world.ended(user)
    assert (ended.state, ended.attempt_count) == (record_pb2.RECORD_STATE_UNKNOWN, 2)
    assert "可能已经送达" in ended.what_to_do.zh_cn
    first, second = await world.standin.messages(token="trial-held")
    mark = words(Language.ZH_CN).repeat
    assert (mark in str(first["card"]), mark in str(second["card"])) == (False, True)
    await world.standin.release()


async def test_a_test_message_takes_its_turn_at_the_webhook(world: World) -> None:
    user = a_user()
    channel = await world.bot(user, "trial-turns")
    records = await asyncio.gather(*(world.test(user, channel.channel_id) for _ in range(6)))
    assert {one.state for one in records} == {record_pb2.RECORD_STATE_SENT}
    # The stand-in refuses the sixth within a second.
    verdicts = [one["verdict"] for one in await world.standin.messages(token="trial-turns")]
    assert verdicts == ["accepted"] * 6


@pytest.mark.parametrize("whose", ["another's", "nobody's", "deleted"])
async def test_a_channel_that_is_not_there_is_not_tried_out(world: World, whose: str) -> None:
    user = a_user()
    channel = await world.bot(a_user() if whose == "another's" else user, "trial-absent")
    id_ = 2**63 - 1 if whose == "nobody's" else channel.channel_id
    if whose == "deleted":
        delete = pb.DeleteChannelRequest(request_id="d", channel_id=id_)
        await world.call("DeleteChannel", delete, user)
    request = pb.TestChannelRequest(request_id=uuid.uuid4().hex, channel_id=id_)
    error = await refusal(world.call("TestChannel", request, user))
    assert (error.code, error.reason) == (grpc.StatusCode.NOT_FOUND, "channel_not_found")
    assert list(await world.records(user)) == []


@pytest.mark.parametrize(
    "request_",
    [
        pb.TestChannelRequest(),
        pb.TestChannelRequest(request_id="r"),
        pb.TestChannelRequest(request_id="r", channel_id=-1),
        pb.TestChannelRequest(channel_id=1),
        pb.TestChannelRequest(request_id="a\x00", channel_id=1),
    ],
)
async def test_a_test_that_names_nothing_is_refused_by_its_field(
    world: World, request_: pb.TestChannelRequest
) -> None:
    error = await refusal(world.call("TestChannel", request_, a_user()))
    assert error.code is grpc.StatusCode.INVALID_ARGUMENT
    assert error.violations


async def test_a_console_channel_can_be_tried_out(world: World) -> None:
    user = a_user()
    put = a_put("", type=channel_pb2.CHANNEL_TYPE_CONSOLE)
    put.ClearField("webhook_url")
    channel = (await world.call("PutChannel", put, user)).channel
    record = await world.test(user, channel.channel_id)
    assert record.state == record_pb2.RECORD_STATE_SENT
    logs = "".join(world.suite.log("notification", index).read_text() for index in (0, 1))
    assert record.notification_id in logs
