"""What Feishu does → what the record says, and what Feishu received. Processes, no part of a fake.

A line of what was received reads: `accepted 0`, `refused 19021`, `refused http 500`; `post` where
it was the plain message, `again` where it was marked as a repeat.
"""

import asyncio
import itertools
from collections.abc import Mapping
from dataclasses import dataclass, field
from datetime import datetime, timedelta
from typing import Any

import pytest

from services.notification.domain.message import MAX_BODY_BYTES, Language
from services.notification.domain.words import words
from smartmate.notification.v1 import channel_pb2, record_pb2
from smartmate.schedule.v1 import change_pb2
from smartmate.text.v1.localized_text_pb2 import LocalizedText
from tests.integration.notification import rig as rigs
from tests.integration.notification.processes import World
from tests.integration.notification.rig import a_request, a_user, say

HOUR = timedelta(hours=1)
HTML = "<html><body>502 Bad Gateway</body></html>"
SENT = record_pb2.RECORD_STATE_SENT
DEAD = record_pb2.RECORD_STATE_DEAD
SKIPPED = record_pb2.RECORD_STATE_SKIPPED
UNKNOWN = record_pb2.RECORD_STATE_UNKNOWN

Fault = Mapping[str, object]


@dataclass(frozen=True, slots=True)
class Case:
    """`script`: what the stand-in does instead of judging honestly. `advice`: words of it."""

    name: str
    script: tuple[Fault, ...]
    state: record_pb2.RecordState
    reason: str
    attempts: int
    code: int
    received: tuple[str, ...]
    advice: str = ""
    life: timedelta = HOUR
    bot: Mapping[str, Any] = field(default_factory=dict)


def code(number: int, msg: str = "scripted", *, times: int = 1) -> Fault:
    """Feishu's own way to refuse: HTTP 200 with a code in the body."""
    return {"code": number, "msg": msg, "times": times}


def body(text: str, *, times: int = 1) -> Fault:
    """HTTP 200 with something else in it, after it was taken."""
    return {"body": text, "accepted": True, "times": times}


