"""Previews and triggers of active scheduling, as far as a conversation needs them."""

from dataclasses import dataclass

from services.agent.domain.text import Text


@dataclass(frozen=True, slots=True)
class PreviewChoice:
    """An answer that a preview's question offers."""

    id: str
    text: Text


@dataclass(frozen=True, slots=True)
class PreviewQuestion:
    """What a preview asks; without choices it is answered in words."""

    text: Text
    choices: tuple[PreviewChoice, ...]
    answered: bool


@dataclass(frozen=True, slots=True)
class PreviewBrief:
    """A preview; `is_open`: it can be confirmed or answered."""

    id: str
    title: str
    summary: Text
    is_open: bool
    question: PreviewQuestion | None


@dataclass(frozen=True, slots=True)
class Look:
    """A trigger: whether it has ended, why, and the preview that it led to (empty = none)."""

    trigger_id: str
    ended: bool
    reason: str
    preview_id: str
