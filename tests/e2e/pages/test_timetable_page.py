"""Importing a timetable at the page: what it shows, what was chosen, and what stands afterwards."""

import json
import re
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

import httpx2
import pytest
from playwright.async_api import Page, expect

from smartmate.schedule.v1 import schedule_service_pb2
from tests.e2e.pages.conftest import Shoot
from tests.e2e.pages.visitors import Visitors
from tests.student import Student, course, new_key
from tests.unit.schedule.timetable.wakeup_samples import SLOTS, TABLE, detail, wakeup

AXE = Path(__file__).resolve().parents[2] / "vendor" / "axe-core" / "axe.min.js"
NAMES = (
    "📌期末复习🧑‍💻",
    "𠮷野家",
    "ｱｲｳ",
    "مراجعة نهائية",
    "<script>alert(1)</script>",
    "学" * 200,
)

PLAIN = course("高等数学", day=1, sections="1-2")
ZHENGFANG_TRAPS: Mapping[str, tuple[dict[str, Any], str]] = {
    "a range without its end": ({"jcs": "5-"}, "节次写成“5-”，范围缺少结尾。"),
    "a day of no week": ({"xqj": "8"}, "星期“8”超出了 1-7。"),
    "weeks beyond the semester": ({"zcd": "1-25周"}, "周次“1-25周”超出了 1-20。"),
    "sections beyond the day": ({"jcs": "13-14"}, "节次“13-14”超出了 1-12。"),
    "weeks that run backwards": ({"zcd": "16-1周"}, "周次“16-1周”的起点在终点之后。"),
    "an even week that is odd": ({"zcd": "3(双)"}, "周次“3(双)”按单双周筛选后一周也不剩。"),
    "sections that are apart": ({"jcs": "1-2,5-6"}, "节次“1-2,5-6”不是连着的几节。"),
    "a mask that disagrees": ({"zcd": "1-16周", "oldzc": 21845}, "和同一行的 oldzc 21845"),
    "no weeks at all": ({"zcd": ""}, "缺少周次。"),
    "no name": ({"kcmc": ""}, "缺少课程名。"),
    "a list for a text": ({"xm": ["甲", "乙"]}, "教师既不是文字也不是整数。"),
    "a name of 10,000 letters": ({"kcmc": "长" * 10_000}, "课程名有 10000 个字符，最多 200 个。"),
}
WAKEUP_TRAPS: Mapping[str, tuple[dict[str, Any], str]] = {
    "a detail of no course": ({"id": 9}, "课程编号“9”在文件的课程列表里找不到。"),
    "a day of no week": ({"day": 8}, "星期“8”超出了 1-7。"),
    "days counted from 0": ({"day": 0}, "星期“0”超出了 1-7。"),
    "a class of no length": ({"step": 0}, "节数“0”超出了"),
    "sections beyond the day": ({"startNode": 13}, "开始节次“13”超出了 1-12。"),
    "a class that runs on": ({"startNode": 11, "step": 3}, "节数“3”超出了 1-2。"),
    "weeks beyond the semester": ({"endWeek": 25}, "结束周“25”超出了 1-20。"),
    "weeks that run backwards": ({"startWeek": 9, "endWeek": 2}, "周次“9-2”的起点在终点之后。"),
    "an even week that is odd": (
        {"type": 2, "startWeek": 3, "endWeek": 3},
        "周次“3-3周(双)”按单双周筛选后一周也不剩。",
    ),
    "a kind that is not known": ({"type": 3}, "单双周写成“3”，读不懂。"),
    "own times between sections": (
        {"ownTime": True, "startTime": "18:30", "endTime": "20:05"},
        "自定义时间“18:30-20:05”对不上这个学期的节次。",
    ),
    "a number that is none": ({"startWeek": True}, "周次既不是文字也不是整数。"),
}


def kblist(*rows: Mapping[str, Any], **more: Any) -> bytes:
    return json.dumps({"kbList": rows, **more}, ensure_ascii=False).encode()


