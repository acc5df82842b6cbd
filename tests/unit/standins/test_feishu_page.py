import base64
import hashlib
import re
from dataclasses import replace
from datetime import UTC, datetime
from typing import Any

from hypothesis import given
from hypothesis import strategies as st

from standins.feishu import page, view
from standins.feishu.mailbox import Mailbox, Received
from standins.feishu.view import Column, Columns, Link, Text
from tests.unit.standins.feishu_bodies import card, card_with, interactive, post

RECEIVED = Received(
    number=1,
    token="abcdefghijklmnopqrstuvwxyz",
    received_at=datetime(2026, 3, 2, 10, 32, tzinfo=UTC),
    size=2300,
    accepted=True,
    code=0,
    msg="success",
    signature="verified",
    fault="",
    body=interactive(),
    answered=True,
)


def shown(body: dict[str, Any] | None, **changes: Any) -> str:
    return page.render([replace(RECEIVED, body=body, **changes)], version=7).decode()


def test_a_card_is_read_as_its_reader_sees_it() -> None:
    header = card()["header"] | {
        "subtitle": {"tag": "plain_text", "content": "还没有写入日程"},
        "text_tag_list": [{"tag": "text_tag", "text": {"tag": "plain_text", "content": "新增"}}],
    }
    seen = view.read({"msg_type": "interactive", "card": card(header=header)})
    assert (seen.title, seen.subtitle) == ("SmartMate：有一条调整建议", "还没有写入日程")
    assert seen.tags == ("新增",)
    assert seen.summary == "放到明天上午，可以吗？"
    assert seen.fields == (("周二 3–4 节",),)
    assert seen.links == (Link("看对照，再决定", "https://smartmate.example/p/asp_1"),)
    assert seen.blocks[1] == Columns((Column("grey", (Text("周二 3–4 节"),)),))


def test_a_post_and_a_text_are_read_too() -> None:
    seen = view.read(
        post({"tag": "text", "text": "一行"}, {"tag": "a", "text": "看", "href": "https://a.cn"})
    )
    assert seen.title == "标题"
    assert seen.blocks == (Text("一行"), Link("看", "https://a.cn"))
    assert view.read({"msg_type": "text", "content": {"text": "你好"}}).summary == "你好"


def test_markdown_is_shown_as_it_was_written() -> None:
    body = {"card": card_with({"tag": "markdown", "content": "**粗** <at id=all></at>"})}
    assert view.read(body).summary == "**粗** <at id=all></at>"
    assert "&lt;at id=all&gt;" in shown(body)


def test_what_cannot_be_read_is_empty() -> None:
    bodies: list[dict[str, Any] | None] = [None, {}, {"card": []}]
    bodies.append({"card": {"body": {"elements": [3, {"tag": "x"}]}}})
    for body in bodies:
        assert view.read(body).title == ""


def test_the_page_shows_title_summary_fields_link_signature_and_time() -> None:
    html = shown(interactive())
    for part in (
        "SmartMate：有一条调整建议",
        "放到明天上午，可以吗？",
        "周二 3–4 节",
        'href="https://smartmate.example/p/asp_1"',
        "签名有效",
        "signature verified",
        RECEIVED.received_at.astimezone().strftime("%m-%d %H:%M:%S"),
        "收下 1 · 拒收 0",
    ):
        assert part in html


def test_the_page_hides_the_middle_of_a_token() -> None:
    html = shown(interactive())
    assert RECEIVED.token not in html
    assert "abcd…wxyz" in html


def test_a_refused_message_tells_code_and_fault() -> None:
    html = shown(
        interactive(),
        accepted=False,
        code=19021,
        msg="sign match fail",
        signature="wrong",
        fault="delay 5 ms",
        answered=False,
    )
    for part in ("code 19021: sign match fail", "签名不符", "delay 5 ms", "没有回答", "拒收"):
        assert part in html


def test_an_empty_page_says_so_in_both_languages() -> None:
    html = page.render([], version=0).decode()
    assert "还没有收到消息" in html
    assert "Nothing yet" in html


def test_only_the_newest_are_shown_newest_first() -> None:
    many = [replace(RECEIVED, number=n) for n in range(1, 61)]
    html = page.render(many, version=60).decode()
    numbers = [int(n) for n in re.findall(r'<article id="m(\d+)"', html)]
    assert numbers == list(range(60, 10, -1))


def test_a_link_that_is_not_of_the_web_is_not_followed() -> None:
    button = {
        "tag": "button",
        "text": {"tag": "plain_text", "content": "去"},
        "behaviors": [{"type": "open_url", "default_url": "javascript:alert(1)"}],
    }
    html = shown({"card": card_with(button)})
    assert "href=" not in html.split("<main>")[1]
    assert "javascript:alert(1)" in html


def test_markup_in_any_text_stays_text() -> None:
    evil = "<script>alert(1)</script>\"'><img src=x>"
    body = {
        "card": {
            "header": {
                "title": {"content": evil},
                "subtitle": {"content": evil},
                "text_tag_list": [{"text": {"content": evil}}],
            },
            "body": {
                "elements": [
                    {"tag": "div", "text": {"content": evil, "text_color": evil}},
                    {"tag": "column_set", "columns": [{"background_style": evil, "elements": []}]},
                    {
                        "tag": "button",
                        "text": {"content": evil},
                        "behaviors": [{"default_url": "https://a.cn/" + evil}],
                    },
                ]
            },
        }
    }
    html = shown(body, msg=evil, code=1, fault=evil, token=evil)
    main = html.split("<main>")[1].split("</main>")[0]
    assert "<script" not in main
    assert "<img" not in main


@given(st.text() | st.just("\ud800\0"), st.text())
def test_any_text_gives_a_page(text: str, url: str) -> None:
    button = {
        "tag": "button",
        "text": {"content": text},
        "behaviors": [{"default_url": url}],
    }
    body = {"card": {"header": {"title": {"content": text}}, "body": {"elements": [button]}}}
    html = shown(body)
    assert "\0" not in html
    assert html.count("<article") == 1


def test_the_security_policy_allows_exactly_the_pages_own_style_and_script() -> None:
    html = page.render([], version=0).decode()
    policy = dict(page.HEADERS)["Content-Security-Policy"]
    for tag in ("style", "script"):
        inner = html.split(f"<{tag}>")[1].split(f"</{tag}>")[0]
        digest = base64.b64encode(hashlib.sha256(inner.encode()).digest()).decode()
        assert f"{tag}-src 'sha256-{digest}'" in policy
    assert "style=" not in html
    assert "http://" not in html
    assert "https://" not in html


def test_the_mailbox_forgets_the_oldest_and_selects() -> None:
    box = Mailbox(keep=3)
    for number in range(1, 6):
        box.add(replace(RECEIVED, number=number, token="a" if number % 2 else "b"))
    assert [item.number for item in box.select()] == [3, 4, 5]
    assert [item.number for item in box.select(key="a", after=3)] == [5]
    before = box.version
    box.answered(1)
    assert box.version == before
    assert box.clear() == 3
    assert box.select() == ()
    assert box.version > before
