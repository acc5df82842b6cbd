"""Study plans at the page: written down, tried out, placed, changed, and taken off again."""

import re
from collections.abc import Awaitable, Callable
from datetime import datetime, timedelta

import pytest
from playwright.async_api import Page, expect

from smartmate.schedule.v1 import schedule_event_pb2, schedule_service_pb2, task_class_pb2
from tests.e2e.pages.conftest import Shoot
from tests.e2e.pages.hands import Hand
from tests.e2e.pages.places import plan_of
from tests.e2e.pages.visitors import Visitor, Visitors
from tests.student import course, new_key

NAME = "数据结构期末复习"
COURSE = "形势与政策"
CHAPTERS = tuple(f"第 {n} 章" for n in range(1, 13))

Shot = Callable[[str], Awaitable[None]]
"""A picture of the page as it is, under a name."""


async def plans(visitor: Visitor) -> list[task_class_pb2.TaskClass]:
    """The study plans as the service has them."""
    request = schedule_service_pb2.ListTaskClassesRequest()
    answer = await visitor.student.call(visitor.student.line.schedule.ListTaskClasses, request)
    return list(answer.task_classes)


async def blocks(visitor: Visitor, *, days: int = 40) -> list[schedule_event_pb2.ScheduleEvent]:
    """Blocks of work from today on, in order of time."""
    student = visitor.student
    today = datetime.now(student.zone).date()
    request = schedule_service_pb2.ListEventsRequest(
        first_date=today.isoformat(),
        last_date=(today + timedelta(days=days)).isoformat(),
        type=schedule_event_pb2.SCHEDULE_EVENT_TYPE_TASK,
        page_size=200,
    )
    return list((await student.call(student.line.schedule.ListEvents, request)).events)


def on_day(visitor: Visitor, ahead: int) -> str:
    """A date some days from today, as a form takes it."""
    return (datetime.now(visitor.student.zone).date() + timedelta(days=ahead)).isoformat()


async def with_timetable(visitor: Visitor) -> None:
    """A student with two courses, one of which meets tomorrow in sections 5 and 6."""
    today, tomorrow = visitor.student.place(1, 2), visitor.student.place(5, 6, day_offset=1)
    await visitor.student.import_courses(
        course("高等代数", day=today.day_of_week, sections="1-2"),
        course(COURSE, day=tomorrow.day_of_week, sections="5-6"),
    )


async def to_tomorrow(page: Page, visitors: Visitors, visitor: Visitor) -> None:
    """The week of tomorrow; a phone shows that day first."""
    at = visitor.student.place(1, 1, day_offset=1)
    await page.goto(f"{visitors.url}/week?week={at.week}&day={at.day_of_week}")


async def open_course(hand: Hand, visitors: Visitors, visitor: Visitor) -> None:
    """Marks tomorrow's course as one that may host."""
    await to_tomorrow(hand.page, visitors, visitor)
    await hand.press(hand.page.get_by_role("link", name=COURSE))
    await hand.press(hand.page.get_by_role("switch", name="可嵌入"))
    await expect(hand.page.get_by_role("status")).to_contain_text("现在可以嵌入任务")


async def write_plan(hand: Hand, visitor: Visitor) -> None:
    """Fills the form of a new plan in and sends it."""
    page, today = hand.page, datetime.now(visitor.student.zone).date()
    await hand.fill(page.get_by_label("名称"), NAME)
    await hand.fill(page.get_by_label("要学的项目"), "\n".join(CHAPTERS))
    await hand.fill_date(page.get_by_label("从哪天"), today)
    await hand.fill_date(page.get_by_label("到哪天"), today + timedelta(days=14))
    await hand.fill(page.get_by_label("一共几节"), "24")
    await hand.tick(page.get_by_label("可以放进可嵌入的课里"))
    await hand.press(page.get_by_role("button", name="保存"))
    await expect(page.get_by_role("status")).to_contain_text("计划已记下")


async def revoke(
    hand: Hand, visitors: Visitors, event: schedule_event_pb2.ScheduleEvent, *, shot: Shot
) -> None:
    """Finds a block in its week, opens it, and takes it off the schedule."""
    page, at = hand.page, event.place
    await page.goto(f"{visitors.url}/week?week={at.week}&day={at.day_of_week}")
    await hand.press(page.get_by_role("link", name=event.name))
    details = page.locator("article.event")
    await expect(details).to_contain_text(f"计划「{NAME}」第 1 / 12 项")
    await expect(details).to_contain_text("这一项回到学习计划")
    await expect(details.get_by_role("button", name="删除这一块")).to_have_count(0)
    await shot("block")
    await hand.press(page.get_by_role("button", name="从日程撤下"))
    await expect(page.get_by_role("status")).to_contain_text("已从日程撤下")


