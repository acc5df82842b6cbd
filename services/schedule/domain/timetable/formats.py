"""The one way in: a file, in the form that is named or that its content shows."""

from libs.planning.calendar import Semester
from services.schedule.domain.timetable import documents, wakeup, wording, zhengfang
from services.schedule.domain.timetable.rows import Form, ParsedTimetable


def read(document: bytes, form: Form | None, semester: Semester) -> ParsedTimetable:
    """Reads a file for a semester. Raises UnreadableFile, `unknown_format` where `form` is None
    and nothing that is known fits."""
    text = documents.text_of(document)
    found = documents.split(text)
    form = form or _form_of(found)
    if form is Form.WAKEUP:
        return wakeup.parse_documents(found, semester=semester)
    return zhengfang.parse_reply(
        found.only, week_count=semester.weeks, section_count=semester.clock.count
    )


def _form_of(found: documents.Documents) -> Form:
    if wakeup.is_one(found):
        return Form.WAKEUP
    if found.values and zhengfang.is_one(found.values[0]):
        return Form.ZHENGFANG_JSON
    is_cut = not found.values and found.rest.startswith(("{", "["))
    raise wording.unreadable_file("not_json" if is_cut else "unknown_format")
