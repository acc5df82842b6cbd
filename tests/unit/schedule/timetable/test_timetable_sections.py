"""Sections and weekdays: contiguous, inside the grid, never clipped."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from services.schedule.domain.timetable import sections
from services.schedule.domain.timetable.problems import NotUnderstood


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("1-2", (1, 2)),
        ("1-2节", (1, 2)),
        ("第1,2节", (1, 2)),
        ("第1-2节", (1, 2)),
        ("第1节-第2节", (1, 2)),
        ("9-11", (9, 11)),
        ("5", (5, 5)),
        ("第5节", (5, 5)),
        ("１～３节", (1, 3)),
        ("1、2、3", (1, 3)),
        ("1-2,3-4", (1, 4)),
        ("3,2", (2, 3)),
        ("12", (12, 12)),
        ("01-02", (1, 2)),
    ],
)
def test_reads_sections(text: str, expected: tuple[int, int]) -> None:
    assert sections.parse_sections(text, section_count=12) == expected


@pytest.mark.parametrize(
    ("text", "reason", "position"),
    [
        ("13-14", "out_of_range", 0),
        ("11-13", "out_of_range", 3),
        ("0-2", "out_of_range", 0),
        ("0102", "out_of_range", 0),
        ("2-1", "reversed_range", 0),
        ("5-", "open_range", 1),
        ("1,3", "not_contiguous", None),
        ("1-2,5-6", "not_contiguous", None),
        ("", "missing", None),
        ("中午", "unreadable", 0),
        ("1-2节/周", "unreadable", 4),
        ("-1", "unreadable", 0),
        ("1" * 500, "too_long", 200),
    ],
)
def test_refuses_sections_outside_the_grid_or_apart(
    text: str, reason: str, position: int | None
) -> None:
    with pytest.raises(NotUnderstood) as refusal:
        sections.parse_sections(text, section_count=12)
    assert (refusal.value.reason, refusal.value.position) == (reason, position)


def test_the_grid_decides_whether_section_13_exists() -> None:
    assert sections.parse_sections("13-14", section_count=14) == (13, 14)


def test_reads_a_section_mask_from_bit_0() -> None:
    assert sections.sections_from_bitmask(3, section_count=12) == (1, 2)
    assert sections.sections_from_bitmask(1792, section_count=12) == (9, 11)


@pytest.mark.parametrize(
    ("mask", "reason"), [(0, "missing"), (5, "not_contiguous"), (1 << 12, "out_of_range")]
)
def test_refuses_a_section_mask_that_is_no_block(mask: int, reason: str) -> None:
    with pytest.raises(NotUnderstood, match=reason):
        sections.sections_from_bitmask(mask, section_count=12)


@pytest.mark.parametrize(
    ("text", "day"),
    [
        *((str(day), day) for day in range(1, 8)),
        *((name, day) for day, name in enumerate("一二三四五六日", start=1)),
        ("天", 7),
        ("七", 7),
        ("周三", 3),
        ("星期日", 7),
        ("周天", 7),
        ("星期一", 1),
        ("周5", 5),
        (" ６ ", 6),
    ],
)
def test_reads_weekdays(text: str, day: int) -> None:
    assert sections.parse_weekday(text) == day


@pytest.mark.parametrize(
    ("text", "reason", "position"),
    [
        ("0", "out_of_range", 0),
        ("8", "out_of_range", 0),
        ("周8", "out_of_range", 1),
        ("", "missing", None),
        (" ", "missing", None),
        ("Monday", "unreadable", 0),
        ("周", "unreadable", 0),
        ("一二", "unreadable", 0),
        ("-1", "unreadable", 0),
        ("9" * 5000, "unreadable", 0),
    ],
)
def test_refuses_other_weekdays(text: str, reason: str, position: int | None) -> None:
    with pytest.raises(NotUnderstood) as refusal:
        sections.parse_weekday(text)
    assert (refusal.value.reason, refusal.value.position) == (reason, position)


@given(st.integers(10, 14), st.data())
def test_reading_a_written_range_gives_the_same_sections(count: int, data: st.DataObject) -> None:
    first = data.draw(st.integers(1, count))
    last = data.draw(st.integers(first, count))
    expected = (first, last)
    listed = ",".join(str(section) for section in range(first, last + 1))
    mask = sum(1 << (section - 1) for section in range(first, last + 1))
    assert sections.parse_sections(f"{first}-{last}节", section_count=count) == expected
    assert sections.parse_sections(f"第{listed}节", section_count=count) == expected
    assert sections.sections_from_bitmask(mask, section_count=count) == expected


@given(st.text() | st.text(alphabet="0123456789-,、第节 "))
def test_any_text_is_read_inside_the_grid_or_refused(text: str) -> None:
    refusal: NotUnderstood | None = None
    found: tuple[int, int] | None = None
    try:
        found = sections.parse_sections(text, section_count=12)
    except NotUnderstood as raised:
        refusal = raised
    assert (found is None) == (refusal is not None)
    assert found is None or 1 <= found[0] <= found[1] <= 12
    if refusal and refusal.position is not None:
        assert 0 <= refusal.position < len(text)


@given(st.text() | st.text(alphabet="0123456789周星期一二日天 "))
def test_any_text_is_a_weekday_or_refused(text: str) -> None:
    try:
        day = sections.parse_weekday(text)
    except NotUnderstood:
        return
    assert 1 <= day <= 7
