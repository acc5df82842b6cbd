"""How use cases tell others what became true; implemented where the wire format is known."""

from collections.abc import Sequence
from typing import Protocol

from libs.db.database import Tx
from services.schedule.domain.block import BlockState, Cause
from services.schedule.domain.task import Task
from services.schedule.domain.verdict import Verdict


class Outlet(Protocol):
    """Writes events in the transaction of what they tell; nothing is said when it rolls back."""

    async def task_changed(self, tx: Tx, task: Task, changed: Sequence[BlockState] = ()) -> None:
        """The task is now as given, and so are the blocks that changed with it, if any."""

    async def schedule_changed(
        self, tx: Tx, user_id: int, cause: Cause, changed: Sequence[BlockState]
    ) -> None:
        """The blocks are now as given; nothing is said of none."""

    async def judged(
        self, tx: Tx, user_id: int, verdict: Verdict, changed: Sequence[BlockState]
    ) -> None:
        """An apply has ended, with the blocks that it wrote."""
