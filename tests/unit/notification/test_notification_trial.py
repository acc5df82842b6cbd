"""Trying out a channel: the message, the advice, and when the answer is there."""

from dataclasses import replace
from datetime import UTC, datetime, timedelta

import pytest

from services.notification.domain import codes, writing
from services.notification.domain.answer import Silence
from services.notification.domain.card import card_content
from services.notification.domain.channel import ChannelType
from services.notification.domain.codes import NOTHING
from services.notification.domain.message import Language, encoded
from services.notification.domain.record import RecordState
from services.notification.domain.remedy import LOOK_FOR_IT, TRY_LATER, remedy
from services.notification.domain.request import Request, TargetKind
from services.notification.domain.stored import Record
from services.notification.wire import record as record_wire

NOW = datetime(2026, 3, 9, 10, 0, tzinfo=UTC)
REQUEST = Request(
    "test_abcdefabcdef012345678901",
    7,
    "",
    "",
    TargetKind.CHANNEL,
    NOW + timedelta(minutes=10),
    "/week",
)
RECORD = Record(
    id=3,
    user_id=7,
    notification_id=REQUEST.notification_id,
    preview_id="",
    channel_id=5,
    channel_type=ChannelType.FEISHU_BOT,
    state=RecordState.PENDING,
    reason="",
    attempts=0,
    provider_code=None,
    valid_until=NOW,
    created_at=NOW,
    next_attempt_at=NOW,
    settled_at=None,
)


def written(language: Language = Language.ZH_CN, keyword: str = "") -> writing.Written:
    return writing.write(
        REQUEST,
        Silence(),
        language=language,
        keyword=keyword,
        base_url="https://smartmate.example",
        now=NOW,
    )


@pytest.mark.parametrize(
    ("language", "title", "tag"),
    [
        (Language.ZH_CN, "SmartMate：测试消息", "测试"),
        (Language.EN_US, "SmartMate: test message", "Test"),
    ],
)
def test_a_test_message_says_that_it_is_one(language: Language, title: str, tag: str) -> None:
    message = written(language).message
    assert (message.title, message.tag) == (title, tag)
    assert (message.changes, message.valid_until) == ((), "")
    assert message.url == "https://smartmate.example/week"
    assert "678901".upper() in encoded(card_content(message)).decode()


def test_a_test_message_has_the_keyword_and_counts_as_no_fallback() -> None:
    made = written(keyword="日程")
    assert made.message.title.startswith("日程｜")
    assert not made.by_template


def test_only_what_is_about_a_channel_is_a_test() -> None:
    assert REQUEST.is_test
    others = [kind for kind in TargetKind if kind is not TargetKind.CHANNEL]
    assert not any(replace(REQUEST, target_kind=kind).is_test for kind in others)


@pytest.mark.parametrize(
    ("about", "is_answered"),
    [
        ({}, False),
        ({"state": RecordState.SENDING, "attempts": 1, "next_attempt_at": None}, False),
        # Held back by our own rate: nothing went out yet.
        ({"state": RecordState.FAILED, "next_attempt_at": NOW + timedelta(minutes=1)}, False),
        # Signed anew at once.
        ({"state": RecordState.FAILED, "attempts": 1, "next_attempt_at": NOW}, False),
        (
            {
                "state": RecordState.FAILED,
                "attempts": 1,
                "next_attempt_at": NOW + timedelta(seconds=5),
            },
            True,
        ),
        ({"state": RecordState.SENT, "attempts": 1, "settled_at": NOW}, True),
        ({"state": RecordState.SKIPPED, "settled_at": NOW}, True),
    ],
)
def test_a_test_is_answered_once_an_attempt_is_over_and_none_follows_at_once(
    about: dict[str, object], is_answered: bool
) -> None:
    record = replace(RECORD, **about)  # type: ignore[arg-type]
    assert record.is_answered(NOW) == is_answered


@pytest.mark.parametrize(
    ("state", "reason", "words"),
    [
        (RecordState.DEAD, "signature_refused", "服务器时间"),
        (RecordState.DEAD, "keyword_missing", "关键词"),
        (RecordState.DEAD, "robot_gone", "重新添加"),
        (RecordState.DEAD, "webhook_url_refused", "Webhook"),
        (RecordState.DEAD, "unknown_code", "编号"),
        (RecordState.DEAD, "http_404", "重新复制"),
        (RecordState.DEAD, "http_307", "转到了别处"),
        (RecordState.DEAD, "http_503", "过一会儿"),
        (RecordState.DEAD, "http_429", "过一会儿"),
        (RecordState.DEAD, "not_connected", "过一会儿"),
        (RecordState.UNKNOWN, "no_answer", "可能已经送达"),
        (RecordState.SKIPPED, "no_channel", "添加"),
        (RecordState.FAILED, "signature_refused", "签名"),
    ],
)
def test_the_advice_fits_the_reason(state: RecordState, reason: str, words: str) -> None:
    advice = remedy(state, reason)
    assert advice is not None
    assert words in advice.zh
    assert advice.en


@pytest.mark.parametrize(
    ("state", "reason"),
    [
        (RecordState.SENT, ""),
        (RecordState.PENDING, ""),
        (RecordState.SENDING, ""),
        (RecordState.FAILED, "http_500"),
        (RecordState.FAILED, "own_rate_limit"),
        (RecordState.SKIPPED, "preview_expired"),
        (RecordState.DEAD, "channel_deleted"),
    ],
)
def test_where_nothing_has_to_be_done_nothing_is_said(state: RecordState, reason: str) -> None:
    assert remedy(state, reason) is None


def test_every_reason_that_feishu_gives_has_one_advice() -> None:
    by_reason: dict[str, set[str]] = {}
    for entry in codes.MEANINGS.values():
        by_reason.setdefault(entry.reason, set()).add(entry.advice.zh)
        expected = TRY_LATER if entry.advice == NOTHING else entry.advice
        assert remedy(RecordState.DEAD, entry.reason) == expected
    assert all(len(found) == 1 for found in by_reason.values())


def test_the_advice_goes_out_in_both_languages_and_is_absent_where_there_is_none() -> None:
    record = replace(RECORD, state=RecordState.UNKNOWN, reason="no_answer", settled_at=NOW)
    message = record_wire.record_message(record)
    assert (message.what_to_do.zh_cn, message.what_to_do.en_us) == (LOOK_FOR_IT.zh, LOOK_FOR_IT.en)
    assert not record_wire.record_message(RECORD).HasField("what_to_do")
