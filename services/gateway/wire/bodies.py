"""Bodies of requests as programs send them, and the messages that they become.

Names of enum values are those of the contracts, as in the answers. Shapes are checked here; what
a value means is judged by the service that owns it.
"""

from collections.abc import Iterable
from datetime import UTC, datetime
from typing import Annotated, Literal

from google.protobuf.timestamp_pb2 import Timestamp
from pydantic import AfterValidator, AwareDatetime, BaseModel, ConfigDict, Field

from smartmate.notification.v1 import notification_service_pb2
from smartmate.schedule.v1 import calendar_pb2, change_pb2, schedule_service_pb2

_FIRST_YEAR, _LAST_YEAR = 1970, 9998


def _utc(at: datetime) -> datetime:
    """UTC, within what a timestamp and every zone can hold."""
    if not _FIRST_YEAR <= at.year <= _LAST_YEAR:
        raise ValueError(f"year must be between {_FIRST_YEAR} and {_LAST_YEAR}")
    return at.astimezone(UTC)


Instant = Annotated[AwareDatetime, AfterValidator(_utc)]
Id = Annotated[int, Field(strict=True, ge=1, le=2**63 - 1)]
IdOrNone = Annotated[int, Field(strict=True, ge=0, le=2**63 - 1)]
Int32 = Annotated[int, Field(strict=True, ge=-(2**31), le=2**31 - 1)]
Key = Annotated[str | None, Field(description="Same as the header Idempotency-Key")]

TargetKindName = Literal[
    "TARGET_KIND_TASK_POOL", "TARGET_KIND_TASK_ITEM", "TARGET_KIND_SCHEDULE_EVENT"
]
TriggerTypeName = Literal["TRIGGER_TYPE_IMPORTANT_URGENT_TASK", "TRIGGER_TYPE_UNFINISHED_FEEDBACK"]
QuadrantName = Literal[
    "QUADRANT_URGENT_IMPORTANT", "QUADRANT_IMPORTANT", "QUADRANT_URGENT", "QUADRANT_NEITHER"
]


class Body(BaseModel):
    """A JSON object without unknown fields."""

    model_config = ConfigDict(extra="forbid", frozen=True)


class TargetBody(Body):
    """What a look is about."""

    kind: TargetKindName
    id: Id

    def message(self) -> change_pb2.Target:
        return change_pb2.Target(kind=self.kind, id=self.id)


class DryRunBody(Body):
    """A look that writes nothing."""

    type: TriggerTypeName | None = Field(
        None, description="Absent = as for an urgent task, or as for something unfinished"
    )
    target: TargetBody
    mock_now_time: Instant | None = None


class TriggerBody(Body):
    """A look that may lead to a suggestion."""

    type: TriggerTypeName = "TRIGGER_TYPE_IMPORTANT_URGENT_TASK"
    target: TargetBody
    mock_now_time: Instant | None = None
    idempotency_key: Key = None


class PlaceBody(Body):
    """Sections of one day."""

    semester_id: IdOrNone
    week: Int32
    day_of_week: Int32
    first_section: Int32
    last_section: Int32

    def message(self) -> calendar_pb2.Place:
        return calendar_pb2.Place(**self.model_dump())


class EditedChangeBody(BaseModel):
    """A change with another place; of all its fields these two are read."""

    model_config = ConfigDict(extra="ignore", frozen=True)

    change_id: str = Field(min_length=1, max_length=64)
    to: PlaceBody

    def message(self) -> change_pb2.ScheduleChange:
        return change_pb2.ScheduleChange(change_id=self.change_id, to=self.to.message())


class ConfirmBody(Body):
    """The person's answer to a suggestion."""

    candidate_id: str = Field("", max_length=200, description="Not needed to ignore")
    action: Literal["confirm", "ignore"] = "confirm"
    edited_changes: tuple[EditedChangeBody, ...] = Field((), max_length=50)
    idempotency_key: Key = None


