"""Students who use the service by gRPC, and what tests ask of the database and the broker."""

import asyncio
import itertools
import json
import secrets
from collections.abc import Awaitable, Callable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from datetime import UTC, date, datetime, timedelta
from typing import Any

import grpc
from google.protobuf.message import Message
from sqlalchemy import text

from libs.db.database import Database
from libs.planning.calendar import DEFAULT_CLOCK, Semester
from libs.rpc.errors import RemoteError, from_call
from libs.rpc.identity import SERVICE_HEADER, USER_HEADER, Issuer
from services.schedule.wire.outlet import EventOutlet
from smartmate.events.v1 import events_pb2
from smartmate.schedule.v1 import (
    apply_pb2,
    calendar_pb2,
    change_pb2,
    schedule_service_pb2_grpc,
    task_pb2,
)
from smartmate.schedule.v1 import schedule_service_pb2 as pb
from smartmate.schedule.v1 import timetable_pb2 as timetable

SERVICE_PATH = "/smartmate.schedule.v1.ScheduleService/"
SECONDS = 20.0

ADD = change_pb2.CHANGE_TYPE_ADD
POOL = change_pb2.TARGET_KIND_TASK_POOL

_ids = itertools.count(secrets.randbelow(2**40) + 1)


def early_zone(now: datetime) -> str:
    """A zone in which it is about five in the morning: no section of today has begun."""
    offset = (5 - now.hour + 12) % 24 - 12
    return f"Etc/GMT{-offset:+d}"


def events_of(subject: str) -> type[Message]:
    """The message of an outbox subject."""
    return {
        "smartmate.task.changed.v1": events_pb2.TaskChanged,
        "smartmate.schedule.changed.v1": events_pb2.ScheduleChanged,
        "smartmate.schedule.apply.succeeded.v1": events_pb2.ScheduleApplySucceeded,
        "smartmate.schedule.apply.failed.v1": events_pb2.ScheduleApplyFailed,
    }[subject]


@dataclass(slots=True)
class Backend:
    """The running service and the keys of those who may call it."""

    channel: grpc.aio.Channel
    stub: Any
    issuers: Mapping[str, Issuer]
    db: Database
    outlet: EventOutlet
    scheduler_nats: str

    def through(self, channel: grpc.aio.Channel) -> "Backend":
        """The same, called at another server."""
        stub = schedule_service_pb2_grpc.ScheduleServiceStub(channel)
        return replace(self, channel=channel, stub=stub)

    def someone(self) -> "Person":
        """A user id that was never used before."""
        return Person(self, next(_ids))

    async def call(self, method: str, request: Message, metadata: Sequence[tuple[str, str]]) -> Any:
        """One call with this metadata. Raises RemoteError."""
        try:
            return await getattr(self.stub, method)(request, metadata=metadata, timeout=SECONDS)
        except grpc.aio.AioRpcError as error:
            raise from_call(error) from None

    async def as_service(self, service: str, method: str, request: Message) -> Any:
        """A call by a service for itself."""
        return await self.call(
            method, request, [(SERVICE_HEADER, self.issuers[service].service_token())]
        )

    async def rows(self, statement: str, **parameters: Any) -> list[dict[str, Any]]:
        """What the database holds."""
        async with self.db.transaction() as tx:
            found = await tx.all(text(statement), **parameters)
        return [dict(row._mapping) for row in found]

    async def execute(self, statement: str, **parameters: Any) -> None:
        """Changes the database behind the service's back."""
        async with self.db.transaction() as tx:
            await tx.execute(text(statement), **parameters)


