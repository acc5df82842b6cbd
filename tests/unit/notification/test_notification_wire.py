from datetime import UTC, datetime

import pytest
from hypothesis import given
from hypothesis import strategies as st

from libs.events.envelope import MalformedEvent
from libs.rpc.errors import InvalidRequest
from services.notification.domain.channel import Channel, ChannelType, Wanted
from services.notification.domain.message import Language
from services.notification.domain.record import RecordState
from services.notification.domain.request import TargetKind
from services.notification.domain.stored import Record
from services.notification.wire import channel as channel_wire
from services.notification.wire import record as record_wire
from services.notification.wire import request as request_wire
from services.notification.wire import values
from smartmate.events.v1 import events_pb2
from smartmate.notification.v1 import channel_pb2, record_pb2
from smartmate.notification.v1 import notification_service_pb2 as pb
from smartmate.schedule.v1 import change_pb2

URL = "https://open.feishu.cn/open-apis/bot/v2/hook/0123456789abcdef"
NOW = datetime(2026, 3, 2, 10, 0, tzinfo=UTC)


def a_put(**about: object) -> pb.PutChannelRequest:
    fields: dict[str, object] = {
        "request_id": "r1",
        "type": channel_pb2.CHANNEL_TYPE_FEISHU_BOT,
        "name": "群",
        "webhook_url": URL,
    }
    return pb.PutChannelRequest(**{**fields, **about})  # type: ignore[arg-type]


def wanted(request: pb.PutChannelRequest, *, console: bool = True) -> Wanted:
    return channel_wire.wanted(request, extra_hosts=frozenset({"127.0.0.1:9"}), console=console)


def test_a_bot_is_read_with_its_defaults() -> None:
    read = wanted(a_put(name="  通知群 ", keyword=" 日程 "))
    assert (read.type, read.name, read.keyword) == (ChannelType.FEISHU_BOT, "通知群", "日程")
    assert (read.position, read.language) == (0, Language.ZH_CN)
    assert (read.url, read.secret) == (URL, None)


def test_absent_leaves_and_empty_removes_a_secret() -> None:
    assert wanted(a_put()).secret is None
    assert wanted(a_put(secret="")).secret == ""
    assert wanted(a_put(secret=" s3 ")).secret == "s3"


@pytest.mark.parametrize(
    ("about", "field"),
    [
        ({"type": 0}, "type"),
        ({"type": 99}, "type"),
        ({"language": 99}, "language"),
        ({"position": -1}, "position"),
        ({"position": 2**31 - 1}, "position"),
        ({"name": ""}, "name"),
        ({"name": "   "}, "name"),
        ({"name": "名" * 61}, "name"),
        ({"name": "a\x00b"}, "name"),
        ({"name": "a\nb"}, "name"),
        ({"name": "a\u2028b"}, "name"),
        ({"keyword": "k" * 41}, "keyword"),
        ({"keyword": "a\x07"}, "keyword"),
        ({"secret": "s" * 201}, "secret"),
        ({"secret": "a\x00"}, "secret"),
        ({"type": channel_pb2.CHANNEL_TYPE_CONSOLE}, "webhook_url"),
        ({"type": channel_pb2.CHANNEL_TYPE_CONSOLE, "webhook_url": "", "secret": "s"}, "secret"),
    ],
)
def test_what_is_out_of_bounds_is_refused_by_its_field(
    about: dict[str, object], field: str
) -> None:
    with pytest.raises(InvalidRequest) as refused:
        wanted(a_put(**about))
    assert [one.field for one in refused.value.violations] == [field]


@pytest.mark.parametrize("name", ["名" * 60, "👩‍👩‍👧‍👦 家", "مرحبا", "a\u3000b", "\u202eabc"])
def test_names_in_any_script_are_taken(name: str) -> None:
    assert wanted(a_put(name=name)).name == name


@pytest.mark.parametrize(
    "url",
    [
        "",
        "http://open.feishu.cn/open-apis/bot/v2/hook/abc",
        "https://evil.example/open-apis/bot/v2/hook/abc",
        "https://open.feishu.cn@evil.example/open-apis/bot/v2/hook/abc",
        "https://10.0.0.1/open-apis/bot/v2/hook/abc",
        "http://127.0.0.1:10/open-apis/bot/v2/hook/abc",
        "https://open.feishu.cn/open-apis/im/v1/messages",
        "https://open.feishu.cn/open-apis/bot/v2/hook/" + "a" * 600,
    ],
)
def test_an_address_that_is_not_feishus_is_refused_without_being_repeated(url: str) -> None:
    with pytest.raises(channel_wire.RefusedUrl) as refused:
        wanted(a_put(webhook_url=url))
    error = refused.value
    assert error.reason == "webhook_url_refused"
    assert [one.field for one in error.violations] == ["webhook_url"]
    assert not url or url not in str(error)


def test_the_address_of_a_stand_in_is_taken_where_it_is_named() -> None:
    url = "http://127.0.0.1:9/open-apis/bot/v2/hook/t1"
    assert wanted(a_put(webhook_url=url)).url == url


def test_console_channels_are_for_development_alone() -> None:
    request = pb.PutChannelRequest(type=channel_pb2.CHANNEL_TYPE_CONSOLE, name="c")
    assert wanted(request).type is ChannelType.CONSOLE
    with pytest.raises(InvalidRequest):
        wanted(request, console=False)


