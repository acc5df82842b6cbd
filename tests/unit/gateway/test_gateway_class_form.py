"""The form of a study plan both ways, and its lines as items."""

from typing import Any

import grpc
import pytest
from hypothesis import given
from hypothesis import strategies as st

from libs.rpc.errors import RemoteError, Violation
from services.gateway.domain.item_lines import NEW, lines_of, matched, text_of
from services.gateway.domain.locale import Locale
from services.gateway.domain.messages import has
from services.gateway.wire import class_form
from services.gateway.wire.class_form import FIELDS, ClassForm, Shown
from services.gateway.wire.entered import Problems, Refused, problems_of
from smartmate.schedule.v1 import task_class_pb2
from tests.unit.gateway import class_samples as plans

ABC = ((1, "A"), (2, "B"), (3, "C"))
TEXT = st.text(st.sampled_from("AB中 \r\n"), max_size=12)


def form(**more: Any) -> ClassForm:
    return ClassForm(**{"name": "复习", "lines": "A\nB", **more})


@pytest.mark.parametrize(
    ("lines", "ids"),
    [
        ("ABC", (1, 2, 3)),
        ("CAB", (3, 1, 2)),
        ("AXC", (1, 2, 3)),
        ("XBC", (1, 2, 3)),
        ("AC", (1, 3)),
        ("ACD", (1, 3, NEW)),
        ("ABXC", (1, 2, NEW, 3)),
        ("AXYC", (1, 2, NEW, 3)),
        ("XYZ", (1, 2, 3)),
        ("XYZW", (1, 2, 3, NEW)),
        ("", ()),
        ("AA", (1, 2)),
    ],
)
def test_a_line_is_the_item_that_it_repeats_or_stands_in_the_place_of(
    lines: str, ids: tuple[int, ...]
) -> None:
    assert matched(tuple(lines), ABC) == ids


def test_items_that_say_the_same_are_told_apart_by_their_order() -> None:
    assert matched("AAB", ((7, "A"), (8, "A"), (9, "B"))) == (7, 8, 9)
    assert matched("A", ((7, "A"), (8, "A"))) == (7,)


@given(st.lists(TEXT, max_size=8), st.lists(TEXT, max_size=8))
def test_no_item_is_two_lines_and_what_stays_the_same_is_the_same(
    lines: list[str], contents: list[str]
) -> None:
    known = tuple(enumerate(contents, start=1))
    ids = matched(lines, known)
    assert len(ids) == len(lines)
    used = [id_ for id_ in ids if id_ != NEW]
    assert len(used) == len(set(used))
    assert set(used) <= {id_ for id_, _ in known}


@given(st.lists(TEXT.filter(lambda one: bool(one.strip())), max_size=8))
def test_a_plan_that_is_entered_as_it_is_shown_stays_as_it_is(contents: list[str]) -> None:
    shown = lines_of(text_of(contents))
    assert matched(shown, tuple(enumerate(contents, start=1))) == tuple(range(1, len(contents) + 1))


def test_lines_are_trimmed_and_blank_ones_do_not_count() -> None:
    assert lines_of(" a \r\n\r\n\tb\rc\n \n") == ("a", "b", "c")
    assert lines_of("a\u2028b") == ("a\u2028b",)


def test_a_plan_is_entered_as_it_is_stored() -> None:
    stored = plans.plan(
        allow_filler_course=True,
        excluded_days_of_week=[6, 7],
        excluded_pairs=[1],
        difficulty=task_class_pb2.DIFFICULTY_HIGH,
    )
    entered = class_form.of_class(stored)
    assert entered.lines.splitlines() == list(plans.CONTENTS)
    assert (entered.start, entered.end, entered.total) == ("2026-11-30", "2026-12-13", "8")
    assert (entered.days, entered.pairs, entered.filler) == ((6, 7), (1,), "yes")
    assert (entered.difficulty, entered.version) == ("DIFFICULTY_HIGH", 7)

    stated = class_form.message(entered, stored)
    again = class_form.as_stored(stored)
    for one in again.items:
        one.ClearField("order")
    assert stated == again


