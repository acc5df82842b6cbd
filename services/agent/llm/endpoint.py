"""One OpenAI-compatible endpoint, asked by the openai SDK; its answers are taken as they come.

No retries of the SDK's own: the budget is the caller's. An endpoint that refuses the way it is
asked for JSON is asked for less, one step at a time, for as long as this process lives.
Source: reference interfaces.md, C.
"""

import asyncio
from collections.abc import AsyncIterator, Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from enum import StrEnum
from typing import Any, cast
from urllib.parse import urlsplit

import httpx2
import openai
from openai import AsyncOpenAI

from libs.process.settings import is_loopback
from libs.telemetry import logs
from services.agent.domain import errors
from services.agent.llm import extraction
from services.agent.llm.conversation import Message, Said, Shape

_log = logs.get("llm.endpoint")

MAX_ANSWER_BYTES = 1 << 20
_CONNECT_SECONDS = 3.0
# Servers of one's own ask for no key, the SDK does.
_NO_KEY = "none"
_CODE_LENGTH = 50
_DOWNGRADE_STATUS = (400, 422)
_DOWNGRADE_WORDS = ("response_format", "json_schema", "json_object", "strict")


class Structured(StrEnum):
    """How an endpoint is asked for JSON, the most telling way first."""

    JSON_SCHEMA = "json_schema"
    JSON_OBJECT = "json_object"
    PROMPT = "prompt"


_LESS = {
    Structured.JSON_SCHEMA: Structured.JSON_OBJECT,
    Structured.JSON_OBJECT: Structured.PROMPT,
}


@dataclass(frozen=True, slots=True)
class Profile:
    """What an endpoint can do, as far as it was told."""

    model: str
    base_url: str
    structured: Structured
    thinking_off: Mapping[str, Any] = field(default_factory=dict)
    token_limit: int = 0
    token_limit_name: str = "max_tokens"


@dataclass(slots=True)
class Endpoint:
    """Asks one model. `asked_by` is how it is asked for JSON at present."""

    profile: Profile
    client: AsyncOpenAI = field(repr=False)
    asked_by: Structured

    @classmethod
    def open(cls, profile: Profile, api_key: str) -> "Endpoint":
        """Key and address are given, so that none of the environment reaches a third party."""
        web = httpx2.AsyncClient(
            timeout=httpx2.Timeout(None, connect=_CONNECT_SECONDS),
            follow_redirects=False,
            event_hooks={"response": [_bound]},
            headers={"Accept-Encoding": "identity"},
            # A person's proxy leads to the world, never to a server on this machine.
            trust_env=not is_loopback(f"{urlsplit(profile.base_url).hostname}:0"),
        )
        client = AsyncOpenAI(
            api_key=api_key or _NO_KEY,
            base_url=profile.base_url,
            organization="",
            project="",
            max_retries=0,
            http_client=web,
        )
        return cls(profile, client, profile.structured)

    @property
    def name(self) -> str:
        return self.profile.model

    async def ask(self, messages: Sequence[Message], form: Shape, *, seconds: float) -> str:
        """The words of `answer` alone."""
        return (await self.answer(messages, form, seconds=seconds)).text

    async def answer(self, messages: Sequence[Message], shape: Shape, *, seconds: float) -> Said:
        """What the model says, in at most so many seconds. Raises ModelFailed."""
        try:
            async with asyncio.timeout(seconds):
                completion = await self._completion(messages, shape)
        except TimeoutError as error:
            raise errors.ModelTimedOut(f"{seconds:.1f} s") from error
        return Said(
            extraction.said(completion),
            tokens=extraction.tokens(completion),
            asked=extraction.tokens(completion, "prompt_tokens"),
        )

    async def close(self) -> None:
        """Closes every connection."""
        await self.client.close()

    async def _completion(self, messages: Sequence[Message], form: Shape) -> object:
        """An answer of any shape, asked for with less where the endpoint refuses the form."""
        while True:
            asked_by = self.asked_by
            try:
                return await self._create(messages, form, asked_by)
            except openai.APIStatusError as error:
                less = _LESS.get(asked_by)
                if less is None or not _names_the_form(error):
                    raise _failure(error) from error
                self._downgrade(asked_by, less)
            except openai.APITimeoutError as error:
                raise errors.ModelTimedOut("the connection") from error
            except openai.OpenAIError as error:
                raise errors.ModelUnreachable(_kind(error)) from error
            except (ValueError, TypeError, AttributeError, LookupError, RecursionError) as error:
                # The SDK builds its objects out of whatever came.
                raise errors.ModelAnswerUnreadable(type(error).__name__) from error

    def _downgrade(self, refused: Structured, less: Structured) -> None:
        # Another call may have found out the same in the meantime.
        if self.asked_by is refused:
            self.asked_by = less
            _log.warning("asked_for_less", model=self.name, refused=refused.value, now=less.value)

    async def _create(
        self, messages: Sequence[Message], form: Shape, asked_by: Structured
    ) -> object:
        profile = self.profile
        more: dict[str, Any] = {}
        if profile.token_limit:
            more[profile.token_limit_name] = profile.token_limit
        if (asks := _response_format(form, asked_by)) is not None:
            more["response_format"] = asks
        return await self.client.chat.completions.create(
            model=profile.model,
            messages=cast("Iterable[Any]", [_told(one) for one in messages]),
            extra_body=dict(profile.thinking_off) or None,
            **more,
        )


def _told(message: Message) -> dict[str, str]:
    return {"role": message.role, "content": message.content}


def _response_format(form: Shape, asked_by: Structured) -> dict[str, Any] | None:
    if asked_by is Structured.PROMPT:
        return None
    if asked_by is Structured.JSON_OBJECT:
        return {"type": "json_object"}
    schema = {"name": form.name, "strict": form.strict, "schema": form.schema()}
    return {"type": "json_schema", "json_schema": schema}


def _names_the_form(error: openai.APIStatusError) -> bool:
    """Whether a refusal is about the way in which JSON was asked for."""
    if error.status_code not in _DOWNGRADE_STATUS:
        return False
    told = f"{error.message} {error.body} {error.param}".lower()
    return any(word in told for word in _DOWNGRADE_WORDS)


def _failure(error: openai.APIStatusError) -> errors.ModelFailed:
    status = error.status_code
    if status == 429:
        return errors.ModelRateLimited(str(error.code or "")[:_CODE_LENGTH])
    if status >= 500:
        return errors.ModelServerError(str(status))
    return errors.ModelRequestRefused(str(status))


def _kind(error: BaseException) -> str:
    """The error under the SDK's own, by name: texts may hold addresses."""
    return type(error.__cause__ or error).__name__


async def _bound(response: httpx2.Response) -> None:
    """An answer without end is cut, not kept."""
    stream = response.stream
    if isinstance(stream, httpx2.AsyncByteStream):
        response.stream = _Bounded(stream)


class AnswerTooLarge(httpx2.ReadError):
    """The endpoint sent more than any answer needs."""


class _Bounded(httpx2.AsyncByteStream):
    """A stream that breaks beyond MAX_ANSWER_BYTES."""

    def __init__(self, stream: httpx2.AsyncByteStream) -> None:
        self._stream = stream

    async def __aiter__(self) -> AsyncIterator[bytes]:
        left = MAX_ANSWER_BYTES
        async for chunk in self._stream:
            left -= len(chunk)
            if left < 0:
                raise AnswerTooLarge("the answer has no end")
            yield chunk

    async def aclose(self) -> None:
        await self._stream.aclose()