def test_a_channel_is_told_without_its_secrets() -> None:
    channel = Channel(
        3, ChannelType.FEISHU_BOT, "群", 2, Language.EN_US, "日程", "http…cdef", True, NOW
    )
    message = channel_wire.channel_message(channel)
    assert (message.channel_id, message.position, message.masked_url) == (3, 2, "http…cdef")
    assert message.has_secret
    assert message.language == channel_pb2.LANGUAGE_EN_US
    assert message.create_time.ToDatetime(tzinfo=UTC) == NOW


@pytest.mark.parametrize("state", RecordState)
def test_every_state_of_a_record_can_be_told(state: RecordState) -> None:
    record = Record(1, 7, "asp_1", "asp_1", 0, None, state, "x", 2, None, NOW, NOW, None, NOW)
    message = record_wire.record_message(record)
    assert message.state == record_pb2.RecordState.Value(f"RECORD_STATE_{state.value.upper()}")
    assert message.channel_type == channel_pb2.CHANNEL_TYPE_UNSPECIFIED
    assert not message.HasField("next_attempt_time")
    assert message.HasField("settle_time")


@pytest.mark.parametrize(("code", "told"), [(None, 0), (19024, 19024), (10**12, 2**31 - 1)])
def test_any_code_of_a_provider_can_be_told(code: int | None, told: int) -> None:
    record = Record(
        1, 7, "n", "", 5, ChannelType.CONSOLE, RecordState.DEAD, "x", 1, code, NOW, NOW, None, NOW
    )
    assert record_wire.record_message(record).provider_code == told


def an_event(**about: object) -> events_pb2.NotificationFeishuRequested:
    fields: dict[str, object] = {
        "notification_id": "asp_1",
        "user_id": 7,
        "trigger_id": "ast_1",
        "preview_id": "asp_1",
        "target_kind": change_pb2.TARGET_KIND_TASK_POOL,
        "path": "/active-schedule/previews/asp_1",
    }
    event = events_pb2.NotificationFeishuRequested(**{**fields, **about})  # type: ignore[arg-type]
    if "valid_until_time" not in about:
        event.valid_until_time.FromDatetime(NOW)
    return event


def test_an_event_is_read_whole() -> None:
    request = request_wire.request(an_event())
    assert (request.notification_id, request.user_id, request.valid_until) == ("asp_1", 7, NOW)
    assert request.target_kind is TargetKind.TASK_POOL


def test_a_kind_of_a_newer_peer_and_a_missing_preview_are_taken() -> None:
    request = request_wire.request(an_event(target_kind=77, preview_id="", trigger_id=""))
    assert request.target_kind is TargetKind.UNRECOGNISED
    assert request.preview_id == ""


@pytest.mark.parametrize(
    "about",
    [
        {"user_id": 0},
        {"user_id": -1},
        {"notification_id": ""},
        {"notification_id": "n" * 65},
        {"notification_id": "a\x00"},
        {"preview_id": "p" * 65},
        {"trigger_id": "\n"},
        {"path": ""},
        {"path": "active-schedule"},
        {"path": "//evil.example/x"},
        {"path": "/a?b=c"},
        {"path": "/a#b"},
        {"path": "/ä"},
        {"path": "/a b"},
        {"path": "/" + "a" * 300},
        {"valid_until_time": None},
        {"valid_until_time": {"seconds": 2**60}},
        {"valid_until_time": {"seconds": -(10**11)}},
    ],
)
def test_an_event_that_can_never_be_sent_is_malformed(about: dict[str, object]) -> None:
    with pytest.raises(MalformedEvent):
        request_wire.request(an_event(**about))


def test_a_page_token_goes_round_and_anything_else_is_refused() -> None:
    assert values.page_numbers("", 2) is None
    assert values.page_numbers(values.page_token(3, 14), 2) == (3, 14)
    for token in ("1", "1:2:3", "a:b", "-1:2", "１:2", "9" * 20 + ":1", "9" * 19 + ":1", ":"):
        with pytest.raises(InvalidRequest):
            values.page_numbers(token, 2)


@given(st.integers(0, 2**63 - 1), st.integers(0, 2**63 - 1))
def test_every_pair_of_numbers_survives_a_page_token(first: int, second: int) -> None:
    assert values.page_numbers(values.page_token(first, second), 2) == (first, second)


@given(st.text(max_size=80))
def test_any_text_is_taken_as_it_is_or_refused(text: str) -> None:
    try:
        taken = values.checked_text(text, "name", least=1, most=60)
    except InvalidRequest:
        return
    assert taken == text.strip()
    assert 1 <= len(taken) <= 60


def test_page_sizes_have_a_default_and_a_cap() -> None:
    assert [values.page_size(size) for size in (0, 1, 200, 201, 2**31 - 1)] == [
        50,
        1,
        200,
        200,
        200,
    ]
    with pytest.raises(InvalidRequest):
        values.page_size(-1)


@pytest.mark.parametrize("value", ["", "x" * 65, "a\nb"])
def test_an_id_out_of_a_request_is_short_and_printable(value: str) -> None:
    with pytest.raises(InvalidRequest):
        values.checked_id(value, "request_id")


@pytest.mark.parametrize("value", [0, -1, -(2**63)])
def test_a_row_has_a_positive_number(value: int) -> None:
    with pytest.raises(InvalidRequest):
        values.checked_number(value, "record_id")
    if value:
        with pytest.raises(InvalidRequest):
            channel_wire.checked_channel_id(value)
    else:
        assert channel_wire.checked_channel_id(value) == 0
