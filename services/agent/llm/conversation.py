"""What is said to a model, as plain values."""

from dataclasses import dataclass
from typing import Literal


@dataclass(frozen=True, slots=True)
class Message:
    """One message of the exchange."""

    role: Literal["system", "user", "assistant"]
    content: str
