"""plan: which classes, which dates, which days free; asks where that is not clear."""

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from standins.llm.turn import Turn

_CLASS = re.compile(
    r"^\[(?P<number>\d+)\] (?P<name>.*)：(?P<dates>[^：]*)，共\d+项，待安排(?P<waiting>\d+)项"
    r"(?P<hand>，自己安排)?$"
)
_STEM = re.compile(r"(期末|期中|复习|作业|实验|课程|计划|备考|刷题)+$")
_COUNT = re.compile(r"([一二两三四五六七八九]|\d+)\s*(?:门|个|类|科)")
_NUMBERS = "零一二三四五六七八九"
_DATE = re.compile(r"\d{4}-\d{2}-\d{2}")
_FREE = re.compile(
    r"(?:别|不要?|不想|避开|空出)(?:在|把|安?排)?((?:(?:周|星期)?[一二三四五六日天、和])*"
    r"(?:周|星期)[一二三四五六日天](?:[、和](?:周|星期)?[一二三四五六日天])*)"
)
_WEEKDAYS = "一二三四五六日"
_VAGUE = re.compile(r"最近|这阵子|这段时间|过几天|有空的时候|找个时间")
_STEPS = re.compile(r"分步|分几步|一步一步|先商量|先.{1,12}再")
_UNTIL = "这次排到哪一天为止？"


@dataclass(frozen=True, slots=True)
class Class:
    """A class of the list; `waits` where it has items for a plan."""

    number: int
    name: str
    waits: bool


def decide(turn: Turn) -> Mapping[str, Any]:
    """The scope, a question, or that there is nothing to plan."""
    answered = bool(turn.told("最新的话") or turn.answers)
    words = "\n".join((turn.told("目标"), turn.told("最新的话"), *turn.answers))
    waiting = [one for one in classes(turn.told("任务类清单")) if one.waits]
    if not waiting:
        return _abort("nothing_waits", "没有待安排的任务，这次不用排。")
    chosen = _chosen(waiting, words)
    if not chosen and not answered:
        names = "、".join(one.name for one in waiting)
        return _ask(f"要排哪几个任务类？有待安排的是：{names}。", "数目和清单对不上")
    if _VAGUE.search(words) and not answered:
        return _ask(_UNTIL, "时间范围不清楚")
    return _scope(chosen or waiting, words, answered=answered)


def classes(text: str) -> Sequence[Class]:
    """The classes of a list."""
    found = (_CLASS.match(line) for line in text.split("\n"))
    return tuple(
        Class(int(one["number"]), one["name"], bool(int(one["waiting"])) and not one["hand"])
        for one in found
        if one is not None
    )


def _chosen(waiting: Sequence[Class], words: str) -> Sequence[Class]:
    """Those that are named, all where no number speaks against it, else none."""
    named = [one for one in waiting if _occurs(one.name, words)]
    if named:
        return named
    count = _COUNT.search(words)
    said = count[1] if count else ""
    wanted = int(said) if said.isdigit() else _NUMBERS.find(said.replace("两", "二"))
    return waiting if not said or wanted == len(waiting) else ()


def _occurs(name: str, words: str) -> bool:
    stem = _STEM.sub("", name)
    return len(name) >= 2 and (name in words or (len(stem) >= 2 and stem in words))


def _scope(chosen: Sequence[Class], words: str, *, answered: bool) -> Mapping[str, Any]:
    numbers = [one.number for one in chosen]
    found: dict[str, Any] = {
        "action": "continue",
        "speak": f"先按这{len(numbers)}个任务类的日期排一遍，再把每天的量调匀。",
        "reason": "范围清楚",
        "task_classes": numbers,
    }
    if free := _free_days(words):
        found["excluded_days_of_week"] = free
    dates = sorted(_DATE.findall(words))
    if len(dates) >= 2:
        found |= {"first_date": dates[0], "last_date": dates[-1]}
    if _STEPS.search(words) and not answered:
        found |= {"action": "confirm", "speak": "先这样分两步，可以吗？", "steps": _steps(numbers)}
    return found


def _free_days(words: str) -> list[int]:
    signs = {sign for said in _FREE.findall(words) for sign in said if sign in "一二三四五六日天"}
    return sorted({_WEEKDAYS.index(sign.replace("天", "日")) + 1 for sign in signs})


def _steps(numbers: Sequence[int]) -> list[Mapping[str, Any]]:
    return [
        {"text": "全部排进去", "done_criterion": "没有待安排", "task_classes": list(numbers)},
        {"text": "把每天的量调匀", "done_criterion": "evaluate_balance 可结束"},
    ]


def _ask(question: str, reason: str) -> Mapping[str, Any]:
    return {"action": "ask_user", "speak": question, "reason": reason}


def _abort(code: str, message: str) -> Mapping[str, Any]:
    abort = {"code": code, "user_message": message, "internal_reason": message}
    return {"action": "abort", "reason": message, "abort": abort}
