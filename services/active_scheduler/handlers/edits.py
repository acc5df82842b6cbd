"""Where an editable change of a ready preview may go: one question for each grab of a block."""

from dataclasses import dataclass
from datetime import timedelta

from libs.db.database import Database
from libs.rpc.identity import Caller
from services.active_scheduler.domain import edits, errors
from services.active_scheduler.domain.confirm import Edit
from services.active_scheduler.domain.edits import Asked, Clocks, Room
from services.active_scheduler.domain.observation import Action
from services.active_scheduler.domain.preview import FORBIDS, Preview, PreviewState
from services.active_scheduler.domain.snapshot import LONGEST
from services.active_scheduler.handlers import previews
from services.active_scheduler.handlers.ports import Schedule

_SHORTEST = timedelta(hours=1)


@dataclass(frozen=True, slots=True)
class EditChecker:
    """Serves CheckEdits. Writes nothing, and holds no transaction while it asks."""

    db: Database
    schedule: Schedule

    async def check(
        self,
        caller: Caller,
        user_id: int,
        preview_id: str,
        *,
        candidate_id: str,
        change_id: str,
        edits_of_others: tuple[Edit, ...],
    ) -> Room:
        """Every place of the change. Raises what a confirmation would, and TargetNotFound."""
        async with self.db.transaction() as tx:
            preview = await previews.find(tx, user_id, preview_id)
        asked = _asked(preview, candidate_id, change_id, edits_of_others)
        # A preview of a mock clock has days of its own; what has passed there is a real question.
        start = preview.content.facts_at if preview.is_mock else preview.read_at
        until = edits.last_instant(preview.content, preview.read_at)
        horizon = min(max(until - start, _SHORTEST), LONGEST)
        if preview.target is None:
            raise errors.NothingToConfirm(preview.id)
        seen = await self.schedule.snapshot(
            caller,
            preview.target,
            mock_now=start if preview.is_mock else None,
            horizon=horizon,
        )
        facts = seen.facts
        clocks = Clocks(
            apply=preview.read_at if preview.is_mock else facts.now, confirm=preview.read_at
        )
        # Its clock may lag behind ours: no day is offered that the answer does not hold.
        return edits.room(asked, facts.world, clocks, until=min(until, facts.now + horizon))


def _asked(
    preview: Preview, candidate_id: str, change_id: str, edits_of_others: tuple[Edit, ...]
) -> Asked:
    if preview.state is not PreviewState.READY:
        raise FORBIDS[preview.state]
    content = preview.content
    if content.decision.action is not Action.SELECT_CANDIDATE:
        raise errors.NothingToConfirm(preview.id)
    return Asked(content, content.candidate(candidate_id), change_id, edits_of_others)
