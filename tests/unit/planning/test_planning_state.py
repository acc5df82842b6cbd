"""The planning state and its window. Spec: tools.md, State."""

import random
from dataclasses import replace
from datetime import date, timedelta

import pytest

from libs.planning.calendar import Ended
from libs.planning.grid import Place
from libs.planning.moves import MoveCode, Written, place
from libs.planning.openings import FreePlace, free_places
from libs.planning.order import OrderedBlock, Span
from libs.planning.window import (
    BadDates,
    ClassDates,
    NoWindow,
    SkippedClass,
    Window,
    WindowDay,
    window_between,
    window_of,
)
from tests.unit.planning.planning_states import course, guest_in, item, span, state, window
from tests.unit.planning.planning_world import NOW, SEMESTER

D = date


def dates(class_id: int, start: date | None, end: date | None) -> ClassDates:
    return ClassDates(class_id, start, end)


def test_the_window_runs_from_the_first_start_to_the_last_end_of_the_classes():
    found = window_of(
        SEMESTER,
        [dates(1, D(2026, 12, 2), D(2026, 12, 5)), dates(2, D(2026, 11, 29), D(2026, 12, 3))],
        now=NOW,
    )
    assert found.window is not None
    assert found.window.days[0] == WindowDay(1, 12, 7)
    assert found.window.days[-1] == WindowDay(1, 13, 6)
    assert found.window.total_days == 7
    assert found.skipped == ()


def test_bad_dates_are_skipped_one_by_one_and_poison_nobody():
    good = dates(1, D(2026, 12, 2), D(2026, 12, 5))
    bad = [
        dates(2, None, D(2026, 12, 5)),
        dates(3, D(2026, 12, 5), None),
        dates(4, D(2026, 12, 5), D(2026, 12, 4)),
        dates(5, D(1970, 1, 1), D(1970, 2, 1)),
        dates(6, D(2027, 1, 25), D(2027, 3, 1)),
    ]
    found = window_of(SEMESTER, [*bad, good], now=NOW)
    assert found.window == window_of(SEMESTER, [good], now=NOW).window
    assert found.skipped == (
        SkippedClass(2, BadDates.MISSING),
        SkippedClass(3, BadDates.MISSING),
        SkippedClass(4, BadDates.REVERSED),
        SkippedClass(5, BadDates.OUTSIDE),
        SkippedClass(6, BadDates.OUTSIDE),
    )


def test_a_range_that_reaches_out_of_the_semester_is_cut_to_it():
    found = window_of(SEMESTER, [dates(1, D(2026, 1, 1), D(2027, 12, 1))], now=NOW)
    assert found.window is not None
    assert found.window.total_days == 140


def test_no_valid_date_asks_and_all_outside_the_semester_is_no_window():
    assert window_of(SEMESTER, [], now=NOW).problem is NoWindow.ASK_DATES
    assert window_of(SEMESTER, [dates(1, None, None)], now=NOW).problem is NoWindow.ASK_DATES
    outside = [dates(1, D(2027, 2, 1), D(2027, 2, 3))]
    assert window_of(SEMESTER, outside, now=NOW).problem is NoWindow.NO_WINDOW


def test_a_period_narrows_the_window():
    whole = [dates(1, D(2026, 12, 1), D(2026, 12, 20))]
    period = (D(2026, 12, 5), D(2026, 12, 6))
    found = window_of(SEMESTER, whole, now=NOW, period=period)
    assert found.window is not None
    assert found.window.total_days == 2
    before = (D(2026, 11, 1), D(2026, 11, 3))
    assert window_of(SEMESTER, whole, now=NOW, period=before).problem is NoWindow.NO_WINDOW


def test_what_has_begun_is_known_to_the_section():
    # Now is Monday of week 13, 09:00: sections 1 and 2 have started.
    found = window_between(SEMESTER, D(2026, 11, 29), D(2026, 12, 1), now=NOW)
    assert found.open_from == (2, 3)
    assert found.has_begun(Span(2, 2, 3))
    assert not found.has_begun(Span(2, 3, 4))
    assert [found.open_mask(day) for day in (1, 2, 3)] == [0, 0b111111111100, 0b111111111111]
    assert found.first_open_day == 2
    over = window_between(SEMESTER, D(2026, 9, 7), D(2026, 9, 8), now=NOW)
    assert over.open_from == (3, 1)
    assert over.first_open_day == 3
    evening = window_between(
        SEMESTER, D(2026, 11, 30), D(2026, 12, 1), now=NOW + timedelta(hours=14)
    )
    assert evening.open_from == (2, 1)


def test_days_map_to_the_calendar_and_back():
    found = window(10)
    for day in range(1, 11):
        for first, last in ((1, 2), (11, 12)):
            at = Span(day, first, last)
            assert found.span_of(found.place_of(at)) == at
    assert found.place_of(Span(8, 3, 4)) == Place(1, 2, 1, 3, 4)
    for elsewhere in (Place(1, 9, 1, 1, 2), Place(2, 1, 1, 1, 2), Place(1, 1, 1, 12, 13)):
        assert found.span_of(elsewhere) is None
    assert Window((), found.clock).span_of(Place(1, 1, 1, 1, 2)) is None
    with pytest.raises(ValueError, match="no Span"):
        found.place_of(Span(11, 1, 2))
    with pytest.raises(Ended):
        window_between(SEMESTER, D(2027, 1, 24), D(2027, 1, 25), now=NOW)


