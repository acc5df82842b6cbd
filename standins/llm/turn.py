"""One turn of a conversation, read out of the four messages that ask for it.

[0] rules, [1] history, [2] the loop so far, [3] state and brief. What kind of turn it is stands in
the rules: the fields that the answer may have.
"""

import json
import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from enum import StrEnum
from typing import Any


class Stage(StrEnum):
    """What a request asks for."""

    ROUTE = "route"
    PLAN = "plan"
    EXECUTE = "execute"
    QUICK = "quick"
    SELECT = "select"
    EXPLAIN = "explain"
    LOCATE = "locate"
    OTHER = "other"


CONVERSATION = (Stage.ROUTE, Stage.PLAN, Stage.EXECUTE, Stage.QUICK)
# The first of these fields that the rules name tells the stage: others have them too.
_SIGNS = (
    ("route", Stage.ROUTE),
    ("task_classes", Stage.PLAN),
    ("goal_check", Stage.EXECUTE),
    ("tool_call", Stage.QUICK),
)
_FIELDS = re.compile(r"^4\.1 字段：(.*)$", re.MULTILINE)
_NAME = re.compile(r"`(\w+)`")
_ROUND = re.compile(r"^\[第(\d+)轮\] (.*)$", re.DOTALL)
_BLOCK = re.compile(r"^(?=\[第\d+轮\] )", re.MULTILINE)
_CALL = re.compile(
    r"想法：(?P<thought>.*)\n调用：(?P<tool>\S+) ?(?P<arguments>.*)\n结果：(?P<result>.*)",
    re.DOTALL,
)
_LINE = re.compile(r"^\d+\. (?P<label>[^：（]+)(?:（[^）]*）)?：(?P<value>.*)$")
_FAILED = "失败，"


@dataclass(frozen=True, slots=True)
class Called:
    """A call of the loop and what came of it; `arguments` is empty where they cannot be read."""

    round: int
    thought: str
    tool: str
    arguments: Mapping[str, Any]
    ok: bool
    result: str


@dataclass(frozen=True, slots=True)
class Turn:
    """The facts of a turn. `notes` are the lines of the loop that are no calls; `brief` the lines
    of the last message by their label."""

    stage: Stage
    rules: str = ""
    history: str = ""
    calls: tuple[Called, ...] = ()
    notes: tuple[str, ...] = ()
    brief: Mapping[str, str] = field(default_factory=dict)

    @property
    def last(self) -> Called | None:
        """The newest call."""
        return self.calls[-1] if self.calls else None

    def told(self, label: str) -> str:
        """A line of the brief; nothing where it is absent or says nothing."""
        found = self.brief.get(label, "")
        return "" if found in ("（无）", "（同上）") else found

    @property
    def answers(self) -> tuple[str, ...]:
        """What the person answered to what was asked in this run."""
        lines = self.told("学生对提问的回答").split("\n")
        return tuple(line.rpartition("答：")[2] for line in lines if "答：" in line)

    @property
    def words(self) -> str:
        """What the person said last, answers aside."""
        return self.told("最新的话") or self.told("学生最新的话") or self.told("目标")


def read(messages: Sequence[object]) -> Turn:
    """The turn that messages ask for; of stage OTHER where they are none of a conversation."""
    texts = [_content(one) for one in messages]
    stage = stage_of_rules(texts[0]) if texts else Stage.OTHER
    if stage not in CONVERSATION or len(texts) < 4:
        return Turn(Stage.OTHER)
    rules, history, loop, brief = texts[:4]
    calls, notes = _loop(loop)
    return Turn(stage, rules, history, calls, notes, _brief(brief))


def stage_of_rules(rules: str) -> Stage:
    """By the fields that an answer may have."""
    found = _FIELDS.search(rules)
    names = set(_NAME.findall(found[1])) if found else set()
    return next((stage for name, stage in _SIGNS if name in names), Stage.OTHER)


def _content(message: object) -> str:
    return str(message.get("content") or "") if isinstance(message, dict) else ""


def _loop(text: str) -> tuple[tuple[Called, ...], tuple[str, ...]]:
    calls: list[Called] = []
    notes: list[str] = []
    for block in _BLOCK.split(text):
        found = _ROUND.match(block.rstrip("\n"))
        if found is None:
            continue
        called = _CALL.match(found[2])
        if called is None:
            notes.append(found[2])
        else:
            calls.append(_called(int(found[1]), called))
    return tuple(calls), tuple(notes)


def _called(round_: int, found: re.Match[str]) -> Called:
    result = found["result"]
    failed = result.startswith(_FAILED)
    return Called(
        round=round_,
        thought=found["thought"],
        tool=found["tool"],
        arguments=_arguments(found["arguments"]),
        ok=not failed,
        result=result.removeprefix(_FAILED),
    )


def _arguments(text: str) -> Mapping[str, Any]:
    try:
        found = json.loads(text)
    except (ValueError, RecursionError):
        return {}
    return found if isinstance(found, dict) else {}


def _brief(text: str) -> Mapping[str, str]:
    found: dict[str, str] = {}
    label, inside = "", False
    for line, begins in _lines(text):
        if begins is not None:
            label, found[begins["label"]] = begins["label"], begins["value"]
            inside = False
        elif label and (inside or line == "<data>"):
            inside = line != "</data>"
            if line not in ("<data>", "</data>"):
                found[label] += ("\n" if found[label] else "") + line
    return found


def _lines(text: str) -> Iterator[tuple[str, re.Match[str] | None]]:
    """Each line, with what it begins; inside of quoted data nothing begins."""
    quoted = False
    for line in text.split("\n"):
        quoted = line == "<data>" or (quoted and line != "</data>")
        yield line, None if quoted else _LINE.match(line)
