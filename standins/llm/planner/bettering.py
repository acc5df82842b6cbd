"""execute: betters a finished plan until the tools say that nothing is left to gain.

First what the person asked for, then `evaluate_balance`; where it says to go on, `spread_even`
once, then the checked candidates of `analyze_health`, each followed by another look. An optimiser
of what is placed: what waits is an anomaly, and ends the run with an explanation.
"""

import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import Any

from standins.llm.planner import wishing
from standins.llm.planner.speaking import call
from standins.llm.turn import Called, Turn

WRITES = ("place", "move", "swap", "batch_move", "unplace", "spread_even")
LAST_ROUNDS = 2
"""So many rounds before the last one it ends with what it has."""

_DONE = "可结束"
_SETTLED = re.compile(r"结束判断\(done_suggestion\)：(可结束|建议继续)")
_WAITING = re.compile(r"待安排\(pending\)(\d+)个")
_ROUND = re.compile(r"第(\d+)轮，最多(\d+)轮")
_STEP = re.compile(r"\d+\((当前|未到|完成)\)")
_CANDIDATE = re.compile(
    r"^\d+\. (?P<what>move|swap) \[(?P<task>\d+)\].*(?:→ 第(?P<day>\d+)天第(?P<slot>\d+)"
    r"|↔ \[(?P<other>\d+)\]).*：改善\(improve\)，负载方差(?P<before>[\d.]+) → (?P<after>[\d.]+)",
    re.MULTILINE,
)
_NOT_CHANGED = "未作变更"


@dataclass(frozen=True, slots=True)
class Change:
    """A checked change, as a call."""

    tool: str
    arguments: Mapping[str, Any]


def decide(turn: Turn) -> Mapping[str, Any]:
    """The next call, or the end."""
    if (waiting := _waiting(turn)) > 0:
        return _given_up(waiting)
    if _rounds_are_over(turn):
        return _ended(turn, "轮数快用完了，现在的方案已经可以用")
    wished = wishing.decide(turn)
    return _bettered(turn) if wished is None else wished


def _bettered(turn: Turn) -> Mapping[str, Any]:
    last = turn.last
    if last is None or (last.tool in WRITES and last.ok and _NOT_CHANGED not in last.result):
        return call("evaluate_balance", "看是否可以结束")
    if last.tool == "evaluate_balance" and last.ok:
        settled = _SETTLED.search(last.result)
        if settled is None or settled[1] == _DONE:
            return _ended(turn, "evaluate_balance 说可结束")
        if wishing.is_heeded(turn):
            return _ended(turn, "照学生说的改了，别的不动")
        if not _was_called(turn, "spread_even"):
            return call("spread_even", "把每天的量调匀", speak="把每天的量调得匀一些。")
    if last.tool == "analyze_health" or not last.ok:
        return _next_candidate(turn)
    return call("analyze_health", "看有没有已经验证过的改动")


def _next_candidate(turn: Turn) -> Mapping[str, Any]:
    """The first candidate that was not refused since the plan last changed."""
    seen = _health_of_this_plan(turn)
    if seen is None:
        return call("analyze_health", "看有没有已经验证过的改动")
    refused = [(one.tool, dict(one.arguments)) for one in turn.calls if not one.ok]
    for one in _candidates(seen.result):
        if (one.tool, dict(one.arguments)) not in refused:
            return call(one.tool, "已经验证过的改动", **one.arguments)
    return _ended(turn, "没有可以再改善的候选")


def _health_of_this_plan(turn: Turn) -> Called | None:
    """The newest analyze_health, unless the plan has changed behind it."""
    for one in reversed(turn.calls):
        if one.tool == "analyze_health" and one.ok:
            return one
        if one.tool in WRITES and one.ok and _NOT_CHANGED not in one.result:
            return None
    return None


def _candidates(text: str) -> Iterator[Change]:
    for found in _CANDIDATE.finditer(text):
        if float(found["after"]) > float(found["before"]):
            continue
        task = int(found["task"])
        if found["what"] == "swap":
            yield Change("swap", {"task_a": task, "task_b": int(found["other"])})
        else:
            place = {"new_day": int(found["day"]), "new_slot_start": int(found["slot"])}
            yield Change("move", {"task_id": task, **place})


def _was_called(turn: Turn, tool: str) -> bool:
    """In the rounds that are told, or in those that are summed up."""
    return any(one.tool == tool for one in turn.calls) or f"{tool}×" in turn.history


def _waiting(turn: Turn) -> int:
    found = _WAITING.search(turn.told("方案"))
    return int(found[1]) if found else 0


def _rounds_are_over(turn: Turn) -> bool:
    found = _ROUND.search(turn.told("阶段"))
    return found is not None and int(found[1]) > int(found[2]) - LAST_ROUNDS


def _ended(turn: Turn, reason: str) -> Mapping[str, Any]:
    """The end of the step, or of all."""
    marks = _STEP.findall(turn.told("步骤"))
    action = "next_plan" if "未到" in marks else "done"
    check = f"{reason}，没有待安排的任务"
    return {"action": action, "speak": "", "reason": reason, "goal_check": check}


def _given_up(waiting: int) -> Mapping[str, Any]:
    message = f"还有{waiting}项没有位置，现在的范围里放不下，这次先不动日程。"
    abort = {"code": "pending_left", "user_message": message, "internal_reason": "pending"}
    return {"action": "abort", "reason": "待安排大于0", "abort": abort}
