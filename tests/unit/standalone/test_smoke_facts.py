"""What the smoke run prints: cells, memory, errors out of logs; and what the sample student has."""

import json
from datetime import UTC, datetime

import pytest
from rich.console import Console

from services.schedule.domain.timetable import zhengfang
from services.standalone import demo, logbook, measure, sample, smoke, up
from services.standalone.progress import Noted, Silent


@pytest.mark.parametrize(
    ("first", "last", "written"),
    [
        (3, 4, "第10周 周二 第3–4节 w10 d2 s3-4"),
        (11, 11, "第10周 周二 第11节 w10 d2 s11"),
    ],
)
def test_a_cell_is_written_for_people_and_for_programs(first: int, last: int, written: str) -> None:
    place = {"week": 10, "day_of_week": 2, "first_section": first, "last_section": last}
    assert smoke.cell(place) == written


def test_every_day_has_its_name() -> None:
    place = {"week": 1, "first_section": 1, "last_section": 1}
    names = [smoke.cell({**place, "day_of_week": day})[4:6] for day in range(1, 8)]
    assert names == ["周一", "周二", "周三", "周四", "周五", "周六", "周日"]


def test_a_process_counts_with_all_that_came_from_it() -> None:
    parents = {1: 0, 10: 1, 11: 10, 12: 11, 20: 1, 13: 12}
    assert measure.tree(parents, 10) == {10, 11, 12, 13}
    assert measure.tree(parents, 99) == {99}


def test_a_parent_is_read_whatever_the_name_of_the_command() -> None:
    assert measure.parent_in("42 (a) b (c)) S 7 42 42 0 -1") == 7


def test_the_proportional_size_is_read() -> None:
    rollup = "55e-7f [rollup]\nRss:  900 kB\nPss:  512 kB\nPss_Anon:  100 kB\n"
    assert measure.pss_in(rollup) == 512
    assert measure.pss_in("") == 0


def test_an_error_in_a_log_is_one_line_with_ids_and_the_last_word_of_the_traceback() -> None:
    entry = {
        "room": "courier",
        "record_id": 7,
        "event": "broken",
        "level": "error",
        "timestamp": "T",
        "exception": "Traceback …\n  File x\nValueError: no",
    }
    calm = {"event": "ready", "level": "info"}
    lines = [json.dumps(calm), json.dumps(entry), '{"half', "{}", "plain words"]
    found = list(logbook.errors_in(lines))
    assert found == ["T broken room=courier record_id=7 ValueError: no"]


@pytest.mark.parametrize(
    "line",
    [
        "2026-11-30 15:00:00 UTC [7] a@b ERROR:  deadlock detected",
        "[7] 2026/11/30 [ERR] JetStream cluster",
        "ModuleNotFoundError: No module named 'x'",
        "pydantic_core._pydantic_core.ValidationError: 1 validation error",
    ],
)
def test_an_error_of_another_program_is_found(line: str) -> None:
    assert list(logbook.errors_in([line, "[7] 2026/11/30 [INF] fine"])) == [line]


def test_a_long_line_is_cut() -> None:
    (line,) = logbook.errors_in(["ValueError: " + "x" * 1000])
    assert len(line) == logbook.LONGEST + 1


def test_the_step_that_failed_is_remembered_and_no_later_one() -> None:
    noted = Noted(Silent())
    with noted.step("好", "fine"):
        pass
    with pytest.raises(ValueError, match="x"), noted.step("外", "outer"), noted.step("内", "inner"):
        raise ValueError("x")
    with pytest.raises(ValueError, match="y"), noted.step("停止", "stopping"):
        raise ValueError("y")
    assert noted.failed == "内 inner"


def test_a_browser_is_opened_only_where_there_is_a_screen() -> None:
    assert demo.has_screen({"DISPLAY": ":0"})
    assert demo.has_screen({"WAYLAND_DISPLAY": "wayland-0"})
    assert not demo.has_screen({"DISPLAY": "", "TERM": "xterm"})


@pytest.mark.parametrize(
    ("program", "found", "told"),
    [
        (".venv/bin/smartmate", None, ".venv/bin/smartmate"),
        ("/a b/smartmate", "/usr/bin/smartmate", "'/a b/smartmate'"),
        ("/usr/bin/smartmate", "/usr/bin/smartmate", "smartmate"),
        ("/x/services/standalone/__main__.py", None, "smartmate"),
    ],
)
def test_a_command_is_told_as_it_was_given(program: str, found: str | None, told: str) -> None:
    assert up.called(program, found=found) == told


def test_facts_stand_in_columns_and_nothing_is_cut_off(capsys: pytest.CaptureFixture[str]) -> None:
    link = "http://127.0.0.1:1/" + "x" * 200
    smoke.show(Console(width=40), [("链接 link", link), ("预览 preview", "[bold]asp")])
    assert capsys.readouterr().out.splitlines() == [
        f"  链接 link     {link}",
        "  预览 preview  [bold]asp",
    ]


def test_the_sample_timetable_is_read_to_the_last_row() -> None:
    read = zhengfang.parse(sample.timetable(), week_count=sample.WEEKS, section_count=12)
    assert (len(read.rows), read.not_understood, read.duplicates) == (12, (), 0)


@pytest.mark.parametrize("day", [23, 27, 29])
def test_the_sample_student_is_in_the_tenth_week(day: int) -> None:
    now = datetime(2026, 11, day, 15, 59, tzinfo=UTC)
    behind = now.astimezone(sample.ZONE).date() - sample.first_monday(now)
    assert behind.days // 7 + 1 == 10
    assert sample.first_monday(now).isoweekday() == 1


def test_the_last_minute_of_a_week_in_utc_is_the_next_week_at_home() -> None:
    now = datetime(2026, 11, 29, 16, 0, tzinfo=UTC)
    assert (sample.first_monday(now) - sample.first_monday(now.replace(hour=15))).days == 7
