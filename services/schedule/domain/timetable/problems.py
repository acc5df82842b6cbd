"""What can be wrong with a timetable file.

NotUnderstood    one notation (weeks, sections, weekday, a name) cannot be read
UnreadableFile   the document as a whole is no timetable
RowProblem       a value, no error: one row of the file that was left out, and why
FileWarning      a value: something that the file says of the semester and that is not so here
"""

from dataclasses import dataclass
from typing import Literal

Reason = Literal[
    "missing",
    "wrong_type",
    "too_long",
    "unsafe_text",
    "unreadable",
    "open_range",
    "reversed_range",
    "out_of_range",
    "parity_excludes_all",
    "not_contiguous",
    "disagrees",
    "before_semester",
    "unknown_course",
    "own_time",
]
"""Why a single notation or row was not understood."""

FileReason = Literal[
    "empty_file",
    "too_large",
    "unknown_encoding",
    "html_page",
    "share_code",
    "not_json",
    "unknown_format",
    "no_kblist",
    "kblist_not_a_list",
    "not_wakeup",
    "not_whole",
    "share_expired",
    "no_courses",
    "too_many_rows",
]
"""Why a whole document was refused."""


class NotUnderstood(Exception):
    """One notation that cannot be read with certainty.

    `position` is the index of the offending character in `text`, None where the whole text is
    meant. `expected` is an example or a range that holds in any language, such as `1-16周(单)`.
    """

    def __init__(
        self, reason: Reason, text: str, *, position: int | None = None, expected: str
    ) -> None:
        super().__init__(reason)
        self.reason = reason
        self.text = text
        self.position = position
        self.expected = expected


class UnreadableFile(Exception):
    """The document is no timetable; nothing of it was read."""

    def __init__(self, reason: FileReason, message_zh: str, message_en: str) -> None:
        super().__init__(reason)
        self.reason = reason
        self.message_zh = message_zh
        self.message_en = message_en


@dataclass(frozen=True, slots=True)
class RawField:
    """One field of a row as it came: the source's own key, and at most 100 characters."""

    key: str
    value: str


@dataclass(frozen=True, slots=True, kw_only=True)
class RowProblem:
    """One row of the file that was left out.

    All texts are safe to store and to send: no control characters, no lone surrogates.
    """

    line: int
    """Position in the file, from 1."""
    raw: str
    """The fields of the row that are read, as JSON, at most 300 characters."""
    name: str | None
    """The course, where at least its name was understood."""
    field: str
    """The source's own key of the field, such as `zcd`; empty where the row itself is meant."""
    value: str
    """What that field says, at most 100 characters."""
    position: int | None
    """Index in `value` of the first character that was not understood."""
    reason: Reason
    message_zh: str
    message_en: str
    expected: str
    """What would be understood: an example or a range that holds in any language."""
    fields: tuple[RawField, ...] = ()
    """The fields of the row that are read, in the order of reading; none of a strange row."""


WarningCode = Literal[
    "first_day_differs",
    "first_day_unreadable",
    "week_count_differs",
    "section_count_differs",
    "section_times_differ",
    "sunday_first",
    "more_documents",
]
"""What may be told besides the rows of a file."""


@dataclass(frozen=True, slots=True, kw_only=True)
class FileWarning:
    """Something that a person should know before the rows are written; it refuses none."""

    code: WarningCode
    message_zh: str
    message_en: str
