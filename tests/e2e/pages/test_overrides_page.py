"""Changed days at the page: a holiday, a make-up day, taken back, and work that is in the way."""

from datetime import datetime, timedelta

import pytest
from playwright.async_api import expect

from smartmate.schedule.v1 import calendar_pb2, schedule_service_pb2
from tests.e2e.pages.conftest import Shoot
from tests.e2e.pages.visitors import Visitor, Visitors
from tests.student import course

COURSE = "高等代数"


async def overrides(visitor: Visitor) -> list[calendar_pb2.CalendarOverride]:
    """The changed days as the service has them."""
    request = schedule_service_pb2.ListCalendarOverridesRequest()
    method = visitor.student.line.schedule.ListCalendarOverrides
    return list((await visitor.student.call(method, request)).overrides)


async def meetings(visitor: Visitor, ahead: int) -> list[str]:
    """Names of what stands on a day after today."""
    on = day(visitor, ahead)
    request = schedule_service_pb2.ListEventsRequest(first_date=on, last_date=on)
    answer = await visitor.student.call(visitor.student.line.schedule.ListEvents, request)
    return [one.name for one in answer.events]


def day(visitor: Visitor, ahead: int) -> str:
    return (datetime.now(visitor.student.zone).date() + timedelta(days=ahead)).isoformat()


async def with_course(visitor: Visitor) -> None:
    """A student with a course on the weekday of tomorrow."""
    at = visitor.student.place(1, 2, day_offset=1)
    await visitor.student.import_courses(course(COURSE, day=at.day_of_week, sections="1-2"))


@pytest.mark.parametrize("size", ["desktop", "phone"])
@pytest.mark.parametrize("scripts", [True, False], ids=["scripts", "no_scripts"])
async def test_a_holiday_and_a_make_up_day_are_set_and_taken_back(
    visitors: Visitors, shoot: Shoot, size: str, scripts: bool
) -> None:
    visitor = await visitors.arrive()
    await with_course(visitor)
    page = await visitors.open(visitor, "/calendar", size=size, scripts=scripts)
    await page.get_by_label("哪一天").fill(day(visitor, 1))
    await page.get_by_role("button", name="定下").click()
    await expect(page.get_by_role("status")).to_contain_text("调休已定下")
    assert await meetings(visitor, 1) == []

    at = visitor.student.place(1, 2, day_offset=1)
    await page.get_by_label("哪一天").fill(day(visitor, 2))
    await page.get_by_label("这一天").select_option("上另一天的课")
    await page.get_by_label("上第几周").select_option(str(at.week))
    await page.get_by_label("周几的课").select_option(str(at.day_of_week))
    await page.get_by_role("button", name="定下").click()
    await expect(page.locator(".rows > li")).to_have_count(2)
    await expect(page.locator(".rows > li").last).to_contain_text(f"上第 {at.week} 周")
    assert await meetings(visitor, 2) == [COURSE]
    await shoot(page, f"changed-days-{size}-{'' if scripts else 'no-'}scripts")
    assert await page.evaluate("document.documentElement.scrollWidth - innerWidth") <= 0

    await page.locator(".rows > li").first.get_by_role("button").click()
    await expect(page.get_by_role("status")).to_contain_text("恢复原来的课")
    assert len(await overrides(visitor)) == 1
    assert await meetings(visitor, 1) == [COURSE]


async def test_work_that_is_in_the_way_is_named_and_led_to(
    visitors: Visitors, shoot: Shoot
) -> None:
    visitor = await visitors.arrive()
    await with_course(visitor)
    task = await visitor.student.create_task("概率论大作业")
    await visitor.student.add(task.task_id, visitor.student.place(1, 2, day_offset=2))
    at = visitor.student.place(1, 2, day_offset=1)
    page = await visitors.open(visitor, "/calendar")
    await page.get_by_label("哪一天").fill(day(visitor, 2))
    await page.get_by_label("这一天").select_option("上另一天的课")
    await page.get_by_label("上第几周").select_option(str(at.week))
    await page.get_by_label("周几的课").select_option(str(at.day_of_week))
    await page.get_by_role("button", name="定下").click()
    await expect(page.get_by_role("status")).to_contain_text("没有变动")
    await shoot(page, "changed-days-desktop-in-the-way")
    assert await overrides(visitor) == []
    await page.get_by_role("status").get_by_role("link", name="概率论大作业").click()
    await page.get_by_role("button", name="从日程撤下").click()
    await expect(page.get_by_role("status")).to_contain_text("已从日程撤下")


async def test_a_day_outside_the_semester_is_said_at_its_field(visitors: Visitors) -> None:
    visitor = await visitors.arrive()
    page = await visitors.open(visitor, "/calendar", locale="en-US")
    await page.locator("#date").evaluate("one => { one.removeAttribute('max'); }")
    await page.get_by_label("Date").fill(day(visitor, 1000))
    await page.locator("form.form").evaluate("one => { one.noValidate = true; }")
    await page.get_by_role("button", name="Set", exact=True).click()
    await expect(page.locator("#date-problem")).to_contain_text("outside the semester")
    assert await overrides(visitor) == []


async def test_without_a_semester_the_way_to_one_is_shown(visitors: Visitors) -> None:
    page = await visitors.open(await visitors.arrive(semester=False), "/calendar", size="phone")
    await page.get_by_role("link", name="设置学期").click()
    await expect(page.get_by_label("第一周的周一")).to_be_visible()