@pytest.mark.parametrize(
    ("size", "scripts", "by_keys"),
    [
        ("desktop", True, False),
        ("desktop", True, True),
        ("phone", True, False),
        ("phone", False, False),
    ],
    ids=["desktop", "desktop_keys", "phone", "phone_no_scripts"],
)
async def test_a_course_is_opened_a_plan_of_twelve_is_tried_out_placed_and_a_block_revoked(
    visitors: Visitors, shoot: Shoot, size: str, scripts: bool, by_keys: bool
) -> None:
    visitor = await visitors.arrive()
    await with_timetable(visitor)
    page = await visitors.open(visitor, size=size, scripts=scripts, dark=not scripts)
    hand = Hand(page, by_keys)

    async def shot(name: str) -> None:
        await shoot(page, f"plan-story-{size}-{name}{'' if scripts else '-no-scripts'}")

    await open_course(hand, visitors, visitor)
    await page.goto(f"{visitors.url}/task-classes")
    await shot("none")
    await hand.press(page.get_by_role("link", name="写第一个计划"))
    await shot("new")
    await write_plan(hand, visitor)
    (plan,) = await plans(visitor)
    assert [item.content for item in plan.items] == list(CHAPTERS)
    assert (plan.total_sections, plan.allow_filler_course) == (24, True)

    await hand.press(page.get_by_role("link", name="试排", exact=True))
    await expect(page.get_by_role("status")).to_contain_text("12 项都有地方，还没有写入")
    await expect(page.locator(".after .b.add").first).to_be_visible()
    assert await blocks(visitor) == []
    await shot("trial")
    await hand.press(page.get_by_role("navigation", name="按周看").get_by_role("link").last)
    await expect(page.locator(".after .b.add").first).to_be_visible()
    await hand.press(page.locator("summary", has_text="全部 12 项的位置"))
    await expect(page.locator(".stops li")).to_have_count(12)
    await shot("trial-last-week")

    await hand.press(page.get_by_role("button", name="确认，排入 12 项"))
    await expect(page.get_by_role("status")).to_contain_text("已排入 12 项")
    await shot("placed")
    placed = await blocks(visitor)
    assert [one.name for one in placed] == list(CHAPTERS)
    assert [one.task_order for one in placed] == list(range(1, 13))

    await hand.press(page.get_by_role("link", name="在周视图里看"))
    await expect(page.get_by_role("link", name=CHAPTERS[0])).to_have_count(1)
    await shot("week")
    await revoke(hand, visitors, placed[0], shot=shot)
    assert [one.name for one in await blocks(visitor)] == list(CHAPTERS[1:])

    await page.goto(f"{visitors.url}/task-classes/{plan.task_class_id}")
    await expect(page.locator(".items .tk", has_text="待安排")).to_have_count(1)
    await shot("one-waits")
    await hand.press(page.get_by_role("link", name="试排", exact=True))
    await expect(page.get_by_role("button", name="确认，排入 1 项")).to_be_visible()


@pytest.mark.parametrize("size", ["desktop", "phone"])
async def test_an_item_that_only_fits_into_a_course_stands_in_it(
    visitors: Visitors, shoot: Shoot, size: str
) -> None:
    visitor = await visitors.arrive()
    await with_timetable(visitor)
    page = await visitors.open(visitor, size=size)
    await open_course(Hand(page), visitors, visitor)

    await page.goto(f"{visitors.url}/task-classes/new")
    await page.get_by_label("名称").fill("课上背单词")
    await page.get_by_label("要学的项目").fill("第一单元")
    await page.get_by_label("从哪天").fill(on_day(visitor, 1))
    await page.get_by_label("到哪天").fill(on_day(visitor, 1))
    await page.get_by_label("可以放进可嵌入的课里").check()
    await page.locator("details.fold summary").first.click()
    for words in ("1–2 节", "3–4 节", "7–8 节", "9–10 节", "11–12 节"):
        await page.get_by_label(words).check()
    await page.get_by_role("button", name="保存").click()
    await page.get_by_role("link", name="试排", exact=True).click()
    await expect(page.locator(".after .b.add.guest")).to_have_count(1)
    await expect(page.locator(".after .b.guest .m")).to_have_text(COURSE)
    await shoot(page, f"trial-{size}-guest")
    await page.get_by_role("button", name="确认，排入 1 项").click()
    await expect(page.get_by_role("status")).to_contain_text("已排入 1 项")
    (block,) = await blocks(visitor)
    assert block.host_event_id

    await to_tomorrow(page, visitors, visitor)
    guest = page.get_by_role("link", name="第一单元")
    await expect(guest).to_contain_text("嵌入课内的任务")
    await expect(guest.locator(".m")).to_have_text(COURSE)
    around = await page.locator("a.b.host").bounding_box()
    inside = await guest.bounding_box()
    assert around
    assert inside
    assert around["x"] < inside["x"]
    assert inside["x"] + inside["width"] <= around["x"] + around["width"] + 1
    await shoot(page, f"week-{size}-item-guest")
    await guest.click()
    await expect(page.get_by_role("dialog")).to_contain_text(f"嵌在「{COURSE}」里")
    await page.get_by_role("link", name="看外面这门课").click()
    await expect(page.get_by_role("heading", name=COURSE)).to_be_visible()


