"""Dead letters once more: the handler of their consumer, under the same event id.

Source: spec architecture.md, Failure. Nothing is published: what else hears the event has settled
it for itself. A letter that was parked wrongly twice over is guarded by the inbox, as any
redelivery.
"""

from collections.abc import AsyncGenerator, Callable, Sequence
from dataclasses import dataclass
from enum import StrEnum
from typing import Any

from libs.db.database import Database, Tx
from libs.events import envelope
from libs.events.consumer import Hearer
from libs.events.contract import contract
from libs.outbox import dead_letters
from libs.outbox.dead_letters import Letter
from libs.telemetry import logs

_log = logs.get("outbox.replay")


class Fate(StrEnum):
    """What became of a letter that was to be replayed."""

    HANDLED = "handled"
    REPLAYED_BEFORE = "replayed_before"
    NOT_FOUND = "not_found"
    NOT_HEARD = "not_heard"
    """This service has no such consumer any more."""
    FAILED = "failed"


@dataclass(frozen=True, slots=True)
class Replayed:
    """One letter and its fate; `detail` names an error, and holds no content of the event."""

    id: int
    fate: Fate
    consumer: str = ""
    event_id: str = ""
    detail: str = ""


@dataclass(frozen=True, slots=True)
class Replay:
    """Replays the dead letters of one service.

    An error for which `is_away` holds is raised: it says nothing about the letter. Any other one
    is the letter's fate, and leaves it where it is.
    """

    db: Database
    service: str
    hearers: Sequence[Hearer[Any]]
    is_away: Callable[[BaseException], bool]

    async def one(self, id_: int) -> Replayed:
        """The letter with this id."""
        async with self.db.transaction() as tx:
            letter = await dead_letters.get(tx, id_)
        return await self._replay(letter) if letter else Replayed(id_, Fate.NOT_FOUND)

    async def every(self) -> AsyncGenerator[Replayed, None]:
        """Each letter that was not replayed yet, the oldest first."""
        after = 0
        while letters := await self._waiting(after):
            for letter in letters:
                yield await self._replay(letter)
            after = letters[-1].id

    async def _waiting(self, after: int) -> Sequence[Letter]:
        async with self.db.transaction() as tx:
            return await dead_letters.waiting(tx, after=after)

    async def _replay(self, letter: Letter) -> Replayed:
        if letter.replayed_at is not None:
            return _told(letter, Fate.REPLAYED_BEFORE)
        hearer = self._hearer(letter.consumer)
        if hearer is None:
            return _told(letter, Fate.NOT_HEARD)
        try:
            # Read again as well: what could not be read then may be readable now.
            delivery = envelope.read(
                hearer.kind,
                letter.payload,
                letter.headers,
                consumer=letter.consumer,
                delivered=letter.delivered + 1,
            )
            await hearer.handle(delivery)
        except Exception as error:
            if self.is_away(error):
                raise
            _log.error("replay_failed", letter=letter.id, exc_info=error)
            return _told(letter, Fate.FAILED, f"{type(error).__name__}: {error}"[:500])
        marked = await self.db.run(lambda tx: _mark(tx, letter))
        return _told(letter, Fate.HANDLED if marked else Fate.REPLAYED_BEFORE)

    def _hearer(self, consumer: str) -> Hearer[Any] | None:
        for hearer in self.hearers:
            if contract(hearer.kind).durable(self.service) == consumer:
                return hearer
        return None


async def _mark(tx: Tx, letter: Letter) -> bool:
    return await dead_letters.mark_replayed(tx, letter.id)


def _told(letter: Letter, fate: Fate, detail: str = "") -> Replayed:
    _log.info("replayed", letter=letter.id, event_id=letter.event_id, fate=fate.value)
    return Replayed(letter.id, fate, letter.consumer, letter.event_id, detail)