@dataclass(slots=True)
class Person:
    """One student, signed in."""

    backend: Backend
    id: int
    semester: calendar_pb2.Semester = field(default_factory=calendar_pb2.Semester)
    today: date = date.min
    """In the semester's zone; week 3 of it."""

    @property
    def week(self) -> int:
        """The current week."""
        return (self.today - date.fromisoformat(self.semester.first_date)).days // 7 + 1

    @property
    def metadata(self) -> list[tuple[str, str]]:
        """The gateway calls for this user."""
        issuer = self.backend.issuers["gateway"]
        return [
            (SERVICE_HEADER, issuer.service_token()),
            (USER_HEADER, issuer.user_token(self.id)),
        ]

    @property
    def delegated(self) -> list[tuple[str, str]]:
        """The active scheduler calls because of an event of this user."""
        issuer = self.backend.issuers["active_scheduler"]
        return [
            (SERVICE_HEADER, issuer.service_token()),
            (USER_HEADER, issuer.delegated_token(self.id)),
        ]

    async def call(self, method: str, request: Message) -> Any:
        """One call as this user. Raises RemoteError."""
        return await self.backend.call(method, request, self.metadata)

    async def begin_semester(self, *, weeks: int = 20, **others: Any) -> calendar_pb2.Semester:
        """A semester in whose third week it is now, early in the morning."""
        now = datetime.now(UTC)
        zone = early_zone(now)
        probe = Semester(0, date(2026, 9, 7), 1, zone, clock=DEFAULT_CLOCK, version=0)
        self.today = probe.today(now)
        first = self.today - timedelta(days=self.today.weekday() + 14)
        asked = calendar_pb2.Semester(
            first_date=first.isoformat(), week_count=weeks, time_zone=zone, **others
        )
        answer = await self.call(
            "PutSemester", pb.PutSemesterRequest(request_id=fresh(), semester=asked)
        )
        self.semester = answer.semester
        return self.semester

    async def add_task(self, title: str = "高数作业", **others: Any) -> task_pb2.Task:
        """A task of the pool."""
        others.setdefault("quadrant", task_pb2.QUADRANT_IMPORTANT)
        answer = await self.call(
            "CreateTask",
            pb.CreateTaskRequest(request_id=fresh(), task=pb.TaskInput(title=title, **others)),
        )
        task: task_pb2.Task = answer.task
        return task

    def place(
        self, first: int, last: int | None = None, *, days: int = 0, **others: int
    ) -> calendar_pb2.Place:
        """Sections of the day `days` from today."""
        on = self.today + timedelta(days=days)
        ahead = (on - date.fromisoformat(self.semester.first_date)).days
        values = {
            "semester_id": self.semester.semester_id,
            "week": ahead // 7 + 1,
            "day_of_week": ahead % 7 + 1,
            "first_section": first,
            "last_section": last or first,
        } | others
        return calendar_pb2.Place(**values)

    def add(
        self, task: task_pb2.Task | int, to: calendar_pb2.Place | None, change_id: str = "c1"
    ) -> change_pb2.ScheduleChange:
        """The change that puts a task there."""
        task_id = task if isinstance(task, int) else task.task_id
        return change_pb2.ScheduleChange(
            change_id=change_id,
            type=change_pb2.CHANGE_TYPE_ADD,
            target=change_pb2.Target(kind=change_pb2.TARGET_KIND_TASK_POOL, id=task_id),
            to=to,
        )

    async def apply(
        self,
        *changes: change_pb2.ScheduleChange,
        apply_id: str | None = None,
        base: Mapping[str, str] | None = None,
        not_after: datetime | None = None,
    ) -> apply_pb2.ApplyVerdict:
        """Confirmed changes, by RPC."""
        request = pb.ApplyChangesRequest(
            apply_id=apply_id or fresh("asa_"), changes=changes, base=base or {}
        )
        if not_after is not None:
            request.not_after_time.FromDatetime(not_after)
        verdict: apply_pb2.ApplyVerdict = (await self.call("ApplyChanges", request)).verdict
        return verdict

    async def base_of(self, *changes: change_pb2.ScheduleChange) -> dict[str, str]:
        """The base of changes as things stand."""
        answer = await self.call("CheckChanges", pb.CheckChangesRequest(changes=changes))
        return dict(answer.base)

    async def import_rows(
        self, *rows: Mapping[str, Any], dry_run: bool = False
    ) -> pb.ImportTimetableResponse:
        """A 正方 file with these rows."""
        report: pb.ImportTimetableResponse = await self.call(
            "ImportTimetable",
            pb.ImportTimetableRequest(
                request_id=fresh(),
                semester_id=self.semester.semester_id,
                format=timetable.TIMETABLE_FORMAT_ZHENGFANG_JSON,
                document=json.dumps({"kbList": list(rows)}, ensure_ascii=False).encode(),
                dry_run=dry_run,
            ),
        )
        return report

    async def week_of(self, week: int) -> pb.GetWeekResponse:
        """What stands in a week of the semester."""
        found: pb.GetWeekResponse = await self.call(
            "GetWeek",
            pb.GetWeekRequest(
                week_of_semester=pb.WeekOfSemester(semester_id=self.semester.semester_id, week=week)
            ),
        )
        return found

    async def told(self) -> list[Any]:
        """Every event that the service said of this user, in the order of writing."""
        rows = await self.backend.rows(
            "SELECT subject, payload FROM outbox WHERE user_id = :id ORDER BY created_at, id",
            id=self.id,
        )
        return [events_of(row["subject"]).FromString(row["payload"]) for row in rows]

    async def told_of(self, kind: type[Message]) -> list[Any]:
        """The events of one kind that the service said of this user."""
        return [one for one in await self.told() if isinstance(one, kind)]


def fresh(prefix: str = "") -> str:
    """A name that was never used before."""
    return f"{prefix}{secrets.token_hex(12)}"


def course(
    name: str, day: int, sections: str, weeks: str, *, teacher: str = "王老师", room: str = "A101"
) -> dict[str, str]:
    """A row of a 正方 file."""
    return {
        "kcmc": name,
        "xm": teacher,
        "xqj": str(day),
        "jcs": sections,
        "zcd": weeks,
        "cdmc": room,
        "xqmc": "主校区",
    }


def codes(verdict: apply_pb2.ApplyVerdict) -> list[str]:
    """The codes of a refusal, as the spec writes them."""
    return [
        apply_pb2.RefusalCode.Name(one.code).removeprefix("REFUSAL_CODE_").lower()
        for one in verdict.refusals
    ]


def applied(verdict: apply_pb2.ApplyVerdict) -> bool:
    """Whether every change was written."""
    return verdict.state == apply_pb2.APPLY_STATE_APPLIED


async def until(holds: Callable[[], Awaitable[bool]]) -> None:
    """Returns once something holds; fails when it takes too long."""
    async with asyncio.timeout(SECONDS):
        while True:
            if await holds():
                return
            await asyncio.sleep(0.01)


async def refused(call: Any) -> RemoteError:
    """The error that a call ends with; it is a defect when it does not."""
    try:
        answer = await call
    except RemoteError as error:
        return error
    raise AssertionError(f"not refused: {answer}")
