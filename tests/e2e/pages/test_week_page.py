"""The week at the page: found by number and by date, its blocks opened, taken off and deleted."""

import re
from datetime import UTC

import pytest
from playwright.async_api import Page, expect

from smartmate.schedule.v1 import (
    change_pb2,
    schedule_event_pb2,
    schedule_service_pb2,
    task_pb2,
)
from tests.e2e.pages.conftest import Shoot
from tests.e2e.pages.visitors import Visitor, Visitors
from tests.student import course, new_key

TASK = "概率论大作业"
COURSE = "形势与政策"


async def planned(
    visitor: Visitor, *, title: str = TASK, day_offset: int = 1, first: int = 3, last: int = 4
) -> task_pb2.Task:
    """A task that stands on the schedule."""
    task = await visitor.student.create_task(title)
    place = visitor.student.place(first, last, day_offset=day_offset)
    verdict = await visitor.student.add(task.task_id, place)
    assert verdict.event_ids, verdict
    return task


async def blocks(visitor: Visitor) -> list[schedule_event_pb2.ScheduleEvent]:
    """Blocks of this week and the next."""
    week, _ = visitor.student.today
    found = []
    for number in (week, week + 1):
        at = schedule_service_pb2.WeekOfSemester(week=number)
        request = schedule_service_pb2.GetWeekRequest(week_of_semester=at)
        answer = await visitor.student.call(visitor.student.line.schedule.GetWeek, request)
        found += list(answer.events)
    return found


async def to_day(page: Page, visitors: Visitors, visitor: Visitor, day_offset: int) -> None:
    """The week of a day after today; a phone shows that day first."""
    today = visitor.student.place(1, 1, day_offset=day_offset)
    await page.goto(f"{visitors.url}/week?week={today.week}&day={today.day_of_week}")


@pytest.mark.parametrize("size", ["desktop", "phone"])
async def test_weeks_are_found_by_number_and_by_date(
    visitors: Visitors, shoot: Shoot, size: str
) -> None:
    visitor = await visitors.arrive()
    week, _ = visitor.student.today
    page = await visitors.open(visitor, "/week", size=size, scripts=False)
    await expect(page.get_by_role("heading", name=f"第 {week} 周")).to_be_visible()
    await expect(page.locator(".dh.today")).to_have_count(1)
    await expect(page.locator(".now")).to_have_count(1)

    await page.get_by_role("link", name="下一周").click()
    await expect(page.get_by_role("heading", name=f"第 {week + 1} 周")).to_be_visible()
    await expect(page.locator(".now")).to_have_count(0)
    await page.get_by_role("link", name="本周").click()
    await page.get_by_role("link", name="上一周").click()
    await expect(page.get_by_role("heading", name=f"第 {week - 1} 周")).to_be_visible()

    await page.locator("details.goto summary").click()
    await shoot(page, f"week-{size}-goto")
    await page.get_by_label("第几周").select_option(f"第 {week + 3} 周")
    await page.get_by_role("button", name="去看").first.click()
    await expect(page.get_by_role("heading", name=f"第 {week + 3} 周")).to_be_visible()

    await page.locator("details.goto summary").click()
    await page.get_by_label("日期", exact=True).fill(visitor.student.semester.first_date)
    await page.get_by_role("button", name="去看").last.click()
    await expect(page.get_by_role("heading", name="第 1 周")).to_be_visible()
    await expect(page.get_by_role("link", name="上一周")).to_have_count(0)


async def test_a_date_outside_the_semester_is_told_with_the_nearest_dates(
    visitors: Visitors, shoot: Shoot
) -> None:
    visitor = await visitors.arrive()
    page = await visitors.open(visitor)
    await page.goto(f"{visitors.url}/week?date=2020-01-01")
    await expect(page.get_by_text("这一天不在学期里")).to_be_visible()
    await shoot(page, "week-desktop-outside")
    await page.get_by_role("link", name="看第 1 周").click()
    await expect(page.get_by_role("heading", name="第 1 周")).to_be_visible()


async def test_without_a_semester_the_way_to_one_is_shown(visitors: Visitors, shoot: Shoot) -> None:
    page = await visitors.open(await visitors.arrive(semester=False), size="phone")
    await shoot(page, "week-phone-none")
    await page.get_by_role("link", name="设置学期").click()
    await expect(page).to_have_url(re.compile("/settings$"))


