"""Where an editable change may go: every place of the days around it, each shut with a reason."""

from dataclasses import replace
from datetime import UTC, date, timedelta

import pytest
from hypothesis import assume, given

from libs.planning.base_map import base_map
from libs.planning.changes import Change, ChangeType, World
from libs.planning.grid import Block, BlockKind, Place
from libs.planning.validation import Refusal, RefusalCode, judge
from services.active_scheduler.domain import confirm, edits, shut
from services.active_scheduler.domain.confirm import Edit
from services.active_scheduler.domain.edits import Asked, Clocks, Room
from services.active_scheduler.domain.errors import InvalidEdit
from services.active_scheduler.domain.facts import Facts
from services.active_scheduler.domain.preview import Candidate, Content
from services.active_scheduler.domain.shut import Shut, ShutCode
from services.active_scheduler.wire import edits as edits_wire
from services.active_scheduler.wire import plan
from smartmate.active_scheduler.v1 import edit_pb2
from tests.unit.active_scheduler.look_world import (
    NOW,
    OTHER,
    TASK,
    at,
    block_of,
    course,
    local,
    look,
    look_facts,
    steady,
    taken,
    worlds,
)

DEADLINE = local("2026-12-01T18:00")


def room_of(facts: Facts, world: World | None = None, *, now=NOW, **asked: object) -> Room:
    """Where the first candidate of these facts may go, in this world or in another one."""
    content = look(facts)
    question = Asked(content, content.candidates[0], "c1")
    question = replace(question, **asked)
    until = edits.last_instant(question.content, now)
    return edits.room(question, world or facts.world, Clocks(now, now), until=until)


def why(room: Room, place: Place) -> Shut | None:
    (spot,) = [spot for day in room.days for spot in day.spots if spot.place == place]
    return spot.shut


def code(room: Room, place: Place) -> ShutCode:
    reason = why(room, place)
    assert reason is not None
    return reason.code


def dates(room: Room) -> list[date]:
    return [day.on for day in room.days]


@steady
@given(worlds)
def test_a_place_is_legal_exactly_where_confirming_it_would_be_applied(facts: Facts) -> None:
    content = look(facts)
    assume(content.candidates)
    now, candidate = facts.now, content.candidates[-1]
    asked = Asked(content, candidate, "c1")
    until = edits.last_instant(content, now)

    room = edits.room(asked, facts.world, Clocks(now, now), until=until)

    for spot in (spot for day in room.days for spot in day.spots):
        assert (spot.shut is None) == applies(content, candidate, spot.place, facts), spot
    assert candidate.changes[0].to in room.legal
    assert room.blocked is None


def applies(content: Content, candidate: Candidate, place: Place, facts: Facts) -> bool:
    try:
        wanted = confirm.request(content, candidate, [Edit("c1", place)], facts.now)
    except InvalidEdit:
        return False
    return not judge(wanted.changes, facts.world, now=facts.now, base=wanted.base)


def test_without_a_deadline_the_days_are_those_of_the_window() -> None:
    room = room_of(look_facts())
    assert dates(room) == [date(2026, 11, 30), date(2026, 12, 1)]
    assert all(day.is_near and len(day.spots) == 12 for day in room.days)


def test_days_go_on_to_the_deadline_and_are_not_near_then() -> None:
    room = room_of(look_facts(deadline=local("2026-12-03T18:00")))
    assert dates(room)[-1] == date(2026, 12, 3)
    assert [day.is_near for day in room.days] == [True, True, False, False]


def test_days_end_a_week_after_the_look_however_far_the_deadline_is() -> None:
    room = room_of(look_facts(deadline=local("2027-01-10T18:00")))
    assert dates(room)[-1] == date(2026, 12, 7)


def test_days_end_with_the_semester() -> None:
    now = local("2027-01-22T09:00")
    facts = look_facts(now=now, deadline=now + timedelta(days=6))
    assert dates(room_of(facts, now=now))[-1] == date(2027, 1, 24)


def test_each_shut_place_has_its_reason() -> None:
    facts = look_facts(
        course(1, at(13, 1, 5, 6)), block_of(OTHER, at(13, 1, 9, 10)), deadline=DEADLINE
    )
    room = room_of(facts)
    assert code(room, at(13, 1, 1, 2)) is ShutCode.STARTED
    assert why(room, at(13, 1, 6, 7)) == Shut(ShutCode.COURSE, course(1, at(13, 1, 5, 6)))
    assert code(room, at(13, 1, 8, 9)) is ShutCode.TASK
    assert code(room, at(13, 1, 12, 13)) is ShutCode.TOO_LONG
    late = why(room, at(13, 2, 8, 9))
    assert late == Shut(ShutCode.DEADLINE, ends_at=local("2026-12-01T19:45"), limit_at=DEADLINE)
    assert why(room, at(13, 2, 7, 8)) is None


