"""A sign-in link on its way: to the person's own channel, once, and in clear nowhere else."""

import asyncio
import secrets
import uuid
from datetime import UTC, datetime, timedelta
from typing import Any

import grpc
import pytest

from libs.clock import SystemClock
from libs.rpc.client import Client
from libs.rpc.errors import RemoteError
from libs.rpc.identity import Caller, Issuer
from smartmate.notification.v1 import channel_pb2, record_pb2
from smartmate.notification.v1 import notification_service_pb2 as pb
from tests.integration.notification import rig as rigs
from tests.integration.notification.processes import World, a_put, refusal
from tests.integration.notification.rig import a_user


def a_link(
    user: int, *, token: str = "", key: str = "", life: timedelta = timedelta(minutes=15)
) -> tuple[pb.SendSignInLinkRequest, str]:
    """A request and the token in its path."""
    token = token or secrets.token_urlsafe(32)
    request = pb.SendSignInLinkRequest(
        request_id=key or uuid.uuid4().hex, user_id=user, path=f"/sign-in/{token}"
    )
    request.expire_time.FromDatetime(datetime.now(UTC) + life)
    return request, token


async def ask(world: World, request: pb.SendSignInLinkRequest) -> Any:
    """As the gateway asks: for itself, without any user."""
    client = Client(world.issuer)
    return await client.call(world.stub.SendSignInLink, request, on_behalf_of=None, seconds=5)


async def everything(world: World) -> str:
    """Every row of the database, and both replicas' logs."""
    rows = await rigs.connected_rows(world.suite)
    try:
        kept = await rows.everything()
    finally:
        await rows.connection.close()
    logs = "".join(world.suite.log("notification", index).read_text() for index in (0, 1))
    return kept + logs


async def test_the_link_arrives_and_stands_in_clear_nowhere_else(world: World) -> None:
    user = a_user()
    await world.bot(user, "sign-own", takes_sign_in_links=True)
    request, token = a_link(user)
    await ask(world, request)
    record = await world.ended(user)
    assert (record.state, record.reason) == (record_pb2.RECORD_STATE_SENT, "")
    assert record.notification_id.startswith("sig_")
    (message,) = await world.standin.messages(token="sign-own")
    assert message["title"] == "SmartMate：你的登录链接"
    assert [link["url"] for link in message["links"]] == [
        link["url"] for link in message["links"] if link["url"].endswith(f"/sign-in/{token}")
    ]
    assert message["links"]
    kept = await everything(world)
    assert record.notification_id in kept
    assert token not in kept


async def test_nobody_else_hears_how_it_ended(world: World) -> None:
    user = a_user()
    await world.bot(user, "sign-quiet", takes_sign_in_links=True)
    await ask(world, a_link(user)[0])
    await world.ended(user)
    rows = await rigs.connected_rows(world.suite)
    try:
        assert await rows.settled(user) == []
    finally:
        await rows.connection.close()


@pytest.mark.parametrize("has_channel", [True, False])
async def test_without_a_channel_that_takes_links_nothing_is_sent(
    world: World, has_channel: bool
) -> None:
    user = a_user()
    hook = f"sign-shut-{has_channel}"
    if has_channel:
        await world.bot(user, hook)
    request, token = a_link(user)
    await ask(world, request)
    record = await world.ended(user)
    assert (record.state, record.reason) == (
        record_pb2.RECORD_STATE_SKIPPED,
        "no_channel_for_sign_in",
    )
    assert record.what_to_do.zh_cn
    assert await world.standin.messages(token=hook) == []
    assert token not in await everything(world)


async def test_only_a_channel_that_takes_links_is_used_whatever_its_place(world: World) -> None:
    user = a_user()
    await world.bot(user, "sign-group")
    await world.bot(user, "sign-mine", takes_sign_in_links=True)
    await ask(world, a_link(user)[0])
    record = await world.ended(user)
    assert record.state == record_pb2.RECORD_STATE_SENT
    assert await world.standin.messages(token="sign-group") == []
    assert len(await world.standin.messages(token="sign-mine")) == 1


