"""Quiet hours: when a person is not to be spoken to, by the wall clock of a zone.

Spec: active-scheduling.md, Jobs (off unless set; the deadline may come first).
"""

from dataclasses import dataclass
from datetime import UTC, date, datetime, time, timedelta
from zoneinfo import ZoneInfo

_DAY = timedelta(days=1)


@dataclass(frozen=True, slots=True)
class QuietHours:
    """From `start` to `end` of every day in an IANA zone; past midnight where end is before start.

    `start` counts as quiet, `end` does not. The two differ.
    """

    start: time
    end: time
    time_zone: str

    def end_of(self, now: datetime) -> datetime | None:
        """When the quiet hours that hold at an instant end (UTC); None outside of them.

        A local time that daylight saving skips is pushed forward by the length of the gap. Of an
        end that occurs twice the second counts, so that a night has one stretch of quiet.
        """
        zone = ZoneInfo(self.time_zone)
        today = now.astimezone(zone).date()
        # The stretch that holds now began today or yesterday.
        for on in (today - _DAY, today):
            starts = _first(on, self.start, zone)
            ends = _last(on if self.start < self.end else on + _DAY, self.end, zone)
            if starts <= now < ends:
                return ends
        return None


def postponed(
    quiet: QuietHours | None, *, now: datetime, deadline: datetime | None
) -> datetime | None:
    """Until when something that is due now waits; None: it does not.

    It does not where the deadline, if it lies ahead, comes before the quiet hours are over.
    """
    ends = quiet.end_of(now) if quiet is not None else None
    if ends is None:
        return None
    comes_first = deadline is not None and now < deadline <= ends
    return None if comes_first else ends


def _first(on: date, at: time, zone: ZoneInfo) -> datetime:
    return datetime.combine(on, at, tzinfo=zone).astimezone(UTC)


def _last(on: date, at: time, zone: ZoneInfo) -> datetime:
    local = datetime.combine(on, at, tzinfo=zone)
    return max(local.astimezone(UTC), local.replace(fold=1).astimezone(UTC))
