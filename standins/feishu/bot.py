"""The bot itself: takes a message, or does what the script says."""

import asyncio
import time
from collections.abc import Callable
from dataclasses import dataclass, field
from datetime import UTC, datetime

from standins.feishu.faults import Fault, Script
from standins.feishu.judge import BotRules, Judgement, judge
from standins.feishu.mailbox import Mailbox, Received
from standins.feishu.rates import Limits, Rates
from standins.feishu.refusal import Refusal
from standins.serving.held import Held
from standins.serving.http_server import Answer, Drop, Reply, json_reply

SUCCESS = {"StatusCode": 0, "StatusMessage": "success", "code": 0, "data": {}, "msg": "success"}


@dataclass(frozen=True, slots=True)
class BotSettings:
    """How the stand-in behaves when nothing is scripted.

    `clock` gives Unix seconds, the receiver's own; `keep` bounds what is remembered.
    """

    rules: BotRules = field(default_factory=BotRules)
    limits: Limits = field(default_factory=Limits)
    keep: int = 20_000
    clock: Callable[[], float] = time.time


@dataclass(slots=True)
class Bot:
    """State of the stand-in: mailbox, script, rates and the answers it holds back."""

    settings: BotSettings
    mailbox: Mailbox = field(init=False)
    script: Script = field(default_factory=Script)
    _rates: Rates = field(init=False)
    held: Held = field(default_factory=Held)

    def __post_init__(self) -> None:
        self.mailbox = Mailbox(keep=self.settings.keep)
        self._rates = Rates(self.settings.limits)

    async def receive(self, token: str, raw: bytes) -> Answer:
        """Judge, remember, and answer as scripted."""
        fault = self.script.take(token) or Fault()
        received = self._remember(token, raw, fault)
        if fault.hold and not await self.held.hold(received.number, token):
            return Drop()
        if fault.delay_ms:
            await asyncio.sleep(fault.delay_ms / 1000)
        if fault.reset or fault.accept_then_drop:
            return Drop(reset=fault.reset)
        return self._reply(received, fault)

    def _remember(self, token: str, raw: bytes, fault: Fault) -> Received:
        now = self.settings.clock()
        within = not fault.judges_honestly or self._rates.admit(token, now=time.monotonic())
        judged = judge(raw, self.settings.rules, now=now, within_rate=within)
        accepted, code, msg = _outcome(judged, fault)
        received = Received(
            number=self.mailbox.next_number(),
            token=token,
            received_at=datetime.fromtimestamp(now, UTC),
            size=len(raw),
            accepted=accepted,
            code=code,
            msg=msg,
            signature=judged.signature,
            fault=fault.name,
            body=judged.body,
        )
        self.mailbox.add(received)
        return received

    def _reply(self, received: Received, fault: Fault) -> Reply:
        def sent() -> None:
            self.mailbox.answered(received.number)

        status = fault.http or 200
        if fault.body is not None:
            looks_json = fault.body.lstrip()[:1] in ("{", "[")
            kind = "application/json" if looks_json else "text/html"
            return Reply(status, fault.body.encode(errors="replace"), kind, fault.headers, sent)
        if received.code is None:
            return Reply(status, b"", "text/plain", fault.headers, sent)
        failure = {"code": received.code, "msg": received.msg, "data": {}}
        answer = json_reply(SUCCESS if received.code == 0 else failure, status)
        return Reply(status, answer.body, answer.content_type, fault.headers, sent)


def _outcome(judged: Judgement, fault: Fault) -> tuple[bool, int | None, str]:
    """Whether it counts as taken, and the code and text to answer."""
    if fault.code is not None:
        return fault.code == 0, fault.code, fault.msg
    if not fault.judges_honestly:
        return fault.accepted, None, ""
    refused = judged.refusal or Refusal(0, "success")
    code = None if fault.accept_then_drop else refused.code
    return judged.refusal is None, code, refused.msg
