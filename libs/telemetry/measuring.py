"""Gauges that a loop sets now and then, so that a scrape asks nobody."""

import time
from dataclasses import dataclass, field

SECONDS = 5.0
"""Between two measurements, where nobody says otherwise."""


@dataclass(slots=True)
class Every:
    """Tells a loop whether it is time to measure again; the first time it is."""

    seconds: float = SECONDS
    _next_at: float = field(default=float("-inf"), init=False)

    def is_due(self) -> bool:
        """True once for each so many seconds: what fails is measured at the next time."""
        now = time.monotonic()
        if now < self._next_at:
            return False
        self._next_at = now + self.seconds
        return True
