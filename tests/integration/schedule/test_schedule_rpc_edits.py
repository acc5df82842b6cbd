"""Changes by hand: deleting, taking off the schedule, opening courses; and settings of a person."""

from datetime import UTC, datetime, timedelta

import grpc
import pytest

from smartmate.events.v1 import events_pb2
from smartmate.schedule.v1 import schedule_event_pb2, task_pb2, user_settings_pb2
from smartmate.schedule.v1 import schedule_service_pb2 as pb
from tests.integration.schedule.people import Person, applied, course, fresh, refused
from tests.integration.schedule.plans import ITEM, add_class, change

EDIT = events_pb2.SCHEDULE_CHANGE_CAUSE_EDIT
COURSE = schedule_event_pb2.SCHEDULE_EVENT_TYPE_COURSE


async def _scheduled(student: Person, title: str = "高数作业", **others: object) -> tuple[int, int]:
    """A task with a block of tomorrow: (task, block)."""
    task = await student.add_task(title, **others)
    verdict = await student.apply(student.add(task, student.place(5, 6, days=1)))
    assert applied(verdict)
    return task.task_id, verdict.event_ids[0]


async def _delete(student: Person, event_id: int, **others: int) -> pb.DeleteEventResponse:
    request = pb.DeleteEventRequest(request_id=fresh(), event_id=event_id, **others)
    answer: pb.DeleteEventResponse = await student.call("DeleteEvent", request)
    return answer


async def _revoke(student: Person, event_id: int, **others: int) -> pb.RevokeEventResponse:
    request = pb.RevokeEventRequest(request_id=fresh(), event_id=event_id, **others)
    answer: pb.RevokeEventResponse = await student.call("RevokeEvent", request)
    return answer


async def _task(student: Person, task_id: int) -> task_pb2.Task:
    found: task_pb2.Task = (await student.call("GetTask", pb.GetTaskRequest(task_id=task_id))).task
    return found


async def _listed(student: Person, **asked: object) -> list[schedule_event_pb2.ScheduleEvent]:
    request = pb.ListEventsRequest(**asked)  # type: ignore[arg-type]
    return list((await student.call("ListEvents", request)).events)


def _first(student: Person) -> str:
    return student.semester.first_date


def _last(student: Person) -> str:
    first = datetime.fromisoformat(_first(student)).date()
    return (first + timedelta(days=7 * student.semester.week_count - 1)).isoformat()


async def test_a_listing_tells_the_semesters_that_its_dates_touch(student: Person) -> None:
    asked = pb.ListEventsRequest(first_date=_first(student), last_date=_last(student))
    answer = await student.call("ListEvents", asked)
    assert list(answer.semesters) == [student.semester]
    outside = pb.ListEventsRequest(first_date="2020-01-06")
    assert not (await student.call("ListEvents", outside)).semesters


async def test_a_listing_names_the_classes_of_its_blocks(student: Person) -> None:
    found = await add_class(student, "第一章", "第二章", name="复习线代")
    await add_class(student, "第一章", name="复习英语")
    item = found.items[0].task_item_id
    await student.apply(change("place", ITEM, item, student.place(5, 6, days=1)))
    asked = pb.ListEventsRequest(first_date=_first(student), last_date=_last(student))
    answer = await student.call("ListEvents", asked)
    assert dict(answer.task_class_names) == {found.task_class_id: "复习线代"}


async def test_a_deleted_block_leaves_and_its_task_stays_as_it_was(student: Person) -> None:
    task_id, event_id = await _scheduled(student)
    before = await _task(student, task_id)
    answer = await _delete(student, event_id)
    assert (answer.event.event_id, list(answer.pending_events)) == (event_id, [])
    assert await _task(student, task_id) == before
    assert await _listed(student, first_date=_first(student), last_date=_last(student)) == []
    told = (await student.told_of(events_pb2.ScheduleChanged))[-1]
    (state,) = told.events
    assert (told.cause, state.event_id, state.removed) == (EDIT, event_id, True)
    assert state.version > answer.event.placement_version
    assert applied(await student.apply(student.add(task_id, student.place(5, 6, days=1))))


