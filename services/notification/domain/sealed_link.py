"""The link that signs somebody in: it is in no row and in no log, only in the message itself.

What is frozen and kept holds a placeholder; the path takes its place when the message goes out.
"""

from dataclasses import dataclass, field
from datetime import datetime
from typing import Any

from services.notification.domain.message import Content

PLACEHOLDER = "/sign-in/-sealed-"
"""Where the path goes; too short to be a link."""


@dataclass(frozen=True, slots=True)
class Link:
    """Whose it is, what it is behind the public base URL, and when it ends."""

    user_id: int
    path: str = field(repr=False)
    expires_at: datetime


def filled(content: Content, path: str) -> Content:
    """The content with the path at every place that was left for it."""
    return {name: _filled(value, path) for name, value in content.items()}


def _filled(value: Any, path: str) -> Any:
    match value:
        case str():
            return value.replace(PLACEHOLDER, path)
        case dict():
            return {name: _filled(one, path) for name, one in value.items()}
        case list():
            return [_filled(one, path) for one in value]
        case _:
            return value
