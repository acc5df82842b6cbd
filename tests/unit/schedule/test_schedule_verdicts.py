"""Verdicts as they are stored, what makes two asks the same, and what an ask touches."""

import json
from dataclasses import replace
from datetime import date

import pytest
from hypothesis import given
from hypothesis import strategies as st

from libs.planning.base_map import BaseEntryDiff
from libs.planning.changes import ChangeType
from libs.planning.grid import Block, BlockKind, Cell, Place, Target, TargetKind
from libs.planning.validation import Refusal, RefusalCode
from services.schedule.domain.touched import touched
from services.schedule.domain.verdict import (
    Ask,
    Kept,
    KeptReason,
    VerdictRefusal,
    fingerprint,
    kept_of,
    kept_to_json,
    refusals_of,
    refusals_to_json,
)
from tests.unit.schedule.schedule_samples import add, at

CHANGE = add(1, at(13, 2, 5, 6))

TEXTS = st.text(st.characters(exclude_categories=["Cs"]), max_size=10)
NUMBERS = st.integers(-(2**31), 2**63 - 1)
PLACES = st.none() | st.builds(Place, NUMBERS, NUMBERS, NUMBERS, NUMBERS, NUMBERS)
REFUSALS = st.builds(
    VerdictRefusal,
    code=st.sampled_from(RefusalCode),
    change_id=TEXTS,
    place=PLACES,
    event_id=NUMBERS,
    event_name=TEXTS,
    entries=st.lists(st.builds(BaseEntryDiff, TEXTS, TEXTS, TEXTS), max_size=3).map(tuple),
    detail=TEXTS,
    after=PLACES,
    before=PLACES,
    reason=TEXTS,
)
KEPT = st.builds(Kept, NUMBERS, TEXTS, st.sampled_from(KeptReason))


@given(refusals=st.lists(REFUSALS, max_size=4).map(tuple))
def test_refusals_are_stored_whole(refusals: tuple[VerdictRefusal, ...]) -> None:
    assert refusals_of(json.loads(json.dumps(refusals_to_json(refusals)))) == refusals


def test_a_refusal_keeps_the_cell_and_the_block_in_the_way() -> None:
    block = Block(4, BlockKind.COURSE, at(13, 2, 5, 6), 1, name="体育")
    refusal = Refusal(RefusalCode.SLOT_CONFLICT, "c1", Cell(7, 13, 2, 6), block)
    assert VerdictRefusal.of(refusal) == VerdictRefusal(
        RefusalCode.SLOT_CONFLICT, "c1", at(13, 2, 6), 4, "体育"
    )
    bare = VerdictRefusal.of(Refusal(RefusalCode.TARGET_NOT_FOUND, "c1"))
    assert bare == VerdictRefusal(RefusalCode.TARGET_NOT_FOUND, "c1")


@pytest.mark.parametrize(
    "other",
    [
        replace(CHANGE, change_id="c2"),
        replace(CHANGE, type=ChangeType.MOVE),
        replace(CHANGE, target=Target(TargetKind.TASK_ITEM, 1)),
        replace(CHANGE, target=Target(TargetKind.TASK_POOL, 2)),
        replace(CHANGE, to=at(13, 2, 5)),
        replace(CHANGE, to=None),
        replace(CHANGE, from_=at(1, 1, 1)),
        replace(CHANGE, host_id=3),
    ],
)
def test_other_changes_have_another_fingerprint(other: object) -> None:
    assert fingerprint((CHANGE,)) != fingerprint((other,))  # type: ignore[arg-type]


def test_the_right_to_edit_the_base_and_the_limit_are_no_part_of_the_fingerprint() -> None:
    assert fingerprint((CHANGE,)) == fingerprint((replace(CHANGE, editable=True),))
    asks = [Ask(1, "a", (CHANGE,), base) for base in ({}, {"cell:1:1:1:1": "empty"})]
    assert asks[0].fingerprint == asks[1].fingerprint


