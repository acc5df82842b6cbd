"""A plan that was written, in words."""

from collections.abc import Iterable
from dataclasses import dataclass
from datetime import datetime
from zoneinfo import ZoneInfo

from services.gateway.domain import places
from services.gateway.domain.locale import Locale
from services.gateway.domain.messages import say
from services.gateway.wire.calendar import spot_of
from services.gateway.wire.told import Told
from smartmate.schedule.v1 import apply_pb2, schedule_event_pb2


@dataclass(frozen=True, slots=True)
class Written:
    """What an apply wrote, and where its first block is seen; empty where nobody can tell."""

    told: Told
    href: str


def written(
    locale: Locale,
    verdict: apply_pb2.ApplyVerdict,
    events: Iterable[schedule_event_pb2.ScheduleEvent],
    zone: ZoneInfo,
    now: datetime,
) -> Written | None:
    """The words of a verdict; None for one that wrote nothing. `events` are in order of time."""
    if verdict.state != apply_pb2.APPLY_STATE_APPLIED:
        return None
    count = len(verdict.event_ids)
    head = say(locale, "build.applied_1" if count == 1 else "build.applied", n=count)
    ids = frozenset(verdict.event_ids)
    first = next((one for one in events if one.event_id in ids), None)
    if first is None:
        return Written(Told("ok", "check", head), "")
    spot = spot_of(first, zone)
    where = places.place(locale, spot, today=now.astimezone(zone).date())
    more = say(locale, "build.applied_more", place=where)
    return Written(Told("ok", "check", head, more), f"/week?date={spot.on.isoformat()}")