async def test_after_a_refusal_the_next_channel_that_takes_links_gets_the_link(
    world: World,
) -> None:
    user = a_user()
    for hook, opened in (("sign-a", True), ("sign-b", False), ("sign-c", True)):
        await world.bot(user, hook, takes_sign_in_links=opened)
    fault = {"code": 19024, "msg": "Key Words Not Found"}
    await world.standin.script(fault, token="sign-a")
    request, token = a_link(user)
    await ask(world, request)
    await world.until(user, record_pb2.RECORD_STATE_SENT, record_pb2.RECORD_STATE_DEAD)
    assert await world.standin.messages(token="sign-b") == []
    (message,) = await world.standin.messages(token="sign-c")
    assert message["links"][0]["url"].endswith(token)
    assert token not in await everything(world)


async def test_a_provider_that_repeats_the_message_tells_our_log_nothing(world: World) -> None:
    user = a_user()
    await world.bot(user, "sign-echo", takes_sign_in_links=True)
    request, token = a_link(user)
    fault = {"code": 19024, "msg": f"no keyword in /sign-in/{token}"}
    await world.standin.script(fault, token="sign-echo")
    await ask(world, request)
    assert (await world.ended(user)).state == record_pb2.RECORD_STATE_DEAD
    assert token not in await everything(world)


async def test_the_same_request_sends_one_message(world: World) -> None:
    user = a_user()
    await world.bot(user, "sign-once", takes_sign_in_links=True)
    request, _ = a_link(user, key="k")
    await asyncio.gather(*(ask(world, request) for _ in range(4)))
    await world.ended(user)
    assert len(await world.standin.messages(token="sign-once")) == 1
    with pytest.raises(RemoteError) as refused:
        await ask(world, a_link(user, key="k")[0])
    assert refused.value.reason == "idempotency_conflict"


async def test_a_link_that_ends_too_soon_is_not_sent(world: World) -> None:
    user = a_user()
    await world.bot(user, "sign-late", takes_sign_in_links=True)
    await ask(world, a_link(user, life=timedelta(seconds=30))[0])
    record = await world.ended(user)
    assert record.state == record_pb2.RECORD_STATE_SKIPPED
    assert await world.standin.messages(token="sign-late") == []


async def test_a_user_may_not_ask_for_a_link_nor_may_another_service(world: World) -> None:
    user = a_user()
    request, _ = a_link(user)
    error = await refusal(world.call("SendSignInLink", request, user))
    assert error.code is grpc.StatusCode.PERMISSION_DENIED
    for service in ("active_scheduler", "schedule"):
        issuer = Issuer.load(world.suite.private_key(service), SystemClock())
        for whom in (None, user, Caller(service, user)):
            with pytest.raises(RemoteError) as refused:
                await Client(issuer).call(
                    world.stub.SendSignInLink, request, on_behalf_of=whom, seconds=5
                )
            assert refused.value.code is grpc.StatusCode.PERMISSION_DENIED
    assert list(await world.records(user)) == []


async def test_the_console_takes_no_links(world: World) -> None:
    put = a_put("", type=channel_pb2.CHANNEL_TYPE_CONSOLE, takes_sign_in_links=True)
    put.ClearField("webhook_url")
    error = await refusal(world.call("PutChannel", put, a_user()))
    assert [one.field for one in error.violations] == ["takes_sign_in_links"]


async def test_whether_a_channel_takes_links_stays_until_its_user_says_otherwise(
    world: World,
) -> None:
    user = a_user()
    made = await world.bot(user, "sign-keeps", takes_sign_in_links=True)
    assert made.takes_sign_in_links
    kept = a_put("", channel_id=made.channel_id, name="改名")
    kept.ClearField("webhook_url")
    kept.ClearField("secret")
    assert (await world.call("PutChannel", kept, user)).channel.takes_sign_in_links
    kept.request_id, kept.takes_sign_in_links = uuid.uuid4().hex, False
    assert not (await world.call("PutChannel", kept, user)).channel.takes_sign_in_links


async def test_the_kinds_that_can_be_created_are_told(world: World) -> None:
    answer = await world.call("ListChannels", pb.ListChannelsRequest(), a_user())
    assert list(answer.offered_types) == [
        channel_pb2.CHANNEL_TYPE_FEISHU_BOT,
        channel_pb2.CHANNEL_TYPE_CONSOLE,
    ]
