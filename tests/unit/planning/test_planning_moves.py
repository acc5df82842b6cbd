"""What may be written to a planning state. Spec: tools.md; planning.md, Conflict, Order."""

from dataclasses import replace

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from libs.planning.balance import faults
from libs.planning.moves import (
    MAX_BATCH,
    MoveCode,
    Refused,
    Wanted,
    Written,
    batch_move,
    move,
    place,
    swap,
    unplace,
)
from libs.planning.order import Span
from libs.planning.state import PlanningState, Status, Task
from tests.unit.planning.planning_states import course, guest_in, item, span, state
from tests.unit.planning.planning_world import steady

MATH = course(1, span(1, 1), span(4, 1))
HOST = course(2, span(2, 5, 8), embeddable=True)


def written(outcome: Written | Refused) -> PlanningState:
    assert isinstance(outcome, Written), outcome
    return outcome.state


def code(outcome: Written | Refused) -> MoveCode:
    assert isinstance(outcome, Refused), outcome
    return outcome.code


def slots(found: PlanningState, *ids: int) -> list[tuple[Span, ...]]:
    return [found.tasks[id_].slots for id_ in ids]


def test_place_puts_a_pending_task_and_suggests_it():
    found = written(place(state(MATH, item(3)), 3, 1, 3))
    assert found.tasks[3].slots == (span(1, 3),)
    assert found.tasks[3].status is Status.SUGGESTED
    assert found.tasks[3].embed_host is None


def test_place_bridges_a_break_since_a_day_is_continuous():
    assert slots(written(place(state(item(3)), 3, 1, 4)), 3) == [(span(1, 4, 5),)]


def test_place_embeds_by_itself_where_the_place_is_a_free_host():
    outcome = place(state(HOST, item(3)), 3, 2, 6)
    assert isinstance(outcome, Written)
    assert outcome.changed == (3,)
    assert outcome.partners == (2,)
    assert outcome.state.tasks[3].embed_host == 2
    assert outcome.state.tasks[2].embedded_by == (3,)


def test_a_host_may_hold_several_guests_and_a_cell_one():
    one = written(place(state(HOST, item(3), item(4, of=2), item(5, of=3)), 3, 2, 5))
    two = written(place(one, 4, 2, 7))
    assert two.tasks[2].embedded_by == (3, 4)
    assert code(place(two, 5, 2, 6)) is MoveCode.HARD_CONFLICT
    assert faults(two) == (0, 0)


@pytest.mark.parametrize(
    ("where", "expected"),
    [
        ((2, 4), MoveCode.EMBED),  # half in the host, half before it
        ((2, 8), MoveCode.EMBED),
        ((3, 6), MoveCode.EMBED),  # over two hosts
        ((1, 2), MoveCode.HARD_CONFLICT),  # over a course that is not embeddable
    ],
)
def test_a_guest_lies_wholly_inside_one_host_block(where, expected):
    two = [course(7, span(3, 5, 6), embeddable=True), course(8, span(3, 7, 8), embeddable=True)]
    assert code(place(state(MATH, HOST, *two, item(3)), 3, *where)) is expected


