"""Retention: deletes what has outlived its use, in small transactions, on any number of replicas.

Stored answers go after 7 days, inbox rows after 9; a service adds its own tables. Published
outbox rows are the relay's own affair.
"""

import asyncio
from collections.abc import Awaitable, Callable, Sequence
from dataclasses import dataclass
from typing import Protocol

from libs.db import requests
from libs.db.database import Database, Tx, is_away
from libs.outbox import inbox
from libs.telemetry import logs

_log = logs.get("outbox.retention")
_BATCH = 1000


class Prune(Protocol):
    """Deletes at most `limit` rows that are old enough; gives how many."""

    def __call__(self, tx: Tx, *, limit: int) -> Awaitable[int]: ...


KIT: tuple[Prune, ...] = (requests.prune, inbox.prune)
"""What every service has."""


@dataclass(frozen=True, slots=True)
class Retention:
    """`run` is a thin timer around `run_once`, which tests may call."""

    db: Database
    every_seconds: float
    prunes: Sequence[Prune] = KIT

    async def run(self, stop: asyncio.Event) -> None:
        """Prunes until `stop`; an absent database is waited for."""
        while not stop.is_set():
            try:
                while not stop.is_set() and await self.run_once() >= _BATCH:
                    continue
            except Exception as error:
                if not is_away(error):
                    raise
                _log.warning("retention_waits", error=repr(error))
            try:
                await asyncio.wait_for(stop.wait(), self.every_seconds)
            except TimeoutError:
                continue

    async def run_once(self) -> int:
        """One batch of each table; gives how many rows of the fullest went."""
        counts = [await self.db.run(_one(prune)) for prune in self.prunes]
        return max(counts, default=0)


def _one(prune: Prune) -> Callable[[Tx], Awaitable[int]]:
    return lambda tx: prune(tx, limit=_BATCH)
