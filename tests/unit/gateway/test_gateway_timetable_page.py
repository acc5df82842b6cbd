"""What the pages of a timetable import show, and how a file travels in them."""

import random
from datetime import UTC, datetime
from typing import Any
from zoneinfo import ZoneInfo

import pytest
from hypothesis import given
from hypothesis import strategies as st

from libs.rpc.errors import InvalidRequest
from services.gateway.domain import week_list
from services.gateway.domain.locale import Locale
from services.gateway.domain.visitor import Visitor
from services.gateway.web.rendering import Renderer
from services.gateway.wire import timetable_form, timetable_lines
from services.gateway.wire.timetable_form import SemesterForm
from services.gateway.wire.timetable_lines import Mark, Piece, RawCell
from services.gateway.wire.timetable_page import Builder, DiffPage, Source
from smartmate.schedule.v1 import schedule_service_pb2, timetable_pb2
from tests.unit.gateway import timetable_samples as samples
from tests.unit.gateway.test_gateway_rendering import FRAME, GOES_TO, Page

SOURCE = Source(
    "2026 秋课表.json", datetime(2026, 9, 1, 10, 52, tzinfo=UTC), ZoneInfo("Asia/Shanghai")
)


def page(locale: Locale = Locale.ZH, *, chosen: Any = None, **fields: Any) -> DiffPage:
    return Builder(locale, samples.answer(**fields)).page(SOURCE, chosen or {})


@pytest.mark.parametrize(
    ("numbers", "chinese", "english"),
    [
        (range(1, 17), "1–16 周", "weeks 1–16"),
        (range(1, 17, 2), "1–15 周（单）", "weeks 1–15 (odd)"),
        (range(2, 17, 2), "2–16 周（双）", "weeks 2–16 (even)"),
        ([8], "8 周", "week 8"),
        ([4, 5, 6, 8, 9, 10, 11, 12, 13], "4–6 周、8–13 周", "weeks 4–6, weeks 8–13"),
        ([1, 3, 4], "1 周、3–4 周", "week 1, weeks 3–4"),
        ([], "", ""),
    ],
)
def test_weeks_are_told_as_runs(numbers: Any, chinese: str, english: str) -> None:
    assert week_list.weeks(Locale.ZH, numbers) == chinese
    assert week_list.weeks(Locale.EN, numbers) == english


@given(st.sets(st.integers(1, 30)))
def test_every_week_is_told_once(numbers: set[int]) -> None:
    found: list[int] = []
    for first, last, step in week_list._runs(sorted(numbers)):
        found += range(first, last + 1, step)
    assert sorted(found) == sorted(numbers)
    assert len(found) == len(set(found))


def test_the_head_says_what_was_read_and_when() -> None:
    assert page().source == "2026 秋课表.json · 41 行 · 18:52 试读，还没有写入"
    pasted = Builder(Locale.EN, samples.nothing()).page(Source("", SOURCE.read_at, SOURCE.zone), {})
    assert pasted.source == "Pasted content · 8 rows · read at 18:52, nothing is written yet"


def test_the_figures_stand_in_the_order_of_the_design() -> None:
    assert [(one.number, one.label) for one in page().counts] == [
        (31, "没有变化"),
        (2, "新增"),
        (2, "修改"),
        (1, "不再出现"),
        (3, "重叠"),
        (1, "没读懂"),
    ]


def test_the_wrong_bit_of_a_row_is_marked() -> None:
    (line,) = page().unread
    assert line.line == "第 17 行"
    assert line.cells == (
        RawCell("kcmc", "形势与政策"),
        RawCell("jcs", "1-2,", "5-", ""),
    )
    assert line.message == "节次写成“5-”，范围缺少结尾。"
    assert line.expected == "应为 1-2节"


@pytest.mark.parametrize(
    ("fields", "cell"),
    [
        ({"position": None}, RawCell("jcs", wrong="1-2,5-")),
        ({"position": 0}, RawCell("jcs", "", "1-2", ",5-")),
        ({"value": "else"}, RawCell("jcs", wrong="1-2,5-")),
        ({"position": 99}, RawCell("jcs", wrong="1-2,5-")),
        ({"field": "xqj"}, RawCell("xqj", wrong="（空）")),
        ({"fields": [], "raw": "5"}, RawCell("", wrong="5")),
        (
            {"fields": [timetable_pb2.RawField(field="jcs", value=" ")]},
            RawCell("jcs", wrong="（空）"),
        ),
    ],
)
def test_what_is_wrong_is_marked_however_it_is_told(fields: Any, cell: RawCell) -> None:
    row = samples.unread(**{k: v for k, v in fields.items() if v is not None})
    if fields.get("position", 0) is None:
        row.ClearField("position")
    assert timetable_lines.unread(Locale.ZH, row).cells[-1] == cell


