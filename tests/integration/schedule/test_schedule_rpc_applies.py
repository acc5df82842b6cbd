"""Applying confirmed changes: what is written, and every reason to refuse."""

from datetime import UTC, datetime, timedelta
from typing import Any

import grpc
import pytest

from smartmate.events.v1 import events_pb2
from smartmate.schedule.v1 import apply_pb2, calendar_pb2, change_pb2
from smartmate.schedule.v1 import schedule_service_pb2 as pb
from tests.integration.schedule.people import (
    ADD,
    POOL,
    Person,
    applied,
    codes,
    course,
    fresh,
    refused,
)


async def _blocks(person: Person) -> list[dict[str, Any]]:
    return await person.backend.rows(
        """
        SELECT e.*, (SELECT array_agg(section ORDER BY section) FROM schedules s
            WHERE s.user_id = e.user_id AND s.event_id = e.id) AS sections
        FROM schedule_events e WHERE user_id = :id AND type = 'task' ORDER BY id
        """,
        id=person.id,
    )


async def test_an_accepted_apply_writes_block_sections_verdict_and_events(
    student: Person,
) -> None:
    task = await student.add_task("高数作业", estimated_sections=2)
    change = student.add(task, student.place(9, 10))
    base = await student.base_of(change)
    verdict = await student.apply(change, base=base)
    assert applied(verdict)
    (block,) = await _blocks(student)
    assert block["id"] == verdict.event_ids[0]
    assert (block["task_source_type"], block["rel_id"]) == ("task_pool", task.task_id)
    assert (block["name"], block["sections"]) == ("高数作业", [9, 10])
    assert block["apply_id"] == verdict.apply_id
    (shown,) = (await student.call("GetToday", pb.GetTodayRequest())).events
    assert shown.start_time.ToDatetime(UTC) == block["start_time"]
    assert shown.end_time.ToDatetime(UTC) == block["end_time"]
    assert block["end_time"] - block["start_time"] == timedelta(minutes=100)
    _, changed, succeeded = await student.told()
    assert isinstance(changed, events_pb2.ScheduleChanged)
    assert changed.apply_id == verdict.apply_id
    assert changed.cause == events_pb2.SCHEDULE_CHANGE_CAUSE_APPLY
    assert changed.events[0].version == block["version"]
    assert changed.events[0].source.id == task.task_id
    assert succeeded == events_pb2.ScheduleApplySucceeded(
        user_id=student.id,
        apply_id=verdict.apply_id,
        event_ids=verdict.event_ids,
        judge_time=verdict.judge_time,
    )
    answer = await student.call("GetApply", pb.GetApplyRequest(apply_id=verdict.apply_id))
    assert answer.verdict == verdict
    read = await student.call("GetTask", pb.GetTaskRequest(task_id=task.task_id))
    assert read.task == task


async def test_changes_of_one_apply_are_written_together_in_their_order(student: Person) -> None:
    tasks = [await student.add_task(f"任务{n}") for n in range(3)]
    changes = [student.add(task, student.place(12 - n), f"c{n}") for n, task in enumerate(tasks)]
    verdict = await student.apply(*changes)
    blocks = {block["id"]: block["rel_id"] for block in await _blocks(student)}
    assert [blocks[id_] for id_ in verdict.event_ids] == [task.task_id for task in tasks]


async def test_one_bad_change_refuses_them_all(student: Person) -> None:
    good, bad = await student.add_task(), await student.add_task()
    place = student.place(9, week=21)
    verdict = await student.apply(
        student.add(good, student.place(9), "good"), student.add(bad, place, "bad")
    )
    assert codes(verdict) == ["out_of_semester"]
    assert verdict.refusals[0].change_id == "bad"
    assert await _blocks(student) == []


async def test_the_same_attempt_gets_the_same_verdict(student: Person) -> None:
    task = await student.add_task()
    change = student.add(task, student.place(9))
    first = await student.apply(change, apply_id="asa_1")
    assert await student.apply(change, apply_id="asa_1") == first
    assert await student.apply(change, apply_id="asa_1", base={"cell:1:1:1:1": "x"}) == first
    assert len(await _blocks(student)) == 1
    assert len(await student.told_of(events_pb2.ScheduleApplySucceeded)) == 1


