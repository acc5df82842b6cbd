"""What the page of a proposal says in each of its states, and the way on from there."""

import re
from datetime import timedelta

import pytest
from playwright.async_api import Page, expect

from smartmate.active_scheduler.v1 import active_scheduler_service_pb2 as active_pb2
from smartmate.active_scheduler.v1 import preview_pb2
from smartmate.schedule.v1 import calendar_pb2, schedule_service_pb2
from tests.e2e.pages.conftest import Shoot
from tests.e2e.pages.previews import TITLE, Proposal, block, proposal
from tests.e2e.pages.visitors import Visitors
from tests.student import Student, course, new_key
from tests.world import World

SIZES = pytest.mark.parametrize("size", ["desktop", "phone"])
PREVIEW = re.compile(r"/active-schedule/previews/asp_")


async def open_page(visitors: Visitors, found: Proposal, size: str, *, dark: bool = False) -> Page:
    return await visitors.open(found.visitor, found.path, size=size, dark=dark)


async def expire(world: World, found: Proposal) -> None:
    """Lets the hour of a proposal pass."""
    await world.fetch(
        "active_scheduler",
        "UPDATE active_schedule_previews SET expires_at = clock_timestamp() WHERE id = $1",
        found.preview.preview_id,
    )


async def take(student: Student, at: calendar_pb2.Place, name: str = "班会") -> None:
    """Somebody puts something else there."""
    length = at.last_section - at.first_section + 1
    other = await student.create_task(name, sections=length)
    verdict = await student.add(other.task_id, at)
    assert verdict.event_ids


def first_section(at: calendar_pb2.Place) -> calendar_pb2.Place:
    """The first section of a place alone."""
    made = calendar_pb2.Place()
    made.CopyFrom(at)
    made.last_section = at.first_section
    return made


async def another_page(page: Page, found: Proposal) -> None:
    """The page has become that of another proposal, which can be confirmed."""
    await expect(page).to_have_url(PREVIEW)
    await expect(page).not_to_have_url(re.compile(found.preview.preview_id))
    await expect(page.get_by_role("button", name="确认")).to_be_enabled()


@SIZES
async def test_an_expired_one_is_made_anew_with_one_click(
    visitors: Visitors, world: World, shoot: Shoot, size: str
) -> None:
    found = await proposal(visitors)
    await expire(world, found)
    page = await open_page(visitors, found, size, dark=size == "phone")
    await expect(page.locator(".notice")).to_contain_text("过期了")
    await expect(page.get_by_role("button", name="确认")).to_have_count(0)
    await expect(page.locator(".days.after .grip")).to_have_count(0)
    await shoot(page, f"preview-{size}-expired")

    await page.get_by_role("button", name="重新生成建议").click()

    await another_page(page, found)


@SIZES
async def test_another_students_proposal_is_not_found(
    visitors: Visitors, shoot: Shoot, size: str
) -> None:
    found = await proposal(visitors)
    stranger = await visitors.arrive("别人")
    page = await visitors.open(stranger, "/week", size=size)

    answer = await page.goto(f"{visitors.url}{found.path}")

    assert answer is not None
    assert answer.status == 404
    await expect(page.get_by_text("没有找到这条建议").first).to_be_visible()
    assert TITLE not in await page.content()
    await shoot(page, f"preview-{size}-not-found")


