"""How long a text is for a model, estimated with care: no vocabulary fits them all.

Source: reference interfaces.md, C.6.
"""

_OF_A_MESSAGE = 4
_LEAST, _MOST = 0.4, 2.5


def corrected(factor: float, *, estimated: int, counted: int) -> float:
    """The factor after an endpoint counted; what it cannot have counted is not believed."""
    if not estimated or not _LEAST <= counted / estimated <= _MOST:
        return factor
    return (factor + counted / estimated) / 2


def estimate(text: str) -> int:
    """Tokens of one message: each CJK letter one, of the rest one for three, and its frame."""
    wide = sum(1 for letter in text if letter > "\u2e7f")
    return wide + (len(text) - wide + 2) // 3 + _OF_A_MESSAGE