async def test_a_refusal_is_kept_too(student: Person) -> None:
    task = await student.add_task()
    change = student.add(task, student.place(9, week=1))
    first = await student.apply(change, apply_id="asa_1")
    assert codes(first) == ["in_the_past"]
    assert await student.apply(change, apply_id="asa_1") == first
    (failed,) = await student.told_of(events_pb2.ScheduleApplyFailed)
    assert failed.refusals == first.refusals
    assert failed.judge_time == first.judge_time
    assert await student.told_of(events_pb2.ScheduleChanged) == []


async def test_other_changes_under_the_same_id_are_a_conflict(student: Person) -> None:
    task = await student.add_task()
    await student.apply(student.add(task, student.place(9)), apply_id="asa_1")
    error = await refused(student.apply(student.add(task, student.place(11)), apply_id="asa_1"))
    assert (error.code, error.reason) == (grpc.StatusCode.ALREADY_EXISTS, "idempotency_conflict")
    assert len(await _blocks(student)) == 1


async def test_an_apply_id_is_the_users_own(student: Person) -> None:
    other = student.backend.someone()
    await other.begin_semester()
    for person in (student, other):
        task = await person.add_task()
        assert applied(await person.apply(person.add(task, person.place(9)), apply_id="asa_1"))
    error = await refused(
        student.backend.someone().call("GetApply", pb.GetApplyRequest(apply_id="asa_1"))
    )
    assert (error.code, error.reason) == (grpc.StatusCode.NOT_FOUND, "apply_not_found")


async def test_past_its_time_an_apply_expires_and_that_is_kept(student: Person) -> None:
    task = await student.add_task()
    change = student.add(task, student.place(9))
    long_ago = datetime.now(UTC) - timedelta(minutes=10)
    verdict = await student.apply(change, apply_id="asa_1", not_after=long_ago)
    assert codes(verdict) == ["expired"]
    assert await student.apply(change, apply_id="asa_1") == verdict
    later = datetime.now(UTC) + timedelta(minutes=10)
    assert applied(await student.apply(change, not_after=later))


async def test_targets_that_are_not_the_users_are_not_found(student: Person) -> None:
    other = student.backend.someone()
    theirs = await other.add_task()
    gone = await student.add_task()
    await student.call("DeleteTask", pb.DeleteTaskRequest(request_id=fresh(), task_id=gone.task_id))
    for task in (theirs.task_id, gone.task_id, 2**63 - 1):
        assert codes(await student.apply(student.add(task, student.place(9)))) == [
            "target_not_found"
        ]


async def test_a_completed_target_is_refused(student: Person) -> None:
    task = await student.add_task()
    await student.call(
        "CompleteTask", pb.CompleteTaskRequest(request_id=fresh(), task_id=task.task_id)
    )
    verdict = await student.apply(student.add(task, student.place(9)))
    assert codes(verdict) == ["target_completed"]


async def test_a_target_that_lies_ahead_is_not_placed_again(student: Person) -> None:
    task = await student.add_task("高数作业")
    first = await student.apply(student.add(task, student.place(9, days=30)))
    verdict = await student.apply(student.add(task, student.place(9)))
    assert codes(verdict) == ["target_already_scheduled"]
    assert verdict.refusals[0].event_id == first.event_ids[0]
    assert verdict.refusals[0].event_name == "高数作业"
    (failed,) = await student.told_of(events_pb2.ScheduleApplyFailed)
    assert failed.refusals[0].event_id == first.event_ids[0]
    assert failed.refusals[0].event_name == ""


async def test_doing_it_again_after_a_removal_works(student: Person) -> None:
    """B006: the key names the attempt, not the content."""
    task = await student.add_task()
    change = student.add(task, student.place(9))
    await student.apply(change)
    other = await student.add_task()
    await student.call("DeleteTask", pb.DeleteTaskRequest(request_id=fresh(), task_id=task.task_id))
    assert applied(await student.apply(student.add(other, student.place(9))))