def test_what_is_expected_is_said_once() -> None:
    row = samples.unread(expected="缺少结尾")
    assert timetable_lines.unread(Locale.ZH, row).expected == ""


def test_a_new_course_says_when_and_where() -> None:
    one = page().changes[0]
    assert (one.kind, one.name, one.before) == ("a", (Piece("工程伦理"),), ())
    assert [piece.text for piece in one.after] == ["周三 7–8 节", "1–16 周", "教三 110", "教师甲"]


def test_a_change_marks_what_was_and_what_is() -> None:
    _, _, room, day, _ = page().changes
    assert room.before == (Piece("周三 7–8 节"), Piece("教二 105", Mark.WAS))
    assert room.after == (Piece("周三 7–8 节"), Piece("教二 210", Mark.IS))
    assert day.before == (Piece("周一 7–8 节", Mark.WAS), Piece("教三 110"))
    assert day.after == (Piece("周二 7–8 节", Mark.IS), Piece("教三 110"))


def test_every_field_that_differs_is_told() -> None:
    before = {"teacher": "", "location": "", "skipped_weeks": [13]}
    after = {"teacher": "教师乙", "can_be_embedded": True, "name": "概率论A"}
    found = samples.change(before, {k: v for k, v in after.items() if k != "name"})
    found.after.name = "概率论A"
    found.fields.extend([1, 2, 3, 6])
    line = timetable_lines.changed(Locale.ZH, found)
    assert line.name == (Piece("概率论", Mark.WAS), Piece("概率论A", Mark.IS))
    assert [piece.text for piece in line.before] == [
        *("周三 7–8 节", "1–16 周 · 跳过 13 周", "没有地点", "没有教师")
    ]
    assert [piece.text for piece in line.after] == [
        *("周三 7–8 节", "1–16 周", "教三 110", "教师乙")
    ]
    assert line.embeddable


def test_a_task_in_the_way_is_a_choice_and_the_class_goes_first() -> None:
    (choice,) = page().choices
    assert (choice.name, choice.place) == ("block-70", "周四 7–8 节，第 13 周")
    assert choice.words == "文件里是「电子工艺」，日程里已有任务「拓扑排序」。"
    assert choice.keeps == "只跳过第 13 周这一次，其余照常写入"
    assert choice.chosen == "course"
    assert page(chosen={"block-70": "task"}).choices[0].chosen == "task"


def test_a_task_that_was_kept_before_is_kept_again() -> None:
    found = page(conflicts=[samples.conflict(was_skipped=True)])
    assert (found.choices[0].chosen, found.choices[0].was_skipped) == ("task", True)


def test_one_task_in_the_way_of_two_classes_is_one_choice() -> None:
    found = page(
        conflicts=[samples.conflict(), samples.conflict(name="音乐", section=9, last_section=9)]
    )
    (choice,) = found.choices
    assert choice.place == "周四 7–9 节，第 13 周"
    assert "「电子工艺」、「音乐」" in choice.words


def test_what_cannot_be_chosen_is_told() -> None:
    assert page().fixed == (
        "「背单词」已经开始或过去，保持不动；第 2 周的这次课不写入。",
        "第 9 行「撞车」没有写入：周四 7–8 节，1–16 周和第 2 行「高等数学」重叠。",
    )
    stored = samples.conflict(event_id=0, course_id=4, other_name="体育")
    assert "日程里的「体育」" in page(conflicts=[stored]).fixed[0]


def test_more_overlaps_than_anybody_chooses_are_counted() -> None:
    many = [samples.conflict(event_id=n, other_name=f"任务{n}") for n in range(1, 204)]
    found = page(conflicts=many)
    assert len(found.choices) == 200
    assert found.more_conflicts.startswith("还有 3 处")


