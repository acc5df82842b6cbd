"""Where a heading must not break: a place, a time or a date is one word to the eye."""

import re

_WHOLE = re.compile(
    r"(?:周[一二三四五六日] ?)?(?:第 ?)?\d+(?:–\d+)? ?节"
    r"|\d{1,2}:\d{2}(?:–\d{1,2}:\d{2})?"
    r"|\d{1,2}月\d{1,2}日"
    r"|(?:(?:Mon|Tue|Wed|Thu|Fri|Sat|Sun)\w*,? )?sections? \d+(?:–\d+)?"
    r"|可以吗？"
)


def phrases(text: str) -> tuple[tuple[str, bool], ...]:
    """The text in pieces; True marks those that are kept on one line."""
    pieces: list[tuple[str, bool]] = []
    at = 0
    for match in _WHOLE.finditer(text):
        pieces.append((text[at : match.start()], False))
        pieces.append((match.group(), True))
        at = match.end()
    pieces.append((text[at:], False))
    return tuple(piece for piece in pieces if piece[0])
