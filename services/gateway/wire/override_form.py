"""The form of a changed day (调休)."""

from collections.abc import Mapping
from dataclasses import dataclass

from pydantic import Field

from libs.rpc.errors import RemoteError
from services.gateway.wire.bodies import Body, Key
from services.gateway.wire.entered import Problems, Refused
from smartmate.schedule.v1 import calendar_pb2

OFF, RUNS = "off", "runs"

FIELDS: Mapping[str, tuple[str, str]] = {
    "override.date": ("date", "problem.override_date"),
    "override.runs.week": ("week", "problem.override_week"),
    "override.runs.day_of_week": ("day", "problem.override_day"),
}
_BY_REASON = {
    "out_of_semester": ("week", "problem.override_week"),
    "not_started": ("date", "problem.override_outside"),
    "ended": ("date", "problem.override_outside"),
}
_DAYS = tuple(str(day) for day in range(1, 8))


class OverrideForm(Body):
    """The fields as they are entered; week and day count where classes are held alone."""

    date: str = Field("", max_length=100)
    kind: str = Field(OFF, max_length=100)
    week: str = Field("1", max_length=100)
    day: str = Field("1", max_length=100)
    idempotency_key: Key = None


class DateForm(Body):
    """Which day gets its own classes back."""

    date: str = Field(max_length=100)
    idempotency_key: Key = None


@dataclass(frozen=True, slots=True)
class Shown:
    """A form as the template is given it."""

    form: OverrideForm
    problems: Mapping[str, str]

    def problem(self, name: str) -> str:
        """What is wrong at a field, or nothing."""
        return self.problems.get(name, "")


def message(form: OverrideForm) -> calendar_pb2.CalendarOverride:
    """What is asked of the service. Raises Refused."""
    problems = Problems()
    if form.kind not in (OFF, RUNS):
        problems.add("kind", "problem.override_kind")
    if form.kind == OFF:
        return calendar_pb2.CalendarOverride(date=form.date.strip())
    week = form.week.strip()
    if not (week.isascii() and week.isdecimal() and len(week) <= 3):
        problems.add("week", "problem.override_week")
    if form.day not in _DAYS:
        problems.add("day", "problem.override_day")
    if problems.keys:
        raise Refused(problems)
    runs = calendar_pb2.TimetableDay(week=int(week), day_of_week=int(form.day))
    return calendar_pb2.CalendarOverride(date=form.date.strip(), runs=runs)


def problem_of(error: RemoteError) -> Problems | None:
    """What is wrong about the date or the week, where the refusal is about one of these."""
    named = _BY_REASON.get(error.reason)
    if named is None:
        return None
    problems = Problems()
    problems.add(*named)
    return problems
