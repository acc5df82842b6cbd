"""The message with a sign-in link: its words, its placeholder, and what is read of the request."""

import json
import string
from datetime import UTC, datetime, timedelta

import pytest
from hypothesis import given
from hypothesis import strategies as st

from libs.rpc.errors import InvalidRequest
from services.notification.channels.sealing import Sealer
from services.notification.domain import writing
from services.notification.domain.answer import Matter, Silence
from services.notification.domain.card import card_content
from services.notification.domain.errors import SecretUnreadable
from services.notification.domain.message import MAX_BODY_BYTES, Content, Language, encoded
from services.notification.domain.plain import post_content
from services.notification.domain.record import RecordState, SkipReason
from services.notification.domain.remedy import ALLOW_A_CHANNEL, remedy
from services.notification.domain.request import Request, TargetKind
from services.notification.domain.sealed_link import PLACEHOLDER, filled
from services.notification.handlers import sign_in
from services.notification.wire import sign_in as wire
from smartmate.notification.v1 import notification_service_pb2 as pb

NOW = datetime(2026, 3, 9, 10, 0, tzinfo=UTC)
BASE = "https://smartmate.example"
TOKEN = "wk3Wq0cPZ5dN-3gk2nYb_PqTt5h8kLmNoPqRsTuVwXy"
PATH = f"/sign-in/{TOKEN}"
REQUEST = Request(
    "sig_abcdefabcdef012345678901",
    7,
    "",
    "",
    TargetKind.SIGN_IN,
    NOW + timedelta(minutes=15),
    PLACEHOLDER,
)


def message(language: Language = Language.ZH_CN, keyword: str = "") -> writing.Written:
    return writing.write_list(
        REQUEST,
        [Matter(REQUEST, Silence())],
        language=language,
        keyword=keyword,
        base_url=BASE,
        now=NOW,
    )


@pytest.mark.parametrize("language", Language)
@pytest.mark.parametrize("content_of", [card_content, post_content])
def test_what_is_frozen_holds_no_link_and_what_goes_out_holds_it_once(
    language: Language, content_of: object
) -> None:
    frozen: Content = content_of(message(language).message)  # type: ignore[operator]
    assert TOKEN not in encoded(frozen).decode()
    sent = filled(json.loads(encoded(frozen)), PATH)
    assert encoded(sent).decode().count(f"{BASE}{PATH}") == 1
    assert PLACEHOLDER not in encoded(sent).decode()
    assert len(encoded(sent)) < MAX_BODY_BYTES


def test_it_says_what_it_is_until_when_and_what_to_do_if_it_was_not_asked_for() -> None:
    chinese, english = message().message, message(Language.EN_US).message
    assert chinese.title == "SmartMate：你的登录链接"
    assert chinese.valid_until == "18:15 前有效，只能用一次"
    assert "不是你，就不用管它" in chinese.summary
    assert english.title == "SmartMate: your sign-in link"
    assert "if not, leave it alone" in english.summary


def test_it_has_the_keyword_and_is_no_fallback() -> None:
    made = message(keyword="日程")
    assert made.message.title.startswith("日程｜")
    assert not made.by_template


def test_nobody_is_told_how_it_ended() -> None:
    assert REQUEST.is_sign_in
    assert not REQUEST.is_announced


@given(st.recursive(st.text(), lambda inner: st.lists(inner) | st.dictionaries(st.text(), inner)))
def test_filling_leaves_everything_else_as_it_was(value: object) -> None:
    content = {"msg_type": "text", "content": value}
    if PLACEHOLDER not in json.dumps(content, ensure_ascii=False):
        assert filled(content, PATH) == content


def test_the_path_is_sealed_for_its_record_and_opens_for_no_other() -> None:
    sealer = Sealer(b"k" * 32)
    sealed = sealer.seal({"path": PATH}, user_id=7, channel_id=REQUEST.notification_id)
    assert sign_in.opened(sealer, REQUEST, sealed) == PATH
    assert TOKEN.encode() not in sealed
    other = Request("sig_other", 7, "", "", TargetKind.SIGN_IN, NOW, PLACEHOLDER)
    for request, kept in ((other, sealed), (REQUEST, None)):
        with pytest.raises(SecretUnreadable):
            sign_in.opened(sealer, request, kept)


def test_other_messages_have_no_path_of_their_own() -> None:
    test = Request("test_1", 7, "", "", TargetKind.CHANNEL, NOW, "/week")
    assert sign_in.opened(Sealer(b"k" * 32), test, None) == ""


def test_the_advice_where_no_channel_takes_links() -> None:
    reason = SkipReason.NO_SIGN_IN_CHANNEL.value
    assert remedy(RecordState.SKIPPED, reason) == ALLOW_A_CHANNEL


def asked(**about: object) -> pb.SendSignInLinkRequest:
    given = {"request_id": "r", "user_id": 7, "path": PATH, **about}
    request = pb.SendSignInLinkRequest(**given)  # type: ignore[arg-type]
    if "expire_time" not in about:
        request.expire_time.FromDatetime(NOW)
    return request


def test_a_request_is_read() -> None:
    link = wire.link(asked())
    assert (link.user_id, link.path, link.expires_at) == (7, PATH, NOW)
    assert TOKEN not in repr(link)


@pytest.mark.parametrize(
    ("about", "field"),
    [
        ({"user_id": 0}, "user_id"),
        ({"user_id": -1}, "user_id"),
        ({"path": ""}, "path"),
        ({"path": "/week"}, "path"),
        ({"path": f"//evil.example{PATH}"}, "path"),
        ({"path": f"{PATH}/x"}, "path"),
        ({"path": f"{PATH}\n"}, "path"),
        ({"path": f"/sign-in/{'a' * 31}"}, "path"),
        ({"path": f"/sign-in/{'a' * 101}"}, "path"),
        ({"path": PLACEHOLDER}, "path"),
        ({"expire_time": None}, "expire_time"),
        ({"expire_time": {"seconds": 253402300799}}, "expire_time"),
        ({"expire_time": {"seconds": 2**62}}, "expire_time"),
    ],
)
def test_what_is_no_link_is_refused_by_its_field_and_not_repeated(
    about: dict[str, object], field: str
) -> None:
    with pytest.raises(InvalidRequest) as refused:
        wire.link(asked(**about))
    assert [one.field for one in refused.value.violations] == [field]
    assert TOKEN not in str(refused.value)


@given(st.text(alphabet=string.ascii_letters + string.digits + "-_", min_size=32, max_size=100))
def test_every_token_of_the_gateway_is_a_link(token: str) -> None:
    assert wire.link(asked(path=f"/sign-in/{token}")).path == f"/sign-in/{token}"
