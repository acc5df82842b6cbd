"""The trace: whole ways with times for operators, nothing for students."""

import re
from datetime import timedelta

import pytest
from playwright.async_api import expect

from tests.e2e.pages import unfinished
from tests.e2e.pages.conftest import Shoot
from tests.e2e.pages.unfinished import REPORT
from tests.e2e.pages.visitors import Visitors

SIZES = pytest.mark.parametrize("size", ["desktop", "phone"])


@SIZES
async def test_an_operator_follows_a_way_from_the_words_to_the_schedule(
    visitors: Visitors, shoot: Shoot, size: str
) -> None:
    found = await unfinished.free_day(visitors)
    preview = await found.tell(words=f"{REPORT}没做完")
    await found.student.confirm(preview)
    await found.student.settled(preview.preview_id)
    looker = await visitors.arrive("运维", operator=True)
    page = await visitors.open(looker, "/trace", size=size, dark=size == "phone")

    await page.locator("#user").fill(str(found.student.id))
    await page.get_by_label("状态").select_option("已生成建议")
    await page.get_by_role("button", name="筛选").click()
    lines = page.locator(".triggers li")
    await expect(lines).to_have_count(1)
    await expect(lines).to_contain_text("说了没做完")
    await expect(lines).to_contain_text(f"{REPORT}没做完")
    await shoot(page, f"trace-{size}-list")
    await lines.get_by_role("link").click()

    await expect(page).to_have_url(re.compile(f"/trace/{preview.trigger_id}$"))
    phases = page.locator(".phases li")
    await expect(phases.nth(1)).to_contain_text("已写入")
    await expect(phases.nth(3)).to_contain_text("已写入")
    steps = page.locator(".step h3")
    await expect(steps.first).to_have_text("用户说没做完")
    await expect(steps.filter(has_text="写进了日程")).to_have_count(1)
    await expect(page.locator(".step time").first).to_have_text(re.compile(r"^\d\d:\d\d:\d\d$"))
    await shoot(page, f"trace-{size}")


async def test_the_way_of_a_task_that_never_fired_is_found(
    visitors: Visitors, shoot: Shoot
) -> None:
    visitor = await visitors.arrive()
    task = await visitor.student.create_task(urgent_in=timedelta(hours=9))
    looker = await visitors.arrive("运维", operator=True)
    page = await visitors.open(looker, "/trace")
    await page.locator("#of-user").fill(str(visitor.student.id))
    await page.locator("#of-id").fill(str(task.task_id))

    async def waits() -> None:
        await page.get_by_role("button", name="去看").click()
        await expect(page.locator("main h1")).to_have_text(f"任务 {task.task_id}")

    await waits()
    await expect(page.locator(".step h3")).to_have_text(["定时等着"])
    await shoot(page, "trace-desktop-target")


@pytest.mark.parametrize("path", ["/trace", "/trace/{trigger}", "/api/v1/active-schedule/triggers"])
async def test_a_student_finds_nothing(visitors: Visitors, path: str) -> None:
    found = await unfinished.free_day(visitors)
    preview = await found.tell()
    page = await visitors.open(found.visitor)
    await expect(page.get_by_role("link", name="轨迹")).to_have_count(0)
    answer = await page.goto(f"{visitors.url}{path.format(trigger=preview.trigger_id)}")
    assert answer is not None
    assert answer.status == 404
    assert preview.trigger_id not in await page.content()
