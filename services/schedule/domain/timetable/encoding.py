"""From the bytes of a file to text: byte order mark, else strict UTF-8, else GB18030."""

import codecs

from services.schedule.domain.timetable import wording

# UTF-32 before UTF-16: the mark of the one begins with the mark of the other.
_MARKS = (
    (codecs.BOM_UTF8, "utf-8"),
    (codecs.BOM_UTF32_LE, "utf-32-le"),
    (codecs.BOM_UTF32_BE, "utf-32-be"),
    (codecs.BOM_UTF16_LE, "utf-16-le"),
    (codecs.BOM_UTF16_BE, "utf-16-be"),
    (b"\x84\x31\x95\x33", "gb18030"),
)


def decode(document: bytes) -> str:
    """Turn the bytes of a file into text without the mark, or raise UnreadableFile."""
    mark = b""
    encodings: tuple[str, ...] = ("utf-8", "gb18030")
    for known, encoding in _MARKS:
        if document.startswith(known):
            mark, encodings = known, (encoding,)
            break
    for encoding in encodings:
        try:
            return document[len(mark) :].decode(encoding)
        except UnicodeDecodeError:
            continue
    raise wording.unreadable_file("unknown_encoding")
