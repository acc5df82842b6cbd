"""The RPCs of the schedule service: read the request, do it, write the answer."""

from collections.abc import Awaitable, Callable, Mapping
from dataclasses import dataclass
from typing import Any, TypeVar

import grpc
from google.protobuf.message import Message

from libs.db.database import Database, Tx, is_away
from libs.db.requests import IdempotencyConflict, once
from libs.rpc.errors import StatusTable
from libs.rpc.identity import Access
from libs.rpc.server import Context, Rules, user_id
from services.schedule.domain import errors
from services.schedule.domain.task import TaskStatus
from services.schedule.handlers import applies, reading, semesters, tasks, timetables
from services.schedule.handlers.outlet import Outlet
from services.schedule.wire import attempts, blocks, calendar, changes, fields, timetable
from services.schedule.wire import tasks as task_wire
from smartmate.schedule.v1 import schedule_service_pb2 as pb
from smartmate.schedule.v1 import schedule_service_pb2_grpc

NAME = "smartmate.schedule.v1.ScheduleService"

_SCHEDULER = "active_scheduler"
_USERS = Access()
_FOR_USERS_TOO = Access(delegates=frozenset({_SCHEDULER}))

ACCESS: Mapping[str, Access] = {
    "PutSemester": _USERS,
    "GetSemester": _USERS,
    "ImportTimetable": _USERS,
    "GetWeek": _USERS,
    "GetToday": _USERS,
    "CreateTask": _USERS,
    "UpdateTask": _USERS,
    "CompleteTask": _USERS,
    "ReopenTask": _USERS,
    "DeleteTask": _USERS,
    "GetTask": _USERS,
    "ListTasks": _USERS,
    "GetSchedulingFacts": _FOR_USERS_TOO,
    "CheckChanges": _FOR_USERS_TOO,
    "ApplyChanges": _FOR_USERS_TOO,
    "GetApply": _FOR_USERS_TOO,
    "CheckDueTasks": Access(users=False, services=frozenset({_SCHEDULER})),
}

STATUSES: StatusTable = {
    errors.NotFound: grpc.StatusCode.NOT_FOUND,
    errors.StateForbids: grpc.StatusCode.FAILED_PRECONDITION,
    errors.Outdated: grpc.StatusCode.ABORTED,
    errors.CellTaken: grpc.StatusCode.ABORTED,
    errors.Unusable: grpc.StatusCode.INVALID_ARGUMENT,
    errors.ApplyIdReused: grpc.StatusCode.ALREADY_EXISTS,
    IdempotencyConflict: grpc.StatusCode.ALREADY_EXISTS,
}

RULES = Rules(domain="smartmate.schedule", access=ACCESS, statuses=STATUSES, is_away=is_away)

A = TypeVar("A", bound=Message)


