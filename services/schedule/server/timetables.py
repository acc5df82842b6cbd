"""RPCs about timetable files."""

from libs.db.database import Tx
from libs.rpc.server import user_id
from services.schedule.handlers import timetables
from services.schedule.server.rpcs import Context, Rpcs
from services.schedule.wire import fields, timetable
from smartmate.schedule.v1 import schedule_service_pb2 as pb


class Timetables(Rpcs):
    """ImportTimetable."""

    __slots__ = ()

    async def ImportTimetable(
        self, request: pb.ImportTimetableRequest, context: Context
    ) -> pb.ImportTimetableResponse:
        wish = timetables.Wish(
            timetable.read_displaced(request), timetable.read_base_version(request)
        )
        prepared = await self._prepared(request)
        if request.dry_run:
            async with self.db.snapshot() as tx:
                return timetable.report(await timetables.compare(tx, user_id(), prepared, wish))

        async def work(tx: Tx) -> pb.ImportTimetableResponse:
            report = await timetables.write(tx, user_id(), prepared, self.outlet, wish)
            return timetable.report(report)

        return await self._once(request, pb.ImportTimetableResponse, work)

    async def _prepared(self, request: pb.ImportTimetableRequest) -> timetables.Prepared:
        """The file, read before the transaction that writes it."""
        document, form = timetable.read_document(request), timetable.read_form(request)
        semester_id = fields.row_id("semester_id", request.semester_id)
        async with self.db.snapshot() as tx:
            semester = await timetables.semester_for(tx, user_id(), semester_id)
        return await timetables.prepare(semester, document, form)
