"""What feedback says besides times: what is wrong, how the block lies to now, which title."""

import re
from dataclasses import dataclass
from enum import StrEnum

from services.agent.domain.numerals import NUMBER, value
from services.agent.domain.when import Mention


class Complaint(StrEnum):
    """What the person tells."""

    UNFINISHED = "unfinished"
    """刚才那个没做完."""
    DELAY = "delay"
    """这项要延后."""
    EXHAUSTED = "exhausted"
    """今天撑不住了."""


class Relative(StrEnum):
    """How a block lies to now."""

    LAST = "last"
    NEXT = "next"
    RUNNING = "running"
    THIS = "this"
    """The running one, where one runs."""


@dataclass(frozen=True, slots=True)
class Order:
    """The so-manieth of several, -1 the last."""

    number: int


@dataclass(frozen=True, slots=True)
class Said:
    """What was found, each None where nothing says it."""

    complaint: Complaint | None = None
    relative: Relative | None = None
    order: Order | None = None


_DONE = r"(?:做|写|弄|搞|完成|看|读|背|学|复习|预习|练|刷|交|赶|算|画|整理|上|听|去|开始|动|改|抄)"
_NOT = (
    r"(?:还|并|都|又)?(?:没有?(?!想到|关系|事|问题|错|必要|办法|安排|什么|哪)|未(?=完成|做|写|交|能)|不曾)"
    r"(?:能|时间|空|来得及|怎么|全部?)?"
)
UNFINISHED = re.compile(
    rf"{_NOT}(?P<between>[^,，。;；!！?？]{{0,12}}?){_DONE}[完好成了到]?"
    rf"|没(?:来得及|赶上|赶完|弄完|搞定|动笔|动|弄|碰|成)|来不及|{_DONE}(?:不完|不下去|不了|到一半|了一半)"
    r"|(?:只|才|刚)(?:做|写|看|背|复习|完成)了?(?:一半|一点|个开头)|半途|拖了|落下|耽误|漏了|错过了?"
    r"|忘了?(?:做|写|交|去|看|背|复习)|\b(?:(?:did|have|has|was|could)(?:n[o']t|\s+not)|didnt|havent"
    r"|couldnt|never|not)\b(?P<middle>[^.!?]{0,30}?)\b(?:finish(?:ed)?|done|do|completed?|start(?:ed)?"
    r"|make\s+it)\b|\bunfinished\b|\bran\s+out\s+of\s+time\b|\bmissed\b",
    re.IGNORECASE,
)
DELAY = re.compile(
    r"延后|推迟|往后[挪推移排放]|后[挪移]|拖一拖|改天|缓一缓|晚点(?:再)?[做写弄看]|延期|顺延|换个时间|改个时间|改期"
    r"|\b(?:postpone|delay|push\s+(?:it|this|that|back)|put\s+(?:it|this|that)?\s*off|reschedule|later)\b",
    re.IGNORECASE,
)
EXHAUSTED = re.compile(
    r"[撑顶扛受]不[住了下]|吃不消|累[死坏垮瘫趴]|太累|好累|很累|累了|没[力精]气?[气神力]|学不[动进下]|状态[不很太]?[好差]"
    r"|不舒服|生病|发烧|感冒|头[疼痛]|肚子疼|困[死得了]|太困|熬不[住了]|不行了|崩溃|爬不起来"
    r"|\b(?:exhausted|tired|worn\s+out|burn(?:ed|t)\s+out|sick|can(?:'|no)?t\s+(?:take|go\s+on|do)"
    r"\s*(?:it|any\s*more|this)?)\b",
    re.IGNORECASE,
)
_RELATIVES: tuple[tuple[Relative, re.Pattern[str]], ...] = (
    (
        Relative.LAST,
        re.compile(
            r"刚才|刚刚|方才|刚(?=[上做写学结过那])|上一[个项节块段件]|上个(?!周|月|星期|礼拜|学期)|前一[个项节块]"
            r"|\bjust\s+now\b|\b(?:the\s+)?(?:last|previous)\s+(?:one|block|task|session)\b",
            re.IGNORECASE,
        ),
    ),
    (
        Relative.NEXT,
        re.compile(
            r"下一[个项节块段件]|下个(?!周|月|星期|礼拜|学期)|接下来|马上要|待会|等会|等一下|一会儿?要|即将"
            r"|\b(?:the\s+)?(?:next|upcoming|coming)\s+(?:one|block|task|session)\b",
            re.IGNORECASE,
        ),
    ),
    (
        Relative.RUNNING,
        re.compile(
            r"正在|手头|眼下|手上|现在(?:这|做|写|学|的)|\b(?:current|right\s+now)\b", re.IGNORECASE
        ),
    ),
    (
        Relative.THIS,
        re.compile(r"这一?[个项节块段件]|\bthis\s+(?:one|block|task)\b", re.IGNORECASE),
    ),
)
_ORDER = re.compile(rf"第(?P<number>{NUMBER})[个项块件]|(?P<last>最后(?:一|那)?[个项块件])")
_TALK = (
    r"我们?|你|帮|请|的?那一?[个项节块段件]课?|这一?[个项节块段件]课?|可以|能不能|能|想|要|把|给|还是|还|又|都|也"
    r"|已经|其实|实在|真的?|有点|一点|一下|一会儿?|今天|了|吗|呢|吧|啊|哦|嗯|唉|呜|的|得|在|是|就|再|先|有|需要|应该"
    r"|抱歉|不好意思|麻烦|完全|根本|全部?|太多|不够|因为|所以|结果|但是?|可是|没有?|不|完|做|写|去|到|时间|时候"
    r"|之后|以后|第[一二三四五六七八九十\d]+[个项块件]|最后(?:一|那)?[个项块件]|课"
)
_TALK_AHEAD = re.compile(rf"^(?:{_TALK})")
_TALK_BEHIND = re.compile(rf"(?:{_TALK})$")
_ENGLISH_TALK = re.compile(
    r"\b(?:i|it|the|that|this|one|of|my|me|to|for|please|sorry|was|were|is|did|do|have|has|had|could"
    r"|not|can|and|but|on|at|in|so|just|now|still|all|today|with|get|got|we)\b|n't|'[a-z]+\b",
    re.IGNORECASE,
)
_GENERIC = re.compile(
    r"(?:作业|任务|事情?|活儿?|复习|学习|功课|内容|计划|安排|东西|日程|homework|task|work|block)"
)
_QUOTED = re.compile(r"[「『《“\"‘]([^」』》”\"’]+)[」』》”\"’]")
_CLAUSE = re.compile(r"[,，。;；!！?？\n]+")
_SPLIT = re.compile(r"[\s,，。.;；!！?？、:：~～…「」『』《》“”\"‘’()（）▢]+")


