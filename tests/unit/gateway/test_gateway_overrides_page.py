"""Changed days in words, and their form."""

from datetime import datetime, timedelta
from typing import Any

import grpc
import pytest

from libs.rpc.errors import RemoteError
from services.gateway.domain.locale import Locale
from services.gateway.domain.messages import has
from services.gateway.wire import override_form, overrides_page
from services.gateway.wire.entered import Refused
from services.gateway.wire.override_form import OverrideForm
from services.gateway.wire.overrides_page import OverridesPage, Speaker
from tests.unit.gateway import class_samples as plans
from tests.unit.gateway import gateway_samples as samples


def page(*found: Any, locale: Locale = Locale.ZH, now: datetime = samples.NOW) -> OverridesPage:
    return Speaker.of(locale, samples.semester(), now).build(plans.overrides(*found, more="x"))


def form(**more: str) -> OverrideForm:
    return OverrideForm(**{"date": "2026-10-10", **more})


def test_a_changed_day_tells_which_it_is_and_what_it_runs() -> None:
    off, runs = page(plans.override("2026-10-01"), plans.override("2026-10-10", (4, 4))).lines
    assert (off.title, off.which, off.words) == ("10月1日", "第 4 周周四", "没有课")
    assert (runs.which, runs.words) == ("第 5 周周六", "上第 4 周周四（10月1日）的课")
    assert runs.date == "2026-10-10"


def test_it_is_told_in_english() -> None:
    (line,) = page(plans.override("2026-10-10", (4, 4)), locale=Locale.EN).lines
    assert (line.title, line.which) == ("10 Oct", "Sat of week 5")
    assert line.words == "runs the classes of Thu, week 4 (1 Oct)"


def test_what_can_be_chosen_is_what_the_semester_has() -> None:
    shown = page()
    assert (shown.first, shown.last) == ("2026-09-07", "2027-01-10")
    assert shown.weeks[0] == ("1", "第 1 周")
    assert len(shown.weeks) == 18
    assert shown.days[-1] == ("7", "周日")
    assert shown.more == "x"


@pytest.mark.parametrize(("days", "week"), [(0, "13"), (-200, "1"), (200, "18")])
def test_the_week_of_today_is_offered_first(days: int, week: str) -> None:
    assert page(now=samples.NOW + timedelta(days=days)).this_week == week


def test_a_day_outside_the_semester_is_told_by_its_weekday() -> None:
    (line,) = page(plans.override("2026-09-06")).lines
    assert line.which == "周日"


def test_the_form_becomes_what_is_asked() -> None:
    off = override_form.message(form(week="x", day="x"))
    assert (off.date, off.HasField("runs")) == ("2026-10-10", False)
    runs = override_form.message(form(kind="runs", week=" 4 ", day="4"))
    assert (runs.runs.week, runs.runs.day_of_week) == (4, 4)


@pytest.mark.parametrize(
    ("entered", "problems"),
    [
        ({"kind": "holiday"}, {"kind"}),
        ({"kind": "runs", "week": "", "day": "8"}, {"week", "day"}),
        ({"kind": "runs", "week": "1234"}, {"week"}),
    ],
)
def test_what_is_no_choice_is_said_at_its_field(
    entered: dict[str, str], problems: set[str]
) -> None:
    with pytest.raises(Refused) as refused:
        override_form.message(form(**entered))
    keys = refused.value.problems.keys
    assert set(keys) >= problems
    assert all(has(key) for key in keys.values())


@pytest.mark.parametrize(
    ("reason", "field"),
    [("out_of_semester", "week"), ("not_started", "date"), ("ended", "date")],
)
def test_what_the_semester_does_not_have_is_said_at_its_field(reason: str, field: str) -> None:
    error = RemoteError(grpc.StatusCode.FAILED_PRECONDITION, reason, "smartmate.schedule")
    problems = override_form.problem_of(error)
    assert problems is not None
    ((name, key),) = problems.keys.items()
    assert name == field
    assert has(key)


def test_other_refusals_are_about_no_field() -> None:
    error = RemoteError(grpc.StatusCode.UNAVAILABLE, "unavailable", "smartmate.schedule")
    assert override_form.problem_of(error) is None


def test_blocks_in_the_way_are_named_and_led_to_and_the_others_counted() -> None:
    blocks = list(overrides_page.in_the_way(Locale.ZH, "2026-12-02", [23, 404], 5, samples.week()))
    assert [(one.name, one.words, one.href) for one in blocks] == [
        ("最短路径", "10–11 节", "/week/events/23?date=2026-12-02"),
        ("", "另有 4 块", ""),
    ]
    alone = list(overrides_page.in_the_way(Locale.ZH, "2026-12-02", [23], 1, samples.week()))
    assert len(alone) == 1
    nobody = list(overrides_page.in_the_way(Locale.ZH, "2026-12-02", [23], 1, None))
    assert [one.words for one in nobody] == ["另有 1 块"]
