"""Telling on the pages that something was not finished, and what comes of it."""

import re

import pytest
from playwright.async_api import expect

from smartmate.schedule.v1 import schedule_service_pb2
from tests.e2e.pages import unfinished
from tests.e2e.pages.conftest import Shoot
from tests.e2e.pages.hands import Hand
from tests.e2e.pages.unfinished import FIRST, LISTENING, REPORT, SECOND, TELL
from tests.e2e.pages.visitors import Visitors
from tests.holding import held
from tests.student import new_key
from tests.waiting import until
from tests.world import World

SIZES = pytest.mark.parametrize("size", ["desktop", "phone"])
PREVIEW = re.compile(r"/active-schedule/previews/asp_")


@SIZES
@pytest.mark.parametrize("scripts", [True, False], ids=["scripts", "no_scripts"])
async def test_a_block_of_a_plan_is_made_up_and_the_later_ones_give_way(
    visitors: Visitors, shoot: Shoot, size: str, scripts: bool
) -> None:
    found = await unfinished.in_order(visitors)
    page = await visitors.open(found.visitor, size=size, scripts=scripts)

    await unfinished.press(page, visitors, found)

    await expect(page).to_have_url(PREVIEW)
    await expect(page.locator(".by")).to_contain_text("补做，后面的顺延")
    await expect(page.locator(".days.after .b.add")).to_contain_text(FIRST)
    moved = page.locator(".days.after .b.moved")
    await expect(moved).to_contain_text(SECOND)
    # By more than its colour.
    await expect(moved.locator(".chip")).to_have_text("移动")
    await expect(moved).to_contain_text("原在")
    await expect(page.locator(".steps li")).to_have_count(2)
    await shoot(page, f"unfinished-{size}-reorder{'' if scripts else '-no-scripts'}")
    before = await found.blocks()

    await page.get_by_role("button", name="确认，补 1 项并移动 1 项").click()

    await expect(page.locator(".notice")).to_contain_text("已排进")
    after = await found.blocks()
    assert before[FIRST] == [found.event.place]
    assert len(after[FIRST]) == 2
    assert found.event.place in after[FIRST]
    assert len(after[SECOND]) == 1
    assert after[SECOND] != before[SECOND]


@SIZES
async def test_a_block_with_room_behind_it_is_made_up_there_and_a_second_time_says_so(
    visitors: Visitors, shoot: Shoot, size: str
) -> None:
    found = await unfinished.free_day(visitors)
    page = await visitors.open(found.visitor, size=size)
    await unfinished.press(page, visitors, found, by_week=False)
    await expect(page.locator(".days.after .b.add .chip")).to_have_text("补做")
    await page.get_by_role("button", name="确认，排到").click()
    await expect(page.locator(".notice")).to_contain_text("已排进")
    assert len((await found.blocks())[REPORT]) == 2

    await unfinished.press(page, visitors, found, by_week=False)

    await expect(page).to_have_url(re.compile("/active-schedule/looks/ast_"))
    await expect(page.get_by_role("heading", name="补做已经排上了")).to_be_visible()
    await shoot(page, f"look-{size}-closed")
    assert len((await found.blocks())[REPORT]) == 2


async def test_it_is_told_by_keyboard_alone(visitors: Visitors) -> None:
    found = await unfinished.free_day(visitors)
    page = await visitors.open(found.visitor)
    hand = Hand(page, by_keys=True)
    await hand.press(page.get_by_role("link", name=REPORT))
    await expect(page.get_by_role("dialog", name=REPORT)).to_be_visible()
    await hand.press(page.get_by_role("button", name=TELL))
    await expect(page).to_have_url(PREVIEW)


@SIZES
@pytest.mark.parametrize("scripts", [True, False], ids=["scripts", "no_scripts"])
async def test_a_look_that_takes_its_time_is_waited_for_and_led_on_from(
    visitors: Visitors, world: World, shoot: Shoot, size: str, scripts: bool
) -> None:
    found = await unfinished.free_day(visitors)
    page = await visitors.open(found.visitor, size=size, scripts=scripts)
    when = f"NEW.user_id = {found.student.id}"
    async with held(
        world.suite.dsn("active_scheduler"), "active_schedule_previews", event="INSERT", when=when
    ) as hold:
        await unfinished.press(page, visitors, found, by_week=False)
        await hold.met()
        await expect(page).to_have_url(re.compile("/active-schedule/looks/ast_"))
        await expect(page.get_by_role("heading", name="助手正在看")).to_be_visible()
        await shoot(page, f"look-{size}{'' if scripts else '-no-scripts'}")
        await hold.release()

    await expect(page).to_have_url(PREVIEW)
    await expect(page.get_by_role("button", name="确认，排到")).to_be_visible()


@SIZES
async def test_words_on_the_week_that_may_mean_two_blocks_lead_to_a_question(
    visitors: Visitors, shoot: Shoot, size: str
) -> None:
    found = await unfinished.two_blocks(visitors)
    page = await visitors.open(found.visitor, size=size)
    await page.get_by_label("哪一项没做完？").fill("有一项做不完了")
    await page.get_by_role("button", name="告诉助手").click()

    await expect(page).to_have_url(PREVIEW)
    await expect(page.locator(".said")).to_contain_text("有一项做不完了")
    answers = page.locator(".question button.offer")
    await expect(answers).to_have_count(2)
    await expect(page.get_by_role("button", name="确认")).to_have_count(0)
    await shoot(page, f"question-{size}-which")
    question = await unfinished.preview_id_of(page)

    await answers.filter(has_text=LISTENING).click()

    await expect(page).not_to_have_url(re.compile(question))
    await expect(page.locator(".days.after .b.add")).to_contain_text(LISTENING)