@pytest.mark.parametrize("locale", ["zh-CN", "en-US"])
async def test_a_plan_without_room_says_why_with_the_numbers_and_writes_nothing(
    visitors: Visitors, shoot: Shoot, locale: str
) -> None:
    visitor = await visitors.arrive()
    await plan_of(visitor, "今天读完", items=3, days=1, sections=30)
    english = locale == "en-US"
    page = await visitors.open(visitor, "/task-classes", size="phone", dark=True, locale=locale)
    await page.get_by_role("button", name="Try out" if english else "试排选中的计划").click()
    words = "3 items do not fit" if english else "3 项放不下，所以整份计划先不写入"
    await expect(page.get_by_role("status")).to_contain_text(words)
    why = "It takes 10 in a row" if english else "要连着 10 节"
    await expect(page.locator(".why-not").first).to_contain_text(why)
    await expect(page.get_by_role("button", name="Confirm" if english else "确认")).to_have_count(0)
    await shoot(page, f"trial-phone-short-{locale}")
    edit = "Edit this plan" if english else "改这个计划"
    await page.get_by_role("link", name=edit).click()
    await expect(page).to_have_url(re.compile(r"/task-classes/\d+$"))
    assert await blocks(visitor) == []


async def test_what_came_between_is_named_and_tried_out_anew(
    visitors: Visitors, shoot: Shoot
) -> None:
    visitor = await visitors.arrive()
    class_id = await plan_of(visitor, NAME, items=3, days=5, sections=6)
    page = await visitors.open(visitor, f"/task-classes/build?class={class_id}")
    request = schedule_service_pb2.RoughBuildRequest(task_class_ids=[class_id])
    built = await visitor.student.call(visitor.student.line.schedule.RoughBuild, request)
    task = await visitor.student.create_task("临时的班会")
    assert (await visitor.student.add(task.task_id, built.changes[0].to)).event_ids

    await page.get_by_role("button", name="确认，排入 3 项").click()
    notice = page.get_by_role("status").first
    await expect(notice).to_contain_text("你的日程保持原样")
    await expect(notice).to_contain_text("临时的班会")
    await shoot(page, "trial-desktop-refused")
    assert len(await blocks(visitor)) == 1

    await page.get_by_role("button", name="确认，排入 3 项").click()
    await expect(page.get_by_role("status")).to_contain_text("已排入 3 项")
    assert len(await blocks(visitor)) == 4


async def test_rewording_keeps_a_place_and_a_line_taken_out_leaves_the_schedule(
    visitors: Visitors,
) -> None:
    visitor = await visitors.arrive()
    class_id = await plan_of(visitor, NAME, items=3, days=5, sections=6)
    page = await visitors.open(visitor, f"/task-classes/build?class={class_id}")
    await page.get_by_role("button", name="确认，排入 3 项").click()
    await expect(page.get_by_role("status")).to_contain_text("已排入 3 项")
    before = {one.event_id for one in await blocks(visitor)}

    await page.get_by_role("link", name=NAME).click()
    await page.get_by_label("要学的项目").fill("第 1 章\n第 2 章：栈\n")
    await page.get_by_role("button", name="保存").click()
    await expect(page.get_by_role("status")).to_contain_text("1 块还没开始的安排从日程里撤下了")
    kept = await blocks(visitor)
    assert [one.name for one in kept] == ["第 1 章", "第 2 章：栈"]
    assert {one.event_id for one in kept} < before

    await page.get_by_label("要学的项目").fill("第 2 章：栈\n第 1 章\n")
    await page.get_by_role("button", name="保存").click()
    await expect(page.get_by_role("status")).to_contain_text("新的顺序和排好的时间对不上")
    await expect(page.get_by_label("要学的项目")).to_have_value("第 2 章：栈\n第 1 章\n")

    await page.get_by_role("button", name="标记完成：第 1 章").click()
    await expect(page.get_by_role("status")).to_contain_text("这一项已完成")
    (plan,) = await plans(visitor)
    assert [item.done for item in plan.items] == [True, False]
    await page.get_by_text("删除计划").first.click()
    await page.get_by_role("button", name="删除计划").click()
    await expect(page.get_by_role("status")).to_contain_text("计划已删除")
    assert await plans(visitor) == []
    assert await blocks(visitor) == []


