from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from standins.feishu import signature
from standins.feishu.judge import MAX_BYTES, BotRules, judge
from tests.unit.standins.feishu_bodies import card, card_with, interactive, post, raw

NOW = 1_700_000_000.0
TEXT = {"msg_type": "text", "content": {"text": "你好"}}


def code(body: object, rules: BotRules | None = None, *, within_rate: bool = True) -> int:
    sent = body if isinstance(body, bytes) else raw(body)
    verdict = judge(sent, rules or BotRules(), now=NOW, within_rate=within_rate)
    return verdict.refusal.code if verdict.refusal else 0


def reason(body: object) -> str:
    refusal = judge(raw(body), BotRules(), now=NOW, within_rate=True).refusal
    assert refusal is not None
    return refusal.msg


def signed(secret: str = "s3cr3t", at: float = NOW) -> dict[str, Any]:
    stamp = str(int(at))
    return {**TEXT, "timestamp": stamp, "sign": signature.sign(stamp, secret)}


@pytest.mark.parametrize(
    ("timestamp", "secret", "expected"),
    [
        ("1599360473", "demo", "l1N0gAcBjdwBvGm1xMjOF0XSyaLRpR7tuO5dHfhAYc8="),
        ("1700000000", "s3cr3t", "CNNNRL0wSY2j+cKcY98lQAfVvb21u/iW3phZyXRkmcY="),
    ],
)
def test_the_signature_follows_the_known_vectors(
    timestamp: str, secret: str, expected: str
) -> None:
    assert signature.sign(timestamp, secret) == expected


@pytest.mark.parametrize("age", [0, 3600, -3600])
def test_a_right_signature_of_the_last_hour_is_verified(age: int) -> None:
    body = signed(at=NOW - age)
    assert signature.verdict(body, "s3cr3t", now=NOW) == "verified"
    assert code(body, BotRules("s3cr3t")) == 0


@pytest.mark.parametrize(
    "change",
    [
        {"timestamp": str(int(NOW) - 3601)},
        {"timestamp": str(int(NOW) + 3601)},
        {"timestamp": str(int(NOW * 1000))},
        {"timestamp": int(NOW)},
        {"timestamp": "٣"},
        {"timestamp": "-1"},
        {"timestamp": "9" * 30},
        {"timestamp": None},
        {"sign": "AAAA"},
        {"sign": "汉字"},
        {"sign": None},
    ],
)
def test_a_signature_that_does_not_fit_is_wrong(change: dict[str, object]) -> None:
    body = signed() | change
    assert signature.verdict(body, "s3cr3t", now=NOW) == "wrong"
    assert code(body, BotRules("s3cr3t")) == 19021


@pytest.mark.parametrize("age", [3601, -3601])
def test_a_rightly_signed_but_stale_or_future_stamp_is_wrong(age: int) -> None:
    assert code(signed(at=NOW - age), BotRules("s3cr3t")) == 19021


def test_milliseconds_in_place_of_seconds_are_refused() -> None:
    assert code(signed(at=NOW * 1000), BotRules("s3cr3t")) == 19021


def test_a_missing_signature_is_told_from_a_wrong_one() -> None:
    assert signature.verdict(TEXT, "s3cr3t", now=NOW) == "absent"
    assert code(TEXT, BotRules("s3cr3t")) == 19021


def test_a_bot_without_a_secret_asks_for_no_signature() -> None:
    assert signature.verdict(signed(), None, now=NOW) == "unchecked"
    assert code(signed()) == 0
    assert code(TEXT) == 0


@pytest.mark.parametrize(
    "body",
    [
        TEXT,
        interactive(),
        post({"tag": "text", "text": "一行"}, {"tag": "a", "text": "看", "href": "https://a.cn"}),
        post({"tag": "at", "user_id": "all"}),
    ],
)
def test_text_post_and_card_are_taken(body: dict[str, Any]) -> None:
    assert code(body) == 0


@pytest.mark.parametrize(
    "body",
    [
        b"",
        b"not json",
        b"\xff\xfe",
        b"[" * 10_000,
        b'{"msg_type":"text","content":{"text":"\\ud800"}}',
        b'{"msg_type":"text","content":{"text":NaN}}',
        [],
        {"msg_type": "text"},
        {"msg_type": "text", "content": "你好"},
        {"msg_type": "text", "content": {"text": ""}},
        {"msg_type": "text", "content": {"text": 3}},
        {"msg_type": "post", "content": {"zh_cn": {"content": []}}},
        {"msg_type": "post", "content": {"post": {"zh_cn": {"content": "x"}}}},
        {"msg_type": "post", "content": {"post": {"zh_cn": {"content": ["x"]}}}},
        {"msg_type": "post", "content": {"post": {"zh_cn": {"content": []}, "xx": {}}}},
        post({"tag": "text"}),
        post({"tag": "a", "text": "x", "href": "javascript:1"}),
        post({"tag": "img"}),
        {"msg_type": "post", "content": {"post": {"zh_cn": {"content": [["x"]]}}}},
    ],
)
def test_a_wrong_shape_is_9499(body: object) -> None:
    assert code(body) == 9499


