"""Every kind of change, judged together by the state that it leads to."""

from dataclasses import replace

import pytest
from hypothesis import given
from hypothesis import strategies as st

from libs.planning.changes import Change, ChangeType
from libs.planning.grid import Block, BlockKind, Place, Target, TargetKind
from libs.planning.validation import Refusal, RefusalCode, judge
from tests.unit.planning.planning_world import (
    COURSES,
    NOW,
    T1,
    T2,
    add,
    at,
    course,
    facts,
    steady,
    task,
    world,
)

I1, I2, I3 = (Target(TargetKind.TASK_ITEM, 100 + n) for n in (1, 2, 3))
CLASS = 50
PAST, FREE, LATER = at(12, 5, 5, 6), at(13, 2, 5, 6), at(13, 4, 5, 6)
HOST = 213
IN_HOST = at(13, 3, 7, 8)


def item(target: Target, order: int, *, done: bool = False):
    return replace(facts(target, done=done, title=f"第{order}章"), class_id=CLASS, order=order)


ITEMS = (item(I1, 1), item(I2, 2), item(I3, 3))
TARGETS = (facts(T1), facts(T2), *ITEMS)


def block(id: int, target: Target, place: Place, order: int, **others: object) -> Block:
    return Block(id, BlockKind.TASK, place, 1, source=target, class_id=CLASS, order=order, **others)


def change(kind: ChangeType, target: Target | int, to: Place | None, **others: object) -> Change:
    found = Target(TargetKind.SCHEDULE_EVENT, target) if isinstance(target, int) else target
    return Change(str(others.pop("change_id", "c1")), kind, found, to, **others)


def move(id: int, to: Place, **others: object) -> Change:
    return change(ChangeType.MOVE, id, to, **others)


def place(target: Target, to: Place, **others: object) -> Change:
    return change(ChangeType.PLACE, target, to, **others)


def judged(changes: list[Change], *blocks: Block, **others: object) -> tuple[Refusal, ...]:
    others.setdefault("targets", TARGETS)
    return judge(changes, world(*blocks, **others), now=NOW)


def codes(refusals: tuple[Refusal, ...]) -> list[tuple[str, str]]:
    return [(refusal.code.value, refusal.detail) for refusal in refusals]


# Placing and moving ----------------------------------------------------------------------------


def test_an_item_enters_the_schedule():
    assert judged([place(I1, FREE)]) == ()
    assert judged([place(I1, at(13, 2, 1, 12))]) == ()
    assert codes(judged([place(I1, at(13, 2, 1, 13))])) == [("invalid_edited_changes", "length")]


def test_an_item_that_is_placed_ahead_or_done_does_not_enter_again():
    assert codes(judged([place(I1, FREE)], block(1, I1, LATER, 1))) == [
        ("target_already_scheduled", "")
    ]
    assert judged([place(I1, FREE)], block(1, I1, PAST, 1)) == ()
    done = (item(I1, 1, done=True), *ITEMS[1:])
    assert codes(judged([place(I1, FREE)], targets=done)) == [("target_completed", "")]


def test_a_block_moves_and_its_own_cells_are_not_in_its_way():
    old = task(1, at(13, 2, 5, 6), T1)
    assert judged([move(1, at(13, 2, 6, 7))], old) == ()
    assert judged([move(1, at(13, 2, 6, 7), from_=at(13, 2, 5, 6))], old) == ()


def test_a_move_from_where_the_block_is_not_any_more_is_stale():
    old = task(1, LATER, T1)
    assert codes(judged([move(1, FREE, from_=at(13, 5, 5, 6))], old)) == [
        ("base_version_changed", "from")
    ]


def test_a_move_keeps_the_length_of_its_block():
    assert codes(judged([move(1, at(13, 2, 5))], task(1, LATER, T1))) == [
        ("invalid_edited_changes", "length")
    ]


