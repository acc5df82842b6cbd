"""The page of a proposal keeps up with it, whichever gateway serves it, and breaks no promise."""

import asyncio
import re

import pytest
from playwright.async_api import Page, expect

from smartmate.active_scheduler.v1 import active_scheduler_service_pb2 as active_pb2
from tests.e2e.pages.previews import Proposal, block, proposal
from tests.e2e.pages.replica import another_gateway
from tests.e2e.pages.visitors import Visitors
from tests.holding import held
from tests.student import new_key
from tests.world import World

MOST_BYTES = 150 * 1024


async def opened(visitors: Visitors, found: Proposal, **how: object) -> Page:
    page = await visitors.open(found.visitor, found.path, **how)
    await expect(block(page)).to_be_visible()
    return page


async def test_a_second_tab_at_another_gateway_updates_itself(
    visitors: Visitors, world: World
) -> None:
    found = await proposal(visitors)
    first = await opened(visitors, found)
    async with another_gateway(world) as elsewhere:
        second = await first.context.new_page()
        await second.goto(f"{elsewhere}{found.path}")
        await expect(second.get_by_role("button", name="确认")).to_be_enabled()
        await second.evaluate("document.documentElement.dataset.same = 'yes'")

        await first.get_by_role("button", name="确认").click()

        await expect(second.locator(".notice")).to_contain_text(
            f"已排进{found.words(found.proposed)}"
        )
        await expect(second.get_by_role("button", name="确认")).to_have_count(0)
        # It was never left, so that whoever reads there stays where they are.
        assert await second.evaluate("document.documentElement.dataset.same") == "yes"
        await second.close()


async def test_a_page_survives_the_restart_of_its_gateway(visitors: Visitors, world: World) -> None:
    found = await proposal(visitors)
    page = await opened(visitors, found)
    await world.suite.stop("gateway")
    request = active_pb2.IgnorePreviewRequest(
        request_id=new_key(), preview_id=found.preview.preview_id
    )
    await found.student.call(found.student.line.active.IgnorePreview, request)
    # What cannot be asked is said, and nothing is lost.
    await block(page).press("Space")
    await expect(page.locator(".moving .live")).to_contain_text("现在查不到哪里能放")
    await expect(block(page)).to_have_attribute("aria-pressed", "false")

    await world.suite.start("gateway")

    await expect(page.locator(".notice")).to_contain_text("已忽略，日程没有变动", timeout=30_000)
    await expect(page.get_by_role("button", name="确认")).to_have_count(0)


async def test_an_open_page_shows_that_its_hour_has_passed(
    visitors: Visitors, world: World
) -> None:
    found = await proposal(visitors)
    await world.fetch(
        "active_scheduler",
        """UPDATE active_schedule_previews SET expires_at = clock_timestamp()
           + interval '6 seconds' WHERE id = $1""",
        found.preview.preview_id,
    )
    page = await visitors.open(found.visitor, found.path)
    await expect(page.locator(".keep")).to_contain_text(re.compile(r"还有 0:0\d"))

    await expect(page.locator(".notice")).to_contain_text("过期了", timeout=30_000)
    await expect(page.get_by_role("button", name="重新生成建议")).to_be_visible()


async def test_a_block_that_is_held_is_let_go_when_the_proposal_changes(
    visitors: Visitors,
) -> None:
    found = await proposal(visitors)
    page = await opened(visitors, found)
    await block(page).press("Space")
    await expect(page.locator(".moving .live")).to_contain_text("拿起了")
    request = active_pb2.IgnorePreviewRequest(
        request_id=new_key(), preview_id=found.preview.preview_id
    )
    await found.student.call(found.student.line.active.IgnorePreview, request)

    await expect(page.locator(".notice")).to_contain_text("已忽略")
    await expect(page.locator(".lifting")).to_have_count(0)
    await expect(page.locator("body > [role=status]")).to_have_text("已忽略，日程没有变动")


@pytest.mark.parametrize("size", ["desktop", "phone"])
async def test_while_it_is_written_the_page_says_so_and_then_what_came_of_it(
    visitors: Visitors, world: World, size: str
) -> None:
    found = await proposal(visitors)
    page = await opened(visitors, found, size=size)
    when = f"NEW.user_id = {found.student.id}"
    async with held(
        world.suite.dsn("schedule"), "schedule_events", event="INSERT", when=when
    ) as hold:
        pressed = asyncio.ensure_future(page.get_by_role("button", name="确认").click())
        await hold.met()
        await expect(page.locator(".notice")).to_contain_text("正在写入日程")
        await expect(page.get_by_role("button", name="确认")).to_have_count(0)
        await hold.release()
    await pressed

    await expect(page.locator(".notice")).to_contain_text("已排进")


async def test_the_countdown_counts_minutes_and_is_not_announced(visitors: Visitors) -> None:
    found = await proposal(visitors)
    page = await opened(visitors, found)
    keep = page.locator(".keep")
    await expect(keep).to_contain_text(re.compile(r"建议保留到 \d\d:\d\d，还有 59 分钟"))
    announced = await keep.evaluate("keep => Boolean(keep.closest('[aria-live], [role=status]'))")
    assert announced is False


@pytest.mark.parametrize("size", ["desktop", "phone"])
async def test_a_page_is_light_stands_still_and_keeps_to_its_policy(
    visitors: Visitors, size: str
) -> None:
    found = await proposal(visitors)
    page = await visitors.open(found.visitor, "/week", size=size)
    complaints: list[str] = []
    page.on("console", lambda message: complaints.append(message.text))
    page.on("pageerror", lambda error: complaints.append(str(error)))
    session = await page.context.new_cdp_session(page)
    await session.send("Network.enable")
    await session.send("Network.setCacheDisabled", {"cacheDisabled": True})
    received: list[int] = []
    session.on("Network.loadingFinished", lambda e: received.append(e["encodedDataLength"]))
    await page.add_init_script(
        """addEventListener('load', () => 0);
        globalThis.moved = 0;
        new PerformanceObserver((list) => {
          for (const entry of list.getEntries()) globalThis.moved += entry.value;
        }).observe({ type: 'layout-shift', buffered: true });"""
    )

    await page.goto(f"{visitors.url}{found.path}")
    await expect(block(page)).to_be_visible()

    assert 0 < sum(received) <= MOST_BYTES
    assert await page.evaluate("moved") == 0
    assert await page.evaluate("document.documentElement.scrollWidth - innerWidth") <= 0
    assert not complaints
