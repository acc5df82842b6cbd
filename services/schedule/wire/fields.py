"""Checks of single fields. Each raises InvalidRequest with the name of the field."""

import re
from collections.abc import Mapping
from datetime import UTC, date, datetime, time, timedelta
from typing import TypeVar

from google.protobuf.duration_pb2 import Duration
from google.protobuf.timestamp_pb2 import Timestamp

from libs.rpc.errors import invalid

_DATE = re.compile(r"[0-9]{4}-[0-9]{2}-[0-9]{2}")
_EPOCH = datetime(1970, 1, 1, tzinfo=UTC)
# What the calendar can hold: from 1970 to the end of 2200.
_SECONDS_END = int((datetime(2201, 1, 1, tzinfo=UTC) - _EPOCH).total_seconds())
_NANOS_END = 1_000_000_000
_LONGEST_ID = 64
_LAST_MINUTE = 23 * 60 + 59

V = TypeVar("V")


def text(name: str, value: str, *, longest: int) -> str:
    """Text of 1..longest characters that the database can hold; not blank."""
    if not value.strip():
        raise invalid(name, "must not be empty")
    return optional_text(name, value, longest=longest)


def optional_text(name: str, value: str, *, longest: int) -> str:
    """Text of 0..longest characters that the database can hold."""
    if len(value) > longest:
        raise invalid(name, f"must have at most {longest} characters")
    if "\0" in value:
        raise invalid(name, "must not contain NUL")
    return value


def request_id(value: str) -> str:
    """The caller's name for one attempt."""
    return text("request_id", value, longest=_LONGEST_ID)


def row_id(name: str, value: int) -> int:
    """The id of a row."""
    if value < 1:
        raise invalid(name, "must be greater than 0")
    return value


def optional_id(name: str, value: int) -> int:
    """The id of a row, or 0 for none."""
    if value < 0:
        raise invalid(name, "must not be negative")
    return value


def within(name: str, value: int, lowest: int, highest: int) -> int:
    """A whole number in a range, both ends included."""
    if not lowest <= value <= highest:
        raise invalid(name, f"must be {lowest} to {highest}")
    return value


def time_of_day(name: str, minute: int) -> time:
    """A time of day as minutes after midnight."""
    return time(*divmod(within(name, minute, 0, _LAST_MINUTE), 60))


def minute_of_day(at: time) -> int:
    """Minutes after midnight."""
    return at.hour * 60 + at.minute


def if_version(name: str, value: int) -> int | None:
    """The version that the caller has seen, None for whatever is there."""
    if value < 0:
        raise invalid(name, "must not be negative")
    return value or None


def known(name: str, number: int, values: Mapping[int, V]) -> V:
    """The value that a number of an enum stands for."""
    if number not in values:
        raise invalid(name, "must be a known value")
    return values[number]


def iso_date(name: str, value: str) -> date:
    """A date as YYYY-MM-DD."""
    if _DATE.fullmatch(value):
        try:
            return date.fromisoformat(value)
        except ValueError as error:
            raise invalid(name, "is no date") from error
    raise invalid(name, "must be YYYY-MM-DD")


def instant(name: str, value: Timestamp) -> datetime:
    """An instant from 1970 to 2200; what is finer than a microsecond is cut off."""
    if not (0 <= value.seconds < _SECONDS_END and 0 <= value.nanos < _NANOS_END):
        raise invalid(name, "must lie in the years 1970 to 2200")
    return _EPOCH + timedelta(seconds=value.seconds, microseconds=value.nanos // 1000)


def length_of_time(name: str, value: Duration, *, longest: timedelta) -> timedelta:
    """A positive length of time, at most `longest`."""
    seconds = longest.total_seconds()
    if not (0 <= value.seconds <= seconds and 0 <= value.nanos < _NANOS_END):
        raise invalid(name, f"must be greater than 0 and at most {int(seconds)} s")
    found = timedelta(seconds=value.seconds, microseconds=value.nanos // 1000)
    if not timedelta() < found <= longest:
        raise invalid(name, f"must be greater than 0 and at most {int(seconds)} s")
    return found


def timestamp(value: datetime) -> Timestamp:
    """An instant, which knows its zone, on the wire."""
    since = value - _EPOCH
    return Timestamp(seconds=since.days * 86_400 + since.seconds, nanos=since.microseconds * 1000)