def test_two_blocks_may_exchange_their_places():
    one, other = task(1, FREE, T1), task(2, LATER, T2)
    swap = [move(1, LATER), move(2, FREE, change_id="c2")]
    assert judged(swap, one, other) == ()
    assert codes(judged(swap[:1], one, other)) == [("slot_conflict", "")] * 2


def test_a_chain_of_moves_is_judged_by_where_it_ends():
    blocks = [task(n, at(13, 2, 4 + n), Target(TargetKind.TASK_POOL, n)) for n in (1, 2, 3)]
    chain = [move(n, at(13, 2, 5 + n), change_id=f"c{n}") for n in (1, 2, 3)]
    assert judged(chain, *blocks) == ()


def test_two_changes_that_want_one_cell_name_each_other():
    one = task(1, LATER, T1)
    found = judged([move(1, FREE), add(FREE, T2, change_id="c2")], one)
    assert codes(found) == [("slot_conflict", "change:c2"), ("slot_conflict", "change:c1")]


def test_one_block_is_changed_once_in_a_batch():
    found = judged([move(1, FREE), move(1, at(13, 5, 5, 6), change_id="c2")], task(1, LATER, T1))
    assert codes(found) == [("invalid_edited_changes", "twice_in_batch")] * 2


def test_what_has_begun_neither_moves_nor_leaves():
    past = task(1, PAST, T1)
    running = task(2, at(13, 1, 1, 2), T2)
    for id_ in (1, 2):
        for one in (move(id_, FREE), change(ChangeType.REMOVE, id_, None)):
            found = judged([one], past, running, blocks=())
            assert codes(found) == [("in_the_past", "block_has_begun")]
            assert found[0].block is not None
            assert found[0].block.id == id_


def test_courses_never_move_or_leave():
    for one in (
        move(114, FREE),
        change(ChangeType.REMOVE, HOST, None),
        change(ChangeType.EMBED, 114, IN_HOST, host_id=HOST),
        change(ChangeType.CREATE_MAKEUP, 113, FREE),
    ):
        assert codes(judged([one])) == [("unsupported_change_type", "course")]


def test_a_block_that_is_not_there_is_not_found():
    assert codes(judged([move(9, FREE)])) == [("target_not_found", "")]
    assert codes(judged([change(ChangeType.REMOVE, 9, None)])) == [("target_not_found", "")]


def test_a_removal_names_no_place():
    old = task(1, LATER, T1)
    assert judged([change(ChangeType.REMOVE, 1, None)], old) == ()
    assert judged([change(ChangeType.REMOVE, 1, None), add(LATER, T2, change_id="c2")], old) == ()
    assert codes(judged([change(ChangeType.REMOVE, 1, FREE)], old)) == [
        ("invalid_edited_changes", "unexpected_place")
    ]


def test_a_task_is_placed_anew_where_its_old_block_leaves_in_the_same_batch():
    old = task(1, LATER, T1)
    batch = [change(ChangeType.REMOVE, 1, None), add(FREE, T1, change_id="c2")]
    assert judged(batch, old) == ()
    assert codes(judged(batch[1:], old)) == [("target_already_scheduled", "")]


# Makeups ---------------------------------------------------------------------------------------


@pytest.mark.parametrize("target", [1, T1])
def test_a_makeup_is_a_new_block_for_one_that_was_not_done(target):
    assert judged([change(ChangeType.CREATE_MAKEUP, target, FREE)], task(1, PAST, T1)) == ()


def test_another_block_ahead_does_not_stop_a_makeup_but_another_makeup_does():
    past, ahead = task(1, PAST, T1), task(2, LATER, T1)
    make_up = change(ChangeType.CREATE_MAKEUP, 1, FREE)
    assert judged([make_up], past, ahead) == ()
    found = judged([make_up], past, replace(ahead, makeup_for_id=1))
    assert codes(found) == [("target_already_scheduled", "")]
    assert found[0].block is not None
    assert found[0].block.id == 2


