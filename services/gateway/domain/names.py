"""What a person is called: one line of text in any script, emoji made of several signs included."""

import unicodedata

from services.gateway.domain.errors import InvalidName

LONGEST = 60
_NO_TEXT = frozenset({"Cc", "Cs", "Zl", "Zp"})


def of(text: str) -> str:
    """The name without surrounding space. Raises InvalidName."""
    name = text.strip()
    if not 1 <= len(name) <= LONGEST or any(unicodedata.category(one) in _NO_TEXT for one in name):
        raise InvalidName(LONGEST)
    return name
