"""Names in a text: what stands in quotation marks, words of another script, capitals."""

import re
from collections.abc import Iterator

from services.agent.domain.claims import normal
from services.agent.domain.text import Language

_QUOTED = re.compile(r"「([^」]*)」|『([^』]*)』|《([^》]*)》|“([^”]*)”|\"([^\"]*)\"|‘([^’]*)’")
_LATIN = re.compile(r"[A-Za-z][A-Za-z0-9+#]*")
_HAN = re.compile(r"[\u3400-\u9fff]+")
_CAPITAL = re.compile(r"(?<![A-Za-z'’])[A-Z][A-Za-z0-9+#]*")
_BEFORE_A_SENTENCE = re.compile(r"(?:^|[.!?:。！？：“\"(\n-])\s*$")
_NO_NAMES = frozenset(
    {
        *("i", "ok", "ddl", "am", "pm", "a", "p", "m"),
        *("mon", "tue", "tues", "wed", "thu", "thur", "thurs", "fri", "sat", "sun"),
        *("monday", "tuesday", "wednesday", "thursday", "friday", "saturday", "sunday"),
        *("january", "february", "march", "april", "may", "june", "july", "august"),
        *("september", "october", "november", "december"),
        *("jan", "feb", "mar", "apr", "jun", "jul", "aug", "sep", "sept", "oct", "nov", "dec"),
    }
)
"""Not names, or claims that are checked as such."""


def strange(text: str, language: Language, known: str) -> Iterator[str]:
    """The names of a text that do not occur in what is known, a normal, casefolded text."""
    for name in _names(normal(text), language):
        plain = " ".join(name.casefold().split())
        if plain and plain not in _NO_NAMES and plain not in known:
            yield name


def _names(text: str, language: Language) -> Iterator[str]:
    for found in _QUOTED.finditer(text):
        yield next(part for part in found.groups() if part is not None)
    if language is Language.ZH:
        yield from _LATIN.findall(text)
        return
    yield from _HAN.findall(text)
    for capital in _CAPITAL.finditer(text):
        if not _BEFORE_A_SENTENCE.search(text, 0, capital.start()):
            yield capital[0]