@pytest.mark.parametrize("size", ["desktop", "phone"])
@pytest.mark.parametrize("scripts", [True, False], ids=["scripts", "no_scripts"])
async def test_a_block_is_opened_and_taken_off_the_schedule(
    visitors: Visitors, shoot: Shoot, size: str, scripts: bool
) -> None:
    visitor = await visitors.arrive()
    await planned(visitor)
    page = await visitors.open(visitor, size=size, scripts=scripts)
    await to_day(page, visitors, visitor, 1)
    await page.get_by_role("link", name=TASK).click()
    await expect(page.locator("dialog" if scripts else "main article")).to_contain_text("3–4 节")
    await shoot(page, f"week-{size}-details-{'' if scripts else 'no-'}scripts")

    await page.get_by_role("button", name="从日程撤下").click()

    await expect(page.get_by_role("status")).to_contain_text("已从日程撤下")
    await expect(page.get_by_role("link", name=TASK)).to_have_count(0)
    assert await blocks(visitor) == []
    await page.goto(f"{visitors.url}/tasks")
    await expect(page.get_by_role("button", name=f"找个时间：{TASK}")).to_be_visible()


async def test_a_block_is_deleted_and_its_task_stays(visitors: Visitors) -> None:
    visitor = await visitors.arrive()
    task = await planned(visitor)
    page = await visitors.open(visitor, scripts=False)
    await to_day(page, visitors, visitor, 1)
    await page.get_by_role("link", name=TASK).click()
    await page.get_by_role("button", name="删除这一块").click()
    await expect(page.get_by_role("status")).to_contain_text("已从日程删除")
    assert await blocks(visitor) == []
    request = schedule_service_pb2.GetTaskRequest(task_id=task.task_id)
    kept = await visitor.student.call(visitor.student.line.schedule.GetTask, request)
    assert kept.task.status == task_pb2.TASK_STATUS_OPEN


async def test_the_task_of_a_block_is_done_and_open_again(visitors: Visitors) -> None:
    visitor = await visitors.arrive()
    task = await planned(visitor)
    page = await visitors.open(visitor)
    await to_day(page, visitors, visitor, 1)
    await page.get_by_role("link", name=TASK).click()
    await page.get_by_role("button", name="标记完成").click()
    await expect(page.get_by_role("status")).to_contain_text("任务已完成")
    request = schedule_service_pb2.GetTaskRequest(task_id=task.task_id)
    done = await visitor.student.call(visitor.student.line.schedule.GetTask, request)
    assert done.task.status == task_pb2.TASK_STATUS_COMPLETED


async def test_the_details_are_reached_and_left_by_keyboard(visitors: Visitors) -> None:
    visitor = await visitors.arrive()
    await planned(visitor)
    page = await visitors.open(visitor)
    await to_day(page, visitors, visitor, 1)
    block = page.get_by_role("link", name=TASK)
    for _ in range(40):
        await page.keyboard.press("Tab")
        if await block.evaluate("one => one === document.activeElement"):
            break
    await expect(block).to_be_focused()
    await page.keyboard.press("Enter")
    dialog = page.get_by_role("dialog", name=TASK)
    await expect(dialog).to_be_visible()
    assert await dialog.evaluate("one => one.contains(document.activeElement)")
    await page.keyboard.press("Escape")
    await expect(dialog).to_have_count(0)
    await expect(block).to_be_focused()


async def test_a_block_that_was_moved_meanwhile_stays_where_it_is(visitors: Visitors) -> None:
    visitor = await visitors.arrive()
    task = await planned(visitor)
    page = await visitors.open(visitor, scripts=False)
    await to_day(page, visitors, visitor, 1)
    await page.get_by_role("link", name=TASK).click()
    # Taken off and put elsewhere in another window.
    (event,) = await blocks(visitor)
    gone = schedule_service_pb2.RevokeEventRequest(request_id=new_key(), event_id=event.event_id)
    await visitor.student.call(visitor.student.line.schedule.RevokeEvent, gone)
    await visitor.student.add(task.task_id, visitor.student.place(7, 8, day_offset=1))

    await page.get_by_role("button", name="从日程撤下").click()

    await expect(page.get_by_role("status")).to_contain_text("已经不在了")
    assert [one.place.first_section for one in await blocks(visitor)] == [7]


