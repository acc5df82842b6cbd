"""Rate limits of a bot: so many per second and per minute, counted per token."""

from collections import deque
from dataclasses import dataclass, field


@dataclass(frozen=True, slots=True)
class Limits:
    """Requests allowed in any second and in any minute; 0 lifts that limit."""

    per_second: int = 5
    per_minute: int = 100


@dataclass(slots=True)
class Rates:
    """Sliding windows over the requests let through."""

    limits: Limits
    _seen: dict[str, deque[float]] = field(default_factory=dict)

    def admit(self, token: str, *, now: float) -> bool:
        """Whether a request at `now` (monotonic seconds) is within the limits; counts it if so."""
        if self.limits.per_second <= 0 and self.limits.per_minute <= 0:
            return True
        seen = self._seen.setdefault(token, deque())
        while seen and seen[0] <= now - 60:
            seen.popleft()
        last_second = sum(1 for moment in seen if moment > now - 1)
        if _full(last_second, self.limits.per_second) or _full(len(seen), self.limits.per_minute):
            return False
        seen.append(now)
        return True


def _full(count: int, limit: int) -> bool:
    return limit > 0 and count >= limit
