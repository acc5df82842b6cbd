"""route: which way some words go."""

import re
from collections.abc import Mapping
from typing import Any

from standins.llm.turn import Turn

_WAYS = (
    ("feedback", r"没做完|没完成|没写完|没来得及|延后|撑不住|推迟|太累"),
    (
        "quick_task",
        r"提醒我|记一下|记住|记下|做完了|完成了|有哪些任务|还有什么|查一下|deadline|ddl",
    ),
    ("plan", r"排进|排到|安排|规划|复习|计划|准备|弄一下|排一下|期末|考试"),
)
_CHANGES = re.compile(r"换|挪|移|调|改|别|不要|早一点|晚一点|均匀")


def decide(turn: Turn) -> Mapping[str, Any]:
    """The first way whose words occur; with a plan on the table a change of it goes first."""
    words = turn.words
    if turn.told("预排方案") and _CHANGES.search(words):
        return _towards("execute", "改已有的预排方案")
    for way, signs in _WAYS:
        if re.search(signs, words):
            return _towards(way, "学生的话说的是这件事")
    return {
        "route": "direct_reply",
        "speak": "可以把任务类排进日程，也可以记任务和查任务。想做哪一件？",
        "reason": "不需要改动日程",
    }


def _towards(way: str, reason: str) -> Mapping[str, Any]:
    return {"route": way, "speak": "", "reason": reason}
