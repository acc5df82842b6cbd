"""Settings at the page: the semester with what follows from it, and quiet hours."""

import re
from datetime import date, timedelta

import pytest
from playwright.async_api import expect

from libs.rpc.errors import RemoteError
from smartmate.schedule.v1 import calendar_pb2, schedule_service_pb2, user_settings_pb2
from tests.e2e.pages.conftest import Shoot
from tests.e2e.pages.visitors import Visitor, Visitors


async def semester(visitor: Visitor) -> calendar_pb2.Semester | None:
    """The semester as the service has it."""
    request = schedule_service_pb2.GetSemesterRequest()
    try:
        answer = await visitor.student.call(visitor.student.line.schedule.GetSemester, request)
    except RemoteError as error:
        if error.reason != "semester_not_found":
            raise
        return None
    found: calendar_pb2.Semester = answer.semester
    return found


async def chosen(visitor: Visitor) -> user_settings_pb2.UserSettings:
    """The settings as the service has them."""
    request = schedule_service_pb2.GetUserSettingsRequest()
    answer = await visitor.student.call(visitor.student.line.schedule.GetUserSettings, request)
    found: user_settings_pb2.UserSettings = answer.settings
    return found


def monday(weeks_ago: int) -> date:
    today = date.today()  # noqa: DTZ011  any Monday does
    return today - timedelta(days=today.weekday(), weeks=weeks_ago)


@pytest.mark.parametrize("size", ["desktop", "phone"])
@pytest.mark.parametrize("scripts", [True, False], ids=["scripts", "no_scripts"])
async def test_a_new_student_sets_up_the_semester(
    visitors: Visitors, shoot: Shoot, size: str, scripts: bool
) -> None:
    visitor = await visitors.arrive(semester=False)
    page = await visitors.open(visitor, "/settings", size=size, scripts=scripts)
    await page.get_by_label("第一周的周一").fill(monday(3).isoformat())
    await page.get_by_label("一共几周").fill("18")
    await shoot(page, f"settings-{size}-new")
    await page.get_by_role("button", name="保存").first.click()

    await expect(page.get_by_role("status")).to_contain_text("学期已保存")
    await expect(page.get_by_text(re.compile("今天是第 [345] 周"))).to_be_visible()
    await expect(page.get_by_text("每天 12 节，08:00 到 22:30")).to_be_visible()
    stored = await semester(visitor)
    assert stored is not None
    assert (stored.first_date, stored.week_count) == (monday(3).isoformat(), 18)
    assert (stored.time_zone, len(stored.clock.sections)) == ("Asia/Shanghai", 12)
    await shoot(page, f"settings-{size}-{'' if scripts else 'no-'}scripts")


@pytest.mark.parametrize("size", ["desktop", "phone"])
async def test_what_is_wrong_is_said_at_its_field_and_nothing_is_lost(
    visitors: Visitors, shoot: Shoot, size: str
) -> None:
    visitor = await visitors.arrive(semester=False)
    page = await visitors.open(visitor, "/settings", size=size, scripts=False)
    # A form without validation by the browser, as an old one would send it.
    await page.get_by_label("第一周的周一").fill("2026-09-08")
    await page.get_by_label("时区", exact=True).fill("Mars/Olympus")
    for button in await page.locator("form[action='/settings/semester'] button").all():
        await button.evaluate("one => one.setAttribute('formnovalidate', '')")
    await page.get_by_role("button", name="保存").first.click()
    await expect(page.locator("#first_date-problem, #zone-problem").first).to_be_visible()
    await expect(page.get_by_label("时区", exact=True)).to_have_value("Mars/Olympus")
    await shoot(page, f"settings-{size}-problems")
    assert await semester(visitor) is None

    await page.get_by_label("第一周的周一").fill("2026-09-07")
    await page.get_by_label("时区", exact=True).fill("Asia/Shanghai")
    await page.get_by_text("作息时间").click()
    await page.get_by_label("第 2 节开始").fill("08:30")
    await page.get_by_role("button", name="保存").first.click()
    await expect(page.locator("#clock-problem")).to_be_visible()
    await expect(page.get_by_label("第 2 节开始")).to_have_value("08:30")
    await shoot(page, f"settings-{size}-clock")
    await page.get_by_label("第 2 节开始").fill("08:50")
    await page.get_by_role("button", name="保存").first.click()
    await expect(page.get_by_role("status")).to_contain_text("学期已保存")
    stored = await semester(visitor)
    assert stored is not None
    assert stored.clock.sections[1].start_minute_of_day == 8 * 60 + 50