async def test_words_that_name_a_block_need_no_question(visitors: Visitors) -> None:
    found = await unfinished.two_blocks(visitors)
    page = await visitors.open(found.visitor)
    await page.get_by_label("哪一项没做完？").fill(f"{LISTENING}没做完")
    await page.get_by_label("哪一项没做完？").press("Enter")
    await expect(page.locator(".days.after .b.add")).to_contain_text(LISTENING)


async def test_pressing_twice_is_telling_once(visitors: Visitors, world: World) -> None:
    found = await unfinished.free_day(visitors)
    page = await visitors.open(found.visitor, found.path, scripts=False)
    form = await page.locator("form.menu").evaluate(
        "form => Object.fromEntries(new FormData(form))"
    )
    told = [
        await page.request.post(
            f"{visitors.url}/week/events/{found.event.event_id}/unfinished",
            form={**form, "date": found.date},
        )
        for _ in range(2)
    ]
    assert len({one.url for one in told}) == 1
    rows = await world.fetch(
        "active_scheduler",
        "SELECT id FROM active_schedule_triggers WHERE user_id = $1 AND feedback_id IS NOT NULL",
        found.student.id,
    )
    assert len(rows) == 1


async def test_a_course_is_no_work_to_make_up(visitors: Visitors) -> None:
    found = await unfinished.full_day(visitors)
    page = await visitors.open(found.visitor, size="phone")
    day = found.event.place.day_of_week
    await page.goto(f"{visitors.url}/week?date={found.date}&day={day}")
    await page.get_by_role("link", name="数据结构").click()
    await expect(page.get_by_role("switch")).to_be_visible()
    await expect(page.get_by_role("button", name=TELL)).to_have_count(0)


async def test_another_persons_look_is_not_found(visitors: Visitors) -> None:
    found = await unfinished.free_day(visitors)
    preview = await found.tell()
    page = await visitors.open(await visitors.arrive("别人"))
    answer = await page.goto(f"{visitors.url}/active-schedule/looks/{preview.trigger_id}")
    assert answer is not None
    assert answer.status == 404


@SIZES
async def test_what_is_missed_again_and_again_is_proposed_shorter_in_parts_or_let_go(
    visitors: Visitors, shoot: Shoot, size: str
) -> None:
    found = await unfinished.free_day(visitors)
    for _ in range(2):
        preview = await found.tell()
        await found.student.confirm(preview)
        await found.student.settled(preview.preview_id)
        found = await found.latest()
    page = await visitors.open(found.visitor, size=size)

    await unfinished.press(page, visitors, found, by_week=False)

    await expect(page.get_by_role("heading", name="三个可行的办法")).to_be_visible()
    await page.locator(".why summary").click()
    await expect(page.locator(".why")).to_contain_text("这是第 3 次没有做完")
    await shoot(page, f"unfinished-{size}-repeated")
    await page.locator(".cands a", has_text="先放下").click()
    await expect(page.locator(".by")).to_contain_text("先放下")
    await expect(page.locator(".days.before .b.leaving").first).to_contain_text("将撤下")
    await shoot(page, f"unfinished-{size}-drop")

    await page.get_by_role("button", name="确认，撤下 2 项").click()

    await expect(page.locator(".notice")).to_contain_text("已写入日程")
    assert (await found.blocks())[REPORT] == [found.event.place]


async def test_a_makeup_is_put_elsewhere_before_it_is_confirmed(visitors: Visitors) -> None:
    found = await unfinished.free_day(visitors)
    page = await visitors.open(found.visitor)
    await unfinished.press(page, visitors, found, by_week=False)
    await expect(page.get_by_role("button", name="确认，排到")).to_be_enabled()
    where = page.locator("#where")
    last = where.locator("option").last
    chosen = (await last.get_attribute("value") or "").partition("@")[2]
    await where.select_option(index=await where.locator("option").count() - 1)
    await expect(page.locator(".days.after .b.add")).to_contain_text("你改过")
    await page.get_by_role("button", name="确认，排到").click()
    await expect(page.locator(".notice")).to_contain_text("已排进")
    stands = [
        f"{one.semester_id}.{one.week}.{one.day_of_week}.{one.first_section}-{one.last_section}"
        for one in (await found.blocks())[REPORT]
    ]
    assert chosen in stands


@SIZES
async def test_what_was_taken_back_is_told_on_its_page(
    visitors: Visitors, shoot: Shoot, size: str
) -> None:
    found = await unfinished.free_day(visitors)
    preview = await found.tell()
    confirmed = await found.student.confirm(preview)
    await found.student.settled(preview.preview_id)
    undo = schedule_service_pb2.UndoApplyRequest(
        apply_id=new_key(), undone_apply_id=confirmed.apply_id
    )
    await found.student.call(found.student.line.schedule.UndoApply, undo)

    async def is_undone() -> bool:
        return (await found.student.preview(preview.preview_id)).HasField("undo_time")

    await until(is_undone, what="that it is known as undone")
    path = f"/active-schedule/previews/{preview.preview_id}"
    page = await visitors.open(found.visitor, path, size=size)
    await expect(page.locator(".notice")).to_contain_text("已撤销")
    await expect(page.locator(".keep")).to_contain_text("已撤销")
    await expect(page.get_by_role("button", name="确认")).to_have_count(0)
    await shoot(page, f"preview-{size}-undone")
    assert (await found.blocks())[REPORT] == [found.event.place]