@pytest.mark.parametrize(
    ("fields", "words"),
    [
        ({}, "写入 5 项，跳过 2 行"),
        ({"refused": []}, "写入 5 项，跳过 1 行"),
        ({"refused": [], "unread": []}, "写入 5 项"),
        ({"added": [], "changed": [], "removed": []}, "按上面的选择写入"),
        ({"added": [], "changed": [], "removed": [], "conflicts": []}, ""),
    ],
)
def test_the_button_says_what_it_does(fields: Any, words: str) -> None:
    assert page(**fields).write == words


def test_a_long_list_is_folded() -> None:
    rows = [samples.row(f"课{n}") for n in range(13)]
    found = page(added=rows, changed=[], removed=[])
    assert (len(found.changes), len(found.more_changes), found.change_count) == (8, 5, 13)
    assert not page(added=rows[:12], changed=[], removed=[]).more_changes


def test_what_was_written_is_told_with_what_lost_its_place() -> None:
    answer = samples.answer(displaced=[samples.lost(70, "拓扑排序")])
    found = Builder(Locale.ZH, answer).result()
    assert found.head == "课表已写入"
    assert found.more == "新增 2 门，修改 2 门，移除 1 门；日程里现在有 86 次课。"
    assert found.pending == (
        "「拓扑排序」（周四 7–8 节，第 13 周）",
        "「写周记」（周四 7–8 节，第 13 周）",
    )
    assert found.skipped == ("「电子工艺」 2 周",)
    assert (len(found.left_out), len(found.refused)) == (1, 1)
    kept = Builder(Locale.EN, samples.answer()).result()
    assert kept.skipped == ("“电子工艺” week 2, week 13",)
    assert kept.pending == ("“写周记” (Thu, sections 7–8, week 13)",)


def test_the_same_file_again_is_told_as_such() -> None:
    found = Builder(Locale.ZH, samples.nothing()).result()
    assert (found.head, found.changed) == ("没有变化", False)
    dry = Builder(Locale.ZH, samples.nothing()).page(SOURCE, {})
    assert (dry.write, dry.changes, dry.choices) == ("", (), ())


def rendered(locale: Locale) -> dict[str, Page]:
    renderer = Renderer()
    hostile = samples.answer(
        added=[samples.row(samples.HOSTILE, location=samples.HOSTILE)] * 14,
        unread=[samples.unread(raw=samples.HOSTILE, fields=[])],
        conflicts=[samples.conflict(name=samples.HOSTILE, other_name=samples.HOSTILE)],
        untimed_names=[samples.HOSTILE],
        warnings=[samples.warning(samples.HOSTILE)],
    )
    pages = {}
    for name, answer in (("all", samples.answer()), ("none", samples.nothing()), ("bad", hostile)):
        builder = Builder(locale, answer)
        values: dict[str, Any] = {
            "page": builder.page(SOURCE, {}),
            "moved": name == "all",
            "semester_id": 7,
            "document": "abc",
            "file_name": samples.HOSTILE,
            "form": "auto",
        }
        pages[f"diff {name}"] = Page.of(
            renderer.render("timetable_diff.html", locale, **values, **FRAME)
        )
        pages[f"written {name}"] = Page.of(
            renderer.render("timetable_written.html", locale, page=builder.result(), **FRAME)
        )
    upload: dict[str, Any] = {
        "told": None,
        "shown": {"text": samples.HOSTILE, "format": "auto"},
        "formats": [("auto", "自动识别")],
        "entered": SemesterForm(first_date="x", week_count="20"),
        "problems": {"first_date": "要是一个周一。"},
    }
    for name, semester, refused in (
        ("upload", "学期", ""),
        ("refused", "学期", "读不懂"),
        ("no semester", "", ""),
    ):
        pages[name] = Page.of(
            renderer.render(
                "timetable.html", locale, semester=semester, refused=refused, **upload, **FRAME
            )
        )
    return pages


@pytest.mark.parametrize("locale", Locale)
def test_every_page_is_well_formed_and_keeps_the_policy(locale: Locale) -> None:
    for name, found in rendered(locale).items():
        names = [tag for tag, _ in found.tags]
        assert "style" not in names, name
        for tag, attributes in found.tags:
            assert "style" not in attributes, name
            assert not any(key.startswith("on") for key in attributes), name
            assert tag != "script" or attributes["src"].startswith("/static/"), name
        ids = [one["id"] for _, one in found.tags if "id" in one]
        assert len(ids) == len(set(ids)), name
        assert names.count("h1") == names.count("main") == 1, name
        filled = [one for _, one in found.tags if "pri" in one.get("class", "").split()]
        assert len(filled) <= 1, name


