"""quick: one small thing by one tool, then the answer out of what it said."""

import re
from collections.abc import Mapping
from typing import Any

from standins.llm.turn import Turn

_DEADLINE = re.compile(
    r"(?:(?:这|本|下|下下)?(?:周|星期|礼拜)[一二三四五六日天]|今天|今晚|明天|后天|\d+月\d+日)"
    r"(?:[早中晚]上|下午)?(?:之?前)?"
)
_ASKS = re.compile(r"有哪些|还有什么|查|看一下")
_IS_DONE = re.compile(r"做完了|完成了|写完了|交了")
_REMEMBERS = re.compile(r"记住")
_LEAD = re.compile(r"^(?:请|帮我|提醒我|记一下|记下|记得|要|得)+|^[，。、\s]+|[，。！？!?\s]+$")
_WHEN = "什么时候截止？"


def decide(turn: Turn) -> Mapping[str, Any]:
    """The tool that fits the words; after it, its answer or what it lacked."""
    last = turn.last
    if last is None:
        name, arguments = _call(turn.words)
        called = {"name": name, "arguments": arguments}
        return {"action": "continue", "reason": "照学生的话", "tool_call": called}
    if last.ok:
        return {"action": "done", "speak": last.result, "reason": "已经查到"}
    answers = turn.answers
    heeded = not answers or last.arguments.get("deadline") == answers[-1]
    if heeded or last.tool != "create_task":
        return {"action": "ask_user", "speak": _WHEN, "reason": "缺一个只有学生知道的事实"}
    arguments = {**last.arguments, "deadline": answers[-1]}
    called = {"name": last.tool, "arguments": arguments}
    return {"action": "continue", "reason": "照学生的回答", "tool_call": called}


def _call(words: str) -> tuple[str, Mapping[str, Any]]:
    if _REMEMBERS.search(words):
        return "remember", {"text": words}
    if _IS_DONE.search(words):
        return "complete_task", {"title": _bare(_IS_DONE.sub("", words)) or words}
    if _ASKS.search(words):
        return "query_tasks", {}
    found = _DEADLINE.search(words)
    if found is None:
        return "create_task", {"title": _bare(words) or words}
    title = _bare(words[: found.start()] + words[found.end() :]) or words
    return "create_task", {"title": title, "deadline": found[0]}


def _bare(words: str) -> str:
    before = None
    while before != words:
        before, words = words, _LEAD.sub("", words)
    return words
