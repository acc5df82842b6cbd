"""Several messages as one (spec: notification.md, Batches).

The first message of a user goes out at once and opens a window; what follows within it waits for
the others and goes out with them.
"""

from dataclasses import dataclass
from datetime import datetime, timedelta

from services.notification.domain.request import Request


@dataclass(frozen=True, slots=True)
class Window:
    """`length` 0: every message goes out by itself.

    A batch goes out at the end of its window, `margin` before the first of its members ends, or
    when it holds `most`, whichever comes first.
    """

    length: timedelta = timedelta(minutes=5)
    margin: timedelta = timedelta(minutes=10)
    most: int = 50

    def due(self, *, ends_at: datetime, valid_until: datetime, members: int) -> datetime | None:
        """When a batch goes out after a member joined it; None: now.

        `members` counts the one that joined, which is valid until `valid_until`.
        """
        return None if members >= self.most else min(ends_at, valid_until - self.margin)


@dataclass(frozen=True, slots=True)
class Member:
    """A message that waits in a batch, by its record."""

    record_id: int
    request: Request
