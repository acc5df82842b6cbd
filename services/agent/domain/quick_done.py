"""What was told to be done: "概率论作业做完了" → 概率论作业."""

import re
from dataclasses import dataclass

from services.agent.domain import spoken, when_reading
from services.agent.domain.when import Looking, Standpoint


@dataclass(frozen=True, slots=True)
class Done:
    """Part of a title; empty where only 做完了 was said, of whatever was talked about."""

    words: str


_TALK = re.compile(
    r"搞定了?|我(?:们)?|今天|刚才|刚刚?|终于|总算|已经?|都|也|就|把|帮我|请|麻烦|那一?[个项节块件]|这一?[个项节块件]"
    r"|(?:标记?|设|改|算|记)(?:为|成|作)?(?:已完成|完成|做完)?|(?:打|画)[个]?[勾钩√]|划掉|勾掉|已完成|全部?|一起|任务"
    r"|(?:做|写|交|弄|搞|赶|复习|预习|看|读|背|刷|练|改|抄|算|画|整理|提交|上交|完成|填|买|取|还|洗|打印)(?:完|好|掉|齐|上去|过)?(?=了|$|\s)了?"
    r"|^(?:做|写|交|弄|搞|复习|预习|看|读|背|刷|练|改|提交|上交|完成|填|买|取|还)(?:完|好|掉|齐)?了?|收工|完成|了|啦|呀|啊|哈|的"
    r"|\b(?:i'?ve|i|have|has|just|finished|completed|submitted|handed\s+in|done|with|mark|as|is|are|complete|the|my|it|a)\b",
    re.IGNORECASE,
)
_MARKS = re.compile(r"[\s,，。.;；!！?？、:：~～]+")


def read(words: str, at: Standpoint) -> Done:
    """The words that name it."""
    if quoted := [one for one in spoken.quoted(words) if one.strip()]:
        return Done(quoted[0].strip())
    shown = spoken.hidden(spoken.plain(words))
    for one in when_reading.mentions(shown, at, Looking.BACK):
        shown = shown[: one.start] + " " * (one.end - one.start) + shown[one.end :]
    before = ""
    while shown != before:
        before, shown = shown, _MARKS.sub(" ", _TALK.sub(" ", shown)).strip()
    return Done(shown)