CASES = (
    Case("takes-it", (), SENT, "", 1, 0, ("accepted 0",)),
    # Signature and clock: signed anew once, then a mistake of the settings.
    Case(
        "wrong-secret",
        (),
        DEAD,
        "signature_refused",
        2,
        19021,
        ("refused 19021", "refused 19021"),
        advice="服务器时间",
        bot={"secret": "wrong"},
    ),
    Case(
        "signature-passes-the-second-time",
        (code(19021, "sign match fail"),),
        SENT,
        "",
        2,
        0,
        ("refused 19021", "accepted 0"),
    ),
    # Refused for good with HTTP 200, and never read as a success.
    Case(
        "keyword-missing",
        (code(19024, "Key Words Not Found"),),
        DEAD,
        "keyword_missing",
        1,
        19024,
        ("refused 19024",),
        advice="关键词",
    ),
    Case(
        "bad-request",
        (code(9499, "Bad Request"),),
        DEAD,
        "bad_request",
        1,
        9499,
        ("refused 9499",),
        advice="编号",
    ),
    Case(
        "address-not-allowed",
        (code(19022, "Ip Not Allowed"),),
        DEAD,
        "address_not_allowed",
        1,
        19022,
        ("refused 19022",),
        advice="IP",
    ),
    Case(
        "robot-gone",
        (code(19001, "param invalid"),),
        DEAD,
        "robot_gone",
        1,
        19001,
        ("refused 19001",),
        advice="重新添加",
    ),
    Case(
        "card-refused-once-then-a-post",
        (code(11246, "ErrCode: 200621"),),
        SENT,
        "",
        2,
        0,
        ("refused 11246", "accepted 0 post"),
    ),
    Case(
        "post-refused-too",
        (code(11246, times=2),),
        DEAD,
        "card_refused",
        2,
        11246,
        ("refused 11246", "refused 11246 post"),
        advice="网页",
    ),
    Case(
        "code-that-nobody-knows",
        (code(777, times=3),),
        DEAD,
        "unknown_code",
        3,
        777,
        ("refused 777",) * 3,
        advice="编号",
    ),
    # What passes by itself is tried again.
    Case("service-limit", (code(11232),), SENT, "", 2, 0, ("refused 11232", "accepted 0")),
    Case(
        "bad-request-that-speaks-of-a-limit",
        (code(9499, "too many request"),),
        SENT,
        "",
        2,
        0,
        ("refused 9499", "accepted 0"),
    ),
    Case(
        "server-errors",
        ({"http": 500}, {"http": 503}),
        SENT,
        "",
        3,
        0,
        ("refused http 500", "refused http 503", "accepted 0"),
    ),
    Case(
        "asks-to-wait",
        ({"http": 429, "headers": {"x-ogw-ratelimit-reset": "1"}},),
        SENT,
        "",
        2,
        0,
        ("refused http 429", "accepted 0"),
    ),
    # Neither yes nor no: it may have arrived, so it is repeated once at most, and marked.
    Case("empty-object", (body("{}"),), SENT, "", 2, 0, ("accepted body", "accepted 0 again")),
    Case(
        "empty-object-twice",
        (body("{}", times=2),),
        UNKNOWN,
        "no_code",
        2,
        0,
        ("accepted body", "accepted body again"),
        advice="可能已经送达",
    ),
    Case(
        "page-of-a-proxy-twice",
        (body(HTML, times=2),),
        UNKNOWN,
        "no_code",
        2,
        0,
        ("accepted body", "accepted body again"),
        advice="可能已经送达",
    ),
    Case(
        "takes-it-and-hangs-up",
        ({"accept_then_drop": True},),
        SENT,
        "",
        2,
        0,
        ("accepted accept_then_drop", "accepted 0 again"),
    ),
    Case(
        "takes-it-and-hangs-up-twice",
        ({"accept_then_drop": True, "times": 2},),
        UNKNOWN,
        "no_answer",
        2,
        0,
        ("accepted accept_then_drop", "accepted accept_then_drop again"),
        advice="可能已经送达",
    ),
    Case(
        "resets-the-connection",
        ({"reset": True},),
        SENT,
        "",
        2,
        0,
        ("refused reset", "accepted 0 again"),
    ),
    Case("is-slow", ({"delay_ms": 600},), SENT, "", 1, 0, ("accepted 0",)),
    Case(
        "is-slower-than-the-deadline",
        ({"delay_ms": 4000},),
        SENT,
        "",
        2,
        0,
        ("accepted 0", "accepted 0 again"),
    ),
    Case(
        "hangs-up-and-then-refuses",
        ({"accept_then_drop": True}, code(19024)),
        UNKNOWN,
        "keyword_missing",
        2,
        19024,
        ("accepted accept_then_drop", "refused 19024 again"),
        advice="可能已经送达",
    ),
    # A link that is dead, or about to be, is not sent.
    Case("dead-link", (), SKIPPED, "preview_expired", 0, 0, (), life=timedelta(seconds=-1)),
    Case("dying-link", (), SKIPPED, "preview_expired", 0, 0, (), life=timedelta(seconds=110)),
)


def line(message: Mapping[str, Any]) -> str:
    """What the stand-in received and did."""
    code_or_fault = message["fault"] if message["code"] is None else message["code"]
    parts = [message["verdict"], str(code_or_fault)]
    parts += ["post"] * (message["msg_type"] == "post")
    shown = str(message["card"] or message["content"])
    parts += ["again"] * (words(Language.ZH_CN).repeat in shown)
    return " ".join(parts)


@pytest.mark.parametrize("case", CASES, ids=lambda case: case.name)
async def test_what_feishu_does_is_what_the_record_says(world: World, case: Case) -> None:
    user = a_user()
    await world.bot(user, case.name, **case.bot)
    if case.script:
        await world.standin.script(*case.script, token=case.name)
    await world.ask(user, life=case.life)

    record = await world.ended(user)

    assert (record.state, record.reason, record.attempt_count, record.provider_code) == (
        case.state,
        case.reason,
        case.attempts,
        case.code,
    )
    received = await world.standin.messages(token=case.name)
    assert tuple(line(message) for message in received) == case.received
    assert case.advice in record.what_to_do.zh_cn
    assert bool(record.what_to_do.en_us) == bool(case.advice)
    assert not record.HasField("next_attempt_time")