def test_without_a_block_there_is_nothing_to_make_up_for():
    assert codes(judged([change(ChangeType.CREATE_MAKEUP, T1, FREE)])) == [("target_not_found", "")]
    ahead = task(2, LATER, T1)
    assert codes(judged([change(ChangeType.CREATE_MAKEUP, T1, FREE)], ahead)) == [
        ("target_not_found", "")
    ]


def test_what_is_done_or_gone_is_not_made_up_for():
    past = task(1, PAST, T1)
    make_up = change(ChangeType.CREATE_MAKEUP, 1, FREE)
    done = (facts(T1, done=True),)
    assert codes(judged([make_up], past, targets=done)) == [("target_completed", "")]
    assert codes(judged([make_up], past, targets=())) == [("target_not_found", "")]


def test_a_makeup_of_a_pool_task_has_its_lengths():
    past = task(1, PAST, T1)
    long = change(ChangeType.CREATE_MAKEUP, 1, at(13, 2, 5, 9))
    assert codes(judged([long], past)) == [("invalid_edited_changes", "length")]
    assert judged([long], block(1, I1, PAST, 1)) == ()


def test_a_makeup_may_be_made_in_two_halves_but_not_in_three_nor_for_two_blocks():
    past, other = task(1, PAST, T1), task(2, at(12, 6, 9), T1)
    parts = [
        change(ChangeType.CREATE_MAKEUP, 1, at(13, 3, first), change_id=f"c{first}")
        for first in (1, 5, 9)
    ]
    twice = ("target_already_scheduled", "twice_in_batch")
    assert judged(parts[:2], past) == ()
    assert codes(judged(parts, past)) == [twice] * 3
    of_other = replace(parts[1], target=Target(TargetKind.SCHEDULE_EVENT, 2))
    assert codes(judged([parts[0], of_other], past, other)) == [twice] * 2
    added = add(at(13, 3, 9), T1, change_id="c9")
    assert codes(judged([parts[0], added], past)) == [twice] * 2
    overlapping = replace(parts[0], change_id="c2")
    assert {code for code, _ in codes(judged([parts[0], overlapping], past))} == {"slot_conflict"}
    made = [replace(task(n, at(13, 3, n), T1), makeup_for_id=1) for n in (5, 6)]
    assert codes(judged(parts[:1], past, *made)) == [("target_already_scheduled", "")] * 2


def test_both_halves_of_a_makeup_keep_the_order_of_its_class():
    before, past = block(1, I1, at(13, 3, 3), 1), block(2, I2, PAST, 2)
    parts = [
        change(ChangeType.CREATE_MAKEUP, 2, at(13, 3, first), change_id=f"c{first}")
        for first in (1, 5)
    ]
    assert codes(judged(parts, before, past)) == [("order_violation", "after")]
    assert judged([replace(parts[0], to=at(13, 3, 9)), parts[1]], before, past) == ()


# Compression -----------------------------------------------------------------------------------

UNFINISHED = task(1, PAST, T1)
NEXT = task(2, at(13, 2, 5, 7), T2)


REST, PART = at(13, 2, 6, 7), at(13, 2, 5)


def _squeeze(rest: Place = REST, part: Place = PART) -> list[Change]:
    return [
        change(ChangeType.COMPRESS, 2, rest, from_=NEXT.place),
        change(ChangeType.COMPRESS, 1, part, change_id="c2"),
    ]


def test_two_tasks_share_the_place_of_one():
    assert judged(_squeeze(), UNFINISHED, NEXT) == ()
    assert judged(_squeeze(at(13, 2, 5, 6), at(13, 2, 7)), UNFINISHED, NEXT) == ()


@pytest.mark.parametrize(
    ("rest", "part"),
    [
        (at(13, 2, 6, 7), at(13, 2, 5, 6)),
        (at(13, 2, 6, 8), at(13, 2, 5)),
        (at(13, 2, 6, 7), at(13, 2, 8)),
        (at(13, 4, 6, 7), at(13, 4, 5)),
    ],
)
def test_both_halves_lie_inside_the_old_place(rest, part):
    found = judged(_squeeze(rest, part), UNFINISHED, NEXT)
    assert codes(found) == [("invalid_edited_changes", "compress_pair")] * 2


