"""Whether words can be shown at all, whatever they say."""

import re
import unicodedata

from services.agent.domain.situation import Words
from services.agent.domain.text import Text

LONGEST_ZH = 240
LONGEST_EN = 600

# Links, mail addresses, markup, code, and placeholders that nothing filled.
_FOREIGN = re.compile(
    r"://|www\.|\b[\w-]+\.(?:com|cn|net|org|io|top|xyz|link|me|cc)\b|\S@\S|[<>`{}\\]|\]\(|\*\*",
    re.IGNORECASE,
)
# Control and format characters; surrogates, private and unassigned ones.
_UNSEEN = ("Cc", "Cf", "Cs", "Co", "Cn")


def fits(words: Words) -> bool:
    """Summary, reason and notification speak; a risk may be silent, in both languages alike."""
    spoken = (words.summary, words.reason, words.notification)
    return all(_is_said(text) for text in spoken) and (not words.risk or _is_said(words.risk))


def _is_said(text: Text) -> bool:
    return _is_shown(text.zh, LONGEST_ZH) and _is_shown(text.en, LONGEST_EN)


def _is_shown(sentence: str, longest: int) -> bool:
    if not sentence.strip() or len(sentence) > longest or _FOREIGN.search(sentence):
        return False
    return not any(unicodedata.category(letter) in _UNSEEN for letter in sentence)
