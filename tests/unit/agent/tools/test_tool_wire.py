"""The planning state as the schedule service tells it, and changes as it takes them."""

from datetime import UTC, datetime
from typing import Any

import pytest

from libs.planning.changes import Change, ChangeType
from libs.planning.grid import Place, Target, TargetKind
from libs.planning.order import OrderedBlock, Span
from libs.planning.state import Intensity, Source, Status
from libs.planning.window import NoWindow
from services.agent.tools import registry
from services.agent.tools.loading import Loaded
from services.agent.wire import planning
from smartmate.schedule.v1 import calendar_pb2, change_pb2, schedule_event_pb2, task_class_pb2
from smartmate.schedule.v1 import schedule_service_pb2 as pb

NOW = datetime(2026, 11, 30, 1, tzinfo=UTC)


def semester() -> calendar_pb2.Semester:
    starts = [480 + 60 * number for number in range(12)]
    return calendar_pb2.Semester(
        semester_id=1,
        first_date="2026-09-07",
        week_count=20,
        time_zone="Asia/Shanghai",
        clock=calendar_pb2.SectionClock(
            sections=[
                calendar_pb2.SectionTime(start_minute_of_day=one, end_minute_of_day=one + 45)
                for one in starts
            ],
            lunch_after_section=4,
            dinner_after_section=8,
        ),
        version=3,
    )


def place(week: int, day: int, first: int, last: int, semester_id: int = 1) -> calendar_pb2.Place:
    return calendar_pb2.Place(
        semester_id=semester_id,
        week=week,
        day_of_week=day,
        first_section=first,
        last_section=last,
    )


def event(
    number: int, name: str, where: calendar_pb2.Place, at: datetime, **more: Any
) -> schedule_event_pb2.ScheduleEvent:
    found = schedule_event_pb2.ScheduleEvent(event_id=number, name=name, place=where, **more)
    found.start_time.FromDatetime(at)
    return found


def item_source(number: int) -> change_pb2.Target:
    return change_pb2.Target(kind=change_pb2.TARGET_KIND_TASK_ITEM, id=number)


def response() -> pb.LoadPlanningStateResponse:
    """Week 13 and the class of two items that is to be planned in it."""
    found = pb.LoadPlanningStateResponse(
        semester=semester(),
        window=pb.DateRange(first_date="2026-11-30", last_date="2026-12-06"),
        task_classes=[
            task_class_pb2.TaskClass(
                task_class_id=7,
                name="线代",
                total_sections=7,
                cognitive_intensity=task_class_pb2.COGNITIVE_INTENSITY_HIGH,
                items=[
                    task_class_pb2.TaskItem(
                        task_item_id=71, content="第一讲", order=2, event_ids=[15]
                    ),
                    task_class_pb2.TaskItem(task_item_id=72, content="第二讲", order=3),
                    task_class_pb2.TaskItem(task_item_id=73, content="第三讲", order=4, done=True),
                ],
            )
        ],
        events=[
            event(
                13,
                "形势与政策",
                place(13, 3, 7, 8),
                datetime(2026, 12, 2, 6, tzinfo=UTC),
                course_id=4,
                can_be_embedded=True,
            ),
            event(
                14,
                "还书",
                place(13, 3, 7, 8),
                datetime(2026, 12, 2, 6, tzinfo=UTC),
                host_event_id=13,
                source=change_pb2.Target(kind=change_pb2.TARGET_KIND_TASK_POOL, id=5),
            ),
            event(
                15,
                "第一讲",
                place(13, 2, 1, 2),
                datetime(2026, 12, 1, 0, tzinfo=UTC),
                source=item_source(71),
                task_class_id=7,
                task_order=2,
            ),
        ],
        events_elsewhere=[
            event(
                16,
                "绪论",
                place(19, 7, 1, 2, semester_id=9),
                datetime(2026, 1, 25, 0, tzinfo=UTC),
                source=item_source(70),
                task_class_id=7,
                task_order=1,
                makeup_for_event_id=12,
            ),
        ],
    )
    found.now_time.FromDatetime(NOW)
    return found


def test_the_state_of_a_run_is_read_off_the_answer() -> None:
    loaded = planning.loaded(response())

    assert isinstance(loaded, Loaded)
    tasks = {one.name: one for one in loaded.state.tasks.values()}
    assert loaded.state.window.total_days == 7
    assert loaded.state.window.open_from == (1, 2)
    assert tasks["形势与政策"].can_embed
    assert tasks["形势与政策"].embedded_by == (tasks["还书"].state_id,)
    assert (tasks["还书"].category, tasks["还书"].item_id) == ("任务", None)
    assert (tasks["第一讲"].status, tasks["第一讲"].task_order) == (Status.EXISTING, 2)
    waiting = tasks["第二讲"]
    assert (waiting.source, waiting.source_id, waiting.duration) == (Source.TASK_ITEM, 72, 2)
    assert waiting.cognitive_intensity is Intensity.HIGH
    assert "第三讲" not in tasks
    assert loaded.state.anchors == (
        OrderedBlock(7, 70, 1, Span(-308, 1, 2), makeup=True, begun=True, name="绪论"),
    )
    assert registry.call(loaded.state, "place", {"task_id": 4, "day": 3, "slot_start": 1}).is_ok


def test_numbers_of_the_last_load_are_kept() -> None:
    first = planning.loaded(response())
    assert isinstance(first, Loaded)
    less = response()
    del less.events[1]

    second = planning.loaded(less, first.ids)

    assert isinstance(second, Loaded)
    assert {one.name: one.state_id for one in second.state.tasks.values()} == {
        one.name: one.state_id for one in first.state.tasks.values() if one.name != "还书"
    }


@pytest.mark.parametrize(
    ("problem", "told"),
    [
        (task_class_pb2.WINDOW_PROBLEM_ASK_DATES, NoWindow.ASK_DATES),
        (task_class_pb2.WINDOW_PROBLEM_NO_WINDOW, NoWindow.NO_WINDOW),
    ],
)
def test_an_answer_without_a_window_says_why(
    problem: task_class_pb2.WindowProblem, told: NoWindow
) -> None:
    assert planning.loaded(pb.LoadPlanningStateResponse(problem=problem)) is told


@pytest.mark.parametrize(
    "change",
    [
        Change("c1", ChangeType.PLACE, Target(TargetKind.TASK_ITEM, 72), Place(1, 13, 3, 1, 2)),
        Change(
            "c2",
            ChangeType.EMBED,
            Target(TargetKind.SCHEDULE_EVENT, 15),
            Place(1, 13, 3, 7, 8),
            Place(1, 13, 2, 1, 2),
            host_id=13,
        ),
        Change("c3", ChangeType.REMOVE, Target(TargetKind.SCHEDULE_EVENT, 15), None),
    ],
)
def test_changes_survive_the_wire(change: Change) -> None:
    assert planning.change(planning.change_message(change)) == change


def test_a_kind_of_change_without_a_name_here_is_unknown() -> None:
    message = change_pb2.ScheduleChange(change_id="c", target=item_source(1))
    message.type = 99  # type: ignore[assignment]

    assert planning.change(message).type is ChangeType.UNKNOWN
