"""What use cases ask of the world outside, told in domain terms."""

from collections.abc import Collection, Sequence
from datetime import datetime, timedelta
from typing import Protocol

from libs.db.database import Tx
from libs.planning.grid import Target
from libs.rpc.identity import Caller
from services.active_scheduler.domain.apply import ApplyRequest, Verdict
from services.active_scheduler.domain.facts import WINDOW
from services.active_scheduler.domain.job import DueTask
from services.active_scheduler.domain.preferences import Preferences
from services.active_scheduler.domain.preview import Content, Preview
from services.active_scheduler.domain.selection import Chosen
from services.active_scheduler.domain.snapshot import Snapshot, Surroundings
from services.active_scheduler.domain.trigger import NewTrigger


class Schedule(Protocol):
    """The schedule service."""

    async def snapshot(
        self,
        on_behalf_of: Caller | int,
        target: Target,
        *,
        mock_now: datetime | None,
        horizon: timedelta = WINDOW,
    ) -> Snapshot: ...

    async def around(self, on_behalf_of: Caller | int, told_at: datetime) -> Surroundings: ...

    async def apply(
        self, on_behalf_of: Caller | int, request: ApplyRequest, *, seconds: float
    ) -> Verdict: ...

    async def check_due(
        self, tasks: Sequence[tuple[int, int]]
    ) -> tuple[Sequence[DueTask], datetime]: ...


class Assistant(Protocol):
    """The agent service."""

    async def recall(
        self, on_behalf_of: Caller | int, title: str, *, seconds: float
    ) -> Preferences: ...

    async def locate(
        self, user_id: int, words: str, around: Surroundings, *, seconds: float
    ) -> Collection[int]: ...

    async def select(
        self, user_id: int, content: Content, texts: tuple[str, ...], *, seconds: float
    ) -> Chosen: ...


class Announce(Protocol):
    """Facts told in the transaction that made them true."""

    async def triggered(self, tx: Tx, *triggers: NewTrigger) -> None: ...

    async def preview_generated(self, tx: Tx, preview: Preview) -> None: ...

    async def preview_changed(self, tx: Tx, *previews: Preview) -> None: ...

    async def apply_requested(self, tx: Tx, request: ApplyRequest) -> None: ...
