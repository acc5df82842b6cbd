"""From the bytes of a file to the JSON documents in it."""

import json
import re
from dataclasses import dataclass

from services.schedule.domain.timetable import encoding, wording

MAX_MEBIBYTES = 2

_SHARE_CODE = re.compile(r"[0-9A-Za-z_-]{16,64}")
_MOST_DOCUMENTS = 20
_SPACE = re.compile(r"\s*")


@dataclass(frozen=True, slots=True)
class Documents:
    """JSON documents one behind the other, at most twenty, and what follows them unread."""

    values: tuple[object, ...]
    rest: str

    @property
    def only(self) -> object:
        """The one document of a file that holds no other. Raises UnreadableFile: not_json."""
        if len(self.values) != 1 or self.rest:
            raise wording.unreadable_file("not_json")
        return self.values[0]


def text_of(document: bytes | str) -> str:
    """The text of a file, its marks and outer space taken off.

    Raises UnreadableFile: too_large, unknown_encoding, empty_file, html_page, share_code.
    """
    if len(document) > MAX_MEBIBYTES * 1024 * 1024:
        raise wording.unreadable_file("too_large", limit=MAX_MEBIBYTES)
    text = encoding.decode(document) if isinstance(document, bytes) else document
    text = text.removeprefix("\ufeff").strip()
    if not text:
        raise wording.unreadable_file("empty_file")
    if text.startswith("<"):
        raise wording.unreadable_file("html_page")
    if _SHARE_CODE.fullmatch(text) or (not text.startswith(("{", "[")) and "口令" in text):
        raise wording.unreadable_file("share_code")
    return text


def split(text: str) -> Documents:
    """The JSON documents of a text, with any white space between them.

    A text whose first document cannot be read gives none, and itself as the rest.
    """
    decoder = json.JSONDecoder(parse_constant=_no_constant)
    found: list[object] = []
    position = 0
    while position < len(text) and len(found) < _MOST_DOCUMENTS:
        try:
            value, end = decoder.raw_decode(text, position)
        except (ValueError, RecursionError):
            break
        found.append(value)
        position = _after_space(text, end)
    return Documents(tuple(found), text[position:])


def _after_space(text: str, position: int) -> int:
    space = _SPACE.match(text, position)
    return space.end() if space else position


def _no_constant(name: str) -> object:
    raise ValueError(name)
