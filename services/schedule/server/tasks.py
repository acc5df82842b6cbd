"""RPCs about the pool of tasks."""

from typing import Any

from libs.db.database import Tx
from libs.rpc.server import user_id
from services.schedule.domain.task import TaskStatus
from services.schedule.handlers import tasks
from services.schedule.server.rpcs import Context, Rpcs
from services.schedule.wire import fields
from services.schedule.wire import tasks as task_wire
from smartmate.schedule.v1 import schedule_service_pb2 as pb


class Tasks(Rpcs):
    """The pool of tasks; CheckDueTasks."""

    __slots__ = ()

    async def CreateTask(
        self, request: pb.CreateTaskRequest, context: Context
    ) -> pb.CreateTaskResponse:
        asked = task_wire.read_fields(request.task)

        async def work(tx: Tx) -> pb.CreateTaskResponse:
            task = await tasks.create(tx, user_id(), asked, self.outlet)
            return pb.CreateTaskResponse(task=task_wire.task(task))

        return await self._once(request, pb.CreateTaskResponse, work)

    async def UpdateTask(
        self, request: pb.UpdateTaskRequest, context: Context
    ) -> pb.UpdateTaskResponse:
        task_id, asked = _task_id(request), task_wire.read_fields(request.task)
        seen = fields.if_version("if_version", request.if_version)

        async def work(tx: Tx) -> pb.UpdateTaskResponse:
            task = await tasks.update(tx, user_id(), task_id, asked, self.outlet, if_version=seen)
            return pb.UpdateTaskResponse(task=task_wire.task(task))

        return await self._once(request, pb.UpdateTaskResponse, work)

    async def CompleteTask(
        self, request: pb.CompleteTaskRequest, context: Context
    ) -> pb.CompleteTaskResponse:
        task_id = _task_id(request)

        async def work(tx: Tx) -> pb.CompleteTaskResponse:
            task = await tasks.set_status(tx, user_id(), task_id, TaskStatus.COMPLETED, self.outlet)
            return pb.CompleteTaskResponse(task=task_wire.task(task))

        return await self._once(request, pb.CompleteTaskResponse, work)

    async def ReopenTask(
        self, request: pb.ReopenTaskRequest, context: Context
    ) -> pb.ReopenTaskResponse:
        task_id = _task_id(request)

        async def work(tx: Tx) -> pb.ReopenTaskResponse:
            task = await tasks.set_status(tx, user_id(), task_id, TaskStatus.OPEN, self.outlet)
            return pb.ReopenTaskResponse(task=task_wire.task(task))

        return await self._once(request, pb.ReopenTaskResponse, work)

    async def DeleteTask(
        self, request: pb.DeleteTaskRequest, context: Context
    ) -> pb.DeleteTaskResponse:
        task_id = _task_id(request)

        async def work(tx: Tx) -> pb.DeleteTaskResponse:
            removed = await tasks.delete(tx, user_id(), task_id, self.outlet)
            return pb.DeleteTaskResponse(removed_event_ids=removed)

        return await self._once(request, pb.DeleteTaskResponse, work)

    async def GetTask(self, request: pb.GetTaskRequest, context: Context) -> pb.GetTaskResponse:
        task_id = _task_id(request)
        async with self.db.snapshot() as tx:
            task = await tasks.get(tx, user_id(), task_id)
        return pb.GetTaskResponse(task=task_wire.task(task))

    async def ListTasks(
        self, request: pb.ListTasksRequest, context: Context
    ) -> pb.ListTasksResponse:
        status, before, size = task_wire.read_page(request)
        async with self.db.snapshot() as tx:
            shown, more = await tasks.page(tx, user_id(), status=status, before=before, size=size)
        return task_wire.page(shown, more)

    async def CheckDueTasks(
        self, request: pb.CheckDueTasksRequest, context: Context
    ) -> pb.CheckDueTasksResponse:
        pairs = task_wire.read_due(request)
        async with self.db.snapshot() as tx:
            now, found = await tasks.check_due(tx, pairs)
        return task_wire.due(now, found)


def _task_id(request: Any) -> int:
    return fields.row_id("task_id", request.task_id)