async def upload(page: Page, document: bytes, name: str = "2026 秋课表.json") -> None:
    """Chooses a file and reads it."""
    payload = {"name": name, "mimeType": "application/json", "buffer": document}
    await page.locator("#file").set_input_files(files=[payload])  # type: ignore[list-item]
    await page.locator("main form button.pri").click()
    await page.wait_for_load_state()


async def paste(page: Page, text: str) -> None:
    """Pastes the content of a file and reads it."""
    await page.locator("#text").fill(text)
    await page.locator("main form button.pri").click()
    await page.wait_for_load_state()


async def figures(page: Page) -> list[int]:
    """Unchanged, new, changed, gone, overlapping, not understood."""
    return [int(text) for text in await page.locator(".sum b").all_inner_texts()]


async def names(student: Student, week: int) -> list[str]:
    """What stands in a week."""
    at = schedule_service_pb2.WeekOfSemester(week=week)
    request = schedule_service_pb2.GetWeekRequest(week_of_semester=at)
    answer = await student.call(student.line.schedule.GetWeek, request)
    return [event.name for event in answer.events]


async def is_narrow(page: Page) -> bool:
    """Whether nothing stands out sideways."""
    wide: int = await page.evaluate("document.documentElement.scrollWidth - innerWidth")
    return wide <= 0


def complaints(page: Page) -> list[str]:
    """What the browser finds fault with, a policy that was broken among it."""
    found: list[str] = []
    page.on("console", lambda message: found.append(message.text))
    page.on("pageerror", lambda error: found.append(str(error)))
    return found


SIZES = pytest.mark.parametrize("size", ["desktop", "phone"])
SCRIPTS = pytest.mark.parametrize("scripts", [True, False], ids=["scripts", "no_scripts"])


@SIZES
@SCRIPTS
async def test_a_timetable_is_read_looked_at_written_and_the_same_the_next_time(
    visitors: Visitors, shoot: Shoot, size: str, scripts: bool
) -> None:
    visitor = await visitors.arrive()
    student = visitor.student
    await student.import_courses(
        PLAIN,
        course("概率论", day=3, sections="1-2", room="教二 105"),
        course("大学物理", day=2, sections="7-8"),
        course("军事理论", day=5, sections="1-2", weeks="1-8周"),
    )
    document = kblist(
        PLAIN,
        course("概率论", day=3, sections="1-2", room="教二 210"),
        course("大学物理", day=4, sections="1-2"),
        course("工程伦理", day=3, sections="7-8", weeks="1-16周", room="教三 110"),
        course("电路实验", day=5, sections="5-8", weeks="1-16周(双)", room="实验楼 B3"),
        {**course("形势与政策", day=2, sections="5-", room="教一 101")},
        {**course("大学体育", day=8, sections="9-10", weeks="单周", room="东馆")},
        course("撞车", day=1, sections="2-3"),
        sjkList=[{"kcmc": "金工实习"}],
    )
    page = await visitors.open(visitor, "/timetable", size=size, scripts=scripts)
    found = complaints(page)
    await upload(page, document)

    await expect(page.get_by_text("2026 秋课表.json · 8 行")).to_be_visible()
    assert await figures(page) == [1, 2, 2, 1, 1, 2]
    await expect(page.locator(".errs li").first).to_contain_text("第 6 行")
    await expect(page.locator(".errs mark")).to_have_text(["5-", "8"])
    await expect(page.locator("tr.m", has_text="概率论").locator("ins")).to_have_text("教二 210")
    await expect(page.locator("tr.d")).to_contain_text("军事理论")
    await expect(page.get_by_text("「金工实习」")).to_be_visible()
    assert await is_narrow(page)
    await shoot(page, f"timetable-diff-{size}-{'' if scripts else 'no-'}scripts")
    assert sorted(await names(student, 2)) == ["军事理论", "大学物理", "概率论", "高等数学"]

    await page.get_by_role("button", name="写入 5 项，跳过 3 行").click()
    await expect(page.get_by_role("status")).to_contain_text("课表已写入")
    await expect(page.get_by_role("status")).to_contain_text("新增 2 门，修改 2 门，移除 1 门")
    await shoot(page, f"timetable-written-{size}-{'' if scripts else 'no-'}scripts")
    week = ["大学物理", "工程伦理", "概率论", "电路实验", "高等数学"]
    assert sorted(await names(student, 2)) == week
    await page.get_by_role("link", name="在周视图里看").click()
    await expect(page).to_have_url(f"{visitors.url}/week")

    await page.goto(f"{visitors.url}/timetable")
    await upload(page, document)
    await expect(page.get_by_role("status")).to_contain_text("没有要写入的变化")
    assert await figures(page) == [5, 0, 0, 0, 1, 2]
    await expect(page.get_by_role("button", name=re.compile("写入"))).to_have_count(0)
    assert found == []


