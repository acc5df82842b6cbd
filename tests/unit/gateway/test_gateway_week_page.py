"""What the week page shows."""

from datetime import UTC, datetime

import pytest

from services.gateway.domain.grid import Mark
from services.gateway.domain.locale import Locale
from services.gateway.wire import week_page
from tests.unit.gateway import gateway_samples as samples


def test_a_week_has_its_number_its_dates_and_its_neighbours() -> None:
    page = week_page.build(Locale.ZH, samples.week())
    assert (page.title, page.range) == ("第 13 周", "11月30日 – 12月6日")
    assert (page.previous, page.next, page.is_this_week) == (12, 14, True)


@pytest.mark.parametrize(("number", "previous", "after"), [(1, None, 2), (18, 17, None)])
def test_there_is_no_week_before_the_first_or_after_the_last(
    number: int, previous: int | None, after: int | None
) -> None:
    page = week_page.build(Locale.ZH, samples.week(number=number, events=[]))
    assert (page.previous, page.next, page.is_this_week) == (previous, after, False)


def test_courses_tell_where_and_tasks_tell_when() -> None:
    blocks = week_page.build(Locale.ZH, samples.week()).grid.blocks
    details = {block.title: block.detail for block in blocks}
    assert details["大学英语"] == "文史 201"
    assert details["英语四级词汇"] == "10:15–11:55"
    assert details["形势与政策"] == "可嵌入"


def test_a_guest_stands_in_its_host() -> None:
    blocks = week_page.build(Locale.ZH, samples.week()).grid.blocks
    host, guest = (next(b for b in blocks if b.title == name) for name in ("形势与政策", "背单词"))
    assert (host.mark, guest.mark, guest.guest) == (Mark.HOST, Mark.TASK, True)
    assert host.overlaps(guest)


def test_a_block_is_read_out_with_its_day_its_sections_and_its_time() -> None:
    blocks = week_page.build(Locale.EN, samples.week()).grid.blocks
    label = next(block.label for block in blocks if block.title == "英语四级词汇")
    assert label == "Sat, sections 3–4, 10:15–11:55, task: "


@pytest.mark.parametrize(
    ("asked", "now", "first"),
    [
        (None, samples.NOW, 1),
        (None, datetime(2026, 12, 5, 4, tzinfo=UTC), 5),
        (3, samples.NOW, 3),
        (7, samples.NOW, 5),
    ],
)
def test_a_narrow_screen_begins_with_today_or_with_the_day_that_was_asked_for(
    asked: int | None, now: datetime, first: int
) -> None:
    page = week_page.build(Locale.ZH, samples.week(now=now), day=asked)
    assert page.from_day == first
    assert [day.day for day in page.strip if day.shown] == [first, first + 1, first + 2]


def test_the_strip_tells_how_full_each_day_is() -> None:
    strip = week_page.build(Locale.ZH, samples.week()).strip
    assert [day.dots for day in strip] == [4, 3, 2, 1, 2, 1, 0]
    assert strip[0].load == "8 节"