CHECKS = [
    pytest.param(lambda s: place(s, 99, 1, 5), MoveCode.UNKNOWN_TASK, id="place: no such task"),
    pytest.param(lambda s: place(s, 11, 1, 5), MoveCode.WRONG_STATUS, id="place: placed already"),
    pytest.param(lambda s: place(s, 1, 1, 5), MoveCode.WRONG_STATUS, id="place: a course"),
    pytest.param(lambda s: place(s, 12, 0, 5), MoveCode.OUT_OF_RANGE, id="place: day 0"),
    pytest.param(lambda s: place(s, 12, -1, 5), MoveCode.OUT_OF_RANGE, id="place: day -1"),
    pytest.param(lambda s: place(s, 12, 11, 5), MoveCode.OUT_OF_RANGE, id="place: day n + 1"),
    pytest.param(lambda s: place(s, 12, 2**40, 5), MoveCode.OUT_OF_RANGE, id="place: huge day"),
    pytest.param(lambda s: place(s, 12, 5, 0), MoveCode.OUT_OF_RANGE, id="place: section 0"),
    pytest.param(lambda s: place(s, 12, 5, 12), MoveCode.OUT_OF_RANGE, id="place: past the day"),
    pytest.param(lambda s: place(s, 12, 3, 5), MoveCode.ORDER_VIOLATION, id="place: out of order"),
    pytest.param(lambda s: place(s, 12, 4, 2), MoveCode.ORDER_VIOLATION, id="place: order first"),
    pytest.param(lambda s: place(s, 12, 6, 3), MoveCode.HARD_CONFLICT, id="place: taken"),
    pytest.param(lambda s: move(s, 99, 5, 5), MoveCode.UNKNOWN_TASK, id="move: no such task"),
    pytest.param(lambda s: move(s, 1, 5, 5), MoveCode.COURSE, id="move: a course"),
    pytest.param(lambda s: move(s, 2, 5, 5), MoveCode.COURSE, id="move: an embeddable course"),
    pytest.param(lambda s: move(s, 12, 5, 5), MoveCode.WRONG_STATUS, id="move: pending"),
    pytest.param(lambda s: move(s, 13, 5, 5), MoveCode.WRONG_STATUS, id="move: existing"),
    pytest.param(lambda s: move(s, 14, 5, 5), MoveCode.MANY_BLOCKS, id="move: two blocks"),
    pytest.param(lambda s: move(s, 11, 12, 5), MoveCode.OUT_OF_RANGE, id="move: out of range"),
    pytest.param(lambda s: move(s, 11, 4, 1), MoveCode.HARD_CONFLICT, id="move: a course is there"),
    pytest.param(lambda s: swap(s, 11, 11), MoveCode.SAME_TASK, id="swap: with itself"),
    pytest.param(lambda s: swap(s, 11, 99), MoveCode.UNKNOWN_TASK, id="swap: no such task"),
    pytest.param(lambda s: swap(s, 1, 11), MoveCode.COURSE, id="swap: a course"),
    pytest.param(lambda s: swap(s, 11, 2), MoveCode.COURSE, id="swap: an embeddable course"),
    pytest.param(lambda s: swap(s, 12, 11), MoveCode.WRONG_STATUS, id="swap: pending"),
    pytest.param(lambda s: swap(s, 11, 14), MoveCode.MANY_BLOCKS, id="swap: two blocks"),
    pytest.param(lambda s: swap(s, 11, 15), MoveCode.UNEQUAL_LENGTH, id="swap: unequal lengths"),
    pytest.param(lambda s: unplace(s, 99), MoveCode.UNKNOWN_TASK, id="unplace: no such task"),
    pytest.param(lambda s: unplace(s, 1), MoveCode.COURSE, id="unplace: a course"),
    pytest.param(lambda s: unplace(s, 12), MoveCode.WRONG_STATUS, id="unplace: pending"),
    pytest.param(lambda s: batch_move(s, []), MoveCode.BATCH_SIZE, id="batch: empty"),
    pytest.param(
        lambda s: batch_move(s, [Wanted(11, 4, 5)] * (MAX_BATCH + 1)),
        MoveCode.BATCH_SIZE,
        id="batch: too many",
    ),
    pytest.param(
        lambda s: batch_move(s, [Wanted(11, 4, 5)] * 2), MoveCode.SAME_TASK, id="batch: twice"
    ),
]


@pytest.mark.parametrize(("write", "expected"), CHECKS)
def test_the_first_check_that_fails_answers_and_the_state_stays_as_it_is(write, expected):
    found = state(
        MATH,
        HOST,
        item(11, span(4, 3), order=1),
        item(12, order=2),
        item(13, span(6, 3), of=2, status=Status.EXISTING),
        replace(item(14, span(7, 3), of=None), slots=(span(7, 3), span(8, 3))),
        item(15, span(9, 1, 3), of=None),
    )
    before = repr(found)
    outcome = write(found)
    assert code(outcome) is expected
    assert repr(found) == before


def test_a_refusal_names_who_is_in_the_way_and_where():
    outcome = place(state(MATH, item(3)), 3, 4, 2)
    assert isinstance(outcome, Refused)
    assert outcome.span == span(4, 2)
    assert [(e.task.state_id, e.span) for e in outcome.in_the_way] == [(1, span(4, 1))]
    ordered = place(state(item(1, span(5, 1)), item(3)), 3, 4, 2)
    assert isinstance(ordered, Refused)
    assert ordered.violation is not None
    assert "「项1」（第5天第1-2节）之后" in ordered.violation.reason


def test_a_section_that_has_started_takes_nothing_and_a_begun_block_stays():
    found = state(item(1, span(3, 1)), item(2, of=2), open_from=(3, 2))
    assert code(place(found, 2, 3, 1)) is MoveCode.IN_THE_PAST
    assert code(place(found, 2, 2, 5)) is MoveCode.IN_THE_PAST
    assert slots(written(place(found, 2, 3, 3)), 2) == [(span(3, 3),)]
    for write in (move(found, 1, 4, 1), unplace(found, 1), swap(found, 1, 1 + 1)):
        assert code(write) is MoveCode.BEGUN