def test_rewording_keeps_an_item_and_whether_it_is_done() -> None:
    stored = plans.plan(of=[plans.item(1, "A", 1, done=True), plans.item(2, "B", 2)])
    stated = class_form.message(form(lines="A1\nnew\nB"), stored)
    assert [(one.task_item_id, one.content, one.done) for one in stated.items] == [
        (1, "A1", True),
        (0, "new", False),
        (2, "B", False),
    ]
    assert not any(one.HasField("order") for one in stated.items)


def test_what_a_line_cannot_show_stays_as_it_is_stored() -> None:
    stored = plans.plan(of=[plans.item(1, "two\nlines ", 1)])
    entered = class_form.of_class(stored)
    assert entered.lines == "two lines "
    assert class_form.message(entered, stored).items[0].content == "two\nlines "


def test_ticks_stand_together() -> None:
    given_ = {"name": "x", "day-1": "yes", "day-7": "yes", "pair-2": "yes", "pair-3": "no"}
    assert class_form.fields(given_) == {"name": "x", "days": (1, 7), "pairs": (2,)}


@pytest.mark.parametrize(
    ("entered", "problems"),
    [
        ({"total": "many"}, {"total": "problem.class_total"}),
        ({"total": "12345"}, {"total": "problem.class_total"}),
        ({"total": "٣"}, {"total": "problem.class_total"}),
        ({"lines": " \n "}, {"lines": "problem.class_lines"}),
        ({"lines": "a\n" * 301}, {"lines": "problem.class_lines"}),
        ({"lines": "a" * 201}, {"lines": "problem.class_lines"}),
        (
            {"mode": "x", "strategy": "y"},
            dict.fromkeys(("mode", "strategy"), "problem.class_choice"),
        ),
        ({"subject": "TASK_CLASS_MODE_AUTO"}, {"subject": "problem.class_choice"}),
    ],
)
def test_what_is_wrong_is_said_at_its_field(
    entered: dict[str, str], problems: dict[str, str]
) -> None:
    with pytest.raises(Refused) as refused:
        class_form.message(form(**entered))
    assert refused.value.problems.keys == problems
    assert all(has(key) for key in problems.values())


def test_lines_that_are_too_long_are_named() -> None:
    problems = Problems()
    problems.add("lines", "problem.class_lines")
    entered = form(lines="\n".join(["a" * 201, "b", "", "c" * 300]))
    assert class_form.long_lines(entered) == (1, 3)
    words = class_form.words_of(Locale.ZH, entered, problems)
    assert words == {"lines": "第 1、3 行太长，每行最多 200 个字。"}
    english = class_form.words_of(Locale.EN, entered, problems)
    assert "line 1, 3." in english["lines"]
    assert "300" in class_form.words_of(Locale.ZH, form(lines=""), problems)["lines"]


@pytest.mark.parametrize("field", FIELDS)
def test_what_the_service_says_of_a_field_has_words(field: str) -> None:
    error = RemoteError(
        grpc.StatusCode.INVALID_ARGUMENT,
        "invalid_request",
        "smartmate.schedule",
        violations=[Violation(field, "must be else")],
    )
    (key,) = problems_of(error, FIELDS).keys.values()
    assert has(key)


def test_an_item_is_marked_and_all_else_stays() -> None:
    stored = plans.plan()
    marked = class_form.with_item(stored, 102, done=True)
    assert marked is not None
    assert [one.done for one in marked.items] == [False, True, False, False]
    marked.items[1].done = False
    assert marked == class_form.as_stored(stored)
    assert class_form.with_item(stored, 999, done=True) is None


def test_what_is_folded_away_opens_where_something_stands_in_it() -> None:
    assert not Shown(form(), {}).opens_rules
    assert Shown(form(days=(1,)), {}).opens_rules
    assert Shown(form(intensity="COGNITIVE_INTENSITY_LOW"), {}).opens_rules
    assert Shown(form(), {"pairs": "x"}).opens_rules
    assert [Shown(form(lines="a\n" * n), {}).height for n in (1, 12, 300)] == [8, 14, 24]
