"""Bodies about study plans, trial runs, applies and changed days as programs send them."""

from collections.abc import Iterable
from typing import Annotated, Literal

from pydantic import BaseModel, ConfigDict, Field

from services.gateway.wire.bodies import Body, Id, IdOrNone, Int32, PlaceBody, TargetBody
from smartmate.schedule.v1 import calendar_pb2, change_pb2, schedule_service_pb2

Mode = Literal["TASK_CLASS_MODE_UNSPECIFIED", "TASK_CLASS_MODE_AUTO", "TASK_CLASS_MODE_MANUAL"]
Strategy = Literal[
    "PLANNING_STRATEGY_UNSPECIFIED", "PLANNING_STRATEGY_STEADY", "PLANNING_STRATEGY_RAPID"
]
Subject = Literal[
    "SUBJECT_TYPE_UNSPECIFIED",
    "SUBJECT_TYPE_QUANTITATIVE",
    "SUBJECT_TYPE_MEMORY",
    "SUBJECT_TYPE_READING",
    "SUBJECT_TYPE_MIXED",
]
Difficulty = Literal[
    "DIFFICULTY_UNSPECIFIED", "DIFFICULTY_LOW", "DIFFICULTY_MEDIUM", "DIFFICULTY_HIGH"
]
Intensity = Literal[
    "COGNITIVE_INTENSITY_UNSPECIFIED",
    "COGNITIVE_INTENSITY_LOW",
    "COGNITIVE_INTENSITY_MEDIUM",
    "COGNITIVE_INTENSITY_HIGH",
]
ChangeTypeName = Literal[
    "CHANGE_TYPE_ADD",
    "CHANGE_TYPE_CREATE_MAKEUP",
    "CHANGE_TYPE_PLACE",
    "CHANGE_TYPE_MOVE",
    "CHANGE_TYPE_COMPRESS",
    "CHANGE_TYPE_EMBED",
    "CHANGE_TYPE_UNEMBED",
    "CHANGE_TYPE_REMOVE",
]
Date = Annotated[str, Field(max_length=10, description="ISO 8601 date; empty = not set yet")]


class TaskItemBody(Body):
    """One step of a study plan."""

    task_item_id: IdOrNone = Field(0, description="0 = a new one")
    content: str = Field(min_length=1, max_length=200)
    order: Int32 | None = Field(None, description="Absent = behind those that have one")
    done: bool = Field(False, strict=True)


class TaskClassBody(Body):
    """A study plan with all its items."""

    name: str = Field(min_length=1, max_length=100)
    mode: Mode = "TASK_CLASS_MODE_UNSPECIFIED"
    strategy: Strategy = "PLANNING_STRATEGY_UNSPECIFIED"
    start_date: Date = ""
    end_date: Date = ""
    total_sections: Int32 = Field(0, description="0..2000; 0 = not set, then 2 for each item")
    allow_filler_course: bool = Field(False, strict=True)
    excluded_pairs: tuple[Int32, ...] = Field((), max_length=8)
    excluded_days_of_week: tuple[Int32, ...] = Field((), max_length=7)
    subject_type: Subject = "SUBJECT_TYPE_UNSPECIFIED"
    difficulty: Difficulty = "DIFFICULTY_UNSPECIFIED"
    cognitive_intensity: Intensity = "COGNITIVE_INTENSITY_UNSPECIFIED"
    items: tuple[TaskItemBody, ...] = Field(min_length=1, max_length=300)

    def message(self) -> schedule_service_pb2.TaskClassInput:
        stated = self.model_dump(exclude={"items", "if_version"})
        return schedule_service_pb2.TaskClassInput(
            **stated,
            items=[
                schedule_service_pb2.TaskItemInput(**one.model_dump(exclude_none=True))
                for one in self.items
            ],
        )


class UpdateTaskClassBody(TaskClassBody):
    """All of a study plan as it shall be; items that are not named leave it."""

    if_version: IdOrNone = Field(0, description="0 = whatever is there")


class DateRangeBody(Body):
    """Dates from the first to the last, both included."""

    first_date: str = Field(max_length=10)
    last_date: str = Field(max_length=10)


class RoughBuildBody(Body):
    """Study plans to try out."""

    task_class_ids: tuple[Id, ...] = Field(min_length=1, max_length=50)
    period: DateRangeBody | None = Field(None, description="Absent = all dates of the plans")

    def message(self) -> schedule_service_pb2.RoughBuildRequest:
        return schedule_service_pb2.RoughBuildRequest(
            task_class_ids=self.task_class_ids,
            period=self.period.model_dump() if self.period else None,
        )


class ChangeBody(BaseModel):
    """One change as answers tell it; `editable` and `risk` are not read."""

    model_config = ConfigDict(extra="ignore", frozen=True)

    change_id: str = Field(min_length=1, max_length=64)
    type: ChangeTypeName
    target: TargetBody
    from_: PlaceBody | None = Field(None, alias="from")
    to: PlaceBody | None = None
    host_event_id: IdOrNone = 0

    def message(self) -> change_pb2.ScheduleChange:
        made = change_pb2.ScheduleChange(
            change_id=self.change_id,
            type=self.type,
            target=self.target.message(),
            to=self.to.message() if self.to else None,
            host_event_id=self.host_event_id,
        )
        if self.from_ is not None:
            getattr(made, "from").CopyFrom(self.from_.message())
        return made


class ApplyBody(Body):
    """Changes that are judged and written together; the key of the attempt is its apply_id."""

    changes: tuple[ChangeBody, ...] = Field(min_length=1, max_length=300)
    base: dict[str, str] = Field(
        {}, max_length=5000, description="What they rest on; empty = things as they are now"
    )

    def message(self, apply_id: str) -> schedule_service_pb2.ApplyChangesRequest:
        return schedule_service_pb2.ApplyChangesRequest(
            apply_id=apply_id, changes=_messages(self.changes), base=self.base
        )


class TimetableDayBody(Body):
    """A day of the timetable."""

    week: Int32
    day_of_week: Int32


class OverrideBody(Body):
    """What happens on a date instead of its own classes."""

    runs: TimetableDayBody | None = Field(None, description="Absent = there are no classes")

    def message(self, date: str) -> calendar_pb2.CalendarOverride:
        runs = calendar_pb2.TimetableDay(**self.runs.model_dump()) if self.runs else None
        return calendar_pb2.CalendarOverride(date=date, runs=runs)


def _messages(changes: Iterable[ChangeBody]) -> list[change_pb2.ScheduleChange]:
    return [one.message() for one in changes]
