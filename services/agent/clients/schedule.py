"""The schedule service, as agent uses it: always for the person whose words led to it."""

from collections.abc import Awaitable, Callable, Mapping
from dataclasses import dataclass
from datetime import date
from typing import TYPE_CHECKING, Any, TypeVar

import grpc

from libs.planning.calendar import Semester
from libs.planning.changes import Change
from libs.planning.window import NoWindow
from libs.rpc.client import Client
from libs.rpc.errors import RemoteError
from libs.rpc.identity import Caller
from services.agent.domain.errors import ServiceAway, ServiceRefused
from services.agent.domain.known import (
    Checked,
    ClassBrief,
    ClassState,
    NewTask,
    RoughBuilt,
    TaskBrief,
    Verdict,
)
from services.agent.domain.locate import NearBlock
from services.agent.domain.scope import Scope
from services.agent.tools.loading import Snapshot, StateIds
from services.agent.wire import planning as wire
from services.agent.wire import schedule
from smartmate.schedule.v1 import schedule_event_pb2
from smartmate.schedule.v1 import schedule_service_pb2 as pb

if TYPE_CHECKING:
    from smartmate.schedule.v1.schedule_service_pb2_grpc import ScheduleServiceAsyncStub

T = TypeVar("T")

_AWAY = frozenset(
    {
        grpc.StatusCode.UNAVAILABLE,
        grpc.StatusCode.DEADLINE_EXCEEDED,
        grpc.StatusCode.RESOURCE_EXHAUSTED,
    }
)
_SECONDS = 5.0
_BUILD_SECONDS = 20.0
_APPLY_SECONDS = 10.0
_CLASSES = 20
_TASKS = 200


