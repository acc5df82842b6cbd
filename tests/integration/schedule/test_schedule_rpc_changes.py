"""ApplyChanges for every kind of change, several at once, judged by the state they lead to."""

import pytest

from smartmate.events.v1 import events_pb2
from smartmate.schedule.v1 import apply_pb2, schedule_event_pb2, task_class_pb2, task_pb2
from smartmate.schedule.v1 import schedule_service_pb2 as pb
from tests.integration.schedule.people import Person, applied, codes, course, fresh, refused
from tests.integration.schedule.plans import (
    EVENT,
    ITEM,
    POOL,
    add_class,
    change,
    make_past,
    open_course,
    places,
    standing,
)


async def _host(student: Person) -> schedule_event_pb2.ScheduleEvent:
    """A meeting of the day after tomorrow, sections 7-8, that may host work."""
    day = (student.today.isoweekday() + 1) % 7 + 1
    await student.import_rows(course("形势与政策", day, "7-8节", "1-20周"))
    week = student.place(7, days=2).week
    meeting = next(
        one for one in (await student.week_of(week)).events if one.place.day_of_week == day
    )
    await open_course(student, meeting.course_id)
    return next(
        one for one in (await student.week_of(week)).events if one.event_id == meeting.event_id
    )


async def _block(student: Person, first: int, last: int, *, days: int = 1) -> tuple[int, int]:
    """A new task with a block there: (task, block)."""
    task = await student.add_task(f"任务{fresh()[:4]}")
    verdict = await student.apply(student.add(task, student.place(first, last, days=days)))
    assert applied(verdict), verdict
    return task.task_id, verdict.event_ids[0]


async def _class(student: Person, *contents: str) -> task_class_pb2.TaskClass:
    return await add_class(student, *(contents or ("一", "二", "三")))


async def test_an_item_is_placed_and_is_not_placed_twice(student: Person) -> None:
    found = await _class(student)
    item = found.items[0].task_item_id
    verdict = await student.apply(change("place", ITEM, item, student.place(5, 6, days=1)))
    (event,) = await standing(student)
    assert list(verdict.event_ids) == [event.event_id]
    assert (event.source.kind, event.source.id) == (ITEM, item)
    again = await student.apply(change("place", ITEM, item, student.place(5, 6, days=2)))
    assert codes(again) == ["target_already_scheduled"]
    assert again.refusals[0].event_id == event.event_id


async def test_items_out_of_order_are_refused_with_the_range_that_is_left(
    student: Person,
) -> None:
    found = await _class(student)
    first, second, third = (one.task_item_id for one in found.items)
    await student.apply(change("place", ITEM, third, student.place(5, 6, days=4)))
    await student.apply(change("place", ITEM, first, student.place(5, 6, days=2)))
    verdict = await student.apply(change("place", ITEM, second, student.place(5, 6, days=1)))
    assert codes(verdict) == ["order_violation"]
    (refusal,) = verdict.refusals
    assert refusal.after == student.place(5, 6, days=2)
    assert refusal.before == student.place(5, 6, days=4)
    assert (refusal.detail, refusal.event_name) == ("after", "一")
    assert "「二」" in refusal.reason
    stored = (await student.call("GetApply", pb.GetApplyRequest(apply_id=verdict.apply_id))).verdict
    assert stored == verdict
    told = (await student.told_of(events_pb2.ScheduleApplyFailed))[-1]
    assert (told.refusals[0].reason, told.refusals[0].event_name) == ("", "")
    assert applied(await student.apply(change("place", ITEM, second, student.place(5, 6, days=3))))


async def test_a_block_moves_and_keeps_its_id(student: Person) -> None:
    _, event_id = await _block(student, 5, 6)
    (before,) = await standing(student)
    target = student.place(6, 7, days=1)
    verdict = await student.apply(
        change("move", EVENT, event_id, target, seen=student.place(5, 6, days=1))
    )
    assert list(verdict.event_ids) == [event_id]
    (after,) = await standing(student)
    assert (after.event_id, after.place) == (event_id, target)
    assert after.placement_version > before.placement_version
    assert after.start_time.ToDatetime() > before.start_time.ToDatetime()
    told = (await student.told_of(events_pb2.ScheduleChanged))[-1]
    assert [(one.event_id, one.place) for one in told.events] == [(event_id, target)]
    assert told.apply_id == verdict.apply_id