async def test_a_taken_cell_is_named(student: Person) -> None:
    day = student.today.isoweekday()
    await student.import_rows(course("体育", day, "9-10", "1-16周"))
    (occupant,) = (await student.call("GetToday", pb.GetTodayRequest())).events
    task = await student.add_task()
    verdict = await student.apply(student.add(task, student.place(8, 9)))
    (refusal,) = verdict.refusals
    assert codes(verdict) == ["slot_conflict"]
    assert (refusal.event_id, refusal.event_name) == (occupant.event_id, "体育")
    assert (refusal.place.first_section, refusal.place.last_section) == (9, 9)
    assert refusal.place.week == student.week


async def test_two_changes_never_share_a_cell(student: Person) -> None:
    one, other = await student.add_task(), await student.add_task()
    verdict = await student.apply(
        student.add(one, student.place(9, 10), "a"), student.add(other, student.place(10), "b")
    )
    assert codes(verdict) == ["slot_conflict", "slot_conflict"]


@pytest.mark.parametrize(
    ("fields", "code"),
    [
        ({"week": 1}, "in_the_past"),
        ({"week": 0}, "out_of_semester"),
        ({"week": 21}, "out_of_semester"),
        ({"week": 2**31 - 1}, "out_of_semester"),
        ({"day_of_week": 8}, "out_of_semester"),
        ({"first_section": 13, "last_section": 13}, "out_of_semester"),
        ({"first_section": -1, "last_section": -1}, "out_of_semester"),
        ({"semester_id": 2**62}, "out_of_semester"),
        ({"semester_id": -5}, "out_of_semester"),
        ({"first_section": 1, "last_section": 5}, "invalid_edited_changes"),
        ({"first_section": 5, "last_section": 4}, "invalid_edited_changes"),
        ({"first_section": 1, "last_section": 2**31 - 1}, "invalid_edited_changes"),
    ],
)
async def test_places_that_cannot_be_are_refused(
    student: Person, fields: dict[str, int], code: str
) -> None:
    task = await student.add_task()
    verdict = await student.apply(student.add(task, student.place(9, **fields)))
    assert set(codes(verdict)) == {code}
    assert await _blocks(student) == []


async def test_another_users_semester_is_out_of_reach(student: Person) -> None:
    other = student.backend.someone()
    await other.begin_semester()
    task = await student.add_task()
    theirs = calendar_pb2.Place()
    theirs.CopyFrom(student.place(9))
    theirs.semester_id = other.semester.semester_id
    assert codes(await student.apply(student.add(task, theirs))) == ["out_of_semester"]


@pytest.mark.parametrize("type_", ["PLACE", "MOVE", "UNEMBED", "REMOVE"])
async def test_a_type_that_is_not_for_tasks_of_the_pool_is_refused(
    student: Person, type_: str
) -> None:
    task = await student.add_task()
    change = student.add(task, student.place(9))
    change.type = change_pb2.ChangeType.Value(f"CHANGE_TYPE_{type_}")
    assert codes(await student.apply(change)) == ["unsupported_change_type"]
    for kind in (change_pb2.TARGET_KIND_TASK_ITEM, change_pb2.TARGET_KIND_SCHEDULE_EVENT):
        change = student.add(task, student.place(9))
        change.target.kind = kind
        assert codes(await student.apply(change)) == ["unsupported_change_type"]


async def test_changes_without_a_place_or_with_doubled_ids_are_refused(student: Person) -> None:
    one, other = await student.add_task(), await student.add_task()
    assert codes(await student.apply(student.add(one, None))) == ["invalid_edited_changes"]
    doubled = await student.apply(
        student.add(one, student.place(9), "a"), student.add(other, student.place(10), "a")
    )
    assert codes(doubled) == ["invalid_edited_changes"]


async def test_renames_and_changes_elsewhere_spoil_no_plan(student: Person) -> None:
    """B012: the base holds what the change touches, and no names."""
    day = student.today.isoweekday()
    await student.import_rows(course("体育", day, "1-2", "1-16周"))
    task, elsewhere = await student.add_task(), await student.add_task()
    change = student.add(task, student.place(9))
    base = await student.base_of(change)
    await student.import_rows(course("体育课", day, "1-2", "1-16周"))
    await student.call(
        "UpdateTask",
        pb.UpdateTaskRequest(
            request_id=fresh(),
            task_id=task.task_id,
            task=pb.TaskInput(title="新名字", quadrant="QUADRANT_NEITHER"),
        ),
    )
    await student.apply(student.add(elsewhere, student.place(10)))
    assert applied(await student.apply(change, base=base))


