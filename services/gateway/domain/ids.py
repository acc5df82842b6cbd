"""What ids of the other services look like, as far as an address may name them."""

import re

from services.gateway.domain.errors import (
    ConversationNotFound,
    PreviewNotFound,
    RunNotFound,
    TriggerNotFound,
)

_PREVIEW = re.compile(r"asp_[0-9A-Za-z_-]{1,80}")
_TRIGGER = re.compile(r"ast_[0-9A-Za-z_-]{1,80}")
_CONVERSATION = re.compile(r"cnv_[0-9A-Za-z]{32}")
_RUN = re.compile(r"run_[0-9A-Za-z]{32}")


def preview_id(text: str) -> str:
    """The id itself. Raises PreviewNotFound for what no preview is called."""
    if not _PREVIEW.fullmatch(text):
        raise PreviewNotFound
    return text


def trigger_id(text: str) -> str:
    """The id itself. Raises TriggerNotFound for what no look is called."""
    if not _TRIGGER.fullmatch(text):
        raise TriggerNotFound
    return text


def conversation_id(text: str) -> str:
    """The id itself. Raises ConversationNotFound for what no conversation is called."""
    if not _CONVERSATION.fullmatch(text):
        raise ConversationNotFound
    return text


def run_id(text: str) -> str:
    """The id itself. Raises RunNotFound for what no run is called."""
    if not _RUN.fullmatch(text):
        raise RunNotFound
    return text
