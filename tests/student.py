"""A student who uses the suite through its RPCs, for integration and end-to-end tests."""

import itertools
import json
import uuid
from collections.abc import AsyncIterator, Mapping
from dataclasses import dataclass, field
from datetime import UTC, date, datetime, timedelta
from pathlib import Path
from typing import Any
from zoneinfo import ZoneInfo

import grpc

from libs.clock import SystemClock
from libs.rpc.client import Client, channel
from libs.rpc.errors import RemoteError
from libs.rpc.identity import Caller, Issuer
from smartmate.active_scheduler.v1 import active_scheduler_service_pb2 as active_pb2
from smartmate.active_scheduler.v1 import preview_pb2, trigger_pb2
from smartmate.active_scheduler.v1.active_scheduler_service_pb2_grpc import (
    ActiveSchedulerServiceStub,
)
from smartmate.agent.v1.agent_service_pb2_grpc import AgentServiceStub
from smartmate.notification.v1 import channel_pb2
from smartmate.notification.v1 import notification_service_pb2 as notification_pb2
from smartmate.notification.v1.notification_service_pb2_grpc import NotificationServiceStub
from smartmate.schedule.v1 import calendar_pb2, change_pb2, schedule_event_pb2, task_pb2
from smartmate.schedule.v1 import schedule_service_pb2 as schedule_pb2
from smartmate.schedule.v1.schedule_service_pb2_grpc import ScheduleServiceStub
from tests.waiting import until

CALL_SECONDS = 15.0
WEEKS_BEHIND = 5
SEMESTER_WEEKS = 20

# Ids that no other test run of this database has used.
_user_ids = itertools.count(uuid.uuid4().int >> 68)


def new_user_id() -> int:
    """A user that nobody else has."""
    return next(_user_ids)


def new_key() -> str:
    """A request_id of a new attempt."""
    return uuid.uuid4().hex


def morning_zone(now: datetime) -> str:
    """A zone in which it is between six and seven in the morning, whatever the hour is here.

    The whole day lies ahead in it, so that tests do not depend on the time of day.
    """
    offset = 6 - now.astimezone(UTC).hour
    offset += 24 if offset < -12 else 0
    return "UTC" if offset == 0 else f"Etc/GMT{-offset:+d}"


@dataclass(frozen=True, slots=True)
class Addresses:
    """Where the services are, and the gateway's key."""

    schedule: str
    active_scheduler: str
    notification: str
    gateway_key: Path
    agent: str = ""


@dataclass(slots=True)
class Line:
    """Channels to the services, shared by all students of a test run."""

    addresses: Addresses
    issuer: Issuer = field(init=False)
    client: Client = field(init=False)
    schedule: Any = field(init=False)
    active: Any = field(init=False)
    notification: Any = field(init=False)
    agent: Any = field(init=False)
    _channels: list[grpc.aio.Channel] = field(default_factory=list)

    def __post_init__(self) -> None:
        self.issuer = Issuer.load(self.addresses.gateway_key, SystemClock())
        self.client = Client(self.issuer)
        self.schedule = ScheduleServiceStub(self._open(self.addresses.schedule))
        self.active = ActiveSchedulerServiceStub(self._open(self.addresses.active_scheduler))
        self.notification = NotificationServiceStub(self._open(self.addresses.notification))
        self.agent = AgentServiceStub(self._open(self.addresses.agent))

    def _open(self, target: str) -> grpc.aio.Channel:
        self._channels.append(channel(target))
        return self._channels[-1]

    def caller(self, user_id: int) -> Caller:
        """As the gateway calls for a signed-in user."""
        return Caller("gateway", user_id, user_token=self.issuer.user_token(user_id))

    async def close(self) -> None:
        for one in self._channels:
            await one.close()


