"""When to try again (spec: notification.md, Outcome)."""

from dataclasses import dataclass
from datetime import datetime, timedelta


@dataclass(frozen=True, slots=True)
class Pace:
    """Delays grow from `base` by doubling up to `cap`."""

    base: timedelta = timedelta(seconds=5)
    cap: timedelta = timedelta(minutes=5)

    def ceiling(self, attempts: int) -> timedelta:
        """The longest delay after this many attempts (1 and up)."""
        # Thirty doublings of any base lie beyond any cap; more would overflow a timedelta.
        doublings = min(max(attempts, 1) - 1, 30)
        factor = 1 << doublings
        return self.cap if self.base > self.cap / factor else self.base * factor


DEFAULT_PACE = Pace()


def next_attempt(
    now: datetime,
    attempts: int,
    *,
    valid_until: datetime,
    jitter: float,
    at_least: timedelta | None = None,
    pace: Pace = DEFAULT_PACE,
) -> datetime | None:
    """The moment of the next attempt, or None: by then the link would be dead.

    `attempts` is how many were made. `jitter` is a random number from 0 to 1 and takes that part
    of the ceiling (full jitter). `at_least` is what the provider asked to wait.
    """
    delay = pace.ceiling(attempts) * min(max(jitter, 0.0), 1.0)
    if at_least is not None:
        delay = max(delay, at_least)
    # Compared before it is added: a provider may ask for a delay beyond the end of the calendar.
    if delay >= valid_until - now:
        return None
    return now + delay