async def _shows(page: Page, traps: Mapping[str, tuple[dict[str, Any], str]], first: int) -> None:
    """Every trap stands on the page, with its row, what came, and what is wrong."""
    rows = page.locator(".errs li")
    await expect(rows).to_have_count(len(traps))
    for index, (fields, words) in enumerate(traps.values()):
        row = rows.nth(index)
        await expect(row).to_contain_text(f"第 {first + index} 行")
        await expect(row).to_contain_text(words)
        await expect(row.locator("mark")).not_to_be_empty()
        for key in list(fields)[:1]:
            await expect(row.locator("code")).to_contain_text(key)


async def test_every_trap_of_the_schools_own_file_is_shown_and_the_rest_is_written(
    visitors: Visitors, shoot: Shoot
) -> None:
    visitor = await visitors.arrive()
    rows = [{**course("课", day=2, sections="3-4"), **one} for one, _ in ZHENGFANG_TRAPS.values()]
    for size in ("phone", "desktop"):
        page = await visitors.open(visitor, "/timetable", size=size)
        await upload(page, kblist(PLAIN, *rows))
        await _shows(page, ZHENGFANG_TRAPS, 2)
        assert await is_narrow(page)
        await shoot(page, f"timetable-traps-zhengfang-{size}")
    await page.get_by_role("button", name=f"写入 1 项，跳过 {len(rows)} 行").click()
    await expect(page.locator(".errs li")).to_have_count(len(rows))
    assert await names(visitor.student, 2) == ["高等数学"]


async def test_every_trap_of_a_file_of_wakeup_is_shown_and_the_rest_is_written(
    visitors: Visitors, shoot: Shoot
) -> None:
    visitor = await visitors.arrive()
    first_day = visitor.student.semester.first_date
    table = {**TABLE, "startDate": first_day, "nodes": 13, "maxWeek": 18}
    slots = [{**SLOTS[0], "endTime": "08:50"}, *SLOTS[1:]]
    traps = [detail(**fields) for fields, _ in WAKEUP_TRAPS.values()]
    text = wakeup(detail(day=6), *traps, detail(day=6), table=table, slots=slots)
    for size in ("phone", "desktop"):
        page = await visitors.open(visitor, "/timetable", size=size)
        await upload(page, text.encode("gb18030"), "我的课表.wakeup_schedule")
        await _shows(page, WAKEUP_TRAPS, 2)
        warnings = page.locator("section", has_text="和这个学期不一样的地方")
        for words in ("文件写的是 18 周", "一天有 13 节", "08:00-08:50，这里 08:00-08:45"):
            await expect(warnings).to_contain_text(words)
        await expect(page.get_by_text("不写入：「📐画法几何」、「金工实习」")).to_be_visible()
        await expect(page.get_by_text("1 行只是重复")).to_be_visible()
        assert await is_narrow(page)
        await shoot(page, f"timetable-traps-wakeup-{size}")
    await page.get_by_role("button", name="写入 1 项").click()
    await expect(page.get_by_role("status")).to_contain_text("课表已写入")
    assert await names(visitor.student, 2) == ["线性代数"]