@pytest.mark.parametrize("what", ["cell", "estimate", "target_events", "semester"])
async def test_what_a_change_touches_spoils_its_plan(student: Person, what: str) -> None:
    """B013: a changed cell or row refuses, and the refusal says what differs."""
    task, other = await student.add_task(), await student.add_task()
    change = student.add(task, student.place(9))
    base = await student.base_of(change)
    if what == "cell":
        await student.apply(student.add(other, student.place(9)))
    elif what == "estimate":
        asked = pb.TaskInput(title="高数作业", quadrant="QUADRANT_IMPORTANT", estimated_sections=3)
        request = pb.UpdateTaskRequest(request_id=fresh(), task_id=task.task_id, task=asked)
        await student.call("UpdateTask", request)
    elif what == "target_events":
        base[f"target_events:task_pool:{task.task_id}"] = "17"
    else:
        semester = calendar_pb2.Semester()
        semester.CopyFrom(student.semester)
        semester.week_count += 1
        put = pb.PutSemesterRequest(request_id=fresh(), semester=semester)
        await student.call("PutSemester", put)
    verdict = await student.apply(change, base=base)
    assert codes(verdict) == ["base_version_changed"]
    (entry,) = verdict.refusals[0].base_entries
    assert entry.expected == base[entry.key] != entry.actual
    assert [one["rel_id"] for one in await _blocks(student)] in ([], [other.task_id])


async def test_the_base_may_name_other_days(student: Person) -> None:
    task, other = await student.add_task(), await student.add_task()
    change = student.add(task, student.place(9))
    base = await student.base_of(change)
    place = student.place(3, days=9)
    verdict = await student.apply(student.add(other, place))
    key = f"cell:{place.semester_id}:{place.week}:{place.day_of_week}:3"
    (block,) = await _blocks(student)
    base[key] = f"{verdict.event_ids[0]}:{block['placement_version']}"
    assert applied(await student.apply(change, base=base))


async def test_a_check_says_what_an_apply_would_and_writes_nothing(student: Person) -> None:
    task = await student.add_task()
    change = student.add(task, student.place(9))
    free = await student.call("CheckChanges", pb.CheckChangesRequest(changes=[change]))
    assert list(free.refusals) == []
    assert await _blocks(student) == []
    assert applied(await student.apply(change, base=dict(free.base)))
    taken = await student.call("CheckChanges", pb.CheckChangesRequest(changes=[change]))
    assert [one.code for one in taken.refusals] == [apply_pb2.REFUSAL_CODE_TARGET_ALREADY_SCHEDULED]
    assert taken.base != free.base


@pytest.mark.parametrize(
    "request_",
    [
        pb.ApplyChangesRequest(),
        pb.ApplyChangesRequest(apply_id="x"),
        pb.ApplyChangesRequest(apply_id="x", changes=[change_pb2.ScheduleChange()]),
        pb.ApplyChangesRequest(
            apply_id="x" * 65,
            changes=[
                change_pb2.ScheduleChange(
                    change_id="c", type=ADD, target=change_pb2.Target(kind=POOL, id=1)
                )
            ],
        ),
        pb.ApplyChangesRequest(
            apply_id="x",
            changes=[
                change_pb2.ScheduleChange(
                    change_id="c", type=ADD, target=change_pb2.Target(kind=POOL, id=0)
                )
            ],
        ),
        pb.ApplyChangesRequest(
            apply_id="x",
            changes=[
                change_pb2.ScheduleChange(
                    change_id=f"c{n}", type=ADD, target=change_pb2.Target(kind=POOL, id=1)
                )
                for n in range(301)
            ],
        ),
        pb.ApplyChangesRequest(
            apply_id="x",
            changes=[
                change_pb2.ScheduleChange(
                    change_id="c", type=ADD, target=change_pb2.Target(kind=POOL, id=1)
                )
            ],
            base={"a": "\0"},
        ),
    ],
)
async def test_misshapen_applies_leave_no_verdict(
    student: Person, request_: pb.ApplyChangesRequest
) -> None:
    error = await refused(student.call("ApplyChanges", request_))
    assert (error.code, error.reason) == (grpc.StatusCode.INVALID_ARGUMENT, "invalid_request")
    assert await student.told() == []
