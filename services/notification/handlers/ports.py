"""What use cases ask of the world outside, told in domain terms."""

from typing import Protocol

from libs.db.database import Tx
from services.notification.domain.answer import Answer
from services.notification.domain.stored import Record


class Previews(Protocol):
    """active_scheduler, as far as this service needs it."""

    async def preview(self, user_id: int, preview_id: str) -> Answer: ...


class Announce(Protocol):
    """Facts told in the transaction that made them true."""

    async def settled(self, tx: Tx, record: Record) -> None: ...