def test_what_a_file_says_is_data() -> None:
    pages = rendered(Locale.ZH)
    assert samples.HOSTILE in pages["diff bad"].text
    assert samples.HOSTILE in pages["upload"].text


def test_the_form_carries_all_that_the_write_needs() -> None:
    found = rendered(Locale.ZH)["diff all"]
    (form,) = [one for one in found.forms if one[GOES_TO] == "/timetable/write"]
    assert form["csrf_token"] == "the-csrf-token"
    assert form["base_version"] == "i1:00ff"
    assert (form["semester_id"], form["document"], form["format"]) == ("7", "abc", "auto")
    assert 0 < len(form["idempotency_key"]) <= 64
    radios = [one for tag, one in found.tags if tag == "input" and one["type"] == "radio"]
    assert [(one["name"], one["value"], one["form"]) for one in radios] == [
        ("block-70", "course", "write"),
        ("block-70", "task", "write"),
    ]
    assert [one["value"] for one in radios if "checked" in one] == ["course"]


def test_who_came_with_a_bearer_token_is_shown_no_form() -> None:
    frame = {**FRAME, "visitor": Visitor(7, "", frozenset(), None)}
    text = Renderer().render(
        "timetable_diff.html",
        Locale.ZH,
        page=page(),
        moved=False,
        semester_id=7,
        document="abc",
        file_name="",
        form="auto",
        **frame,
    )
    assert Page.of(text).forms == []


@given(st.binary(max_size=2000))
def test_a_file_comes_back_as_it_went(document: bytes) -> None:
    packed = timetable_form.pack(document)
    assert timetable_form.unpack(packed) == document
    assert packed.isascii()
    assert not set(packed) & set("+/&% ")


@pytest.mark.parametrize(
    "text",
    [
        *("", "x", "****", "课", "AAAA", timetable_form.pack(b"abc")[:-4]),
        timetable_form.pack(b" " * (2 * 1024 * 1024 + 1)),
        timetable_form.pack(random.Random(7).randbytes(3000))[:2000],
    ],
    ids=lambda value: value[:8],
)
def test_what_was_not_packed_here_is_refused(text: str) -> None:
    with pytest.raises(InvalidRequest):
        timetable_form.unpack(text)


def test_choices_are_read_and_nothing_else() -> None:
    fields = {
        "block-70": "course",
        "block-71": "task",
        "block-72": "both",
        "block-": "course",
        "block-x": "course",
        "block-0": "course",
        "block-" + "9" * 40: "course",
        "block-٣": "course",
        "semester_id": "course",
    }
    chosen = timetable_form.choices(fields)
    assert chosen["block-71"] == "task"
    assert "block-72" not in chosen
    assert timetable_form.displaced(chosen) == [70]


def test_a_write_carries_what_was_chosen_and_what_was_seen() -> None:
    form = timetable_form.WriteForm(
        semester_id=7, document="", base_version="i1:00ff", format="wakeup"
    )
    asked = timetable_form.write(form, b"{}", {"block-70": "course"}, key="k")
    assert asked == schedule_service_pb2.ImportTimetableRequest(
        request_id="k",
        semester_id=7,
        format="TIMETABLE_FORMAT_WAKEUP",
        document=b"{}",
        displaced_event_ids=[70],
        base_version="i1:00ff",
    )


@pytest.mark.parametrize(
    ("date", "weeks", "problems"),
    [
        ("2026-09-07", "20", []),
        (" 2026-09-07 ", " 1 ", []),
        ("2026-09-08", "20", ["first_date"]),
        ("", "", ["first_date", "week_count"]),
        ("9999-99-99", "31", ["first_date", "week_count"]),
        ("2026-09-07", "０", ["week_count"]),
        ("2026-09-07", "-1", ["week_count"]),
    ],
)
def test_a_semester_is_a_monday_and_some_weeks(date: str, weeks: str, problems: list[str]) -> None:
    form = SemesterForm(first_date=date, week_count=weeks)
    assert sorted(form.problems()) == problems


def test_the_name_of_a_file_is_one_short_line() -> None:
    assert timetable_form.shown_name("课\n表\0.json") == "课 表 .json"
    assert len(timetable_form.shown_name("长" * 10_000)) == 120
