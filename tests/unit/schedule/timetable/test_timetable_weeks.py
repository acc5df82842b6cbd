"""The week notation: every form of the reference, and every trap that must be an error."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from services.schedule.domain.timetable import weeks
from services.schedule.domain.timetable.problems import NotUnderstood


def odd(first: int, last: int) -> tuple[int, ...]:
    return tuple(week for week in range(first, last + 1) if week % 2)


def even(first: int, last: int) -> tuple[int, ...]:
    return tuple(week for week in range(first, last + 1) if not week % 2)


def every(first: int, last: int) -> tuple[int, ...]:
    return tuple(range(first, last + 1))


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("1-16周(单)", odd(1, 15)),
        ("2-16周(双),17周", (*even(2, 16), 17)),
        ("4-6周,8-13周", (4, 5, 6, 8, 9, 10, 11, 12, 13)),
        ("8周", (8,)),
        ("第5-5周", (5,)),
        ("3-8周(双)", (4, 6, 8)),
        ("1,3,5-7周", (1, 3, 5, 6, 7)),
        ("１－１６周（单）", odd(1, 15)),
        ("1-16周(单),1-16周(双)", every(1, 16)),
        ("单周", odd(1, 19)),
        ("双周", even(2, 20)),
        ("全周", every(1, 20)),
        ("单双周", every(1, 20)),
    ],
)
def test_reads_the_vectors_of_the_reference(text: str, expected: tuple[int, ...]) -> None:
    assert weeks.parse_weeks(text, week_count=20) == expected


@pytest.mark.parametrize("separator", [",", "，", "、", ";", "；", " ", "\u3000", ", ", " 、 "])
def test_takes_every_separator(separator: str) -> None:
    assert weeks.parse_weeks(f"1-3周{separator}5{separator}7周", week_count=20) == (1, 2, 3, 5, 7)


@pytest.mark.parametrize("dash", ["-", "~", "～", "—", "——", "–", "至", "－", " - ", "−"])
def test_takes_every_range_sign(dash: str) -> None:
    assert weeks.parse_weeks(f"2{dash}4周", week_count=20) == (2, 3, 4)


@pytest.mark.parametrize(
    "parity",
    ["(单)", "（单）", "单", "单周", "(单周)", "（单周）", "|单周", "｜单周", " (单)", "(单)周"],
)
def test_takes_every_parity_mark(parity: str) -> None:
    assert weeks.parse_weeks(f"1-8周{parity}", week_count=20) == (1, 3, 5, 7)
    assert weeks.parse_weeks(f"1-8{parity}", week_count=20) == (1, 3, 5, 7)


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("1-8周单周,10-16周", (1, 3, 5, 7, *every(10, 16))),
        ("1-16单、17、18-20双", (*odd(1, 15), 17, 18, 20)),
        ("1-17单", odd(1, 17)),
        ("{第1-16周|单周}", odd(1, 15)),
        ("{第2-16周", every(2, 16)),
        ("{4-20周}", every(4, 20)),
        ("周数:1-4", every(1, 4)),
        ("周数：1-4,6-17周", (*every(1, 4), *every(6, 17))),
        ("第1周-第3周", (1, 2, 3)),
        ("1-4(单双周)", every(1, 4)),
        ("01-03周", (1, 2, 3)),
        ("  5 周 ", (5,)),
        ("1-5周,", every(1, 5)),
        ("5(单)", (5,)),
        ("7,3,3,1-3", (1, 2, 3, 7)),
        (" 单周 ", odd(1, 19)),
    ],
)
def test_reads_forms_seen_in_the_field(text: str, expected: tuple[int, ...]) -> None:
    assert weeks.parse_weeks(text, week_count=20) == expected


def test_a_parity_binds_its_own_item_alone() -> None:
    assert 17 in weeks.parse_weeks("2-16周(双),17周", week_count=20)
    assert weeks.parse_weeks("17周,2-4周(双),5-6", week_count=20) == (2, 4, 5, 6, 17)


@pytest.mark.parametrize(
    ("text", "reason", "position", "expected"),
    [
        ("", "missing", None, weeks.EXAMPLE),
        ("  ", "missing", None, weeks.EXAMPLE),
        ("{}", "missing", None, weeks.EXAMPLE),
        ("0周", "out_of_range", 0, "1-20"),
        ("21周", "out_of_range", 0, "1-20"),
        ("1-99周", "out_of_range", 2, "1-20"),
        ("1-8,9-21周", "out_of_range", 6, "1-20"),
        ("12345678901234567890", "out_of_range", 0, "1-20"),
        ("16-1周", "reversed_range", 0, "1-16"),
        ("5-", "open_range", 1, weeks.EXAMPLE),
        ("3,5-周", "open_range", 3, weeks.EXAMPLE),
        ("4(单)", "parity_excludes_all", 0, weeks.EXAMPLE),
        ("1-16,4(单)", "parity_excludes_all", 5, weeks.EXAMPLE),
        ("4-4周(单)", "parity_excludes_all", 0, weeks.EXAMPLE),
        ("-5周", "unreadable", 0, weeks.EXAMPLE),
        ("周", "unreadable", 0, weeks.EXAMPLE),
        ("1,,3", "unreadable", 2, weeks.EXAMPLE),
        (",1", "unreadable", 0, weeks.EXAMPLE),
        ("1-8周10-16周", "unreadable", 4, weeks.EXAMPLE),
        ("1-8周单周3节连上", "unreadable", 6, weeks.EXAMPLE),
        ("1-16周(3节)", "unreadable", 5, weeks.EXAMPLE),
        ("1-8-16", "unreadable", 3, weeks.EXAMPLE),
        ("1-8周,单周", "unreadable", 5, weeks.EXAMPLE),
        ("第²周", "unreadable", 0, weeks.EXAMPLE),
        ("一周", "unreadable", 0, weeks.EXAMPLE),
        ("1" * 201, "too_long", 200, "≤ 200"),
    ],
)
def test_refuses_what_is_uncertain(
    text: str, reason: str, position: int | None, expected: str
) -> None:
    with pytest.raises(NotUnderstood) as refusal:
        weeks.parse_weeks(text, week_count=20)
    error = refusal.value
    assert (error.reason, error.text, error.position, error.expected) == (
        reason,
        text,
        position,
        expected,
    )


def test_a_parity_of_the_whole_semester_that_holds_no_week_is_an_error() -> None:
    with pytest.raises(NotUnderstood, match="parity_excludes_all"):
        weeks.parse_weeks("双周", week_count=1)


def test_bitmask_bit_0_is_week_1() -> None:
    assert weeks.weeks_from_bitmask(8120, week_count=20) == (4, 5, 6, 8, 9, 10, 11, 12, 13)
    assert weeks.weeks_from_bitmask(21845, week_count=20) == odd(1, 15)
    assert weeks.weeks_from_bitmask(1, week_count=1) == (1,)


@pytest.mark.parametrize(
    ("mask", "reason"),
    [
        (0, "missing"),
        (-1, "out_of_range"),
        (1 << 20, "out_of_range"),
        (2**31, "out_of_range"),
        pytest.param(1 << 20_000, "out_of_range", id="huge"),
    ],
)
def test_bitmask_outside_the_semester_is_an_error(mask: int, reason: str) -> None:
    with pytest.raises(NotUnderstood, match=reason):
        weeks.weeks_from_bitmask(mask, week_count=20)


def test_bitstring_begins_where_the_school_says() -> None:
    assert weeks.weeks_from_bitstring("0111", week_count=20, first_week=0) == (1, 2, 3)
    assert weeks.weeks_from_bitstring("0111", week_count=20) == (2, 3, 4)


@pytest.mark.parametrize(
    ("text", "reason", "position"),
    [
        ("0" * 36 + "1" * 16, "out_of_range", 36),
        ("", "missing", None),
        ("000", "missing", None),
        ("01 1", "unreadable", 2),
        ("０１", "unreadable", 0),
    ],
)
def test_bitstring_is_never_cut_off(text: str, reason: str, position: int | None) -> None:
    with pytest.raises(NotUnderstood) as refusal:
        weeks.weeks_from_bitstring(text, week_count=20)
    assert (refusal.value.reason, refusal.value.position) == (reason, position)


def test_bitstring_that_sets_week_0_is_an_error() -> None:
    with pytest.raises(NotUnderstood, match="out_of_range"):
        weeks.weeks_from_bitstring("11", week_count=20, first_week=0)


@pytest.mark.parametrize(
    ("found", "text"),
    [
        ((4, 5, 6, 8, 9, 10), "4-6周,8-10周"),
        ((1, 3, 5, 7), "1-7周(单)"),
        ((2, 4, 6, 17), "2-6周(双),17周"),
        ((1, 3), "1周,3周"),
        ((8,), "8周"),
        ((), ""),
    ],
)
def test_formats_in_the_notation_of_the_schools(found: tuple[int, ...], text: str) -> None:
    assert weeks.format_weeks(found) == text


@given(st.sets(st.integers(1, 30), min_size=1))
def test_reading_what_was_formatted_gives_the_same_weeks(found: set[int]) -> None:
    text = weeks.format_weeks(found)
    assert weeks.parse_weeks(text, week_count=30) == tuple(sorted(found))


@given(st.sets(st.integers(1, 30), min_size=1))
def test_mask_and_string_and_text_say_the_same(found: set[int]) -> None:
    mask = sum(1 << (week - 1) for week in found)
    string = "".join("1" if week in found else "0" for week in range(1, 31))
    expected = weeks.parse_weeks(",".join(map(str, found)), week_count=30)
    assert weeks.weeks_from_bitmask(mask, week_count=30) == expected
    assert weeks.weeks_from_bitstring(string, week_count=30) == expected


@given(
    st.text() | st.text(alphabet="0123456789-~至,、; 第周单双全()（）|{}:数"), st.integers(1, 30)
)
def test_any_text_is_read_inside_the_semester_or_refused(text: str, week_count: int) -> None:
    refusal: NotUnderstood | None = None
    found: tuple[int, ...] = ()
    try:
        found = weeks.parse_weeks(text, week_count=week_count)
    except NotUnderstood as raised:
        refusal = raised
    assert bool(found) == (refusal is None)
    assert found == tuple(sorted(set(found)))
    assert all(1 <= week <= week_count for week in found)
    if refusal and refusal.position is not None:
        assert 0 <= refusal.position < len(text)