@SIZES
async def test_what_came_into_a_touched_cell_is_named_and_one_click_plans_anew(
    visitors: Visitors, shoot: Shoot, size: str
) -> None:
    found = await proposal(visitors)
    page = await open_page(visitors, found, size)
    await expect(page.get_by_role("button", name="确认")).to_be_enabled()
    at = first_section(found.proposed)
    await take(found.student, at)

    await page.get_by_role("button", name="确认").click()

    notice = page.locator(".notice")
    await expect(notice).to_contain_text(f"{found.words(at)}刚刚有了别的安排，这次没有写入")
    await expect(notice.locator("li")).to_have_text([f"{found.words(at)}：加入了「班会」"])
    await expect(notice).to_contain_text("你的日程保持原样")
    await expect(page.locator(".days.after .b.clash")).to_contain_text("班会")
    await expect(page.get_by_role("button", name="确认")).to_be_disabled()
    await shoot(page, f"preview-{size}-refused")
    # The other candidates are as good as before.
    other = found.preview.candidates[1].changes[0].to
    await page.locator(".cands a", has_text=found.words(other)).click()
    await expect(page.get_by_role("button", name=f"确认，排到{found.words(other)}")).to_be_enabled()

    await page.get_by_role("button", name="按现在的日程再想一个").click()

    await another_page(page, found)
    assert await found.stands() is None


async def test_after_a_refusal_another_candidate_is_written(visitors: Visitors) -> None:
    found = await proposal(visitors)
    page = await open_page(visitors, found, "desktop")
    await take(found.student, found.proposed)
    await page.get_by_role("button", name="确认").click()
    await expect(page.locator(".notice")).to_contain_text("没有写入")
    to = found.preview.candidates[1].changes[0].to

    await page.locator(".cands a", has_text=found.words(to)).click()
    await page.get_by_role("button", name=f"确认，排到{found.words(to)}").click()

    await expect(page.locator(".notice")).to_contain_text(f"已排进{found.words(to)}")
    assert await found.stands() == to


async def test_what_came_between_is_told_before_anything_is_pressed(
    visitors: Visitors, shoot: Shoot
) -> None:
    found = await proposal(visitors)
    await take(found.student, found.proposed)

    page = await open_page(visitors, found, "desktop")

    await expect(page.locator(".notice")).to_contain_text(
        f"{found.words(found.proposed)}刚刚有了别的安排：班会"
    )
    await expect(page.get_by_role("button", name="确认")).to_be_disabled()
    await shoot(page, "preview-desktop-stale")
    where = page.get_by_label("或者自己选一个位置")
    to = found.student.place(7, 8, day_offset=1)
    await where.select_option(f"{found.words(to)} · 16:15–17:55")
    await page.get_by_role("button", name=f"确认，排到{found.words(to)}").click()
    await expect(page.locator(".notice")).to_contain_text(f"已排进{found.words(to)}")


async def test_a_task_that_was_done_meanwhile_can_be_put_nowhere(
    visitors: Visitors, shoot: Shoot
) -> None:
    found = await proposal(visitors)
    request = schedule_service_pb2.CompleteTaskRequest(
        request_id=new_key(), task_id=found.task.task_id
    )
    await found.student.call(found.student.line.schedule.CompleteTask, request)

    page = await open_page(visitors, found, "desktop")

    await expect(page.locator(".notice")).to_contain_text(f"「{TITLE}」已经完成，不用再安排")
    await expect(page.get_by_text("现在不能换位置")).to_be_visible()
    await expect(page.get_by_role("button", name="确认")).to_have_count(0)
    await expect(block(page)).to_have_count(0)
    await shoot(page, "preview-desktop-done")


async def test_what_came_elsewhere_disturbs_nothing(visitors: Visitors) -> None:
    found = await proposal(visitors)
    page = await open_page(visitors, found, "desktop")
    await take(found.student, found.student.place(5, 6, day_offset=1))

    await page.get_by_role("button", name="确认").click()

    await expect(page.locator(".notice")).to_contain_text("其他安排没有变动")
    assert await found.stands() == found.proposed


