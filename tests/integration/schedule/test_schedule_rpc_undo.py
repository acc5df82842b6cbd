"""Taking applies back: exactly what they did, and nothing that came later."""

import asyncio

import grpc
import pytest

from libs.rpc.errors import RemoteError
from smartmate.events.v1 import events_pb2
from smartmate.schedule.v1 import apply_pb2
from smartmate.schedule.v1 import schedule_service_pb2 as pb
from tests.integration.schedule.people import Person, applied, codes, fresh, refused
from tests.integration.schedule.plans import (
    EVENT,
    ITEM,
    add_class,
    change,
    make_past,
    places,
    standing,
    undo,
)

Reasons = apply_pb2.KeptReason


async def _block(student: Person, first: int, last: int, *, days: int = 1) -> tuple[int, int]:
    task = await student.add_task(f"任务{fresh()[:4]}")
    verdict = await student.apply(student.add(task, student.place(first, last, days=days)))
    assert applied(verdict), verdict
    return task.task_id, verdict.event_ids[0]


def _kept(verdict: apply_pb2.ApplyVerdict) -> dict[int, str]:
    return {
        one.event_id: Reasons.Name(one.reason).removeprefix("KEPT_REASON_").lower()
        for one in verdict.kept_events
    }


async def test_an_added_block_leaves_and_its_task_is_looked_at_again(student: Person) -> None:
    task = await student.add_task()
    done = await student.apply(student.add(task, student.place(5, 6, days=1)))
    verdict = await undo(student)
    assert applied(verdict), verdict
    assert verdict.undoes_apply_id == done.apply_id
    assert list(verdict.event_ids) == list(done.event_ids)
    assert await standing(student) == []
    told = (await student.told_of(events_pb2.TaskChanged))[-1]
    assert (told.task_id, told.version) == (task.task_id, told.urgency_version)
    said = (await student.told_of(events_pb2.ScheduleApplySucceeded))[-1]
    assert (said.apply_id, said.undoes_apply_id) == (verdict.apply_id, done.apply_id)
    assert applied(await student.apply(student.add(task, student.place(5, 6, days=1))))


async def test_a_removed_block_comes_back_as_itself(student: Person) -> None:
    _, event_id = await _block(student, 5, 6)
    before = await standing(student)
    await student.apply(change("remove", EVENT, event_id))
    assert await standing(student) == []
    assert applied(await undo(student))
    (after,) = await standing(student)
    assert places([after]) == places(before)
    assert (after.name, after.source) == (before[0].name, before[0].source)
    assert after.placement_version > before[0].placement_version


async def test_a_swap_is_taken_back_as_one(student: Person) -> None:
    _, one = await _block(student, 5, 6, days=1)
    _, other = await _block(student, 5, 6, days=2)
    before = places(await standing(student))
    await student.apply(
        change("move", EVENT, one, student.place(5, 6, days=2)),
        change("move", EVENT, other, student.place(5, 6, days=1), change_id="c2"),
    )
    assert places(await standing(student)) != before
    assert applied(await undo(student))
    assert places(await standing(student)) == before


async def test_a_compression_gives_the_length_back(student: Person) -> None:
    _, unfinished = await _block(student, 1, 2)
    await make_past(student, unfinished)
    _, following = await _block(student, 5, 7)
    before = places(await standing(student))
    await student.apply(
        change(
            "compress",
            EVENT,
            following,
            student.place(6, 7, days=1),
            seen=student.place(5, 7, days=1),
        ),
        change("compress", EVENT, unfinished, student.place(5, days=1), change_id="c2"),
    )
    verdict = await undo(student)
    assert applied(verdict), verdict
    assert places(await standing(student)) == before


async def test_a_named_apply_is_taken_back_though_it_is_not_the_latest(student: Person) -> None:
    _, one = await _block(student, 5, 6, days=1)
    moved = await student.apply(change("move", EVENT, one, student.place(9, 10, days=1)))
    _, other = await _block(student, 5, 6, days=3)
    verdict = await undo(student, moved.apply_id)
    assert applied(verdict)
    after = places(await standing(student))
    assert set(after) == {one, other}
    assert after[one][2:4] == (5, 6)