async def test_a_revoked_task_is_looked_at_again(student: Person) -> None:
    task_id, event_id = await _scheduled(student)
    before = await _task(student, task_id)
    answer = await _revoke(student, event_id)
    assert (answer.target.id, answer.event.event_id) == (task_id, event_id)
    after = await _task(student, task_id)
    assert after.version > before.version
    assert after.placement_version == before.placement_version
    told = (await student.told_of(events_pb2.TaskChanged))[-1]
    assert (told.version, told.urgency_version) == (after.version, after.version)
    assert (await student.told_of(events_pb2.ScheduleChanged))[-1].cause == EDIT


async def test_a_done_task_is_not_looked_at_again(student: Person) -> None:
    task_id, event_id = await _scheduled(student)
    await student.call("CompleteTask", pb.CompleteTaskRequest(request_id=fresh(), task_id=task_id))
    before = await _task(student, task_id)
    await _revoke(student, event_id)
    assert await _task(student, task_id) == before


@pytest.mark.parametrize("method", ["DeleteEvent", "RevokeEvent"])
async def test_the_same_request_gets_the_same_answer_and_acts_once(
    student: Person, method: str
) -> None:
    _, event_id = await _scheduled(student)
    request = getattr(pb, f"{method}Request")(request_id=fresh(), event_id=event_id)
    answers = [await student.call(method, request) for _ in range(2)]
    assert answers[0] == answers[1]
    told = await student.told_of(events_pb2.ScheduleChanged)
    assert [one.cause for one in told].count(EDIT) == 1
    request.request_id = fresh()
    error = await refused(student.call(method, request))
    assert (error.code, error.reason) == (grpc.StatusCode.NOT_FOUND, "event_not_found")


@pytest.mark.parametrize("method", ["DeleteEvent", "RevokeEvent"])
async def test_what_has_begun_stays(student: Person, method: str) -> None:
    _, event_id = await _scheduled(student)
    await student.backend.execute(
        "UPDATE schedule_events SET start_time = clock_timestamp() - interval '1 minute' "
        "WHERE user_id = :user AND id = :id",
        user=student.id,
        id=event_id,
    )
    request = getattr(pb, f"{method}Request")(request_id=fresh(), event_id=event_id)
    error = await refused(student.call(method, request))
    assert (error.code, error.reason) == (grpc.StatusCode.FAILED_PRECONDITION, "event_has_begun")
    assert error.metadata["event_id"] == str(event_id)


@pytest.mark.parametrize("method", ["DeleteEvent", "RevokeEvent"])
async def test_a_block_that_changed_since_it_was_seen_stays(student: Person, method: str) -> None:
    _, event_id = await _scheduled(student)
    (row,) = await student.backend.rows(
        "SELECT placement_version FROM schedule_events WHERE user_id = :user AND id = :id",
        user=student.id,
        id=event_id,
    )
    version = row["placement_version"]
    make = getattr(pb, f"{method}Request")
    stale = make(request_id=fresh(), event_id=event_id, if_placement_version=version - 1)
    error = await refused(student.call(method, stale))
    assert (error.code, error.reason) == (grpc.StatusCode.ABORTED, "version_mismatch")
    assert error.metadata["actual_version"] == str(version)
    await student.call(
        method, make(request_id=fresh(), event_id=event_id, if_placement_version=version)
    )


async def test_another_users_block_is_not_found(student: Person) -> None:
    _, event_id = await _scheduled(student)
    other = student.backend.someone()
    for method in ("DeleteEvent", "RevokeEvent"):
        request = getattr(pb, f"{method}Request")(request_id=fresh(), event_id=event_id)
        error = await refused(other.call(method, request))
        assert (error.code, error.reason) == (grpc.StatusCode.NOT_FOUND, "event_not_found")
    assert len(await _listed(student, first_date=_first(student), last_date=_last(student))) == 1


