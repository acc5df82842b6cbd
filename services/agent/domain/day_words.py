"""Words for days and parts of days, in both languages."""

from collections.abc import Mapping

_WEEKDAYS_EN = ("mon", "tue", "wed", "thu", "fri", "sat", "sun")
_MONTHS_EN = ("jan", "feb", "mar", "apr", "may", "jun", "jul", "aug", "sep", "oct", "nov", "dec")

WEEKDAYS: Mapping[str, int] = {
    **{sign: day for day, sign in enumerate("一二三四五六日", start=1)},
    "天": 7,
    "末": 0,
    **{name: day for day, name in enumerate(_WEEKDAYS_EN, start=1)},
    "wee": 0,
}
"""By the sign behind 周, or the first three letters; 0 is the weekend."""

MONTHS: Mapping[str, int] = {name: month for month, name in enumerate(_MONTHS_EN, start=1)}
"""By the first three letters."""

FROM_TODAY: Mapping[str, int] = {
    **dict.fromkeys(("昨天", "昨日", "yesterday"), -1),
    **dict.fromkeys(("今天", "今日", "今晚", "今早", "today", "tonight"), 0),
    **dict.fromkeys(("明天", "明日", "明晚", "明早", "tomorrow"), 1),
    **dict.fromkeys(("后天", "day after tomorrow", "the day after tomorrow"), 2),
    "大后天": 3,
}
"""Days from today on."""

NIGHT, MORNING, NOON, AFTERNOON, EVENING = (
    (0, 360),
    (300, 780),
    (660, 840),
    (720, 1140),
    (1020, 1440),
)
"""First and last minute of the parts of a day, wide enough for any usage."""

PERIODS: Mapping[str, tuple[int, int]] = {
    "凌晨": NIGHT,
    **dict.fromkeys(("清晨", "早晨", "早上", "上午", "今早", "明早", "morning"), MORNING),
    **dict.fromkeys(("中午", "noon", "midday"), NOON),
    **dict.fromkeys(("下午", "午后", "afternoon"), AFTERNOON),
    **dict.fromkeys(("傍晚", "晚上", "晚间", "夜里", "夜间", "今晚", "明晚"), EVENING),
    **dict.fromkeys(("evening", "tonight", "night"), EVENING),
}


def hour_of_day(hour: int, period: tuple[int, int] | None) -> int:
    """The hour of 24 that an hour beside a part of the day means: 晚上 8 is 20, 12 a.m. is 0."""
    if period is None or hour > 12:
        return hour
    if period == NIGHT:
        return hour % 12
    if period == EVENING:
        return hour + 12
    if period == AFTERNOON:
        return hour if hour == 12 else hour + 12
    if period == NOON:
        return hour + 12 if hour < 6 else hour
    return hour


def alternatives(*words: str) -> str:
    """A pattern for any of the words, longer ones first."""
    return "|".join(sorted(words, key=len, reverse=True))
