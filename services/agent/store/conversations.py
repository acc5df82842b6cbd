"""conversations and messages."""

from collections.abc import Sequence

from sqlalchemy import text

from libs.db.database import Tx
from libs.db.driver import Row
from services.agent.domain.conversation import Conversation, Said
from services.agent.domain.run import Phase, Wait

_COLUMNS = """
    c.id, c.title, c.preview_id, c.run_id, r.phase, r.wait, c.created_at, c.updated_at,
    CAST(extract(epoch FROM c.updated_at) * 1000000 AS bigint) AS micros
"""
_JOINED = """
    conversations c JOIN runs r ON r.user_id = c.user_id AND r.id = c.run_id
"""
# Whoever begins one waits here for whoever begins another of the same person.
_LOCK_USER = text("SELECT pg_advisory_xact_lock(hashtextextended('conversations', :user_id))")
_COUNT = text("SELECT count(*) FROM conversations WHERE user_id = :user_id")
_INSERT = text("""
    INSERT INTO conversations (user_id, id, title, preview_id, run_id)
    VALUES (:user_id, :id, :title, :preview_id, :run_id)
""")
_LOCK = text("SELECT run_id FROM conversations WHERE user_id = :user_id AND id = :id FOR UPDATE")
_TOUCH = text("""
    UPDATE conversations SET run_id = :run_id, updated_at = clock_timestamp(),
        preview_id = CASE WHEN preview_id = '' THEN :preview_id ELSE preview_id END
    WHERE user_id = :user_id AND id = :id
""")
_GET = text(f"SELECT {_COLUMNS} FROM {_JOINED} WHERE c.user_id = :user_id AND c.id = :id")
_PAGE = text(f"""
    SELECT {_COLUMNS} FROM {_JOINED}
    WHERE c.user_id = :user_id
        AND (c.updated_at, c.id) < (to_timestamp(0) + :micros * interval '1 microsecond', :before)
    ORDER BY c.updated_at DESC, c.id DESC LIMIT :limit
""")
_DELETE = text("DELETE FROM conversations WHERE user_id = :user_id AND id = :id")
_SAY = text("""
    INSERT INTO messages (user_id, conversation_id, by_person, text, run_id)
    SELECT :user_id, :conversation_id, :by_person, words, :run_id
    FROM unnest(CAST(:texts AS text[])) WITH ORDINALITY AS said (words, place) ORDER BY place
""")
_MESSAGES = text("""
    SELECT id, by_person, text, run_id, created_at FROM messages
    WHERE user_id = :user_id AND conversation_id = :conversation_id AND id < :before
    ORDER BY id DESC LIMIT :limit
""")

LAST = 2**62
"""Beyond every id and every instant."""


async def lock_user(tx: Tx, user_id: int) -> None:
    """Puts all who begin conversations of a user in a row."""
    await tx.execute(_LOCK_USER, user_id=user_id)


async def count(tx: Tx, user_id: int) -> int:
    """How many a user has."""
    number: int = await tx.scalar(_COUNT, user_id=user_id)
    return number


async def insert(
    tx: Tx, user_id: int, id_: str, *, title: str, preview_id: str, run_id: str
) -> None:
    """Begins a conversation."""
    await tx.execute(
        _INSERT, user_id=user_id, id=id_, title=title, preview_id=preview_id, run_id=run_id
    )


async def lock(tx: Tx, user_id: int, id_: str) -> str | None:
    """Locks a conversation and gives its latest run; None: this user has none of that id."""
    row = await tx.first(_LOCK, user_id=user_id, id=id_)
    return None if row is None else str(row.run_id)


async def touch(tx: Tx, user_id: int, id_: str, *, run_id: str, preview_id: str) -> None:
    """Something was said in it; the preview that it is first about stays."""
    await tx.execute(_TOUCH, user_id=user_id, id=id_, run_id=run_id, preview_id=preview_id)


async def get(tx: Tx, user_id: int, id_: str) -> Conversation | None:
    """One conversation."""
    row = await tx.first(_GET, user_id=user_id, id=id_)
    return None if row is None else _conversation(row)


async def page(
    tx: Tx, user_id: int, before: tuple[int, str], *, limit: int
) -> Sequence[tuple[Conversation, int]]:
    """Those with older words than (microseconds, id), newest first, each with its own."""
    micros, id_ = before
    rows = await tx.all(_PAGE, user_id=user_id, micros=micros, before=id_, limit=limit)
    return [(_conversation(row), row.micros) for row in rows]


async def delete(tx: Tx, user_id: int, id_: str) -> None:
    """Deletes a conversation with all that belongs to it."""
    await tx.execute(_DELETE, user_id=user_id, id=id_)


async def say(
    tx: Tx,
    user_id: int,
    conversation_id: str,
    run_id: str,
    texts: Sequence[str],
    *,
    by_person: bool,
) -> None:
    """Adds words, in their order."""
    if texts:
        await tx.execute(
            _SAY,
            user_id=user_id,
            conversation_id=conversation_id,
            run_id=run_id,
            texts=list(texts),
            by_person=by_person,
        )


async def messages(
    tx: Tx, user_id: int, conversation_id: str, *, before: int = LAST, limit: int
) -> Sequence[Said]:
    """Words with an id below `before`, newest first."""
    rows = await tx.all(
        _MESSAGES, user_id=user_id, conversation_id=conversation_id, before=before, limit=limit
    )
    return [Said(row.id, row.by_person, row.text, row.run_id, row.created_at) for row in rows]


def _conversation(row: Row) -> Conversation:
    return Conversation(
        id=row.id,
        title=row.title,
        preview_id=row.preview_id,
        run_id=row.run_id,
        phase=Phase(row.phase),
        wait=Wait(row.wait),
        created_at=row.created_at,
        updated_at=row.updated_at,
    )