async def test_without_a_name_one_apply_after_the_other_is_taken_back(student: Person) -> None:
    blocks = [await _block(student, 5, 6, days=1 + n) for n in range(3)]
    for left in (2, 1, 0):
        assert applied(await undo(student))
        assert set(places(await standing(student))) == {event for _, event in blocks[:left]}
    error = await refused(undo(student))
    assert (error.code, error.reason) == (grpc.StatusCode.NOT_FOUND, "apply_not_found")


async def test_an_undo_is_judged_once_and_an_apply_taken_back_once(student: Person) -> None:
    task = await student.add_task()
    done = await student.apply(student.add(task, student.place(5, 6, days=1)))
    first = await undo(student, done.apply_id, apply_id="asa_undo")
    assert await undo(student, done.apply_id, apply_id="asa_undo") == first
    error = await refused(undo(student, done.apply_id))
    assert (error.code, error.reason) == (
        grpc.StatusCode.FAILED_PRECONDITION,
        "apply_already_undone",
    )
    assert error.metadata["apply_id"] == "asa_undo"
    error = await refused(undo(student, "asa_undo"))
    assert error.reason == "apply_not_undoable"
    error = await refused(undo(student, "", apply_id="asa_undo"))
    assert (error.code, error.reason) == (
        grpc.StatusCode.ALREADY_EXISTS,
        "idempotency_conflict",
    )
    found = await student.call("GetApply", pb.GetApplyRequest(apply_id="asa_undo"))
    assert found.verdict == first


async def test_a_refused_apply_and_a_strangers_are_not_found(student: Person) -> None:
    refused_apply = await student.apply(student.add(1, student.place(5, days=1)))
    assert not applied(refused_apply)
    other = student.backend.someone()
    await other.begin_semester()
    task = await other.add_task()
    theirs = await other.apply(other.add(task, other.place(5, days=1)))
    for apply_id in (refused_apply.apply_id, theirs.apply_id, "asa_nobody"):
        error = await refused(undo(student, apply_id))
        assert (error.code, error.reason) == (grpc.StatusCode.NOT_FOUND, "apply_not_found")
    assert len(await standing(other)) == 1


async def test_what_moved_since_stays_and_is_reported_and_the_rest_goes_back(
    student: Person,
) -> None:
    _, one = await _block(student, 5, 6, days=1)
    _, other = await _block(student, 5, 6, days=2)
    done = await student.apply(
        change("move", EVENT, one, student.place(9, 10, days=1)),
        change("move", EVENT, other, student.place(9, 10, days=2), change_id="c2"),
    )
    await student.apply(change("move", EVENT, one, student.place(1, 2, days=4)))
    verdict = await undo(student, done.apply_id)
    assert applied(verdict), verdict
    assert _kept(verdict) == {one: "changed_since"}
    assert verdict.kept_events[0].event_name.startswith("任务")
    assert list(verdict.event_ids) == [other]
    after = places(await standing(student))
    assert after[one][2:4] == (1, 2)
    assert after[other][2:4] == (5, 6)


async def test_a_renamed_block_did_not_move(student: Person) -> None:
    task_id, event_id = await _block(student, 5, 6)
    done = await student.apply(change("move", EVENT, event_id, student.place(9, 10, days=1)))
    await student.call(
        "UpdateTask",
        pb.UpdateTaskRequest(
            request_id=fresh(),
            task_id=task_id,
            task=pb.TaskInput(title="新名字", quadrant="QUADRANT_URGENT"),
        ),
    )
    assert applied(await undo(student, done.apply_id))
    (event,) = await standing(student)
    assert (event.name, event.place.first_section) == ("新名字", 5)


async def test_pieces_of_a_swap_stay_together_when_one_has_moved(student: Person) -> None:
    _, one = await _block(student, 5, 6, days=1)
    _, other = await _block(student, 5, 6, days=2)
    swapped = await student.apply(
        change("move", EVENT, one, student.place(5, 6, days=2)),
        change("move", EVENT, other, student.place(5, 6, days=1), change_id="c2"),
    )
    await student.apply(change("move", EVENT, one, student.place(9, 10, days=5)))
    before = places(await standing(student))
    verdict = await undo(student, swapped.apply_id)
    assert not applied(verdict)
    assert _kept(verdict) == {one: "changed_since", other: "belongs_together"}
    assert codes(verdict) == ["base_version_changed", "base_version_changed"]
    assert places(await standing(student)) == before


