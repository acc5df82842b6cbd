"""The four messages of a turn, within a budget.

[0] rules; [1] what was said and done before, in short; [2] this run's loop; [3] state and brief.
In the loop only the newest observation of each tool stays, and it is never cut. What is too long
is taken from the history: first the oldest words, never the rules. Spec: agent.md.
"""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from services.agent.domain import loops
from services.agent.domain.run import Turn, Weight
from services.agent.llm.conversation import Message
from services.agent.llm.tokens import estimate

TOO_OLD = "当前工具调用结果过于久远，已经被删除。"
NOTHING = "（无）"
RULES, HISTORY, LOOP, STATE = "rules", "history", "loop", "state"
RECENT_TURNS = 8
"""Turns of the loop that are told one by one; those before are summed up."""
_LONGEST_THOUGHT = 160
_LONGEST_LINE = 400
_LONGEST_ARGUMENTS = 300


@dataclass(frozen=True, slots=True)
class Spoken:
    """Words of the conversation, by the person or by the assistant."""

    by_person: bool
    text: str


@dataclass(frozen=True, slots=True)
class Parts:
    """What the four messages are made of; `earlier` sums up the loops of runs before this one."""

    rules: str
    spoken: tuple[Spoken, ...]
    earlier: str
    loop: tuple[Turn, ...]
    state: str


@dataclass(frozen=True, slots=True)
class Context:
    """The messages, and what each weighs."""

    messages: tuple[Message, ...]
    weights: tuple[Weight, ...]


def four(parts: Parts, *, budget: int, factor: float = 1.0) -> Context:
    """The messages; `factor` corrects the estimate by what endpoints counted before."""
    early, recent = _split(parts.loop)
    loop = _loop(recent)
    summed = "\n".join(filter(None, (parts.earlier, loops.summed(early))))
    fixed = sum(estimate(text) for text in (parts.rules, loop, parts.state, summed))
    room = max(int(budget / factor) - fixed, 0)
    history = _history(parts.spoken, summed, room)
    messages = (
        Message("system", parts.rules),
        Message("user", history),
        Message("assistant", loop),
        Message("user", parts.state),
    )
    weighed = zip((RULES, HISTORY, LOOP, STATE), messages, strict=True)
    return Context(
        messages,
        tuple(Weight(name, round(estimate(one.content) * factor)) for name, one in weighed),
    )


def _split(turns: Sequence[Turn]) -> tuple[Sequence[Turn], Sequence[Turn]]:
    """The turns that are summed up, and those that are told; an observation that is the newest of
    its tool is told, however old."""
    newest = _newest(turns)
    cut = len(turns) - RECENT_TURNS
    early = [one for at, one in enumerate(turns) if at < cut and at not in newest]
    recent = [one for at, one in enumerate(turns) if at >= cut or at in newest]
    return early, recent


def _newest(turns: Sequence[Turn]) -> set[int]:
    """Where the newest observation of each tool stands."""
    found = {one.tool: at for at, one in enumerate(turns) if one.tool and one.ok}
    failed = {one.tool: at for at, one in enumerate(turns) if one.tool and not one.ok}
    # A failure is one line; it counts where nothing of the tool came after it.
    return {*found.values(), *(at for tool, at in failed.items() if at > found.get(tool, -1))}


def _loop(turns: Sequence[Turn]) -> str:
    newest = _newest(turns)
    lines = [line for at, turn in enumerate(turns) for line in _told(turn, is_newest=at in newest)]
    return "\n".join(lines) or NOTHING


def _told(turn: Turn, *, is_newest: bool) -> Iterable[str]:
    if not turn.tool:
        yield f"[第{turn.round}轮] {_cut(turn.observation)}"
        return
    yield f"[第{turn.round}轮] 想法：{_cut(turn.thought, _LONGEST_THOUGHT)}"
    yield f"调用：{turn.tool} {_cut(turn.arguments, _LONGEST_ARGUMENTS)}"
    if not turn.ok:
        first = turn.observation.partition("\n")[0]
        yield f"结果：失败，{turn.observation if is_newest else _cut(first, _LONGEST_THOUGHT)}"
    else:
        yield f"结果：{turn.observation if is_newest else TOO_OLD}"


def _history(spoken: Sequence[Spoken], summed: str, room: int) -> str:
    """As many of the newest words as there is room for; that others were left out is told."""
    kept: list[str] = []
    for one in reversed(spoken):
        line = f"{'学生' if one.by_person else '助手'}：{_cut(one.text)}"
        weight = estimate(line) + 1
        if weight > room:
            break
        room -= weight
        kept.append(line)
    left = len(spoken) - len(kept)
    lines = [f"（更早的{left}句已省略）"] if left else []
    lines += ["<data>", *reversed(kept), "</data>"] if kept else []
    lines += [summed] if summed else []
    return "\n".join(lines) or NOTHING


def _cut(text: str, longest: int = _LONGEST_LINE) -> str:
    """One line without angle brackets: data stays inside its block."""
    line = " ".join(text.split()).replace("<", "＜").replace(">", "＞")
    return line if len(line) <= longest else line[: longest - 1] + "…"
