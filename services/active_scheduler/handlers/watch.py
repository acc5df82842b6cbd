"""Watching a preview: its state now, and again at each change."""

import asyncio
from collections.abc import AsyncIterator
from dataclasses import dataclass

from libs.db.database import Database
from libs.events.hints import Hints, Waiter
from services.active_scheduler.domain.errors import ShuttingDown
from services.active_scheduler.domain.preview import Preview, PreviewState
from services.active_scheduler.handlers import previews

# How often a watch reads although no hint came. Source: spec architecture.md, Hints.
_READ_SECONDS = 15.0


@dataclass(slots=True)
class Watcher:
    """Serves WatchPreview."""

    db: Database
    hints: Hints
    ending: asyncio.Event

    async def watch(self, user_id: int, preview_id: str) -> AsyncIterator[Preview]:
        """Yields the preview at each change of state or notification, until this process ends.

        Raises PreviewNotFound at once, ShuttingDown at the end.
        """
        told: tuple[object, ...] | None = None
        async with self.hints.waiting(preview_id) as waiter:
            while not self.ending.is_set():
                async with self.db.transaction() as tx:
                    preview = await previews.find(tx, user_id, preview_id)
                state = (preview.version, preview.state, preview.notification_status)
                if state != told:
                    told = state
                    yield preview
                await self._wait(waiter, preview)
        raise ShuttingDown

    async def _wait(self, waiter: Waiter, preview: Preview) -> None:
        seconds = _READ_SECONDS
        if preview.state is PreviewState.READY:
            # Expiry changes nothing in the database: it is waited for.
            left = (preview.expires_at - preview.read_at).total_seconds()
            seconds = min(seconds, max(left, 0.0) + 0.01)
        ended = asyncio.ensure_future(self.ending.wait())
        hinted = asyncio.ensure_future(waiter.wait(seconds))
        try:
            await asyncio.wait({ended, hinted}, return_when=asyncio.FIRST_COMPLETED)
        finally:
            ended.cancel()
            hinted.cancel()
