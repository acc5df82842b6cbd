"""The block of a proposal is put elsewhere: by mouse, finger, keys and list, and written there."""

import re
from datetime import timedelta

import pytest
from playwright.async_api import Page, expect

from tests.e2e.pages.conftest import Shoot
from tests.e2e.pages.previews import (
    EVENING,
    TODAYS,
    TOMORROWS,
    Finger,
    Hand,
    Mouse,
    Proposal,
    block,
    carry,
    cell,
    proposal,
)
from tests.e2e.pages.visitors import Visitors

HANDS = [("desktop", Mouse()), ("phone", Finger())]
BY_HAND = pytest.mark.parametrize(("size", "hand"), HANDS, ids=[size for size, _ in HANDS])


async def opened(
    visitors: Visitors, found: Proposal, size: str, *, scripts: bool = True, dark: bool = False
) -> Page:
    """The page of a proposal, with a touch screen on a phone."""
    page = await visitors.open(
        found.visitor, found.path, size=size, scripts=scripts, dark=dark, has_touch=size == "phone"
    )
    if scripts:
        await expect(block(page)).to_be_visible()
    return page


async def confirmed(page: Page, found: Proposal, words: str) -> None:
    """Presses the button that names a place, and reads that it is written there."""
    await page.get_by_role("button", name=f"确认，排到{words}").click()
    await expect(page.locator(".notice")).to_contain_text(f"已排进{words}")


@BY_HAND
async def test_by_hand_to_a_free_place_from_the_link_to_the_schedule(
    visitors: Visitors, shoot: Shoot, size: str, hand: Hand
) -> None:
    found = await proposal(visitors)
    page = await visitors.window(size=size, has_touch=size == "phone")
    await page.goto(f"{visitors.url}{found.path}")
    await expect(page).to_have_url(re.compile("/sign-in"))
    await page.goto(await visitors.link(found.visitor, found.path))
    await page.locator("main form button").click()
    await expect(page).to_have_url(f"{visitors.url}{found.path}")
    await shoot(page, f"preview-{size}-ready")

    to = found.student.place(7, 8, day_offset=1)
    await carry(page, hand, to)
    await expect(page.locator(".aim.yes")).to_be_visible()
    await shoot(page, f"preview-{size}-legal")
    await hand.drop(page)

    words = found.words(to)
    await expect(page.locator(".moving .live")).to_contain_text(f"已放到{words}")
    await expect(block(page)).to_contain_text("你改过")
    await expect(page.get_by_role("link", name="恢复建议")).to_be_visible()
    await shoot(page, f"preview-{size}-edited")
    await confirmed(page, found, words)
    await shoot(page, f"preview-{size}-applied")
    assert await found.stands() == to


@BY_HAND
async def test_by_hand_to_a_shut_place_says_why_and_goes_home(
    visitors: Visitors, shoot: Shoot, size: str, hand: Hand
) -> None:
    found = await proposal(visitors)
    page = await opened(visitors, found, size)
    to = found.student.place(9, 10, day_offset=1)

    await carry(page, hand, to)
    await expect(page.locator(".aim.no")).to_have_text(f"有课：{EVENING}")
    await expect(block(page)).to_contain_text(f"有课：{EVENING}")
    await expect(page.locator(".c.shut").first).to_be_visible()
    await expect(page.locator(".c.legal").first).to_be_visible()
    await shoot(page, f"preview-{size}-shut")
    await hand.drop(page)

    await expect(page.locator(".moving .live")).to_have_text(
        f"没有移动：有课：{EVENING}。放回了原处。"
    )
    await expect(page.get_by_role("button", name="确认")).to_have_text(
        f"确认，排到{found.words(found.proposed)}"
    )
    await expect(page.locator(".lifting")).to_have_count(0)


@pytest.mark.parametrize("dark", [False, True], ids=["light", "dark"])
async def test_by_keys_alone(visitors: Visitors, shoot: Shoot, dark: bool) -> None:
    found = await proposal(visitors)
    page = await opened(visitors, found, "desktop", dark=dark)
    live = page.locator(".moving .live")
    start = found.words(found.proposed)
    while not await block(page).evaluate("block => block === document.activeElement"):
        await page.keyboard.press("Tab")

    await page.keyboard.press("Space")
    await expect(live).to_contain_text(f"拿起了，在{start}")
    await expect(block(page)).to_have_attribute("aria-pressed", "true")
    # Every cell can be aimed at; a shut one says why it is shut.
    assert (found.proposed.day_of_week, found.proposed.first_section) == (
        found.student.today[1],
        3,
    )
    await page.keyboard.press("ArrowUp")
    await expect(live).to_contain_text(f"有课：{TODAYS}")
    await shoot(page, f"preview-keys-{'dark' if dark else 'light'}")
    await page.keyboard.press("ArrowDown")
    await page.keyboard.press("ArrowRight")
    await expect(live).to_contain_text(f"有课：{TOMORROWS}")
    await page.keyboard.press("Escape")
    await expect(live).to_have_text("已放回原处。")

    await page.keyboard.press("Enter")
    await expect(live).to_contain_text("拿起了")
    # 3–4 is left for 4–5, which lies across noon, and so on: each press is a legal place.
    await page.keyboard.press("Alt+ArrowDown")
    await expect(live).to_contain_text("可以放")
    to = found.student.place(7, 8)
    while await live.text_content() != f"{found.words(to)}，16:15–17:55，可以放":
        await page.keyboard.press("Alt+ArrowDown")
    await page.keyboard.press("Space")
    await expect(live).to_contain_text(f"已放到{found.words(to)}")
    await expect(block(page)).to_be_focused()

    await page.keyboard.press("Tab")
    await page.get_by_role("button", name=f"确认，排到{found.words(to)}").press("Enter")
    await expect(page.locator(".notice")).to_contain_text(f"已排进{found.words(to)}")
    assert await found.stands() == to


