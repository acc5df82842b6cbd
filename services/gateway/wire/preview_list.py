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
    icon: str
    """Name of a symbol."""
    waits: str
    """What it asks of the person beside a look at it; empty = nothing more."""


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
    icon, state = _state(locale, one, now, zone)
    asks = one.action == preview_pb2.DECISION_ACTION_ASK_USER and not one.is_answered
    return Line(
        one.preview_id,
        words(locale, one.summary) or one.target_title,
        say(locale, "list.made", time=made),
        state,
        icon,
        say(locale, "list.asks") if asks else "",
    )


def _state(
    locale: Locale, one: preview_pb2.PreviewSummary, now: datetime, zone: ZoneInfo
) -> tuple[str, str]:
    """(symbol, words) of where it stands."""
    if one.state == preview_pb2.PREVIEW_STATE_APPLYING:
        return "spin", say(locale, "list.applying")
    if one.is_answered:
        return "check", say(locale, "list.answered")
    return "clock", _kept(locale, one, now, zone)


def _kept(locale: Locale, one: preview_pb2.PreviewSummary, now: datetime, zone: ZoneInfo) -> str:
    ends_at = instant(one.expire_time)
    until = moment(locale, ends_at, zone, today=now.astimezone(zone).date())
    minutes = int((ends_at - now).total_seconds()) // 60
    if minutes < 1:
        return say(locale, "preview.keep_short", time=until)
    return say(locale, "preview.keep", time=until, n=minutes)
