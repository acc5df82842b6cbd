"""Words of a note that are no part of its title: what asks for it, its weight, its length."""

import re
from dataclasses import dataclass
from datetime import timedelta
from math import ceil

from services.agent.domain.numerals import NUMBER, WORD, value

_ASKS_ZH = (
    r"(?:(?:请|麻烦|帮忙|拜托|记得)?你?(?:帮我|给我|替我|帮忙)?(?:再|也)?(?:提醒|通知)(?:一下)?我?(?:一下|一声)?"
    r"|(?:请|麻烦|拜托)?你?(?:帮我|给我|替我)?(?:再|也)?(?:叫|喊)我(?:一下|一声)?"
    r"|(?:请|麻烦|拜托)?你?(?:帮我|给我|替我)?(?:再|也)?"
    r"(?:(?:待办|备忘|任务|ddl)(?=\s*[:：])|记(?:一下|下来?|上|着|录一下|个|一[个条笔项]|得|住|牢)|(?:别|不要|千万别|不能)忘(?:了|记)?"
    r"|(?:添加|新增|新建|创建|加上?|建|设(?:置|个)?)(?:[一两]?[个条项笔])?(?=任务|待办|提醒|事项|ddl|备忘))"
    r"(?:任务|待办事项|待办|提醒|备忘|笔记|事项|事)?)"
)
_ASKS_EN = (
    r"(?:(?:please|can\s+you|could\s+you|hey)\s+)*(?:remind\s+me|(?:add|create|make|note)(?:\s+down)?"
    r"(?:\s+an?)?(?:\s+new)?\s+(?:task|note|to-?do|reminder)|note\s+(?:down|that)|don'?t\s+(?:let\s+me\s+)?forget"
    r"|(?:to-?do|task|note)(?=\s*:))(?:\s+(?:to|that|about|for)\b)?"
)
ASKS = re.compile(rf"(?:{_ASKS_ZH}|{_ASKS_EN})\s*[:：,，]?\s*", re.IGNORECASE)
"""What asks for a note or a reminder; quotes are hidden where it is looked for."""
REMINDS = re.compile(r"提醒|通知|叫我|喊我|忘|remind|forget", re.IGNORECASE)
ASKS_BEHIND = re.compile(
    r"\s*(?:左右|的时候|之前|时)?(?:再|就|要|记得|请|帮我|你)*(?:提醒|叫|喊|通知)(?:一下)?我?(?:一下|一声)?"
)
"""Directly behind a time: the time to be reminded at."""
REMIND_AHEAD = re.compile(r"remind\s+me\s*$", re.IGNORECASE)

OPENING = re.compile(
    r"^(?:[\s:：,，、\-*•>]|\d{1,2}[.、)）](?!\d)|[一二三四五六七八九十][、.]|(?:嗨|你好|嗯|对了|那个|那|还有|另外|然后|以及|并且"
    r"|顺便|最后|首先|其次|请|麻烦|助手|smartmate|hi|hello|hey|and|also|then|please)(?=[\s,，:：]|(?<=[有外后及且便先次请烦]))"
    r"|(?:我|我们)?(?:还|也|就)?(?:要|得|需要|必须|应该|一定要|记得)(?![求点])|我们?(?:打算|准备|想)|我(?=[\u3400-\u9fff])"
    r"|(?:要|该|得)?(?:交|提交|上交|完成|截止)的(?=.)|(?:老师|助教|班长|课代表|学校|导师)(?:说|通知|要求|布置)[了过]?"
    r"|(?:i\s+)?(?:have|need|want)\s+to\b|to\b|that\b|about\b|i\s+must\b)",
    re.IGNORECASE,
)
ENDING = re.compile(
    r"(?:[\s,，。;；:：!！?？、~～]|谢谢你?|多谢|拜托了?|哈|哦|噢|吧|啊|呀|呢|哟|好吗|好不好|可以吗|行吗|行不行|好么|please"
    r"|thanks?(?:\s+you)?|(?<!完)了|一下)$",
    re.IGNORECASE,
)
DUE_ENDING = re.compile(
    r"的?(?:截止(?:时间|日期)?|期限|最后期限|ddl|deadline)\s*(?:是|为|在|到|[:：]|is)?$|(?:要|得|需要|必须|应该|就要|就得|定|是|在|于"
    r"|[,，:：的]|is)$|\b(?:is\s+)?due$|\b(?:must|has\s+to|needs\s+to)\s+be\s+(?:done|submitted|finished)$",
    re.IGNORECASE,
)
BARE = re.compile(
    r"(?:就|要|得|需要|必须|应该|之|记得|我|去|给|老师|把它|它|也|都)*"
    r"(?:交|提交|上交|完成|做完|写完|弄完|搞定|截止|到期|结束|交上去|交掉|交齐|弄好|做好|写好|做|ddl|deadline|前|due"
    r"|do\s+it|submit(?:\s+it)?|finish(?:\s+it)?|hand\s+(?:it\s+)?in)?(?:了|一下)?"
    r"|(?:i|it|is|it's|the|a|to|and|of|on|at|by|for|in|要做|有|的|和|与|及|或|或者|以及|还是|是|在|于|到|从|我|我们|这)",
    re.IGNORECASE,
)
"""A rest that names nothing: 要交."""

