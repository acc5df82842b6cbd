"""What use cases ask of the world outside."""

from collections.abc import Sequence
from typing import Protocol

from services.agent.llm.answers import Form
from services.agent.llm.conversation import Message


class Model(Protocol):
    """A language model behind some endpoint."""

    @property
    def name(self) -> str: ...

    async def ask(self, messages: Sequence[Message], form: Form, *, seconds: float) -> str:
        """What it says. Raises ModelFailed."""
        ...
