"""Hand-made answers about tasks, channels and settings, as the pages are given them."""

from collections.abc import Sequence
from datetime import datetime, timedelta

from smartmate.notification.v1 import channel_pb2, notification_service_pb2, record_pb2
from smartmate.schedule.v1 import schedule_event_pb2, task_pb2, user_settings_pb2
from tests.unit.gateway import gateway_samples as samples

HOURS = timedelta(hours=1)


def task(
    id_: int,
    title: str = "概率论大作业",
    *,
    quadrant: task_pb2.Quadrant = task_pb2.QUADRANT_IMPORTANT,
    reads_as: task_pb2.Quadrant | None = None,
    due: datetime | None = None,
    urgent: datetime | None = None,
    sections: int | None = None,
    done: datetime | None = None,
) -> task_pb2.Task:
    return task_pb2.Task(
        task_id=id_,
        title=title,
        quadrant=quadrant,
        effective_quadrant=reads_as or quadrant,
        deadline_time=samples.stamp(due) if due else None,
        urgency_threshold_time=samples.stamp(urgent) if urgent else None,
        estimated_sections=sections,
        status=task_pb2.TASK_STATUS_COMPLETED if done else task_pb2.TASK_STATUS_OPEN,
        version=3,
        create_time=samples.stamp(samples.NOW),
        complete_time=samples.stamp(done) if done else None,
    )


def block(
    id_: int, task_id: int, starts: datetime, *, first: int = 3, last: int = 4
) -> schedule_event_pb2.ScheduleEvent:
    """A block of work of a pool task."""
    made = samples.event(id_, "x", samples.place(2, first, last), kind=samples.TASK)
    made.source.kind = 1
    made.source.id = task_id
    made.start_time.CopyFrom(samples.stamp(starts))
    made.end_time.CopyFrom(samples.stamp(starts + 2 * HOURS))
    return made


def bot(id_: int, name: str = "自习群", **about: object) -> channel_pb2.Channel:
    fields: dict[str, object] = {
        "channel_id": id_,
        "type": channel_pb2.CHANNEL_TYPE_FEISHU_BOT,
        "name": name,
        "position": id_,
        "language": channel_pb2.LANGUAGE_ZH_CN,
        "masked_url": "http…k/37",
        "has_secret": True,
    }
    return channel_pb2.Channel(**{**fields, **about})  # type: ignore[arg-type]


def listed(
    *channels: channel_pb2.Channel, console: bool = False
) -> notification_service_pb2.ListChannelsResponse:
    offered = [channel_pb2.CHANNEL_TYPE_FEISHU_BOT]
    return notification_service_pb2.ListChannelsResponse(
        channels=channels,
        offered_types=[*offered, channel_pb2.CHANNEL_TYPE_CONSOLE] if console else offered,
    )


def record(
    state: record_pb2.RecordState = record_pb2.RECORD_STATE_SENT,
    *,
    about: str = "asp_0192f3",
    channel_id: int = 1,
    reason: str = "",
    next_at: datetime | None = None,
    advice: bool = False,
    batch: str = "",
) -> record_pb2.NotificationRecord:
    made = record_pb2.NotificationRecord(
        record_id=9,
        notification_id=about,
        channel_id=channel_id,
        state=state,
        reason=reason,
        create_time=samples.stamp(samples.NOW),
        next_attempt_time=samples.stamp(next_at) if next_at else None,
        batch_id=batch,
    )
    if advice:
        made.what_to_do.CopyFrom(samples.text("请核对密钥。", "Check the secret."))
    return made


def records(
    *found: record_pb2.NotificationRecord,
) -> notification_service_pb2.ListRecordsResponse:
    return notification_service_pb2.ListRecordsResponse(records=found, next_page_token="9")


def settings(quiet: Sequence[int] = ()) -> user_settings_pb2.UserSettings:
    made = user_settings_pb2.UserSettings(
        time_zone="Asia/Shanghai", default_estimated_sections=1, version=1
    )
    if quiet:
        made.quiet_hours.start_minute_of_day, made.quiet_hours.end_minute_of_day = quiet
    return made
