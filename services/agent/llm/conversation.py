"""What is said to a model and what it answers, as plain values."""

from dataclasses import dataclass
from typing import Any, Literal, Protocol


@dataclass(frozen=True, slots=True)
class Message:
    """One message of the exchange."""

    role: Literal["system", "user", "assistant"]
    content: str


@dataclass(frozen=True, slots=True)
class Said:
    """What the model said; `tokens` are those that the endpoint counted for the whole exchange,
    `asked` those of what it was sent; 0 where it does not count."""

    text: str
    tokens: int = 0
    asked: int = 0


class Shape(Protocol):
    """The JSON object that is asked for. `strict`: the schema is closed, as strict endpoints want
    it."""

    @property
    def name(self) -> str: ...

    @property
    def strict(self) -> bool: ...

    def schema(self) -> dict[str, Any]: ...
