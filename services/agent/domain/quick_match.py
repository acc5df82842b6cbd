"""Which names words mean: those of tasks, of classes, of blocks.

Words mean a name where it holds most of what they say, 概率论 in 概率论作业, or where they shorten
it, 高数 for 高等数学. A name that shares no more than 作业 with 英语作业 is not meant.
"""

import re
import unicodedata
from collections.abc import Callable, Iterable, Sequence
from typing import TypeVar

from services.agent.domain import memory

Named = TypeVar("Named")

_ENOUGH = 0.6
_EXACT = 2.0
_SHORT = re.compile(r"[\u3400-\u9fff]{2,4}")
_OF = re.compile("[的之]")
_EDGES = re.compile(r"^\W+|\W+$")


def coverage(words: str, *names: str) -> float:
    """How much of the words the names hold, 0 to 1; 2 where one of them is what was said."""
    said = plain(words)
    if not said:
        return 0.0
    known = [plain(name) for name in names if name]
    if said in known:
        return _EXACT
    features = memory.features(_OF.sub(" ", words))
    if not features:
        return 0.0
    held = features & memory.features("\n".join(names))
    if len(held) < len(features) and any(_shortens(said, name) for name in known):
        return 1.0
    return len(held) / len(features)


def matched(
    words: str, among: Iterable[Named], names: Callable[[Named], Sequence[str]]
) -> tuple[Named, ...]:
    """What the words mean: those that fit best, in their order; none where none fits well."""
    scored = [(coverage(words, *names(one)), one) for one in among]
    best = max((score for score, _ in scored), default=0.0)
    return tuple(one for score, one in scored if score == best) if best >= _ENOUGH else ()


def plain(text: str) -> str:
    """One form of letters, without marks around it and spaces in it."""
    folded = unicodedata.normalize("NFKC", text).casefold()
    return "".join(_EDGES.sub("", folded).split())


def _shortens(said: str, name: str) -> bool:
    """Whether 高数 stands for 高等数学: its signs in their order, the first one first."""
    if not _SHORT.fullmatch(said) or not name.startswith(said[0]):
        return False
    rest = iter(name)
    return all(sign in rest for sign in said)
