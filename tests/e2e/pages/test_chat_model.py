"""Talking with the assistant where a model decides: what it does is seen while it does it."""

import re
from collections.abc import AsyncIterator

import pytest
from playwright.async_api import expect

from services.standalone import home, settings
from services.standalone.suite import Suite
from tests.e2e.conftest import SHORTENED
from tests.e2e.pages.conftest import Shoot
from tests.e2e.pages.talks import SENTENCE, blocks, proposal, revising, say, written
from tests.e2e.pages.visitors import Visitors
from tests.integration import llm_standin
from tests.integration.agent.talking import calls, decided, planned
from tests.integration.llm_standin import StandIn
from tests.world import World, reached

SIZES = pytest.mark.parametrize("size", ["desktop", "phone"])
SCRIPTS = pytest.mark.parametrize("scripts", [True, False], ids=["scripts", "no_scripts"])
FIRST = "先按三门课排，周日空着。"
SECOND = "再看一眼哪天太满。"


@pytest.fixture(scope="module")
async def world() -> AsyncIterator[World]:
    """A suite of its own for these tests, whose agent asks the model stand-in."""
    with home.temporary() as path:
        suite = Suite(
            path,
            feishu_standin=True,
            llm_standin=True,
            overrides={**SHORTENED, "agent": {}},
            configuration=settings.read({"SMARTMATE_HOME": str(path)}),
        )
        async with suite, reached(suite) as found:
            yield found


@pytest.fixture
async def model(world: World) -> AsyncIterator[StandIn]:
    """The stand-in, honest before and after."""
    async with llm_standin.honest(world.suite.llm_url) as found:
        yield found


@SIZES
@SCRIPTS
async def test_a_page_that_is_loaded_anew_in_the_middle_shows_what_was_done_and_goes_on(
    visitors: Visitors, model: StandIn, shoot: Shoot, size: str, scripts: bool
) -> None:
    await model.script(
        planned(1, 2, 3, excluded_days_of_week=[7], speak=FIRST),
        decided("continue", speak=SECOND, tool_call={"name": "evaluate_balance", "arguments": {}}),
        {**calls("analyze_health"), "hold": True},
        decided("done", reason="可以结束"),
    )
    visitor = await revising(visitors)
    page = await visitors.open(visitor, "/agent/chat", size=size, scripts=scripts)
    name = f"chat-model-{size}{'' if scripts else '-no-scripts'}"

    await say(page, SENTENCE)

    await model.arrived(3)
    its = page.locator(".its").last
    await expect(its).to_contain_text(FIRST)
    await expect(its).to_contain_text(SECOND)
    await expect(its.locator(".so-far")).to_contain_text("新增 12 项")
    await expect(its.locator(".calls summary")).to_contain_text("做了 1 步")
    await expect(its.locator(".works")).to_be_visible()
    if scripts:
        await expect(page.locator(".compose button")).to_be_disabled()
    await shoot(page, f"{name}-working")

    await page.reload()

    await expect(its).to_contain_text(FIRST)
    await expect(its.locator(".so-far")).to_contain_text("新增 12 项")
    await expect(its.locator(".calls summary")).to_contain_text("做了 1 步")
    await its.locator(".calls summary").click()
    await expect(its.locator(".calls")).to_contain_text("evaluate_balance")
    await shoot(page, f"{name}-reloaded")
    assert await blocks(visitor) == []

    await model.release()

    await expect(proposal(page)).to_contain_text("新增 12 项")
    await expect(its.locator(".calls summary")).to_contain_text("做了 2 步")
    await expect(its.locator(".works")).to_have_count(0)
    await shoot(page, f"{name}-proposed")
    await page.get_by_role("button", name="确认，排入 12 项").click()
    await written(page)
    stands = await blocks(visitor)
    assert len(stands) == 12
    assert all(one.place.day_of_week != 7 for one in stands)
    await page.get_by_role("link", name="在周视图里看").click()
    await expect(page.locator("a.b.task").first).to_be_visible()


async def test_what_is_being_written_and_folded_stays_while_things_happen(
    visitors: Visitors, model: StandIn
) -> None:
    await model.script(
        planned(1, 2, 3, speak=FIRST),
        calls("evaluate_balance"),
        {**calls("analyze_health"), "hold": True},
        decided("done", reason="可以结束"),
    )
    visitor = await revising(visitors)
    page = await visitors.open(visitor, "/agent/chat")
    await say(page, SENTENCE)
    await model.arrived(3)
    calls_ = page.locator(".calls")
    await expect(calls_).to_contain_text("做了 1 步")
    await calls_.locator("summary").click()
    await page.get_by_role("textbox").fill("等会儿把周三")

    await model.release()

    await expect(proposal(page)).to_be_visible()
    await expect(calls_).to_contain_text("做了 2 步")
    await expect(calls_.locator("ol")).to_be_visible()
    await expect(page.get_by_role("textbox")).to_have_value("等会儿把周三")
    await expect(page.get_by_role("textbox")).to_be_focused()


async def test_a_line_that_is_lost_in_the_middle_is_taken_up_again(
    visitors: Visitors, model: StandIn
) -> None:
    await model.script(
        planned(1, 2, 3, speak=FIRST),
        {**calls("evaluate_balance"), "hold": True},
        decided("done", reason="可以结束"),
    )
    visitor = await revising(visitors)
    page = await visitors.open(visitor, "/agent/chat")
    await say(page, SENTENCE)
    await model.arrived(2)
    await expect(page.locator(".works")).to_be_visible()

    await page.context.set_offline(True)
    await model.release()
    await model.arrived(3)
    await page.context.set_offline(False)

    await expect(proposal(page)).to_be_visible()
    await expect(page.locator(".calls summary")).to_contain_text("做了 1 步")


async def test_markup_of_a_model_is_no_part_of_the_page(
    visitors: Visitors, model: StandIn, shoot: Shoot
) -> None:
    words = '<img src=x onerror="document.title=1"> <b>粗</b> [链接](javascript:alert(1))'
    await model.script(planned(1, 2, 3, speak=words), decided("done", speak=words))
    visitor = await revising(visitors)
    page = await visitors.open(visitor, "/agent/chat")
    await say(page, SENTENCE)
    await expect(proposal(page)).to_be_visible()
    assert await page.locator(".log img, .log .words b, .log .words a").count() == 0
    await shoot(page, "chat-model-desktop-markup")
    await expect(page).to_have_title(re.compile("SmartMate"))
