"""The gRPC service as a whole: who may call what, and which error is which status."""

from collections.abc import Mapping
from dataclasses import dataclass

import grpc

from libs.db.database import is_away
from libs.db.requests import IdempotencyConflict
from libs.rpc.errors import StatusTable
from libs.rpc.identity import Access
from libs.rpc.server import Rules
from services.schedule.domain import errors
from services.schedule.server.applies import Applies
from services.schedule.server.choices import Choices
from services.schedule.server.edits import Edits
from services.schedule.server.planning import Planning
from services.schedule.server.reading import Reading
from services.schedule.server.semesters import Semesters
from services.schedule.server.task_classes import TaskClasses
from services.schedule.server.tasks import Tasks
from services.schedule.server.timetables import Timetables
from smartmate.schedule.v1 import schedule_service_pb2_grpc

NAME = "smartmate.schedule.v1.ScheduleService"

_SCHEDULER = "active_scheduler"
_USERS = Access()
# A person plans through the agent, which goes on where a killed one stopped.
_PLANNERS = Access(delegates=frozenset({"agent"}))
_FOR_USERS_TOO = Access(delegates=frozenset({_SCHEDULER}))

ACCESS: Mapping[str, Access] = {
    "PutSemester": _USERS,
    "GetSemester": _USERS,
    "PutCalendarOverride": _USERS,
    "ListCalendarOverrides": _USERS,
    "DeleteCalendarOverride": _USERS,
    "ImportTimetable": _USERS,
    "GetWeek": _USERS,
    "GetToday": _USERS,
    "ListEvents": _FOR_USERS_TOO,
    "DeleteEvent": _USERS,
    "RevokeEvent": _USERS,
    "SetCourseEmbedding": _USERS,
    "ExportCalendar": _USERS,
    "PutUserSettings": _USERS,
    "GetUserSettings": _USERS,
    "CreateTask": _USERS,
    "UpdateTask": _USERS,
    "CompleteTask": _USERS,
    "ReopenTask": _USERS,
    "DeleteTask": _USERS,
    "GetTask": _USERS,
    "ListTasks": _USERS,
    "PutTaskClass": _USERS,
    "GetTaskClass": _USERS,
    "ListTaskClasses": _USERS,
    "DeleteTaskClass": _USERS,
    "LoadPlanningState": _PLANNERS,
    "RoughBuild": _PLANNERS,
    "GetSchedulingFacts": _FOR_USERS_TOO,
    "CheckChanges": _FOR_USERS_TOO,
    "ApplyChanges": _FOR_USERS_TOO,
    "GetApply": _FOR_USERS_TOO,
    "UndoApply": _USERS,
    "CheckDueTasks": Access(users=False, services=frozenset({_SCHEDULER})),
}

STATUSES: StatusTable = {
    errors.NotFound: grpc.StatusCode.NOT_FOUND,
    errors.StateForbids: grpc.StatusCode.FAILED_PRECONDITION,
    errors.Outdated: grpc.StatusCode.ABORTED,
    errors.CellTaken: grpc.StatusCode.ABORTED,
    errors.Unusable: grpc.StatusCode.INVALID_ARGUMENT,
    errors.TooManyTaskClasses: grpc.StatusCode.RESOURCE_EXHAUSTED,
    errors.ApplyIdReused: grpc.StatusCode.ALREADY_EXISTS,
    IdempotencyConflict: grpc.StatusCode.ALREADY_EXISTS,
}

RULES = Rules(domain="smartmate.schedule", access=ACCESS, statuses=STATUSES, is_away=is_away)


@dataclass(frozen=True, slots=True)
class ScheduleServicer(
    Semesters,
    Timetables,
    Reading,
    Edits,
    Choices,
    Tasks,
    TaskClasses,
    Planning,
    Applies,
    schedule_service_pb2_grpc.ScheduleServiceServicer,
):
    """Implements `smartmate.schedule.v1.ScheduleService`."""
