"""The forms of the semester and of personal settings, both ways, and what follows in words."""

from datetime import UTC, datetime

import pytest

from libs.planning.calendar import DEFAULT_CLOCK
from services.gateway.domain import messages
from services.gateway.domain.locale import Locale
from services.gateway.wire import personal_form, semester_form, semester_words
from services.gateway.wire.entered import Refused
from services.gateway.wire.personal_form import PersonalForm
from services.gateway.wire.semester_form import SemesterForm, Shown
from tests.unit.gateway import gateway_samples as samples
from tests.unit.gateway import page_samples as pages


def test_a_stored_semester_is_entered_as_it_is_and_sent_on_as_it_was() -> None:
    stored = samples.semester()
    form = semester_form.of_semester(stored)
    assert (form.first_date, form.weeks, form.zone) == ("2026-09-07", "18", "Asia/Shanghai")
    assert (form.starts[0], form.ends[-1], form.lunch, form.dinner) == ("08:00", "22:30", "4", "8")
    sent = semester_form.message(form)
    sent.version = stored.version
    assert sent == stored


def test_a_new_semester_has_the_usual_bell() -> None:
    sent = semester_form.message(semester_form.new().model_copy(update={"first_date": "x"}))
    assert len(sent.clock.sections) == DEFAULT_CLOCK.count
    assert sent.clock.lunch_after_section == DEFAULT_CLOCK.lunch_after
    assert (sent.semester_id, sent.week_count, sent.time_zone) == (0, 20, "Asia/Shanghai")


def test_rows_come_from_the_form_one_by_one_and_empty_ones_at_the_end_do_not_count() -> None:
    given = {f"start-{n}": f"{6 + n:02}:00" for n in range(1, 11)}
    given |= {f"end-{n}": f"{6 + n:02}:45" for n in range(1, 11)}
    given |= {"start-14": "", "first_date": "2026-09-07", "weeks": "18"}
    form = SemesterForm.model_validate(semester_form.fields(given))
    sent = semester_form.message(form)
    assert [one.start_minute_of_day for one in sent.clock.sections] == [
        60 * hour for hour in range(7, 17)
    ]
    assert len(Shown(form, {}).rows) == 14


@pytest.mark.parametrize(
    ("changed", "problems"),
    [
        ({"weeks": "many"}, {"weeks": "problem.week_count"}),
        ({"weeks": "-1"}, {"weeks": "problem.week_count"}),
        ({"weeks": "9" * 30}, {"weeks": "problem.week_count"}),
        ({"weeks": "٣"}, {"weeks": "problem.week_count"}),
        ({"lunch": ""}, {"lunch": "problem.lunch"}),
        ({"dinner": "x"}, {"dinner": "problem.dinner"}),
        ({"starts": ("08:00",), "ends": ("",)}, {"clock": "problem.section_time"}),
        ({"starts": ("8 am",), "ends": ("09:00",)}, {"clock": "problem.section_time"}),
        (
            {"starts": ("08:00", "", "10:00"), "ends": ("08:45", "", "10:45")},
            {"clock": "problem.section_time"},
        ),
    ],
)
def test_what_is_no_number_and_no_time_is_refused_at_its_field(
    changed: dict[str, object], problems: dict[str, str]
) -> None:
    with pytest.raises(Refused) as refused:
        semester_form.message(semester_form.new().model_copy(update=changed))
    assert refused.value.problems.keys == problems


@pytest.mark.parametrize(
    ("row", "starts", "ends", "wrong"),
    [
        (2, "08:30", "09:40", {2}),
        (2, "09:50", "09:40", {2, 3}),
        (2, "", "09:40", {2}),
        (13, "22:00", "23:00", {13}),
    ],
)
def test_where_the_bell_was_refused_the_rows_that_stand_out_are_pointed_at(
    row: int, starts: str, ends: str, wrong: set[int]
) -> None:
    form = semester_form.new()
    new_starts = [*form.starts, "", ""]
    new_ends = [*form.ends, "", ""]
    new_starts[row - 1], new_ends[row - 1] = starts, ends
    changed = form.model_copy(update={"starts": tuple(new_starts), "ends": tuple(new_ends)})
    shown = Shown(changed, {"clock": "x"})
    assert {number for number, _, _, is_wrong in shown.rows if is_wrong} >= wrong - {3}
    assert not any(is_wrong for *_, is_wrong in Shown(changed, {}).rows)
    assert shown.opens_clock


@pytest.mark.parametrize(
    ("now", "zh"),
    [
        (
            datetime(2026, 11, 30, 10, tzinfo=UTC),
            [
                "今天是第 13 周周一",
                "还有 5 周",
                "9月7日 至 2027年1月10日",
            ],
        ),
        (
            datetime(2027, 1, 9, 10, tzinfo=UTC),
            [
                "今天是第 18 周周六",
                "最后一周",
                "2026年9月7日 至 1月10日",
            ],
        ),
        (
            datetime(2026, 9, 1, tzinfo=UTC),
            ["9月7日 开学", "9月7日 至 2027年1月10日"],
        ),
        (
            datetime(2027, 3, 1, tzinfo=UTC),
            ["这个学期已经结束", "2026年9月7日 至 1月10日"],
        ),
    ],
)
def test_what_follows_from_a_semester(now: datetime, zh: list[str]) -> None:
    *found, day = semester_words.facts(Locale.ZH, samples.semester(), now)
    assert found == zh
    assert day == "每天 12 节，08:00 到 22:30"
    english = " ".join(semester_words.facts(Locale.EN, samples.semester(), now))
    assert not any("\u4e00" <= letter <= "\u9fff" for letter in english)


def test_settings_are_entered_as_they_are_and_sent_on_as_they_were() -> None:
    for stored in (pages.settings(), pages.settings((22 * 60 + 30, 7 * 60))):
        sent = personal_form.message(personal_form.of_settings(stored))
        sent.version = stored.version
        assert sent == stored
    assert personal_form.of_settings(pages.settings((1350, 420))).quiet_from == "22:30"


@pytest.mark.parametrize(
    "entered",
    [
        {"quiet_from": "22:30"},
        {"quiet_to": "07:00"},
        {"quiet_from": "07:00", "quiet_to": "07:00"},
        {"quiet_from": "late", "quiet_to": "07:00"},
    ],
)
def test_quiet_hours_are_two_times_or_none(entered: dict[str, str]) -> None:
    with pytest.raises(Refused) as refused:
        personal_form.message(PersonalForm(**entered))
    assert refused.value.problems.keys == {"quiet": "problem.quiet"}


def test_an_estimate_that_no_form_offers_is_refused() -> None:
    with pytest.raises(Refused) as refused:
        personal_form.message(PersonalForm(default_estimate="5"))
    assert "default_estimate" in refused.value.problems.keys


@pytest.mark.parametrize("table", [semester_form.FIELDS, personal_form.FIELDS])
def test_every_problem_has_words(table: dict[str, tuple[str, str]]) -> None:
    assert all(messages.has(key) for _, key in table.values())
