import json
from dataclasses import replace
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from services.notification.domain.card import card_content, foot
from services.notification.domain.message import (
    MAX_BODY_BYTES,
    MAX_CONTENT_BYTES,
    Change,
    Content,
    Language,
    Message,
    clean,
    encoded,
    one_line,
    shortened,
    text_size,
    with_keyword,
)
from services.notification.domain.plain import post_content, text_content
from services.notification.domain.repeat import marked_as_repeat
from standins.feishu import body_shape, view

URL = "https://smartmate.example/active-schedule/previews/asp_3F8K"
MESSAGE = Message(
    title="SmartMate：有一条调整建议",
    summary="「概率论大作业」放到明天上午 3–4 节，可以吗？",
    changes=(Change("周二 3–4 节　空闲", "概率论大作业　10:15–11:55"),),
    valid_until="19:32 前有效，过后可以重新生成",
    button="看对照，再决定",
    url=URL,
    short_number="3F8K",
    subtitle="还没有写入日程，等你看过再定",
    tag="新增 1 项",
)


def seen(content: Content) -> view.View:
    """The content as a reader of Feishu sees it; also proves that it would be taken."""
    body: dict[str, Any] = json.loads(encoded(content))
    assert body_shape.check(body) is None
    return view.read(body)


def test_the_card_holds_title_summary_comparison_button_validity_and_number() -> None:
    card = seen(card_content(MESSAGE))
    assert card.title == "SmartMate：有一条调整建议"
    assert card.subtitle == "还没有写入日程，等你看过再定"
    assert card.tags == ("新增 1 项",)
    assert card.summary == MESSAGE.summary
    assert card.fields == (
        ("改前", "周二 3–4 节　空闲"),
        ("＋ 改后", "概率论大作业　10:15–11:55"),
    )
    assert card.links == (view.Link("看对照，再决定", URL),)
    assert card.blocks[-1] == view.Text(
        "19:32 前有效，过后可以重新生成 · 编号 3F8K", small=True, color="grey"
    )


def test_the_card_in_english_has_english_labels() -> None:
    card = seen(card_content(replace(MESSAGE, language=Language.EN_US)))
    assert [field[0] for field in card.fields] == ["Before", "+ After"]
    assert foot(replace(MESSAGE, language=Language.EN_US)).endswith("No. 3F8K")


def test_what_is_not_given_leaves_no_key_behind() -> None:
    plain = replace(MESSAGE, subtitle="", tag="", changes=(), valid_until="")
    header: Any = card_content(plain)["card"]
    assert set(header["header"]) == {"title", "template", "padding"}
    assert foot(plain) == "编号 3F8K"


def test_a_change_without_a_before_is_a_line_of_its_own() -> None:
    card = seen(card_content(replace(MESSAGE, changes=(Change("", "周二 3–4 节　概率论"),))))
    assert card.fields == ()
    assert card.blocks[1] == view.Text("周二 3–4 节　概率论")


def test_texts_of_people_stand_in_plain_text_alone() -> None:
    evil = "<at id=all></at> [点我](https://evil.example) **x**"
    hostile = replace(
        MESSAGE, title=evil, summary=evil, changes=(Change(evil, evil),), subtitle=evil, tag=evil
    )
    dumped = json.dumps(card_content(hostile))
    assert "lark_md" not in dumped
    assert "markdown" not in dumped
    assert seen(card_content(hostile)).links == (view.Link("看对照，再决定", URL),)


@pytest.mark.parametrize("count", [21, 60, 5000])
def test_changes_that_do_not_fit_are_counted_not_dropped(count: int) -> None:
    long = tuple(Change("改" * 300, f"{n}" + "后" * 300) for n in range(count))
    content = card_content(replace(MESSAGE, changes=long))
    card = seen(content)
    shown = len(card.fields) // 2
    assert 0 < shown < count
    texts = [block.content for block in card.blocks if isinstance(block, view.Text)]
    assert f"还有 {count - shown} 项，请在网页上看" in texts


@pytest.mark.parametrize("build", [post_content, text_content])
def test_lines_that_do_not_fit_are_counted_not_dropped(build: Any) -> None:
    long = tuple(Change("改" * 300, "后" * 300) for _ in range(500))
    content = build(replace(MESSAGE, changes=long))
    text = "\n".join(b.content for b in seen(content).blocks if isinstance(b, view.Text))
    shown = text.count("→")
    assert 0 < shown < 500
    assert f"还有 {500 - shown} 项，请在网页上看" in text


