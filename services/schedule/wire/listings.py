"""Listings of blocks on the wire, page by page."""

import re
from datetime import UTC, date, datetime, timedelta

from libs.planning.grid import BlockKind
from libs.rpc.errors import invalid
from services.schedule.domain.views import DatesAsked, Listing, ListingKey
from services.schedule.wire import blocks, calendar, fields
from smartmate.schedule.v1 import schedule_event_pb2
from smartmate.schedule.v1 import schedule_service_pb2 as pb

_DEFAULT_PAGE, _LARGEST_PAGE = 200, 500
_TOKEN = re.compile(r"(0|[1-9][0-9]{0,15})\.([01])\.([1-9][0-9]{0,17})")
_EPOCH = datetime(1970, 1, 1, tzinfo=UTC)
_MICROSECOND = timedelta(microseconds=1)
# The last instant that the calendar can hold.
_LAST = datetime(2202, 1, 1, tzinfo=UTC)

_KINDS: dict[int, BlockKind | None] = {
    schedule_event_pb2.SCHEDULE_EVENT_TYPE_UNSPECIFIED: None,
    schedule_event_pb2.SCHEDULE_EVENT_TYPE_COURSE: BlockKind.COURSE,
    schedule_event_pb2.SCHEDULE_EVENT_TYPE_TASK: BlockKind.TASK,
}


def read_dates(request: pb.ListEventsRequest) -> DatesAsked:
    """Which blocks are wanted. Raises InvalidRequest."""
    if request.type not in _KINDS:
        raise invalid("type", "must be a known type")
    return DatesAsked(
        first=read_date("first_date", request.first_date),
        last=read_date("last_date", request.last_date),
        kind=_KINDS[request.type],
    )


def read_date(name: str, value: str) -> date | None:
    """A date, None where it is empty."""
    return fields.iso_date(name, value) if value else None


def read_page(request: pb.ListEventsRequest) -> tuple[ListingKey | None, int]:
    """Behind which block the page begins, and its size. Raises InvalidRequest."""
    if request.page_size < 0:
        raise invalid("page_size", "must not be negative")
    size = min(request.page_size or _DEFAULT_PAGE, _LARGEST_PAGE)
    return (_read_token(request.page_token) if request.page_token else None), size


def page(found: Listing) -> pb.ListEventsResponse:
    """A page of blocks."""
    after = found.following
    return pb.ListEventsResponse(
        events=[blocks.event(one) for one in found.shown],
        next_page_token=_token(after) if after is not None else "",
        semesters=[calendar.semester(one) for one in found.semesters],
        task_class_names=found.class_names,
    )


def _token(key: ListingKey) -> str:
    return f"{(key.starts_at - _EPOCH) // _MICROSECOND}.{int(key.is_guest)}.{key.id}"


def _read_token(value: str) -> ListingKey:
    found = _TOKEN.fullmatch(value)
    if found is None or int(found[1]) > (_LAST - _EPOCH) // _MICROSECOND:
        raise invalid("page_token", "must be next_page_token of an answer")
    return ListingKey(_EPOCH + int(found[1]) * _MICROSECOND, found[2] == "1", int(found[3]))