@dataclass(frozen=True, slots=True)
class ScheduleClient:
    """Calls to the schedule service. Raises ServiceAway where it may be asked again, and
    ServiceRefused where that would not help."""

    client: Client
    stub: "ScheduleServiceAsyncStub"

    async def classes(self, caller: Caller) -> tuple[ClassBrief, ...]:
        """Every task class of the person, by id."""
        found: list[ClassBrief] = []
        token = ""
        while True:
            request = pb.ListTaskClassesRequest(page_size=_CLASSES, page_token=token)
            answer = await self._call(self.stub.ListTaskClasses, request, caller, _SECONDS)
            found += [schedule.class_brief(one) for one in answer.task_classes]
            token = answer.next_page_token
            if not token:
                return tuple(sorted(found, key=lambda one: one.id))

    async def semester(self, caller: Caller) -> Semester | None:
        """The semester of today, else the next one, else the last; None where there is none."""
        try:
            answer = await self._call(
                self.stub.GetSemester, pb.GetSemesterRequest(), caller, _SECONDS
            )
        except ServiceRefused as refused:
            if refused.is_absent:
                return None
            raise
        return wire.semester(answer.semester)

    async def blocks(self, caller: Caller, first: date, last: date) -> tuple[NearBlock, ...]:
        """Blocks of work of some dates, by time, with the names of their classes."""
        request = pb.ListEventsRequest(
            first_date=first.isoformat(),
            last_date=last.isoformat(),
            type=schedule_event_pb2.SCHEDULE_EVENT_TYPE_TASK,
        )
        answer = await self._call(self.stub.ListEvents, request, caller, _SECONDS)
        names = answer.task_class_names
        return tuple(schedule.near_block(one, names) for one in answer.events)

    async def tasks(self, caller: Caller) -> tuple[TaskBrief, ...]:
        """The newest tasks of the pool, done ones included."""
        request = pb.ListTasksRequest(page_size=_TASKS)
        answer = await self._call(self.stub.ListTasks, request, caller, _SECONDS)
        return tuple(schedule.task_brief(one) for one in answer.tasks)

    async def create_task(self, caller: Caller, request_id: str, task: NewTask) -> TaskBrief:
        """Adds a task to the pool, once for each request_id."""
        request = pb.CreateTaskRequest(request_id=request_id, task=schedule.task_input(task))
        answer = await self._call(self.stub.CreateTask, request, caller, _SECONDS)
        return schedule.task_brief(answer.task)

    async def complete_task(self, caller: Caller, request_id: str, task_id: int) -> TaskBrief:
        """Marks a task done."""
        request = pb.CompleteTaskRequest(request_id=request_id, task_id=task_id)
        answer = await self._call(self.stub.CompleteTask, request, caller, _SECONDS)
        return schedule.task_brief(answer.task)

    async def task_class(self, caller: Caller, class_id: int) -> ClassState:
        """A class as it is stated."""
        request = pb.GetTaskClassRequest(task_class_id=class_id)
        answer = await self._call(self.stub.GetTaskClass, request, caller, _SECONDS)
        return schedule.class_state(answer.task_class)

    async def put_task_class(self, caller: Caller, request_id: str, to: ClassState) -> ClassState:
        """Creates or replaces a class, once for each request_id."""
        request = pb.PutTaskClassRequest(
            request_id=request_id,
            task_class_id=to.id,
            task_class=schedule.class_input(to),
            if_version=to.version,
        )
        answer = await self._call(self.stub.PutTaskClass, request, caller, _SECONDS)
        return schedule.class_state(answer.task_class)

    async def load(
        self, caller: Caller, scope: Scope, ids: StateIds | None = None
    ) -> Snapshot | NoWindow:
        """What a plan of these classes starts from; `ids` are the numbers of the last load."""
        request = pb.LoadPlanningStateRequest(task_class_ids=scope.class_ids)
        if scope.period is not None:
            request.period.CopyFrom(schedule.date_range(scope.period))
        answer = await self._call(self.stub.LoadPlanningState, request, caller, _SECONDS)
        return wire.snapshot(answer, ids)

    def read(self, rows: bytes, ids: StateIds) -> Snapshot | NoWindow:
        """The same out of stored rows."""
        return wire.snapshot(pb.LoadPlanningStateResponse.FromString(rows), ids)

    async def rough_build(self, caller: Caller, scope: Scope) -> RoughBuilt:
        """A place for every item of the classes that waits, or why there is none."""
        request = pb.RoughBuildRequest(
            task_class_ids=scope.class_ids,
            excluded_days_of_week=scope.excluded_days,
            excluded_pairs=scope.excluded_pairs,
        )
        if scope.period is not None:
            request.period.CopyFrom(schedule.date_range(scope.period))
        answer = await self._call(self.stub.RoughBuild, request, caller, _BUILD_SECONDS)
        return schedule.rough_built(answer)

    async def check(self, caller: Caller, changes: tuple[Change, ...]) -> Checked:
        """Whether changes would be accepted now. Writes nothing."""
        request = pb.CheckChangesRequest(changes=[wire.change_message(one) for one in changes])
        answer = await self._call(self.stub.CheckChanges, request, caller, _SECONDS)
        return schedule.checked(answer)

    async def apply(
        self,
        caller: Caller,
        apply_id: str,
        changes: tuple[Change, ...],
        base: Mapping[str, str],
    ) -> Verdict:
        """The verdict on an apply, however often it is asked for."""
        request = pb.ApplyChangesRequest(
            apply_id=apply_id,
            changes=[wire.change_message(one) for one in changes],
            base=dict(base),
        )
        answer = await self._call(self.stub.ApplyChanges, request, caller, _APPLY_SECONDS)
        return schedule.verdict(answer.verdict)

    async def verdict(self, caller: Caller, apply_id: str) -> Verdict | None:
        """The verdict on an apply that may not have been made; None = there is none."""
        try:
            answer = await self._call(
                self.stub.GetApply, pb.GetApplyRequest(apply_id=apply_id), caller, _SECONDS
            )
        except ServiceRefused as refused:
            if refused.is_absent:
                return None
            raise
        return schedule.verdict(answer.verdict)

    async def _call(self, method: Any, request: Any, caller: Caller, seconds: float) -> Any:
        return await told(self.client.call, method, request, caller, seconds)


async def told(
    call: Callable[..., Awaitable[T]],
    method: Any,
    request: Any,
    caller: Caller,
    seconds: float,
) -> T:
    """One call, its failure in terms of the domain."""
    try:
        return await call(method, request, on_behalf_of=caller, seconds=seconds)
    except RemoteError as error:
        if error.code in _AWAY:
            raise ServiceAway(error.domain or "service", error.reason) from error
        absent = error.code is grpc.StatusCode.NOT_FOUND
        raise ServiceRefused(error.reason, is_absent=absent) from error
