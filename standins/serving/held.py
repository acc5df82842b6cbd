"""Answers that are kept back until somebody lets them go."""

import asyncio
from dataclasses import dataclass, field


@dataclass(slots=True)
class Held:
    """Answers that wait for release, each under a number and a key."""

    _waiting: dict[int, tuple[str, asyncio.Future[bool]]] = field(default_factory=dict)

    def __len__(self) -> int:
        return len(self._waiting)

    async def hold(self, number: int, key: str) -> bool:
        """Return when the answer may go (True), or is given up (False)."""
        released: asyncio.Future[bool] = asyncio.get_running_loop().create_future()
        self._waiting[number] = (key, released)
        try:
            return await released
        finally:
            del self._waiting[number]

    def release(self, key: str | None = None) -> int:
        """Let held answers go, of one key or all; returns how many."""
        return self._end(key, answer=True)

    def drop(self) -> int:
        """Give up on held answers: their connections are cut."""
        return self._end(None, answer=False)

    def _end(self, key: str | None, *, answer: bool) -> int:
        chosen = [
            released
            for name, released in self._waiting.values()
            if key in (None, name) and not released.done()
        ]
        for released in chosen:
            released.set_result(answer)
        return len(chosen)
