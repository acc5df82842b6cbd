"""Channels and messages in words, and the form of a channel, which never shows a secret."""

from datetime import timedelta
from zoneinfo import ZoneInfo

import pytest

from services.gateway.domain import messages
from services.gateway.domain.locale import Locale
from services.gateway.wire import channel_form
from services.gateway.wire.channel_form import BOT, CONSOLE, FIELDS, ChannelForm, Shown
from services.gateway.wire.channels_page import ChannelsPage, Speaker
from smartmate.notification.v1 import channel_pb2, record_pb2
from tests.unit.gateway import gateway_samples as samples
from tests.unit.gateway import page_samples as pages

NOW = samples.NOW
ZONE = ZoneInfo("Asia/Shanghai")
KEYS = messages.keys()
REASONS = [key for key in KEYS if key.startswith("reason.")]
URL = "https://open.feishu.cn/open-apis/bot/v2/hook/0123456789abcdef"


def speaker(locale: Locale = Locale.ZH) -> Speaker:
    return Speaker(locale, ZONE, NOW)


def page(*channels: channel_pb2.Channel, console: bool = False, **more: object) -> ChannelsPage:
    return speaker().build(pages.listed(*channels, console=console), pages.records())


def test_a_channel_is_told_without_its_secrets() -> None:
    (one,) = page(pages.bot(1, keyword="日程", takes_sign_in_links=True)).channels
    assert one.facts == (
        "飞书机器人",
        "地址 http…k/37",
        "有签名密钥",
        "关键词「日程」",
        "中文",
    )
    assert one.takes_links
    assert one.is_first


def test_a_console_is_offered_where_there_may_be_one_and_is_none_yet() -> None:
    console = pages.bot(2, type=channel_pb2.CHANNEL_TYPE_CONSOLE)
    assert not page().offers_console
    assert page(console=True).offers_console
    assert not page(console, console=True).offers_console
    assert page(console, console=True).channels[0].facts == ("控制台", "中文")


def test_there_is_room_for_twenty() -> None:
    assert page(*(pages.bot(n) for n in range(1, 20))).offers_bot
    full = page(*(pages.bot(n) for n in range(1, 21)), console=True)
    assert not full.offers_bot
    assert not full.offers_console


@pytest.mark.parametrize(
    ("state", "reason", "words", "tone"),
    [
        (record_pb2.RECORD_STATE_PENDING, "", "等待中", ""),
        (record_pb2.RECORD_STATE_SENDING, "", "正在发送", ""),
        (record_pb2.RECORD_STATE_SENT, "", "已送达", "ok"),
        (record_pb2.RECORD_STATE_FAILED, "http_503", "没有送达，正在重试", "warn"),
        (record_pb2.RECORD_STATE_DEAD, "robot_gone", "没能送达", "warn"),
        (record_pb2.RECORD_STATE_UNKNOWN, "no_answer", "可能已送达，对方没有回音", "warn"),
        (record_pb2.RECORD_STATE_SKIPPED, "applied", "没有发送：已经写入日程", ""),
        (record_pb2.RECORD_STATE_SKIPPED, "of_tomorrow", "没有发送：不再需要", ""),
    ],
)
def test_a_state_in_words(
    state: record_pb2.RecordState, reason: str, words: str, tone: str
) -> None:
    line = speaker().record(pages.record(state, reason=reason), {1: "群"})
    assert (line.state, line.tone) == (words, tone)


@pytest.mark.parametrize(("seconds", "words"), [(17.2, "18"), (0.2, "1")])
def test_a_retry_is_told_with_its_seconds(seconds: float, words: str) -> None:
    at = NOW + timedelta(seconds=seconds)
    line = speaker().record(pages.record(record_pb2.RECORD_STATE_FAILED, next_at=at), {})
    assert line.state == f"没有送达，{words} 秒内重试"


def test_a_retry_that_is_due_has_no_seconds_left() -> None:
    at = NOW - timedelta(seconds=3)
    line = speaker().record(pages.record(record_pb2.RECORD_STATE_FAILED, next_at=at), {})
    assert line.state == "没有送达，正在重试"


@pytest.mark.parametrize(
    ("about", "words", "href"),
    [
        ("asp_0192f3", "建议", "/active-schedule/previews/asp_0192f3"),
        ("ast_0192f3", "提醒", ""),
        ("test_ab", "测试消息", ""),
        ("bat_ab", "几条合在一起", ""),
        ("sig_ab", "登录链接", ""),
        ("", "提醒", ""),
    ],
)
def test_a_record_is_called_by_what_it_was_about(about: str, words: str, href: str) -> None:
    line = speaker().record(pages.record(about=about), {})
    assert (line.about, line.href) == (words, href)


