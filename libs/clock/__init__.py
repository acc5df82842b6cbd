"""The one source of the present instant for code that is not inside a database.

Whatever decides expiry, leases or dedupe uses the database's clock; this one serves tokens,
signatures, logs and deadlines.
"""

from dataclasses import dataclass, field
from datetime import UTC, datetime, timedelta
from typing import Protocol


class Clock(Protocol):
    """Tells the present instant, aware and in UTC."""

    def now(self) -> datetime: ...


@dataclass(frozen=True, slots=True)
class SystemClock:
    """The machine's clock, shifted by `offset`; the shift is a development setting alone."""

    offset: timedelta = field(default=timedelta())

    def now(self) -> datetime:
        return datetime.now(UTC) + self.offset


@dataclass(slots=True)
class FixedClock:
    """A clock that stands still until it is set; for tests."""

    at: datetime

    def now(self) -> datetime:
        return self.at
