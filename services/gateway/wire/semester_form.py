"""The form of a semester: dates, zone, and the bell in rows of begin and end."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import partial
from typing import Annotated

from pydantic import Field

from libs.planning.calendar import DEFAULT_CLOCK, DEFAULT_TIME_ZONE, MAX_SECTIONS
from services.gateway.domain import moments
from services.gateway.wire.bodies import Body, Key
from services.gateway.wire.entered import Problems, Refused
from smartmate.schedule.v1 import calendar_pb2

FIELDS: Mapping[str, tuple[str, str]] = {
    "semester.first_date": ("first_date", "problem.first_date"),
    "semester.week_count": ("weeks", "problem.week_count"),
    "semester.time_zone": ("zone", "problem.time_zone"),
    "semester.clock.sections": ("clock", "problem.sections"),
    "semester.clock.lunch_after_section": ("lunch", "problem.lunch"),
    "semester.clock.dinner_after_section": ("dinner", "problem.dinner"),
}
USUAL_WEEKS = 20
_LARGEST = 2**63 - 1
_Clock = Annotated[str, Field(max_length=40)]


class SemesterForm(Body):
    """The fields as they are entered; rows of the bell that are empty at its end do not count."""

    semester_id: int = Field(0, ge=0, le=_LARGEST)
    first_date: str = Field("", max_length=40)
    weeks: str = Field(str(USUAL_WEEKS), max_length=40)
    zone: str = Field(DEFAULT_TIME_ZONE, max_length=100)
    starts: tuple[_Clock, ...] = Field((), max_length=MAX_SECTIONS)
    ends: tuple[_Clock, ...] = Field((), max_length=MAX_SECTIONS)
    lunch: str = Field("4", max_length=40)
    dinner: str = Field("8", max_length=40)
    idempotency_key: Key = None


@dataclass(frozen=True, slots=True)
class Shown:
    """A form as the template is given it."""

    form: SemesterForm
    problems: Mapping[str, str]

    def problem(self, name: str) -> str:
        """What is wrong at a field, or nothing."""
        return self.problems.get(name, "")

    @property
    def rows(self) -> Sequence[tuple[int, str, str, bool]]:
        """(number, begin, end, out of order) of every section that there is room for.

        Whether the bell is one is for the service to say; where it was refused, the rows that
        stand out are pointed at.
        """
        starts, ends = (_padded(times) for times in (self.form.starts, self.form.ends))
        wrong = _out_of_order(starts, ends) if self.problem("clock") else frozenset[int]()
        return tuple(
            (number, start, end, number in wrong)
            for number, (start, end) in enumerate(zip(starts, ends, strict=True), start=1)
        )

    @property
    def opens_clock(self) -> bool:
        """Whether something in the bell has to be put right."""
        return bool(self.problems.keys() & {"clock", "lunch", "dinner"})


def fields(given: Mapping[str, str]) -> dict[str, object]:
    """The fields of the form as the model has them: the rows `start-3` and `end-3` together."""
    kept: dict[str, object] = {}
    starts, ends = [""] * MAX_SECTIONS, [""] * MAX_SECTIONS
    rows = {f"start-{n + 1}": (starts, n) for n in range(MAX_SECTIONS)}
    rows |= {f"end-{n + 1}": (ends, n) for n in range(MAX_SECTIONS)}
    for name, value in given.items():
        if name in rows:
            times, index = rows[name]
            times[index] = value
        else:
            kept[name] = value
    return {**kept, "starts": tuple(starts), "ends": tuple(ends)}


def new() -> SemesterForm:
    """An empty form with the usual bell."""
    sections = DEFAULT_CLOCK.sections
    return SemesterForm(
        starts=tuple(f"{one.start:%H:%M}" for one in sections),
        ends=tuple(f"{one.end:%H:%M}" for one in sections),
        lunch=str(DEFAULT_CLOCK.lunch_after),
        dinner=str(DEFAULT_CLOCK.dinner_after),
    )


def of_semester(semester: calendar_pb2.Semester) -> SemesterForm:
    """A stored semester as it is entered."""
    sections = semester.clock.sections
    return SemesterForm(
        semester_id=semester.semester_id,
        first_date=semester.first_date,
        weeks=str(semester.week_count),
        zone=semester.time_zone,
        starts=tuple(moments.clock_entered(one.start_minute_of_day) for one in sections),
        ends=tuple(moments.clock_entered(one.end_minute_of_day) for one in sections),
        lunch=str(semester.clock.lunch_after_section),
        dinner=str(semester.clock.dinner_after_section),
    )


def message(form: SemesterForm) -> calendar_pb2.Semester:
    """What is asked of the service. Raises Refused for what is no number and no time."""
    problems = Problems()
    weeks = _number(problems, "weeks", form.weeks, "problem.week_count")
    lunch = _number(problems, "lunch", form.lunch, "problem.lunch")
    dinner = _number(problems, "dinner", form.dinner, "problem.dinner")
    sections = _sections(problems, form)
    if problems.keys:
        raise Refused(problems)
    return calendar_pb2.Semester(
        semester_id=form.semester_id,
        first_date=form.first_date.strip(),
        week_count=weeks,
        time_zone=form.zone.strip(),
        clock=calendar_pb2.SectionClock(
            sections=sections, lunch_after_section=lunch, dinner_after_section=dinner
        ),
    )


def _out_of_order(starts: Sequence[str], ends: Sequence[str]) -> frozenset[int]:
    """Numbers of sections that end before they begin, begin before the last end, or lack a time."""
    wrong, before = set(), ""
    for number, (start, end) in enumerate(zip(starts, ends, strict=True), start=1):
        if bool(start) != bool(end) or (start and not before <= start < end):
            wrong.add(number)
        before = max(before, end)
    return frozenset(wrong)


def _sections(problems: Problems, form: SemesterForm) -> Sequence[calendar_pb2.SectionTime]:
    rows = list(zip(_padded(form.starts), _padded(form.ends), strict=True))
    while rows and not "".join(rows[-1]).strip():
        rows.pop()
    found = []
    for start, end in rows:
        begins = problems.reading("clock", partial(moments.read_clock, start))
        finishes = problems.reading("clock", partial(moments.read_clock, end))
        if begins is None or finishes is None:
            problems.add("clock", "problem.section_time")
            continue
        found.append(
            calendar_pb2.SectionTime(start_minute_of_day=begins, end_minute_of_day=finishes)
        )
    return found


def _number(problems: Problems, name: str, text: str, key: str) -> int:
    given = text.strip()
    if not (given.isascii() and given.isdecimal() and len(given) <= 4):
        problems.add(name, key)
        return 0
    return int(given)


def _padded(times: Sequence[str]) -> Sequence[str]:
    return (*times, *[""] * MAX_SECTIONS)[:MAX_SECTIONS]