def read(words: str) -> Said:
    """The signs that there are."""
    relative = next((one for one, pattern in _RELATIVES if pattern.search(words)), None)
    return Said(complaint(words), relative, _order(words))


def complaint(words: str) -> Complaint | None:
    """What is told, None where it is nothing of the kind."""
    if UNFINISHED.search(words):
        return Complaint.UNFINISHED
    if DELAY.search(words):
        return Complaint.DELAY
    return Complaint.EXHAUSTED if EXHAUSTED.search(words) else None


@dataclass(frozen=True, slots=True)
class Names:
    """Words that may be titles, or parts of them. `is_sure`: they can be nothing else."""

    said: tuple[str, ...] = ()
    is_sure: bool = False


def names(words: str, mentions: tuple[Mention, ...]) -> Names:
    """What was quoted, else what is left of the words when all that says something else is gone."""
    if quoted := tuple(one.strip() for one in _QUOTED.findall(words) if one.strip()):
        return Names(quoted, is_sure=True)
    for mention in mentions:
        words = words[: mention.start] + _blank(mention.end - mention.start) + words[mention.end :]
    found: list[str] = []
    is_sure = False
    for clause in _CLAUSE.split(words):
        left = _left(clause)
        found += left
        told = complaint(clause) is not None
        is_sure = is_sure or (told and any(not _GENERIC.fullmatch(one) for one in left))
    return Names(tuple(found), is_sure)


def _left(clause: str) -> list[str]:
    """The runs of a clause that stand for themselves."""
    for pattern in (UNFINISHED, DELAY, EXHAUSTED, *(one for _, one in _RELATIVES)):
        clause = pattern.sub(_blanked, clause)
    clause = _ENGLISH_TALK.sub(" ", clause)
    runs = (_trimmed(one) for one in _SPLIT.split(clause))
    return [one for one in runs if len(one) > 1]


def _trimmed(run: str) -> str:
    """Without the words of talk at its ends; inside they may be part of a title."""
    while True:
        shorter = _TALK_BEHIND.sub("", _TALK_AHEAD.sub("", run))
        if shorter == run:
            return run
        run = shorter


def _blanked(match: re.Match[str]) -> str:
    """Nothing in the place of a sign; what stands within it stays: 没把概率论作业写完."""
    found = match.groupdict()
    return f" {found.get('between') or found.get('middle') or ''} "


def _blank(length: int) -> str:
    return "▢" * length


def _order(words: str) -> Order | None:
    if (match := _ORDER.search(words)) is None:
        return None
    number = -1 if match["last"] else value(match["number"])
    return Order(number) if number else None
