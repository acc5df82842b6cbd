"""The moments and places that the facts name, and what may be said of them."""

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, field
from datetime import date, datetime, timedelta
from enum import StrEnum
from typing import Final
from zoneinfo import ZoneInfo

from services.agent.domain.claim import Claim, Group, Kind
from services.agent.domain.situation import Place


class Role(StrEnum):
    PLACE = "place"
    """Where the target would go."""
    OTHER = "other"
    """A deadline, a threshold, now: named as such."""
    WISH = "wish"
    """What the person wrote: told as the person's own."""


@dataclass(frozen=True, slots=True)
class Moment:
    """What is known of one moment or place; days count from `today`."""

    role: Role
    today: date
    on: date | None = None
    weekdays: frozenset[int] = frozenset()
    sections: frozenset[int] = frozenset()
    times: frozenset[int] = field(default_factory=frozenset)
    periods: frozenset[tuple[int, int]] = frozenset()
    week: int | None = None

    def allows(self, claim: Claim) -> bool:
        """Whether a claim is true of it."""
        return _RULES[claim.kind](self, claim.values)


def of_place(place: Place, today: date, zone: ZoneInfo) -> Moment:
    """Where the target would go."""
    start, end = place.starts_at.astimezone(zone), place.ends_at.astimezone(zone)
    return Moment(
        role=Role.PLACE,
        today=today,
        on=start.date(),
        weekdays=frozenset({place.day}),
        sections=frozenset(range(place.first, place.last + 1)),
        times=frozenset({_minute(start), _minute(end)}),
        week=place.week,
    )


def of_instant(at: datetime, today: date, zone: ZoneInfo) -> Moment:
    """A deadline, or now."""
    local = at.astimezone(zone)
    return Moment(
        role=Role.OTHER,
        today=today,
        on=local.date(),
        weekdays=frozenset({local.isoweekday()}),
        times=frozenset({_minute(local)}),
    )


def of_groups(groups: Iterable[Group], today: date, role: Role) -> Iterator[Moment]:
    """What texts name, their numbers aside."""
    for group in groups:
        by_kind: dict[Kind, list[tuple[int, ...]]] = {}
        for claim in group.claims:
            by_kind.setdefault(claim.kind, []).append(claim.values)
        if by_kind.keys() - {Kind.NUMBER, Kind.UNREADABLE, Kind.SECTION_OR_COUNT}:
            yield _of_claims(by_kind, today, role)


def _of_claims(by_kind: Mapping[Kind, list[tuple[int, ...]]], today: date, role: Role) -> Moment:
    on = _date_of(by_kind, today)
    weekdays = {one for (one,) in by_kind.get(Kind.WEEKDAY, ())}
    weekdays |= {on.isoweekday()} if on else set()
    weekdays |= {6, 7} if 0 in weekdays else set()
    sections = by_kind.get(Kind.SECTIONS, ())
    weeks = [week for (week,) in by_kind.get(Kind.WEEK, ())]
    return Moment(
        role=role,
        today=today,
        on=on,
        weekdays=frozenset(weekdays),
        sections=frozenset(one for first, last in sections for one in range(first, last + 1)),
        times=frozenset(time for (time,) in by_kind.get(Kind.TIME, ())),
        periods=frozenset((first, last) for first, last in by_kind.get(Kind.PERIOD, ())),
        week=weeks[0] if weeks else None,
    )


def _date_of(by_kind: Mapping[Kind, list[tuple[int, ...]]], today: date) -> date | None:
    """The date that is meant: without a year, the one nearest to today."""
    for (days,) in by_kind.get(Kind.FROM_TODAY, ()):
        return today + timedelta(days=days)
    for month, day in by_kind.get(Kind.DATE, ()):
        found = []
        for year in (today.year - 1, today.year, today.year + 1):
            try:
                found.append(date(year, month, day))
            except ValueError:
                continue  # 29 February of another year
        if found:
            return min(found, key=lambda one: abs(one - today))
    return None


def _minute(at: datetime) -> int:
    return at.hour * 60 + at.minute


def _is_date(moment: Moment, values: tuple[int, ...]) -> bool:
    return moment.on is not None and (moment.on.month, moment.on.day) == values


def _is_day(moment: Moment, values: tuple[int, ...]) -> bool:
    return moment.on is not None and moment.on.day == values[0]


def _is_from_today(moment: Moment, values: tuple[int, ...]) -> bool:
    return moment.on is not None and (moment.on - moment.today).days == values[0]


def _is_weekday(moment: Moment, values: tuple[int, ...]) -> bool:
    wanted = {6, 7} if values[0] == 0 else {values[0]}
    return bool(moment.weekdays & wanted)


def _is_week_from_now(moment: Moment, values: tuple[int, ...]) -> bool:
    if moment.on is None:
        return False
    weeks = (_monday(moment.on) - _monday(moment.today)).days // 7
    return weeks == values[0]


def _is_week(moment: Moment, values: tuple[int, ...]) -> bool:
    return moment.week == values[0]


def _has_sections(moment: Moment, values: tuple[int, ...]) -> bool:
    first, last = values
    # Both ends and the length say it all; a range of millions is not walked through.
    inside = first in moment.sections and last in moment.sections
    return inside and last - first < len(moment.sections)


def _has_section(moment: Moment, values: tuple[int, ...]) -> bool:
    return values[0] in moment.sections


def _has_time(moment: Moment, values: tuple[int, ...]) -> bool:
    return values[0] in moment.times


def _is_in_period(moment: Moment, values: tuple[int, ...]) -> bool:
    first, last = values
    return (first, last) in moment.periods or any(first <= one <= last for one in moment.times)


def _never(_moment: Moment, _values: tuple[int, ...]) -> bool:
    return False


def _monday(on: date) -> date:
    return on - timedelta(days=on.weekday())


_RULES: Final = {
    Kind.DATE: _is_date,
    Kind.DAY: _is_day,
    Kind.FROM_TODAY: _is_from_today,
    Kind.WEEKDAY: _is_weekday,
    Kind.WEEK_FROM_NOW: _is_week_from_now,
    Kind.WEEK: _is_week,
    Kind.SECTIONS: _has_sections,
    Kind.SECTION_OR_COUNT: _has_section,
    Kind.TIME: _has_time,
    Kind.PERIOD: _is_in_period,
    Kind.NUMBER: _never,
    Kind.UNREADABLE: _never,
}
