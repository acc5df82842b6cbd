"""Talking with the assistant where no model is configured: from a sentence to the week."""

import re

import pytest
from playwright.async_api import expect

from tests.e2e.pages import unfinished
from tests.e2e.pages.conftest import Shoot
from tests.e2e.pages.hands import Hand
from tests.e2e.pages.talks import SENTENCE, asks, blocks, proposal, revising, say, written
from tests.e2e.pages.visitors import Visitors

SIZES = pytest.mark.parametrize("size", ["desktop", "phone"])
SCRIPTS = pytest.mark.parametrize("scripts", [True, False], ids=["scripts", "no_scripts"])
CHAT = "/agent/chat"
TALK = re.compile(r"/agent/chat/cnv_[0-9A-Za-z]{32}$")


@SIZES
@SCRIPTS
async def test_the_opening_sentence_leads_from_the_chat_to_the_week(
    visitors: Visitors, shoot: Shoot, size: str, scripts: bool
) -> None:
    visitor = await revising(visitors)
    page = await visitors.open(visitor, CHAT, size=size, scripts=scripts)
    name = f"chat-{size}{'' if scripts else '-no-scripts'}"
    await shoot(page, f"{name}-new")

    await say(page, SENTENCE)

    await expect(page).to_have_url(TALK)
    await expect(proposal(page)).to_contain_text("新增 12 项")
    await expect(proposal(page)).to_contain_text("还没有写入")
    await expect(page.locator(".mine")).to_have_text(re.compile(SENTENCE))
    await expect(page.locator(".remark")).to_contain_text("没有配置模型")
    days = await proposal(page).locator(".changes dt").all_inner_texts()
    assert days
    assert not [day for day in days if day.startswith("周日")]
    assert await blocks(visitor) == []
    await shoot(page, f"{name}-proposed")

    await page.get_by_role("button", name="确认，排入 12 项").click()

    await written(page)
    stands = await blocks(visitor)
    assert len(stands) == 12
    assert all(one.place.day_of_week != 7 for one in stands)
    await shoot(page, f"{name}-written")
    await page.get_by_role("link", name="在周视图里看").click()
    await expect(page.locator("a.b.task").first).to_be_visible()
    await shoot(page, f"{name}-week")


async def test_it_is_done_by_keyboard_alone(visitors: Visitors) -> None:
    visitor = await revising(visitors)
    page = await visitors.open(visitor, CHAT)
    hand = Hand(page, by_keys=True)
    await hand.fill(page.get_by_role("textbox"), SENTENCE)
    await page.keyboard.press("Enter")
    await expect(proposal(page)).to_be_visible()
    await hand.press(page.get_by_role("button", name="确认，排入 12 项"))
    await written(page)
    assert len(await blocks(visitor)) == 12


@SIZES
async def test_it_is_turned_down_changed_by_talking_and_accepted_once(
    visitors: Visitors, shoot: Shoot, size: str
) -> None:
    visitor = await revising(visitors)
    page = await visitors.open(visitor, CHAT, size=size)
    await say(page, SENTENCE)
    await expect(proposal(page)).to_be_visible()

    await say(page, "周三也别排")

    await expect(page.locator(".proposal")).to_have_count(2)
    await expect(page.locator(".proposal").first).to_contain_text("没有写入")
    await expect(page.locator(".proposal").first.get_by_role("button")).to_have_count(0)
    days = await proposal(page).locator(".changes dt").all_inner_texts()
    assert not [day for day in days if day.startswith(("周日", "周三"))]
    await shoot(page, f"chat-{size}-changed")
    assert await blocks(visitor) == []

    await page.get_by_role("button", name="先不排").click()
    await expect(page.locator(".its").last).to_contain_text("日程没有变动")
    await expect(page.get_by_role("button", name="先不排")).to_have_count(0)
    await shoot(page, f"chat-{size}-declined")

    # A new turn afterwards.
    await say(page, "把线代复习排进去")
    await expect(proposal(page)).to_contain_text("新增 4 项")
    await page.get_by_role("button", name="确认，排入 4 项").click()
    await written(page)
    assert len(await blocks(visitor)) == 4


