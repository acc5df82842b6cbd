"""How a decision is put."""

from collections.abc import Mapping
from typing import Any


def call(tool: str, reason: str, /, *, speak: str = "", **arguments: Any) -> Mapping[str, Any]:
    """One call of a tool."""
    return {
        "action": "continue",
        "speak": speak,
        "reason": reason,
        "tool_call": {"name": tool, "arguments": arguments},
    }