def test_half_a_compression_is_refused():
    for half in _squeeze():
        found = judged([half], UNFINISHED, NEXT)
        assert codes(found) == [("invalid_edited_changes", "compress_pair")]


def test_two_takers_of_one_place_are_refused():
    third = change(ChangeType.COMPRESS, T1, at(13, 2, 5), change_id="c3")
    found = judged([*_squeeze(), third], UNFINISHED, NEXT)
    assert {code for code, _ in codes(found)} == {"invalid_edited_changes"}


def test_a_guest_that_is_compressed_stays_in_its_host():
    guest = task(2, at(13, 3, 7, 8), T2, host=HOST)
    pair = [
        change(ChangeType.COMPRESS, 2, at(13, 3, 8), from_=guest.place, host_id=HOST),
        change(ChangeType.COMPRESS, 1, at(13, 3, 7), change_id="c2", host_id=HOST),
    ]
    assert judged(pair, UNFINISHED, guest) == ()
    loose = [pair[0], replace(pair[1], host_id=None)]
    assert (
        codes(judged(loose, UNFINISHED, guest)) == [("invalid_edited_changes", "compress_pair")] * 2
    )


# Embedding -------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    "one",
    [
        change(ChangeType.EMBED, T1, IN_HOST, host_id=HOST),
        change(ChangeType.EMBED, I1, at(13, 3, 8), host_id=HOST),
        change(ChangeType.EMBED, 1, IN_HOST, host_id=HOST),
        change(ChangeType.ADD, T1, IN_HOST, host_id=HOST),
        change(ChangeType.PLACE, I1, IN_HOST, host_id=HOST),
        move(1, IN_HOST, host_id=HOST),
    ],
)
def test_work_goes_into_a_course_that_is_open(one):
    assert judged([one], task(1, LATER, T2)) == ()


def test_embedding_names_its_host():
    one = change(ChangeType.EMBED, T1, IN_HOST)
    assert codes(judged([one])) == [("invalid_edited_changes", "host_missing")]
    absent = change(ChangeType.EMBED, T1, IN_HOST, host_id=9)
    assert codes(judged([absent])) == [("target_not_found", "host")]


def test_a_course_that_is_not_open_hosts_nothing():
    one = change(ChangeType.EMBED, T1, at(14, 1, 1, 2), host_id=114)
    found = judged([one])
    assert codes(found) == [("slot_conflict", "host_locked")]
    assert found[0].block is not None
    assert found[0].block.id == 114
    not_a_course = change(ChangeType.EMBED, T1, LATER, host_id=1)
    assert codes(judged([not_a_course], task(1, LATER, T2))) == [("slot_conflict", "host_locked")]


def test_a_guest_lies_wholly_inside_its_host():
    one = change(ChangeType.EMBED, T1, at(13, 3, 8, 9), host_id=HOST)
    assert codes(judged([one])) == [("slot_conflict", "outside_host")]


def test_a_host_has_one_guest_for_each_cell_and_room_for_several():
    guest = task(1, at(13, 3, 7), T1, host=HOST)
    second = change(ChangeType.EMBED, T2, at(13, 3, 8), host_id=HOST)
    assert judged([second], guest) == ()
    found = judged([replace(second, to=at(13, 3, 7))], guest)
    assert [(refusal.code, refusal.block) for refusal in found] == [
        (RefusalCode.SLOT_CONFLICT, guest)
    ]


def test_what_does_not_name_the_host_finds_it_in_its_way():
    found = judged([add(IN_HOST)])
    assert {refusal.block.id for refusal in found if refusal.block} == {HOST}