def test_order_and_number_of_changes_are_part_of_the_fingerprint() -> None:
    other = add(2, at(13, 2, 7), "c2")
    prints = {fingerprint(some) for some in ((CHANGE, other), (other, CHANGE), (CHANGE,), ())}
    assert len(prints) == 4


def test_an_ask_touches_the_days_rows_and_semesters_that_it_names() -> None:
    changes = (
        replace(add(1, at(13, 2, 5, 6)), from_=at(12, 1, 1), host_id=30),
        add(2, at(1, 1, 1, semester=8), "c2"),
        add(3, None, "c3"),
    )
    base = {
        "cell:7:14:3:5": "empty",
        "task_pool:9": "1",
        "target_events:task_pool:10": "none",
        "schedule_event:31": "1",
        "semester:9": "1",
        "override:2026-10-01": "none",
        "task_item:77": "1",
    }
    found = touched(changes, base)
    assert found.days == ((7, 12, 1), (7, 13, 2), (7, 14, 3), (8, 1, 1))
    assert found.task_ids == (1, 2, 3, 9, 10)
    assert found.event_ids == (30, 31)
    assert found.semester_ids == (7, 8, 9)


@pytest.mark.parametrize(
    "key",
    [
        "",
        "cell",
        "cell:",
        "cell:a:b:c:d",
        "cell:7:13:2",
        "cell:7:13:2:5:6",
        "cell:7:31:2:5",
        "cell:7:0:2:5",
        "cell:7:1:8:5",
        "cell:-7:1:1:5",
        "cell:99999999999999999999:1:1:1",
        "task_pool:0",
        "task_pool:-1",
        "task_pool:1:2",
        "task_pool:99999999999999999999",
        "task_pool:" + "9" * 5000,
        "semester:x",
    ],
)
def test_a_key_that_names_nothing_touches_nothing(key: str) -> None:
    found = touched((), {key: "x"})
    assert (found.days, found.task_ids, found.event_ids, found.semester_ids) == ((), (), (), ())


def test_places_that_no_calendar_has_touch_no_day() -> None:
    places = (at(0, 1, 1), at(31, 1, 1), at(1, 8, 1), at(1, 0, 1), at(1, 1, 1, semester=-1))
    found = touched([add(n + 1, place, f"c{n}") for n, place in enumerate(places)], {})
    assert found.days == ()
    assert found.semester_ids == (7,)


@given(kept=st.lists(KEPT, max_size=4).map(tuple))
def test_what_an_undo_leaves_alone_is_stored_whole(kept: tuple[Kept, ...]) -> None:
    assert kept_of(json.loads(json.dumps(kept_to_json(kept)))) == kept


def test_a_refusal_that_an_earlier_release_stored_is_read() -> None:
    (stored,) = refusals_to_json((VerdictRefusal(RefusalCode.EXPIRED),))
    for name in ("after", "before", "reason"):
        del stored[name]
    assert refusals_of([stored]) == (VerdictRefusal(RefusalCode.EXPIRED),)


def test_a_neighbour_that_is_only_asked_for_has_no_id() -> None:
    block = Block(-3, BlockKind.TASK, at(13, 2, 5), 0, name="第三章")
    refusal = Refusal(
        RefusalCode.ORDER_VIOLATION, "c1", block=block, after=at(13, 2, 5), reason="因为"
    )
    found = VerdictRefusal.of(refusal)
    assert (found.event_id, found.event_name) == (0, "第三章")
    assert (found.after, found.before, found.reason) == (at(13, 2, 5), None, "因为")


def test_items_classes_and_dates_of_a_base_are_touched_too() -> None:
    base = {
        "task_item:77": "1",
        "target_events:task_item:78": "none",
        "task_class:5": "1",
        "override:2026-10-01": "none",
        "override:morgen": "none",
    }
    found = touched((), base)
    assert (found.item_ids, found.class_ids) == ((77, 78), (5,))
    assert found.dates == (date(2026, 10, 1),)
    assert not found.is_pool_alone
    assert touched([CHANGE], {"override:2026-10-01": "none"}).is_pool_alone