async def test_leaving_the_block_puts_it_back(visitors: Visitors) -> None:
    found = await proposal(visitors)
    page = await opened(visitors, found, "desktop")
    await block(page).press("Space")
    await expect(page.locator(".moving .live")).to_contain_text("拿起了")
    await page.keyboard.press("ArrowRight")
    await expect(page.locator(".aim")).to_be_visible()

    await page.keyboard.press("Tab")

    await expect(page.locator(".moving .live")).to_have_text("已放回原处。")
    await expect(page.locator(".aim")).to_have_count(0)
    assert "edits" not in page.url


@pytest.mark.parametrize("size", ["desktop", "phone"])
async def test_the_list_names_every_legal_place_and_leads_to_days_that_are_not_shown(
    visitors: Visitors, shoot: Shoot, size: str
) -> None:
    found = await proposal(visitors, due_in=None)
    page = await opened(visitors, found, size)
    where = page.get_by_label("或者自己选一个位置")
    to = found.student.place(6, 7, day_offset=1)
    label = f"{found.words(to)} · 14:55–17:00"
    assert label in await where.locator("option").all_text_contents()
    assert f"{found.words(found.student.place(9, 10, day_offset=1))} · 19:00–20:40" not in (
        await where.locator("option").all_text_contents()
    )

    await where.select_option(label)
    await expect(page.locator(".moving .live")).to_contain_text(f"已放到{found.words(to)}")
    await expect(await cell(page, to)).to_be_visible()
    await page.reload()
    await expect(page.get_by_role("button", name=f"确认，排到{found.words(to)}")).to_be_visible()
    await page.get_by_role("link", name="恢复建议").click()
    start = found.words(found.proposed)
    await expect(page.get_by_role("button", name=f"确认，排到{start}")).to_be_visible()
    await expect(page.get_by_role("link", name="恢复建议")).to_be_hidden()

    await where.select_option(label)
    await confirmed(page, found, found.words(to))
    assert await found.stands() == to
    await shoot(page, f"preview-{size}-by-list")


async def test_a_place_on_a_later_day_is_shown_with_that_day(
    visitors: Visitors, shoot: Shoot
) -> None:
    found = await proposal(visitors, due_in=timedelta(days=4))
    page = await opened(visitors, found, "desktop")
    to = found.student.place(3, 4, day_offset=3)
    where = page.get_by_label("或者自己选一个位置")

    await where.select_option(f"{found.words(to)} · 10:15–11:55")

    await expect(page.get_by_role("button", name=f"确认，排到{found.words(to)}")).to_be_visible()
    await expect(await cell(page, to)).to_be_visible()
    await expect(where).to_be_focused()
    await shoot(page, "preview-desktop-later-day")
    # From there it can be taken on by hand, back to a day that is nearer.
    near = found.student.place(7, 8, day_offset=1)
    await carry(page, Mouse(), near)
    await Mouse().drop(page)
    await confirmed(page, found, found.words(near))
    assert await found.stands() == near


async def test_another_candidate_is_chosen_and_confirmed(visitors: Visitors) -> None:
    found = await proposal(visitors)
    other = found.preview.candidates[1]
    to = other.changes[0].to
    page = await opened(visitors, found, "desktop")

    await page.locator(".cands a", has_text=found.words(to)).click()

    await expect(page.locator(".cand.chosen")).to_contain_text(found.words(to))
    await expect(page.locator(".cand.chosen")).to_be_focused()
    await confirmed(page, found, found.words(to))
    assert await found.stands() == to


@pytest.mark.parametrize("size", ["desktop", "phone"])
async def test_without_scripts_a_place_is_chosen_shown_and_confirmed(
    visitors: Visitors, shoot: Shoot, size: str
) -> None:
    found = await proposal(visitors)
    page = await opened(visitors, found, size, scripts=False)
    await shoot(page, f"preview-{size}-no-scripts")
    to = found.student.place(7, 8, day_offset=1)

    await page.get_by_label("或者自己选一个位置").select_option(f"{found.words(to)} · 16:15–17:55")
    await page.get_by_role("button", name="看这个位置").click()

    await expect(page.locator(".days.after .b.add")).to_contain_text("你改过")
    await confirmed(page, found, found.words(to))
    assert await found.stands() == to
