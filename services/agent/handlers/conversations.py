"""Conversations: listed, read, deleted."""

from collections.abc import Sequence

from libs.db.database import Tx
from services.agent.domain.conversation import Conversation, Held, Opened
from services.agent.domain.errors import ConversationBusy, ConversationNotFound, RunNotFound
from services.agent.domain.run import Wait
from services.agent.store import conversations, runs


async def newest_first(
    tx: Tx, user_id: int, before: tuple[int, str], *, limit: int
) -> tuple[Sequence[Conversation], tuple[int, str] | None]:
    """A page, and what the next one begins below; None on the last page."""
    found = await conversations.page(tx, user_id, before, limit=limit + 1)
    page = found[:limit]
    following = (page[-1][1], page[-1][0].id) if len(found) > limit else None
    return [one for one, _ in page], following


async def opened(tx: Tx, user_id: int, id_: str, *, before: int, limit: int) -> Opened:
    """One conversation. Raises ConversationNotFound."""
    found = await conversations.get(tx, user_id, id_)
    held = None if found is None else await runs.get(tx, user_id, found.run_id)
    if found is None or held is None:
        raise ConversationNotFound(id_)
    said = await conversations.messages(tx, user_id, id_, before=before, limit=limit + 1)
    page = said[:limit]
    asked = None
    if held.run.wait is not Wait.NOTHING:
        last = await runs.told(tx, user_id, found.run_id, after=held.sequence - 1, limit=1)
        asked = last[0] if last else None
    return Opened(
        conversation=found,
        said=list(reversed(page)),
        before=page[-1].id if len(said) > limit else None,
        sequence=held.sequence,
        asked=asked,
    )


async def state(tx: Tx, user_id: int, run_id: str) -> Held:
    """Where a run stands. Raises RunNotFound."""
    held = await runs.get(tx, user_id, run_id)
    if held is None:
        raise RunNotFound(run_id)
    return held


async def delete(tx: Tx, user_id: int, id_: str) -> None:
    """Deletes a conversation; one that is not there is no error. Raises ConversationBusy."""
    run_id = await conversations.lock(tx, user_id, id_)
    held = None if run_id is None else await runs.get(tx, user_id, run_id)
    if held is not None and held.run.works and not held.lapsed:
        raise ConversationBusy(held.run.id)
    await conversations.delete(tx, user_id, id_)
