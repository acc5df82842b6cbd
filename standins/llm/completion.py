"""A completion as endpoints send it: the words, what they are wrapped in, what is spoilt."""

import json
import time
from collections.abc import Callable, Mapping, Sequence
from typing import Any

from standins.llm import honest
from standins.llm.steps import Step
from standins.serving.http_server import Reply, json_reply

PAGE = "<!DOCTYPE html><html><body><h1>502 Bad Gateway</h1><hr>gateway</body></html>"

Answer = Mapping[str, Any]


def replied(step: Step, body: Mapping[str, Any], model: str, answer: Answer) -> Reply:
    """The whole reply of a step; `answer` is what is said where the step does not say otherwise."""
    asked_for = body.get("response_format")
    form = asked_for.get("type") if isinstance(asked_for, dict) else None
    if form in step.refuses:
        return refused(400, {"message": f"response_format: {form} is not supported"})
    if step.http is not None:
        return refused(step.http, step.error, step.headers)
    if step.html:
        return Reply(200, PAGE.encode(), "text/html; charset=utf-8")
    if step.body is not None:
        return Reply(200, step.body.encode(errors="replace"), "application/json")
    return json_reply(_completion(step, body, model, answer))


def refused(
    status: int, error: Mapping[str, Any], headers: tuple[tuple[str, str], ...] = ()
) -> Reply:
    """An error as the vendors tell it."""
    told = {"message": "scripted", "type": "error", "param": None, "code": None, **error}
    reply = json_reply({"error": told}, status)
    return Reply(status, reply.body, reply.content_type, headers)


def _completion(step: Step, body: Mapping[str, Any], model: str, answer: Answer) -> dict[str, Any]:
    choice = _choice(step, answer)
    completion: dict[str, Any] = {
        "id": "chatcmpl-standin",
        "object": "chat.completion",
        "created": int(time.time()),
        "model": model,
        "choices": [choice],
    }
    if step.tokens != 0:
        completion["usage"] = _usage(body, choice, step.tokens)
    return _spoilt(completion, step.choices)


def _usage(body: Mapping[str, Any], choice: Mapping[str, Any], total: int | None) -> dict[str, int]:
    """What was sent and what was said, counted; or a total that is not true."""
    said = _counted(choice["message"]["content"])
    asked = sum(_counted(one.get("content")) for one in messages_of(body) if isinstance(one, dict))
    if total is not None:
        said = total // 2
        asked = total - said
    return {"prompt_tokens": asked, "completion_tokens": said, "total_tokens": asked + said}


def messages_of(body: Mapping[str, Any]) -> Sequence[object]:
    """The messages of a request; none where there is no list of them."""
    messages = body.get("messages")
    return messages if isinstance(messages, list) else ()


def _counted(content: object) -> int:
    """Tokens, as a vocabulary of many languages would find about so many."""
    text = content if isinstance(content, str) else ""
    wide = sum(1 for letter in text if letter > "\u2e7f")
    return (4 * wide + len(text) - wide) // 5 + 3


def _spoilt(completion: dict[str, Any], how: str | None) -> dict[str, Any]:
    if how == "empty":
        completion["choices"] = []
    elif how == "null":
        completion |= {"choices": None, "error": {"message": "upstream failed", "code": 502}}
    elif how == "none":
        del completion["choices"]
    elif how == "null_first":
        completion["choices"] = [None]
    elif how == "no_message":
        del completion["choices"][0]["message"]
    return completion


def _choice(step: Step, answer: Answer) -> dict[str, Any]:
    said = step.decide or honest.merged(dict(answer), step.merge)
    text = _text(step, said)
    message: dict[str, Any] = {"role": "assistant", "content": text}
    if step.parts and text is not None:
        message["content"] = [{"type": "text", "text": part} for part in _halves(text)]
    if step.native is not None:
        message |= {"content": None, "tool_calls": _tool_calls(step.native, said)}
    if step.reasoning is not None:
        message["reasoning_content"] = step.reasoning
    if step.refusal is not None:
        message |= {"content": None, "refusal": step.refusal}
    return {"index": 0, "message": message, "finish_reason": _finish(step)}


def _finish(step: Step) -> str | None:
    if step.finish is not None:
        return None if step.finish == "null" else step.finish
    if step.native is not None:
        return "tool_calls"
    return "length" if step.truncated else "stop"


def _text(step: Step, said: Answer) -> str | None:
    if step.null or step.blank:
        return None if step.null else "   \n  "
    text = step.content
    if text is None:
        text = json.dumps(said, ensure_ascii=False)
    if step.truncated:
        text = _halves(text)[0]
    for wrap in step.wrap:
        text = _WRAPS[wrap](text)
    return text


def _halves(text: str) -> tuple[str, str]:
    middle = len(text) // 2
    return text[:middle], text[middle:]


_OTHER = '{"action": "abort", "reason": "另一个", "abort": {"user_message": "另一个对象"}}'
_WRAPS: Mapping[str, Callable[[str], str]] = {
    "fence": "```json\n{}\n```".replace("{}", "%s").__mod__,
    "open_fence": "```json\n%s".__mod__,
    "think": '<think>先想一想 {"selected_id": "c9"}</think>\n%s'.__mod__,
    "open_think": "先想一想</think>\n%s".__mod__,
    "endless_think": "<think>先想一想\n%s".__mod__,
    "prose": "好的，这是结果：\n%s\n希望有帮助。".__mod__,
    "two": f"%s\n{_OTHER}".__mod__,
    "twice": lambda text: f"{text}\n{text}",
    "list": "[%s]".__mod__,
    "quoted": lambda text: json.dumps(text, ensure_ascii=False),
    "bom": "\ufeff%s".__mod__,
    "single_quotes": lambda text: text.replace('"', "'"),
    "comma": lambda text: f"{text.rstrip()[:-1]},}}",
}


def _tool_calls(how: str, said: Answer) -> Sequence[Mapping[str, Any]]:
    """The tool that the answer would call, as native calls; the answer itself where there is no
    such tool."""
    wish = said.get("tool_call")
    name, arguments = "decide", dict(said)
    if isinstance(wish, dict):
        name, arguments = str(wish.get("name")), wish.get("arguments", {})
    text = json.dumps(arguments, ensure_ascii=False)
    given: Mapping[str, Any] = {"object": arguments, "bad": text[:-1], "empty": "", "null": None}
    call = {
        "id": "call_1",
        "type": "function",
        "function": {"name": name, "arguments": given.get(how, text)},
    }
    if how == "nameless":
        return [{"type": "function", "function": {"arguments": text}}]
    if how == "pair":
        other = {"name": "get_overview", "arguments": "{}"}
        return [call, {"id": "call_2", "type": "function", "function": other}]
    return [call]
