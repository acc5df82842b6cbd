"""Bodies about settings as programs send them."""

from pydantic import Field

from services.gateway.wire.bodies import Body, Int32
from smartmate.schedule.v1 import user_settings_pb2


class QuietHoursBody(Body):
    """Minutes after local midnight; they may wrap around it."""

    start_minute_of_day: Int32
    end_minute_of_day: Int32


class SettingsBody(Body):
    """All that a person has chosen, as it shall be."""

    quiet_hours: QuietHoursBody | None = Field(None, description="Absent = none")
    time_zone: str = Field("", max_length=64, description="IANA name; empty = Asia/Shanghai")
    default_estimated_sections: Int32 = Field(0, description="1..4; 0 = 1")

    def message(self) -> user_settings_pb2.UserSettings:
        quiet = self.quiet_hours
        return user_settings_pb2.UserSettings(
            quiet_hours=user_settings_pb2.QuietHours(**quiet.model_dump()) if quiet else None,
            time_zone=self.time_zone,
            default_estimated_sections=self.default_estimated_sections,
        )


class EmbeddingBody(Body):
    """Whether the meetings of a course may host work."""

    can_be_embedded: bool = Field(strict=True)
