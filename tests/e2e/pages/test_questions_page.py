"""A full day: the question, its answers, and what they lead to."""

import re

import pytest
from playwright.async_api import Page, expect

from smartmate.active_scheduler.v1 import active_scheduler_service_pb2 as active_pb2
from tests.e2e.pages import unfinished
from tests.e2e.pages.conftest import Shoot
from tests.e2e.pages.hands import Hand
from tests.e2e.pages.unfinished import LISTENING, REPORT, Unfinished
from tests.e2e.pages.visitors import Visitors
from tests.student import new_key

SIZES = pytest.mark.parametrize("size", ["desktop", "phone"])
PREVIEWS = "/active-schedule/previews"
PREVIEW = re.compile(r"/active-schedule/previews/asp_")


async def asked(visitors: Visitors, found: Unfinished, **how: object) -> tuple[Page, str]:
    """The page of the question that a full day leads to, and its preview."""
    page = await visitors.open(found.visitor, **how)
    await unfinished.press(page, visitors, found)
    await expect(page).to_have_url(PREVIEW)
    await expect(page.locator(".say h1")).to_contain_text("可以晚一点完成吗")
    return page, await unfinished.preview_id_of(page)


@SIZES
@pytest.mark.parametrize("scripts", [True, False], ids=["scripts", "no_scripts"])
async def test_a_full_day_asks_for_a_later_end_and_a_no_leads_to_sharing_with_its_risk(
    visitors: Visitors, shoot: Shoot, size: str, scripts: bool
) -> None:
    found = await unfinished.full_day(visitors)
    page, question = await asked(visitors, found, size=size, scripts=scripts)
    name = f"question-{size}{'' if scripts else '-no-scripts'}"
    await expect(page.get_by_role("button", name="可以晚一点")).to_contain_text("起有空，2 节")
    await shoot(page, f"{name}-delay")
    before = await found.blocks()

    await page.get_by_role("button", name="不能晚").click()

    await expect(page).not_to_have_url(re.compile(question))
    await expect(page).to_have_url(PREVIEW)
    await expect(page.locator(".by")).to_contain_text("压缩")
    await expect(page.locator(".risk")).to_contain_text("两项都会被压缩")
    await expect(page.locator(".days.after .b.squeeze")).to_have_count(2)
    await expect(page.locator(".days.after .b.squeeze").first).to_contain_text(REPORT)
    await expect(page.locator(".days.after .b.squeeze").last).to_contain_text(LISTENING)
    await shoot(page, f"{name}-compress")
    assert await found.blocks() == before
    compressed = page.url

    # The old link says that it was replaced, and by what.
    await page.goto(f"{visitors.url}{PREVIEWS}/{question}")
    await expect(page.locator(".notice")).to_contain_text("同一件事有了更新的建议")
    await expect(page.locator(".question .chosen")).to_contain_text("不能晚")
    await expect(page.locator(".question button")).to_have_count(0)
    await shoot(page, f"{name}-replaced")
    await page.get_by_role("link", name="打开新的建议").click()
    await expect(page).to_have_url(compressed)

    await page.get_by_role("button", name="确认，两项各 1 节").click()

    await expect(page.locator(".notice")).to_contain_text("已排进")
    after = await found.blocks()
    assert [(one.first_section, one.last_section) for one in after[LISTENING]] == [(4, 4)]
    assert sorted((one.first_section, one.last_section) for one in after[REPORT]) == [
        (1, 2),
        (3, 3),
    ]


@SIZES
async def test_a_yes_leads_to_a_place_after_the_deadline(
    visitors: Visitors, shoot: Shoot, size: str
) -> None:
    found = await unfinished.full_day(visitors)
    page, question = await asked(visitors, found, size=size)
    await page.get_by_role("button", name="可以晚一点").click()
    await expect(page).not_to_have_url(re.compile(question))
    await expect(page.get_by_role("button", name="确认，排到")).to_be_enabled()
    await shoot(page, f"question-{size}-later")


async def test_it_is_answered_by_keyboard_alone(visitors: Visitors) -> None:
    found = await unfinished.full_day(visitors)
    page, question = await asked(visitors, found)
    await Hand(page, by_keys=True).press(page.get_by_role("button", name="不能晚"))
    await expect(page).not_to_have_url(re.compile(question))
    await expect(page.locator(".days.after .b.squeeze")).to_have_count(2)


async def test_an_open_page_follows_an_answer_that_was_given_elsewhere(
    visitors: Visitors, shoot: Shoot
) -> None:
    found = await unfinished.full_day(visitors)
    page, question = await asked(visitors, found, size="phone")
    request = active_pb2.AnswerQuestionRequest(
        request_id=new_key(), preview_id=question, choice_id="no"
    )
    answered = await found.student.call(found.student.line.active.AnswerQuestion, request)
    trigger = await found.student.trigger_ended(answered.trigger.trigger_id)

    await expect(page.locator(".notice")).to_contain_text("同一件事有了更新的建议")
    await expect(page.locator(".question button")).to_have_count(0)
    await shoot(page, "question-phone-followed")
    await page.get_by_role("link", name="打开新的建议").click()
    await expect(page).to_have_url(re.compile(trigger.preview_id))


async def test_the_first_answer_wins_and_a_later_one_sees_what_it_led_to(
    visitors: Visitors,
) -> None:
    found = await unfinished.full_day(visitors)
    page, question = await asked(visitors, found, scripts=False)
    request = active_pb2.AnswerQuestionRequest(
        request_id=new_key(), preview_id=question, choice_id="no"
    )
    answered = await found.student.call(found.student.line.active.AnswerQuestion, request)
    await found.student.trigger_ended(answered.trigger.trigger_id)

    # Its page knows nothing of that yet.
    await page.get_by_role("button", name="可以晚一点").click()

    await expect(page).to_have_url(re.compile(f"{question}\\?told=already_answered"))
    await expect(page.locator(".question .chosen")).to_contain_text("不能晚")
    await expect(page.get_by_role("link", name="打开新的建议")).to_be_visible()


async def test_a_question_may_be_put_aside(visitors: Visitors) -> None:
    found = await unfinished.full_day(visitors)
    page, _ = await asked(visitors, found)
    await page.get_by_role("button", name="忽略").click()
    await expect(page.locator(".notice")).to_contain_text("已忽略，日程没有变动")
    await expect(page.locator(".question button")).to_have_count(0)


@SIZES
async def test_the_list_and_the_week_tell_of_what_is_asked(
    visitors: Visitors, shoot: Shoot, size: str
) -> None:
    found = await unfinished.full_day(visitors)
    await found.tell()
    page = await visitors.open(found.visitor, size=size)
    await page.get_by_role("link", name="1 条建议").click()
    line = page.locator(".suggestions li")
    await expect(line).to_have_count(1)
    await expect(line).to_contain_text("等你回答")
    await shoot(page, f"suggestions-{size}-asks")
    await line.get_by_role("link").click()
    await expect(page.get_by_role("button", name="不能晚")).to_be_visible()


async def test_english_asks_in_english(visitors: Visitors, shoot: Shoot) -> None:
    found = await unfinished.full_day(visitors)
    preview = await found.tell()
    path = f"{PREVIEWS}/{preview.preview_id}"
    page = await visitors.open(found.visitor, path, locale="en-US", size="phone")
    await expect(page.get_by_role("button", name="It may end later")).to_be_visible()
    await expect(page.get_by_role("heading", name="Your call")).to_be_visible()
    await shoot(page, "question-phone-english")