def test_a_guest_leaves_its_host_for_a_free_place():
    guest = task(1, IN_HOST, T1, host=HOST)
    assert judged([change(ChangeType.UNEMBED, 1, FREE)], guest) == ()
    assert judged([move(1, FREE)], guest) == ()
    assert (
        codes(judged([change(ChangeType.UNEMBED, 1, IN_HOST)], guest))
        == [("slot_conflict", "")] * 2
    )
    assert codes(judged([change(ChangeType.UNEMBED, 1, IN_HOST, host_id=HOST)], guest)) == [
        ("invalid_edited_changes", "unexpected_host")
    ]
    loose = task(1, LATER, T1)
    assert codes(judged([change(ChangeType.UNEMBED, 1, FREE)], loose)) == [
        ("invalid_edited_changes", "not_embedded")
    ]


def test_a_guest_of_a_host_that_was_closed_stays():
    closed = course(300, at(13, 5, 1, 2))
    guest = task(1, at(13, 5, 1, 2), T1, host=300)
    found = judged([move(1, FREE)], closed, guest)
    assert codes(found) == [("slot_conflict", "host_locked")]
    assert found[0].block == closed


# Order -----------------------------------------------------------------------------------------


def test_items_of_a_class_stay_in_their_order():
    first = block(1, I1, LATER, 1)
    found = judged([place(I2, FREE)], first)
    assert codes(found) == [("order_violation", "after")]
    refusal = found[0]
    assert (refusal.block, refusal.after, refusal.before) == (first, LATER, None)
    assert "第13周周四第5-6节" in refusal.reason
    assert judged([place(I2, at(13, 5, 5, 6))], first) == ()


def test_an_item_has_to_come_before_the_one_behind_it():
    third = block(3, I3, FREE, 3)
    found = judged([place(I1, LATER)], third)
    assert codes(found) == [("order_violation", "before")]
    assert (found[0].after, found[0].before) == (None, FREE)


def test_classes_may_interleave():
    other = replace(block(1, I1, LATER, 1), class_id=51)
    assert judged([place(I2, FREE)], other) == ()


def test_a_swap_that_inverts_two_items_is_refused_on_both():
    first, second = block(1, I1, FREE, 1), block(2, I2, LATER, 2)
    swap = [move(1, LATER), move(2, FREE, change_id="c2")]
    assert [code for code, _ in codes(judged(swap, first, second))] == ["order_violation"] * 2


def test_a_batch_that_moves_a_whole_class_is_judged_by_where_it_ends():
    first, second = block(1, I1, FREE, 1), block(2, I2, LATER, 2)
    both = [move(1, at(14, 2, 5, 6)), move(2, at(14, 4, 5, 6), change_id="c2")]
    assert judged(both, first, second) == ()
    assert codes(judged(both[:1], first, second)) == [("order_violation", "before")]


def test_removing_is_never_against_the_order():
    blocks = [block(n, target, at(13, n + 1, 5, 6), n) for n, target in enumerate((I1, I2), 1)]
    assert judged([change(ChangeType.REMOVE, 1, None)], *blocks) == ()


def test_a_makeup_may_come_behind_items_that_have_begun():
    first, second = block(1, I1, at(12, 4, 5, 6), 1), block(2, I2, PAST, 2)
    assert judged([change(ChangeType.CREATE_MAKEUP, 1, FREE)], first, second) == ()
    ahead = block(2, I2, FREE, 2)
    found = judged([change(ChangeType.CREATE_MAKEUP, 1, LATER)], first, ahead)
    assert codes(found) == [("order_violation", "before")]


def test_the_order_holds_inside_a_host():
    guest = block(1, I1, at(13, 3, 8), 1, host_id=HOST)
    one = change(ChangeType.EMBED, I2, at(13, 3, 7), host_id=HOST)
    assert codes(judged([one], guest)) == [("order_violation", "after")]


# Undo ------------------------------------------------------------------------------------------