@pytest.mark.parametrize("keep", [False, True], ids=["class", "task"])
async def test_a_task_in_the_way_is_kept_or_waits_again_as_the_person_chooses(
    visitors: Visitors, shoot: Shoot, keep: bool
) -> None:
    visitor = await visitors.arrive()
    student = visitor.student
    task = await student.create_task("拓扑排序")
    assert (await student.add(task.task_id, student.place(9, 10))).event_ids
    week, day = student.today
    document = kblist(course("电子工艺", day=day, sections="9-10"))
    page = await visitors.open(visitor, "/timetable", size="phone", scripts=keep)
    await upload(page, document)
    group = page.get_by_role("group", name=re.compile(f"9–10 节，第 {week} 周"))
    await expect(group.get_by_label("写入课程，任务待重排")).to_be_checked()
    if keep:
        await group.get_by_label("写入课程，任务待重排").focus()
        await page.keyboard.press("ArrowDown")
        await expect(group.get_by_label("保留任务，跳过这次课")).to_be_checked()
    await shoot(page, f"timetable-overlap-{'task' if keep else 'class'}-phone")
    await page.get_by_role("button", name="写入 1 项").click()
    await expect(page.get_by_role("status")).to_contain_text("课表已写入")
    if keep:
        await expect(page.get_by_text(f"「电子工艺」 {week} 周")).to_be_visible()
    else:
        await expect(page.get_by_text("回到待安排的任务")).to_be_visible()
        await expect(page.get_by_role("link", name="去看任务")).to_be_visible()
    assert await names(student, week) == ["拓扑排序" if keep else "电子工艺"]
    assert await names(student, week + 1) == ["电子工艺"]

    await page.goto(f"{visitors.url}/timetable")
    await upload(page, document)
    assert (await figures(page))[:4] == [1, 0, 0, 0]
    if keep:
        await expect(page.get_by_label("保留任务，跳过这次课")).to_be_checked()
        await page.get_by_text("写入课程，任务待重排").click()
        await page.get_by_role("button", name="按上面的选择写入").click()
        await expect(page.get_by_role("status")).to_contain_text("课表已写入")
        assert await names(student, week) == ["电子工艺"]


async def test_what_came_in_meanwhile_is_shown_before_anything_is_written(
    visitors: Visitors, shoot: Shoot
) -> None:
    visitor = await visitors.arrive()
    student = visitor.student
    week, day = student.today
    page = await visitors.open(visitor, "/timetable", scripts=False)
    await upload(page, kblist(course("电子工艺", day=day, sections="9-10")))
    await expect(page.get_by_text("时间重叠")).to_have_count(0)
    task = await student.create_task("拓扑排序")
    await student.add(task.task_id, student.place(9, 10))

    await page.get_by_role("button", name="写入 1 项").click()

    await expect(page.get_by_role("alert")).to_contain_text("日程刚刚有了变动，这次没有写入")
    assert await names(student, week) == ["拓扑排序"]
    assert await names(student, week + 1) == []
    await shoot(page, "timetable-moved-desktop")
    await page.get_by_label("保留任务，跳过这次课").check()
    await page.get_by_role("button", name="写入 1 项").click()
    await expect(page.get_by_role("status")).to_contain_text("课表已写入")
    assert await names(student, week) == ["拓扑排序"]
    assert await names(student, week + 1) == ["电子工艺"]


async def test_a_press_that_is_sent_again_writes_once(visitors: Visitors) -> None:
    visitor = await visitors.arrive()
    page = await visitors.open(visitor, "/timetable", scripts=False)
    await paste(page, kblist(PLAIN).decode())
    await page.get_by_role("button", name="写入 1 项").click()
    await expect(page.get_by_role("status")).to_contain_text("新增 1 门")
    await page.reload()
    await expect(page.get_by_role("status")).to_contain_text("新增 1 门")
    rows = await visitors.world.fetch(
        "schedule", "SELECT 1 FROM courses WHERE user_id = $1", visitor.student.id
    )
    assert len(rows) == 1


@SCRIPTS
async def test_without_a_semester_the_first_monday_is_asked_for(
    visitors: Visitors, shoot: Shoot, scripts: bool
) -> None:
    visitor = await visitors.arrive(semester=False)
    page = await visitors.open(visitor, "/timetable", scripts=scripts, size="phone")
    await expect(page.get_by_text("先定下学期")).to_be_visible()
    await page.get_by_label("第一周的周一").fill("2026-09-08")
    await page.get_by_role("button", name="保存，接着导入").click()
    await expect(page.get_by_text("要是一个周一，比如 2026-09-07。")).to_be_visible()
    await shoot(page, f"timetable-semester-phone-{'' if scripts else 'no-'}scripts")
    await page.get_by_label("第一周的周一").fill("2026-09-07")
    await page.get_by_role("button", name="保存，接着导入").click()
    await expect(page.get_by_role("status")).to_contain_text("学期已保存")
    await expect(page.get_by_text("导入到 2026年9月7日 开始的学期，共 20 周")).to_be_visible()
    await upload(page, kblist(PLAIN))
    await page.get_by_role("button", name="写入 1 项").click()
    await expect(page.get_by_role("status")).to_contain_text("日程里现在有 20 次课")


