"""Verdicts on what a visitor confirmed, and what a trial run is shown with."""

import asyncio
from collections.abc import Sequence

from grpc import StatusCode

from libs.rpc.errors import RemoteError
from services.gateway.domain.locale import Locale
from services.gateway.domain.visitor import Visitor
from services.gateway.web import plans, pool, zones
from services.gateway.web.parts import Parts
from services.gateway.wire import rough_page
from services.gateway.wire import written as words
from services.gateway.wire.rough_page import Found, WeekKey
from services.gateway.wire.written import Written
from smartmate.schedule.v1 import apply_pb2, schedule_service_pb2

Week = schedule_service_pb2.GetWeekResponse


async def verdict_of(
    parts: Parts, visitor: Visitor, apply_id: str
) -> apply_pb2.ApplyVerdict | None:
    """The verdict on an attempt, or None where there is none of that id."""
    asked = schedule_service_pb2.GetApplyRequest(apply_id=apply_id)
    try:
        return (await parts.suite.call(visitor, parts.suite.schedule.GetApply, asked)).verdict
    except RemoteError as error:
        if error.code in (StatusCode.NOT_FOUND, StatusCode.INVALID_ARGUMENT):
            return None
        raise


async def written(parts: Parts, visitor: Visitor, apply_id: str, spoken: Locale) -> Written | None:
    """What an attempt wrote, in words; None where it wrote nothing."""
    verdict, events, zone = await asyncio.gather(
        verdict_of(parts, visitor, apply_id),
        pool.blocks_of(parts, visitor),
        zones.zone_of(parts, visitor),
    )
    if verdict is None:
        return None
    return words.written(spoken, verdict, events, zone, parts.clock.now())


async def trial(
    parts: Parts, visitor: Visitor, class_ids: Sequence[int], at: WeekKey | None
) -> Found:
    """A trial run of some plans, with the week `at`, or the first one that it touches.

    Raises RemoteError, task_class_not_found and semester_not_found among others.
    """
    asked = schedule_service_pb2.RoughBuildRequest(task_class_ids=class_ids)
    built, classes = await asyncio.gather(
        parts.suite.call(visitor, parts.suite.schedule.RoughBuild, asked),
        plans.some(parts, visitor, class_ids),
    )
    keys = rough_page.touched(built)
    if not keys:
        return Found(built, classes)
    shown = at if at in keys else keys[0]
    firsts = {semester_id: (semester_id, week) for semester_id, week in reversed(keys)}
    others = [key for key in firsts.values() if key[0] != shown[0]]
    week, *weeks = await asyncio.gather(
        *(_week(parts, visitor, semester_id, week) for semester_id, week in (shown, *others))
    )
    return Found(built, classes, week, weeks)


async def _week(parts: Parts, visitor: Visitor, semester_id: int, week: int) -> Week:
    at = schedule_service_pb2.WeekOfSemester(semester_id=semester_id, week=week)
    asked = schedule_service_pb2.GetWeekRequest(week_of_semester=at)
    return await parts.suite.call(visitor, parts.suite.schedule.GetWeek, asked)
