"""Sends the links that were asked for, after the answer was given.

Whoever asks gets the same answer in the same time whether or not anybody goes by that name: all
that depends on it happens here, in a loop of the process, and is told in no answer.
"""

import asyncio
from collections.abc import Awaitable, Callable
from dataclasses import dataclass, field

from libs.db.database import is_away
from libs.rpc.errors import RemoteError
from libs.telemetry import logs
from services.gateway.domain.errors import AwayForNow
from services.gateway.handlers.sign_in import AskedLink, SignIn

_log = logs.get("gateway.sign_in")
_MOST_WAITING = 200


@dataclass(frozen=True, slots=True)
class Wish:
    """What was typed, where the link is to lead, and the key of the attempt."""

    typed: str = field(repr=False)
    next_path: str | None
    key: str


@dataclass(slots=True)
class LinkPost:
    """`send` hands one link to whoever delivers it."""

    sign_in: SignIn
    send: Callable[[AskedLink], Awaitable[None]]
    _waiting: asyncio.Queue[Wish] = field(default_factory=lambda: asyncio.Queue(_MOST_WAITING))

    def take(self, wish: Wish) -> None:
        """Keeps a wish for the loop. Raises AwayForNow where too many wait already."""
        try:
            self._waiting.put_nowait(wish)
        except asyncio.QueueFull as error:
            raise AwayForNow from error

    async def run(self, stop: asyncio.Event) -> None:
        """Grants wishes until `stop`, then those that wait still."""
        ends = asyncio.ensure_future(stop.wait())
        try:
            while not ends.done():
                wish = asyncio.ensure_future(self._waiting.get())
                await asyncio.wait((ends, wish), return_when=asyncio.FIRST_COMPLETED)
                if wish.done():
                    await self._grant(wish.result())
                else:
                    wish.cancel()
        finally:
            ends.cancel()
        while not self._waiting.empty():
            await self._grant(self._waiting.get_nowait())

    async def _grant(self, wish: Wish) -> None:
        """One wish; one that cannot be granted now is dropped, and the person asks again."""
        try:
            link = await self.sign_in.ask_for_link(
                wish.typed, next_path=wish.next_path, key=wish.key
            )
            if link is not None:
                await self.send(link)
        except RemoteError as error:
            _log.warning("link_not_sent", code=error.code.name, reason=error.reason)
        except Exception as error:
            if not is_away(error):
                raise
            _log.warning("link_not_made", error=type(error).__name__)
