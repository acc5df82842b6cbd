import asyncio
import json
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from datetime import UTC, datetime, timedelta

import httpx2
import pytest

from services.notification.channels.feishu_bot import BotTarget, Deadlines, FeishuBot
from services.notification.channels.parcel import Parcel
from services.notification.domain.card import card_content
from services.notification.domain.message import Change, Content, Message
from services.notification.domain.outcome import (
    Ambiguous,
    Delivered,
    Refused,
    Resign,
    Retry,
)
from services.notification.domain.plain import post_content
from tests.integration.feishu_standin import StandIn, running

SECRET = "s3cr3t-of-the-bot"
MESSAGE = Message(
    title="SmartMate：有一条调整建议",
    summary="「概率论大作业」放到明天上午 3–4 节，可以吗？",
    changes=(Change("周二 3–4 节　空闲", "概率论大作业　10:15–11:55"),),
    valid_until="19:32 前有效",
    button="看对照，再决定",
    url="https://smartmate.example/active-schedule/previews/asp_3F8K",
    short_number="3F8K",
)
FAST = Deadlines(timedelta(milliseconds=60), timedelta(milliseconds=250))


def parcel(content: Content | None = None) -> Parcel:
    return Parcel("r1", "asp_3F8K", 7, "k1", content or card_content(MESSAGE))


@asynccontextmanager
async def channel(
    *hosts: str, skew: timedelta = timedelta(0), deadlines: Deadlines | None = None
) -> AsyncIterator[FeishuBot]:
    async with httpx2.AsyncClient(trust_env=False) as client:
        yield FeishuBot(
            client,
            lambda: datetime.now(UTC) + skew,
            deadlines=deadlines,
            extra_hosts=frozenset(hosts),
        )


@asynccontextmanager
async def pair(
    *, skew: timedelta = timedelta(0), deadlines: Deadlines | None = None
) -> AsyncIterator[tuple[StandIn, FeishuBot, BotTarget]]:
    """A stand-in with a secret, the channel that may reach it, and the right target."""
    async with (
        running(secret=SECRET) as standin,
        channel(standin.address, skew=skew, deadlines=deadlines) as bot,
    ):
        yield standin, bot, BotTarget(standin.hook(), SECRET)


async def test_a_card_arrives_signed_and_as_it_was_built() -> None:
    async with pair() as (standin, bot, target):
        assert await bot.send(target, parcel()) == Delivered()
        (message,) = await standin.messages(verdict="accepted")
        assert message["signature"] == "verified"
        assert message["card"] == card_content(MESSAGE)["card"]
        assert message["links"] == [{"text": "看对照，再决定", "url": MESSAGE.url}]


async def test_a_post_arrives_too() -> None:
    async with pair() as (standin, bot, target):
        assert await bot.send(target, parcel(post_content(MESSAGE))) == Delivered()
        assert (await standin.messages())[0]["title"] == MESSAGE.title


async def test_each_attempt_is_signed_at_its_own_time() -> None:
    ahead = [timedelta(0)]
    async with (
        running(secret=SECRET) as standin,
        httpx2.AsyncClient(trust_env=False) as client,
    ):
        bot = FeishuBot(
            client,
            lambda: datetime.now(UTC) + ahead[0],
            extra_hosts=frozenset({standin.address}),
        )
        frozen = parcel()
        for moment in (timedelta(0), timedelta(minutes=50)):
            ahead[0] = moment
            assert await bot.send(BotTarget(standin.hook(), SECRET), frozen) == Delivered()


@pytest.mark.parametrize("skew", [timedelta(seconds=3700), timedelta(seconds=-3700)])
async def test_a_clock_more_than_an_hour_off_is_asked_to_sign_anew(skew: timedelta) -> None:
    async with pair(skew=skew) as (standin, bot, target):
        result = await bot.send(target, parcel())
        assert isinstance(result, Resign)
        assert (await standin.messages())[0]["signature"] == "wrong"


@pytest.mark.parametrize("secret", ["another", None])
async def test_a_wrong_or_missing_secret_is_asked_to_sign_anew(secret: str | None) -> None:
    async with pair() as (standin, bot, _):
        result = await bot.send(BotTarget(standin.hook(), secret), parcel())
        assert isinstance(result, Resign)
        assert result.refused.reason == "signature_refused"


async def test_a_missing_keyword_is_refused_with_advice() -> None:
    async with (
        running(keywords=("日报",)) as standin,
        channel(standin.address) as bot,
    ):
        result = await bot.send(BotTarget(standin.hook()), parcel())
        assert isinstance(result, Refused)
        assert result.reason == "keyword_missing"


async def test_beyond_the_rate_it_is_tried_again() -> None:
    async with (
        running(per_second=1, per_minute=100) as standin,
        channel(standin.address) as bot,
    ):
        target = BotTarget(standin.hook())
        assert await bot.send(target, parcel()) == Delivered()
        result = await bot.send(target, parcel())
        assert isinstance(result, Retry)
        assert result.code == 11232


