"""Settings of the schedule service."""

from pydantic import Field

from libs.process.settings import ServiceSettings


class ScheduleSettings(ServiceSettings):
    """What every service has, and the few durations of this one."""

    lock_timeout_ms: int = Field(
        5000, ge=1, description="How long a writer waits for the user's row before UNAVAILABLE"
    )
