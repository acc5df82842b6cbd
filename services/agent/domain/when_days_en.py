"""Days as English names them: next Friday, Dec 5, the 15th, in three days, end of the month."""

import re

from services.agent.domain import when_days as days
from services.agent.domain.day_words import MONTHS, WEEKDAYS
from services.agent.domain.numerals import WORD, value
from services.agent.domain.when import DayReading, Doubt, Looking, Standpoint
from services.agent.domain.when_forms import Form, form

Reading = DayReading | None

_FROM_TODAY = {
    "yesterday": -1,
    "today": 0,
    "tonight": 0,
    "tomorrow": 1,
    "day after tomorrow": 2,
}
_LENGTHS = {"day": 1, "week": 7}
_WHICH_WEEK = {"last": -1, "this": 0, "the": 0, "next": 1}
_DAY = (
    r"(?P<day>mon(?:day)?|tue(?:s(?:day)?)?|wed(?:nesday)?|thu(?:r(?:s(?:day)?)?)?|fri(?:day)?"
    r"|sat(?:urday)?|sun(?:day)?)\b"
)
_MONTH = (
    r"(?P<month>jan(?:uary)?|feb(?:ruary)?|mar(?:ch)?|apr(?:il)?|may|june?|july?|aug(?:ust)?"
    r"|sept?(?:ember)?|oct(?:ober)?|nov(?:ember)?|dec(?:ember)?)\b\.?"
)
_NUMBER = rf"(?P<count>\d{{1,9}}|an?|(?:{WORD})\b)"
_DAY_OF_MONTH = r"(?P<date>\d{1,2})(?:st|nd|rd|th)?\b"


def _plain(match: re.Match[str], at: Standpoint, looking: Looking) -> Reading:
    words = " ".join(match["day"].lower().split())
    return days.from_today(at, _FROM_TODAY[words], looking)


def _weekday(match: re.Match[str], at: Standpoint, looking: Looking) -> Reading:
    day = WEEKDAYS[match["day"][:3].lower()]
    which = (match["which"] or "").lower()
    if not which:
        return days.weekday(at, looking, day, None)
    if which == "next" and looking is Looking.AHEAD:
        # Of the next week, or the next one that comes: not the same on most days.
        coming = days.weekday(at, looking, day, 0)
        return days.either(days.weekday(at, looking, day, 1), coming)
    return days.weekday(at, looking, day, _WHICH_WEEK[which])


def _week(match: re.Match[str], at: Standpoint, looking: Looking) -> Reading:
    return days.week(at, _WHICH_WEEK[match["which"].lower()])


def _weekend(match: re.Match[str], at: Standpoint, looking: Looking) -> Reading:
    which = (match["which"] or "this").lower()
    return days.weekend(at, _WHICH_WEEK[which])


def _after(match: re.Match[str], at: Standpoint, looking: Looking) -> Reading:
    unit, count = match["unit"].lower(), _count(match)
    if unit == "month":
        return days.after_months(at, min(count, 600))
    return days.one(days.shifted(at.today, count * _LENGTHS[unit]))


def _within(match: re.Match[str], at: Standpoint, looking: Looking) -> Reading:
    return days.within(at, _count(match) * _LENGTHS[match["unit"].lower()])


def _date(match: re.Match[str], at: Standpoint, looking: Looking) -> Reading:
    year = int(match["year"]) if match["year"] else None
    month = MONTHS[match["month"][:3].lower()]
    return days.month_day(at, looking, month, int(match["date"]), year)


def _in_month(match: re.Match[str], at: Standpoint, looking: Looking) -> Reading:
    return days.day_of_month(at, looking, int(match["date"]), None)


def _month_end(match: re.Match[str], at: Standpoint, looking: Looking) -> Reading:
    which = match["which"].lower()
    return days.month_end(days.month_from_now(at, _WHICH_WEEK[which]), at, looking)


def _week_end(match: re.Match[str], at: Standpoint, looking: Looking) -> Reading:
    found = days.week(at, _WHICH_WEEK[match["which"].lower()])
    return days.one(found.options[0].last) if found.options else found


def _semester_week(match: re.Match[str], at: Standpoint, looking: Looking) -> Reading:
    return days.semester_week(at, looking, int(match["number"]), None)


def _recurring(match: re.Match[str], at: Standpoint, looking: Looking) -> Reading:
    return DayReading((), doubt=Doubt.RECURRING)


def _vague(match: re.Match[str], at: Standpoint, looking: Looking) -> Reading:
    return days.VAGUE


def _unknown(match: re.Match[str], at: Standpoint, looking: Looking) -> Reading:
    return days.term_end(at)


def _count(match: re.Match[str]) -> int:
    told = match["count"].lower()
    return 1 if told in ("a", "an") else value(told) or 0


FORMS: tuple[Form[DayReading], ...] = (
    form(
        r"\b(?:the\s+)?(?P<day>yesterday|today|tonight|day\s+after\s+tomorrow|tomorrow)\b", _plain
    ),
    form(rf"\b(?:(?P<which>this|next|last)\s+)?{_DAY}", _weekday),
    form(r"\b(?P<which>this|next|last)\s+week\b(?!\s*end)", _week),
    form(r"\b(?:(?P<which>this|next|last|the)\s+)?weekend\b", _weekend),
    form(rf"\bin\s+{_NUMBER}\s+(?P<unit>day|week|month)s?\b", _after),
    form(rf"\b{_NUMBER}\s+(?P<unit>day|week|month)s?\s+(?:from\s+now|later)\b", _after),
    form(rf"\bwithin\s+(?:the\s+next\s+)?{_NUMBER}\s+(?P<unit>day|week)s?\b", _within),
    form(rf"\b{_MONTH}\s+{_DAY_OF_MONTH}(?:,?\s+(?P<year>\d{{4}})\b)?(?!\s*:)", _date),
    form(rf"\b(?:the\s+)?{_DAY_OF_MONTH}\s+(?:of\s+)?{_MONTH}(?:,?\s+(?P<year>\d{{4}})\b)?", _date),
    form(r"\bthe\s+(?P<date>\d{1,2})(?:st|nd|rd|th)\b", _in_month),
    form(r"\b(?:the\s+)?end\s+of\s+(?P<which>the|this|next)\s+month\b", _month_end),
    form(r"\b(?:the\s+)?end\s+of\s+(?P<which>the|this|next)\s+week\b", _week_end),
    form(r"\bweek\s+(?P<number>\d{1,2})\b", _semester_week),
    form(
        rf"\b(?:every|each)\s+(?:{_DAY}|day|week|month|night|morning)|\b(?:daily|weekly)\b",
        _recurring,
    ),
    form(r"\b(?:soon|some\s*day|sometime|next\s+month|this\s+month)\b", _vague),
    form(r"\bthe\s+(?:finals?|end\s+of\s+(?:the\s+)?(?:term|semester))\b", _unknown),
)
"""As in Chinese: the earliest, then the longest, then the first."""
