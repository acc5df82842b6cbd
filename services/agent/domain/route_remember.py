"""What is to be remembered: 记住我周三晚上要练琴 → a constraint on Wednesday evenings.

Spec: agent.md, Memory. A constraint keeps its times free, a preference likes them, a fact sways
nothing.
"""

import re
from itertools import pairwise

from libs.planning.calendar import SectionClock
from services.agent.domain import spoken, when_weekdays
from services.agent.domain.memory import MAX_TEXT, Hints, MemoryType, NewItem

_ASKS = re.compile(
    r"^\s*(?:请|麻烦)?(?:你)?(?:帮我|给我|要|一定要|也)?(?:记住|记牢|牢记|记得)(?:一下)?[,，:：\s]*|^\s*(?:please\s+)?(?:remember|keep\s+in\s+mind)(?:\s+that)?"
    r"[,:\s]*|^\s*以后(?:都|请|要)?记[得住][,，:：\s]*",
    re.IGNORECASE,
)
_AGAINST = re.compile(
    r"不(?!错)|别|没空|没时间|避开|避免|空出来|留给|讨厌|有事|有课|要(?!求|点)|得(?!到)|需要|上班|兼职|练|训练|开会|\b(?:not|never|no|avoid|can'?t|don'?t|hate|busy|play|work|have)\b",
    re.IGNORECASE,
)
_FOR = re.compile(
    r"喜欢|偏好|习惯|效率高|状态好|适合|最好|希望|更(?:好|想|喜欢)|想在|爱在|愿意|倾向|精神好|\b(?:prefer|like|best|better|love|usually)\b",
    re.IGNORECASE,
)
_NOT_LIKED = re.compile(
    r"不(?:太|怎么|是很)?(?:喜欢|习惯|适合|想|愿意|希望)|效率(?:低|不高)|状态(?:差|不好)|don'?t\s+like|hate",
    re.IGNORECASE,
)


def read(words: str, clock: SectionClock) -> NewItem:
    """The item, in the person's own words; its text is empty where nothing was said."""
    said = words.strip()
    text = said[len(_asked(said)) :].strip(" ,，:：\n")
    shown = spoken.hidden(spoken.plain(text))
    days = tuple(sorted({day for one in when_weekdays.named(shown) for day in one.days}))
    runs = when_weekdays.sections(shown, clock)
    first, last = _one_run(runs)
    hints = Hints(() if len(days) == 7 else days, first, last)
    clean = " ".join(spoken.plain(text).split())[:MAX_TEXT]
    return NewItem(_type(shown, timed=bool(hints) or len(days) == 7), clean, hints)


def _one_run(runs: tuple[when_weekdays.Run, ...]) -> when_weekdays.Run:
    """Sections that lie side by side as one run; none where they do not: the words still say it."""
    if not runs:
        return 0, 0
    ordered = sorted(runs)
    for before, after in pairwise(ordered):
        if after[0] > before[1] + 1:
            return 0, 0
    return ordered[0][0], max(last for _, last in ordered)


def _asked(said: str) -> str:
    match = _ASKS.match(spoken.plain(said))
    return match[0] if match else ""


_LEISURE = re.compile(
    r"睡|休息|玩|打球|追剧|锻炼|健身|跑步|游泳|出去|回家|逛|\b(?:sleep|rest|sports?)\b"
)


def _type(text: str, *, timed: bool) -> MemoryType:
    if timed and _LEISURE.search(text):
        return MemoryType.CONSTRAINT
    if _FOR.search(text) and not _NOT_LIKED.search(text):
        return MemoryType.PREFERENCE
    if timed and _AGAINST.search(text):
        return MemoryType.CONSTRAINT
    return MemoryType.CONSTRAINT if _NOT_LIKED.search(text) else MemoryType.FACT