@dataclass(slots=True)
class Student:
    """One user with a semester in which it is early morning now."""

    line: Line
    id: int = field(default_factory=new_user_id)
    semester: calendar_pb2.Semester = field(default_factory=calendar_pb2.Semester)

    async def call(self, method: Any, request: Any, *, seconds: float = CALL_SECONDS) -> Any:
        """Any RPC as this user. Raises RemoteError."""
        return await self.line.client.call(
            method, request, on_behalf_of=self.line.caller(self.id), seconds=seconds
        )

    # Schedule

    @property
    def zone(self) -> ZoneInfo:
        return ZoneInfo(self.semester.time_zone)

    @property
    def today(self) -> tuple[int, int]:
        """(week, day) of today in the semester."""
        today = datetime.now(self.zone).date()
        behind = (today - date.fromisoformat(self.semester.first_date)).days
        return behind // 7 + 1, behind % 7 + 1

    async def begin_semester(self, *, key: str | None = None) -> calendar_pb2.Semester:
        """A semester that began five weeks ago."""
        now = datetime.now(UTC)
        zone = morning_zone(now)
        today = now.astimezone(ZoneInfo(zone)).date()
        monday = today - timedelta(days=today.weekday(), weeks=WEEKS_BEHIND)
        answer = await self.call(
            self.line.schedule.PutSemester,
            schedule_pb2.PutSemesterRequest(
                request_id=key or new_key(),
                semester=calendar_pb2.Semester(
                    first_date=monday.isoformat(), week_count=SEMESTER_WEEKS, time_zone=zone
                ),
            ),
        )
        self.semester = answer.semester
        return self.semester

    async def import_courses(self, *rows: Mapping[str, object]) -> Any:
        """Imports a 正方 timetable with these rows."""
        return await self.call(
            self.line.schedule.ImportTimetable,
            schedule_pb2.ImportTimetableRequest(
                request_id=new_key(),
                semester_id=self.semester.semester_id,
                format="TIMETABLE_FORMAT_ZHENGFANG_JSON",
                document=json.dumps({"kbList": list(rows)}, ensure_ascii=False).encode(),
            ),
        )

    async def create_task(
        self,
        title: str = "概率论大作业",
        *,
        sections: int | None = 2,
        due_in: timedelta | None = timedelta(hours=40),
        urgent_in: timedelta | None = None,
        quadrant: str = "QUADRANT_URGENT_IMPORTANT",
        key: str | None = None,
    ) -> task_pb2.Task:
        """A task; without `urgent_in` the suite never looks at it by itself."""
        now = datetime.now(UTC)
        task = schedule_pb2.TaskInput(title=title, quadrant=quadrant)
        if sections is not None:
            task.estimated_sections = sections
        if due_in is not None:
            task.deadline_time.FromDatetime(now + due_in)
        if urgent_in is not None:
            task.urgency_threshold_time.FromDatetime(now + urgent_in)
        request = schedule_pb2.CreateTaskRequest(request_id=key or new_key(), task=task)
        answer = await self.call(self.line.schedule.CreateTask, request)
        created: task_pb2.Task = answer.task
        return created

    def place(self, first: int, last: int, *, day_offset: int = 0) -> calendar_pb2.Place:
        """Sections of today, or of a day after it."""
        week, day = self.today
        ahead = day - 1 + day_offset
        return calendar_pb2.Place(
            semester_id=self.semester.semester_id,
            week=week + ahead // 7,
            day_of_week=ahead % 7 + 1,
            first_section=first,
            last_section=last,
        )

    async def add(
        self, task_id: int, place: calendar_pb2.Place, *, apply_id: str | None = None
    ) -> Any:
        """Puts a task into the schedule directly; gives the verdict."""
        change = change_pb2.ScheduleChange(
            change_id="c1",
            type="CHANGE_TYPE_ADD",
            target=change_pb2.Target(kind="TARGET_KIND_TASK_POOL", id=task_id),
            to=place,
        )
        request = schedule_pb2.ApplyChangesRequest(apply_id=apply_id or new_key(), changes=[change])
        answer = await self.call(self.line.schedule.ApplyChanges, request)
        return answer.verdict

    async def week(self) -> list[schedule_event_pb2.ScheduleEvent]:
        """Blocks of this week."""
        answer = await self.call(self.line.schedule.GetWeek, schedule_pb2.GetWeekRequest())
        return list(answer.events)

    async def task_blocks(self) -> list[schedule_event_pb2.ScheduleEvent]:
        """Blocks of work of this week and the next."""
        week, _ = self.today
        found = []
        for number in (week, week + 1):
            at = schedule_pb2.WeekOfSemester(week=number)
            answer = await self.call(
                self.line.schedule.GetWeek, schedule_pb2.GetWeekRequest(week_of_semester=at)
            )
            found += [
                event
                for event in answer.events
                if event.type == schedule_event_pb2.SCHEDULE_EVENT_TYPE_TASK
            ]
        return found

    # Active scheduling

    def target(self, task_id: int) -> change_pb2.Target:
        return change_pb2.Target(kind="TARGET_KIND_TASK_POOL", id=task_id)

    async def trigger(self, task_id: int, *, key: str | None = None, **more: Any) -> Any:
        """Asks for a look; gives the whole answer."""
        request = active_pb2.TriggerRequest(
            request_id=key or new_key(),
            type=trigger_pb2.TRIGGER_TYPE_IMPORTANT_URGENT_TASK,
            target=self.target(task_id),
            **more,
        )
        return await self.call(self.line.active.Trigger, request)

    async def trigger_ended(self, trigger_id: str, *, within: float = 30.0) -> Any:
        """The trigger, once it is in a final state."""
        open_states = (trigger_pb2.TRIGGER_STATE_PENDING, trigger_pb2.TRIGGER_STATE_PROCESSING)

        async def ended() -> Any:
            request = active_pb2.GetTriggerRequest(trigger_id=trigger_id)
            answer = await self.call(self.line.active.GetTrigger, request)
            return None if answer.trigger.state in open_states else answer.trigger

        return await until(ended, within=within, what="the end of the trigger")

    async def preview(self, preview_id: str) -> preview_pb2.Preview:
        request = active_pb2.GetPreviewRequest(preview_id=preview_id)
        answer = await self.call(self.line.active.GetPreview, request)
        found: preview_pb2.Preview = answer.preview
        return found

    async def proposed(self, task_id: int) -> preview_pb2.Preview:
        """Triggers a look at a task and gives the preview that it leads to."""
        answer = await self.trigger(task_id)
        trigger = await self.trigger_ended(answer.trigger.trigger_id)
        assert trigger.preview_id, f"no preview: {trigger.reason}"
        return await self.preview(trigger.preview_id)

    async def first_preview(self, *, within: float = 30.0) -> preview_pb2.Preview:
        """The newest preview of this user, once there is one."""

        async def newest() -> str:
            request = active_pb2.ListPreviewsRequest()
            answer = await self.call(self.line.active.ListPreviews, request)
            return answer.previews[0].preview_id if answer.previews else ""

        return await self.preview(await until(newest, within=within, what="a preview"))

    async def confirm(
        self,
        preview: preview_pb2.Preview,
        *,
        candidate_id: str | None = None,
        key: str | None = None,
        edits: tuple[change_pb2.ScheduleChange, ...] = (),
    ) -> Any:
        """Confirms a candidate, the selected one where none is named."""
        request = active_pb2.ConfirmPreviewRequest(
            request_id=key or new_key(),
            preview_id=preview.preview_id,
            candidate_id=candidate_id or preview.selected_candidate_id,
            edited_changes=edits,
        )
        return await self.call(self.line.active.ConfirmPreview, request)

    async def settled(self, preview_id: str, *, within: float = 30.0) -> preview_pb2.Preview:
        """The preview, once it is not applying any more; a replica that is away is waited for."""

        async def judged() -> preview_pb2.Preview | None:
            try:
                preview = await self.preview(preview_id)
            except RemoteError as error:
                if error.code is not grpc.StatusCode.UNAVAILABLE:
                    raise
                return None
            return None if preview.state == preview_pb2.PREVIEW_STATE_APPLYING else preview

        found: preview_pb2.Preview = await until(judged, within=within, what="the verdict")
        return found

    def watch(self, preview_id: str) -> AsyncIterator[Any]:
        """WatchPreview as a stream."""
        return self.line.client.stream(
            self.line.active.WatchPreview,
            active_pb2.WatchPreviewRequest(preview_id=preview_id),
            on_behalf_of=self.line.caller(self.id),
        )

    # Notification

    async def put_bot(
        self, url: str, secret: str, *, key: str | None = None
    ) -> channel_pb2.Channel:
        """A Feishu bot as the first channel."""
        answer = await self.call(
            self.line.notification.PutChannel,
            notification_pb2.PutChannelRequest(
                request_id=key or new_key(),
                type="CHANNEL_TYPE_FEISHU_BOT",
                name="自习群",
                webhook_url=url,
                secret=secret,
            ),
        )
        stored: channel_pb2.Channel = answer.channel
        return stored


def course(
    name: str, *, day: int, sections: str, weeks: str = "1-20周", room: str = "3201"
) -> dict[str, str]:
    """A row of a 正方 kbList."""
    return {
        "kcmc": name,
        "xm": "教师甲",
        "xqj": str(day),
        "jcs": sections,
        "zcd": weeks,
        "cdmc": room,
    }