@pytest.mark.parametrize("kind", [{}, {"msg_type": "image"}, {"msg_type": 3}])
def test_a_missing_or_unknown_message_type_is_19002(kind: dict[str, object]) -> None:
    assert code({"content": {"text": "你好"}} | kind) == 19002


def test_more_than_20_kb_is_9499_and_exactly_20_kb_is_taken() -> None:
    frame = len(raw({"msg_type": "text", "content": {"text": ""}}))
    fits = {"msg_type": "text", "content": {"text": "a" * (MAX_BYTES - frame)}}
    assert len(raw(fits)) == 20_480
    assert code(fits) == 0
    fits["content"]["text"] += "a"  # type: ignore[index]
    assert code(fits) == 9499


def test_beyond_the_rate_everything_is_11232() -> None:
    assert code(TEXT, within_rate=False) == 11232


@pytest.mark.parametrize(
    "wrong",
    [
        "a card in a string",
        {"elements": []},
        card(schema="1.0"),
        card(i18n_elements={}),
        card(config={"unknown": 1}),
        card(header={"template": "blue", "ud_icon": {}}),
        card(header="标题"),
        card(header={"text_tag_list": [{"tag": "text_tag"}] * 4}),
        card(body={"elements": {}}),
        card(body={"elements": [], "extra": 1}),
        card(body=None),
    ],
)
def test_a_card_of_the_wrong_frame_is_11246(wrong: object) -> None:
    assert code({"msg_type": "interactive", "card": wrong}) == 11246


@pytest.mark.parametrize(
    ("element", "sub_code"),
    [
        ({"tag": "action", "actions": []}, "200861"),
        ({"tag": "note"}, "200861"),
        ({"tag": 3}, "200861"),
        ({"tag": "hr", "colour": "red"}, "200621"),
        ({"tag": "div", "text": {"tag": "plain_text"}}, "200621"),
        ({"tag": "button", "text": {"tag": "plain_text", "content": "x"}}, "200621"),
        ({"tag": "button", "text": {"tag": "plain_text", "content": "x" * 101}}, "200621"),
    ],
)
def test_a_refused_element_tells_its_sub_code(element: object, sub_code: str) -> None:
    assert sub_code in reason({"msg_type": "interactive", "card": card_with(element)})


@pytest.mark.parametrize(
    "behavior",
    [
        {"type": "callback", "value": {}},
        {"type": "open_url", "default_url": "lark://x"},
        {"type": "open_url"},
        "open_url",
    ],
)
def test_a_button_may_only_open_a_web_link(behavior: object) -> None:
    button = {
        "tag": "button",
        "text": {"tag": "plain_text", "content": "去"},
        "behaviors": [behavior],
    }
    assert code({"msg_type": "interactive", "card": card_with(button)}) == 11246


def test_more_than_200_components_are_refused() -> None:
    many = card(body={"elements": [{"tag": "hr"}] * 200})
    assert code({"msg_type": "interactive", "card": many}) == 0
    many["body"]["elements"].append({"tag": "hr"})
    assert "11310" in reason({"msg_type": "interactive", "card": many})


def test_a_card_nested_without_end_is_refused_not_crashed_on() -> None:
    deep: dict[str, Any] = {"tag": "hr"}
    for _ in range(200):
        deep = {"tag": "column", "elements": [deep]}
    assert code({"msg_type": "interactive", "card": card_with(deep)}) == 11246


def test_the_keyword_is_found_in_visible_text_alone() -> None:
    rules = BotRules(keywords=("smartmate.example", "摘要里的词"))
    assert code(interactive(), rules) == 19024
    assert code(interactive(), BotRules(keywords=("nope", "调整建议"))) == 0
    assert code(TEXT, BotRules(keywords=("你好",))) == 0
    link = post({"tag": "a", "text": "看", "href": "https://word.cn"})
    assert code(link, BotRules(keywords=("word",))) == 19024
    assert code(link, BotRules(keywords=("标题",))) == 0


def test_the_signature_is_looked_at_before_the_keyword() -> None:
    rules = BotRules("s3cr3t", ("nope",))
    assert code(TEXT, rules) == 19021
    assert code(signed(), rules) == 19024


json_values = st.recursive(
    st.none() | st.booleans() | st.integers() | st.text() | st.floats(allow_nan=False),
    lambda inner: (
        st.lists(inner, max_size=4)
        | st.dictionaries(
            st.sampled_from(["tag", "text", "content", "elements", "schema", "header", "x"]),
            inner,
            max_size=4,
        )
    ),
    max_leaves=12,
)


@settings(deadline=None)
@given(st.sampled_from(["text", "post", "interactive"]), json_values, json_values)
def test_any_body_gets_a_verdict(kind: str, content: object, elements: object) -> None:
    broken = card(body={"elements": [elements]}, header=content)
    body = {"msg_type": kind, "content": content, "card": broken, "sign": content}
    assert code(body, BotRules("s3cr3t", ("词",))) in (9499, 11246, 19021)


@given(st.binary(max_size=200))
def test_any_bytes_get_a_verdict(body: bytes) -> None:
    assert code(body) in (9499, 19002)
