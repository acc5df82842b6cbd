"""A message to a person, before any channel's format, and the measure of what is sent."""

import json
import unicodedata
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from enum import StrEnum
from typing import TypeAlias

from services.notification.domain import graphemes

MAX_BODY_BYTES = 20_480
# Left free for what is added when it is sent: timestamp, signature, and the key of the provider.
RESERVED_BYTES = 512
MAX_CONTENT_BYTES = MAX_BODY_BYTES - RESERVED_BYTES
MAX_URL_LENGTH = 1000
MAX_KEYWORD_LENGTH = 100
# Holds the longest keyword, so that cutting a title never takes it away.
TITLE_BYTES = 420

Content: TypeAlias = Mapping[str, object]
"""The JSON object a channel sends, `msg_type` and payload, without signature: it may be frozen."""


class Language(StrEnum):
    """Languages a message may be written in."""

    ZH_CN = "zh-CN"
    EN_US = "en-US"


@dataclass(frozen=True, slots=True)
class Change:
    """One thing that would change. `before` empty: a line of its own, no comparison."""

    before: str
    after: str


@dataclass(frozen=True, slots=True)
class Message:
    """What a person is told. All texts are plain; the link is the only thing that can be followed.

    `valid_until` is a finished text ("19:32 前有效"), `short_number` what people quote and
    recognise a repeat by, `tag` a short mark beside the title.
    """

    title: str
    summary: str
    changes: tuple[Change, ...]
    valid_until: str
    button: str
    url: str
    short_number: str
    language: Language = Language.ZH_CN
    subtitle: str = ""
    tag: str = ""

    def __post_init__(self) -> None:
        is_link = self.url.startswith(("https://", "http://"))
        if not is_link or len(self.url) > MAX_URL_LENGTH or not _is_bare_ascii(self.url):
            raise ValueError("url: an absolute http(s) address of printable ASCII is needed")


def with_keyword(message: Message, keyword: str) -> Message:
    """The message with the bot's keyword in its title, where Feishu looks for it.

    The keyword comes first so that no cutting takes it away.
    """
    word = one_line(keyword, TITLE_BYTES)[:MAX_KEYWORD_LENGTH]
    if not word or word in one_line(message.title, TITLE_BYTES):
        return message
    return replace(message, title=f"{word}｜{message.title}")


def encoded(content: object) -> bytes:
    """The bytes that go over the wire: compact, UTF-8, nothing escaped that need not be."""
    return json.dumps(content, ensure_ascii=False, separators=(",", ":")).encode("utf-8")


def text_size(text: str) -> int:
    """Bytes a clean text takes inside an encoded body."""
    return len(encoded(text)) - 2


def fitting(pieces: Sequence[object], room: int) -> int:
    """How many of the first pieces fit into `room` bytes as members of a JSON list."""
    for count, piece in enumerate(pieces):
        room -= len(encoded(piece)) + 1
        if room < 0:
            return count
    return len(pieces)


def clean(text: str) -> str:
    """Fit for display: no controls but the line break, no text direction overrides.

    Lone surrogates become U+FFFD; what is left out could hide or reorder what stands beside it.
    """
    kept = (char for char in text.replace("\r\n", "\n") if not _is_unfit(char))
    return "".join("\ufffd" if _is_surrogate(char) else char for char in kept).strip()


def shortened(text: str, limit: int) -> str:
    """Clean and at most `limit` bytes in the body, cut between characters as readers see them."""
    return graphemes.cut(clean(text), limit, size=text_size)


def one_line(text: str, limit: int) -> str:
    """The same on a single line."""
    return shortened(text.translate(_BREAKS), limit)


_BREAKS = str.maketrans("\n\t", "  ")


def _is_bare_ascii(text: str) -> bool:
    return text.isascii() and text.isprintable() and " " not in text


def _is_unfit(char: str) -> bool:
    is_control = unicodedata.category(char) in ("Cc", "Zl", "Zp") and char not in "\n\t"
    return is_control or char in "\u202a\u202b\u202c\u202d\u202e\u2066\u2067\u2068\u2069\ufeff"


def _is_surrogate(char: str) -> bool:
    return 0xD800 <= ord(char) <= 0xDFFF