_STUDY = re.compile(
    r"作业|考试|[测考]验|[考]$|期末|期中|复习|预习|论文|报告|实验|习题|练习|小测|课设|课程|大作业|答辩|开题|综述|展示|汇报|演讲|背单词"
    r"|单词|听力|四级|六级|考研|竞赛|作文|写作|课文|翻译|阅读|笔记|思考题|周报|代码|编程|算法|数学|英语|物理|化学|高数|线代|概率|政治|面试|实习|申请|报名|简历|签证|选课|缴费|学费|毕设|毕业|pre(?:sentation)?\b|exam|quiz|test"
    r"|homework|assignment|essay|thesis|report|lab\b|project|interview|appl(?:y|ication)|paper|lecture|revision",
    re.IGNORECASE,
)
_QUADRANTS = (
    (
        re.compile(
            r"(?:第?[一1]象限)|重要(?:且|又|而且|并且|、|和|也)?紧急|紧急(?:且|又|而且|并且|、|和|也)?重要"
        ),
        (True, True),
    ),
    (
        re.compile(r"(?:第?[二2]象限)|重要(?:但|但是|而)?不(?:太|是很|怎么|紧)?(?:紧急|急)"),
        (True, False),
    ),
    (re.compile(r"(?:第?[三3]象限)|紧急(?:但|但是|而)?不(?:太|是很|怎么)?重要"), (False, True)),
    (
        re.compile(r"(?:第?[四4]象限)|不(?:太|怎么)?重要(?:也|且)?不(?:太|怎么)?(?:紧急|急)"),
        (False, False),
    ),
)
_ALONE = (
    r"(?:这个|这件事|这项|它|这|因为|都)?(?:真的)?"
    r"(?:是|很|非常|特别|比较|超级?|最|挺|蛮|相当|不太|不是很|不怎么|不|没那么|也)*"
)
_IMPORTANT = re.compile(rf"{_ALONE}(?:重要|要紧|关键|important)(?:的|了)?", re.IGNORECASE)
_URGENT = re.compile(
    rf"{_ALONE}(?:紧急|着急|急|赶|urgent)(?:的|了)?|尽快|马上|立刻|立即|赶紧|抓紧|asap|as\s+soon\s+as\s+possible",
    re.IGNORECASE,
)
_RELAXED = re.compile(
    r"有空(?:再|就|的时候)?|不着急|不急|慢慢来|随便|no\s+rush|whenever", re.IGNORECASE
)
_HASTE = re.compile(
    r"(?:请|要|得)?(?:尽快|尽早|马上|立刻|立即|赶紧|抓紧)|\bASAP\b|\burgently\b", re.IGNORECASE
)
_TAG = re.compile(
    r"[\[【(（]\s*(?P<tag>不?(?:重要|紧急|急)|important|urgent)\s*[\]】)）]", re.IGNORECASE
)