@SIZES
@SCRIPTS
async def test_a_question_is_answered_by_a_choice(
    visitors: Visitors, shoot: Shoot, size: str, scripts: bool
) -> None:
    found = await unfinished.two_blocks(visitors)
    page = await visitors.open(found.visitor, CHAT, size=size, scripts=scripts)
    await say(page, "这项没做完")
    question = asks(page)
    await expect(question).to_contain_text("说的是哪一项")
    await shoot(page, f"chat-{size}{'' if scripts else '-no-scripts'}-question")

    await question.get_by_role("button", name=unfinished.REPORT).click()

    await expect(page.locator(".card-link")).to_contain_text("打开这条建议")
    await expect(page.locator(".offered.chosen")).to_contain_text(unfinished.REPORT)
    await shoot(page, f"chat-{size}{'' if scripts else '-no-scripts'}-card")
    await page.locator(".card-link").click()
    await expect(page).to_have_url(re.compile(r"/active-schedule/previews/asp_"))
    await expect(page.get_by_role("button", name="确认，排到")).to_be_enabled()


async def test_two_windows_of_one_conversation_show_the_same(
    visitors: Visitors, shoot: Shoot
) -> None:
    visitor = await revising(visitors)
    first = await visitors.open(visitor, CHAT)
    await say(first, SENTENCE)
    await expect(proposal(first)).to_be_visible()
    talk = first.url.removeprefix(visitors.url)
    second = await first.context.new_page()
    await second.goto(first.url)
    await second.get_by_role("textbox").fill("等一下再说")
    elsewhere = await visitors.open(visitor, talk, scripts=False)
    await expect(proposal(elsewhere)).to_be_visible()

    await first.get_by_role("button", name="确认，排入 12 项").click()
    await written(first)

    # The other window of the same browser follows, and keeps what is being written.
    await written(second)
    await expect(second.get_by_role("textbox")).to_have_value("等一下再说")
    # A window that knows nothing of it yet is told that the first answer counts.
    await elsewhere.get_by_role("button", name="先不排").click()
    await expect(elsewhere.locator(".notice")).to_contain_text("已经答过了，以先答的为准")
    await written(elsewhere)
    await shoot(elsewhere, "chat-desktop-first-counts")
    assert len(await blocks(visitor)) == 12


async def test_words_for_something_that_has_moved_on_are_kept_and_not_sent(
    visitors: Visitors, shoot: Shoot
) -> None:
    visitor = await revising(visitors)
    first = await visitors.open(visitor, CHAT)
    await say(first, SENTENCE)
    await expect(proposal(first)).to_be_visible()
    second = await visitors.open(visitor, first.url.removeprefix(visitors.url), scripts=False)
    await first.get_by_role("button", name="先不排").click()
    await expect(first.locator(".its").last).to_contain_text("日程没有变动")

    await say(second, "好")

    await expect(second.locator(".notice")).to_contain_text("这段对话刚刚往前走了一步")
    await expect(second.get_by_role("textbox")).to_have_value("好")
    await shoot(second, "chat-desktop-moved-on")
    assert await blocks(visitor) == []


@SIZES
async def test_a_suggestion_is_discussed_and_confirmed_in_the_chat(
    visitors: Visitors, shoot: Shoot, size: str
) -> None:
    found = await unfinished.free_day(visitors)
    preview = await found.tell()
    path = f"/active-schedule/previews/{preview.preview_id}"
    page = await visitors.open(found.visitor, path, size=size)
    await page.get_by_role("link", name="讨论").click()
    await expect(page).to_have_url(re.compile(r"/agent/chat\?active_preview_id=asp_"))
    await expect(page.locator("details.about")).to_contain_text(unfinished.REPORT)
    await shoot(page, f"chat-{size}-about")
    listed = await visitors.open(found.visitor, "/agent/conversations")
    await expect(listed.locator(".chats li")).to_have_count(0)

    await say(page, "你好")

    await expect(page).to_have_url(TALK)
    await expect(page.locator(".its").last).to_contain_text("可以")
    await expect(page.locator("details.about")).to_contain_text(unfinished.REPORT)
    await listed.reload()
    await expect(listed.locator(".chats li")).to_contain_text("关于一条建议")
    await shoot(page, f"chat-{size}-about-said")

    await page.locator("details.about").get_by_role("button", name="确认").click()

    await expect(page).to_have_url(re.compile("/agent/chat/cnv_"))
    await expect(page.locator("details.about .notice")).to_contain_text("已排进")
    assert len((await found.blocks())[unfinished.REPORT]) == 2
    # From its own page the talk about it goes on.
    await page.goto(f"{visitors.url}{path}")
    await page.get_by_role("link", name="讨论").click()
    await expect(page).to_have_url(re.compile("/agent/chat/cnv_"))


