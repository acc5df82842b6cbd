"""Calendar files: one entry a block, with the zone's rules, folded as RFC 5545 wants."""

from dataclasses import replace
from datetime import UTC, date, datetime

import icalendar
import pytest

from libs.planning.calendar import DEFAULT_CLOCK, Semester
from libs.planning.grid import Block, BlockKind
from services.schedule.domain import own_uids
from services.schedule.domain.block import ScheduledBlock, instants
from services.schedule.domain.views import CalendarView
from services.schedule.wire import exports
from tests.unit.schedule.schedule_samples import AUTUMN, at, meeting, work


def _in(zone: str) -> Semester:
    return Semester(7, date(2026, 9, 7), 20, zone, DEFAULT_CLOCK, 70)


def _block(semester: Semester, week: int, name: str = "高等数学") -> ScheduledBlock:
    place = at(week, 1, 1, 2)
    starts_at, ends_at = instants(semester, place)
    return ScheduledBlock(
        block=Block(week, BlockKind.COURSE, place, 1, name=name),
        starts_at=starts_at,
        ends_at=ends_at,
        version=1_780_000_000_000_000,
        location="主校区 A101",
        teacher="王老师",
    )


def _events(view: CalendarView) -> list[icalendar.Event]:
    document = exports.calendar(view).document
    return list(icalendar.Calendar.from_ical(document).walk("VEVENT"))


@pytest.mark.parametrize(
    "zone", ["Asia/Shanghai", "Pacific/Auckland", "America/Toronto", "UTC", "Etc/GMT-14"]
)
def test_a_weekly_class_stays_at_its_hour_across_daylight_saving(zone: str) -> None:
    semester = _in(zone)
    blocks = tuple(_block(semester, week) for week in range(1, 20))
    events = _events(CalendarView(semester, blocks))
    assert len(events) == 19
    for block, event in zip(blocks, events, strict=True):
        assert event.start.astimezone(UTC) == block.starts_at
        assert event.end.astimezone(UTC) == block.ends_at
        local = event.start.astimezone(semester.zone)
        assert (local.hour, local.minute) == (8, 0)


def test_the_file_carries_the_rules_of_its_zone() -> None:
    semester = _in("Pacific/Auckland")
    text = exports.calendar(CalendarView(semester, (_block(semester, 4),))).document.decode()
    assert text.count("BEGIN:VTIMEZONE") == 1
    assert "TZOFFSETTO:+1300" in text
    assert "DTSTART;TZID=Pacific/Auckland:20260928T080000" in text
    assert text.startswith("BEGIN:VCALENDAR\r\n")


@pytest.mark.parametrize(
    "name",
    [
        "📌期末复习🧑‍💻",
        "𠮷野家",
        'a,b;c\\d"e',
        "BEGIN:VEVENT",
        "长" * 10_000,
        "مرحبا",
    ],
)
def test_any_name_comes_back_and_no_line_is_longer_than_75_octets(name: str) -> None:
    view = CalendarView(AUTUMN, (_block(AUTUMN, 1, name),))
    document = exports.calendar(view).document
    assert all(len(line) <= 75 for line in document.split(b"\r\n"))
    document.decode()
    assert str(_events(view)[0]["SUMMARY"]) == name


def test_control_characters_become_spaces() -> None:
    (event,) = _events(CalendarView(AUTUMN, (_block(AUTUMN, 1, "一\r\n二\x07三"),)))
    assert str(event["SUMMARY"]) == "一  二 三"


def test_equal_blocks_give_equal_bytes_and_courses_and_tasks_their_category() -> None:
    view = CalendarView(AUTUMN, (meeting(1, 1, at(1, 1, 1, 2)), work(2, 9, at(1, 2, 5))))
    assert exports.calendar(view) == exports.calendar(replace(view))
    found = [event["CATEGORIES"].cats for event in _events(view)]
    assert found == [["课程"], ["任务"]]


def test_an_entry_is_known_by_its_block() -> None:
    (event,) = _events(CalendarView(AUTUMN, (_block(AUTUMN, 3),)))
    assert own_uids.is_own(str(event["UID"]))
    assert str(event["UID"]) == own_uids.uid_of(3)
    assert event["DTSTAMP"].dt == datetime(2026, 5, 28, 20, 26, 40, tzinfo=UTC)
    for foreign in ("", "event-3@elsewhere", "event-0@schedule.smartmate", "3", "event-3"):
        assert not own_uids.is_own(foreign)
