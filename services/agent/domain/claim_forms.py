"""The forms in which claims are written, each with what it says.

Equal forms say the same: 第3节, 3 节, 第三节, section 3; 08:00, 8点, 早上八点, 8 a.m.;
周二, 星期二, Tuesday. Texts are read in their normal form (`claims.normal`).
"""

import re
from collections.abc import Callable, Iterator
from dataclasses import dataclass

from services.agent.domain import day_words
from services.agent.domain.claim import Kind
from services.agent.domain.numerals import HAN, NUMBER, WORD, value

Said = Iterator[tuple[Kind, tuple[int, ...]]]


@dataclass(frozen=True, slots=True)
class Form:
    """A pattern, and what a match of it says; nothing where it is no claim after all."""

    pattern: re.Pattern[str]
    read: Callable[[re.Match[str]], Said]


_HAN_PERIOD = day_words.alternatives(*(w for w in day_words.PERIODS if not w.isascii()))
_PERIOD = day_words.alternatives(*day_words.PERIODS)
_FROM_TODAY = day_words.alternatives(*day_words.FROM_TODAY)
_MONTH = r"(?:Jan|Feb|Mar|Apr|May|Jun|Jul|Aug|Sep|Oct|Nov|Dec)[a-z]*"
_WEEKDAY = (
    r"(?:Mon|Tue|Wed|Thu|Fri|Sat|Sun|[Mm]onday|[Tt]uesday|[Ww]ednesday|[Tt]hursday|[Ff]riday"
    r"|[Ss]aturday|[Ss]unday|Tues|Thur|Thurs|[Ww]eekend)s?"
)
_AM_PM = r"[aApP]\.?\s?[mM]\b\.?"
_MEASURE = "小时|分钟|节课|天|门|次|周|章|页|题|项|件|篇|道|份|段|轮|学分|人|个|条|倍"
# 一 counts in these; elsewhere it only means "a".
_COUNTS_ONE = ("小时", "分钟", "节课", "学分", "倍")


def _number(count: float | None) -> Said:
    yield (Kind.UNREADABLE, ()) if count is None else (Kind.NUMBER, (round(count * 1000),))


def _date(month: int | None, day: int | None) -> Said:
    valid = month is not None and day is not None and 1 <= month <= 12 and 1 <= day <= 31
    yield (Kind.DATE, (month or 0, day or 0)) if valid else (Kind.UNREADABLE, ())


def _full_date(match: re.Match[str]) -> Said:
    if match["year"]:
        yield from _number(int(match["year"]))
    yield from _date(value(match["month"]), value(match["day"]))


def _numeric_date(match: re.Match[str]) -> Said:
    yield from _date(int(match["month"]), int(match["day"]))


def _english_date(match: re.Match[str]) -> Said:
    month = match["month"] or match["month_after"]
    day = match["day"] or match["day_before"]
    yield from _date(day_words.MONTHS.get(month[:3].lower()), int(day))


def _day(match: re.Match[str]) -> Said:
    day = value(match["day"])
    yield (Kind.UNREADABLE, ()) if day is None else (Kind.DAY, (day,))


def _sections(match: re.Match[str]) -> Said:
    first = value(match["first"])
    last = value(match["last"]) if match["last"] else first
    if first is None or last is None or first > last:
        yield Kind.UNREADABLE, ()
    else:
        yield Kind.SECTIONS, (first, last)


def _section_or_count(match: re.Match[str]) -> Said:
    number = value(match["number"])
    yield (Kind.UNREADABLE, ()) if number is None else (Kind.SECTION_OR_COUNT, (number,))


def _time(hour: int | None, minute: int | None, period: str | None) -> Said:
    """A time; with a day where the part of the day names one, 今晚 say."""
    bounds = day_words.PERIODS.get(period or "")
    if hour is None or minute is None or hour > 24 or minute > 59:
        yield Kind.UNREADABLE, ()
        return
    if (days := day_words.FROM_TODAY.get(period or "")) is not None:
        yield Kind.FROM_TODAY, (days,)
    yield Kind.TIME, ((day_words.hour_of_day(hour, bounds) * 60 + minute) % 1440,)


def _half(text: str | None) -> str | None:
    """The part of the day that a.m. and p.m. stand for."""
    if not text:
        return None
    return "凌晨" if text[0] in "aA" else "afternoon"


def _clock(match: re.Match[str]) -> Said:
    period = match["period"] or _half(match["half"])
    yield from _time(int(match["hour"]), int(match["minute"]), period)


_QUARTERS = {"半": 30, "一刻": 15, "三刻": 45}


def _han_time(match: re.Match[str]) -> Said:
    told, period, minute = match["hour"], match["period"], match["minute"]
    # 一点 is a bit, unless something says that it is a time.
    if told == "一" and not (period or minute or match["sharp"]):
        return
    minutes = 0
    if minute:
        minutes = _QUARTERS.get(minute) or value(minute.removesuffix("分")) or 0
    yield from _time(value(told), minutes, period)


def _english_time(match: re.Match[str]) -> Said:
    yield from _time(value(match["hour"]), 0, _half(match["half"]))


def _han_weekday(match: re.Match[str]) -> Said:
    if match["which"]:
        yield Kind.WEEK_FROM_NOW, ({"上": -1, "下": 1}.get(match["which"], 0),)
    if match["day"]:
        yield Kind.WEEKDAY, (day_words.WEEKDAYS[match["day"]],)


def _english_weekday(match: re.Match[str]) -> Said:
    yield Kind.WEEKDAY, (day_words.WEEKDAYS[match[0][:3].lower()],)