@SIZES
async def test_conversations_are_listed_and_deleted(
    visitors: Visitors, shoot: Shoot, size: str
) -> None:
    visitor = await revising(visitors)
    page = await visitors.open(visitor, CHAT, size=size)
    await say(page, "你好")
    await expect(page.locator(".its .words").first).to_be_visible()
    await page.goto(f"{visitors.url}{CHAT}")
    await say(page, SENTENCE)
    await expect(proposal(page)).to_be_visible()

    await page.get_by_role("link", name="所有对话").click()

    lines = page.locator(".chats li")
    await expect(lines).to_have_count(2)
    await expect(lines.first).to_contain_text(SENTENCE)
    await expect(lines.first).to_contain_text("等你确认")
    await shoot(page, f"chats-{size}")
    await page.get_by_role("button", name=f"删除对话：{SENTENCE}").click()
    await expect(page.locator(".notice")).to_contain_text("对话已删除")
    await expect(lines).to_have_count(1)
    await lines.first.get_by_role("link").click()
    await expect(page.locator(".mine")).to_contain_text("你好")


@SIZES
@SCRIPTS
async def test_what_is_remembered_is_noted_changed_found_and_forgotten(
    visitors: Visitors, shoot: Shoot, size: str, scripts: bool
) -> None:
    visitor = await visitors.arrive()
    name = f"memory-{size}{'' if scripts else '-no-scripts'}"
    page = await visitors.open(visitor, "/memory", size=size, scripts=scripts)
    await page.get_by_label("哪一类").select_option("不要")
    await page.get_by_label("记什么").fill("晚上不排高数")
    await page.get_by_label("周三").check()
    await page.get_by_label("从第几节").select_option("第 9 节")
    await page.get_by_label("到第几节").select_option("第 12 节")
    await page.get_by_role("button", name="记住", exact=True).click()
    line = page.locator(".memory li")
    await expect(line).to_contain_text("晚上不排高数")
    await expect(line).to_contain_text("周三 9–12 节")
    await shoot(page, name)

    await page.get_by_role("link", name="改：晚上不排高数").click()
    await page.get_by_label("记什么").fill("晚上不排概率论")
    await shoot(page, f"{name}-change")
    await page.get_by_role("button", name="保存").click()
    await expect(line).to_contain_text("晚上不排概率论")

    await page.get_by_role("searchbox").fill("概率论")
    await page.get_by_role("button", name="找", exact=True).click()
    await expect(page.locator("#listed")).to_contain_text("和「概率论」有关的")
    await expect(line).to_have_count(1)
    await page.get_by_role("button", name="忘掉：晚上不排概率论").click()
    await expect(page.locator(".notice")).to_contain_text("忘掉了")
    await expect(line).to_have_count(0)

    # What is said in a conversation stands there too.
    await page.goto(f"{visitors.url}{CHAT}")
    await say(page, "记住我早上效率最高")
    await page.get_by_role("button", name="好，就这样").click()
    await expect(page.locator(".its").last).to_contain_text("记住了")
    await page.goto(f"{visitors.url}/memory")
    await expect(line).to_contain_text("早上效率最高")


@SIZES
async def test_in_english_and_at_night(visitors: Visitors, shoot: Shoot, size: str) -> None:
    visitor = await revising(visitors)
    page = await visitors.open(visitor, CHAT, size=size, locale="en-US", dark=True)
    await expect(page.get_by_role("heading", level=1)).to_have_text("Say what you want to plan")
    await page.get_by_role("link", name="Plan the revision").click()
    await expect(page.get_by_role("textbox")).to_have_value(re.compile("^Plan the revision"))
    await say(page, SENTENCE)
    await expect(proposal(page)).to_contain_text("12 added")
    await shoot(page, f"chat-{size}-english-dark")
    await page.get_by_role("button", name="Confirm: plan 12").click()
    await expect(page.locator(".end.ok")).to_contain_text("See it in the week")