async def test_what_a_provider_asks_to_wait_is_waited(world: World) -> None:
    user = a_user()
    await world.bot(user, "waits")
    fault = {**code(99991400, "limit"), "http": 429, "headers": {"x-ogw-ratelimit-reset": "2"}}
    await world.standin.script(fault, token="waits")
    await world.ask(user)
    await world.ended(user)
    first, second = [arrival(one) for one in await world.standin.messages(token="waits")]
    assert second - first >= timedelta(seconds=1.9)


@pytest.mark.parametrize("language", [channel_pb2.LANGUAGE_ZH_CN, channel_pb2.LANGUAGE_EN_US])
async def test_the_largest_preview_is_cut_to_what_feishu_takes(
    world: World, language: channel_pb2.Language
) -> None:
    user, token = a_user(), f"large-{language}"
    await world.bot(user, token, keyword="关" * 40, language=language)
    preview_id = f"asp_large{language}{user}"
    preview = world.scheduler.put(
        user, preview_id, summary=LocalizedText(zh_cn="长" * 500, en_us="long " * 99)
    )
    preview.target_title = "👩‍👩‍👧‍👦" * 300
    (proposed,) = preview.candidates
    for number in range(300):
        change = change_pb2.ScheduleChange()
        change.CopyFrom(proposed.changes[0])
        change.change_id = f"more{number}"
        proposed.changes.append(change)
    await say(world.sayer, a_request(user, preview_id))

    record = await world.ended(user)

    assert record.state == SENT
    (message,) = await world.standin.messages(token=token)
    assert (message["verdict"], message["msg_type"]) == ("accepted", "interactive")
    assert message["bytes"] <= MAX_BODY_BYTES
    assert message["title"].startswith("关" * 40)
    assert len(message["links"]) == 1


async def test_thirty_previews_at_once_keep_to_the_rate_and_dying_links_stay_behind(
    world: World,
) -> None:
    token, dying = "crowd", timedelta(seconds=120.3)
    lives = [HOUR] * 30 + [dying] * 8
    users = [a_user() for _ in lives]
    await asyncio.gather(*(world.bot(user, token) for user in users))

    await asyncio.gather(
        *(world.ask(user, life=life) for user, life in zip(users, lives, strict=True))
    )

    records = await asyncio.gather(*(world.ended(user) for user in users))
    assert {record.state for record in records[:30]} == {SENT}
    assert {record.attempt_count for record in records[:30]} == {1}
    # Three tenths of a second hold a slot or two; there are eight that would need one.
    late = [record for record in records[30:] if record.state == SKIPPED]
    assert {record.reason for record in late} == {"preview_expired"}
    messages = await world.standin.messages(token=token)
    # It refuses what is beyond 5 in a second and 100 in a minute.
    assert {message["verdict"] for message in messages} == {"accepted"}
    assert len(messages) == len(records) - len(late)
    links = [message["links"][0]["url"] for message in messages]
    assert len(set(links)) == len(links)
    assert not any(record.notification_id in " ".join(links) for record in late)
    await keep_their_distance(world, messages)


async def keep_their_distance(world: World, messages: list[dict[str, Any]]) -> None:
    """Four a second: by the slots that the replicas agreed on, and as they arrived."""
    rows = await rigs.connected_rows(world.suite)
    try:
        every = await rows.connection.fetch("SELECT slots FROM webhook_rates")
    finally:
        await rows.connection.close()
    (slots,) = [row["slots"] for row in every if len(row["slots"]) == len(messages)]
    distances = [after - before for before, after in itertools.pairwise(slots)]
    assert min(distances) >= timedelta(milliseconds=250)
    arrivals = sorted(arrival(message) for message in messages)
    assert arrivals[-1] - arrivals[0] >= (len(messages) - 3) * timedelta(milliseconds=250)


def arrival(message: Mapping[str, Any]) -> datetime:
    """When the stand-in received it."""
    return datetime.fromisoformat(message["received_at"])