def test_a_move_ignores_its_own_cells():
    assert slots(written(move(state(item(1, span(1, 1))), 1, 1, 2)), 1) == [(span(1, 2),)]


def test_moving_a_guest_moves_the_link_with_it():
    other = course(5, span(3, 1), embeddable=True)
    host, guest = guest_in(HOST, item(3, span(2, 5)))
    found = state(host, guest, other)
    inside = written(move(found, 3, 2, 6))
    assert (inside.tasks[3].embed_host, inside.tasks[2].embedded_by) == (2, (3,))
    across = written(move(found, 3, 3, 1))
    assert (across.tasks[3].embed_host, across.tasks[2].embedded_by) == (5, ())
    assert across.tasks[5].embedded_by == (3,)
    out = written(move(found, 3, 4, 1))
    assert (out.tasks[3].embed_host, out.tasks[2].embedded_by) == (None, ())


def test_a_guest_of_a_locked_host_does_not_move():
    host, guest = guest_in(HOST, item(3, span(2, 5)))
    found = state(replace(host, can_embed=False, locked=True), guest)
    for write in (move(found, 3, 4, 1), unplace(found, 3), swap(found, 3, 3 + 1)):
        assert code(write) is MoveCode.LOCKED_HOST


def test_swap_exchanges_places_and_links():
    host, guest = guest_in(HOST, item(3, span(2, 5)))
    found = state(host, guest, item(4, span(6, 1), of=2, status=Status.EXISTING))
    outcome = swap(found, 3, 4)
    assert isinstance(outcome, Written)
    assert (outcome.changed, outcome.partners) == ((3, 4), (2,))
    new = outcome.state
    assert slots(new, 3, 4) == [(span(6, 1),), (span(2, 5),)]
    assert (new.tasks[3].embed_host, new.tasks[4].embed_host) == (None, 2)
    assert new.tasks[2].embedded_by == (4,)
    assert new.tasks[4].status is Status.EXISTING
    assert written(swap(new, 3, 4)) == found


def test_two_guests_of_one_host_may_swap():
    host, one = guest_in(HOST, item(3, span(2, 5)))
    host, two = guest_in(host, item(4, span(2, 7), of=2))
    new = written(swap(state(host, one, two), 3, 4))
    assert slots(new, 3, 4) == [(span(2, 7),), (span(2, 5),)]
    assert new.tasks[2].embedded_by == (3, 4)


def test_a_swap_that_inverts_a_class_is_refused():
    found = state(item(1, span(1, 1)), item(2, span(2, 1)), item(3, span(3, 1), of=2))
    assert code(swap(found, 1, 2)) is MoveCode.ORDER_VIOLATION
    assert code(swap(found, 1, 3)) is MoveCode.ORDER_VIOLATION
    assert slots(written(swap(found, 2, 3)), 2, 3) == [(span(3, 1),), (span(2, 1),)]


def test_a_batch_is_judged_on_its_final_state():
    found = state(item(1, span(1, 1)), item(2, span(2, 1)), item(3, span(3, 1), of=2))
    exchanged = batch_move(found, [Wanted(2, 3, 1), Wanted(3, 2, 1)])
    assert slots(written(exchanged), 2, 3) == [(span(3, 1),), (span(2, 1),)]
    shifted = batch_move(found, [Wanted(1, 2, 1), Wanted(2, 3, 3)])
    assert slots(written(shifted), 1, 2) == [(span(2, 1),), (span(3, 3),)]


def test_one_bad_item_rolls_the_whole_batch_back_and_is_named():
    found = state(*(item(n, span(n, 1)) for n in range(1, 7)), MATH_LATE)
    before = repr(found)
    moves = [Wanted(n, n, 3) for n in range(1, 7)]
    moves[4] = Wanted(5, 5, 5)
    outcome = batch_move(found, moves)
    assert isinstance(outcome, Refused)
    assert (outcome.index, outcome.task_id, outcome.code) == (4, 5, MoveCode.HARD_CONFLICT)
    assert repr(found) == before
    inverted = batch_move(found, [Wanted(6, 6, 3), Wanted(2, 4, 3), Wanted(1, 2, 5)])
    assert isinstance(inverted, Refused)
    assert (inverted.index, inverted.code) == (1, MoveCode.ORDER_VIOLATION)
    unknown = batch_move(found, [Wanted(1, 1, 3), Wanted(77, 1, 3)])
    assert isinstance(unknown, Refused)
    assert (unknown.index, unknown.code) == (1, MoveCode.UNKNOWN_TASK)


