import base64
from datetime import UTC, datetime, timedelta

import httpx2
import pytest
from hypothesis import given
from hypothesis import strategies as st

from services.notification.channels import feishu_bot
from services.notification.channels.console import Console
from services.notification.channels.feishu_bot import BotTarget, Deadlines
from services.notification.channels.parcel import Parcel
from services.notification.channels.sealing import Sealer, masked
from services.notification.domain.errors import SecretUnreadable
from services.notification.domain.outcome import Delivered, TransportFailure

KEY, OTHER = bytes(range(32)), bytes(range(1, 33))
SECRETS = {"url": "https://open.feishu.cn/open-apis/bot/v2/hook/abc", "secret": "密钥"}
PARCEL = Parcel("r1", "asp_1", 7, "k1", {"msg_type": "text", "content": {"text": "你好"}})


@pytest.mark.parametrize(
    ("timestamp", "secret", "expected"),
    [
        (1599360473, "demo", "l1N0gAcBjdwBvGm1xMjOF0XSyaLRpR7tuO5dHfhAYc8="),
        (1700000000, "s3cr3t", "CNNNRL0wSY2j+cKcY98lQAfVvb21u/iW3phZyXRkmcY="),
    ],
)
def test_the_signature_follows_the_known_vectors(
    timestamp: int, secret: str, expected: str
) -> None:
    assert feishu_bot.sign(timestamp, secret) == expected
    moment = datetime.fromtimestamp(timestamp, UTC) + timedelta(milliseconds=999)
    body = feishu_bot.signed(PARCEL.content, secret, moment)
    assert body == {"timestamp": str(timestamp), "sign": expected, **PARCEL.content}


def test_without_a_secret_nothing_is_signed() -> None:
    assert feishu_bot.signed(PARCEL.content, None, datetime.now(UTC)) == PARCEL.content


@pytest.mark.parametrize(
    ("error", "expected"),
    [
        (httpx2.ConnectError("x"), TransportFailure.NOT_CONNECTED),
        (httpx2.ConnectTimeout("x"), TransportFailure.NOT_CONNECTED),
        (httpx2.PoolTimeout("x"), TransportFailure.NOT_CONNECTED),
        (httpx2.ProxyError("x"), TransportFailure.NOT_CONNECTED),
        (httpx2.WriteTimeout("x"), TransportFailure.NOT_WRITTEN),
        (httpx2.WriteError("x"), TransportFailure.NO_ANSWER),
        (httpx2.ReadTimeout("x"), TransportFailure.NO_ANSWER),
        (httpx2.ReadError("x"), TransportFailure.NO_ANSWER),
        (httpx2.RemoteProtocolError("x"), TransportFailure.NO_ANSWER),
        (TimeoutError(), TransportFailure.NO_ANSWER),
    ],
)
def test_only_what_surely_did_not_go_out_whole_counts_as_not_sent(
    error: Exception, expected: TransportFailure
) -> None:
    assert feishu_bot.failure(error) is expected


def test_the_deadline_leaves_room_for_every_step_of_connecting() -> None:
    with pytest.raises(ValueError, match="total"):
        Deadlines(timedelta(seconds=4), timedelta(seconds=12))


def test_nothing_secret_shows_in_a_repr() -> None:
    assert repr(BotTarget("https://x/abc", "s")) == "BotTarget()"
    assert "你好" not in repr(PARCEL)


async def test_the_console_prints_the_text() -> None:
    written: list[str] = []
    assert await Console(written.append).send(PARCEL) == Delivered()
    assert written == ["你好\n"]
    await Console(written.append).send(Parcel("r", "n", 1, "k", {"msg_type": "interactive"}))
    assert written[1:] == ["\n"]


def test_what_is_sealed_opens_for_its_owner() -> None:
    sealer = Sealer(KEY)
    seal = sealer.seal(SECRETS, user_id=7, channel_id="c1")
    assert sealer.open(seal, user_id=7, channel_id="c1") == SECRETS
    assert "密钥".encode() not in seal
    assert b"feishu" not in seal


def test_sealing_twice_gives_two_seals() -> None:
    sealer = Sealer(KEY)
    assert sealer.seal(SECRETS, user_id=7, channel_id="c") != sealer.seal(
        SECRETS, user_id=7, channel_id="c"
    )


@pytest.mark.parametrize(
    ("user_id", "channel_id"), [(8, "c1"), (7, "c2"), (7, ""), (-7, "c1"), (7, "c11")]
)
def test_a_seal_copied_to_another_row_does_not_open(user_id: int, channel_id: str) -> None:
    sealer = Sealer(KEY)
    seal = sealer.seal(SECRETS, user_id=7, channel_id="c1")
    with pytest.raises(SecretUnreadable) as refused:
        sealer.open(seal, user_id=user_id, channel_id=channel_id)
    assert refused.value.metadata == {"problem": "does_not_open"}
    assert refused.value.reason == "secret_unreadable"


@given(st.integers(0, 10**6), st.integers(1, 255))
def test_an_altered_seal_does_not_open(position: int, flip: int) -> None:
    sealer = Sealer(KEY)
    seal = bytearray(sealer.seal(SECRETS, user_id=7, channel_id="c1"))
    seal[position % len(seal)] ^= flip
    with pytest.raises(SecretUnreadable):
        sealer.open(bytes(seal), user_id=7, channel_id="c1")


@given(st.binary(max_size=80))
def test_any_bytes_are_refused_not_crashed_on(seal: bytes) -> None:
    with pytest.raises(SecretUnreadable):
        Sealer(KEY).open(seal, user_id=7, channel_id="c1")


def test_a_key_is_changed_by_putting_the_new_one_first() -> None:
    old = Sealer(KEY).seal(SECRETS, user_id=7, channel_id="c1")
    both = Sealer(OTHER, KEY)
    assert both.open(old, user_id=7, channel_id="c1") == SECRETS
    assert not both.is_current(old)
    assert both.is_current(both.seal(SECRETS, user_id=7, channel_id="c1"))
    with pytest.raises(SecretUnreadable) as refused:
        Sealer(OTHER).open(old, user_id=7, channel_id="c1")
    assert refused.value.problem == "unknown_key"


def test_keys_come_in_base64_from_the_environment() -> None:
    text = ", ".join(base64.b64encode(key).decode() for key in (OTHER, KEY))
    old = Sealer(KEY).seal(SECRETS, user_id=7, channel_id="c1")
    assert Sealer.from_base64(text).open(old, user_id=7, channel_id="c1") == SECRETS


@pytest.mark.parametrize(
    "text", ["", "AAAA", "not base64!", "汉", base64.b64encode(KEY).decode() + ","]
)
def test_a_key_that_is_none_is_refused_without_being_shown(text: str) -> None:
    with pytest.raises(ValueError, match="key") as refused:
        Sealer.from_base64(text)
    assert not text or text not in str(refused.value)


@pytest.mark.parametrize(
    ("secret", "shown"),
    [("", "…"), ("short", "…"), ("a" * 15, "…"), ("abcdefghijklmnop", "abcd…mnop")],
)
def test_a_secret_is_shown_by_its_ends_or_not_at_all(secret: str, shown: str) -> None:
    assert masked(secret) == shown