REFUSED: Sequence[tuple[str, bytes, str]] = (
    ("a share code", b"0f9e8d7c6b5a49382716051423324150", "这是 WakeUp 的分享口令"),
    ("a page of the school", b"<!DOCTYPE html><title>x</title>", "这是一个网页，不是课表数据"),
    ("half a file", b'{"kbList": [{"kcmc": "', "可能没有复制全"),
    ("half a file of wakeup", wakeup(detail())[:-40].encode(), "这里只有 4 段"),
    ("a table of a spreadsheet", "课程名称,星期\n大学物理,4".encode("gbk"), "认不出这是哪种课表"),
    ("no courses", b'{"kbList": []}', "课表里一门课也没有"),
    ("no text at all", b"\xff\xff\xff", "文件的编码认不出来"),
    ("nothing", b"", "请选一个文件，或把内容贴进来"),
    ("too much", b" " * (2 * 1024 * 1024 + 1), "最多 2 MiB"),
)


async def test_a_file_that_is_no_timetable_is_refused_in_words_and_changes_nothing(
    visitors: Visitors, shoot: Shoot
) -> None:
    visitor = await visitors.arrive()
    await visitor.student.import_courses(PLAIN)
    page = await visitors.open(visitor, "/timetable")
    for name, document, words in REFUSED:
        await page.goto(f"{visitors.url}/timetable")
        await upload(page, document)
        await expect(page.locator("main"), name).to_contain_text(words)
    await page.goto(f"{visitors.url}/timetable")
    await paste(page, '{"kbList": [')
    await expect(page.get_by_role("alert")).to_contain_text("日程没有变动")
    await expect(page.locator("#text")).to_have_value('{"kbList": [')
    await shoot(page, "timetable-refused-desktop")
    assert await names(visitor.student, 2) == ["高等数学"]


async def test_any_encoding_and_any_name_comes_through(visitors: Visitors, shoot: Shoot) -> None:
    visitor = await visitors.arrive()
    page = await visitors.open(visitor, "/timetable", size="phone")
    rows = [
        {**course(name, day=index, sections="1-2"), "xm": name, "cdmc": name}
        for index, name in enumerate(NAMES, start=1)
    ]
    for encoding in ("utf-8", "utf-8-sig", "utf-16", "gb18030"):
        await page.goto(f"{visitors.url}/timetable")
        await upload(page, kblist(*rows).decode().encode(encoding), "📌课表.json")
        assert await page.locator("tr.a th").all_inner_texts() == list(NAMES), encoding
        assert await is_narrow(page)
    await shoot(page, "timetable-names-phone")
    await page.get_by_role("button", name="写入 6 项").click()
    await expect(page.get_by_role("status")).to_contain_text("新增 6 门")
    assert sorted(await names(visitor.student, 2)) == sorted(NAMES)


async def test_the_page_speaks_english_and_is_dark_where_that_is_wanted(
    visitors: Visitors, shoot: Shoot
) -> None:
    visitor = await visitors.arrive()
    student = visitor.student
    task = await student.create_task("Topological sort")
    await student.add(task.task_id, student.place(9, 10))
    _, day = student.today
    document = kblist(
        course("Electronics", day=day, sections="9-10", room="B3"),
        {**course("Ethics", day=3, sections="5-"), "zcd": "1-16周(单)"},
        course("Music", day=day, sections="10-11"),
    )
    for size in ("desktop", "phone"):
        page = await visitors.open(visitor, "/timetable", size=size, locale="en-US", dark=True)
        found = complaints(page)
        await shoot(page, f"timetable-upload-{size}-dark-en")
        await upload(page, document)
        await expect(page.get_by_text("Rows not understood")).to_be_visible()
        own = await page.locator("main").inner_text()
        assert "未" not in own
        assert "没读懂" not in own
        await expect(page.get_by_role("button", name="Write 1, skip 2 rows")).to_be_visible()
        assert await is_narrow(page)
        await shoot(page, f"timetable-diff-{size}-dark-en")
        assert found == []


