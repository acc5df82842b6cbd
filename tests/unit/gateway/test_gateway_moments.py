"""Instants as people enter and read them, and what they are called by when they ask for a link."""

import contextlib
from datetime import UTC, date, datetime, timedelta
from zoneinfo import ZoneInfo

import pytest
from hypothesis import given
from hypothesis import strategies as st

from services.gateway.domain import handle, moments, names
from services.gateway.domain.errors import InvalidHandle, InvalidName
from services.gateway.domain.locale import Locale
from services.gateway.domain.moments import Unreadable

SHANGHAI = ZoneInfo("Asia/Shanghai")
TORONTO = ZoneInfo("America/Toronto")
TODAY = date(2026, 11, 30)
NOW = datetime(2026, 11, 30, 10, 46, tzinfo=UTC)


@pytest.mark.parametrize(
    ("away", "zh", "en"),
    [
        (-1, "昨天", "yesterday"),
        (0, "今天", "today"),
        (1, "明天", "tomorrow"),
        (2, "周三", "Wed"),
        (6, "周日", "Sun"),
        (7, "12月7日", "7 Dec"),
        (-2, "11月28日", "28 Nov"),
        (200, "2027年6月18日", "18 Jun 2027"),
    ],
)
def test_a_near_day_is_called_by_its_name(away: int, zh: str, en: str) -> None:
    on = TODAY + timedelta(days=away)
    assert moments.day(Locale.ZH, on, today=TODAY) == zh
    assert moments.day(Locale.EN, on, today=TODAY) == en


def test_the_day_is_that_of_the_zone() -> None:
    late = datetime(2026, 11, 30, 17, 0, tzinfo=UTC)
    assert moments.moment(Locale.ZH, late, SHANGHAI, now=NOW) == "明天 01:00"
    assert moments.moment(Locale.ZH, late, TORONTO, now=NOW) == "今天 12:00"


@pytest.mark.parametrize("text", ["2026-12-01T22:00", "2026-12-01 22:00", " 2026-12-01T22:00:00 "])
def test_what_is_entered_is_of_the_zones_wall_clock(text: str) -> None:
    assert moments.read(text, SHANGHAI) == datetime(2026, 12, 1, 14, 0, tzinfo=UTC)


def test_nothing_entered_is_nothing() -> None:
    assert moments.read("  ", SHANGHAI) is None
    assert moments.read_clock("") is None


@pytest.mark.parametrize(
    ("text", "key"),
    [
        ("tomorrow", "problem.moment"),
        ("2026-12-01T22:00+08:00", "problem.moment"),
        ("0001-01-01T00:00", "problem.moment"),
        ("9999-12-31T23:59", "problem.moment"),
        ("2026-13-01T22:00", "problem.moment"),
        ("\x00", "problem.moment"),
        ("2027-03-14T02:30", "problem.moment_skipped"),
    ],
)
def test_what_is_no_instant_is_told_by_its_words(text: str, key: str) -> None:
    with pytest.raises(Unreadable) as refused:
        moments.read(text, TORONTO)
    assert refused.value.key == key


def test_of_an_hour_that_comes_twice_the_first_is_meant() -> None:
    assert moments.read("2026-11-01T01:30", TORONTO) == datetime(2026, 11, 1, 5, 30, tzinfo=UTC)


MINUTES_OF_TWO_CENTURIES = st.integers(600_000, 119_000_000)


@given(MINUTES_OF_TWO_CENTURIES, st.sampled_from([SHANGHAI, TORONTO]))
def test_what_a_field_shows_is_read_as_the_same_instant(minutes: int, zone: ZoneInfo) -> None:
    minute = datetime.fromtimestamp(minutes * 60, UTC)
    read = moments.read(moments.entered(minute, zone), zone)
    assert read is not None
    # The second of two equal hours is shown like the first.
    assert minute - read in (timedelta(0), timedelta(hours=1))


@given(st.text(max_size=60))
def test_whatever_is_entered_is_read_or_refused(text: str) -> None:
    for read in (lambda: moments.read(text, SHANGHAI), lambda: moments.read_clock(text)):
        with contextlib.suppress(Unreadable):
            read()


@given(st.integers(0, 24 * 60 - 1))
def test_a_minute_of_the_day_is_shown_and_read(minutes: int) -> None:
    assert moments.read_clock(moments.clock_entered(minutes)) == minutes


@pytest.mark.parametrize("text", ["25:00", "8am", "08:00:30", "08:00+08:00", "一点"])
def test_what_is_no_time_of_day_is_refused(text: str) -> None:
    with pytest.raises(Unreadable):
        moments.read_clock(text)


@pytest.mark.parametrize("text", ["2023123456", " S2023.lin@a-b_c ", "x" * 40])
def test_a_handle_is_kept_without_regard_to_case(text: str) -> None:
    assert handle.of(text) == text.strip().lower()
    assert handle.asked(text)[0] == text.strip().lower()


@pytest.mark.parametrize("text", ["", " ", "-x", "x" * 41, "学号", "a b", "a\x00", "a\nb", "💯"])
def test_what_is_no_handle_is_refused_when_it_is_given_and_nobody_when_it_is_asked_for(
    text: str,
) -> None:
    with pytest.raises(InvalidHandle):
        handle.of(text)
    assert handle.asked(text) == ("", 0)


def test_a_number_may_be_a_users_id_as_well() -> None:
    assert handle.asked(" 42 ") == ("42", 42)
    assert handle.asked("9" * 19) == ("9" * 19, int("9" * 19))
    assert handle.asked("9" * 20) == ("9" * 20, 0)


@pytest.mark.parametrize("text", ["林同学", "📌🧑‍💻", "𠮷野家", "مراجعة", " 两边有空格 ", "a" * 60])
def test_a_name_is_a_line_in_any_script(text: str) -> None:
    assert names.of(text) == text.strip()


@pytest.mark.parametrize("text", ["", "  ", "a" * 61, "a\nb", "a\x00", "a\u2028b", "\ud800"])
def test_what_is_no_line_is_no_name(text: str) -> None:
    with pytest.raises(InvalidName):
        names.of(text)
