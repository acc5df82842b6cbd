import pytest
from hypothesis import given
from hypothesis import strategies as st

from services.notification.domain.graphemes import clusters, cut

WHOLE = [
    "e\u0301",
    "👨\u200d👩\u200d👧\u200d👦",
    "👍🏽",
    "❤\ufe0f",
    "1\ufe0f\u20e3",
    "🇨🇳",
    "🏴\U000e0067\U000e0062\U000e0065\U000e006e\U000e0067\U000e007f",
    "葛\U000e0100",
    "\r\n",
    "\u1112\u1161\u11ab",
    "가\u11a8",
    "\u0915\u094d\u0937\u093f",
    "\u0e01\u0e33",
    "ｶ\uff9e",
    "\ud83d\udc4d",
    "🏳\ufe0f\u200d🌈",
]


@pytest.mark.parametrize("whole", WHOLE)
def test_what_is_read_as_one_character_is_one_piece(whole: str) -> None:
    assert list(clusters(f"a{whole}中")) == ["a", whole, "中"]


@pytest.mark.parametrize(
    ("text", "pieces"),
    [
        ("", []),
        ("a", ["a"]),
        ("中文", ["中", "文"]),
        ("한국어", ["한", "국", "어"]),
        ("🇨🇳🇯🇵🇩", ["🇨🇳", "🇯🇵", "🇩"]),
        ("a\n\u0301b", ["a", "\n", "\u0301", "b"]),
        ("👍👍", ["👍", "👍"]),
    ],
)
def test_neighbours_are_told_apart(text: str, pieces: list[str]) -> None:
    assert list(clusters(text)) == pieces


def test_cutting_marks_the_cut_and_keeps_within_the_limit() -> None:
    assert cut("概率论大作业", 6) == "概率论大作业"
    assert cut("概率论大作业", 5) == "概率论大…"
    assert cut("a👨\u200d👩\u200d👧b", 6) == "a…"
    assert cut("ab cd", 4) == "ab…"
    assert cut("概率论", 1) == "…"
    assert cut("概率论", 0) == ""
    assert cut("", 0) == ""


texts = st.lists(st.sampled_from(WHOLE) | st.characters(), max_size=30).map("".join)


@given(texts)
def test_the_pieces_joined_are_the_text(text: str) -> None:
    assert "".join(clusters(text)) == text


@given(texts, st.integers(0, 60))
def test_a_cut_is_a_beginning_made_of_whole_pieces(text: str, limit: int) -> None:
    short = cut(text, limit)
    assert len(short) <= limit
    if short and short != text:
        assert short.endswith("…")
        kept = short.removesuffix("…")
        starts, joined = {""}, ""
        for piece in clusters(text):
            joined += piece
            starts.add(joined.rstrip())
        assert kept in starts
