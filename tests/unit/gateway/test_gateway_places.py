"""Words for places and times, and the section grid."""

from datetime import UTC, date, datetime, timedelta
from zoneinfo import ZoneInfo

import pytest
from hypothesis import given
from hypothesis import strategies as st

from services.gateway.domain import grid, places
from services.gateway.domain.grid import Block, Day, Handle, Mark, Shade
from services.gateway.domain.locale import Locale
from services.gateway.domain.places import Spot
from services.gateway.wire.calendar import semester
from tests.unit.gateway import gateway_samples as samples

TODAY = date(2026, 11, 30)
SHANGHAI = ZoneInfo("Asia/Shanghai")
HOME = semester(samples.semester())


@pytest.mark.parametrize(
    ("spot", "chinese", "english"),
    [
        (Spot(date(2026, 12, 1), 3, 4), "周二 3–4 节", "Tue, sections 3–4"),
        (Spot(date(2026, 12, 1), 3, 3), "周二第 3 节", "Tue, section 3"),
        (Spot(date(2026, 12, 7), 1, 2), "12月7日周一 1–2 节", "Mon 7 Dec, sections 1–2"),
        (Spot(date(2026, 11, 29), 9, 9), "11月29日周日第 9 节", "Sun 29 Nov, section 9"),
    ],
)
def test_a_place_is_named_by_weekday_and_by_date_when_it_is_not_this_week(
    spot: Spot, chinese: str, english: str
) -> None:
    assert places.place(Locale.ZH, spot, today=TODAY) == chinese
    assert places.place(Locale.EN, spot, today=TODAY) == english


def test_a_moment_has_its_date_when_it_is_not_today() -> None:
    late = datetime(2026, 11, 30, 15, 59, tzinfo=UTC)
    assert places.moment(Locale.ZH, late, SHANGHAI, today=TODAY) == "23:59"
    next_day = late + timedelta(minutes=1)
    assert places.moment(Locale.ZH, next_day, SHANGHAI, today=TODAY) == "12月1日 00:00"
    assert places.moment(Locale.EN, next_day, SHANGHAI, today=TODAY) == "1 Dec 00:00"


def now_at(hour: int, minute: int) -> tuple[tuple[int, int] | None, int]:
    now = datetime(2026, 11, 30, hour, minute, tzinfo=SHANGHAI)
    (column,) = grid.empty(Locale.ZH, [Day(HOME, 13, 1)], now).columns
    return column.now, column.past


@pytest.mark.parametrize(
    ("hour", "minute", "line", "past"),
    [
        (6, 0, (1, 0), 0),
        (8, 0, (1, 0), 1),
        (8, 12, (1, 1), 1),
        (8, 44, (1, 3), 1),
        (8, 50, (2, 0), 1),
        (13, 0, (5, 0), 4),
        (18, 46, (9, 0), 8),
        (23, 30, (12, 4), 12),
    ],
)
def test_the_line_of_the_present_lies_where_the_day_has_come_to(
    hour: int, minute: int, line: tuple[int, int], past: int
) -> None:
    assert now_at(hour, minute) == (line, past)


def test_only_today_has_the_line() -> None:
    drawn = grid.empty(Locale.ZH, [Day(HOME, 13, 1), Day(HOME, 13, 2)], samples.NOW)
    assert [column.today for column in drawn.columns] == [True, False]
    assert [column.now is not None for column in drawn.columns] == [True, False]
    assert [column.past for column in drawn.columns] == [8, 0]


@given(minute=st.integers(0, 60 * 24 * 7))
def test_the_line_is_always_inside_the_grid(minute: int) -> None:
    now = datetime(2026, 11, 29, 16, tzinfo=UTC) + timedelta(minutes=minute)
    days = [Day(HOME, 13, day) for day in range(1, 8)]
    columns = grid.empty(Locale.EN, days, now).columns
    lines = [column.now for column in columns if column.now]
    assert len(lines) <= 1
    assert all(1 <= section <= 12 and 0 <= quarter <= 4 for section, quarter in lines)


@pytest.mark.parametrize(("count", "lunch", "dinner"), [(10, 4, 8), (12, 4, 8), (14, 5, 10)])
def test_any_bell_has_its_rows_and_its_two_breaks(count: int, lunch: int, dinner: int) -> None:
    bell = samples.semester(
        sections=[420 + 60 * number for number in range(count)], lunch=lunch, dinner=dinner
    )
    rows = grid.rows(semester(bell))
    assert [row.number for row in rows] == list(range(1, count + 1))
    assert [row.number for row in rows if row.gap] == [lunch + 1, dinner + 1]


def stands(mark: Mark, first: int, last: int, **more: object) -> Block:
    return Block(1, first, last, mark, mark.value, **more)  # type: ignore[arg-type]


@pytest.mark.parametrize(
    ("guests", "shade", "inside"),
    [
        ([], Shade.NONE, []),
        ([(6, 6)], Shade.NONE, [""]),
        ([(5, 5)], Shade.HEAD, [""]),
        ([(5, 6)], Shade.WHOLE, ["host"]),
        ([(5, 5), (6, 6)], Shade.WHOLE, ["host", "host"]),
        ([(7, 8)], Shade.NONE, [""]),
    ],
)
def test_host_and_guest_leave_each_other_room_for_their_words(
    guests: list[tuple[int, int]], shade: Shade, inside: list[str]
) -> None:
    blocks = [stands(Mark.TASK, first, last, guest=True) for first, last in guests]
    blank = grid.empty(Locale.ZH, [Day(HOME, 13, 1)], samples.NOW)
    drawn = blank.with_blocks([*blocks, stands(Mark.HOST, 5, 6)]).blocks
    assert [one.shade for one in drawn if one.mark is Mark.HOST] == [shade]
    assert [one.inside for one in drawn if one.guest] == inside


def test_a_guest_that_can_be_carried_off_hides_nothing_of_its_host() -> None:
    handle = Handle("c1", "a", "a", "x", ("新增", "新增"))
    guest = stands(Mark.ADD, 5, 6, guest=True, handle=handle)
    blank = grid.empty(Locale.ZH, [Day(HOME, 13, 1)], samples.NOW)
    host, carried = blank.with_blocks([guest, stands(Mark.HOST, 5, 6)]).blocks
    assert (host.shade, carried.inside) == (Shade.NONE, "")


def test_blocks_are_read_day_by_day_and_hosts_before_their_guests() -> None:
    def block(column: int, first: int, *, guest: bool = False) -> Block:
        return Block(column, first, first, Mark.TASK, "x", guest=guest)

    blocks = [block(2, 1), block(1, 5), block(1, 3, guest=True), block(1, 3)]
    drawn = grid.empty(Locale.ZH, [Day(HOME, 13, 1), Day(HOME, 13, 2)], samples.NOW)
    order = [(one.column, one.first, one.guest) for one in drawn.with_blocks(blocks).blocks]
    assert order == [(1, 3, False), (1, 3, True), (1, 5, False), (2, 1, False)]