def test_what_stands_in_the_way_is_told_rather_than_the_deadline_behind_it() -> None:
    facts = look_facts(course(1, at(13, 2, 11, 12)), deadline=DEADLINE)
    assert code(room_of(facts), at(13, 2, 10, 11)) is ShutCode.COURSE


def test_a_place_across_a_break_is_legal_and_says_so() -> None:
    room = room_of(look_facts())
    spots = {spot.place: spot for day in room.days for spot in day.spots}
    lunch, dinner, neither = (spots[at(13, 2, first, first + 1)] for first in (4, 8, 5))
    assert (lunch.shut, lunch.crosses_lunch, lunch.crosses_dinner) == (None, True, False)
    assert (dinner.shut, dinner.crosses_lunch, dinner.crosses_dinner) == (None, False, True)
    assert (neither.crosses_lunch, neither.crosses_dinner) == (False, False)
    assert lunch.starts_at == local("2026-12-01T11:10")
    assert lunch.ends_at == local("2026-12-01T14:45")


def test_what_came_in_since_the_look_is_in_the_way_and_told() -> None:
    facts = look_facts()
    proposed = look(facts).candidates[0].changes[0].to
    assert proposed is not None
    newcomer = course(7, proposed)
    world = replace(facts.world, blocks=(newcomer,))
    room = room_of(facts, world)
    assert why(room, proposed) == Shut(ShutCode.COURSE, newcomer)
    assert room.legal
    assert room.blocked is None
    assert room.blocks == (newcomer,)


def test_a_target_that_was_altered_shuts_every_place() -> None:
    facts = look_facts(*taken(1, 5))
    newer = replace(facts.target, placement_version=9)
    room = room_of(facts, replace(facts.world, targets={TASK: newer}))
    assert room.legal == ()
    assert room.blocked == Shut(ShutCode.BASE_CHANGED)
    # Even so a course says that it is one.
    assert code(room, at(13, 1, 5, 6)) is ShutCode.COURSE


@pytest.mark.parametrize(
    ("world", "expected"),
    [
        (
            lambda w: replace(w, targets={TASK: replace(w.targets[TASK], done=True)}),
            ShutCode.TARGET_COMPLETED,
        ),
        (
            lambda w: replace(w, blocks=(*w.blocks, block_of(TASK, at(14, 1, 1, 2)))),
            ShutCode.TARGET_ALREADY_SCHEDULED,
        ),
        (lambda w: replace(w, targets={}), ShutCode.TARGET_NOT_FOUND),
    ],
)
def test_a_target_that_is_settled_shuts_every_place(world, expected: ShutCode) -> None:
    facts = look_facts()
    room = room_of(facts, world(facts.world))
    assert room.legal == ()
    assert room.blocked is not None
    assert room.blocked.code is expected


def test_a_day_that_has_passed_is_shut_as_started() -> None:
    late = local("2026-11-30T23:40")
    facts = look_facts(now=late)
    room = room_of(facts, now=late + timedelta(minutes=40))
    first, *_ = room.days
    assert {spot.shut.code for spot in first.spots if spot.shut} == {
        ShutCode.STARTED,
        ShutCode.TOO_LONG,
    }


def test_the_places_of_other_changes_count() -> None:
    facts = look_facts()
    content = look(facts)
    first = content.candidates[0]
    second = Change("c2", ChangeType.ADD, OTHER, at(13, 2, 1, 2), editable=True)
    targets = {**facts.world.targets, OTHER: replace(facts.target, target=OTHER)}
    world = replace(facts.world, targets=targets)
    two = replace(
        first,
        changes=(*first.changes, second),
        base=base_map((*first.changes, second), world),
    )
    with_two = replace(content, candidates=(two,))
    room = room_of(facts, world, content=with_two, candidate=two)
    assert code(room, at(13, 2, 2, 3)) is ShutCode.OTHER_CHANGE

    elsewhere = (Edit("c2", at(13, 2, 7, 8)), Edit("c1", at(13, 1, 1, 2)))
    room = room_of(facts, world, content=with_two, candidate=two, edits=elsewhere)
    assert why(room, at(13, 2, 2, 3)) is None
    assert code(room, at(13, 2, 6, 7)) is ShutCode.OTHER_CHANGE


def test_an_edit_of_another_change_that_is_none_is_refused() -> None:
    with pytest.raises(InvalidEdit) as caught:
        room_of(look_facts(), edits=(Edit("c9", at(13, 2, 7, 8)),))
    assert (caught.value.change_id, caught.value.problem) == ("c9", "unknown_change")