@SIZES
async def test_a_length_that_was_assumed_is_set_and_planned_with(
    visitors: Visitors, shoot: Shoot, size: str
) -> None:
    found = await proposal(visitors, sections=None)
    page = await open_page(visitors, found, size)
    await expect(page.locator(".estimate")).to_contain_text("没有填过预计时长，按 1 节估计")
    await shoot(page, f"preview-{size}-assumed")

    await page.locator(".estimate").get_by_role("button", name="3 节").click()

    await another_page(page, found)
    await expect(page.locator(".estimate")).to_have_count(0)
    request = schedule_service_pb2.GetTaskRequest(task_id=found.task.task_id)
    answer = await found.student.call(found.student.line.schedule.GetTask, request)
    assert answer.task.estimated_sections == 3
    assert answer.task.deadline_time == found.task.deadline_time
    await page.get_by_role("button", name="确认").click()
    await expect(page.locator(".notice")).to_contain_text("已排进")
    stands = await found.stands()
    assert stands is not None
    assert stands.last_section - stands.first_section == 2


async def test_a_superseded_one_leads_to_the_newer_one(visitors: Visitors, shoot: Shoot) -> None:
    found = await proposal(visitors)
    request = active_pb2.RegeneratePreviewRequest(
        request_id=new_key(), preview_id=found.preview.preview_id
    )
    answer = await found.student.call(found.student.line.active.RegeneratePreview, request)
    trigger = await found.student.trigger_ended(answer.trigger.trigger_id)
    page = await open_page(visitors, found, "desktop")
    await expect(page.locator(".notice")).to_contain_text("同一件事有了更新的建议")
    await shoot(page, "preview-desktop-superseded")

    await page.get_by_role("link", name="打开新的建议").click()

    await expect(page).to_have_url(re.compile(trigger.preview_id))
    await expect(page.get_by_role("button", name="确认")).to_be_enabled()


async def test_an_ignored_one_changes_nothing_and_can_be_asked_for_anew(
    visitors: Visitors, shoot: Shoot
) -> None:
    found = await proposal(visitors)
    page = await open_page(visitors, found, "phone")
    await page.get_by_role("button", name="忽略").click()
    await expect(page.locator(".notice")).to_contain_text("已忽略，日程没有变动")
    await shoot(page, "preview-phone-ignored")
    shown = await found.student.preview(found.preview.preview_id)
    assert shown.state == preview_pb2.PREVIEW_STATE_IGNORED

    await page.get_by_role("button", name="重新生成建议").click()

    await another_page(page, found)


@SIZES
async def test_a_mere_notice_says_what_took_the_room(
    visitors: Visitors, shoot: Shoot, size: str
) -> None:
    visitor = await visitors.arrive()
    student = visitor.student
    # With room on any day of the next week there would be something to ask.
    await student.import_courses(*(course("满课", day=day, sections="1-12") for day in range(1, 8)))
    task = await student.create_task(TITLE, due_in=timedelta(hours=20))
    found = Proposal(visitor, task, await student.proposed(task.task_id))

    page = await open_page(visitors, found, size)

    await expect(page.locator("h1")).to_contain_text("没有连续 2 节的空闲")
    await expect(page.locator(".notice")).to_contain_text("先告诉你一声，暂时没有合适的位置")
    await expect(page.get_by_role("button", name="确认")).to_have_count(0)
    await expect(page.get_by_role("button", name="忽略")).to_have_count(0)
    await expect(page.locator(".keep")).to_contain_text("只供回看")
    await expect(page.get_by_role("button", name="按现在的日程再想一个")).to_be_visible()
    await shoot(page, f"preview-{size}-notice")


@SIZES
async def test_the_list_shows_what_waits_and_leads_there(
    visitors: Visitors, shoot: Shoot, size: str
) -> None:
    found = await proposal(visitors)
    page = await visitors.open(found.visitor, "/active-schedule/previews", size=size)
    await shoot(page, f"previews-{size}")

    await page.get_by_role("link", name=TITLE).click()
    await expect(page).to_have_url(f"{visitors.url}{found.path}")
    await page.get_by_role("button", name="忽略").click()
    await expect(page.locator(".notice")).to_contain_text("已忽略")
    await page.goto(f"{visitors.url}/active-schedule/previews")

    await expect(page.get_by_text("现在没有等你看的建议")).to_be_visible()
    await shoot(page, f"previews-{size}-none")