async def test_one_meeting_of_a_course_can_be_deleted_and_no_meeting_revoked(
    student: Person,
) -> None:
    await student.import_rows(course("高等数学", 2, "1-2节", "4-6周"))
    meeting = (await student.week_of(5)).events[0]
    error = await refused(_revoke(student, meeting.event_id))
    assert (error.code, error.reason) == (
        grpc.StatusCode.FAILED_PRECONDITION,
        "event_not_revocable",
    )
    await _delete(student, meeting.event_id)
    weeks = [len((await student.week_of(week)).events) for week in (4, 5, 6)]
    assert weeks == [1, 0, 1]


async def test_a_course_is_opened_and_closed_with_all_its_meetings(student: Person) -> None:
    await student.import_rows(
        course("形势与政策", 3, "7-8节", "4-6周"), course("英语", 4, "1-2节", "4周")
    )
    meeting = next(one for one in (await student.week_of(4)).events if one.name == "形势与政策")
    assert meeting.course_id > 0
    answers = []
    for chosen in (True, True, False):
        request = pb.SetCourseEmbeddingRequest(
            request_id=fresh(), course_id=meeting.course_id, can_be_embedded=chosen
        )
        answers.append(await student.call("SetCourseEmbedding", request))
        week = (await student.week_of(4)).events
        assert [one.can_be_embedded for one in week if one.name == "英语"] == [False]
        now = next(one for one in week if one.event_id == meeting.event_id)
        assert now.can_be_embedded == chosen
    assert [one.meeting_count for one in answers] == [3, 3, 3]
    told = [one for one in await student.told_of(events_pb2.ScheduleChanged) if one.cause == EDIT]
    assert [len(one.events) for one in told] == [3, 3]
    assert now.placement_version > meeting.placement_version


async def test_an_unknown_course_is_not_found(student: Person) -> None:
    request = pb.SetCourseEmbeddingRequest(request_id=fresh(), course_id=1, can_be_embedded=True)
    error = await refused(student.call("SetCourseEmbedding", request))
    assert (error.code, error.reason) == (grpc.StatusCode.NOT_FOUND, "course_not_found")


async def test_a_listing_has_every_block_once_in_order_of_time(student: Person) -> None:
    await student.import_rows(
        course("高等数学", 1, "1-2节", "1-20周"), course("英语", 5, "3-4节", "1-20周(单)")
    )
    await _scheduled(student)
    whole = await _listed(
        student, first_date=_first(student), last_date=_last(student), page_size=500
    )
    assert len(whole) == 31
    starts = [one.start_time.ToDatetime() for one in whole]
    assert starts == sorted(starts)
    request = pb.ListEventsRequest(
        first_date=_first(student), last_date=_last(student), page_size=7
    )
    paged: list[schedule_event_pb2.ScheduleEvent] = []
    while True:
        page = await student.call("ListEvents", request)
        paged += page.events
        if not page.next_page_token:
            break
        assert len(page.events) == 7
        request.page_token = page.next_page_token
    assert paged == whole
    courses = await _listed(
        student, first_date=_first(student), last_date=_last(student), type=COURSE
    )
    assert [one for one in whole if one.type == COURSE] == courses


async def test_a_listing_of_dates_holds_those_dates_alone(student: Person) -> None:
    await student.import_rows(course("高等数学", 3, "1-2节", "1-20周"))
    first = datetime.fromisoformat(_first(student)).date()
    for ahead, count in ((1, 0), (2, 1), (3, 0), (9, 1)):
        on = (first + timedelta(days=ahead)).isoformat()
        assert len(await _listed(student, first_date=on)) == count
    across = await _listed(
        student,
        first_date=(first + timedelta(days=2)).isoformat(),
        last_date=(first + timedelta(days=9)).isoformat(),
    )
    assert [one.place.week for one in across] == [1, 2]
    assert await _listed(student, first_date="1999-01-01", last_date="1999-12-31") == []
    for dates in (("2026-09-02", "2026-09-01"), ("2026-01-01", "2027-01-02")):
        error = await refused(_listed(student, first_date=dates[0], last_date=dates[1]))
        assert (error.code, error.reason) == (grpc.StatusCode.INVALID_ARGUMENT, "range_unusable")