@pytest.mark.parametrize(
    ("change_id", "problem"), [("c9", "unknown_change"), ("c1", "not_editable")]
)
def test_only_an_editable_change_can_be_asked_for(change_id: str, problem: str) -> None:
    content = look(look_facts())
    fixed = replace(content.candidates[0].changes[0], editable=False)
    with pytest.raises(InvalidEdit) as caught:
        room_of(
            look_facts(),
            candidate=replace(content.candidates[0], changes=(fixed,)),
            change_id=change_id,
        )
    assert caught.value.problem == problem


def test_a_semester_that_the_look_did_not_know_is_outside() -> None:
    facts = look_facts()
    content = replace(look(facts), semesters=())
    room = room_of(facts, content=content)
    assert code(room, at(13, 2, 7, 8)) is ShutCode.OUT_OF_SEMESTER


def test_a_course_that_takes_the_change_as_a_whole_is_told_as_a_host() -> None:
    host = course(1, at(13, 2, 5, 6), embeddable=True)
    legal, partial = at(13, 2, 5, 6), at(13, 2, 6, 7)
    room = room_of(look_facts(host))
    # As long as the validator lets nothing into a course, it is a course like any other.
    assert code(room, partial) is ShutCode.COURSE
    day = replace(
        room.days[1],
        spots=(
            edits.Spot(legal, None),
            edits.Spot(partial, Shut(ShutCode.COURSE, host)),
            edits.Spot(at(13, 2, 7, 8), Shut(ShutCode.COURSE, course(2, at(13, 2, 8)))),
        ),
    )
    (told,) = edits._hosts_told((day,))
    assert [spot.shut.code if spot.shut else None for spot in told.spots] == [
        None,
        ShutCode.HOST_PARTIAL,
        ShutCode.COURSE,
    ]


ITEM = Block(5, BlockKind.TASK, at(13, 2, 5, 6), 1, name="图的遍历")
PLACE = at(13, 2, 1, 2)


@pytest.mark.parametrize(
    ("refusal", "expected"),
    [
        (Refusal(RefusalCode.ORDER_VIOLATION, "c1", block=ITEM), Shut(ShutCode.MUST_FOLLOW, ITEM)),
        (
            Refusal(RefusalCode.ORDER_VIOLATION, "c1"),
            Shut(ShutCode.OTHER, detail="order_violation"),
        ),
        (
            Refusal(RefusalCode.UNSUPPORTED_CHANGE_TYPE, "c1"),
            Shut(ShutCode.OTHER, detail="unsupported_change_type"),
        ),
        (Refusal(RefusalCode.SLOT_CONFLICT, "c1", block=ITEM), Shut(ShutCode.TASK, ITEM)),
        (
            Refusal(RefusalCode.SLOT_CONFLICT, "c1", detail="change:c2"),
            Shut(ShutCode.OTHER_CHANGE, detail="change:c2"),
        ),
        (
            Refusal(RefusalCode.IN_THE_PAST, "c2"),
            Shut(ShutCode.OTHER_CHANGE, detail="in_the_past"),
        ),
        (Refusal(RefusalCode.TARGET_COMPLETED, ""), Shut(ShutCode.TARGET_COMPLETED)),
    ],
)
def test_a_refusal_is_told_as_a_reason(refusal: Refusal, expected: Shut) -> None:
    assert shut.told([refusal], "c1", PLACE) == expected


def test_too_late_for_an_earlier_neighbour_is_to_come_before_it() -> None:
    refusal = Refusal(RefusalCode.ORDER_VIOLATION, "c1", block=ITEM)
    assert shut.told([refusal], "c1", at(13, 2, 9, 10)).code is ShutCode.MUST_PRECEDE


@pytest.mark.parametrize("refused", RefusalCode)
def test_every_refusal_has_a_reason(refused: RefusalCode) -> None:
    assert shut.told([Refusal(refused, "c1")], "c1", PLACE).code in ShutCode


@pytest.mark.parametrize("code", ShutCode)
def test_every_reason_has_a_number_on_the_wire(code: ShutCode) -> None:
    reason = Shut(code, ITEM, ends_at=NOW, limit_at=DEADLINE, detail="why")
    room = room_of(look_facts())
    day = replace(room.days[0], spots=(edits.Spot(PLACE, reason), edits.Spot(PLACE, None)))
    message = edits_wire.room_message(replace(room, days=(day,), blocked=reason))
    (told,) = message.days
    assert edit_pb2.ShutCode.Name(told.spots[0].shut.code) == f"SHUT_CODE_{code.upper()}"
    assert message.blocked == told.spots[0].shut
    assert (message.blocked.event_id, message.blocked.event_name) == (ITEM.id, ITEM.name)
    assert (message.blocked.end_time.ToDatetime(UTC), message.blocked.detail) == (NOW, "why")
    assert not told.spots[1].HasField("shut")
    assert [plan.place(one) for one in message.legal_places] == [PLACE]
    assert told.date == "2026-11-30"
