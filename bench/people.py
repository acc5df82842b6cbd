"""Students that the figures make up: a semester, a task that can be placed today, a bot."""

import itertools
import uuid
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta
from zoneinfo import ZoneInfo

from bench.clients import Line
from services.standalone.suite import Suite
from smartmate.active_scheduler.v1 import active_scheduler_service_pb2 as active_pb2
from smartmate.active_scheduler.v1 import preview_pb2, trigger_pb2
from smartmate.notification.v1 import notification_service_pb2 as notification_pb2
from smartmate.schedule.v1 import calendar_pb2, change_pb2, task_pb2
from smartmate.schedule.v1 import schedule_service_pb2 as schedule_pb2

_ids = itertools.count(1)


def _zone_of_early_morning(now: datetime) -> str:
    """A zone in which the day has just begun, so that all of today can be planned."""
    ahead = (6 - now.hour) % 24
    ahead -= 24 if ahead > 12 else 0
    return f"Etc/GMT{-ahead:+d}" if ahead else "UTC"


@dataclass(frozen=True, slots=True)
class Student:
    """One user, with what the thread needs."""

    line: Line
    id: int
    task_id: int
    metadata: list[tuple[str, str]]

    async def trigger(self) -> None:
        """Asks for a look at the task."""
        request = active_pb2.TriggerRequest(
            request_id=uuid.uuid4().hex,
            type=trigger_pb2.TRIGGER_TYPE_IMPORTANT_URGENT_TASK,
            target=change_pb2.Target(kind=change_pb2.TARGET_KIND_TASK_POOL, id=self.task_id),
        )
        await self.line.call(self.line.active.Trigger, request, self.metadata)

    async def preview(self) -> preview_pb2.Preview:
        """The newest proposal."""
        request = active_pb2.ListPreviewsRequest()
        listed = await self.line.call(self.line.active.ListPreviews, request, self.metadata)
        found = await self.line.call(
            self.line.active.GetPreview,
            active_pb2.GetPreviewRequest(preview_id=listed.previews[0].preview_id),
            self.metadata,
        )
        preview: preview_pb2.Preview = found.preview
        return preview

    async def confirm(self, preview: preview_pb2.Preview) -> None:
        """Confirms what the preview has selected; it has to be applied by the answer."""
        request = active_pb2.ConfirmPreviewRequest(
            request_id=uuid.uuid4().hex,
            preview_id=preview.preview_id,
            candidate_id=preview.selected_candidate_id,
        )
        answer = await self.line.call(self.line.active.ConfirmPreview, request, self.metadata)
        if answer.preview.state != preview_pb2.PREVIEW_STATE_APPLIED:
            raise RuntimeError(f"not applied: {answer.preview.state}")


async def student(suite: Suite, line: Line) -> Student:
    """A new user, whose messages go to a bot of the stand-in with the user's id as its token."""
    id_ = next(_ids)
    metadata = line.signed_in(id_)
    await line.call(line.schedule.PutSemester, _semester(), metadata)
    created = await line.call(line.schedule.CreateTask, _task(), metadata)
    await line.call(
        line.notification.PutChannel,
        notification_pb2.PutChannelRequest(
            request_id=uuid.uuid4().hex,
            type="CHANNEL_TYPE_FEISHU_BOT",
            name="自习群",
            webhook_url=f"{suite.feishu_url}/open-apis/bot/v2/hook/{id_}",
            secret=suite.feishu_secret,
        ),
        metadata,
    )
    return Student(line, id_, created.task.task_id, metadata)


def _semester() -> schedule_pb2.PutSemesterRequest:
    now = datetime.now(UTC)
    zone = _zone_of_early_morning(now)
    today = now.astimezone(ZoneInfo(zone)).date()
    monday = today - timedelta(days=today.weekday(), weeks=5)
    return schedule_pb2.PutSemesterRequest(
        request_id=uuid.uuid4().hex,
        semester=calendar_pb2.Semester(
            first_date=monday.isoformat(), week_count=20, time_zone=zone
        ),
    )


def _task() -> schedule_pb2.CreateTaskRequest:
    task = schedule_pb2.TaskInput(
        title="概率论大作业", quadrant=task_pb2.QUADRANT_URGENT_IMPORTANT, estimated_sections=2
    )
    task.deadline_time.FromDatetime(datetime.now(UTC) + timedelta(hours=40))
    return schedule_pb2.CreateTaskRequest(request_id=uuid.uuid4().hex, task=task)
