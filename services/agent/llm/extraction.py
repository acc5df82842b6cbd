"""The JSON object in what an endpoint answered, whatever it wrapped it in.

Takes anything: endpoints that call themselves compatible answer with pages, with null where a
list belongs, with thoughts and fences around the object.
"""

import json
import re
from collections.abc import Mapping
from typing import Any

from services.agent.domain.errors import (
    ModelAnswerInvalid,
    ModelAnswerUnreadable,
    ModelCutOff,
    ModelDeclined,
    ModelSaidNothing,
)

_FENCE = re.compile(r"```[\w-]*\s*\n?(.*?)```", re.DOTALL)
_THOUGHT = re.compile(r"<think(?:ing)?>.*?</think(?:ing)?>", re.DOTALL | re.IGNORECASE)
_THOUGHT_ENDS = re.compile(r"</think(?:ing)?>", re.IGNORECASE)
_THOUGHT_BEGINS = re.compile(r"<think(?:ing)?>", re.IGNORECASE)
_MOST_STARTS = 50
_MOST_TOKENS = 10_000_000


def said(completion: object) -> str:
    """What the model said, for people's eyes as little as for ours. Raises ModelFailed.

    The text holds no lone surrogate: it can be sent back.
    """
    choice = _first_choice(completion)
    finish = getattr(choice, "finish_reason", None)
    if finish == "length":
        raise ModelCutOff("finish_reason length")
    if finish == "content_filter":
        raise ModelDeclined("content filter")
    message = getattr(choice, "message", None)
    if message is None:
        raise ModelAnswerUnreadable("no message")
    if getattr(message, "refusal", None):
        raise ModelDeclined("refusal")
    content = _joined(getattr(message, "content", None))
    if not content.strip():
        content = _called(message)
    if not content.strip():
        raise ModelSaidNothing(f"finish_reason {finish}")
    return content.encode("utf-8", "replace").decode("utf-8")


def tokens(completion: object, of: str = "total_tokens") -> int:
    """What the endpoint counted, for all or a part; 0 where that is no sensible number."""
    count = getattr(getattr(completion, "usage", None), of, None)
    if not isinstance(count, int) or isinstance(count, bool):
        return 0
    return min(max(count, 0), _MOST_TOKENS)


def json_object(text: str) -> Mapping[str, Any]:
    """The first JSON object of the text, thoughts and fences aside. Raises ModelAnswerInvalid."""
    shown = _without_thoughts(text)
    fence = _FENCE.search(shown)
    for part in (fence[1], shown) if fence else (shown,):
        if (found := _first_object(part)) is not None:
            return found
    raise ModelAnswerInvalid("holds no JSON object", text)


def _first_choice(completion: object) -> object:
    if not hasattr(completion, "choices"):
        raise ModelAnswerUnreadable(f"not a completion but {type(completion).__name__}")
    choices = completion.choices
    if not isinstance(choices, list) or not choices or choices[0] is None:
        raise ModelAnswerUnreadable("no choices")
    first: object = choices[0]
    return first


def _joined(content: object) -> str:
    """The content as one text; some endpoints give it in parts."""
    if isinstance(content, str):
        return content
    if not isinstance(content, list):
        return ""
    parts = (part.get("text") for part in content if isinstance(part, dict))
    return "".join(part for part in parts if isinstance(part, str))


def _called(message: object) -> str:
    """A decision out of the first native tool call: some models call where words were asked for."""
    calls = getattr(message, "tool_calls", None)
    function = getattr(calls[0], "function", None) if isinstance(calls, list) and calls else None
    name = getattr(function, "name", None)
    if not isinstance(name, str):
        return ""
    arguments = getattr(function, "arguments", None)
    called = {"name": name, "arguments": arguments or {}}
    return json.dumps({"action": "continue", "reason": name, "tool_call": called}, default=str)


def _without_thoughts(text: str) -> str:
    """The text behind the last thought; a thought that never ends hides the rest."""
    shown = _THOUGHT.sub("", text)
    if ends := list(_THOUGHT_ENDS.finditer(shown)):
        # The opening tag stood in the prompt.
        shown = shown[ends[-1].end() :]
    if begins := _THOUGHT_BEGINS.search(shown):
        shown = shown[: begins.start()]
    return shown


def _first_object(text: str) -> Mapping[str, Any] | None:
    """The first balanced object that is JSON."""
    decoder = json.JSONDecoder(parse_constant=_no_constant)
    start = text.find("{")
    for _ in range(_MOST_STARTS):
        if start < 0:
            return None
        try:
            found, _end = decoder.raw_decode(text, start)
        except (ValueError, RecursionError):
            start = text.find("{", start + 1)
            continue
        return found if isinstance(found, dict) else None
    return None


def _no_constant(name: str) -> object:
    raise ValueError(f"{name} is no JSON")
