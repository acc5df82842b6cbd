"""Which candidate is proposed, and in whose words. Spec: active-scheduling.md, Selection."""

from dataclasses import dataclass, replace

from services.active_scheduler.domain.options import OptionType
from services.active_scheduler.domain.preview import Candidate, Content, Selection
from services.active_scheduler.domain.text import Text

NO_MODEL = "no_model"


@dataclass(frozen=True, slots=True)
class Chosen:
    """What the agent service answered; empty texts = the template's words stay."""

    selected_id: str | None
    summary: Text
    selection: Selection


def unasked(content: Content, *, reason: str, fallback_used: bool = False) -> Content:
    """The first candidate in the template's words."""
    selection = Selection(fallback_used=fallback_used, template_reason=reason)
    return replace(content, selection=selection)


def chosen(content: Content, answer: Chosen) -> Content:
    """The content with the choice and the words of an answer. Raises CandidateNotFound, also
    where there is something to choose from and nothing was chosen.

    Candidates, changes and bases stay as the look made them.
    """
    template = content.summary
    if content.candidates or answer.selected_id is not None:
        template = content.candidate(answer.selected_id or "").summary
    return replace(
        content,
        selected_id=answer.selected_id,
        summary=answer.summary or template,
        selection=answer.selection,
    )


def worded(content: Content, candidate: Candidate) -> Candidate:
    """A candidate as it is shown: the selected one in the words of the selection."""
    if candidate.id != content.selected_id:
        return candidate
    said = content.selection
    return replace(
        candidate,
        reason=said.reason or candidate.reason,
        # A risk that the template knows of is never silenced, and that of a compression is told
        # as it is: both are compressed.
        risk=candidate.risk if _is_rush(candidate) else said.risk or candidate.risk,
    )


def _is_rush(candidate: Candidate) -> bool:
    return candidate.type is OptionType.COMPRESS
