"""Settings of a person on the wire."""

from libs.planning.calendar import DEFAULT_TIME_ZONE, InvalidSemester, zone_named
from libs.planning.validation import MAX_POOL_TASK_SECTIONS
from libs.rpc.errors import invalid
from services.schedule.domain.user_settings import DEFAULT_SECTIONS, QuietHours, UserSettings
from services.schedule.wire import fields
from smartmate.schedule.v1 import user_settings_pb2

_QUIET = "settings.quiet_hours"
_LONGEST_ZONE = 64


def read(message: user_settings_pb2.UserSettings) -> UserSettings:
    """What is chosen. Raises InvalidRequest."""
    return UserSettings(
        quiet_hours=_read_quiet(message.quiet_hours) if message.HasField("quiet_hours") else None,
        time_zone=_read_zone(message.time_zone),
        default_sections=fields.within(
            "settings.default_estimated_sections",
            message.default_estimated_sections or DEFAULT_SECTIONS,
            1,
            MAX_POOL_TASK_SECTIONS,
        ),
    )


def settings(found: UserSettings) -> user_settings_pb2.UserSettings:
    """What is chosen, or the defaults."""
    message = user_settings_pb2.UserSettings(
        time_zone=found.time_zone,
        default_estimated_sections=found.default_sections,
        version=found.version,
    )
    if found.quiet_hours is not None:
        message.quiet_hours.start_minute_of_day = fields.minute_of_day(found.quiet_hours.start)
        message.quiet_hours.end_minute_of_day = fields.minute_of_day(found.quiet_hours.end)
    return message


def _read_quiet(message: user_settings_pb2.QuietHours) -> QuietHours:
    start = fields.time_of_day(f"{_QUIET}.start_minute_of_day", message.start_minute_of_day)
    end = fields.time_of_day(f"{_QUIET}.end_minute_of_day", message.end_minute_of_day)
    if start == end:
        raise invalid(f"{_QUIET}.end_minute_of_day", "must not be the start")
    return QuietHours(start, end)


def _read_zone(value: str) -> str:
    name = fields.optional_text("settings.time_zone", value, longest=_LONGEST_ZONE)
    try:
        return zone_named(name or DEFAULT_TIME_ZONE).key
    except InvalidSemester as error:
        raise invalid("settings.time_zone", error.problem) from error
