"""Which task classes a wish is about: named, shortened, all of them, or those talked about."""

import re
from collections.abc import Sequence
from dataclasses import dataclass

from services.agent.domain import quick_match
from services.agent.domain.numerals import NUMBER, value
from services.agent.domain.route_answer import Offered
from services.agent.domain.text import Text
from services.agent.domain.wish import NamedClass, WishAbout, WishQuestion

_AROUND_NAMES = re.compile(
    r"期末|期中|复习|预习|作业|学习|备考|计划|课程|课|考试|练习|任务|大?项目|阅读|\d{4}|[春夏秋冬]季?学期|[上下]学期|[（(].*?[)）]"
)
_ALL = re.compile(
    r"所有|全部|每[门科]|各[门科]|[都全]部?(?=排|安排)|一起排|\b(?:all|every(?:thing)?)\b",
    re.IGNORECASE,
)
_THESE = re.compile(
    rf"[这那](?P<count>{NUMBER}|几|些)?(?:[门个科项种]|些)|它们|这些|\b(?:these|those|them)\b",
    re.IGNORECASE,
)
_COUNTED = re.compile(rf"(?P<count>{NUMBER})门")
_OBJECT = re.compile(
    r"(?:把|将|给|安排|排|规划|复习)(?P<what>[^,，。;；把将]{1,60}?)(?:的?(?:复习|预习|作业|学习|备考|任务|内容|计划|项目|课程|课))*"
    r"(?:都|全|全部|一起|先|再)*(?:排|安排|规划|放|塞|$|[,，。;；])"
)
_AND = re.compile(r"[、,，/+&]|和|与|跟|以及|还有|\band\b")
_TALK = re.compile(
    r"^(?:这|那|我|的|一下|一个|一份|个|份|期末|期中|下周|这周|本周|进|入|到|好|完|出)*|(?:的|都|全|先|再|一下|一个|这|些|内容)*$"
)


@dataclass(frozen=True, slots=True)
class Meant:
    """The classes, what was taken for granted or has to be asked, and names that fit no class."""

    ids: tuple[int, ...] = ()
    assumed: tuple[Text, ...] = ()
    question: WishQuestion | None = None
    unknown: tuple[str, ...] = ()


def meant(text: str, classes: Sequence[NamedClass], recent: Sequence[int]) -> Meant:
    """The classes that the words of a request mean; `text` without its times."""
    known = tuple(one for one in recent if any(one == each.id for each in classes))
    if not classes:
        return Meant()
    named = tuple(one.id for one in classes if _is_named(one.name, text))
    unknown = _unknown(text, classes)
    if named:
        return Meant(named, unknown=unknown)
    if these := _THESE.search(text) or _COUNTED.search(text):
        return _these(value(these.groupdict().get("count") or ""), classes, known)
    every = tuple(one.id for one in classes)
    if _ALL.search(text) or len(classes) == 1:
        return Meant(every, unknown=unknown if len(classes) > 1 else ())
    if unknown:
        return Meant(question=_which(classes), unknown=unknown)
    if known:
        return Meant(known)
    note = Text("没有说是哪几门，先按全部任务类算", "no class was named, all are planned")
    return Meant(every, assumed=(note,))


def _these(count: int | None, classes: Sequence[NamedClass], known: tuple[int, ...]) -> Meant:
    """这三门课: those talked about, or all where there are just as many."""
    if known and count in (None, len(known)):
        return Meant(known)
    if count == len(classes):
        return Meant(tuple(one.id for one in classes))
    return Meant(question=_which(classes))


def _which(classes: Sequence[NamedClass]) -> WishQuestion:
    text = Text("要安排哪几门？", "Which of the classes are to be planned?")
    return WishQuestion(
        WishAbout.CLASSES, text, tuple(Offered(str(one.id), (one.name,)) for one in classes)
    )


def _core(name: str) -> str:
    """高等数学期末复习 → 高等数学."""
    core = _AROUND_NAMES.sub("", name).strip(" -–—·:：的")
    return core if len(core) > 1 else name.strip()


def _is_named(name: str, text: str) -> bool:
    core, said = quick_match.plain(_core(name)), quick_match.plain(text)
    if core and (core in said or quick_match.plain(name) in said):
        return True
    return any(quick_match.coverage(one, core) >= 1 for one in _segments(text))


def _segments(text: str) -> tuple[str, ...]:
    """The names that a request lists: 高数 and 英语 of 把高数和英语的复习排进去."""
    found = [
        _TALK.sub("", _AROUND_NAMES.sub("", part)).strip()
        for match in _OBJECT.finditer(text)
        for part in _AND.split(match["what"])
    ]
    return tuple(dict.fromkeys(one for one in found if len(one) > 1))


def _unknown(text: str, classes: Sequence[NamedClass]) -> tuple[str, ...]:
    """Listed names that are of no class."""
    return tuple(
        one
        for one in _segments(text)
        if not _THESE.search(one)
        and not _COUNTED.search(one)
        and not _ALL.search(one)
        and not any(_fits(one, each.name) for each in classes)
    )


def _fits(said: str, name: str) -> bool:
    core = _core(name)
    plain = quick_match.plain(said)
    return quick_match.plain(core) in plain or quick_match.coverage(said, core, name) >= 1
