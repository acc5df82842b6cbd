"""The list of open suggestions."""

from dataclasses import dataclass
from datetime import datetime
from zoneinfo import ZoneInfo

from services.gateway.domain.locale import Locale
from services.gateway.domain.messages import say
from services.gateway.domain.places import moment
from services.gateway.wire.calendar import instant, words
from smartmate.active_scheduler.v1 import active_scheduler_service_pb2, preview_pb2


@dataclass(frozen=True, slots=True)
class Line:
    """One suggestion."""

    preview_id: str
    title: str
    made: str
    state: str
    is_applying: bool


def build(
    locale: Locale,
    answer: active_scheduler_service_pb2.ListPreviewsResponse,
    *,
    now: datetime,
    zone: ZoneInfo,
) -> tuple[Line, ...]:
    """The lines, newest first."""
    return tuple(_line(locale, one, now, zone) for one in answer.previews)


def _line(locale: Locale, one: preview_pb2.PreviewSummary, now: datetime, zone: ZoneInfo) -> Line:
    today = now.astimezone(zone).date()
    made = moment(locale, instant(one.generate_time), zone, today=today)
    is_applying = one.state == preview_pb2.PREVIEW_STATE_APPLYING
    return Line(
        one.preview_id,
        words(locale, one.summary) or one.target_title,
        say(locale, "list.made", time=made),
        say(locale, "list.applying") if is_applying else _kept(locale, one, now, zone),
        is_applying,
    )


def _kept(locale: Locale, one: preview_pb2.PreviewSummary, now: datetime, zone: ZoneInfo) -> str:
    ends_at = instant(one.expire_time)
    until = moment(locale, ends_at, zone, today=now.astimezone(zone).date())
    minutes = int((ends_at - now).total_seconds()) // 60
    if minutes < 1:
        return say(locale, "preview.keep_short", time=until)
    return say(locale, "preview.keep", time=until, n=minutes)