async def test_two_blocks_exchange_their_places(student: Person) -> None:
    _, one = await _block(student, 5, 6, days=1)
    _, other = await _block(student, 5, 6, days=2)
    before = places(await standing(student))
    verdict = await student.apply(
        change("move", EVENT, one, student.place(5, 6, days=2)),
        change("move", EVENT, other, student.place(5, 6, days=1), change_id="c2"),
    )
    assert applied(verdict)
    after = places(await standing(student))
    assert (after[one], after[other]) == (before[other], before[one])


async def test_one_bad_change_of_many_refuses_all_and_is_named(student: Person) -> None:
    blocks = [await _block(student, 5, 6, days=1 + n) for n in range(5)]
    before = places(await standing(student))
    moves = [
        change("move", EVENT, event, student.place(9, 10, days=1 + n), change_id=f"c{n}")
        for n, (_, event) in enumerate(blocks)
    ]
    moves[3].to.CopyFrom(student.place(5, 6, days=8))
    clash = await student.add_task()
    await student.apply(student.add(clash, student.place(6, days=8)))
    verdict = await student.apply(*moves)
    assert codes(verdict) == ["slot_conflict"]
    assert [one.change_id for one in verdict.refusals] == ["c3"]
    assert {id_: at for id_, at in places(await standing(student)).items() if id_ in before} == (
        before
    )


async def test_a_block_is_removed_and_its_task_is_looked_at_again(student: Person) -> None:
    task_id, event_id = await _block(student, 5, 6)
    before = len(await student.told_of(events_pb2.TaskChanged))
    verdict = await student.apply(change("remove", EVENT, event_id))
    assert list(verdict.event_ids) == [event_id]
    assert await standing(student) == []
    told = await student.told_of(events_pb2.TaskChanged)
    assert len(told) == before + 1
    assert (told[-1].task_id, told[-1].version) == (task_id, told[-1].urgency_version)


async def test_a_task_placed_anew_by_the_same_apply_is_not_looked_at_again(
    student: Person,
) -> None:
    task_id, event_id = await _block(student, 5, 6)
    before = len(await student.told_of(events_pb2.TaskChanged))
    verdict = await student.apply(
        change("remove", EVENT, event_id),
        change("add", POOL, task_id, student.place(9, 10, days=1), change_id="c2"),
    )
    assert applied(verdict)
    assert verdict.event_ids[0] == event_id
    (event,) = await standing(student)
    assert event.event_id == verdict.event_ids[1]
    assert len(await student.told_of(events_pb2.TaskChanged)) == before


async def test_a_makeup_stands_beside_the_block_that_was_not_done(student: Person) -> None:
    task_id, event_id = await _block(student, 5, 6)
    await make_past(student, event_id)
    verdict = await student.apply(
        change("create_makeup", EVENT, event_id, student.place(9, 10, days=1))
    )
    assert applied(verdict), verdict
    past, makeup = await standing(student)
    assert (past.event_id, makeup.event_id) == (event_id, verdict.event_ids[0])
    assert (makeup.makeup_for_event_id, makeup.source.id) == (event_id, task_id)
    again = await student.apply(
        change("create_makeup", POOL, task_id, student.place(9, 10, days=2))
    )
    assert codes(again) == ["target_already_scheduled"]


async def test_a_makeup_of_an_item_keeps_class_and_order(student: Person) -> None:
    found = await _class(student)
    verdict = await student.apply(
        change("place", ITEM, found.items[1].task_item_id, student.place(5, 6, days=1))
    )
    await make_past(student, verdict.event_ids[0])
    await student.apply(
        change("place", ITEM, found.items[2].task_item_id, student.place(5, 6, days=2))
    )
    late = await student.apply(
        change("create_makeup", EVENT, verdict.event_ids[0], student.place(5, 6, days=3))
    )
    assert codes(late) == ["order_violation"]
    makeup = await student.apply(
        change("create_makeup", EVENT, verdict.event_ids[0], student.place(9, 10, days=1)),
        change(
            "move",
            EVENT,
            (await standing(student))[1].event_id,
            student.place(5, 6, days=3),
            change_id="c2",
        ),
    )
    assert applied(makeup), makeup
    event = next(one for one in await standing(student) if one.event_id == makeup.event_ids[0])
    assert (event.task_class_id, event.task_order) == (found.task_class_id, 2)


