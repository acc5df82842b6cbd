"""Everything that was received, the oldest forgotten first."""

from collections.abc import Mapping
from dataclasses import dataclass, replace
from datetime import datetime

from standins.feishu import view
from standins.feishu.signature import Verdict
from standins.serving import mailbox


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
    def key(self) -> str:
        """The token that it was sent to."""
        return self.token

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


class Mailbox(mailbox.Mailbox[Received]):
    """What the bot received."""

    def answered(self, number: int) -> None:
        """The answer to this request has gone out."""
        if (received := self.get(number)) is not None:
            self.put(replace(received, answered=True))
