"""Every way in which a model was seen to misbehave, and what may never come of it.

Source: reference interfaces.md C; field-cases.md, LLM.
"""

import re
from collections.abc import Iterable, Mapping
from typing import Any

from smartmate.agent.v1 import chat_pb2
from tests.integration.agent.talking import Heard, calls, decided

ALWAYS = {"times": "always"}
CLAIMS = ("已经全部写入你的日程了。", "都帮你排好了，已保存。", "Everything has been saved.")
_NUL = "a\u0000b"
_LONE = "a\ud800b"
_DEEP: Any = []
for _ in range(400):
    _DEEP = [_DEEP]

# What the endpoint does.
OF_THE_ENDPOINT: Mapping[str, Mapping[str, Any]] = {
    "server error": {"http": 500},
    "bad gateway": {"http": 502, "error": {"message": "<html>"}},
    "away": {"http": 503, "headers": {"retry-after": "120"}},
    "rate limit": {"http": 429, "error": {"code": "rate_limit"}, "headers": {"retry-after": "9"}},
    "quota": {"http": 429, "error": {"code": "insufficient_quota"}},
    "bad key": {"http": 401},
    "forbidden": {"http": 403},
    "no such model": {"http": 404},
    "conflict": {"http": 409},
    "too long": {"http": 400, "error": {"message": "context length exceeded"}},
    "unprocessable": {"http": 422},
    "a page": {"html": True},
    "half a body": {"body": '{"choices": ['},
    "no body": {"body": ""},
    "a list": {"body": "[]"},
    "an object without anything": {"body": "{}"},
    "no choices": {"choices": "empty"},
    "null choices": {"choices": "null"},
    "without choices": {"choices": "none"},
    "a null choice": {"choices": "null_first"},
    "a choice without message": {"choices": "no_message"},
    "reset": {"reset": True},
    "cut in the middle": {"cut": True},
    "without end": {"endless": True},
    "schema refused": {"refuses": ["json_schema"]},
    "every form refused": {"refuses": ["json_schema", "json_object"]},
    "no usage": {"tokens": 0},
}
# How a good decision is dressed, or spoilt.
OF_THE_WORDS: Mapping[str, Mapping[str, Any]] = {
    "blank": {"blank": True},
    "null": {"null": True},
    "thoughts alone": {"null": True, "reasoning": "先想一想"},
    "nothing, for its length": {"content": "", "finish": "length"},
    "truncated": {"truncated": True},
    "filtered": {"finish": "content_filter"},
    "refusal": {"refusal": "I can't help with that."},
    "no finish": {"finish": "null"},
    "in parts": {"parts": True},
    "with thoughts beside": {"reasoning": "先想一想"},
    "talk alone": {"content": "好的，我来安排。"},
    "a list of decisions": {"content": '[{"action": "done"}, {"action": "abort"}]'},
    "a number": {"content": "3"},
    "NaN": {"content": '{"action": NaN, "route": NaN}'},
    "a long number": {"content": '{"action": ' + "9" * 5000 + "}"},
    "deep": {"content": "[" * 3000},
    "braces": {"content": "{" * 3000},
    **{
        f"wrapped in {wrap}": {"wrap": wrap}
        for wrap in (
            *("fence", "open_fence", "think", "open_think", "endless_think", "prose"),
            *("two", "twice", "list", "quoted", "bom", "single_quotes", "comma"),
        )
    },
    **{
        f"native {how}": {"native": how}
        for how in ("call", "pair", "object", "bad", "empty", "null", "nameless")
    },
}
# What is decided.
OF_THE_DECISION: Mapping[str, Mapping[str, Any]] = {
    "nothing": {"decide": {"": 1}},
    "unknown action": {"merge": {"action": "fly", "route": "fly"}},
    "action null": {"merge": {"action": None, "route": None}},
    "action a list": {"merge": {"action": ["done"], "route": ["plan"]}},
    "a tool beside done": {
        "decide": {"action": "done", "tool_call": {"name": "get_overview"}, "route": 1}
    },
    "no tool": {"decide": {"action": "continue", "route": ""}},
    "two tools": {"decide": {"action": "continue", "tool_call": [{"name": "a"}, {"name": "b"}]}},
    "speak a list": {"merge": {"speak": ["x"]}},
    "speak a NUL": {"merge": {"speak": _NUL, "reason": _NUL}},
    "half a letter": {"merge": {"speak": _LONE, "reason": _LONE}},
    "half a letter, escaped": {
        "content": '{"action": "ask_user", "route": "direct_reply", '
        '"speak": "a\\ud800b", "reason": "a\\ud800b\\u0000"}'
    },
    "speak without end": {"merge": {"speak": "啊" * 100_000}},
    "reason a number": {"merge": {"reason": 3}},
    "an abort without words": {"decide": {"action": "abort"}},
    "an abort of NULs": {"decide": {"action": "abort", "abort": {"code": 3, "user_message": []}}},
    "a question without words": {"decide": {"action": "ask_user"}},
    "goal_check an object": {"merge": {"goal_check": {}}},
    "more fields": {"merge": {"rights": "all", "always_execute": True, "phase": "done"}},
}
# What is called; for the stages that call tools.
OF_THE_CALL: Mapping[str, Mapping[str, Any]] = {
    "unknown tool": calls("reschedule_all"),
    "dotted tool": calls("place.task"),
    "empty tool": calls(""),
    "a tool of many letters": calls("place" * 500),
    "a closed tool": calls("min_context_switch"),
    "a tool by number": decided("continue", tool_call={"name": 3, "arguments": {}}),
    "no arguments": calls("move"),
    "wrong names": calls("move", id=1, day=2),
    "wrong types": calls("move", task_id="1", new_day=None, new_slot_start=[1]),
    "out of range": calls("move", task_id=2, new_day=10**9, new_slot_start=-1),
    "huge": calls("find_first_free", duration=10**300),
    "a fraction": calls("get_task_info", task_id=1.5),
    "true": calls("get_task_info", task_id=True),
    "infinite": {
        "content": '{"action": "continue", "reason": "x", '
        '"tool_call": {"name": "get_task_info", "arguments": {"task_id": 1e999}}}'
    },
    "half a range": calls("query_range", day=1, slot_start=1),
    "arguments a text": decided(
        "continue", tool_call={"name": "list_tasks", "arguments": "{'status': 'all'}"}
    ),
    "arguments a list": decided("continue", tool_call={"name": "list_tasks", "arguments": [1]}),
    "deep arguments": decided("continue", tool_call={"name": "list_tasks", "arguments": _DEEP}),
    "NUL in arguments": calls("list_tasks", category=_NUL),
    "half a letter in arguments": {
        "content": '{"action": "continue", "reason": "x", "tool_call": '
        '{"name": "list_tasks", "arguments": {"category": "a\\ud800\\u0000b"}}}'
    },
    "a course is moved": calls("move", task_id=1, new_day=2, new_slot_start=1),
    "an unknown task": calls("unplace", task_id=999),
    "two hundred moves": calls(
        "batch_move", moves=[{"task_id": 1, "new_day": 1, "new_slot_start": 1}] * 200
    ),
}

