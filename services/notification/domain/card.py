"""The card of JSON 2.0 (design: card.json; facts: interfaces A.2).

Minimal keys, because 2.0 refuses unknown ones. Texts of people stand in `plain_text` alone, where
nothing in them is a link, a mention or markup.
"""

from typing import Any, TypeAlias

from services.notification.domain.message import (
    MAX_CONTENT_BYTES,
    TITLE_BYTES,
    Change,
    Content,
    Message,
    encoded,
    fitting,
    one_line,
    shortened,
)
from services.notification.domain.words import Words, words

SUBTITLE_BYTES = 240
TAG_BYTES = 60
PREVIEW_BYTES = 240
SUMMARY_BYTES = 3_000
CHANGE_BYTES = 420
BUTTON_BYTES = 100
FOOT_BYTES = 300
MAX_CHANGES = 20

Part: TypeAlias = dict[str, Any]
"""An element of a card."""


def card_content(message: Message) -> Content:
    """The body with the card, without signature, at most MAX_CONTENT_BYTES once encoded.

    Changes that do not fit are counted in a closing line; none is dropped silently.
    """
    language = words(message.language)
    changes = tuple(_change(change, language) for change in message.changes[:MAX_CHANGES])
    # Measured with the closing line in place, so that it fits as well.
    bare = _content(message, (), language)
    room = MAX_CONTENT_BYTES - len(encoded(bare))
    return _content(message, changes[: fitting(changes, room)], language)


def _content(message: Message, changes: tuple[Part, ...], language: Words) -> Content:
    return {
        "msg_type": "interactive",
        "card": {
            "schema": "2.0",
            "config": {"summary": {"content": one_line(message.summary, PREVIEW_BYTES)}},
            "header": _header(message),
            "body": {
                "vertical_spacing": "12px",
                "padding": "12px 12px 16px 12px",
                "elements": _elements(message, changes, language),
            },
        },
    }


def _header(message: Message) -> Part:
    header: Part = {
        "title": _plain(one_line(message.title, TITLE_BYTES)),
        "template": "blue",
        "padding": "12px 12px 12px 12px",
    }
    if subtitle := one_line(message.subtitle, SUBTITLE_BYTES):
        header["subtitle"] = _plain(subtitle)
    if tag := one_line(message.tag, TAG_BYTES):
        header["text_tag_list"] = [{"tag": "text_tag", "text": _plain(tag), "color": "blue"}]
    return header


def _elements(message: Message, changes: tuple[Part, ...], language: Words) -> list[Part]:
    elements = [_line(shortened(message.summary, SUMMARY_BYTES)), *changes]
    if hidden := len(message.changes) - len(changes):
        elements.append(_line(language.more.format(hidden), small=True, color="grey"))
    elements.append(_button(message))
    elements.append(_line(foot(message), small=True, color="grey"))
    return elements


def foot(message: Message) -> str:
    """Until when, and the short number."""
    language = words(message.language)
    number = one_line(message.short_number, TAG_BYTES)
    parts = [one_line(message.valid_until, FOOT_BYTES), language.number.format(number)]
    return " · ".join(part for part in parts if part)


def _change(change: Change, language: Words) -> Part:
    after = shortened(change.after, CHANGE_BYTES)
    if not change.before:
        return _line(after)
    return {
        "tag": "column_set",
        "flex_mode": "none",
        "horizontal_spacing": "8px",
        "columns": [
            _column(language.before, shortened(change.before, CHANGE_BYTES), "grey"),
            _column(language.after, after, "blue"),
        ],
    }


def _column(label: str, text: str, color: str) -> Part:
    return {
        "tag": "column",
        "width": "weighted",
        "weight": 1,
        "background_style": color,
        "padding": "8px 12px 8px 12px",
        "vertical_spacing": "2px",
        "elements": [_line(label, small=True, color=color), _line(text)],
    }


def _button(message: Message) -> Part:
    return {
        "tag": "button",
        "type": "primary_filled",
        "width": "fill",
        "text": _plain(one_line(message.button, BUTTON_BYTES)),
        "behaviors": [{"type": "open_url", "default_url": message.url}],
    }


def _line(text: str, *, small: bool = False, color: str = "") -> Part:
    run = _plain(text)
    if small:
        run["text_size"] = "notation"
    if color:
        run["text_color"] = color
    return {"tag": "div", "text": run}


def _plain(text: str) -> Part:
    return {"tag": "plain_text", "content": text}
