"""Instants, texts, ids and pages between proto and domain."""

import unicodedata
from collections.abc import Mapping
from datetime import UTC, datetime
from typing import TypeVar

from google.protobuf.timestamp_pb2 import Timestamp

from libs.rpc.errors import invalid
from services.agent.domain.text import Text
from smartmate.text.v1.localized_text_pb2 import LocalizedText

K = TypeVar("K")
V = TypeVar("V")

MAX_ID_LENGTH = 64
MAX_PAGE = 200
DEFAULT_PAGE = 50
MAX_NUMBER = 2**63 - 1


def inverse(table: Mapping[K, V]) -> dict[V, K]:
    """The table read the other way."""
    return {value: key for key, value in table.items()}


def timestamp(at: datetime) -> Timestamp:
    stamp = Timestamp()
    stamp.FromDatetime(at.astimezone(UTC))
    return stamp


def checked_instant(stamp: Timestamp, field: str) -> datetime:
    """An instant out of a request, aware, in UTC: from 1970 to 2200."""
    try:
        at = stamp.ToDatetime(tzinfo=UTC)
    except (ValueError, OverflowError) as error:
        raise invalid(field, "is not an instant") from error
    if not 1970 <= at.year <= 2200:
        raise invalid(field, "must lie between 1970 and 2200")
    return at


def localized(text: Text) -> LocalizedText:
    return LocalizedText(zh_cn=text.zh, en_us=text.en)


def checked_both(message: LocalizedText, field: str, *, most: int) -> Text:
    """A text of a template, bounded; both languages may be empty."""
    for value, name in ((message.zh_cn, "zh_cn"), (message.en_us, "en_us")):
        if len(value) > most:
            raise invalid(f"{field}.{name}", f"must be at most {most} characters")
    return Text(message.zh_cn, message.en_us)


def checked_id(value: str, field: str, *, most: int = MAX_ID_LENGTH) -> str:
    """A client-made or server-made id: printable characters, at least one."""
    if not 1 <= len(value) <= most or not value.isprintable():
        raise invalid(field, f"must be 1..{most} printable characters")
    return value


def checked_text(value: str, field: str, *, least: int, most: int) -> str:
    """A line of text out of a request: spaces around it do not count, controls are refused."""
    text = value.strip()
    if not least <= len(text) <= most:
        raise invalid(field, f"must be {least}..{most} characters")
    if any(unicodedata.category(char) in ("Cc", "Cs", "Zl", "Zp") for char in text):
        raise invalid(field, "must not hold control characters")
    return text


def page_size(value: int, *, default: int = DEFAULT_PAGE, most: int = MAX_PAGE) -> int:
    """0 means the default; too large a page is capped, not refused."""
    if value < 0:
        raise invalid("page_size", "must not be negative")
    return min(value or default, most)


def page_before(token: str) -> int:
    """The id that a page token stands for."""
    if not token:
        return MAX_NUMBER
    if not (token.isascii() and token.isdecimal() and len(token) <= 19):
        raise invalid("page_token", "must be the next_page_token of an earlier answer")
    return min(int(token), MAX_NUMBER)
