"""Carries one record from its claim to its next state.

Nothing is asked or sent inside a transaction. A process that dies before `begin` leaves nothing
behind but a lease; one that dies after it leaves an attempt that may have arrived.
"""

import asyncio
from collections.abc import Awaitable, Callable, Mapping, Sequence
from dataclasses import dataclass, field
from datetime import datetime
from functools import partial

from libs.db.database import Database, Tx, is_away
from libs.telemetry import logs
from services.notification.channels import outlets
from services.notification.channels.outlets import Outlets
from services.notification.channels.parcel import Parcel
from services.notification.channels.sealing import Sealer
from services.notification.domain import codes, outcome, writing
from services.notification.domain.answer import Matter
from services.notification.domain.errors import SecretUnreadable
from services.notification.domain.message import encoded
from services.notification.domain.outcome import Ambiguous, Outcome, Retry
from services.notification.domain.repeat import marked_as_repeat
from services.notification.domain.sealed_link import filled
from services.notification.domain.step import Step
from services.notification.handlers import attempt, counters, sign_in
from services.notification.handlers.attempt import Settling
from services.notification.handlers.ports import Previews
from services.notification.handlers.worth import Judge
from services.notification.store.records import Begun, Frozen, Held

_log = logs.get("courier")
_AWAY_PAUSE_SECONDS = 0.25


@dataclass(frozen=True, slots=True)
class Secrets:
    """What an attempt needs that is kept sealed: the channel's, and a sign-in link's path."""

    channel: Mapping[str, str] = field(repr=False)
    path: str = field(repr=False)