async def test_a_bell_of_ten_sections_is_a_bell_of_ten(visitors: Visitors) -> None:
    visitor = await visitors.arrive(semester=False)
    page = await visitors.open(visitor, "/settings", scripts=False)
    await page.get_by_label("第一周的周一").fill("2026-09-07")
    await page.get_by_text("作息时间").click()
    for number in (11, 12):
        await page.get_by_label(f"第 {number} 节开始").fill("")
        await page.get_by_label(f"第 {number} 节结束").fill("")
    await page.get_by_role("button", name="保存").first.click()
    await expect(page.get_by_role("status")).to_contain_text("学期已保存")
    stored = await semester(visitor)
    assert stored is not None
    assert len(stored.clock.sections) == 10


async def test_semesters_that_overlap_and_one_that_is_in_use_are_told_in_words(
    visitors: Visitors, shoot: Shoot
) -> None:
    visitor = await visitors.arrive()
    page = await visitors.open(visitor, "/settings")
    await page.get_by_role("link", name="新的学期").click()
    await page.get_by_label("第一周的周一").fill(visitor.student.semester.first_date)
    await page.get_by_role("button", name="保存").first.click()
    await expect(page.get_by_role("status")).to_contain_text("重叠")
    await shoot(page, "settings-desktop-overlap")

    task = await visitor.student.create_task("概率论大作业")
    await visitor.student.add(task.task_id, visitor.student.place(3, 4, day_offset=1))
    await page.goto(f"{visitors.url}/settings")
    await page.get_by_label("一共几周").fill("2")
    await page.get_by_role("button", name="保存").first.click()
    await expect(page.get_by_role("status")).to_contain_text("落到学期之外")
    await expect(page.get_by_label("一共几周")).to_have_value("2")


@pytest.mark.parametrize("scripts", [True, False], ids=["scripts", "no_scripts"])
async def test_quiet_hours_are_kept_and_taken_away(
    visitors: Visitors, shoot: Shoot, scripts: bool
) -> None:
    visitor = await visitors.arrive()
    page = await visitors.open(visitor, "/settings", size="phone", scripts=scripts, dark=True)
    await page.get_by_label("从", exact=True).fill("22:30")
    await page.get_by_role("button", name="保存").last.click()
    await expect(page.locator("#quiet-problem")).to_be_visible()
    await shoot(page, "settings-phone-quiet")
    await page.get_by_label("到", exact=True).fill("07:00")
    await page.get_by_label("没填时长的任务按几节算").select_option("2 节")
    await page.get_by_role("button", name="保存").last.click()
    await expect(page.get_by_role("status")).to_contain_text("设置已保存")
    stored = await chosen(visitor)
    assert stored.quiet_hours == user_settings_pb2.QuietHours(
        start_minute_of_day=22 * 60 + 30, end_minute_of_day=7 * 60
    )
    assert stored.default_estimated_sections == 2

    await page.get_by_label("从", exact=True).fill("")
    await page.get_by_label("到", exact=True).fill("")
    await page.get_by_role("button", name="保存").last.click()
    await expect(page.get_by_role("status")).to_contain_text("设置已保存")
    assert not (await chosen(visitor)).HasField("quiet_hours")


async def test_the_language_changes_and_is_remembered(visitors: Visitors, shoot: Shoot) -> None:
    visitor = await visitors.arrive("Lin")
    page = await visitors.open(visitor, "/settings")
    await page.get_by_role("link", name="English").last.click()
    await expect(page.get_by_role("heading", name="Settings")).to_be_visible()
    await shoot(page, "settings-desktop-english")
    await page.get_by_role("link", name="Tasks").click()
    await expect(page.get_by_role("heading", name="Tasks")).to_be_visible()
    await page.goto(f"{visitors.url}/settings")
    text = await page.locator("body").inner_text()
    assert not [one for one in text.replace("中文", "") if "\u4e00" <= one <= "\u9fff"]