MATH_LATE = course(30, span(5, 5, 6))


def test_two_of_a_batch_may_not_meet():
    found = state(item(1, span(1, 1)), item(2, span(2, 1), of=2))
    outcome = batch_move(found, [Wanted(1, 3, 1), Wanted(2, 3, 2)])
    assert isinstance(outcome, Refused)
    assert (outcome.code, outcome.index) == (MoveCode.HARD_CONFLICT, 0)
    assert [e.task.state_id for e in outcome.in_the_way] == [2]


def test_guests_of_one_batch_may_share_a_host_in_different_cells():
    found = state(HOST, item(3, span(1, 1)), item(4, span(3, 1), of=2))
    new = written(batch_move(found, [Wanted(3, 2, 5), Wanted(4, 2, 7)]))
    assert new.tasks[2].embedded_by == (3, 4)
    assert code(batch_move(found, [Wanted(3, 2, 5), Wanted(4, 2, 6)])) is MoveCode.HARD_CONFLICT


def test_unplace_clears_links_both_ways_and_asks_nothing_of_the_order():
    host, guest = guest_in(HOST, item(4, span(2, 5), status=Status.EXISTING))
    found = state(host, item(3, span(1, 1)), guest, item(5, span(5, 1)))
    new = written(unplace(found, 4))
    assert new.tasks[4].status is Status.PENDING
    assert (new.tasks[4].slots, new.tasks[4].duration) == ((), 2)
    assert (new.tasks[4].embed_host, new.tasks[2].embedded_by) == (None, ())
    lengthless = state(replace(item(1, span(1, 1, 3)), duration=0))
    assert written(unplace(lengthless, 1)).tasks[1].duration == 3


def test_place_after_unplace_is_held_to_the_order():
    found = state(item(1, span(1, 1)), item(2, span(2, 1)), item(3, span(3, 1)))
    lifted = written(unplace(found, 2))
    assert code(place(lifted, 2, 4, 1)) is MoveCode.ORDER_VIOLATION
    assert written(place(lifted, 2, 2, 1)).tasks[2].slots == (span(2, 1),)
    both = written(unplace(lifted, 1))
    assert code(place(both, 1, 3, 3)) is MoveCode.ORDER_VIOLATION


def some_tasks() -> list[Task]:
    host, guest = guest_in(course(2, span(2, 5, 8), embeddable=True), item(6, span(2, 5), of=2))
    return [
        course(1, span(1, 1), span(4, 1)), host, guest,
        item(3, span(1, 3)), item(4, span(3, 1)), item(5),
        item(7, span(5, 5), of=2, status=Status.EXISTING), item(8, of=2, length=1),
        item(9, span(3, 6, 6), of=None), item(10, of=None, length=3),
    ]  # fmt: skip


steps = st.lists(
    st.one_of(
        st.tuples(st.just(place), st.integers(1, 11), st.integers(0, 6), st.integers(0, 12)),
        st.tuples(st.just(move), st.integers(1, 11), st.integers(0, 6), st.integers(0, 12)),
        st.tuples(st.just(swap), st.integers(1, 11), st.integers(1, 11)),
        st.tuples(st.just(unplace), st.integers(1, 11)),
        st.tuples(
            st.just(batch_move),
            st.lists(
                st.builds(Wanted, st.integers(1, 11), st.integers(1, 5), st.integers(1, 12)),
                max_size=3,
            ),
        ),
    ),
    max_size=12,
)


@settings(parent=steady, max_examples=50)
@given(steps)
def test_whatever_is_written_the_plan_stays_sound_and_refusals_change_nothing(writes):
    found = state(*some_tasks(), days=5)
    for write, *arguments in writes:
        before = repr(found)
        outcome = write(found, *arguments)
        assert repr(found) == before
        if isinstance(outcome, Refused):
            continue
        found = outcome.state
        assert faults(found) == (0, 0)
        fresh = PlanningState(found.window, found.tasks.values())
        assert repr(list(fresh.days)) == repr(list(found.days))
        assert fresh == found
        for task in found.tasks.values():
            for guest in task.embedded_by:
                assert found.tasks[guest].embed_host == task.state_id
            if task.embed_host is not None:
                assert task.state_id in found.tasks[task.embed_host].embedded_by
        assert found.tasks[1] == some_tasks()[0]