@dataclass(frozen=True, slots=True)
class Courier:
    """`base_url` is what the path of a message goes behind, without a slash at its end."""

    db: Database
    previews: Previews
    outlets: Outlets
    sealer: Sealer
    settling: Settling
    base_url: str

    async def carry(self, held: Held) -> None:
        """One attempt, or the reason why there is none."""
        if held.begun:
            # Its lease lapsed under way. None of our channels has a key that drops a double.
            await self._end(held, Ambiguous("lease_expired"))
            return
        matters = await Judge(self.db, self.previews, self.settling).matters(held)
        if not matters:
            return
        secrets = self._secrets(held)
        if isinstance(secrets, Secrets):
            await self._attempt(held, matters, secrets)
        else:
            await self._end(held, secrets)

    def _secrets(self, held: Held) -> Secrets | Outcome:
        """What is sealed, opened, or what becomes of the record without it."""
        if held.is_gone:
            return outcome.refused_here("channel_deleted", codes.NOTHING)
        user_id = held.request.user_id
        try:
            channel = (
                self.sealer.open(held.sealed, user_id=user_id, channel_id=str(held.channel_id))
                if held.sealed
                else {}
            )
            path = sign_in.opened(self.sealer, held.request, held.sealed_path)
            return Secrets(channel, path)
        except SecretUnreadable as error:
            _log.error("secret_unreadable", channel_id=held.channel_id, problem=error.problem)
            # A replica that was not told the newest key yet is no reason to give up.
            if error.problem == "unknown_key":
                return Retry(error.reason, at_most=codes.TRIES_OF_UNKNOWN_KEY)
            return outcome.refused_here(error.reason, codes.ASK_THE_OPERATOR)

    async def _attempt(self, held: Held, matters: Sequence[Matter], secrets: Secrets) -> None:
        frozen = None if held.is_frozen else self._frozen(held, matters)
        webhook = outlets.rate_key(held.channel_type, secrets.channel)
        begun = await self._begin(held, frozen, webhook)
        if begun is None:
            return
        parcel = _parcel(held, begun, secrets.path)
        timer = counters.Timer(held.channel_type.value)
        result = await self.outlets.send(held.channel_type, secrets.channel, parcel)
        timer.stop(type(result).__name__.lower())
        await self._end(held, result, request=_sent(parcel, begun), response=_got(result))

    def _frozen(self, held: Held, matters: Sequence[Matter]) -> Frozen:
        written = writing.write_list(
            held.request,
            matters,
            language=held.language,
            keyword=held.keyword,
            base_url=self.base_url,
            now=held.now,
        )
        if written.by_template:
            counters.FALLBACK_USED.labels(kind="template").inc()
        content, fallback = outlets.contents(held.channel_type, written.message)
        return Frozen(held.language, content, fallback)

    async def _begin(
        self, held: Held, frozen: Frozen | None, webhook: bytes | None
    ) -> Begun | None:
        """Waits for the webhook's turn; None: it is too far off, or the lease was lost."""
        rules = self.settling.rules

        async def work(tx: Tx) -> Begun | float | None:
            turn = await attempt.reserve(tx, rules, webhook)
            if isinstance(turn, datetime):
                await self.settling.hold_back(tx, held, turn)
                return None
            if turn.seconds > 0:
                return turn.seconds
            return await attempt.begin(tx, rules, held, frozen)

        begun = await self.db.run(work)
        if not isinstance(begun, float):
            return begun
        await asyncio.sleep(begun)
        return await self.db.run(lambda tx: attempt.begin(tx, rules, held, frozen))

    async def _end(
        self,
        held: Held,
        result: Outcome,
        *,
        request: Mapping[str, object] | None = None,
        response: Mapping[str, object] | None = None,
    ) -> None:
        work = partial(self.settling.end, held=held, result=result, request=request)
        try:
            done = await self._insist(partial(work, response=response))
        except Exception as error:
            if is_away(error):
                raise
            # Whatever the provider put into its answer, what became of the message is kept.
            _log.error("answer_not_storable", record_id=held.id, error=type(error).__name__)
            done = await self._insist(partial(work, response=None, bare=True))
        if done is None:
            _log.warning("lease_lost", record_id=held.id)
            return
        if done.as_post:
            counters.FALLBACK_USED.labels(kind="post").inc()
        _log.info(
            "attempted",
            record_id=held.id,
            notification_id=held.request.notification_id,
            user_id=held.request.user_id,
            state=done.state.value,
            reason=done.reason,
            code=done.code,
        )

    async def _insist(self, work: Callable[[Tx], Awaitable[Step | None]]) -> Step | None:
        """Writes what is known now, for as long as the lease lasts: lost, it would be `unknown`."""
        loop = asyncio.get_running_loop()
        ends_at = loop.time() + self.settling.rules.lease_seconds
        while True:
            try:
                return await self.db.run(work)
            except Exception as error:
                if not is_away(error) or loop.time() >= ends_at:
                    raise
                _log.warning("outcome_waits", error=repr(error))
                await asyncio.sleep(_AWAY_PAUSE_SECONDS)


def _parcel(held: Held, begun: Begun, path: str) -> Parcel:
    content = filled(begun.content, path) if path else begun.content
    if begun.repeats:
        content = marked_as_repeat(content, begun.language)
    return Parcel(
        record_id=str(held.id),
        notification_id=held.request.notification_id,
        user_id=held.request.user_id,
        key=f"{held.request.notification_id}:{held.channel_id}",
        content=content,
        # Whole or not, what is repeated of it would be its last part.
        hidden=(path.rpartition("/")[2],) if path else (),
    )


def _sent(parcel: Parcel, begun: Begun) -> Mapping[str, object]:
    """What is kept of a request: no text, no address."""
    return {
        "msg_type": parcel.content.get("msg_type"),
        "bytes": len(encoded(parcel.content)),
        "is_repeat": begun.repeats > 0,
        "is_fallback": begun.is_fallback,
    }


def _got(result: Outcome) -> Mapping[str, object]:
    """What is kept of an answer; the channel has taken our secrets out of its text."""
    inner = getattr(result, "refused", result)
    names = ("reason", "code", "detail")
    found = {name: getattr(inner, name, None) for name in names}
    return {"outcome": type(result).__name__.lower()} | {
        name: value for name, value in found.items() if value not in (None, "")
    }
