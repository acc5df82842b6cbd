"""The target's title: written by the person, so it never stands among facts."""

from services.agent.domain import claims
from services.agent.domain.claim import Kind
from services.agent.domain.text import Text

PLACEHOLDER = "{title}"

BLANK = "▢"
"""What stands for the title where words are judged."""
_TELLING_LENGTH = 4
_LENGTH = 60
_QUOTES = (("「", "」"), ("“", "”"))


def cut(title: str) -> str:
    """The title as a sentence holds it."""
    return title if len(title) <= _LENGTH else title[: _LENGTH - 1] + "…"


def masked(text: Text, title: str) -> Text:
    """The text with the placeholder where the title stands in quotation marks."""
    return Text(_masked(text.zh, title), _masked(text.en, title))


def masked_where_written(text: Text, title: str) -> Text:
    """The same for words that a model wrote, which may forget the quotation marks: a title that
    names no time or place is left out wherever it stands."""
    found = masked(text, title)
    if len(title) < _TELLING_LENGTH or _speaks_of_times(title):
        return found
    return Text(found.zh.replace(title, PLACEHOLDER), found.en.replace(title, PLACEHOLDER))


def filled(text: Text, title: str) -> Text:
    """The text with the title in the place of its placeholder."""
    shown = cut(title)
    return Text(text.zh.replace(PLACEHOLDER, shown), text.en.replace(PLACEHOLDER, shown))


def blanked(text: Text) -> Text:
    """The text with a sign that says nothing in the place of the placeholder."""
    return Text(text.zh.replace(PLACEHOLDER, BLANK), text.en.replace(PLACEHOLDER, BLANK))


def _speaks_of_times(title: str) -> bool:
    found = claims.claims(claims.normal(title))
    return any(claim.kind is not Kind.NUMBER for claim in found)


def _masked(text: str, title: str) -> str:
    for opening, closing in _QUOTES:
        for form in (title, cut(title)):
            text = text.replace(f"{opening}{form}{closing}", f"{opening}{PLACEHOLDER}{closing}")
    return text
