"""Which form a file has: named by the caller, or shown by its content."""

import json
from datetime import date

import pytest

from libs.planning.calendar import DEFAULT_CLOCK, Semester
from services.schedule.domain.timetable import formats
from services.schedule.domain.timetable.problems import UnreadableFile
from services.schedule.domain.timetable.rows import Form
from tests.unit.schedule.timetable.wakeup_samples import DETAIL, wakeup

SEMESTER = Semester(7, date(2026, 9, 7), 20, "Asia/Shanghai", clock=DEFAULT_CLOCK, version=1)
KBLIST = json.dumps({"kbList": [{"kcmc": "线性代数", "xqj": "2", "jcs": "3-4", "zcd": "1-16周"}]})
WAKEUP = wakeup(DETAIL)
REPLY = json.dumps({"status": 1, "message": "success", "data": WAKEUP})


@pytest.mark.parametrize("encoding", ["utf-8", "utf-8-sig", "gb18030", "utf-16"])
@pytest.mark.parametrize(
    ("text", "form"),
    [(KBLIST, Form.ZHENGFANG_JSON), (WAKEUP, Form.WAKEUP), (REPLY, Form.WAKEUP)],
    ids=["kbList", "wakeup", "reply"],
)
def test_a_known_form_is_recognised_and_may_be_named(text: str, form: Form, encoding: str) -> None:
    document = text.encode(encoding)
    found = formats.read(document, None, SEMESTER)
    assert found.form is form
    assert [row.name for row in found.rows] == ["线性代数"]
    assert formats.read(document, form, SEMESTER) == found


@pytest.mark.parametrize(
    ("text", "form", "reason"),
    [
        (KBLIST, Form.WAKEUP, "not_wakeup"),
        (WAKEUP, Form.ZHENGFANG_JSON, "not_json"),
        (REPLY, Form.ZHENGFANG_JSON, "no_kblist"),
        ("{}", None, "unknown_format"),
        ("[]", None, "unknown_format"),
        ("null", None, "unknown_format"),
        ("12", None, "unknown_format"),
        ('{"data": {"kbList": []}}', None, "unknown_format"),
        ('[{"name": "线性代数", "day": 1}]', None, "unknown_format"),
        ("课程名称,星期,开始节数\n大学物理,4,1", None, "unknown_format"),
        ("BEGIN:VCALENDAR\nEND:VCALENDAR", None, "unknown_format"),
        ('{"kbList": [', None, "not_json"),
        ("[" * 100_000, None, "not_json"),
        (KBLIST + "{}", None, "not_json"),
        ('{"courseLen": 45}', None, "not_whole"),
        ("", None, "empty_file"),
        ("<!DOCTYPE html>", None, "html_page"),
        ("0f9e8d7c6b5a49382716051423324150", None, "share_code"),
    ],
)
def test_what_no_form_fits_is_refused_as_a_whole(text: str, form: Form | None, reason: str) -> None:
    with pytest.raises(UnreadableFile) as refusal:
        formats.read(text.encode(), form, SEMESTER)
    assert refusal.value.reason == reason


def test_what_is_no_text_is_refused() -> None:
    for document, reason in ((b"\xff\xff\xff", "unknown_encoding"), (b" " * 2**22, "too_large")):
        with pytest.raises(UnreadableFile) as refusal:
            formats.read(document, None, SEMESTER)
        assert refusal.value.reason == reason
