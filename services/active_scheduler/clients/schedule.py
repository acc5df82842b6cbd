"""The schedule service, as active_scheduler uses it."""

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime, timedelta
from typing import TYPE_CHECKING

import grpc

from libs.db.database import is_away as database_is_away
from libs.planning.grid import Target
from libs.rpc.client import Client
from libs.rpc.errors import RemoteError
from libs.rpc.identity import Caller
from services.active_scheduler.domain import feedback
from services.active_scheduler.domain.apply import ApplyRequest, Verdict
from services.active_scheduler.domain.errors import Busy, TargetNotFound
from services.active_scheduler.domain.facts import WINDOW
from services.active_scheduler.domain.job import DueTask
from services.active_scheduler.domain.snapshot import Snapshot, Surroundings
from services.active_scheduler.wire import facts as wire
from services.active_scheduler.wire import snapshot as snapshots
from services.active_scheduler.wire import values
from smartmate.schedule.v1 import schedule_event_pb2
from smartmate.schedule.v1 import schedule_service_pb2 as schedule_pb2

if TYPE_CHECKING:
    from smartmate.schedule.v1.schedule_service_pb2_grpc import ScheduleServiceAsyncStub

_AWAY = frozenset(
    {
        grpc.StatusCode.UNAVAILABLE,
        grpc.StatusCode.DEADLINE_EXCEEDED,
        grpc.StatusCode.RESOURCE_EXHAUSTED,
    }
)

# More than the sections of five days.
_MOST_AROUND = 500


def is_away(error: BaseException) -> bool:
    """Whether an error only says that something is not there for now, or is held by another."""
    if isinstance(error, RemoteError):
        return error.code in _AWAY
    return isinstance(error, Busy) or database_is_away(error)


@dataclass(slots=True)
class ScheduleClient:
    """Calls to the schedule service. Raises RemoteError where nothing else is said."""

    client: Client
    stub: "ScheduleServiceAsyncStub"

    async def snapshot(
        self,
        on_behalf_of: Caller | int,
        target: Target,
        *,
        mock_now: datetime | None,
        horizon: timedelta = WINDOW,
    ) -> Snapshot:
        """One snapshot of what is known about a target, and of every date that `horizon` touches.

        Raises TargetNotFound.
        """
        request = schedule_pb2.GetSchedulingFactsRequest(
            target=values.target_message(target), mock_now_time=values.timestamp(mock_now)
        )
        request.horizon.FromTimedelta(horizon)
        try:
            answer = await self.client.call(
                self.stub.GetSchedulingFacts, request, on_behalf_of=on_behalf_of, seconds=5
            )
        except RemoteError as error:
            if error.code is grpc.StatusCode.NOT_FOUND:
                raise TargetNotFound(f"{target.kind}:{target.id}") from error
            raise
        return snapshots.snapshot(answer, horizon=horizon)

    async def around(self, on_behalf_of: Caller | int, told_at: datetime) -> Surroundings:
        """The blocks of work that words told at an instant may be about."""
        # A day of margin on either side: the zones of the semesters are not known here.
        near, margin = feedback.NEAR, timedelta(days=1)
        request = schedule_pb2.ListEventsRequest(
            first_date=(told_at - near - margin).date().isoformat(),
            last_date=(told_at + near + margin).date().isoformat(),
            type=schedule_event_pb2.SCHEDULE_EVENT_TYPE_TASK,
            page_size=_MOST_AROUND,
        )
        answer = await self.client.call(
            self.stub.ListEvents, request, on_behalf_of=on_behalf_of, seconds=5
        )
        return snapshots.surroundings(answer, told_at)

    async def apply(
        self, on_behalf_of: Caller | int, request: ApplyRequest, *, seconds: float
    ) -> Verdict:
        """The verdict on an apply, however often it is asked for."""
        answer = await self.client.call(
            self.stub.ApplyChanges,
            wire.apply_call(request),
            on_behalf_of=on_behalf_of,
            seconds=seconds,
        )
        return wire.verdict(answer.verdict, user_id=request.user_id)

    async def check_due(
        self, tasks: Sequence[tuple[int, int]]
    ) -> tuple[Sequence[DueTask], datetime]:
        """The truth about (user, task) pairs in their order, and the instant it was read."""
        request = schedule_pb2.CheckDueTasksRequest(
            tasks=[schedule_pb2.DueTask(user_id=user, task_id=task) for user, task in tasks]
        )
        answer = await self.client.call(
            self.stub.CheckDueTasks, request, on_behalf_of=None, seconds=10
        )
        return [wire.due_task(one) for one in answer.tasks], values.instant(answer.now_time)