@dataclass(frozen=True, slots=True)
class ScheduleServicer(schedule_service_pb2_grpc.ScheduleServiceServicer):
    """Implements `smartmate.schedule.v1.ScheduleService`."""

    db: Database
    outlet: Outlet

    async def _once(
        self, rpc: str, request: Message, answer: type[A], work: Callable[[Tx], Awaitable[A]]
    ) -> A:
        """Does the work in one transaction under the user's lock, once for each request_id."""

        async def encoded(tx: Tx) -> bytes:
            return (await work(tx)).SerializeToString()

        key = attempts.key_of(user_id(), rpc, request)
        return answer.FromString(await once(self.db, key, encoded, users_row=True))

    async def PutSemester(
        self, request: pb.PutSemesterRequest, context: Context
    ) -> pb.PutSemesterResponse:
        asked = calendar.read_semester(request.semester)

        async def work(tx: Tx) -> pb.PutSemesterResponse:
            stored = await semesters.put(tx, user_id(), asked, self.outlet)
            return pb.PutSemesterResponse(semester=calendar.semester(stored))

        return await self._once("PutSemester", request, pb.PutSemesterResponse, work)

    async def GetSemester(
        self, request: pb.GetSemesterRequest, context: Context
    ) -> pb.GetSemesterResponse:
        on = fields.iso_date("date", request.date) if request.date else None
        async with self.db.snapshot() as tx:
            found = await semesters.find(tx, user_id(), on)
        return pb.GetSemesterResponse(semester=calendar.semester(found))

    async def ImportTimetable(
        self, request: pb.ImportTimetableRequest, context: Context
    ) -> pb.ImportTimetableResponse:
        prepared = await self._prepared(request)
        if request.dry_run:
            async with self.db.snapshot() as tx:
                return timetable.report(await timetables.compare(tx, user_id(), prepared))

        async def work(tx: Tx) -> pb.ImportTimetableResponse:
            report = await timetables.write(tx, user_id(), prepared, self.outlet)
            return timetable.report(report)

        return await self._once("ImportTimetable", request, pb.ImportTimetableResponse, work)

    async def _prepared(self, request: pb.ImportTimetableRequest) -> timetables.Prepared:
        """The file, read before the transaction that writes it."""
        document = timetable.read_document(request)
        semester_id = fields.row_id("semester_id", request.semester_id)
        async with self.db.snapshot() as tx:
            semester = await timetables.semester_for(tx, user_id(), semester_id)
        return await timetables.prepare(semester, document)

    async def GetWeek(self, request: pb.GetWeekRequest, context: Context) -> pb.GetWeekResponse:
        asked = blocks.read_week(request)
        async with self.db.snapshot() as tx:
            return blocks.week(await reading.week(tx, user_id(), asked))

    async def GetToday(self, request: pb.GetTodayRequest, context: Context) -> pb.GetTodayResponse:
        async with self.db.snapshot() as tx:
            return blocks.day(await reading.today(tx, user_id()))

    async def CreateTask(
        self, request: pb.CreateTaskRequest, context: Context
    ) -> pb.CreateTaskResponse:
        asked = task_wire.read_fields(request.task)

        async def work(tx: Tx) -> pb.CreateTaskResponse:
            task = await tasks.create(tx, user_id(), asked, self.outlet)
            return pb.CreateTaskResponse(task=task_wire.task(task))

        return await self._once("CreateTask", request, pb.CreateTaskResponse, work)

    async def UpdateTask(
        self, request: pb.UpdateTaskRequest, context: Context
    ) -> pb.UpdateTaskResponse:
        task_id, asked = _task_id(request), task_wire.read_fields(request.task)
        seen = task_wire.read_if_version(request.if_version)

        async def work(tx: Tx) -> pb.UpdateTaskResponse:
            task = await tasks.update(tx, user_id(), task_id, asked, self.outlet, if_version=seen)
            return pb.UpdateTaskResponse(task=task_wire.task(task))

        return await self._once("UpdateTask", request, pb.UpdateTaskResponse, work)

    async def CompleteTask(
        self, request: pb.CompleteTaskRequest, context: Context
    ) -> pb.CompleteTaskResponse:
        task_id = _task_id(request)

        async def work(tx: Tx) -> pb.CompleteTaskResponse:
            task = await tasks.set_status(tx, user_id(), task_id, TaskStatus.COMPLETED, self.outlet)
            return pb.CompleteTaskResponse(task=task_wire.task(task))

        return await self._once("CompleteTask", request, pb.CompleteTaskResponse, work)

    async def ReopenTask(
        self, request: pb.ReopenTaskRequest, context: Context
    ) -> pb.ReopenTaskResponse:
        task_id = _task_id(request)

        async def work(tx: Tx) -> pb.ReopenTaskResponse:
            task = await tasks.set_status(tx, user_id(), task_id, TaskStatus.OPEN, self.outlet)
            return pb.ReopenTaskResponse(task=task_wire.task(task))

        return await self._once("ReopenTask", request, pb.ReopenTaskResponse, work)

    async def DeleteTask(
        self, request: pb.DeleteTaskRequest, context: Context
    ) -> pb.DeleteTaskResponse:
        task_id = _task_id(request)

        async def work(tx: Tx) -> pb.DeleteTaskResponse:
            removed = await tasks.delete(tx, user_id(), task_id, self.outlet)
            return pb.DeleteTaskResponse(removed_event_ids=removed)

        return await self._once("DeleteTask", request, pb.DeleteTaskResponse, work)

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

    async def GetSchedulingFacts(
        self, request: pb.GetSchedulingFactsRequest, context: Context
    ) -> pb.GetSchedulingFactsResponse:
        target = changes.read_target("target", request.target)
        horizon, mock_now = blocks.read_horizon(request), blocks.read_mock_now(request)
        async with self.db.snapshot() as tx:
            facts = await reading.facts(tx, user_id(), target, horizon=horizon, mock_now=mock_now)
        return blocks.facts(facts)

    async def CheckChanges(
        self, request: pb.CheckChangesRequest, context: Context
    ) -> pb.CheckChangesResponse:
        asked, base = changes.read_changes(request.changes), changes.read_base(request.base)
        async with self.db.snapshot() as tx:
            refusals, current = await applies.check(tx, user_id(), asked, base)
        return changes.check(refusals, current)

    async def ApplyChanges(
        self, request: pb.ApplyChangesRequest, context: Context
    ) -> pb.ApplyChangesResponse:
        ask = changes.read_ask(user_id(), request)
        verdict = await applies.apply(self.db, ask, self.outlet)
        return pb.ApplyChangesResponse(verdict=changes.verdict(verdict))

    async def GetApply(self, request: pb.GetApplyRequest, context: Context) -> pb.GetApplyResponse:
        apply_id = changes.read_apply_id(request.apply_id)
        async with self.db.snapshot() as tx:
            verdict = await applies.get(tx, user_id(), apply_id)
        return pb.GetApplyResponse(verdict=changes.verdict(verdict))

    async def CheckDueTasks(
        self, request: pb.CheckDueTasksRequest, context: Context
    ) -> pb.CheckDueTasksResponse:
        pairs = task_wire.read_due(request)
        async with self.db.snapshot() as tx:
            now, found = await tasks.check_due(tx, pairs)
        return task_wire.due(now, found)


def _task_id(request: Any) -> int:
    return fields.row_id("task_id", request.task_id)
