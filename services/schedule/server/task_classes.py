"""RPCs about study plans."""

from libs.db.database import Tx
from libs.rpc.server import user_id
from services.schedule.handlers import task_classes
from services.schedule.server.rpcs import Context, Rpcs
from services.schedule.wire import fields
from services.schedule.wire import task_classes as wire
from smartmate.schedule.v1 import schedule_service_pb2 as pb


class TaskClasses(Rpcs):
    """PutTaskClass, GetTaskClass, ListTaskClasses, DeleteTaskClass."""

    __slots__ = ()

    async def PutTaskClass(
        self, request: pb.PutTaskClassRequest, context: Context
    ) -> pb.PutTaskClassResponse:
        class_id = fields.optional_id("task_class_id", request.task_class_id)
        asked, items = wire.read(request.task_class)
        seen = fields.if_version("if_version", request.if_version)

        async def work(tx: Tx) -> pb.PutTaskClassResponse:
            if class_id:
                found = await task_classes.replace_class(
                    tx, user_id(), class_id, asked, items, self.outlet, if_version=seen
                )
            else:
                found = await task_classes.create(tx, user_id(), asked, items)
            return wire.put(found.task_class, found.repairs, found.removed)

        return await self._once(request, pb.PutTaskClassResponse, work)

    async def GetTaskClass(
        self, request: pb.GetTaskClassRequest, context: Context
    ) -> pb.GetTaskClassResponse:
        class_id = fields.row_id("task_class_id", request.task_class_id)
        async with self.db.snapshot() as tx:
            found = await task_classes.get(tx, user_id(), class_id)
        return pb.GetTaskClassResponse(task_class=wire.task_class(found))

    async def ListTaskClasses(
        self, request: pb.ListTaskClassesRequest, context: Context
    ) -> pb.ListTaskClassesResponse:
        before, size = wire.read_page(request)
        async with self.db.snapshot() as tx:
            shown, more = await task_classes.page(tx, user_id(), before=before, size=size)
        return wire.page(shown, more)

    async def DeleteTaskClass(
        self, request: pb.DeleteTaskClassRequest, context: Context
    ) -> pb.DeleteTaskClassResponse:
        class_id = fields.row_id("task_class_id", request.task_class_id)

        async def work(tx: Tx) -> pb.DeleteTaskClassResponse:
            removed = await task_classes.delete(tx, user_id(), class_id, self.outlet)
            return pb.DeleteTaskClassResponse(removed_event_ids=removed)

        return await self._once(request, pb.DeleteTaskClassResponse, work)
