"""Instants, texts, ids and pages between proto and domain."""

import unicodedata
from collections.abc import Mapping
from datetime import UTC, datetime
from typing import TypeVar

from google.protobuf.timestamp_pb2 import Timestamp

from libs.rpc.errors import invalid

K = TypeVar("K")
V = TypeVar("V")

MAX_ID_LENGTH = 64
MAX_PAGE = 200
DEFAULT_PAGE = 50
MAX_NUMBER = 2**63 - 1


def inverse(table: Mapping[K, V]) -> dict[V, K]:
    """The table read the other way."""
    return {value: key for key, value in table.items()}


def timestamp(at: datetime | None) -> Timestamp | None:
    """For a message field that may be absent."""
    if at is None:
        return None
    stamp = Timestamp()
    stamp.FromDatetime(at.astimezone(UTC))
    return stamp


def instant(stamp: Timestamp) -> datetime:
    """Aware, in UTC. Raises ValueError or OverflowError for what is no instant."""
    return stamp.ToDatetime(tzinfo=UTC)


def checked_id(value: str, field: str) -> str:
    """A client-made or server-made id: 1..64 printable characters."""
    if not 1 <= len(value) <= MAX_ID_LENGTH or not value.isprintable():
        raise invalid(field, f"must be 1..{MAX_ID_LENGTH} printable characters")
    return value


def checked_number(value: int, field: str) -> int:
    """The id of a row."""
    if value <= 0:
        raise invalid(field, "must be greater than 0")
    return value


def checked_text(value: str, field: str, *, least: int, most: int) -> str:
    """A line of text out of a request: spaces around it do not count, controls are refused."""
    text = value.strip()
    if not least <= len(text) <= most:
        raise invalid(field, f"must be {least}..{most} characters")
    if any(unicodedata.category(char) in ("Cc", "Cs", "Zl", "Zp") for char in text):
        raise invalid(field, "must not hold control characters")
    return text


def page_size(value: int) -> int:
    """0 means the default; too large a page is capped, not refused."""
    if value < 0:
        raise invalid("page_size", "must not be negative")
    return min(value or DEFAULT_PAGE, MAX_PAGE)


def page_numbers(token: str, count: int) -> tuple[int, ...] | None:
    """The numbers that a page token stands for, None for the first page."""
    if not token:
        return None
    parts = token.split(":")
    if len(parts) != count or not all(_is_number(part) for part in parts):
        raise invalid("page_token", "must be the next_page_token of an earlier answer")
    return tuple(int(part) for part in parts)


def page_token(*numbers: int) -> str:
    return ":".join(str(number) for number in numbers)


def _is_number(text: str) -> bool:
    return text.isascii() and text.isdecimal() and len(text) <= 19 and int(text) <= MAX_NUMBER
