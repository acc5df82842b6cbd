"""The name by which a student asks for a sign-in link: a student number, or a short name."""

import re

from services.gateway.domain.errors import InvalidHandle

LONGEST = 40
_HANDLE = re.compile(rf"[a-z0-9][a-z0-9._@-]{{0,{LONGEST - 1}}}")
_LONGEST_ID = 19


def of(text: str) -> str:
    """The handle as it is kept: without regard to case and surrounding space.

    Raises InvalidHandle.
    """
    handle = _folded(text)
    if not _HANDLE.fullmatch(handle):
        raise InvalidHandle(LONGEST)
    return handle


def asked(text: str) -> tuple[str, int]:
    """What somebody typed, as a handle and as the id of a user; empty and 0 for what is neither.

    Never raises: whether it is anybody's is told to nobody.
    """
    wanted = _folded(text)
    if not _HANDLE.fullmatch(wanted):
        return "", 0
    is_number = wanted.isdecimal() and len(wanted) <= _LONGEST_ID
    return wanted, int(wanted) if is_number else 0


def _folded(text: str) -> str:
    return text.strip().casefold()
