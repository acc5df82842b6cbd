"""Times of the day: 晚上八点半, 20:00, 第3节, 下午, 8 pm, noon.

An hour of 1 to 12 without a part of the day may be in either half of it: both are read. Hours of
a night count on from midnight, so 晚上12点 is the end of that day and 凌晨 its beginning.
"""

import re
from dataclasses import dataclass

from services.agent.domain.numerals import HAN, NUMBER, WORD, value
from services.agent.domain.when import Doubt, Looking, Minutes, Standpoint, TimeReading
from services.agent.domain.when_forms import Form, form

PARTS: dict[str, Minutes] = {
    **dict.fromkeys(("凌晨",), (0, 360)),
    **dict.fromkeys(("清晨", "早晨", "早上", "早", "晨", "一大早", "清早"), (360, 540)),
    **dict.fromkeys(("上午", "morning"), (480, 720)),
    **dict.fromkeys(("中午", "noon", "midday"), (690, 780)),
    **dict.fromkeys(("下午", "午后", "afternoon"), (780, 1080)),
    **dict.fromkeys(("傍晚",), (1020, 1140)),
    **dict.fromkeys(("晚上", "晚间", "晚", "夜里", "夜间", "夜", "睡觉前", "睡前"), (1080, 1439)),
    **dict.fromkeys(("深夜", "半夜", "evening", "tonight", "night"), (1080, 1439)),
}
"""First and last minute of the parts of a day, as one is told to be done in."""
_NIGHTS = frozenset({"夜里", "夜间", "夜", "深夜", "半夜", "night"})
_DAWN, _NOON, _EVENING = (0, 360), (690, 780), (1080, 1439)
_QUARTERS = {"半": 30, "一刻": 15, "三刻": 45}
_DAY = 1440


@dataclass(frozen=True, slots=True)
class Said:
    """A time as it was written. `hour` None: a part of the day or sections alone. `is_24`: the
    form of a clock of 24 hours, 08:00. `sections`: first and last, counted from the beginning of
    the part of the day that is named."""

    part: str = ""
    hour: int | None = None
    minute: int = 0
    is_24: bool = False
    sections: tuple[int, int] | None = None
    until: tuple[int, int] | None = None
    """Hour and minute at which it ends: 5点半到6点."""

    @property
    def is_part_alone(self) -> bool:
        """上午, not 八点."""
        return self.hour is None and self.sections is None


def read(said: Said, at: Standpoint) -> TimeReading:
    """The minutes that were meant."""
    if said.sections is not None:
        return _sections(said, at)
    if said.hour is None:
        return TimeReading((PARTS[said.part],))
    if said.hour > 24 or said.minute > 59 or (said.hour == 24 and said.minute):
        return TimeReading((), Doubt.NO_SUCH_TIME)
    found = hours(said)
    if not found:
        return TimeReading((), Doubt.NO_SUCH_TIME)
    options = tuple(_stretch(hour * 60 + said.minute, said) for hour in found)
    return TimeReading(options, Doubt.HALF_OF_DAY if len(options) > 1 else None)


