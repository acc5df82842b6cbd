"""Wakes those who follow a run in this process; a hint, nothing rests on it."""

import asyncio
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field


@dataclass(slots=True)
class Wakes:
    """An event for each who listens, by run."""

    _listening: dict[str, set[asyncio.Event]] = field(default_factory=dict)

    @contextmanager
    def listening(self, run_id: str) -> Iterator[asyncio.Event]:
        """An event that is set whenever something of the run was stored."""
        event = asyncio.Event()
        self._listening.setdefault(run_id, set()).add(event)
        try:
            yield event
        finally:
            others = self._listening[run_id]
            others.discard(event)
            if not others:
                del self._listening[run_id]

    def wake(self, run_id: str) -> None:
        """Something of the run was stored."""
        for event in self._listening.get(run_id, ()):
            event.set()