@pytest.mark.parametrize(
    ("fault", "expected"),
    [
        ({"http": 500}, Retry("http_500")),
        ({"http": 503, "headers": {"retry-after": "9"}}, Retry("http_503", timedelta(seconds=9))),
        ({"body": "{}"}, Ambiguous("no_code")),
        ({"body": "<html>proxy</html>"}, Ambiguous("no_code")),
        ({"body": '{"code":0}'}, Delivered()),
        ({"body": "[" * 60_000}, Ambiguous("no_code")),
        ({"body": '{"code":0,"x":"' + "a" * 100_000 + '"}'}, Ambiguous("no_code")),
        ({"reset": True}, Ambiguous("no_answer")),
        ({"accept_then_drop": True}, Ambiguous("no_answer")),
        (
            {
                "code": 99991400,
                "http": 429,
                "msg": "limit",
                "headers": {"x-ogw-ratelimit-reset": "7"},
            },
            Retry("rate_limited", timedelta(seconds=7), 99991400, detail="limit"),
        ),
        (
            {"code": 9499, "msg": "frequency limited psm[x]"},
            Retry("rate_limited", code=9499, detail="frequency limited psm[x]"),
        ),
        (
            {"code": 777, "msg": "odd"},
            Retry("unknown_code", code=777, at_most=3, detail="odd"),
        ),
    ],
)
async def test_what_the_provider_does_is_judged(fault: dict[str, object], expected: object) -> None:
    async with pair() as (standin, bot, target):
        await standin.script(fault)
        assert await bot.send(target, parcel()) == expected


async def test_no_answer_in_time_is_ambiguous_and_was_taken() -> None:
    async with pair(deadlines=FAST) as (standin, bot, target):
        await standin.script({"hold": True})
        assert await bot.send(target, parcel()) == Ambiguous("no_answer")
        assert len(await standin.messages(verdict="accepted")) == 1


async def test_an_answer_that_drips_for_ever_ends_at_the_deadline() -> None:
    async def drip(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        await reader.readuntil(b"\r\n\r\n")
        writer.write(b"HTTP/1.1 200 OK\r\nContent-Length: 1000\r\n\r\n")
        try:
            while not reader.at_eof():
                writer.write(b" ")
                await writer.drain()
                await asyncio.sleep(0.02)
        except ConnectionError:
            writer.transport.abort()
        writer.close()

    server = await asyncio.start_server(drip, "127.0.0.1", 0)
    async with server:
        address = "{}:{}".format(*server.sockets[0].getsockname())
        async with channel(address, deadlines=FAST) as bot:
            target = BotTarget(f"http://{address}/open-apis/bot/v2/hook/t1")
            assert await bot.send(target, parcel()) == Ambiguous("no_answer")


async def test_nobody_listening_is_tried_again() -> None:
    server = await asyncio.start_server(lambda r, w: None, "127.0.0.1", 0)
    address = "{}:{}".format(*server.sockets[0].getsockname())
    server.close()
    await server.wait_closed()
    async with channel(address) as bot:
        target = BotTarget(f"http://{address}/open-apis/bot/v2/hook/t1", SECRET)
        assert await bot.send(target, parcel()) == Retry("not_connected")


async def test_a_redirect_is_not_followed() -> None:
    async with pair() as (standin, bot, target):
        await standin.script({"http": 307, "headers": {"location": standin.hook("other")}})
        result = await bot.send(target, parcel())
        assert isinstance(result, Refused)
        assert result.reason == "http_307"
        assert await standin.messages(token="other") == []


async def test_an_address_that_is_not_allowed_is_never_called() -> None:
    async with running() as standin, channel() as bot:
        result = await bot.send(BotTarget(standin.hook()), parcel())
        assert isinstance(result, Refused)
        assert result.reason == "webhook_url_refused"
        assert await standin.messages() == []


async def test_a_body_over_the_limit_is_never_sent() -> None:
    async with pair() as (standin, bot, target):
        content = {"msg_type": "text", "content": {"text": "中" * 7000}}
        result = await bot.send(target, parcel(content))
        assert isinstance(result, Refused)
        assert result.reason == "too_large"
        assert await standin.messages() == []


async def test_the_largest_message_is_taken() -> None:
    many = tuple(Change("改" * 200, "后" * 200) for _ in range(50))
    big = Message(
        title="题" * 500,
        summary="要" * 5000,
        changes=many,
        valid_until="时" * 500,
        button="看" * 500,
        url="https://a.example/" + "x" * 900,
        short_number="3F8K",
    )
    async with pair() as (standin, bot, target):
        assert await bot.send(target, parcel(card_content(big))) == Delivered()
        assert (await standin.messages())[0]["bytes"] <= 20_480


async def test_no_outcome_repeats_a_secret() -> None:
    async with pair() as (standin, bot, _):
        token = "tokenTokenToken1234"
        await standin.script({"code": 19001, "msg": f"no such hook {token} {SECRET}"})
        result = await bot.send(BotTarget(standin.hook(token), SECRET), parcel())
        assert isinstance(result, Refused)
        assert result.detail == "no such hook … …"


async def test_connections_are_used_again_and_survive_faults() -> None:
    async with pair() as (standin, bot, target):
        await standin.script(
            {"code": 0}, {"accept_then_drop": True}, {"reset": True}, {"http": 500}
        )
        kinds = [type(await bot.send(target, parcel())) for _ in range(5)]
        assert kinds == [Delivered, Ambiguous, Ambiguous, Retry, Delivered]


async def test_a_cancelled_send_leaves_the_channel_usable() -> None:
    async with pair() as (standin, bot, target), asyncio.TaskGroup() as tasks:
        await standin.script({"hold": True})
        sending = tasks.create_task(bot.send(target, parcel()))
        await standin.arrived(1)
        sending.cancel()
        assert await bot.send(target, parcel()) == Delivered()


def test_the_frozen_content_is_plain_json() -> None:
    content = card_content(MESSAGE)
    assert json.loads(json.dumps(content)) == content
