"""What is left of the rounds of a loop once they are over."""

from collections.abc import Sequence
from dataclasses import replace

from services.agent.domain.run import Turn


def summed(turns: Sequence[Turn]) -> str:
    """Which tools were called how often, in one line; empty where there was no round."""
    if not turns:
        return ""
    done, failed = _counted(turns, ok=True), _counted(turns, ok=False)
    tail = f"；失败：{failed}" if failed else ""
    return f"较早的轮次（第{turns[0].round}到{turns[-1].round}轮）：{done or '无'}{tail}。"


def joined(turns: Sequence[Turn], new: Turn) -> tuple[Turn, ...]:
    """The loop with one more turn: of each tool only the newest observation stays, older ones are
    never told again; of older failures the first line."""
    return (*(_older(one, new) for one in turns), new)


def _older(turn: Turn, new: Turn) -> Turn:
    if not turn.tool or turn.tool != new.tool or (turn.ok and not new.ok):
        return turn
    line = "" if turn.ok else turn.observation.partition("\n")[0]
    return replace(turn, observation=line)


def _counted(turns: Sequence[Turn], *, ok: bool) -> str:
    counts: dict[str, int] = {}
    for turn in turns:
        if turn.tool and turn.ok is ok:
            counts[turn.tool] = counts.get(turn.tool, 0) + 1
    return "、".join(f"{tool}×{count}" for tool, count in sorted(counts.items()))