def _stretch(begins: int, said: Said) -> Minutes:
    """From a minute to the next one that the end may mean."""
    if said.until is None:
        return begins, begins
    hour, minute = said.until
    ends = next((n for n in range(hour * 60 + minute, 3 * _DAY, _DAY // 2) if n > begins), begins)
    return begins, ends


def hours(said: Said) -> tuple[int, ...]:
    """The hours of the day that an hour beside a part of it may mean, 24 and more tomorrow's."""
    hour = said.hour or 0
    if not said.part:
        return (hour,) if said.is_24 or hour > 12 or hour == 0 else _halves(hour)
    if hour > 12:
        return (hour,)
    bounds = PARTS[said.part]
    if bounds == _DAWN:
        return (hour % 12,)
    if bounds == _EVENING:
        if said.part in _NIGHTS and 1 <= hour <= 5:
            return (hour, hour + 24)
        return (hour + 24,) if 1 <= hour <= 4 else (hour + 12,)
    if bounds == _NOON:
        return (hour + 12 if hour < 6 else hour,)
    if bounds[0] >= _NOON[1] and hour < 12:
        return (hour + 12,)
    return (hour,)


def _halves(hour: int) -> tuple[int, ...]:
    """Both halves of the day; from one to five nobody means the night without saying so."""
    if hour == 12:
        return 12, 24
    return (hour + 12,) if hour <= 5 else (hour, hour + 12)


def _sections(said: Said, at: Standpoint) -> TimeReading:
    before = _first_of(said.part, at) - 1
    first, last = (before + one for one in said.sections or (0, 0))
    if not 1 <= first <= last <= at.clock.count:
        return TimeReading((), Doubt.NO_SUCH_TIME)
    begins, ends = at.clock.sections[first - 1].start, at.clock.sections[last - 1].end
    return TimeReading(((begins.hour * 60 + begins.minute, ends.hour * 60 + ends.minute),))


def _zh_clock(match: re.Match[str], at: Standpoint, looking: Looking) -> Said | None:
    half = (match["half"] or "").lower().replace(".", "")
    part = match["part"] or {"a": "凌晨", "p": "下午"}.get(half[:1], "")
    return Said(part, int(match["hour"]), int(match["minute"]), is_24=not part)


def _zh_hour(match: re.Match[str], at: Standpoint, looking: Looking) -> Said | None:
    hour, told = value(match["hour"]), match["minute"]
    if hour is None:
        return Said(match["part"] or "", 99)
    minutes = _QUARTERS.get(told or "")
    if minutes is None:
        minutes = value(told.removesuffix("分")) if told else 0
    return Said(match["part"] or "", hour, 99 if minutes is None else minutes)


def _en_hour(match: re.Match[str], at: Standpoint, looking: Looking) -> Said | None:
    hour = value(match["hour"])
    half = (match["half"] or "").lower()
    part = {"a": "凌晨", "p": "下午"}.get(half[:1], "")
    return None if hour is None else Said(part, hour, int(match["minute"] or 0))


def _early(match: re.Match[str], at: Standpoint, looking: Looking) -> Said | None:
    return Said("早上", value(match["hour"]))


def _part(match: re.Match[str], at: Standpoint, looking: Looking) -> Said | None:
    return Said(match["part"].lower())


def _midnight(match: re.Match[str], at: Standpoint, looking: Looking) -> Said | None:
    return Said("", 24)


def _section(match: re.Match[str], at: Standpoint, looking: Looking) -> Said | None:
    first = value(match["first"])
    last = value(match["last"]) if match["last"] else first
    if first is None or last is None:
        return None
    return Said(match["part"] or "", sections=(first, last))


def _last_section(match: re.Match[str], at: Standpoint, looking: Looking) -> Said | None:
    return Said(sections=(at.clock.count, at.clock.count))


def _first_of(part: str, at: Standpoint) -> int:
    """The section that a part of the day counts from: 下午第一节 is the first after lunch."""
    if part in ("下午", "午后"):
        return at.clock.lunch_after + 1
    if part == "晚上":
        return at.clock.dinner_after + 1
    return 1


_HAN_PART = "|".join(sorted((one for one in PARTS if not one.isascii()), key=len, reverse=True))
_LONG_PART = "|".join(one for one in _HAN_PART.split("|") if len(one) > 1)
_PART = rf"(?:(?P<part>{_HAN_PART})\s*(?:的\s*)?)?"
_AM_PM = r"[ap]\.?\s?m\b\.?"
_BEHIND_AN_HOUR = (
    r"(?=\s*(?:$|左右|[前那这交以之到至再就要开提叫喊通截考面上去起出集的整钟]"
    r"|[（(,，。;；!！?？、)）]))"
)

FORMS: tuple[Form[Said], ...] = (
    form(
        rf"{_PART}(?<![\d:])(?P<hour>\d{{1,2}})[:：](?P<minute>\d{{2}})(?![\d:])"
        rf"(?:\s*(?P<half>{_AM_PM}))?",
        _zh_clock,
    ),
    form(
        rf"(?<![第\d.])(?P<part>{_HAN_PART})\s*(?:的\s*)?(?P<hour>{NUMBER})\s*(?:点|时(?![间候常段刻]))"
        rf"(?P<minute>半|一刻|三刻|{NUMBER}分?)?(?:钟|整)?",
        _zh_hour,
    ),
    form(
        rf"(?<![第\d.{HAN}])(?P<part>)(?P<hour>{NUMBER})\s*(?:点|时(?![间候常段刻]))"
        rf"(?P<minute>半|一刻|三刻|{NUMBER}分?)(?:钟|整)?",
        _zh_hour,
    ),
    form(
        rf"(?<![第\d.{HAN}有早晚快慢])(?P<part>)(?P<hour>{NUMBER})\s*点(?P<minute>)(?:钟|整)?"
        rf"{_BEHIND_AN_HOUR}",
        _zh_hour,
    ),
    form(
        rf"(?:(?P<part>上午|下午|晚上)的?)?(?<!章)第(?P<first>{NUMBER})"
        rf"\s*(?:节?\s*[-~到至、和]\s*第?(?P<last>{NUMBER}))?\s*节课?",
        _section,
    ),
    form(
        rf"(?:(?P<part>上午|下午|晚上)的?)?(?<![\d{HAN}])(?P<first>{NUMBER})\s*[-~到至]\s*"
        rf"(?P<last>{NUMBER})\s*节课?",
        _section,
    ),
    form(r"最后一节课?", _last_section),
    form(
        rf"(?<=[点半钟刻整][到至~-])(?P<part>)(?P<hour>{NUMBER})\s*点(?P<minute>)(?:钟|整)?",
        _zh_hour,
    ),
    form(r"早(?P<hour>[八十])(?!点|[一二三四五六七八九十])", _early),
    form(
        r"(?P<part>)\bsections?\s+(?P<first>\d{1,2})(?:\s*(?:-|to)\s*(?P<last>\d{1,2}))?\b",
        _section,
    ),
    form(r"午夜|零点|\bmidnight\b|\bEOD\b|\bend\s+of\s+(?:the\s+)?day\b", _midnight),
    form(
        rf"\b(?:at\s+)?(?P<hour>\d{{1,2}}|(?:{WORD})\b)(?::(?P<minute>\d{{2}}))?\s*(?P<half>{_AM_PM})",
        _en_hour,
    ),
    form(rf"\b(?:at\s+)?(?P<hour>\d{{1,2}}|{WORD})(?P<minute>)\s*o'clock\b(?P<half>)", _en_hour),
    form(r"(?<=\bat\s)(?P<hour>\d{1,2})(?P<minute>)(?P<half>)\b(?![:%/.\d])", _en_hour),
    form(rf"(?P<part>{_LONG_PART})(?![点\d])", _part),
    form(r"(?<=▢)(?P<part>[早晚夜晨])(?![点\d餐饭自])", _part),
    form(
        r"\b(?:in\s+the\s+)?(?P<part>morning|afternoon|evening|noon|midday|night|tonight)\b", _part
    ),
)
"""As days: the earliest, of those the longest, then the first. Days stand as ▢ in the text."""
