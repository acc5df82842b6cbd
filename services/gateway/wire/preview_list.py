"""The list of open suggestions."""

from dataclasses import dataclass
from datetime import datetime
from zoneinfo import ZoneInfo

from libs.planning.calendar import DEFAULT_TIME_ZONE
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
    state: str


def build(
    locale: Locale,
    answer: active_scheduler_service_pb2.ListPreviewsResponse,
    *,
    now: datetime,
) -> tuple[Line, ...]:
    """The lines, newest first. The answer names no zone: times are told in the default one."""
    return tuple(_line(locale, one, now) for one in answer.previews)


def _line(locale: Locale, one: preview_pb2.PreviewSummary, now: datetime) -> Line:
    zone = ZoneInfo(DEFAULT_TIME_ZONE)
    today = now.astimezone(zone).date()
    until = moment(locale, instant(one.expire_time), zone, today=today)
    applying = one.state == preview_pb2.PREVIEW_STATE_APPLYING
    state = say(locale, "list.applying") if applying else say(locale, "list.until", time=until)
    return Line(one.preview_id, words(locale, one.summary) or one.target_title, state)
