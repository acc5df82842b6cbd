"""Everything that was received, the oldest forgotten first."""

import asyncio
from collections import OrderedDict
from collections.abc import Mapping
from dataclasses import dataclass, replace
from datetime import datetime

from standins.feishu import view
from standins.feishu.signature import Verdict


@dataclass(frozen=True, slots=True)
class Received:
    """One request and what became of it.

    `code` is the code answered (None: none was), `answered` whether the answer was written to a
    caller that was still there.
    """

    number: int
    token: str
    received_at: datetime
    size: int
    accepted: bool
    code: int | None
    msg: str
    signature: Verdict
    fault: str
    body: Mapping[str, object] | None
    answered: bool = False

    @property
    def seen(self) -> view.View:
        """The message as a reader sees it."""
        return view.read(self.body)

    def as_json(self) -> dict[str, object]:
        """For tests: the facts, what a reader sees, and the card as it came."""
        seen, body = self.seen, self.body or {}
        return {
            "id": self.number,
            "token": self.token,
            "received_at": self.received_at.isoformat(),
            "bytes": self.size,
            "verdict": "accepted" if self.accepted else "refused",
            "code": self.code,
            "msg": self.msg,
            "signature": self.signature,
            "fault": self.fault,
            "answered": self.answered,
            "msg_type": body.get("msg_type"),
            "title": seen.title,
            "subtitle": seen.subtitle,
            "summary": seen.summary,
            "fields": seen.fields,
            "links": [{"text": link.label, "url": link.url} for link in seen.links],
            "card": body.get("card"),
            "content": body.get("content"),
        }


class Mailbox:
    """A bounded list with a bell for those who wait for the next change."""

    def __init__(self, *, keep: int) -> None:
        self._keep = keep
        self._received: OrderedDict[int, Received] = OrderedDict()
        self._last = 0
        self._changes = 0
        self._bell = asyncio.Event()

    @property
    def version(self) -> int:
        """Grows with every change."""
        return self._changes

    def next_number(self) -> int:
        """A number for a request that is about to be added."""
        self._last += 1
        return self._last

    def add(self, received: Received) -> None:
        """Remember; forgets the oldest beyond the bound."""
        self._received[received.number] = received
        while len(self._received) > self._keep:
            self._received.popitem(last=False)
        self._changed()

    def answered(self, number: int) -> None:
        """The answer to this request has gone out."""
        if number in self._received:
            self._received[number] = replace(self._received[number], answered=True)
            self._changed()

    def clear(self) -> int:
        """Forget everything; returns how much that was."""
        count = len(self._received)
        self._received.clear()
        self._changed()
        return count

    def select(self, *, token: str | None = None, after: int = 0) -> tuple[Received, ...]:
        """Oldest first, of one token or all, behind the number `after`."""
        return tuple(
            item
            for item in self._received.values()
            if item.number > after and token in (None, item.token)
        )

    async def change(self) -> None:
        """Return at the next change."""
        await self._bell.wait()

    def _changed(self) -> None:
        self._changes += 1
        bell, self._bell = self._bell, asyncio.Event()
        bell.set()