@pytest.mark.parametrize("size", ["desktop", "phone"])
@pytest.mark.parametrize("scripts", [True, False], ids=["scripts", "no_scripts"])
async def test_a_course_tells_what_it_is_and_may_be_opened_to_tasks(
    visitors: Visitors, shoot: Shoot, size: str, scripts: bool
) -> None:
    visitor = await visitors.arrive()
    tomorrow = visitor.student.place(5, 6, day_offset=1)
    await visitor.student.import_courses(
        course(COURSE, day=tomorrow.day_of_week, sections="5-6", room="教二 304")
    )
    page = await visitors.open(visitor, size=size, scripts=scripts, dark=not scripts)
    await to_day(page, visitors, visitor, 1)
    await page.get_by_role("link", name=COURSE).click()
    details = page.locator("article.event")
    await expect(details).to_contain_text("教二 304")
    await expect(details).to_contain_text("教师甲")
    await expect(page.get_by_role("switch")).to_have_attribute("aria-checked", "false")
    await page.get_by_role("switch", name="可嵌入").click()
    await expect(page.get_by_role("status")).to_contain_text("现在可以嵌入任务")
    await expect(page.get_by_role("switch")).to_have_attribute("aria-checked", "true")
    await shoot(page, f"week-{size}-course-{'' if scripts else 'no-'}scripts")
    assert all(one.can_be_embedded for one in await blocks(visitor))

    await page.get_by_role("link", name=re.compile("回到第")).click()
    await to_day(page, visitors, visitor, 1)
    await expect(page.locator(".b.host")).to_have_count(1)
    await page.get_by_role("link", name=COURSE).click()
    await page.get_by_role("button", name="删除这一次课").click()
    await expect(page.get_by_role("status")).to_contain_text("已从日程删除")
    there = [one.place.week for one in await blocks(visitor)]
    assert tomorrow.week not in there


async def embedded(visitor: Visitor, title: str) -> schedule_event_pb2.ScheduleEvent:
    """Tomorrow's class with a task inside it; gives the class."""
    student, line = visitor.student, visitor.student.line
    at = student.place(5, 6, day_offset=1)
    await student.import_courses(course(COURSE, day=at.day_of_week, sections="5-6", room=""))
    host = next(one for one in await blocks(visitor) if one.place == at)
    opening = schedule_service_pb2.SetCourseEmbeddingRequest(
        request_id=new_key(), course_id=host.course_id, can_be_embedded=True
    )
    await student.call(line.schedule.SetCourseEmbedding, opening)
    task = await student.create_task(title, sections=1)
    change = change_pb2.ScheduleChange(
        change_id="c1",
        type=change_pb2.CHANGE_TYPE_EMBED,
        target=student.target(task.task_id),
        to=student.place(6, 6, day_offset=1),
        host_event_id=host.event_id,
    )
    request = schedule_service_pb2.ApplyChangesRequest(apply_id=new_key(), changes=[change])
    answer = await student.call(line.schedule.ApplyChanges, request)
    assert answer.verdict.event_ids, answer
    return host


@pytest.mark.parametrize("size", ["desktop", "phone"])
async def test_a_task_inside_a_class_is_drawn_in_it_and_waits_again_when_the_class_is_deleted(
    visitors: Visitors, shoot: Shoot, size: str
) -> None:
    visitor = await visitors.arrive()
    await embedded(visitor, "背单词")
    page = await visitors.open(visitor, size=size)
    await to_day(page, visitors, visitor, 1)
    host = await page.get_by_role("link", name=COURSE).bounding_box()
    guest = await page.get_by_role("link", name="背单词").bounding_box()
    assert host
    assert guest
    assert host["x"] < guest["x"]
    assert host["y"] < guest["y"]
    assert guest["y"] + guest["height"] <= host["y"] + host["height"] + 1
    await shoot(page, f"week-{size}-guest")
    await page.get_by_role("link", name="背单词").click()
    await expect(page.get_by_role("dialog")).to_contain_text(f"嵌在「{COURSE}」里")
    await page.keyboard.press("Escape")
    # Beside its guest, at the edge of the class.
    await page.get_by_role("link", name=COURSE).click(position={"x": 5, "y": 5})
    await expect(page.get_by_role("dialog")).to_contain_text("里面嵌着「背单词」")

    await page.get_by_role("button", name="删除这一次课").click()

    await expect(page.get_by_role("status")).to_contain_text("嵌在里面的任务回到待安排")
    await page.goto(f"{visitors.url}/tasks")
    await expect(page.get_by_role("button", name="找个时间：背单词")).to_be_visible()