def _english_week(match: re.Match[str]) -> Said:
    yield Kind.WEEK_FROM_NOW, ({"last": -1, "next": 1}.get(match["which"].lower(), 0),)


def _week(match: re.Match[str]) -> Said:
    number = value(match["han"] or match["english"])
    yield (Kind.UNREADABLE, ()) if number is None else (Kind.WEEK, (number,))


def _from_today(match: re.Match[str]) -> Said:
    yield Kind.FROM_TODAY, (day_words.FROM_TODAY[match[0].lower()],)


def _part_of_day(match: re.Match[str]) -> Said:
    word = match[0].lower()
    if word in day_words.FROM_TODAY:
        yield from _from_today(match)
    yield Kind.PERIOD, day_words.PERIODS[word]


def _ordinal(match: re.Match[str]) -> Said:
    if (number := value(match["number"])) != 1:
        yield from _number(number)


def _counted(match: re.Match[str]) -> Said:
    if match["number"] != "一" or match["measure"] in _COUNTS_ONE:
        yield from _number(value(match["number"]))


def _half_of(match: re.Match[str]) -> Said:
    yield from _number(0.5)


def _plain(match: re.Match[str]) -> Said:
    yield from _number(float(match["number"]))


def _word(match: re.Match[str]) -> Said:
    if match[0].lower() != "one":
        yield from _number(value(match[0]))


def _form(pattern: str, read: Callable[[re.Match[str]], Said], flags: int = 0) -> Form:
    return Form(re.compile(pattern, flags), read)


FORMS: tuple[Form, ...] = (
    _form(r"(?<!\d)(?P<year>\d{4})[-/](?P<month>\d{1,2})[-/](?P<day>\d{1,2})(?!\d)", _full_date),
    _form(rf"(?:(?P<year>\d{{4}})年)?(?P<month>{NUMBER})月(?P<day>{NUMBER})[日号]?", _full_date),
    _form(
        rf"第?(?P<first>{NUMBER})\s*节?\s*[-到至、,和及]\s*第?(?P<last>{NUMBER})\s*节",
        _sections,
    ),
    _form(rf"第\s*(?P<first>{NUMBER})(?P<last>)\s*节", _sections),
    _form(rf"(?P<number>{NUMBER})\s*节", _section_or_count),
    _form(
        rf"\b(?:sections?|periods?)\s+(?P<first>\d{{1,9}}|(?:{WORD})\b)"
        rf"(?:\s*(?:-|\bto\b|\band\b|\bthrough\b|&)\s*(?P<last>\d{{1,9}}|(?:{WORD})\b))?",
        _sections,
        re.IGNORECASE,
    ),
    _form(
        rf"(?P<period>{_HAN_PERIOD})?\s*(?<!\d)(?P<hour>\d{{1,2}}):(?P<minute>\d{{2}})(?!\d)"
        rf"(?:\s*(?P<half>{_AM_PM}))?",
        _clock,
    ),
    _form(
        rf"(?P<period>{_HAN_PERIOD})?\s*(?P<hour>{NUMBER})\s*(?:点|时(?![间候常段刻]))"
        rf"(?P<minute>半|一刻|三刻|{NUMBER}分?)?(?P<sharp>钟|整)?",
        _han_time,
    ),
    _form(rf"\b(?P<hour>\d{{1,2}}|{WORD})\s*(?:(?P<half>{_AM_PM})|o'clock)", _english_time),
    _form(
        rf"\b(?P<month>{_MONTH})\.?\s+(?P<day>\d{{1,2}})(?:st|nd|rd|th)?\b"
        rf"|\b(?P<day_before>\d{{1,2}})(?:st|nd|rd|th)?\s+(?:of\s+)?(?P<month_after>{_MONTH})\b",
        _english_date,
    ),
    _form(r"(?<![\d-])(?P<month>\d{2})-(?P<day>\d{2})(?![\d-])", _numeric_date),
    _form(r"(?<![\d/])(?P<month>\d{1,2})/(?P<day>\d{1,2})(?![\d/])", _numeric_date),
    _form(r"(?P<which>[上这本下])?个?(?:周|星期|礼拜)(?P<day>[一二三四五六日天末])", _han_weekday),
    _form(r"(?P<which>[上这本下])个?(?:周|星期|礼拜)(?P<day>)", _han_weekday),
    _form(rf"\b{_WEEKDAY}\b", _english_weekday),
    _form(r"\b(?P<which>this|next|last)\s+week\b", _english_week, re.IGNORECASE),
    _form(rf"第\s*(?P<han>{NUMBER})\s*周|\bweek\s+(?P<english>\d{{1,9}})\b", _week, re.IGNORECASE),
    _form(rf"(?P<day>\d{{1,2}}|[{HAN}]{{1,3}})[日号](?![内后前间以之])", _day),
    _form(rf"(?:{_PERIOD})(?![a-z])", _part_of_day, re.IGNORECASE),
    _form(rf"(?:{_FROM_TODAY})(?![a-z])", _from_today, re.IGNORECASE),
    _form(rf"百分之(?P<number>\d{{1,9}}|[{HAN}]{{1,3}})", _ordinal),
    _form(rf"第\s*(?P<number>{NUMBER})", _ordinal),
    _form(rf"(?P<number>[{HAN}]{{1,3}})个?(?P<measure>{_MEASURE})", _counted),
    _form(r"半个?(?:小时|天|节)|\bhalf\s+an?\b", _half_of, re.IGNORECASE),
    _form(r"(?<![A-Za-z\d.])(?P<number>\d{1,12}(?:\.\d{1,6})?)", _plain),
    _form(rf"\b(?:{WORD})\b", _word, re.IGNORECASE),
)
"""The first one that begins earliest is read; of those that begin alike, the first."""
