"""RPCs about semesters and what happens on single dates of them."""

from libs.db.database import Tx
from libs.rpc.server import user_id
from services.schedule.handlers import overrides, semesters
from services.schedule.server.rpcs import Context, Rpcs
from services.schedule.wire import blocks, calendar, fields, listings
from smartmate.schedule.v1 import schedule_service_pb2 as pb


class Semesters(Rpcs):
    """Semesters, and the overrides of their calendar."""

    __slots__ = ()

    async def PutSemester(
        self, request: pb.PutSemesterRequest, context: Context
    ) -> pb.PutSemesterResponse:
        asked = calendar.read_semester(request.semester)

        async def work(tx: Tx) -> pb.PutSemesterResponse:
            stored = await semesters.put(tx, user_id(), asked, self.outlet)
            return pb.PutSemesterResponse(semester=calendar.semester(stored))

        return await self._once(request, pb.PutSemesterResponse, work)

    async def GetSemester(
        self, request: pb.GetSemesterRequest, context: Context
    ) -> pb.GetSemesterResponse:
        on = fields.iso_date("date", request.date) if request.date else None
        async with self.db.snapshot() as tx:
            found = await semesters.find(tx, user_id(), on)
        return pb.GetSemesterResponse(semester=calendar.semester(found))

    async def PutCalendarOverride(
        self, request: pb.PutCalendarOverrideRequest, context: Context
    ) -> pb.PutCalendarOverrideResponse:
        on, runs = calendar.read_override(request.override)

        async def work(tx: Tx) -> pb.PutCalendarOverrideResponse:
            found = await overrides.put(tx, user_id(), on, runs, self.outlet)
            return pb.PutCalendarOverrideResponse(
                override=calendar.override(found.override) if found.override else None,
                events=[blocks.event(one) for one in found.blocks],
                pending_events=[blocks.event(one) for one in found.pending],
            )

        return await self._once(request, pb.PutCalendarOverrideResponse, work)

    async def ListCalendarOverrides(
        self, request: pb.ListCalendarOverridesRequest, context: Context
    ) -> pb.ListCalendarOverridesResponse:
        first = listings.read_date("first_date", request.first_date)
        last = listings.read_date("last_date", request.last_date)
        after, size = calendar.read_page(request)
        async with self.db.snapshot() as tx:
            shown, more = await overrides.page(tx, user_id(), first, last, after=after, size=size)
        return calendar.page(shown, more)

    async def DeleteCalendarOverride(
        self, request: pb.DeleteCalendarOverrideRequest, context: Context
    ) -> pb.DeleteCalendarOverrideResponse:
        on = fields.iso_date("date", request.date)

        async def work(tx: Tx) -> pb.DeleteCalendarOverrideResponse:
            found = await overrides.delete(tx, user_id(), on, self.outlet)
            return pb.DeleteCalendarOverrideResponse(
                events=[blocks.event(one) for one in found.blocks],
                pending_events=[blocks.event(one) for one in found.pending],
            )

        return await self._once(request, pb.DeleteCalendarOverrideResponse, work)
