"""Confirming: begin the apply, ask the schedule service at once, wait a little, answer.

The event is the net: where this process dies after the commit, the schedule service applies by
it, and the sweeper asks for the verdict.
"""

import asyncio
from collections.abc import Callable
from dataclasses import dataclass

from libs.db.database import Database
from libs.events.hints import Hints, Waiter
from libs.rpc.identity import Caller
from libs.telemetry import logs
from services.active_scheduler.domain.apply import ApplyRequest
from services.active_scheduler.domain.confirm import Edit
from services.active_scheduler.domain.preview import Preview, PreviewState
from services.active_scheduler.handlers import previews
from services.active_scheduler.handlers.ports import Announce, Schedule
from services.active_scheduler.handlers.previews import ConfirmRules

_log = logs.get("confirm")

# When a waiting call reads again, whether or not a hint came. Source: spec, Hints.
_READ_AGAIN_SECONDS = (0.05, 0.2, 1.0, 3.0)


@dataclass(slots=True)
class Confirmer:
    """Serves ConfirmPreview."""

    db: Database
    schedule: Schedule
    announce: Announce
    hints: Hints
    rules: ConfirmRules
    wait_seconds: float
    is_away: Callable[[BaseException], bool]
    ending: asyncio.Event
    """Set when this process ends: waits answer with the state that is."""

    async def confirm(
        self,
        caller: Caller,
        user_id: int,
        preview_id: str,
        *,
        candidate_id: str,
        edits: tuple[Edit, ...],
        request_id: str,
    ) -> tuple[str, Preview]:
        """The apply_id of the attempt and the preview as it is after at most `wait_seconds`."""
        async with self.hints.waiting(preview_id) as waiter:
            confirmed = await self.db.run(
                lambda tx: previews.begin_confirm(
                    tx,
                    self.announce,
                    self.rules,
                    user_id=user_id,
                    preview_id=preview_id,
                    candidate_id=candidate_id,
                    edits=edits,
                    request_id=request_id,
                )
            )
            preview = confirmed.preview
            ends_at = asyncio.get_running_loop().time() + self.wait_seconds
            if confirmed.begun and confirmed.apply:
                preview = await self._ask(caller, confirmed.apply) or preview
            if preview.stored_state is PreviewState.APPLYING:
                preview = await self._settled(waiter, user_id, preview_id, ends_at)
        apply_id = confirmed.apply.apply_id if confirmed.apply else preview.apply_id
        return apply_id or "", preview

    async def _ask(self, caller: Caller, apply: ApplyRequest) -> Preview | None:
        """Asks for the verdict by call; gives the preview where this is who recorded it.

        What goes wrong leaves it to the event and the sweeper: the apply is committed, and the
        person is told the state that is.
        """
        try:
            verdict = await self.schedule.apply(caller, apply, seconds=self.wait_seconds)
            return await previews.record_and_log(self.db, self.announce, verdict)
        except Exception as error:  # noqa: BLE001  the row stays, and is asked for again
            away = self.is_away(error)
            tell = _log.warning if away else _log.error
            tell("verdict_waits", apply_id=apply.apply_id, exc_info=None if away else error)
            return None

    async def _settled(
        self, waiter: Waiter, user_id: int, preview_id: str, ends_at: float
    ) -> Preview:
        """Reads until the verdict is recorded, or the time is up."""
        for pause in (0.0, *_READ_AGAIN_SECONDS):
            left = ends_at - asyncio.get_running_loop().time()
            if pause and left > 0 and not self.ending.is_set():
                await waiter.wait(min(pause, left))
            async with self.db.transaction() as tx:
                preview = await previews.find(tx, user_id, preview_id)
            if preview.stored_state is not PreviewState.APPLYING or left <= 0:
                break
        return preview
