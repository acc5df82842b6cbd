"""Cutting text without tearing what a reader sees as one character.

Conservative: where the Unicode rules would allow a cut this may still refuse it, never the other
way round for marks, joiners, emoji, flags, keycaps, Hangul and Indic conjuncts.
"""

import unicodedata
from collections.abc import Callable, Iterator

ZWJ = "\u200d"
ELLIPSIS = "…"
MARKS = frozenset({"Mn", "Mc", "Me"})
# Extenders that are not marks: ZWNJ, ZWJ, half-width kana voicing, Thai and Lao AM.
EXTENDERS = frozenset("\u200c\u200d\uff9e\uff9f\u0e33\u0eb3")
VIRAMA = 9


def clusters(text: str) -> Iterator[str]:
    """The text in pieces that must not be torn; joined they are the text."""
    start = 0
    flags = 0
    for index in range(1, len(text)):
        before, after = text[index - 1], text[index]
        flags = flags + 1 if _is_flag_half(before) else 0
        if not _holds_together(before, after, flags):
            yield text[start:index]
            start = index
    if text:
        yield text[start:]


def cut(text: str, limit: int, *, size: Callable[[str], int] = len) -> str:
    """The longest whole-cluster beginning within `limit`, an ellipsis added where cut.

    `size` measures a string and must add up over its pieces. Where not even the ellipsis fits the
    result is empty.
    """
    if size(text) <= limit:
        return text
    room = limit - size(ELLIPSIS)
    if room < 0:
        return ""
    kept: list[str] = []
    for piece in clusters(text):
        room -= size(piece)
        if room < 0:
            break
        kept.append(piece)
    return "".join(kept).rstrip() + ELLIPSIS


def _holds_together(before: str, after: str, flags: int) -> bool:
    """`flags`: how many flag halves end at `before`."""
    if before == "\r" and after == "\n":
        return True
    if _is_control(before) or _is_control(after):
        return False
    if _extends(after) or before == ZWJ:
        return True
    if _is_flag_half(before) and _is_flag_half(after):
        return flags % 2 == 1
    if _joins_in_hangul(before, after):
        return True
    return unicodedata.combining(before) == VIRAMA


def _is_control(char: str) -> bool:
    return unicodedata.category(char) in ("Cc", "Zl", "Zp")


def _extends(char: str) -> bool:
    code = ord(char)
    skin_tone = 0x1F3FB <= code <= 0x1F3FF
    tag = 0xE0020 <= code <= 0xE007F
    surrogate = 0xDC00 <= code <= 0xDFFF
    return char in EXTENDERS or skin_tone or tag or surrogate or unicodedata.category(char) in MARKS


def _is_flag_half(char: str) -> bool:
    return 0x1F1E6 <= ord(char) <= 0x1F1FF


def _joins_in_hangul(before: str, after: str) -> bool:
    first, second = ord(before), ord(after)
    if _is_jamo(second):
        return _is_jamo(first) or _is_syllable(first)
    return _is_jamo(first) and _is_syllable(second)


def _is_jamo(code: int) -> bool:
    return 0x1100 <= code <= 0x11FF or 0xA960 <= code <= 0xA97F or 0xD7B0 <= code <= 0xD7FF


def _is_syllable(code: int) -> bool:
    return 0xAC00 <= code <= 0xD7A3
