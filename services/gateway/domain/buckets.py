"""Token buckets: how fast one address or one user may ask."""

import math
from dataclasses import dataclass, field


@dataclass(frozen=True, slots=True)
class Rate:
    """`per_second` requests in the long run, `burst` at once."""

    per_second: float
    burst: int


@dataclass(slots=True)
class Buckets:
    """One bucket per key. Keys that are full again are forgotten; at most `most_keys` are kept."""

    rate: Rate
    most_keys: int = 10_000
    _kept: dict[str, tuple[float, float]] = field(default_factory=dict)
    """Key → (tokens, instant of that count)."""

    def take(self, key: str, now: float) -> int:
        """Takes a token: 0 when there was one, else the whole seconds until there is one.

        `now` is in seconds of a clock that never goes back.
        """
        tokens = self._tokens(key, now)
        self._kept.pop(key, None)
        if len(self._kept) >= self.most_keys:
            self._forget(now)
        if tokens < 1:
            self._kept[key] = (tokens, now)
            return max(1, math.ceil((1 - tokens) / self.rate.per_second))
        self._kept[key] = (tokens - 1, now)
        return 0

    def _tokens(self, key: str, now: float) -> float:
        tokens, at = self._kept.get(key, (float(self.rate.burst), now))
        return min(float(self.rate.burst), tokens + (now - at) * self.rate.per_second)

    def _forget(self, now: float) -> None:
        """Drops full buckets, and the longest untouched ones when that was not enough."""
        full = [key for key in self._kept if self._tokens(key, now) >= self.rate.burst]
        for key in full or list(self._kept)[: self.most_keys // 10 + 1]:
            del self._kept[key]
