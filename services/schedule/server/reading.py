"""RPCs that show what stands in the schedule."""

import asyncio

from libs.rpc.server import user_id
from services.schedule.handlers import facts, reading
from services.schedule.server.rpcs import Context, Rpcs
from services.schedule.wire import blocks, changes, exports, fields, listings
from services.schedule.wire import facts as wire
from smartmate.schedule.v1 import schedule_service_pb2 as pb


class Reading(Rpcs):
    """GetWeek, GetToday, ListEvents, ExportCalendar, GetSchedulingFacts."""

    __slots__ = ()

    async def GetWeek(self, request: pb.GetWeekRequest, context: Context) -> pb.GetWeekResponse:
        asked = blocks.read_week(request)
        async with self.db.snapshot() as tx:
            return blocks.week(await reading.week(tx, user_id(), asked))

    async def GetToday(self, request: pb.GetTodayRequest, context: Context) -> pb.GetTodayResponse:
        async with self.db.snapshot() as tx:
            return blocks.day(await reading.today(tx, user_id()))

    async def ListEvents(
        self, request: pb.ListEventsRequest, context: Context
    ) -> pb.ListEventsResponse:
        asked, (after, size) = listings.read_dates(request), listings.read_page(request)
        async with self.db.snapshot() as tx:
            found = await reading.listing(tx, user_id(), asked, after=after, size=size)
        return listings.page(found)

    async def ExportCalendar(
        self, request: pb.ExportCalendarRequest, context: Context
    ) -> pb.ExportCalendarResponse:
        semester_id = fields.optional_id("semester_id", request.semester_id)
        first = listings.read_date("first_date", request.first_date)
        last = listings.read_date("last_date", request.last_date)
        async with self.db.snapshot() as tx:
            found = await reading.calendar(tx, user_id(), semester_id, first=first, last=last)
        return await asyncio.to_thread(exports.calendar, found)

    async def GetSchedulingFacts(
        self, request: pb.GetSchedulingFactsRequest, context: Context
    ) -> pb.GetSchedulingFactsResponse:
        target = changes.read_target("target", request.target)
        horizon, mock_now = wire.read_horizon(request), wire.read_mock_now(request)
        async with self.db.snapshot() as tx:
            found = await facts.facts(tx, user_id(), target, horizon=horizon, mock_now=mock_now)
        return wire.facts(found)
