"""Guests and hosts: links are made, carried along and undone with every write."""

from typing import Any

from libs.planning.moves import MoveCode
from libs.planning.state import PlanningState
from services.agent.tools import registry
from tests.unit.agent.tools.plans import (
    EXISTING,
    PENDING,
    SUGGESTED,
    course,
    done,
    plan,
    refusal,
    task,
)

STATE = plan(
    course(1, "思政", (1, 1, 4), (8, 1, 4), embeds=True),
    course(2, "劳动", (3, 5, 6), embeds=True),
    course(3, "高等数学", (4, 1, 2)),
    task(4, "背单词", "英语", SUGGESTED, (1, 1, 2), host=1),
    task(5, "听写", "英语", PENDING),
    task(6, "习题", "数学", SUGGESTED, (5, 3, 4)),
    task(7, "长文", "写作", PENDING, duration=5),
    task(8, "旧习题", "数学", EXISTING, (6, 3, 4)),
)


def links(state: PlanningState) -> dict[int, Any]:
    """Guests by host, and hosts by guest, wherever there is one."""
    return {
        one.state_id: one.embedded_by if one.can_embed else one.embed_host
        for one in state.tasks.values()
        if one.embedded_by or one.embed_host is not None
    }


def test_a_host_takes_several_guests_and_each_cell_one() -> None:
    state = done(STATE, "place", task_id=5, day=1, slot_start=3)

    assert links(state) == {1: (4, 5), 4: 1, 5: 1}
    taken = refusal(STATE, "place", task_id=5, day=1, slot_start=2)
    assert taken.code == MoveCode.HARD_CONFLICT
    assert taken.text.startswith("放置失败：第1天第2节已被 [4]背单词 占用。")


def test_a_guest_lies_wholly_in_one_meeting_of_its_host() -> None:
    assert refusal(STATE, "place", task_id=5, day=1, slot_start=4).code == MoveCode.EMBED
    assert refusal(STATE, "place", task_id=7, day=8, slot_start=1).code == MoveCode.EMBED


def test_a_locked_course_takes_no_guest() -> None:
    assert refusal(STATE, "place", task_id=5, day=4, slot_start=1).code == MoveCode.HARD_CONFLICT


def test_a_move_takes_the_link_from_one_host_to_the_next() -> None:
    assert links(done(STATE, "move", task_id=4, new_day=3, new_slot_start=5)) == {2: (4,), 4: 2}


def test_a_move_to_another_meeting_keeps_the_host() -> None:
    assert links(done(STATE, "move", task_id=4, new_day=8, new_slot_start=3)) == {1: (4,), 4: 1}


def test_a_move_out_of_a_host_ends_the_link_both_ways() -> None:
    assert links(done(STATE, "move", task_id=4, new_day=9, new_slot_start=1)) == {}


def test_a_swap_hands_the_host_over() -> None:
    assert links(done(STATE, "swap", task_a=4, task_b=6)) == {1: (6,), 6: 1}
    assert links(done(STATE, "swap", task_a=8, task_b=4)) == {1: (8,), 8: 1}


def test_two_guests_that_are_swapped_change_hosts() -> None:
    state = done(STATE, "place", task_id=5, day=3, slot_start=5)

    assert links(done(state, "swap", task_a=4, task_b=5)) == {1: (5,), 2: (4,), 4: 2, 5: 1}


def test_a_batch_hands_hosts_over() -> None:
    moves = [
        {"task_id": 4, "new_day": 5, "new_slot_start": 3},
        {"task_id": 6, "new_day": 1, "new_slot_start": 1},
    ]

    assert links(done(STATE, "batch_move", moves=moves)) == {1: (6,), 6: 1}


def test_a_guest_that_is_taken_out_leaves_no_link() -> None:
    state = done(STATE, "unplace", task_id=4)

    assert links(state) == {}
    assert links(done(state, "place", task_id=4, day=1, slot_start=3)) == {1: (4,), 4: 1}


def test_a_course_with_guests_does_not_leave() -> None:
    assert refusal(STATE, "unplace", task_id=1).code == MoveCode.COURSE


def test_a_guest_adds_nothing_to_the_load_of_its_day() -> None:
    before = STATE.day(3).load

    assert done(STATE, "place", task_id=5, day=3, slot_start=5).day(3).load == before


def test_candidates_offer_a_host_as_long_as_it_has_room() -> None:
    offered = registry.call(STATE, "find_first_free", {"duration": 2, "day": 1, "top_k": 1})
    full = done(STATE, "place", task_id=5, day=1, slot_start=3)
    then = registry.call(full, "find_first_free", {"duration": 2, "day": 1, "top_k": 1})

    assert "第1天 第3-4节" in offered.text
    assert "嵌入[1]思政" in offered.text
    assert "嵌入[1]思政" not in then.text
