"""What a person has chosen for the whole suite. Spec: active-scheduling.md, Jobs (quiet hours)."""

from dataclasses import dataclass, replace
from datetime import time

from libs.planning.calendar import DEFAULT_TIME_ZONE

DEFAULT_SECTIONS = 1


@dataclass(frozen=True, slots=True)
class QuietHours:
    """From `start` to `end` by the wall clock, around midnight where end is before start."""

    start: time
    end: time


@dataclass(frozen=True, slots=True)
class UserSettings:
    """The choices; as made by nobody, they are the defaults. `version` 0 means never set."""

    quiet_hours: QuietHours | None = None
    time_zone: str = DEFAULT_TIME_ZONE
    default_sections: int = DEFAULT_SECTIONS
    version: int = 0

    def same_as(self, other: "UserSettings") -> bool:
        """Whether two differ in nothing that a person sets."""
        return replace(self, version=0) == replace(other, version=0)


DEFAULTS = UserSettings()