async def test_what_has_begun_stays(student: Person) -> None:
    _, one = await _block(student, 5, 6, days=1)
    await student.backend.execute(
        "UPDATE semesters SET first_day = first_day - 7 WHERE user_id = :user", user=student.id
    )
    verdict = await undo(student)
    assert codes(verdict) == ["in_the_past"]
    assert _kept(verdict) == {one: "has_begun"}


async def test_what_is_gone_is_reported(student: Person) -> None:
    _, event_id = await _block(student, 5, 6)
    await student.call("DeleteEvent", pb.DeleteEventRequest(request_id=fresh(), event_id=event_id))
    verdict = await undo(student)
    assert not applied(verdict)
    assert _kept(verdict) == {event_id: "gone"}


async def test_a_place_that_is_taken_by_now_refuses_the_undo(student: Person) -> None:
    _, event_id = await _block(student, 5, 6)
    done = await student.apply(change("move", EVENT, event_id, student.place(9, 10, days=1)))
    _, new = await _block(student, 5, 6)
    before = places(await standing(student))
    verdict = await undo(student, done.apply_id)
    assert codes(verdict) == ["slot_conflict", "slot_conflict"]
    assert verdict.refusals[0].event_id == new
    assert places(await standing(student)) == before
    await student.call("DeleteEvent", pb.DeleteEventRequest(request_id=fresh(), event_id=new))
    assert applied(await undo(student, done.apply_id))


async def test_an_item_comes_back_only_where_its_order_lets_it(student: Person) -> None:
    found = await add_class(student, "一", "二")
    first, second = (one.task_item_id for one in found.items)
    placed = await student.apply(change("place", ITEM, second, student.place(5, 6, days=2)))
    removed = await student.apply(change("remove", EVENT, placed.event_ids[0]))
    await student.apply(change("place", ITEM, first, student.place(5, 6, days=3)))
    verdict = await undo(student, removed.apply_id)
    assert codes(verdict) == ["order_violation"]
    assert "「二」" in verdict.refusals[0].reason


async def test_a_block_of_a_deleted_task_does_not_come_back(student: Person) -> None:
    task_id, event_id = await _block(student, 5, 6)
    removed = await student.apply(change("remove", EVENT, event_id))
    await student.call("DeleteTask", pb.DeleteTaskRequest(request_id=fresh(), task_id=task_id))
    assert codes(await undo(student, removed.apply_id)) == ["target_not_found"]


async def test_a_task_that_was_placed_again_is_not_doubled(student: Person) -> None:
    task_id, event_id = await _block(student, 5, 6)
    removed = await student.apply(change("remove", EVENT, event_id))
    await student.apply(student.add(task_id, student.place(9, 10, days=1)))
    assert codes(await undo(student, removed.apply_id)) == ["target_already_scheduled"]


@pytest.mark.parametrize("same", [True, False])
async def test_ten_undos_at_once_take_an_apply_back_once(student: Person, same: bool) -> None:
    _, event_id = await _block(student, 5, 6)
    done = await student.apply(change("move", EVENT, event_id, student.place(9, 10, days=1)))
    calls = [undo(student, done.apply_id, apply_id="asa_same" if same else None) for _ in range(10)]
    answers = await asyncio.gather(*calls, return_exceptions=True)
    verdicts = [one for one in answers if isinstance(one, apply_pb2.ApplyVerdict)]
    errors = [one for one in answers if isinstance(one, RemoteError)]
    assert len(verdicts) == (10 if same else 1)
    assert all(one == verdicts[0] and applied(one) for one in verdicts)
    assert {one.reason for one in errors} <= {"apply_already_undone"}
    said = await student.told_of(events_pb2.ScheduleApplySucceeded)
    assert [one.undoes_apply_id for one in said].count(done.apply_id) == 1
