"""How a run begins: with the first words of a conversation, or after one that has ended."""

from dataclasses import replace

from services.agent.domain import loops
from services.agent.domain.run import Run

_EARLIER = 3


def first_run(run_id: str, conversation_id: str, user_id: int, text: str, preview_id: str) -> Run:
    """The run of the first words of a conversation."""
    return Run(
        id=run_id,
        conversation_id=conversation_id,
        user_id=user_id,
        goal=text,
        text=text,
        preview_id=preview_id,
        card_due=bool(preview_id),
    )


def reset_for_next_run(run: Run, run_id: str, text: str, preview_id: str = "") -> Run:
    """The run that follows a finished one: nothing of the old one but conversation, user, and the
    state of the schedule that it was left with. Raises ValueError for one that has not ended."""
    if run.outcome is None:
        raise ValueError("the run has not ended")
    new = first_run(run_id, run.conversation_id, run.user_id, text, preview_id)
    about = preview_id or run.preview_id
    return replace(
        new,
        preview_id=about,
        drawn=run.drawn,
        earlier=_earlier(run),
        token_factor=run.token_factor,
    )


def _earlier(run: Run) -> str:
    """The loop of a run that is over, as history; only the newest of it is kept."""
    told = loops.summed(run.loop)
    lines = [*run.earlier.splitlines(), f"上一次{told}"] if told else run.earlier.splitlines()
    return "\n".join(lines[-_EARLIER:])