_LEAD = re.compile(
    rf"(?:请|要|再)?提前(?P<count>{NUMBER}|半)?个?(?P<half>半)?(?P<unit>天|日|小时|钟头|分钟|周|星期|礼拜|晚)"
    rf"(?:再|就)?(?:提醒|通知|叫|喊)?(?:一下)?我?(?:一下|一声)?"
    rf"|\b(?P<count_en>\d{{1,3}}|an?|{WORD})\s+(?P<unit_en>day|hour|minute|week)s?\s+(?:before|ahead|in\s+advance)\b",
    re.IGNORECASE,
)
_UNITS = {
    **dict.fromkeys(("天", "日", "晚", "day"), timedelta(days=1)),
    **dict.fromkeys(("小时", "钟头", "hour"), timedelta(hours=1)),
    **dict.fromkeys(("分钟", "minute"), timedelta(minutes=1)),
    **dict.fromkeys(("周", "星期", "礼拜", "week"), timedelta(weeks=1)),
}
_ABOUT = (
    r"大概|大约|估计|预计|差不多|约|左右|可能|应该|需要|要花|得花|花|用时|耗时|要|得|总共|一共"
    r"|about|takes?|around|roughly"
)
_ESTIMATE = re.compile(
    rf"(?:{_ABOUT}|\s|会|它|it)*(?P<count>{NUMBER}|半|\d(?:\.5)?|(?:{WORD}|an?)\b)\s*(?P<ge>个)?(?P<half>半)?\s*"
    r"(?P<unit>节课?|小时|钟头|分钟|sections?|hours?|h\b|minutes?|mins?)(?:课|左右|的?时间|就够|吧|才能?做?完|才行)*",
    re.IGNORECASE,
)
_ESTIMATE_INSIDE = re.compile(
    rf"[,，(（\s]*(?:{_ABOUT}){{1,3}}\s*(?P<count>{NUMBER}|半)\s*个?(?P<half>半)?\s*(?P<unit>节课?|小时|钟头|分钟)"
    r"(?:左右|的?时间)*[)）]?",
    re.IGNORECASE,
)
_SECTION_MINUTES = 45


@dataclass(frozen=True, slots=True)
class Span:
    """Where words stand that say something beside the title."""

    start: int
    end: int


@dataclass(frozen=True, slots=True)
class Weight:
    """How important and urgent something was said to be."""

    important: bool | None = None
    urgent: bool | None = None
    spans: tuple[Span, ...] = ()


def weight(text: str) -> Weight:
    """What a clause says of it; a clause that says nothing else is wholly read."""
    for pattern, (important, urgent) in _QUADRANTS:
        if match := pattern.search(text):
            return Weight(important, urgent, (Span(match.start(), match.end()),))
    bare = text.strip(" 的,，。!！")
    if match := _IMPORTANT.fullmatch(bare):
        return Weight(important=not _is_denied(match[0]), spans=(Span(0, len(text)),))
    if match := _RELAXED.fullmatch(bare) or _URGENT.fullmatch(bare):
        is_urgent = not _is_denied(match[0]) and not _RELAXED.fullmatch(bare)
        return Weight(urgent=is_urgent, spans=(Span(0, len(text)),))
    return _marked(text)


def _marked(text: str) -> Weight:
    """Marks and adverbs within a clause: 【重要】, 尽快."""
    found = Weight()
    if match := _TAG.search(text):
        denied, tag = match["tag"].startswith("不"), match["tag"].lower()
        span = (Span(match.start(), match.end()),)
        if "重要" in tag or "important" in tag:
            return Weight(important=not denied, spans=span)
        return Weight(urgent=not denied, spans=span)
    if match := _HASTE.search(text):
        return Weight(urgent=True, spans=(Span(match.start(), match.end()),))
    return found


def is_study(title: str) -> bool:
    """Whether it sounds like something that matters to a student."""
    return _STUDY.search(title) is not None


def lead(text: str) -> tuple[timedelta, Span] | None:
    """提前一天提醒: how long before the deadline."""
    if (match := _LEAD.search(text)) is None:
        return None
    unit = _UNITS[(match["unit"] or match["unit_en"]).lower()]
    told = match["count"] or match["count_en"] or "一"
    count = 0.5 if told == "半" else 1 if told.lower() in ("a", "an") else value(told) or 1
    length = unit * (min(count, 10_000) + (0.5 if match["half"] else 0))
    return min(length, timedelta(days=365)), Span(match.start(), match.end())


def sections(text: str, *, whole: bool) -> tuple[int, Span] | None:
    """How many sections it takes, hours counted as such; `whole`: the clause says nothing else."""
    match = _ESTIMATE.fullmatch(text) if whole else _ESTIMATE_INSIDE.search(text)
    if match is None:
        return None
    told, unit = match["count"], match["unit"].lower()
    count = 0.5 if told == "半" else 1.0 if told.lower() in ("a", "an") else _decimal(told)
    count += 0.5 if match["half"] else 0
    minutes = count * (60 if unit[0] in "小钟h" else 1 if unit[0] in "分m" else _SECTION_MINUTES)
    found = ceil(minutes / _SECTION_MINUTES)
    return (found, Span(match.start(), match.end())) if found >= 1 else None


def _decimal(told: str) -> float:
    if "." in told:
        return float(told)
    return float(value(told) or 0)


def _is_denied(said: str) -> bool:
    return "不" in said or "没那么" in said