def test_equal_tasks_in_any_order_make_an_equal_state():
    tasks = [course(1, span(1, 1), span(4, 1)), item(2, span(2, 3)), item(3), item(4, span(3, 5))]
    shuffled = tasks.copy()
    random.Random(1).shuffle(shuffled)
    one, other = state(*tasks), state(*shuffled)
    assert one == other
    assert repr(one) == repr(other)
    assert one != state(*tasks[1:])
    assert one != "a state"


def test_masks_and_blocks_of_a_day():
    host, guest = guest_in(course(1, span(1, 3, 6), embeddable=True), item(2, span(1, 5, 6)))
    found = state(host, guest, course(3, span(1, 1, 2)))
    day = found.day(1)
    assert (day.occupied, day.hosts, day.guests, day.load) == (0b111111, 0b111100, 0b110000, 6)
    assert [entry.task.state_id for entry in day.entries] == [3, 1, 2]
    assert day.conflicts == 0
    assert found.free_mask(1) == 0b111111000000
    assert found.free_host_mask(1) == 0b001100
    assert [e.task.state_id for e in found.overlapping(span(1, 5, 6))] == [1, 2]
    assert found.overlapping(span(1, 7, 8)) == ()
    assert found.day(2).entries == ()
    for number in (0, 11):
        with pytest.raises(IndexError):
            found.day(number)


@pytest.mark.parametrize(
    ("tasks", "conflicts"),
    [
        ([item(1, span(1, 1)), item(2, span(1, 2), of=2)], 1),
        ([course(1, span(1, 1, 4)), item(2, span(1, 1)), item(3, span(1, 3))], 2),
        ([course(1, span(1, 1, 4), embeddable=True), item(2, span(1, 1))], 1),
        (
            [
                *guest_in(course(1, span(1, 1, 4), embeddable=True), item(2, span(1, 1))),
                item(3, span(1, 2), of=2),
            ],
            2,
        ),
        ([*guest_in(course(1, span(1, 1, 4), embeddable=True), item(2, span(1, 1)))], 0),
    ],
)
def test_guest_and_host_share_cells_and_everything_else_is_a_conflict(tasks, conflicts):
    assert state(*tasks).day(1).conflicts == conflicts


def test_a_state_that_contradicts_itself_is_refused():
    with pytest.raises(ValueError, match="one state_id"):
        state(item(1), item(1))
    with pytest.raises(ValueError, match="no Span"):
        state(item(1, span(11, 1)))
    one = state(item(1))
    with pytest.raises(ValueError, match="no task 2"):
        one.replacing([item(2)])
    with pytest.raises(ValueError, match="another class"):
        one.replacing([item(1, of=2)])
    with pytest.raises(ValueError, match="no Span"):
        one.replacing([item(1, span(1, 12))])


def test_a_replaced_task_makes_a_new_state_and_leaves_the_old_one():
    one = state(item(1, span(1, 1)), item(2, span(2, 1)), item(3, of=None, at=span(1, 5)))
    before = repr(one)
    two = one.replacing([replace(one.tasks[1], slots=(span(3, 1),))])
    assert repr(one) == before
    fresh = state(item(1, span(3, 1)), item(2, span(2, 1)), item(3, of=None, at=span(1, 5)))
    assert two == fresh
    assert [day.occupied for day in two.days] == [day.occupied for day in fresh.days]
    assert two.class_view(1).violations == fresh.class_view(1).violations == 1
    assert one.class_view(1).violations == 0
    assert one.class_view(None).blocks == one.class_view(9).blocks == ()
    assert one.class_ids() == (1,)


def test_blocks_outside_the_window_bind_the_order_and_are_otherwise_unseen():
    beyond = OrderedBlock(1, 209, 9, Span(-3, 1, 2))
    found = state(item(1), anchors=[beyond])
    assert found.class_view(1).blocks == (beyond,)
    outcome = place(state(item(10), anchors=[beyond]), 10, 1, 1)
    assert isinstance(outcome, Written)
    refused = place(found, 1, 1, 1)
    assert getattr(refused, "code", None) is MoveCode.ORDER_VIOLATION


def test_free_places_come_by_the_load_of_their_day_then_by_time():
    host = course(3, span(3, 1, 2), embeddable=True)
    found = state(course(1, span(1, 1, 4)), course(2, span(2, 1, 2)), host, days=3)
    assert free_places(found, 2) == (
        FreePlace(span(2, 3), None, 2, 4),
        FreePlace(span(2, 5), None, 2, 4),
        FreePlace(span(2, 6), None, 2, 4),
    )
    of_third = free_places(found, 2, day=3, top_k=2)
    assert of_third == (FreePlace(span(3, 1), 3, 2, 2), FreePlace(span(3, 3), None, 2, 4))
    assert free_places(found, 13) == ()


def test_free_places_bridge_a_break_only_when_asked():
    found = state(days=1)
    starts = {free.span.first for free in free_places(found, 2, top_k=99)}
    assert starts == {1, 2, 3, 5, 6, 7, 9, 10, 11}
    bridged = {free.span.first for free in free_places(found, 2, top_k=99, exclude_breaks=False)}
    assert bridged - starts == {4, 8}


def test_what_has_begun_is_no_longer_free():
    host = course(1, span(1, 1, 4), embeddable=True)
    found = state(host, days=1, open_from=(1, 3))
    assert [free.span.first for free in free_places(found, 2, top_k=2)] == [3, 5]
    assert free_places(state(days=1, open_from=(2, 1)), 1) == ()