async def test_two_tasks_share_the_place_of_one(student: Person) -> None:
    unfinished_task, unfinished = await _block(student, 1, 2)
    await make_past(student, unfinished)
    _, following = await _block(student, 5, 7)
    verdict = await student.apply(
        change(
            "compress",
            EVENT,
            following,
            student.place(6, 7, days=1),
            seen=student.place(5, 7, days=1),
        ),
        change("compress", EVENT, unfinished, student.place(5, days=1), change_id="c2"),
    )
    assert applied(verdict), verdict
    found = {one.event_id: one for one in await standing(student)}
    rest, part = found[following], found[verdict.event_ids[1]]
    assert (rest.place.first_section, rest.place.last_section) == (6, 7)
    assert (part.place.first_section, part.place.last_section) == (5, 5)
    assert (part.makeup_for_event_id, part.source.id) == (unfinished, unfinished_task)
    assert found[unfinished].place.week == rest.place.week - 1


async def test_half_a_compression_is_refused(student: Person) -> None:
    _, following = await _block(student, 5, 7)
    verdict = await student.apply(
        change(
            "compress",
            EVENT,
            following,
            student.place(6, 7, days=1),
            seen=student.place(5, 7, days=1),
        )
    )
    assert codes(verdict) == ["invalid_edited_changes"]
    assert verdict.refusals[0].detail == "compress_pair"


async def test_work_goes_into_a_course_and_out_of_it_again(student: Person) -> None:
    host = await _host(student)
    task = await student.add_task()
    verdict = await student.apply(
        change("embed", POOL, task.task_id, host.place, host=host.event_id)
    )
    assert applied(verdict), verdict
    guest = next(one for one in await standing(student) if one.host_event_id)
    assert (guest.host_event_id, guest.place) == (host.event_id, host.place)
    other = await student.add_task()
    second = await student.apply(
        change("embed", POOL, other.task_id, host.place, host=host.event_id)
    )
    assert codes(second) == ["slot_conflict", "slot_conflict"]
    assert second.refusals[0].event_id == guest.event_id
    out = await student.apply(
        change("unembed", EVENT, guest.event_id, student.place(5, 6, days=1), seen=host.place)
    )
    assert applied(out)
    assert not any(one.host_event_id for one in await standing(student))
    back = await student.apply(
        change("embed", EVENT, guest.event_id, host.place, host=host.event_id)
    )
    assert applied(back)


async def test_a_host_takes_a_guest_for_each_of_its_sections(student: Person) -> None:
    host = await _host(student)
    tasks = [await student.add_task() for _ in range(2)]
    verdict = await student.apply(
        *(
            change(
                "add",
                POOL,
                task.task_id,
                student.place(7 + n, days=2),
                host=host.event_id,
                change_id=f"c{n}",
            )
            for n, task in enumerate(tasks)
        )
    )
    assert applied(verdict), verdict
    assert sum(one.host_event_id == host.event_id for one in await standing(student)) == 2


async def test_a_course_that_is_not_open_hosts_nothing(student: Person) -> None:
    host = await _host(student)
    await open_course(student, host.course_id, opened=False)
    task = await student.add_task()
    verdict = await student.apply(
        change("embed", POOL, task.task_id, host.place, host=host.event_id)
    )
    assert codes(verdict) == ["slot_conflict"]
    assert verdict.refusals[0].detail == "host_locked"


async def test_a_course_is_not_closed_around_work(student: Person) -> None:
    host = await _host(student)
    task = await student.add_task()
    verdict = await student.apply(
        change("embed", POOL, task.task_id, host.place, host=host.event_id)
    )
    error = await refused(open_course(student, host.course_id, opened=False))
    assert error.reason == "course_hosts_work"
    assert error.metadata["event_ids"] == str(verdict.event_ids[0])
    await student.apply(change("remove", EVENT, verdict.event_ids[0]))
    await open_course(student, host.course_id, opened=False)


async def test_a_deleted_host_sends_its_guests_back(student: Person) -> None:
    host = await _host(student)
    task = await student.add_task()
    verdict = await student.apply(
        change("embed", POOL, task.task_id, host.place, host=host.event_id)
    )
    answer = await student.call(
        "DeleteEvent", pb.DeleteEventRequest(request_id=fresh(), event_id=host.event_id)
    )
    assert [one.event_id for one in answer.pending_events] == list(verdict.event_ids)
    assert verdict.event_ids[0] not in places(await standing(student))
    told = (await student.told_of(events_pb2.TaskChanged))[-1]
    assert (told.task_id, told.version) == (task.task_id, told.urgency_version)
    assert applied(await student.apply(student.add(task, student.place(5, 6, days=1))))


