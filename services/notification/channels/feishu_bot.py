"""Feishu's custom bot: a signed POST to a webhook (facts: interfaces A).

The address is a credential: it is in no log, no outcome and no repr. Nothing here retries; the
outcome is a value and the record decides.
"""

import asyncio
import base64
import hashlib
import hmac
import json
from collections.abc import Callable
from collections.abc import Set as AbstractSet
from dataclasses import dataclass, field
from datetime import datetime, timedelta

import httpx2

from services.notification.channels.parcel import Parcel
from services.notification.domain import codes, outcome
from services.notification.domain.errors import WebhookUrlRefused
from services.notification.domain.message import MAX_BODY_BYTES, Content, encoded
from services.notification.domain.outcome import Answer, Outcome, TransportFailure
from services.notification.domain.url import WebhookUrl, check_bot_url

MAX_ANSWER_BYTES = 65_536
# The bot's API has no idempotency key: an attempt without an answer may have arrived.
HAS_KEY = False
HEADERS = {
    "Content-Type": "application/json; charset=utf-8",
    "Accept-Encoding": "identity",
    "User-Agent": "smartmate-notification",
}


@dataclass(frozen=True, slots=True)
class BotTarget:
    """Where a bot listens, and its signing secret if it has one."""

    url: str = field(repr=False)
    secret: str | None = field(default=None, repr=False)


@dataclass(frozen=True, slots=True)
class Deadlines:
    """How long an attempt may take: to connect, and in all. A lease must outlast `total`.

    `connect` bounds the wait for a free connection, the connection and its handshake, each. All
    three must be over before `total`, or an attempt that sent nothing would count as unanswered.
    """

    connect: timedelta = timedelta(seconds=3)
    total: timedelta = timedelta(seconds=10)

    def __post_init__(self) -> None:
        if self.total <= 3 * self.connect:
            raise ValueError("total: more than three times connect is needed")


class FeishuBot:
    """Sends parcels to custom bots with one pooled client."""

    def __init__(
        self,
        client: httpx2.AsyncClient,
        clock: Callable[[], datetime],
        *,
        deadlines: Deadlines | None = None,
        extra_hosts: AbstractSet[str] = frozenset(),
    ) -> None:
        self._client = client
        self._clock = clock
        self._deadlines = deadlines or Deadlines()
        self._extra_hosts = extra_hosts

    async def send(self, target: BotTarget, parcel: Parcel) -> Outcome:
        """Sign now, send once, judge the answer."""
        try:
            webhook = check_bot_url(target.url, extra_hosts=self._extra_hosts)
        except WebhookUrlRefused as error:
            return outcome.refused_here(error.reason, codes.URL_REFUSED)
        body = encoded(signed(parcel.content, target.secret, self._clock()))
        if len(body) > MAX_BODY_BYTES:
            return outcome.refused_here("too_large", codes.TOO_LARGE)
        hidden = (webhook.token, target.secret, *parcel.hidden)
        sent = await self._post(webhook, body, hidden=hidden)
        if isinstance(sent, TransportFailure):
            return outcome.of_failure(sent, has_key=HAS_KEY)
        return outcome.of_answer(sent, has_key=HAS_KEY)

    async def _post(
        self, webhook: WebhookUrl, body: bytes, *, hidden: tuple[str | None, ...]
    ) -> Answer | TransportFailure:
        total, connect = self._deadlines.total, self._deadlines.connect
        at_first = connect.total_seconds()
        timeout = httpx2.Timeout(total.total_seconds(), connect=at_first, pool=at_first)
        try:
            async with (
                asyncio.timeout(total.total_seconds()),
                self._client.stream(
                    "POST",
                    webhook.url,
                    content=body,
                    headers=HEADERS,
                    timeout=timeout,
                    follow_redirects=False,
                ) as response,
            ):
                return await _read(response, hidden)
        except (TimeoutError, httpx2.TransportError) as error:
            return failure(error)


def signed(content: Content, secret: str | None, now: datetime) -> dict[str, object]:
    """The content with timestamp and signature of this moment in front; as it is, unsigned."""
    if secret is None:
        return dict(content)
    timestamp = int(now.timestamp())
    return {"timestamp": str(timestamp), "sign": sign(timestamp, secret), **content}


def sign(timestamp: int, secret: str) -> str:
    """Base64 of HMAC-SHA256 over nothing, keyed by `"{seconds}\\n{secret}"`."""
    key = f"{timestamp}\n{secret}".encode()
    return base64.b64encode(hmac.new(key, b"", hashlib.sha256).digest()).decode()


def failure(error: Exception) -> TransportFailure:
    """How far an attempt came: only what was surely not taken may be sent again."""
    match error:
        case (
            httpx2.ConnectError()
            | httpx2.ConnectTimeout()
            | httpx2.PoolTimeout()
            | httpx2.ProxyError()
            | httpx2.UnsupportedProtocol()
            | httpx2.LocalProtocolError()
        ):
            return TransportFailure.NOT_CONNECTED
        case httpx2.WriteTimeout():
            # The body did not go out whole, so there was nothing to take.
            return TransportFailure.NOT_WRITTEN
        case _:
            return TransportFailure.NO_ANSWER


async def _read(response: httpx2.Response, hidden: tuple[str | None, ...]) -> Answer:
    raw = bytearray()
    async for chunk in response.aiter_raw():
        raw += chunk
        if len(raw) > MAX_ANSWER_BYTES:
            return Answer(response.status_code, None)
    asked = outcome.reset_after({name.lower(): value for name, value in response.headers.items()})
    return Answer(response.status_code, _parsed(bytes(raw), hidden), asked)


def _parsed(raw: bytes, hidden: tuple[str | None, ...]) -> object:
    """The JSON value; the texts in it that are kept repeat no secret of ours."""
    try:
        body: object = json.loads(raw)
    except (ValueError, RecursionError):
        return None
    if isinstance(body, dict):
        for name in ("msg", "StatusMessage"):
            for secret in filter(None, hidden):
                if isinstance(body.get(name), str):
                    body[name] = body[name].replace(secret, "…")
    return body
