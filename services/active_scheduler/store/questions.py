"""questions: which preview asks what, and the first answer."""

from sqlalchemy import text

from libs.db.database import Tx
from services.active_scheduler.domain.questions import QuestionKind

_ASK = text(
    "INSERT INTO questions (preview_id, user_id, kind) VALUES (:preview_id, :user_id, :kind)"
)
_ANSWER = text("""
    UPDATE questions SET choice_id = :choice_id, words = :words, answer_trigger_id = :trigger_id,
        answered_at = clock_timestamp()
    WHERE preview_id = :preview_id AND answered_at IS NULL
""")


async def ask(tx: Tx, *, user_id: int, preview_id: str, kind: QuestionKind) -> None:
    """A preview asks something."""
    await tx.execute(_ASK, preview_id=preview_id, user_id=user_id, kind=kind.value)


async def answer(tx: Tx, *, preview_id: str, choice_id: str, words: str, trigger_id: str) -> bool:
    """Keeps the first answer to the question of a preview; False where there was one before."""
    done = await tx.execute(
        _ANSWER, preview_id=preview_id, choice_id=choice_id, words=words, trigger_id=trigger_id
    )
    return done > 0
