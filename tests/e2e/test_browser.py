"""The student at the page, in a real browser: sign in by the link, look, click, see the week."""

import re
from collections.abc import AsyncIterator

import pytest
from playwright.async_api import Browser, BrowserContext, Page, async_playwright, expect

from services.standalone.story import Story
from smartmate.active_scheduler.v1 import preview_pb2
from tests.student import Student
from tests.world import World

CHROMIUM = "/usr/bin/chromium"
# The last ones keep the browser from looking up its maker's hosts.
FLAGS = [
    "--no-sandbox",
    "--disable-gpu",
    "--disable-quic",
    "--no-first-run",
    "--disable-dev-shm-usage",
    "--disable-background-networking",
    "--disable-component-update",
    "--disable-sync",
]
DESKTOP = {"width": 1280, "height": 860}
PHONE = {"width": 390, "height": 844}


@pytest.fixture(scope="session")
async def browser() -> AsyncIterator[Browser]:
    """Chromium, started once."""
    async with async_playwright() as playwright:
        chromium = await playwright.chromium.launch(executable_path=CHROMIUM, args=FLAGS)
        yield chromium
        await chromium.close()


@pytest.fixture
async def story(world: World) -> Story:
    """A sample student whose message has arrived."""
    told = Story(world.suite)
    await told.arrive()
    await told.bring_timetable()
    await told.name_channel()
    await told.add_task()
    await told.receive_message()
    return told


async def signed_in(context: BrowserContext, story: Story) -> Page:
    """Follows the link of the message, signs in where that leads, and is back at the preview."""
    page = await context.new_page()
    page.set_default_timeout(15_000)
    link: str = story.message["links"][0]["url"]
    await page.goto(link)
    await expect(page).to_have_url(re.compile("/sign-in"))
    await page.goto(story.sign_in_url)
    await page.get_by_role("button", name="登录").click()
    await page.wait_for_url(link)
    return page


@pytest.mark.parametrize("viewport", [DESKTOP, PHONE], ids=["desktop", "phone"])
@pytest.mark.parametrize("scripts", [True, False], ids=["scripts", "no_scripts"])
async def test_a_click_on_the_page_changes_the_week(
    browser: Browser, story: Story, viewport: dict[str, int], scripts: bool
) -> None:
    context = await browser.new_context(
        locale="zh-CN", viewport=viewport, java_script_enabled=scripts
    )
    page = await signed_in(context, story)

    await page.get_by_role("button", name="确认").click()
    await expect(page.get_by_text("其他安排没有变动").first).to_be_visible()
    await page.get_by_role("link", name="在周视图里看").first.click()

    await expect(page.get_by_text("概率论大作业").first).to_be_visible()
    await story.read_preview()
    assert story.preview["state"] == "PREVIEW_STATE_APPLIED"
    assert len(await story.placed()) == 1
    await context.close()


async def test_another_candidate_can_be_chosen_and_ignoring_changes_nothing(
    browser: Browser, story: Story
) -> None:
    context = await browser.new_context(locale="en-US", viewport=DESKTOP)
    page = await context.new_page()
    await page.goto(story.sign_in_url)
    await page.get_by_role("button", name="Sign in").click()
    await page.goto(story.message["links"][0]["url"])

    await page.locator(".cands a").last.click()
    await expect(page).to_have_url(re.compile("candidate="))
    await page.get_by_role("button", name="Ignore").click()

    await expect(page.get_by_text("Nothing changed").first).to_be_visible()
    assert (await story.read_preview())["state"] == "PREVIEW_STATE_IGNORED"
    assert not await story.placed()
    await context.close()


async def test_a_second_tab_updates_itself(browser: Browser, story: Story) -> None:
    context = await browser.new_context(locale="zh-CN", viewport=DESKTOP)
    first = await signed_in(context, story)
    second = await context.new_page()
    await second.goto(story.message["links"][0]["url"])
    await expect(second.get_by_role("button", name="确认")).to_be_visible()

    await first.get_by_role("button", name="确认").click()

    await expect(second.get_by_text("其他安排没有变动").first).to_be_visible(timeout=15_000)
    await context.close()


async def test_the_page_breaks_no_rule_of_its_own_policy(browser: Browser, story: Story) -> None:
    context = await browser.new_context(locale="zh-CN", viewport=PHONE, color_scheme="dark")
    page = await context.new_page()
    complaints: list[str] = []
    page.on("console", lambda message: complaints.append(message.text))
    page.on("pageerror", lambda error: complaints.append(str(error)))
    await page.goto(story.sign_in_url)
    await page.get_by_role("button", name="登录").click()

    for path in (story.message["links"][0]["url"], f"{story.suite.gateway_url}/week"):
        await page.goto(path)
        wide = await page.evaluate("document.documentElement.scrollWidth - innerWidth")
        assert wide <= 0

    assert not complaints
    await context.close()


async def test_another_users_link_shows_nothing(
    browser: Browser, story: Story, student: Student
) -> None:
    task = await student.create_task("别人的作业")
    preview = await student.proposed(task.task_id)
    assert preview.state == preview_pb2.PREVIEW_STATE_READY
    context = await browser.new_context(locale="zh-CN", viewport=DESKTOP)
    page = await context.new_page()
    await page.goto(story.sign_in_url)
    await page.get_by_role("button", name="登录").click()

    answer = await page.goto(
        f"{story.suite.gateway_url}/active-schedule/previews/{preview.preview_id}"
    )

    assert answer is not None
    assert answer.status == 404
    await expect(page.get_by_text("没有找到这条建议").first).to_be_visible()
    assert "别人的作业" not in await page.content()
    await context.close()
