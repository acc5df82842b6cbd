"""What a text claims, claim by claim, and which of them belong together.

Claims that stand together, "周二 3–4 节 10:15" say, speak of one moment or place.
"""

import re
import unicodedata
from collections.abc import Iterator

from services.agent.domain.claim import Claim, Group, Kind
from services.agent.domain.claim_forms import FORMS

_DASHES = re.compile(r"[‐-―−~〜～]")
_GLUE = re.compile(
    r"(?:[\s,、()\[\]:·-]|的|在|从|到|至|于|自|起|\b(?:at|on|from|to|until|of|the|and|in)\b)*"
)
_STOP = re.compile(r"[。.!?;,，、\n]")
_COUNTS = (Kind.NUMBER, Kind.UNREADABLE)


def normal(text: str) -> str:
    """One form of digits, brackets, commas, spaces and dashes."""
    return _DASHES.sub("-", unicodedata.normalize("NFKC", text))


def groups(text: str) -> tuple[Group, ...]:
    """All that a normal text claims, what belongs together in one group."""
    found: list[list[Claim]] = []
    for claim in claims(text):
        if found and _belongs(text, found[-1][-1], claim):
            found[-1].append(claim)
        else:
            found.append([claim])
    return tuple(
        Group(tuple(group), _clause(text, group[0].start, group[-1].end)) for group in found
    )


def claims(text: str) -> Iterator[Claim]:
    """Every claim of a normal text, in its order."""
    matches = [form.pattern.search(text) for form in FORMS]
    position = 0
    while True:
        for index, match in enumerate(matches):
            if match is not None and match.start() < position:
                matches[index] = FORMS[index].pattern.search(text, position)
        starts = [(match.start(), index) for index, match in enumerate(matches) if match]
        if not starts:
            return
        _, first = min(starts)
        chosen = matches[first]
        assert chosen is not None
        for kind, values in FORMS[first].read(chosen):
            yield Claim(kind, values, chosen.start(), chosen.end())
        position = chosen.end()


def _belongs(text: str, before: Claim, claim: Claim) -> bool:
    if before.start == claim.start:
        return True
    if before.kind in _COUNTS or claim.kind in _COUNTS:
        return False
    return _GLUE.fullmatch(text, before.end, claim.start) is not None


def _clause(text: str, start: int, end: int) -> str:
    """The words around a group, up to the next stop on both sides."""
    before = [found.end() for found in _STOP.finditer(text, 0, start)]
    after = _STOP.search(text, end)
    return text[before[-1] if before else 0 : after.start() if after else len(text)]
