"""What use cases ask of the world outside."""

from collections.abc import Sequence
from typing import Protocol

from services.agent.graph.ports import Model as Deciding
from services.agent.llm.conversation import Message, Shape


class Model(Protocol):
    """A language model behind some endpoint."""

    @property
    def name(self) -> str: ...

    async def ask(self, messages: Sequence[Message], form: Shape, *, seconds: float) -> str:
        """What it says. Raises ModelFailed."""
        ...


class AnyModel(Model, Deciding, Protocol):
    """One that both chooses and decides."""