@pytest.mark.parametrize(
    ("channel_id", "words"),
    [(1, "发到 📌🧑‍💻"), (2, "发到已删除的通知方式"), (0, "没有通知方式")],
)
def test_a_record_tells_where_it_went(channel_id: int, words: str) -> None:
    assert speaker().record(pages.record(channel_id=channel_id), {1: "📌🧑‍💻"}).to == words


def test_a_record_tells_what_to_do_and_that_it_was_told_with_others() -> None:
    line = speaker(Locale.EN).record(
        pages.record(record_pb2.RECORD_STATE_DEAD, advice=True, batch="bat_1"), {}
    )
    assert (line.advice, line.note) == ("Check the secret.", "together with others")


@pytest.mark.parametrize(
    ("state", "head", "tone"),
    [
        (record_pb2.RECORD_STATE_SENT, "测试消息已送达，到群里看一眼", "ok"),
        (record_pb2.RECORD_STATE_DEAD, "测试消息没能送达", "warn"),
        (record_pb2.RECORD_STATE_UNKNOWN, "测试消息可能已送达，对方没有回音", "warn"),
        (record_pb2.RECORD_STATE_FAILED, "测试消息还没送达", "warn"),
        (record_pb2.RECORD_STATE_PENDING, "测试消息还在路上，过一会儿刷新这一页", ""),
        (record_pb2.RECORD_STATE_SENDING, "测试消息还在路上，过一会儿刷新这一页", ""),
    ],
)
def test_the_outcome_of_a_test_in_words(
    state: record_pb2.RecordState, head: str, tone: str
) -> None:
    told = speaker().tested(pages.record(state, about="test_1", advice=tone == "warn"))
    assert (told.head, told.tone) == (head, tone)
    assert (told.more == "请核对密钥。") == (tone == "warn")


@pytest.mark.parametrize("code", REASONS)
def test_a_reason_is_part_of_a_sentence(code: str) -> None:
    assert not messages.both(code)[0].endswith("。")


def test_the_form_of_a_stored_channel_holds_no_secret() -> None:
    form = channel_form.of_channel(pages.bot(1, keyword="日程", takes_sign_in_links=True))
    assert (form.webhook_url, form.secret) == ("", "")
    assert (form.name, form.keyword, form.takes_links) == ("自习群", "日程", "yes")
    assert channel_form.of_channel(pages.bot(1, type=2)).type == CONSOLE


def test_what_is_left_empty_stays_and_what_is_entered_replaces() -> None:
    kept = channel_form.message(ChannelForm(name="群"), "k", 7)
    assert not kept.HasField("webhook_url")
    assert not kept.HasField("secret")
    assert (kept.channel_id, kept.takes_sign_in_links) == (7, False)
    new = channel_form.message(ChannelForm(name="群", webhook_url=URL, secret="s"), "k", 7)
    assert (new.webhook_url, new.secret) == (URL, "s")


def test_a_secret_is_removed_when_that_is_asked_for_and_none_is_entered() -> None:
    removed = channel_form.message(ChannelForm(name="群", remove_secret="yes"), "k", 7)
    assert removed.HasField("secret")
    assert removed.secret == ""
    replaced = channel_form.message(ChannelForm(name="群", remove_secret="yes", secret="s"), "k", 7)
    assert replaced.secret == "s"


def test_a_console_has_no_address_no_secret_and_no_links() -> None:
    form = ChannelForm(type=CONSOLE, name="x", webhook_url=URL, secret="s", takes_links="yes")
    made = channel_form.message(form, "k")
    assert not any(made.HasField(name) for name in ("webhook_url", "secret", "takes_sign_in_links"))


def test_a_form_is_never_printed_with_its_secrets() -> None:
    form = ChannelForm(name="x", webhook_url=URL, secret="a-secret")
    assert "a-secret" not in repr(form)
    assert URL not in repr(form)
    assert Shown(form, {}).is_bot
    assert form.type == BOT


def test_an_empty_place_in_the_order_is_the_last() -> None:
    assert ChannelForm.model_validate({"name": "x", "position": ""}).position == 0


def test_every_problem_has_words() -> None:
    assert all(messages.has(key) for _, key in FIELDS.values())
    assert messages.has(channel_form.URL_MISSING[1])