async def test_a_calendar_file_has_an_entry_for_every_block(student: Person) -> None:
    await student.import_rows(course("📌高等数学,理论;课", 1, "1-2节", "1-20周"))
    answer = await student.call("ExportCalendar", pb.ExportCalendarRequest())
    assert answer.event_count == 20
    text = answer.document.decode()
    assert text.count("BEGIN:VEVENT") == 20
    assert f"TZID:{student.semester.time_zone}" in text
    assert "📌高等数学\\,理论\\;课" in text
    again = await student.call(
        "ExportCalendar",
        pb.ExportCalendarRequest(semester_id=student.semester.semester_id),
    )
    assert again.document == answer.document
    first = datetime.fromisoformat(_first(student)).date()
    some = await student.call(
        "ExportCalendar",
        pb.ExportCalendarRequest(
            first_date=first.isoformat(), last_date=(first + timedelta(days=6)).isoformat()
        ),
    )
    assert some.event_count == 1
    error = await refused(
        student.call("ExportCalendar", pb.ExportCalendarRequest(semester_id=2**62))
    )
    assert error.reason == "semester_not_found"


async def test_who_never_chose_has_the_defaults(person: Person) -> None:
    found = (await person.call("GetUserSettings", pb.GetUserSettingsRequest())).settings
    assert not found.HasField("quiet_hours")
    assert (found.time_zone, found.default_estimated_sections, found.version) == (
        "Asia/Shanghai",
        1,
        0,
    )


async def _choose(person: Person, **chosen: object) -> user_settings_pb2.UserSettings:
    settings = user_settings_pb2.UserSettings(**chosen)  # type: ignore[arg-type]
    request = pb.PutUserSettingsRequest(request_id=fresh(), settings=settings)
    found: user_settings_pb2.UserSettings = (await person.call("PutUserSettings", request)).settings
    return found


async def test_settings_read_back_and_rise_with_every_change(person: Person) -> None:
    quiet = user_settings_pb2.QuietHours(start_minute_of_day=22 * 60, end_minute_of_day=0)
    chosen = await _choose(
        person, quiet_hours=quiet, time_zone="Europe/Berlin", default_estimated_sections=2
    )
    read = (await person.call("GetUserSettings", pb.GetUserSettingsRequest())).settings
    assert read == chosen
    assert (read.quiet_hours, read.default_estimated_sections) == (quiet, 2)
    again = await _choose(
        person, quiet_hours=quiet, time_zone="Europe/Berlin", default_estimated_sections=2
    )
    assert again == chosen
    assert (await _choose(person)).version > chosen.version


@pytest.mark.parametrize(
    ("chosen", "field"),
    [
        ({"time_zone": "Mars/Olympus"}, "settings.time_zone"),
        ({"default_estimated_sections": 5}, "settings.default_estimated_sections"),
        (
            {"quiet_hours": user_settings_pb2.QuietHours(start_minute_of_day=1440)},
            "settings.quiet_hours.start_minute_of_day",
        ),
        (
            {"quiet_hours": user_settings_pb2.QuietHours()},
            "settings.quiet_hours.end_minute_of_day",
        ),
    ],
)
async def test_settings_that_cannot_be_are_refused(
    person: Person, chosen: dict[str, object], field: str
) -> None:
    error = await refused(_choose(person, **chosen))
    assert error.code is grpc.StatusCode.INVALID_ARGUMENT
    assert [one.field for one in error.violations] == [field]


async def test_settings_come_with_due_tasks_and_facts(student: Person) -> None:
    task = await student.add_task(deadline_time=datetime(2030, 1, 1, tzinfo=UTC))
    chosen = await _choose(student, default_estimated_sections=3)
    other = student.backend.someone()
    request = pb.CheckDueTasksRequest(
        tasks=[
            pb.DueTask(user_id=student.id, task_id=task.task_id),
            pb.DueTask(user_id=other.id, task_id=1),
        ]
    )
    answer = await student.backend.as_service("active_scheduler", "CheckDueTasks", request)
    assert answer.tasks[0].settings == chosen
    assert answer.tasks[1].settings.version == 0
    facts = await student.call(
        "GetSchedulingFacts",
        pb.GetSchedulingFactsRequest(target={"kind": "TARGET_KIND_TASK_POOL", "id": task.task_id}),
    )
    assert facts.settings == chosen