async def test_a_base_names_what_a_move_depends_on(student: Person) -> None:
    found = await _class(student)
    verdict = await student.apply(
        change("place", ITEM, found.items[0].task_item_id, student.place(5, 6, days=1))
    )
    move = change("move", EVENT, verdict.event_ids[0], student.place(9, 10, days=1))
    base = await student.base_of(move)
    place = student.place(5, days=1)
    cell = f"cell:{place.semester_id}:{place.week}:{place.day_of_week}"
    assert {f"{cell}:{section}" for section in (5, 6, 9, 10)} <= base.keys()
    assert f"task_item:{found.items[0].task_item_id}" in base
    assert base[f"task_class:{found.task_class_id}"] == str(found.placement_version)
    renamed = pb.TaskClassInput(name="别的名字")
    renamed.items.extend(
        pb.TaskItemInput(task_item_id=one.task_item_id, content=one.content, order=one.order)
        for one in found.items
    )
    request = pb.PutTaskClassRequest(
        request_id=fresh(), task_class_id=found.task_class_id, task_class=renamed
    )
    await student.call("PutTaskClass", request)
    assert (
        await student.call("CheckChanges", pb.CheckChangesRequest(changes=[move], base=base))
    ).refusals == []
    request.task_class.total_sections = 9
    request.request_id = fresh()
    await student.call("PutTaskClass", request)
    stale = await student.apply(move, base=base)
    assert codes(stale) == ["base_version_changed"]
    assert [one.key for one in stale.refusals[0].base_entries] == [
        f"task_class:{found.task_class_id}"
    ]
    assert applied(await student.apply(move, base=await student.base_of(move)))


@pytest.mark.parametrize("type_", ["move", "remove", "create_makeup"])
async def test_another_users_block_is_not_found(student: Person, type_: str) -> None:
    _, event_id = await _block(student, 5, 6)
    other = student.backend.someone()
    await other.begin_semester()
    to = None if type_ == "remove" else other.place(5, 6, days=1)
    verdict = await other.apply(change(type_, EVENT, event_id, to))
    assert codes(verdict) == ["target_not_found"]
    assert list(places(await standing(student))) == [event_id]


async def test_an_apply_of_every_kind_is_written_once_however_often_it_is_asked_for(
    student: Person,
) -> None:
    host = await _host(student)
    found = await _class(student)
    done: task_pb2.Task = await student.add_task("补做")
    verdict = await student.apply(student.add(done, student.place(1, 2, days=1)))
    await make_past(student, verdict.event_ids[0])
    _, moving = await _block(student, 5, 6, days=1)
    _, leaving = await _block(student, 9, 10, days=1)
    extra = await student.add_task("嵌入")
    batch = [
        change("create_makeup", EVENT, verdict.event_ids[0], student.place(9, 10, days=1)),
        change("move", EVENT, moving, student.place(9, 10, days=2), change_id="c2"),
        change("remove", EVENT, leaving, change_id="c3"),
        change("embed", POOL, extra.task_id, host.place, host=host.event_id, change_id="c4"),
        change(
            "place", ITEM, found.items[0].task_item_id, student.place(5, 6, days=1), change_id="c5"
        ),
    ]
    answers: list[apply_pb2.ApplyVerdict] = [
        await student.apply(*batch, apply_id="asa_all") for _ in range(3)
    ]
    assert applied(answers[0]), answers[0]
    assert answers[0] == answers[1] == answers[2]
    assert len(answers[0].event_ids) == 5
    assert list(answers[0].event_ids[1:3]) == [moving, leaving]
    after = places(await standing(student))
    assert leaving not in after
    assert {*answers[0].event_ids} - {leaving} <= after.keys()
    told = await student.told_of(events_pb2.ScheduleApplySucceeded)
    assert [one.apply_id for one in told].count("asa_all") == 1
    changed = [
        one
        for one in await student.told_of(events_pb2.ScheduleChanged)
        if one.apply_id == "asa_all"
    ]
    assert [{one.event_id for one in event.events} for event in changed] == [
        set(answers[0].event_ids)
    ]