def test_the_post_says_the_same() -> None:
    post = seen(post_content(MESSAGE))
    texts = [block.content for block in post.blocks if isinstance(block, view.Text)]
    assert post.title == MESSAGE.title
    assert texts == [
        MESSAGE.summary,
        "· 周二 3–4 节　空闲 → 概率论大作业　10:15–11:55",
        "19:32 前有效，过后可以重新生成 · 编号 3F8K",
    ]
    assert post.links == (view.Link("看对照，再决定", URL),)
    english: Any = post_content(replace(MESSAGE, language=Language.EN_US))
    assert list(english["content"]["post"]) == ["en_us"]


def test_the_text_holds_every_line_and_the_link() -> None:
    text = seen(text_content(replace(MESSAGE, changes=(Change("", "一项"),)))).summary
    assert text.splitlines() == [
        MESSAGE.title,
        MESSAGE.summary,
        "· 一项",
        f"看对照，再决定: {URL}",
        "19:32 前有效，过后可以重新生成 · 编号 3F8K",
    ]


@pytest.mark.parametrize("build", [card_content, post_content, text_content])
@pytest.mark.parametrize("language", list(Language))
def test_a_repeat_is_marked_beside_the_number_and_changes_nothing_else(
    build: Any, language: Language
) -> None:
    content = build(replace(MESSAGE, language=language))
    before = encoded(content)
    marked = marked_as_repeat(content, language)
    assert encoded(content) == before
    mark = {"zh-CN": " · 补发：", "en-US": " · Sent again: "}[language]
    text = encoded(marked).decode()
    assert f"3F8K{mark}" in text
    assert len(encoded(marked)) - len(before) < 200
    seen(marked)


def test_the_keyword_goes_into_the_title_unless_it_is_there() -> None:
    assert with_keyword(MESSAGE, "建议") is MESSAGE
    assert with_keyword(MESSAGE, "") is MESSAGE
    assert with_keyword(MESSAGE, "日程").title == "日程｜SmartMate：有一条调整建议"


@given(st.text(max_size=100), st.text(max_size=300))
def test_the_keyword_survives_any_title(keyword: str, title: str) -> None:
    word = one_line(keyword, 10_000)
    message = with_keyword(replace(MESSAGE, title=title), keyword)
    assert word in seen(card_content(message)).title
    assert word in seen(post_content(message)).title


@pytest.mark.parametrize(
    "url",
    [
        "",
        "javascript:x",
        "/relative",
        "https://a b",
        "https://a/汉",
        "https://a/\n",
        "http://" + "a" * 1000,
    ],
)
def test_a_link_that_is_not_absolute_plain_and_short_is_a_mistake(url: str) -> None:
    with pytest.raises(ValueError, match="url"):
        replace(MESSAGE, url=url)


@pytest.mark.parametrize(
    ("text", "shown"),
    [
        ("  a\r\nb\tc ", "a\nb\tc"),
        ("a\x00b\x1b[31m\x7f\x85", "ab[31m"),
        ("a\u202eb\u2066c\u2069\ufeff\u2028", "abc"),
        ("\ud800x", "\ufffdx"),
        ("مرحبا 👨\u200d👩", "مرحبا 👨\u200d👩"),
    ],
)
def test_what_could_hide_or_reorder_text_is_taken_out(text: str, shown: str) -> None:
    assert clean(text) == shown


def test_a_single_line_stays_one() -> None:
    assert one_line("a\nb\tc", 100) == "a b c"


any_text = st.text() | st.sampled_from(
    [
        '"' * 2000,
        "\\" * 4000,
        "中" * 4000,
        "a" + "\u0301" * 4000,
        "\ud800\udfff",
        "👨\u200d" * 1000,
    ]
)


@given(any_text, st.integers(0, 3000))
def test_a_shortened_text_keeps_its_limit_in_encoded_bytes(text: str, limit: int) -> None:
    assert text_size(shortened(text, limit)) <= limit


messages = st.builds(
    Message,
    title=any_text,
    summary=any_text,
    changes=st.lists(st.builds(Change, any_text, any_text), max_size=40).map(tuple),
    valid_until=any_text,
    button=any_text,
    url=st.sampled_from([URL, "https://a.example/" + "x" * 900]),
    short_number=any_text,
    language=st.sampled_from(list(Language)),
    subtitle=any_text,
    tag=any_text,
)


@settings(deadline=None, max_examples=60)
@given(messages)
def test_any_message_gives_bodies_that_are_taken_and_small_enough(message: Message) -> None:
    for content in (card_content(message), post_content(message)):
        assert len(encoded(content)) <= MAX_CONTENT_BYTES
        links = seen(content).links
        assert [link.url for link in links] == [message.url]
        repeated = encoded(marked_as_repeat(content, message.language))
        # Timestamp, signature and their keys take less than 120 bytes.
        assert len(repeated) + 120 <= MAX_BODY_BYTES
    assert encoded(text_content(message))
