"""The form of what a person has chosen for the whole suite."""

from collections.abc import Mapping
from dataclasses import dataclass

from pydantic import Field

from services.gateway.domain import moments
from services.gateway.domain.moments import Unreadable
from services.gateway.wire.bodies import Body, Key
from services.gateway.wire.entered import Problems, Refused
from smartmate.schedule.v1 import user_settings_pb2

FIELDS: Mapping[str, tuple[str, str]] = {
    "settings.quiet_hours": ("quiet", "problem.quiet"),
    "settings.time_zone": ("quiet_zone", "problem.time_zone"),
    "settings.default_estimated_sections": ("default_estimate", "problem.task_estimate"),
}
_ESTIMATES = ("1", "2", "3", "4")


class PersonalForm(Body):
    """The fields as they are entered."""

    quiet_from: str = Field("", max_length=40)
    quiet_to: str = Field("", max_length=40)
    quiet_zone: str = Field("", max_length=100)
    default_estimate: str = Field("1", max_length=10)
    idempotency_key: Key = None


@dataclass(frozen=True, slots=True)
class Shown:
    """A form as the template is given it."""

    form: PersonalForm
    problems: Mapping[str, str]

    def problem(self, name: str) -> str:
        """What is wrong at a field, or nothing."""
        return self.problems.get(name, "")


def of_settings(settings: user_settings_pb2.UserSettings) -> PersonalForm:
    """Stored settings as they are entered."""
    quiet = settings.quiet_hours if settings.HasField("quiet_hours") else None
    return PersonalForm(
        quiet_from=moments.clock_entered(quiet.start_minute_of_day) if quiet else "",
        quiet_to=moments.clock_entered(quiet.end_minute_of_day) if quiet else "",
        quiet_zone=settings.time_zone,
        default_estimate=str(settings.default_estimated_sections),
    )


def message(form: PersonalForm) -> user_settings_pb2.UserSettings:
    """What is asked of the service. Raises Refused."""
    problems = Problems()
    if form.default_estimate not in _ESTIMATES:
        problems.add("default_estimate", "problem.task_estimate")
    quiet = _quiet(problems, form)
    if problems.keys:
        raise Refused(problems)
    return user_settings_pb2.UserSettings(
        quiet_hours=quiet,
        time_zone=form.quiet_zone.strip(),
        default_estimated_sections=int(form.default_estimate),
    )


def _quiet(problems: Problems, form: PersonalForm) -> user_settings_pb2.QuietHours | None:
    try:
        begins, ends = moments.read_clock(form.quiet_from), moments.read_clock(form.quiet_to)
    except Unreadable:
        problems.add("quiet", "problem.quiet")
        return None
    if begins is None and ends is None:
        return None
    if begins is None or ends is None or begins == ends:
        problems.add("quiet", "problem.quiet")
        return None
    return user_settings_pb2.QuietHours(start_minute_of_day=begins, end_minute_of_day=ends)
