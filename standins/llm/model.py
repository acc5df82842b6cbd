"""The model itself: answers as it plays, or does what the script says."""

import asyncio
import itertools
import json
from collections.abc import AsyncGenerator, Mapping
from dataclasses import dataclass, field, replace
from datetime import UTC, datetime
from typing import Any

from standins.llm import completion, plays
from standins.llm.plays import Play
from standins.llm.steps import Script, Step
from standins.llm.turn import Stage
from standins.serving.held import Held
from standins.serving.http_server import Answer, Drop, Flow, Reply, Request, json_reply
from standins.serving.mailbox import Mailbox

_ENDLESS_PIECE = b" " * 4096


@dataclass(frozen=True, slots=True)
class Settings:
    """How the stand-in behaves when nothing is scripted."""

    models: tuple[str, ...] = ("stand-in-1",)
    key: str | None = None
    """Asked for as a bearer token; without it none is."""
    delay_ms: int = 0
    keep: int = 5000
    play: Play = Play.PLANNER
    seed: int = 0
    """Of the faults of a rogue."""


@dataclass(frozen=True, slots=True)
class Asked:
    """One request for a completion, and what became of it."""

    number: int
    model: str
    received_at: datetime
    stage: Stage
    step: str
    authorized: bool
    request: object
    answered: bool = False

    @property
    def key(self) -> str:
        """The model that was asked."""
        return self.model

    def as_json(self) -> dict[str, object]:
        """For tests: the facts, and the request as it came."""
        return {
            "id": self.number,
            "model": self.model,
            "received_at": self.received_at.isoformat(),
            "stage": self.stage.value,
            "step": self.step,
            "authorized": self.authorized,
            "answered": self.answered,
            "request": self.request,
        }


@dataclass(slots=True)
class Model:
    """State of the stand-in: what it was asked, script, and the answers it holds back."""

    settings: Settings
    mailbox: Mailbox[Asked] = field(init=False)
    script: Script = field(default_factory=Script)
    held: Held = field(default_factory=Held)

    def __post_init__(self) -> None:
        self.mailbox = Mailbox(keep=self.settings.keep)

    def listed(self) -> Answer:
        """The models, as /v1/models tells them."""
        models = [{"id": name, "object": "model", "created": 0} for name in self.settings.models]
        return json_reply({"object": "list", "data": models})

    async def complete(self, request: Request) -> Answer:
        """Remember, and answer as scripted."""
        body = _body(request)
        model = str(body.get("model", ""))
        number = self.mailbox.next_number()
        step = self.script.take(model, lambda one: plays.fits(one, body))
        if step is None:
            step = plays.step(self.settings.play, self.settings.seed, number)
        asked = self._remember(request, body, number, step)
        if not asked.authorized:
            return completion.refused(
                401, {"message": "invalid api key", "code": "invalid_api_key"}
            )
        if step.hold and not await self.held.hold(asked.number, model):
            return Drop()
        await asyncio.sleep((step.delay_ms or self.settings.delay_ms) / 1000)
        if step.reset:
            return Drop(reset=True)
        said = plays.answer(self.settings.play, completion.messages_of(body), step.pick)
        return self._sent(completion.replied(step, body, model, said), step, asked)

    def _remember(
        self, request: Request, body: Mapping[str, Any], number: int, step: Step
    ) -> Asked:
        token = request.headers.get("authorization", "")
        asked = Asked(
            number=number,
            model=str(body.get("model", "")),
            received_at=datetime.now(UTC),
            stage=plays.stage(completion.messages_of(body)),
            step=step.name,
            authorized=self.settings.key is None or token == f"Bearer {self.settings.key}",
            request=body,
        )
        self.mailbox.add(asked)
        return asked

    def _sent(self, reply: Reply, step: Step, asked: Asked) -> Answer:
        """The answer as it goes out: at once, piece by piece, or without end."""

        def sent() -> None:
            self.mailbox.put(replace(asked, answered=True))

        if step.endless:
            return Flow(reply.status, _without_end(), reply.content_type, sent)
        if step.cut:
            return Flow(reply.status, _until_the_middle(reply.body), reply.content_type)
        if step.piece_ms:
            return Flow(reply.status, _slowly(reply.body, step.piece_ms), reply.content_type, sent)
        return Reply(reply.status, reply.body, reply.content_type, reply.headers, sent)


def _body(request: Request) -> dict[str, Any]:
    try:
        found = json.loads(request.body)
    except (ValueError, RecursionError):
        return {}
    return found if isinstance(found, dict) else {}


async def _slowly(body: bytes, piece_ms: int) -> AsyncGenerator[bytes, None]:
    for byte in body:
        yield bytes([byte])
        await asyncio.sleep(piece_ms / 1000)


async def _until_the_middle(body: bytes) -> AsyncGenerator[bytes, None]:
    yield body[: len(body) // 2]
    # Breaks the connection where the caller still waits for the rest.
    raise ConnectionAbortedError("scripted")


async def _without_end() -> AsyncGenerator[bytes, None]:
    for _ in itertools.count():
        yield _ENDLESS_PIECE
        await asyncio.sleep(0)
