"""Numbers as people write them: 3, 03, 三, 十二, twenty."""

import re

HAN = "零〇一二两三四五六七八九十"
NUMBER = rf"(?:\d{{1,9}}|[{HAN}]{{1,3}})"
"""Digits, or Han numerals up to 99."""

_WORDS = ("one", "two", "three", "four", "five", "six", "seven", "eight", "nine", "ten")
_ENGLISH = {word: value for value, word in enumerate(_WORDS, start=1)} | {
    "eleven": 11,
    "twelve": 12,
    "fifteen": 15,
    "twenty": 20,
    "thirty": 30,
    "forty": 40,
    "fifty": 50,
    "hundred": 100,
}
WORD = "|".join(_ENGLISH)
"""English number words."""

_DIGITS = {"〇": 0, "两": 2} | {sign: value for value, sign in enumerate("零一二三四五六七八九")}
_TENS = re.compile(rf"([{HAN[:-1]}]?)十([{HAN[:-1]}]?)")


def value(text: str) -> int | None:
    """The number that a text stands for; None for numerals that make none."""
    if text.isdecimal():
        return int(text)
    if text.lower() in _ENGLISH:
        return _ENGLISH[text.lower()]
    if text in _DIGITS:
        return _DIGITS[text]
    if (found := _TENS.fullmatch(text)) is None:
        return None
    tens, ones = found.groups()
    return (_DIGITS[tens] if tens else 1) * 10 + (_DIGITS[ones] if ones else 0)
