"""Where a change may go, as messages."""

from services.active_scheduler.domain.edits import EditDay, Room, Spot
from services.active_scheduler.domain.shut import Shut
from services.active_scheduler.wire import plan, values
from smartmate.active_scheduler.v1 import active_scheduler_service_pb2 as pb
from smartmate.active_scheduler.v1 import edit_pb2

_PREFIX = "SHUT_CODE_"


def room_message(room: Room) -> pb.CheckEditsResponse:
    """Every place with what is known of it."""
    return pb.CheckEditsResponse(
        days=[_day(day) for day in room.days],
        legal_places=[plan.place_message(place) for place in room.legal],
        blocked=_reason(room.blocked),
        events=[plan.block_message(block, room.semesters) for block in room.blocks],
        semesters=[plan.semester_message(semester) for semester in room.semesters],
        now_time=values.timestamp(room.now),
    )


def _day(day: EditDay) -> edit_pb2.EditDay:
    return edit_pb2.EditDay(
        semester_id=day.semester.id,
        week=day.week,
        day_of_week=day.day,
        date=day.on.isoformat(),
        is_near=day.is_near,
        spots=[_spot(spot) for spot in day.spots],
    )


def _spot(spot: Spot) -> edit_pb2.EditSpot:
    return edit_pb2.EditSpot(
        place=plan.place_message(spot.place),
        shut=_reason(spot.shut),
        start_time=values.timestamp(spot.starts_at),
        end_time=values.timestamp(spot.ends_at),
        crosses_lunch=spot.crosses_lunch,
        crosses_dinner=spot.crosses_dinner,
    )


def _reason(shut: Shut | None) -> edit_pb2.ShutReason | None:
    if shut is None:
        return None
    return edit_pb2.ShutReason(
        code=f"{_PREFIX}{shut.code.upper()}",
        event_id=shut.block.id if shut.block else 0,
        event_name=shut.block.name if shut.block else "",
        end_time=values.timestamp(shut.ends_at),
        limit_time=values.timestamp(shut.limit_at),
        detail=shut.detail,
    )