async def test_a_course_with_a_task_inside_is_not_shut(visitors: Visitors) -> None:
    visitor = await visitors.arrive()
    await embedded(visitor, "背单词")
    page = await visitors.open(visitor, scripts=False)
    await to_day(page, visitors, visitor, 1)
    await page.get_by_role("link", name=COURSE).click(position={"x": 5, "y": 5})
    await page.get_by_role("switch").click()
    await expect(page.get_by_role("status")).to_contain_text("里面还嵌着任务")
    await expect(page.get_by_role("switch")).to_have_attribute("aria-checked", "true")


@pytest.mark.parametrize("name", ["📌𠮷野家🧑‍💻", "مراجعة نهائية", "课" * 100, "<b>bold</b>"])
async def test_the_name_of_a_course_survives_whatever_it_is(visitors: Visitors, name: str) -> None:
    visitor = await visitors.arrive()
    tomorrow = visitor.student.place(5, 6, day_offset=1)
    await visitor.student.import_courses(
        course(name, day=tomorrow.day_of_week, sections="5-6", room=name)
    )
    page = await visitors.open(visitor, size="phone")
    await to_day(page, visitors, visitor, 1)
    await page.locator("a.b").click()
    await expect(page.get_by_role("dialog", name=name, exact=True)).to_be_visible()
    assert await page.evaluate("document.documentElement.scrollWidth - innerWidth") <= 0


async def test_the_strip_of_a_phone_leads_to_every_day(visitors: Visitors, shoot: Shoot) -> None:
    visitor = await visitors.arrive()
    page = await visitors.open(visitor, size="phone", dark=True)
    strip = page.get_by_role("navigation", name="选择日期")
    await expect(strip.get_by_role("link")).to_have_count(7)
    await strip.get_by_role("link").nth(6).click()
    await expect(page.locator(".dh.d-7")).to_be_visible()
    await expect(page.locator(".dh.d-1")).to_be_hidden()
    assert await page.evaluate("document.documentElement.scrollWidth - innerWidth") <= 0
    await shoot(page, "week-phone-dark")


async def test_the_week_is_a_calendar_file_as_well(visitors: Visitors) -> None:
    visitor = await visitors.arrive("📌🧑‍💻")
    await planned(visitor, title="📌期末复习🧑‍💻")
    page = await visitors.open(visitor)
    await page.locator("details.goto summary").click()
    async with page.expect_download() as coming:
        await page.get_by_role("link", name="导出日历文件").click()
    file = await (await coming.value).path()
    text = file.read_text(encoding="utf-8")
    assert text.startswith("BEGIN:VCALENDAR")
    assert "📌期末复习" in text.replace("\r\n ", "")


async def test_english_speaks_english(visitors: Visitors, shoot: Shoot) -> None:
    visitor = await visitors.arrive("Lin")
    await planned(visitor, title="Lab report", day_offset=0)
    page = await visitors.open(visitor, locale="en-US")
    await expect(page.get_by_role("link", name="Lab report")).to_be_visible()
    await page.get_by_role("link", name="Lab report").click()
    await expect(page.get_by_role("dialog")).to_contain_text("Take off the schedule")
    await shoot(page, "week-desktop-english")
    text = await page.locator("body").inner_text()
    assert not [one for one in text.replace("中文", "") if "\u4e00" <= one <= "\u9fff"]


async def test_another_students_block_is_not_there(visitors: Visitors) -> None:
    other = await visitors.arrive("另一位")
    await planned(other, title="别人的作业")
    (event,) = await blocks(other)
    page = await visitors.open(await visitors.arrive())
    on = visitor_date(other, event)
    await page.goto(f"{visitors.url}/week/events/{event.event_id}?date={on}")
    await expect(page.get_by_role("status")).to_contain_text("已经不在了")
    assert "别人的作业" not in await page.content()


def visitor_date(visitor: Visitor, event: schedule_event_pb2.ScheduleEvent) -> str:
    """The date of a block in its student's zone."""
    return event.start_time.ToDatetime(UTC).astimezone(visitor.student.zone).date().isoformat()