class KeyBody(Body):
    """Nothing but the key of the attempt."""

    idempotency_key: Key = None


class TaskBody(Body):
    """What a person sets of a task."""

    title: str = Field(min_length=1, max_length=200)
    quadrant: QuadrantName
    deadline_time: Instant | None = None
    urgency_threshold_time: Instant | None = None
    estimated_sections: Int32 | None = None

    def message(self) -> schedule_service_pb2.TaskInput:
        return schedule_service_pb2.TaskInput(
            title=self.title,
            quadrant=self.quadrant,
            deadline_time=timestamp(self.deadline_time),
            urgency_threshold_time=timestamp(self.urgency_threshold_time),
            estimated_sections=self.estimated_sections,
        )


class UpdateTaskBody(TaskBody):
    """All fields of a task as they shall be."""

    if_version: IdOrNone = Field(0, description="0 = whatever is there")


class SectionTimeBody(Body):
    """One section; minutes after local midnight."""

    start_minute_of_day: Int32
    end_minute_of_day: Int32


class SectionClockBody(Body):
    """The bell of a semester."""

    sections: tuple[SectionTimeBody, ...] = Field(max_length=24)
    lunch_after_section: Int32
    dinner_after_section: Int32

    def message(self) -> calendar_pb2.SectionClock:
        return calendar_pb2.SectionClock(
            sections=[calendar_pb2.SectionTime(**one.model_dump()) for one in self.sections],
            lunch_after_section=self.lunch_after_section,
            dinner_after_section=self.dinner_after_section,
        )


class SemesterBody(Body):
    """A semester to create, or to change where its id is given."""

    semester_id: IdOrNone = 0
    first_date: str = Field(max_length=10, description="ISO 8601 date of the first Monday")
    week_count: Int32
    time_zone: str = Field("", max_length=64, description="IANA name; empty = Asia/Shanghai")
    clock: SectionClockBody | None = Field(None, description="Absent = the default bell")

    def message(self) -> calendar_pb2.Semester:
        return calendar_pb2.Semester(
            semester_id=self.semester_id,
            first_date=self.first_date,
            week_count=self.week_count,
            time_zone=self.time_zone,
            clock=self.clock.message() if self.clock else None,
        )


class ChannelBody(Body):
    """A channel to create, or to change where its id is given."""

    channel_id: IdOrNone = 0
    type: Literal["CHANNEL_TYPE_FEISHU_BOT", "CHANNEL_TYPE_CONSOLE"]
    name: str = Field(min_length=1, max_length=60)
    position: Int32 = 0
    language: Literal["LANGUAGE_UNSPECIFIED", "LANGUAGE_ZH_CN", "LANGUAGE_EN_US"] = (
        "LANGUAGE_UNSPECIFIED"
    )
    webhook_url: str | None = Field(None, max_length=2000)
    secret: str | None = Field(None, max_length=200)
    keyword: str = Field("", max_length=40)
    takes_sign_in_links: bool | None = Field(
        None, strict=True, description="Whoever reads such a link can sign in; absent = as it is"
    )

    def message(self, request_id: str) -> notification_service_pb2.PutChannelRequest:
        return notification_service_pb2.PutChannelRequest(
            request_id=request_id,
            channel_id=self.channel_id,
            type=self.type,
            name=self.name,
            position=self.position,
            language=self.language,
            webhook_url=self.webhook_url,
            secret=self.secret,
            keyword=self.keyword,
            takes_sign_in_links=self.takes_sign_in_links,
        )


def timestamp(at: datetime | None) -> Timestamp | None:
    """An instant as a message; None stays absent."""
    if at is None:
        return None
    made = Timestamp()
    made.FromDatetime(at)
    return made


def edited(changes: Iterable[EditedChangeBody]) -> list[change_pb2.ScheduleChange]:
    """Edited changes as messages."""
    return [change.message() for change in changes]
