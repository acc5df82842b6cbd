"""What is recalled for something, and in which order."""

from datetime import UTC, datetime, timedelta

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from services.agent.domain import memory
from services.agent.domain.memory import Hints, Item, MemoryType

steady = settings(deadline=None, database=None)
NO_HINTS = Hints()
FIRST = datetime(2026, 11, 1, tzinfo=UTC)


def item(id_: int, text: str, hints: Hints = NO_HINTS) -> Item:
    at = FIRST + timedelta(days=id_)
    return Item(id_, MemoryType.PREFERENCE, text, hints, at, at)


ITEMS = (
    item(1, "概率论要先看例题再做作业"),
    item(2, "英语放在早上", Hints((), 1, 2)),
    item(3, "Calculus with Tom"),
    item(4, "概率论的作业最好一次做完"),
    item(5, "不吃香菜"),
    item(6, "周三晚上练琴", Hints((3,), 9, 12)),
)


@pytest.mark.parametrize(
    ("query", "timed", "ids"),
    [
        ("概率论作业", False, [4, 1]),
        ("概率论作业", True, [4, 1, 6, 2]),
        ("CALCULUS homework", False, [3]),
        ("英语听力", False, [2]),
        ("", False, [6, 5, 4, 3, 2, 1]),
        ("   ", False, [6, 5, 4, 3, 2, 1]),
        ("！？", False, []),
        ("体育", True, [6, 2]),
    ],
)
def test_what_shares_words_is_recalled_best_match_first_then_the_newest(
    query: str, timed: bool, ids: list[int]
) -> None:
    found = memory.recalled(ITEMS, query, include_timed=timed, limit=20)
    assert [one.id for one in found] == ids


def test_no_more_than_asked_for_is_recalled() -> None:
    assert [one.id for one in memory.recalled(ITEMS, "", include_timed=False, limit=2)] == [6, 5]


@given(st.text(), st.text(), st.booleans())
@steady
def test_any_query_recalls_some_of_the_items_once(query: str, text: str, timed: bool) -> None:
    items = (*ITEMS, item(7, text))
    found = memory.recalled(items, query, include_timed=timed, limit=50)
    assert len({one.id for one in found}) == len(found) <= len(items)
    again = memory.recalled(reversed(items), query, include_timed=timed, limit=50)
    assert list(again) == list(found)


def test_constraints_with_times_keep_sections_free_and_nothing_else_does() -> None:
    def sample(type_: MemoryType, hints: Hints) -> Item:
        return Item(1, type_, "x", hints, FIRST, FIRST)

    items = (
        sample(MemoryType.CONSTRAINT, Hints((3,), 9, 12)),
        sample(MemoryType.CONSTRAINT, Hints((7,))),
        sample(MemoryType.CONSTRAINT, Hints((), 1, 2)),
        sample(MemoryType.CONSTRAINT, Hints()),
        sample(MemoryType.PREFERENCE, Hints((1,), 1, 4)),
        sample(MemoryType.FACT, Hints((2,))),
    )
    found = memory.kept_free(items)
    assert (3, 9, 12) in found
    assert (7, 1, 14) in found
    assert [one for one in found if one[1:] == (1, 2)] == [(day, 1, 2) for day in range(1, 8)]
    assert len(found) == 9
