"""The title of a note: what is left of its words when all that says something else is cut out."""

import re
import unicodedata
from dataclasses import dataclass

from services.agent.domain import note_words
from services.agent.domain.note_draft import LONGEST_TITLE
from services.agent.domain.note_words import Span

_MARKS = ("「」", "『』", "《》", "“”", '""', "‘’", "''", "``")
_EDGES = " \t\n,，。;；:：!！?？、·-—~～*•"
_TAKEN = re.compile(
    r"^把(?P<what>.+?)(?P<verb>(?:写|做|交|看|背|读|练|刷|改|弄|搞|买|取|还|洗|发|抄|复习|预习|整理|完成|准备|提交|填|签|订|约|退|搬|修|打印|上传|收拾)"
    r"(?:完|好|掉|上去|一遍)?)$"
)
"""把作文写完 is called 写完作文."""
_JOINERS = "\u200d\ufe0f"


@dataclass(frozen=True, slots=True)
class Piece:
    """A clause as it was said, the same with quotes hidden, and what is to be cut out of it."""

    words: str
    shown: str
    spans: tuple[Span, ...]


def cleaned(piece: Piece) -> str:
    """The title that a clause holds; empty where it names nothing."""
    kept = [part for part in _rests(piece) if part[0].strip(_EDGES)]
    parts = [_trimmed(words, shown) for words, shown in kept]
    named = [part for part in parts if part and not note_words.BARE.fullmatch(part)]
    title = _TAKEN.sub(r"\g<verb>\g<what>", "".join(_spaced(named)))
    return "" if note_words.BARE.fullmatch(title) else _unquoted(title)


def cut(title: str) -> str:
    """At most as many signs as a title may have, no sign torn apart."""
    if len(title) <= LONGEST_TITLE:
        return title
    end = LONGEST_TITLE - 1
    while end > 0 and (unicodedata.combining(title[end]) or _joins(title, end)):
        end -= 1
    return title[:end].rstrip() + "…"


def _joins(title: str, end: int) -> bool:
    return title[end] in _JOINERS or title[end - 1] in _JOINERS


def _rests(piece: Piece) -> list[tuple[str, str]]:
    """What lies between the spans, as said and with quotes hidden."""
    found = []
    start = 0
    for span in sorted(piece.spans, key=lambda one: (one.start, one.end)):
        if span.start > start:
            found.append((piece.words[start : span.start], piece.shown[start : span.start]))
        start = max(start, span.end)
    found.append((piece.words[start:], piece.shown[start:]))
    return found


def _trimmed(words: str, shown: str) -> str:
    """Without the words of talk at both ends; what is quoted is never talk."""
    start, end = 0, len(shown)
    while True:
        begins, ends = start, end
        if match := note_words.OPENING.match(shown[start:end]):
            start += match.end()
        for pattern in (note_words.ENDING, note_words.DUE_ENDING):
            if (match := pattern.search(shown[start:end])) and match.start() > 0:
                end = start + match.start()
        if (start, end) == (begins, ends):
            return " ".join(words[start:end].split()).strip(_EDGES)


def _spaced(parts: list[str]) -> list[str]:
    """A space between Latin words that stood apart."""
    found: list[str] = []
    for part in parts:
        if found and found[-1][-1].isascii() and part[0].isascii():
            found.append(" ")
        found.append(part)
    return found


def _unquoted(title: str) -> str:
    """The quoted words themselves where the title is nothing else."""
    if title[:1] == "把" and any(title[1:2] == marks[0] for marks in _MARKS):
        title = title[1:]
    for marks in _MARKS:
        inner = title[1:-1]
        if title[:1] == marks[0] and title[-1:] == marks[1] and marks[0] not in inner:
            return inner.strip() if marks[1] not in inner else title
    return title