_RAW = re.compile(
    r"Traceback|Exception|\b\w+Error\b|\bNone\b|\bnull\b|\{\"|\\u[0-9a-f]{4}|asyncpg|grpc|httpx"
)
_CLAIM = re.compile(r"已经?[^，。]{0,6}(写入|保存|排好|排进)|has been (saved|written)|排好了")


def improper(heard: Heard) -> list[str]:
    """What no answer of a model may ever lead to: a stream that ends nowhere, numbers with a gap,
    raw words, a claim of what did not happen. Nothing was written before."""
    found = [] if _ends(heard) else [f"ends with {heard.kinds[-1:]}"]
    numbers = [one.sequence for one in heard.events]
    if numbers != list(range(numbers[0], numbers[0] + len(numbers))):
        found.append(f"numbers {numbers}")
    for text in _shown(heard):
        if _RAW.search(text) or "\u0000" in text:
            found.append(f"raw: {text[:200]}")
        if _CLAIM.search(text):
            found.append(f"claims: {text[:200]}")
        if len(text) > 2000:
            found.append(f"{len(text)} letters")
    return found


def _ends(heard: Heard) -> bool:
    if not heard.events:
        return False
    last = heard.last
    if last.HasField("outcome"):
        known = chat_pb2.OutcomeKind.values()[1:]
        return last.outcome.kind in known and bool(last.outcome.code)
    return last.HasField("question") or last.HasField("confirm_request")


def _shown(heard: Heard) -> Iterable[str]:
    """All that a person reads, tool calls aside: these are folded, and show what was called."""
    for one in heard.events:
        name = one.WhichOneof("content")
        if name == "speak":
            yield one.speak.text
        elif name == "question":
            yield one.question.text
            yield from (choice.text for choice in one.question.choices)
        elif name == "confirm_request":
            yield one.confirm_request.text
        elif name == "outcome":
            yield one.outcome.user_message
        elif name == "status":
            yield from (one.status.text.zh_cn, one.status.text.en_us)
