"""Words for the weeks of a course."""

from collections.abc import Iterable

from services.gateway.domain.locale import Locale
from services.gateway.domain.messages import say


def weeks(locale: Locale, numbers: Iterable[int]) -> str:
    """1–16 周, 1–15 周（单）, 3 周、5–9 周; runs of every week and of every other one."""
    joint = ", " if locale is Locale.EN else "、"
    return joint.join(_part(locale, *run) for run in _runs(sorted(set(numbers))))


def week(locale: Locale, number: int) -> str:
    """第 13 周, week 13."""
    return say(locale, "timetable.week", n=number)


def _part(locale: Locale, first: int, last: int, step: int) -> str:
    if first == last:
        return say(locale, "timetable.weeks_1", n=first)
    kind = "" if step == 1 else "_odd" if first % 2 else "_even"
    return say(locale, f"timetable.weeks_run{kind}", first=first, last=last)


def _runs(numbers: list[int]) -> list[tuple[int, int, int]]:
    """(first, last, step) of each run; one of every other week has at least three."""
    found: list[tuple[int, int, int]] = []
    rest = numbers
    while rest:
        step, length = 1, _run(rest, 1)
        if length == 1 and (other := _run(rest, 2)) > 2:
            step, length = 2, other
        found.append((rest[0], rest[length - 1], step))
        rest = rest[length:]
    return found


def _run(numbers: list[int], step: int) -> int:
    length = 1
    while length < len(numbers) and numbers[length] - numbers[length - 1] == step:
        length += 1
    return length
