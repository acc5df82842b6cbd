"""The words around a time that say how something lies to it: 前, 之内, 截止到, by, before."""

import re
from dataclasses import dataclass

from services.agent.domain.numerals import value
from services.agent.domain.when import Edge

_NO_EDGE = r"(?![天面台端沿言置任年辈列景途往]|提(?![交醒出]))"
_BEHIND = re.compile(
    rf"\s*(?:(?P<on>那一?天|当天|当日)?\s*"
    rf"(?:(?P<before>之前|以前|前(?!夕){_NO_EDGE}(?![一二两三四五六七\d][天日晚]))"
    r"|前(?P<shift>[一二两三四五六七]|\d)(?:天|日|晚上?)|(?P<eve>前夕)"
    r"|(?P<by>之内|以内|内(?!容|部|心)|为止|截止(?!日期|时间)|结束前|结束之前)"
    r"|(?P<after>之后|以后|过后|后(?!天|面|来|台|悔|续|半)|起(?!床|来|草|码)|开始)))"
)
_ON = re.compile(r"\s*(?:那一?天|当天|当日)")
_AHEAD = re.compile(
    r"(?:(?P<by>截止(?:时间|日期)?\s*(?:到|至|于|是|为|在|[:：])?|截至|最[晚迟]|不[晚迟]于|直到|[到至]"
    r"|(?:ddl|deadline)\s*(?:到|是|为|在|is|[:：])?|\bdue\s*(?:on|by|at)?|\bby|\buntil|\btill"
    r"|\bno\s+later\s+than|\bwithin)"
    r"|(?P<strict>\bbefore|\bprior\s+to)"
    r"|(?P<after>从|自从?|等到?|\bafter|\bfrom|\bsince|\bstarting)"
    r"|(?P<on>[在于是]|\bon|\bat|\bfor|\bin|\bthe))\s*(?:the\s+)?$",
    re.IGNORECASE,
)
_OF_NOUN = re.compile(
    r"\s*的(?!时候|话|时间|[早晚上下中][上午])(?=\s*[^\s,，。;；!！?？、)）])|'s\b"
)


@dataclass(frozen=True, slots=True)
class Edges:
    """What was found, and from where to where the time reaches with these words.

    `edge` None: nothing says it. `days_before`: 周日前一天.
    """

    start: int
    end: int
    edge: Edge | None = None
    days_before: int = 0
    of_noun: bool = False
    is_strict: bool = False


def around(text: str, start: int, end: int) -> Edges:
    """The edge words of a time at start..end: first those behind it, then those ahead."""
    ahead = _AHEAD.search(text, 0, start)
    begins = ahead.start() if ahead else start
    behind = _BEHIND.match(text, end)
    if behind and (edge := _behind(behind)):
        before = 1 if behind["eve"] else value(behind["shift"] or "") or 0
        return Edges(begins, behind.end(), edge, before)
    if on := _ON.match(text, end):
        return Edges(begins, on.end(), Edge.ON)
    is_of_noun = _OF_NOUN.match(text, end) is not None
    if ahead is None:
        return Edges(start, end, of_noun=is_of_noun)
    if ahead["strict"]:
        return Edges(begins, end, Edge.BEFORE, is_strict=True)
    edge = Edge.BY if ahead["by"] else Edge.AFTER if ahead["after"] else None
    return Edges(begins, end, edge, of_noun=is_of_noun)


def _behind(match: re.Match[str]) -> Edge | None:
    if match["before"]:
        return Edge.BEFORE
    if match["by"]:
        return Edge.BY
    if match["after"]:
        return Edge.AFTER
    return Edge.ON if match["shift"] or match["eve"] else None