async def grave(page: Page) -> list[str]:
    """What axe finds serious."""
    await page.evaluate(AXE.read_text(encoding="utf-8"))
    found: list[dict[str, Any]] = await page.evaluate(
        "async () => (await axe.run(document, { resultTypes: ['violations'] })).violations"
    )
    return [
        f"{one['id']}: {[node['target'] for node in one['nodes']]}"
        for one in found
        if one["impact"] in ("serious", "critical")
    ]


@pytest.mark.parametrize("dark", [False, True], ids=["light", "dark"])
async def test_everybody_can_read_what_a_file_changes(visitors: Visitors, dark: bool) -> None:
    visitor = await visitors.arrive()
    student = visitor.student
    await student.import_courses(PLAIN, course("军事理论", day=5, sections="1-2", weeks="1-8周"))
    task = await student.create_task("拓扑排序")
    await student.add(task.task_id, student.place(9, 10))
    _, day = student.today
    document = kblist(
        course("高等数学", day=1, sections="3-4"),
        course("电子工艺", day=day, sections="9-10"),
        course("撞车", day=day, sections="10-11"),
        {**course("形势与政策", day=2, sections="5-")},
    )
    for size in ("desktop", "phone"):
        page = await visitors.open(visitor, "/timetable", size=size, dark=dark)
        await upload(page, document)
        assert await grave(page) == []
        if size == "phone":
            await page.set_viewport_size({"width": 320, "height": 700})
            assert await is_narrow(page)
            for one in await page.locator(".opt, .bar .btn, .tools .btn").all():
                box = await one.bounding_box()
                assert box
                assert box["height"] >= 40, await one.inner_text()
    await page.get_by_role("button", name="写入").click()
    await expect(page.get_by_role("status")).to_contain_text("课表已写入")
    assert await grave(page) == []
    assert await is_narrow(page)


async def test_a_program_reads_first_and_writes_what_it_saw(visitors: Visitors) -> None:
    visitor = await visitors.arrive()
    token = await visitors.world.suite.run("gateway", "token", "--user", str(visitor.student.id))
    headers = {"Authorization": f"Bearer {token.strip()}", "Accept": "application/json"}
    async with httpx2.AsyncClient(
        base_url=f"{visitors.url}/api/v1", headers=headers, trust_env=False, timeout=20
    ) as http:
        dry = await http.post("/timetable", params={"dry_run": True}, content=kblist(PLAIN))
        assert dry.status_code == 200
        assert (dry.json()["written"], dry.json()["format"]) == (
            False,
            "TIMETABLE_FORMAT_ZHENGFANG_JSON",
        )
        bare = await http.post("/timetable", content=kblist(PLAIN))
        assert (bare.status_code, bare.json()["code"]) == (400, "idempotency_key_missing")
        key = {"Idempotency-Key": new_key()}
        other = await http.post(
            "/timetable",
            params={"base_version": dry.json()["base_version"]},
            content=kblist(course("别的课", day=2, sections="1-2")),
            headers=key,
        )
        assert (other.status_code, other.json()["code"]) == (409, "base_version_changed")
        seen = {"base_version": dry.json()["base_version"], "displaced_event_ids": [1, 2]}
        for _ in range(2):
            written = await http.post("/timetable", params=seen, content=kblist(PLAIN), headers=key)
            assert written.status_code == 200, written.text
            assert written.json()["meeting_count"] == 20
        unknown = await http.post("/timetable", params={"dry_run": True}, content=b"[]")
        assert (unknown.status_code, unknown.json()["code"]) == (400, "unknown_format")
        assert unknown.json()["metadata"]["message_zh_cn"]
    assert await names(visitor.student, 2) == ["高等数学"]
