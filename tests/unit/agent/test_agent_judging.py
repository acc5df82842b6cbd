"""The judge of the thirty students finds what is planted, and nothing where nothing is."""

from collections.abc import Callable
from dataclasses import replace
from datetime import date, timedelta

import pytest

from smartmate.agent.v1 import chat_pb2
from tests.integration.agent import judging
from tests.integration.agent.faults import improper
from tests.integration.agent.judging import Block, Class, Rows
from tests.integration.agent.talking import Heard

MONDAY = date(2026, 11, 30)
ITEMS = (11, 12, 13)


def block(id_: int, day: int, first: int, last: int, item: int | None = None) -> Block:
    on = MONDAY + timedelta(days=day - 1)
    class_id = None if item is None else 1
    return Block(id_, on, first, last, item is None, None, item is None, class_id, item)


def sound() -> Rows:
    """A course that takes guests, and a class of three items, the second of them in the course."""
    course = block(1, 3, 5, 6)
    guest = replace(block(3, 3, 5, 6, 12), host=1)
    return Rows(
        blocks=(course, block(2, 1, 3, 4, 11), guest, block(4, 4, 1, 2, 13)),
        classes=(
            Class(
                id=1,
                first=MONDAY,
                last=MONDAY + timedelta(days=6),
                total=6,
                in_courses=True,
                pairs=(5,),
                weekdays=(2,),
                items=ITEMS,
            ),
        ),
        sections=12,
        end=MONDAY + timedelta(weeks=2),
    )


def with_block(id_: int, **changes: object) -> Rows:
    rows = sound()
    blocks = tuple(
        replace(one, **changes) if one.id == id_ else one  # type: ignore[arg-type]
        for one in rows.blocks
    )
    return replace(rows, blocks=blocks)


def day(number: int) -> date:
    return MONDAY + timedelta(days=number - 1)


def found(rows: Rows, free: tuple[int, ...] = ()) -> list[str]:
    return judging.violations(rows, today=MONDAY, free=free)


def test_nothing_is_found_where_all_rules_hold() -> None:
    assert found(sound(), free=(6, 7)) == []


PLANTED: dict[str, tuple[Callable[[], Rows], str]] = {
    "two blocks in a cell": (
        lambda: replace(sound(), blocks=(*sound().blocks, block(9, 4, 2, 3))),
        "blocks 4 and 9",
    ),
    "a guest beside its host": (lambda: with_block(3, first=6, last=7), "outside host 1"),
    "a guest of nobody": (lambda: with_block(3, host=77), "has no host"),
    "a host that takes none": (lambda: with_block(1, embeds=False), "has no host"),
    "items the wrong way round": (lambda: with_block(2, on=day(5)), "is not [11, 12, 13]"),
    "an item too long": (lambda: with_block(4, last=3), "takes 3 sections"),
    "a day that is excluded": (lambda: with_block(2, on=day(2)), "breaks a rule"),
    "a pair that is excluded": (lambda: with_block(2, first=9, last=10), "breaks a rule"),
    "a date too late": (lambda: with_block(4, on=day(8)), "breaks a rule"),
    "a day that is past": (lambda: with_block(2, on=day(0)), "in the past"),
    "a section that is none": (lambda: with_block(4, first=12, last=13), "outside the semester"),
    "an item that is missing": (
        lambda: replace(sound(), blocks=sound().blocks[:3]),
        "[11, 12] is not",
    ),
    "an item that is there twice": (
        lambda: replace(sound(), blocks=(*sound().blocks, block(9, 5, 1, 2, 13))),
        "13, 13] is not",
    ),
}


@pytest.mark.parametrize("name", PLANTED)
def test_what_is_planted_is_found(name: str) -> None:
    rows, words = PLANTED[name]
    assert any(words in one for one in found(rows()))


def test_a_guest_where_the_class_wants_none_is_found() -> None:
    rows = sound()
    alone = replace(rows.classes[0], in_courses=False)
    assert found(replace(rows, classes=(alone,))) == ["guest 3: class 1 is not for courses"]


def test_a_weekday_that_the_person_wants_free_is_found() -> None:
    assert found(sound(), free=(4,)) == ["block 4 on 2026-12-03 breaks a rule of class 1"]


def test_items_that_overlap_are_out_of_order() -> None:
    rows = with_block(4, on=day(1), first=4, last=5)
    assert any("begins before" in one for one in found(rows))


def test_variance_counts_each_section_once() -> None:
    rows = sound()
    taken = judging.occupied(rows.blocks)
    assert [len(taken[day(number)]) for number in (1, 2, 3, 4)] == [2, 0, 2, 2]
    assert judging.variance(taken, day(1), day(4)) == pytest.approx(0.75)
    assert judging.variance(taken, day(1), day(4), [block(9, 2, 1, 2)]) == 0


def test_places_are_counted_for_a_class_that_had_all_for_itself() -> None:
    rows = replace(sound(), blocks=())
    one = replace(rows.classes[0], last=day(3), weekdays=(), pairs=())
    assert judging.most_places(rows, one, today=MONDAY) == 18
    assert judging.most_places(rows, one, today=MONDAY, free=(1, 2)) == 6
    assert judging.most_places(rows, replace(one, pairs=(1, 6)), today=MONDAY) == 12
    taken = replace(rows, blocks=(replace(block(1, 1, 1, 11), embeds=False),))
    assert judging.most_places(taken, one, today=MONDAY) == 12


def event(number: int, **content: object) -> chat_pb2.ChatEvent:
    return chat_pb2.ChatEvent(run_id="run_1", sequence=number, **content)  # type: ignore[arg-type]


def ended(text: str, *before: chat_pb2.ChatEvent) -> Heard:
    outcome = chat_pb2.Outcome(kind="OUTCOME_KIND_ABORTED", code="x", user_message=text)
    return Heard("c", "run_1", [*before, event(len(before) + 1, outcome=outcome)])


def test_a_proper_end_is_proper() -> None:
    assert improper(ended("没有写入任何东西。")) == []


@pytest.mark.parametrize(
    "text",
    [
        "已经全部写入你的日程了。",
        "都排好了。",
        "Everything has been saved.",
        "KeyError: 'x'",
        "Traceback (most recent call last)",
        '{"action": "done"}',
        "None",
        "啊" * 3000,
    ],
)
def test_raw_words_and_claims_are_improper(text: str) -> None:
    assert len(improper(ended(text))) == 1


def test_a_stream_that_ends_nowhere_or_has_a_gap_is_improper() -> None:
    speak = event(1, speak=chat_pb2.Speak(text="好"))
    assert improper(Heard("c", "run_1", [speak])) == ["ends with ['speak']"]
    assert improper(ended("好", speak, event(5, speak=chat_pb2.Speak(text="好"))))
