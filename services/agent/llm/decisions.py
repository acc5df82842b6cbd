"""The JSON object of one turn in the loop, its shape and its check.

Anything malformed becomes a correction, in words for the model. Spec: agent.md, Contract with the
model.
"""

import json
import re
import unicodedata
from collections.abc import Mapping
from dataclasses import dataclass
from enum import StrEnum
from typing import Any

from services.agent.domain.errors import ModelAnswerInvalid
from services.agent.llm import extraction

LONGEST_WORDS = 600
"""Letters of what a model says that are kept."""
_LONGEST_ARGUMENTS = 8000
_LONGEST_NAME = 80
_CODE = re.compile(r"[a-z][a-z0-9_]{0,39}")


class Action(StrEnum):
    """What the model wants to do next."""

    CONTINUE = "continue"
    ASK_USER = "ask_user"
    CONFIRM = "confirm"
    NEXT_PLAN = "next_plan"
    DONE = "done"
    ABORT = "abort"


@dataclass(frozen=True, slots=True)
class ToolWish:
    """A tool that the model wants called; `arguments` are as it sent them."""

    name: str
    arguments: object


@dataclass(frozen=True, slots=True)
class AbortWish:
    """Why the model gives up."""

    code: str
    user_message: str
    internal_reason: str


@dataclass(frozen=True, slots=True)
class Decision:
    """One decision. `speak` falls back to `reason`."""

    action: Action
    speak: str
    reason: str
    goal_check: str = ""
    tool: ToolWish | None = None
    abort: AbortWish | None = None


@dataclass(frozen=True, slots=True)
class DecisionShape:
    """What is asked for. `with_goal_check`: a plan was agreed on, so next_plan and done need it."""

    with_goal_check: bool = False
    tools: tuple[str, ...] = ()

    @property
    def name(self) -> str:
        return "decision"

    @property
    def strict(self) -> bool:
        # Arguments differ by tool; they are checked where the tool is known.
        return False

    def schema(self) -> dict[str, Any]:
        text = {"type": "string"}
        call: dict[str, Any] = {
            "type": "object",
            "properties": {"name": text, "arguments": {"type": "object"}},
            "required": ["name", "arguments"],
        }
        if self.tools:
            call["properties"]["name"] = {"type": "string", "enum": list(self.tools)}
        names = ("code", "user_message", "internal_reason")
        abort = {"type": "object", "properties": dict.fromkeys(names, text)}
        return {
            "type": "object",
            "properties": {
                "action": {"type": "string", "enum": [one.value for one in Action]},
                "speak": text,
                "reason": text,
                "goal_check": text,
                "tool_call": call,
                "abort": abort,
            },
            "required": ["action", "reason"],
        }

    def read(self, said: str) -> Decision:
        """The decision in a model's words. Raises ModelAnswerInvalid."""
        found = extraction.json_object(said)
        action = chosen(found, "action", tuple(one.value for one in Action), said)
        reason = worded(found, "reason", said)
        decision = Decision(
            action=Action(action),
            speak=worded(found, "speak", said) or reason,
            reason=reason,
            goal_check=worded(found, "goal_check", said),
            tool=_tool(found.get("tool_call"), said),
            abort=_abort(found.get("abort"), said),
        )
        self._fit(decision, said)
        return decision

    def _fit(self, decision: Decision, said: str) -> None:
        action = decision.action
        calls = action in (Action.CONTINUE, Action.CONFIRM)
        if calls and decision.tool is None:
            raise ModelAnswerInvalid(f"action 为 {action} 时须有 tool_call", said)
        if not calls and decision.tool is not None:
            raise ModelAnswerInvalid(
                f"action 为 {action} 时不能有 tool_call；要调用工具，action 用 continue", said
            )
        if action is Action.ABORT and (decision.abort is None or not decision.abort.user_message):
            raise ModelAnswerInvalid("action 为 abort 时须有 abort.user_message", said)
        if action is Action.ASK_USER and not decision.speak:
            raise ModelAnswerInvalid("action 为 ask_user 时须在 speak 写出问题", said)
        ends = action in (Action.DONE, Action.NEXT_PLAN)
        if self.with_goal_check and ends and not decision.goal_check:
            raise ModelAnswerInvalid(f"action 为 {action} 时须有 goal_check", said)


def chosen(found: Mapping[str, Any], name: str, allowed: tuple[str, ...], said: str) -> str:
    """One of the allowed words. Raises ModelAnswerInvalid."""
    value = found.get(name)
    word = value.strip().lower() if isinstance(value, str) else ""
    if word not in allowed:
        raise ModelAnswerInvalid(f"{name} 须为 {'、'.join(allowed)} 之一", said)
    return word


def worded(found: Mapping[str, Any], name: str, said: str) -> str:
    """Words, or none. Raises ModelAnswerInvalid for what is no text."""
    value = found.get(name)
    if value is None:
        return ""
    if not isinstance(value, str):
        raise ModelAnswerInvalid(f"{name} 须为字符串", said)
    return plain(value).strip()[:LONGEST_WORDS]


def plain(text: str) -> str:
    """The text without control characters, but for line breaks, and without halves of letters:
    what can be stored and sent."""
    return "".join(
        one for one in text if one == "\n" or unicodedata.category(one) not in ("Cc", "Cs")
    )


def _tool(value: object, said: str) -> ToolWish | None:
    """One call. An empty object, or a list that holds one, is read as what it means."""
    if isinstance(value, list) and len(value) > 1:
        raise ModelAnswerInvalid("tool_call 只能有一个工具", said)
    if isinstance(value, list):
        value = value[0] if value else None
    if value is None or value == {}:
        return None
    name = value.get("name") if isinstance(value, dict) else None
    if not isinstance(value, dict) or not isinstance(name, str):
        raise ModelAnswerInvalid("tool_call 须为含 name 与 arguments 的对象", said)
    name = plain(name).strip()[:_LONGEST_NAME]
    return ToolWish(name, _arguments(value.get("arguments"), said))


def _arguments(value: object, said: str) -> object:
    if value is None or value == "":
        return {}
    if len(json.dumps(value, ensure_ascii=False)) > _LONGEST_ARGUMENTS:
        raise ModelAnswerInvalid("tool_call.arguments 太长", said)
    return value


def _abort(value: object, said: str) -> AbortWish | None:
    if value is None or value == {}:
        return None
    if not isinstance(value, dict):
        raise ModelAnswerInvalid("abort 须为含 code、user_message、internal_reason 的对象", said)
    return AbortWish(
        code_of(worded(value, "code", said)),
        worded(value, "user_message", said),
        worded(value, "internal_reason", said),
    )


def code_of(text: str) -> str:
    """A model's code where it is one: programs read it, and logs hold it."""
    return text if _CODE.fullmatch(text) else "aborted_by_model"
