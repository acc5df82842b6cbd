"""What a form has just done, told once on the page that it led to.

The address of the page carries a code alone; the words are ours.
"""

from dataclasses import dataclass, replace

from services.gateway.domain.locale import Locale
from services.gateway.domain.messages import has, say

_GOOD = frozenset(
    {
        *("created", "saved", "done", "reopened", "deleted", "added", "semester", "personal"),
        *("revoked", "opened", "closed", "tested_sent", "item_done", "item_reopened"),
    }
)
_WAITING = frozenset({"looking", "tested_waiting", "tested_failed", "sent"})


@dataclass(frozen=True, slots=True)
class Told:
    """`tone` is ok, warn or empty; `icon` names a symbol of the sprite."""

    tone: str
    icon: str
    head: str
    more: str = ""

    def about(self, title: str) -> "Told":
        """The same, with the name of what it was done to."""
        return replace(self, more=title) if title and not self.more else self


def told(locale: Locale, page: str, code: str) -> Told | None:
    """The words of a page for a code; None for a code that it does not know."""
    key = f"{page}.told_{code}"
    if not code or not has(key):
        return None
    more = say(locale, f"{key}_more") if has(f"{key}_more") else ""
    if code in _GOOD:
        return Told("ok", "check", say(locale, key), more)
    if code in _WAITING:
        return Told("", "clock", say(locale, key), more)
    return Told("", "info", say(locale, key), more)