def test_a_block_that_left_comes_back_as_itself():
    gone = block(7, I2, FREE, 2)
    back = change(ChangeType.MOVE, 7, FREE, restores=True)
    found = replace(world(targets=TARGETS), gone=(gone,))
    assert judge([back], found, now=NOW) == ()
    assert codes(judge([replace(back, restores=False)], found, now=NOW)) == [
        ("target_not_found", "")
    ]
    between = replace(world(block(1, I1, LATER, 1), targets=TARGETS), gone=(gone,))
    assert codes(judge([back], between, now=NOW)) == [("order_violation", "after")]
    again = replace(world(block(9, I2, LATER, 2), targets=TARGETS), gone=(gone,))
    assert codes(judge([back], again, now=NOW)) == [("target_already_scheduled", "")]


def test_a_makeup_does_not_keep_its_block_from_coming_back_nor_does_being_done():
    gone, makeup = task(7, LATER, T1), replace(task(8, FREE, T1), makeup_for_id=7)
    back = change(ChangeType.MOVE, 7, LATER, restores=True)
    done = (facts(T1, done=True),)
    found = replace(world(makeup, targets=done), gone=(gone,))
    assert judge([back], found, now=NOW) == ()
    makeup_back = replace(back, target=Target(TargetKind.SCHEDULE_EVENT, 8), to=FREE)
    other = replace(task(9, LATER, T1), makeup_for_id=7)
    found = replace(world(other, targets=done), gone=(makeup,))
    assert codes(judge([makeup_back], found, now=NOW)) == [("target_already_scheduled", "")]


def test_a_block_gets_its_length_back():
    short = task(2, at(13, 2, 6), T2)
    back = change(ChangeType.MOVE, 2, at(13, 2, 5, 7), restores=True)
    assert judged([back], short) == ()
    assert codes(judged([replace(back, restores=False)], short)) == [
        ("invalid_edited_changes", "length")
    ]


# All of it -------------------------------------------------------------------------------------

PLACES = st.builds(
    lambda day, first, length: at(13, day, first, first + length - 1),
    st.integers(2, 3),
    st.integers(5, 8),
    st.integers(1, 2),
)
BLOCKS = (
    block(1, I1, at(13, 2, 5), 1),
    block(2, I2, at(13, 2, 7), 2),
    task(3, at(13, 3, 7), T1, host=HOST),
    task(4, at(13, 3, 5, 6), T2),
)
STEPS = st.one_of(
    st.builds(
        lambda id, to, host: move(id, to, host_id=host),
        st.integers(1, 4),
        PLACES,
        st.sampled_from((None, HOST)),
    ),
    st.builds(lambda id: change(ChangeType.REMOVE, id, None), st.integers(1, 4)),
    st.builds(lambda to, host: place(I3, to, host_id=host), PLACES, st.sampled_from((None, HOST))),
)


@steady
@given(drawn=st.lists(STEPS, min_size=1, max_size=4))
def test_what_is_accepted_leaves_a_schedule_that_keeps_every_rule(drawn):
    batch = [replace(one, change_id=f"c{n}") for n, one in enumerate(drawn)]
    if judged(batch, *BLOCKS):
        return
    final = {one.id: one for one in BLOCKS}
    for number, one in enumerate(batch, start=50):
        if one.type is ChangeType.PLACE:
            final[number] = block(number, I3, one.to, 3, host_id=one.host_id)
        elif one.type is ChangeType.REMOVE:
            del final[one.target.id]
        else:
            final[one.target.id] = replace(final[one.target.id], place=one.to, host_id=one.host_id)
    hosts = {one.id: one for one in COURSES}
    cells = [cell for one in final.values() for cell in one.place.cells]
    assert len(cells) == len(set(cells))
    for one in final.values():
        for host in hosts.values():
            inside = host.id == one.host_id and host.place.contains(one.place)
            assert inside or not host.place.overlaps(one.place)
    ordered = sorted((one for one in final.values() if one.order), key=lambda one: one.place)
    assert [one.order for one in ordered] == sorted(one.order for one in ordered)