@pytest.mark.parametrize("scripts", [True, False], ids=["scripts", "no_scripts"])
async def test_an_item_is_done_at_its_block_which_leads_to_its_plan(
    visitors: Visitors, scripts: bool
) -> None:
    visitor = await visitors.arrive()
    class_id = await plan_of(visitor, NAME, items=2, days=5, sections=4)
    page = await visitors.open(visitor, f"/task-classes/build?class={class_id}", scripts=scripts)
    await page.get_by_role("button", name="确认，排入 2 项").click()
    await expect(page.get_by_role("status")).to_contain_text("已排入 2 项")
    at = (await blocks(visitor))[0].place
    week = f"{visitors.url}/week?week={at.week}&day={at.day_of_week}"
    for button, told, done in (
        ("标记完成", "这一项已完成", True),
        ("重新打开", "这一项已重新打开", False),
    ):
        await page.goto(week)
        await page.get_by_role("link", name="第 1 章").click()
        await page.get_by_role("button", name=button).click()
        await expect(page.get_by_role("status")).to_contain_text(told)
        (plan,) = await plans(visitor)
        assert [item.done for item in plan.items] == [done, False]

    await page.goto(week)
    await page.get_by_role("link", name="第 1 章").click()
    await page.get_by_role("link", name="打开学习计划").click()
    await expect(page).to_have_url(re.compile(rf"/task-classes/{class_id}$"))


async def test_what_was_changed_meanwhile_is_told_and_what_was_entered_is_kept(
    visitors: Visitors,
) -> None:
    visitor = await visitors.arrive()
    class_id = await plan_of(visitor, NAME, items=2, days=5, sections=4)
    page = await visitors.open(visitor, f"/task-classes/{class_id}", scripts=False)
    await page.get_by_label("名称").fill("我改的名字")
    other = schedule_service_pb2.PutTaskClassRequest(
        request_id=new_key(),
        task_class_id=class_id,
        task_class=schedule_service_pb2.TaskClassInput(
            name="别处改的名字", items=[schedule_service_pb2.TaskItemInput(content="第 1 章")]
        ),
    )
    await visitor.student.call(visitor.student.line.schedule.PutTaskClass, other)
    await page.get_by_role("button", name="保存").click()
    await expect(page.get_by_role("status")).to_contain_text("刚刚在别处改过")
    await expect(page.get_by_role("status")).to_contain_text("别处改的名字")
    await expect(page.get_by_label("名称")).to_have_value("我改的名字")
    await page.get_by_role("button", name="保存").click()
    await expect(page.get_by_role("status")).to_contain_text("计划已保存")
    (plan,) = await plans(visitor)
    assert plan.name == "我改的名字"


async def test_what_is_wrong_is_said_at_its_field_and_nothing_entered_is_lost(
    visitors: Visitors, shoot: Shoot
) -> None:
    visitor = await visitors.arrive()
    page = await visitors.open(visitor, "/task-classes/new", size="phone", scripts=False)
    await page.get_by_label("名称").fill("复习")
    await page.get_by_label("要学的项目").fill(f"第一章\n{'长' * 201}")
    await page.get_by_role("button", name="保存").click()
    await expect(page.locator("#lines-problem")).to_contain_text("第 2 行太长")
    await expect(page.get_by_label("名称")).to_have_value("复习")
    await shoot(page, "plan-phone-problems")
    await page.get_by_label("要学的项目").fill("第一章")
    await page.get_by_label("从哪天").fill(on_day(visitor, 3))
    await page.get_by_label("到哪天").fill(on_day(visitor, 1))
    await page.get_by_role("button", name="保存").click()
    await expect(page.locator("#end-problem")).to_contain_text("不早于开始那天")
    assert await plans(visitor) == []


async def test_another_students_plan_is_not_there(visitors: Visitors) -> None:
    theirs = await plan_of(await visitors.arrive("另一位"), "别人的", items=1, days=2, sections=2)
    page = await visitors.open(await visitors.arrive(), "/task-classes")
    for path in (f"/task-classes/{theirs}", f"/task-classes/build?class={theirs}"):
        await page.goto(f"{visitors.url}{path}")
        await expect(page.get_by_role("status")).to_contain_text("已经不在了")
        assert "别人的" not in await page.content()
