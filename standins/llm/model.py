"""The model itself: answers honestly, or does what the script says."""

import asyncio
import itertools
import json
import time
from collections.abc import AsyncGenerator, Callable, Mapping
from dataclasses import dataclass, field, replace
from datetime import UTC, datetime
from typing import Any

from standins.llm import honest
from standins.llm.steps import HONEST, Script, Step
from standins.serving.held import Held
from standins.serving.http_server import Answer, Drop, Flow, Reply, Request, json_reply
from standins.serving.mailbox import Mailbox

PAGE = "<!DOCTYPE html><html><body><h1>502 Bad Gateway</h1><hr>gateway</body></html>"
_ENDLESS_PIECE = b" " * 4096
_FENCES = "```json\n{}\n```"


@dataclass(frozen=True, slots=True)
class Settings:
    """How the stand-in behaves when nothing is scripted."""

    models: tuple[str, ...] = ("stand-in-1",)
    key: str | None = None
    """Asked for as a bearer token; without it none is."""
    delay_ms: int = 0
    keep: int = 5000


@dataclass(frozen=True, slots=True)
class Asked:
    """One request for a completion, and what became of it."""

    number: int
    model: str
    received_at: datetime
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
        step = self.script.take(model) or HONEST
        asked = self._remember(request, body, model, step)
        if not asked.authorized:
            return _error(401, {"message": "invalid api key", "code": "invalid_api_key"}, ())
        if step.hold and not await self.held.hold(asked.number, model):
            return Drop()
        await asyncio.sleep((step.delay_ms or self.settings.delay_ms) / 1000)
        if step.reset:
            return Drop(reset=True)
        return self._sent(_answer(step, body, model), step, asked)

    def _remember(self, request: Request, body: Mapping[str, Any], model: str, step: Step) -> Asked:
        token = request.headers.get("authorization", "")
        asked = Asked(
            number=self.mailbox.next_number(),
            model=model,
            received_at=datetime.now(UTC),
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
        if step.piece_ms:
            return Flow(reply.status, _slowly(reply.body, step.piece_ms), reply.content_type, sent)
        return Reply(reply.status, reply.body, reply.content_type, reply.headers, sent)


def _body(request: Request) -> dict[str, Any]:
    try:
        found = json.loads(request.body)
    except (ValueError, RecursionError):
        return {}
    return found if isinstance(found, dict) else {}


def _answer(step: Step, body: Mapping[str, Any], model: str) -> Reply:
    asked_for = body.get("response_format")
    form = asked_for.get("type") if isinstance(asked_for, dict) else None
    if form in step.refuses:
        return _error(400, {"message": f"response_format: {form} is not supported"}, ())
    if step.http is not None:
        return _error(step.http, step.error, step.headers)
    if step.html:
        return Reply(200, PAGE.encode(), "text/html; charset=utf-8")
    if step.body is not None:
        return Reply(200, step.body.encode(errors="replace"), "application/json")
    return json_reply(_completion(step, body, model))


def _error(status: int, error: Mapping[str, Any], headers: tuple[tuple[str, str], ...]) -> Reply:
    told = {"message": "scripted", "type": "error", "param": None, "code": None, **error}
    reply = json_reply({"error": told}, status)
    return Reply(status, reply.body, reply.content_type, headers)


def _completion(step: Step, body: Mapping[str, Any], model: str) -> dict[str, Any]:
    completion: dict[str, Any] = {
        "id": "chatcmpl-standin",
        "object": "chat.completion",
        "created": int(time.time()),
        "model": model,
        "choices": [_choice(step, body)],
        "usage": {"prompt_tokens": 1, "completion_tokens": 1, "total_tokens": 2},
    }
    if step.choices == "empty":
        completion["choices"] = []
    elif step.choices == "null":
        completion |= {"choices": None, "error": {"message": "upstream failed", "code": 502}}
    elif step.choices == "none":
        del completion["choices"]
    return completion


def _choice(step: Step, body: Mapping[str, Any]) -> dict[str, Any]:
    message: dict[str, Any] = {"role": "assistant", "content": _content(step, body)}
    if step.refusal is not None:
        message |= {"content": None, "refusal": step.refusal}
    finish = "length" if step.truncated else "stop"
    return {"index": 0, "message": message, "finish_reason": finish}


def _content(step: Step, body: Mapping[str, Any]) -> str | None:
    if step.null or step.blank:
        return None if step.null else "   \n  "
    text = step.content
    if text is None:
        messages = body.get("messages")
        said = honest.answer(messages if isinstance(messages, list) else (), step.pick)
        text = json.dumps(honest.merged(said, step.merge), ensure_ascii=False)
    if step.truncated:
        text = text[: len(text) // 2]
    for wrap in step.wrap:
        text = _WRAPS[wrap](text)
    return text


_WRAPS: Mapping[str, Callable[[str], str]] = {
    "fence": _FENCES.replace("{}", "%s").__mod__,
    "think": '<think>先想一想 {"selected_id": "c9"}</think>\n%s'.__mod__,
    "open_think": "先想一想</think>\n%s".__mod__,
    "prose": "好的，这是结果：\n%s\n希望有帮助。".__mod__,
}


async def _slowly(body: bytes, piece_ms: int) -> AsyncGenerator[bytes, None]:
    for byte in body:
        yield bytes([byte])
        await asyncio.sleep(piece_ms / 1000)


async def _without_end() -> AsyncGenerator[bytes, None]:
    for _ in itertools.count():
        yield _ENDLESS_PIECE
        await asyncio.sleep(0)
