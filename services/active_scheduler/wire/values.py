"""Instants, texts, ids and enums between proto and domain."""

from collections.abc import Mapping
from datetime import UTC, datetime
from typing import TypeVar

from google.protobuf.timestamp_pb2 import Timestamp

from libs.planning.grid import Target, TargetKind
from libs.rpc.errors import invalid
from services.active_scheduler.domain.text import Text
from smartmate.schedule.v1 import change_pb2
from smartmate.text.v1.localized_text_pb2 import LocalizedText

K = TypeVar("K")
V = TypeVar("V")

MAX_ID_LENGTH = 64
MAX_PAGE = 200
DEFAULT_PAGE = 50

TARGET_KINDS = {
    change_pb2.TARGET_KIND_TASK_POOL: TargetKind.TASK_POOL,
    change_pb2.TARGET_KIND_TASK_ITEM: TargetKind.TASK_ITEM,
    change_pb2.TARGET_KIND_SCHEDULE_EVENT: TargetKind.SCHEDULE_EVENT,
}


def inverse(table: Mapping[K, V]) -> dict[V, K]:
    """The table read the other way."""
    return {value: key for key, value in table.items()}


_TARGET_KIND_NUMBERS = inverse(TARGET_KINDS)


def timestamp(at: datetime | None) -> Timestamp | None:
    """For a message field that may be absent."""
    if at is None:
        return None
    stamp = Timestamp()
    stamp.FromDatetime(at.astimezone(UTC))
    return stamp


def instant(stamp: Timestamp) -> datetime:
    """Aware, in UTC."""
    return stamp.ToDatetime(tzinfo=UTC)


def checked_instant(stamp: Timestamp, field: str) -> datetime:
    """An instant out of a request: from 1970 to 2200."""
    try:
        at = instant(stamp)
    except (ValueError, OverflowError) as error:
        raise invalid(field, "is not an instant") from error
    if not 1970 <= at.year <= 2200:
        raise invalid(field, "must lie between 1970 and 2200")
    return at


def localized(text: Text) -> LocalizedText:
    return LocalizedText(zh_cn=text.zh, en_us=text.en)


def target(message: change_pb2.Target) -> Target:
    """A target out of a trusted message."""
    return Target(TARGET_KINDS[message.kind], message.id)


def checked_target(message: change_pb2.Target, field: str = "target") -> Target:
    """A target out of a request."""
    if message.kind not in TARGET_KINDS:
        raise invalid(f"{field}.kind", "must be a known kind of target")
    if message.id <= 0:
        raise invalid(f"{field}.id", "must be greater than 0")
    return target(message)


def target_message(value: Target) -> change_pb2.Target:
    return change_pb2.Target(kind=_TARGET_KIND_NUMBERS[value.kind], id=value.id)


def checked_id(value: str, field: str) -> str:
    """A client-made or server-made id: 1..64 printable characters."""
    if not 1 <= len(value) <= MAX_ID_LENGTH or not value.isprintable():
        raise invalid(field, f"must be 1..{MAX_ID_LENGTH} printable characters")
    return value


def page_size(value: int) -> int:
    """0 means the default; too large a page is capped, not refused."""
    if value < 0:
        raise invalid("page_size", "must not be negative")
    return min(value or DEFAULT_PAGE, MAX_PAGE)


def page_before(token: str) -> int:
    """The sequence that a page token stands for."""
    if not token:
        return 2**63 - 1
    if not token.isdecimal() or not token.isascii() or len(token) > 19:
        raise invalid("page_token", "must be the next_page_token of an earlier answer")
    return min(int(token), 2**63 - 1)
