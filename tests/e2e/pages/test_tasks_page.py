"""The task pool at the page: written down, planned, done, changed by two at once."""

import re
from datetime import UTC, datetime, timedelta

import pytest
from playwright.async_api import expect

from smartmate.schedule.v1 import schedule_service_pb2, task_pb2
from tests.e2e.pages.conftest import Shoot
from tests.e2e.pages.visitors import Visitor, Visitors
from tests.student import new_key

ZWJ = "📌期末复习🧑‍💻"
NAMES = (
    ZWJ,
    "𠮷野家",
    "ｱｲｳ",
    "مراجعة نهائية",
    "<script>alert(1)</script>",
    "a" * 200,
    "学" * 200,
    "🧑‍💻" * 60,
)


async def stored(visitor: Visitor) -> list[task_pb2.Task]:
    """The tasks as the service has them."""
    request = schedule_service_pb2.ListTasksRequest(page_size=200)
    answer = await visitor.student.call(visitor.student.line.schedule.ListTasks, request)
    return list(answer.tasks)


def local(visitor: Visitor, at: datetime) -> str:
    """An instant as the form takes it: by the wall clock of the student's semester."""
    return at.astimezone(visitor.student.zone).strftime("%Y-%m-%dT%H:%M")


@pytest.mark.parametrize("size", ["desktop", "phone"])
@pytest.mark.parametrize("scripts", [True, False], ids=["scripts", "no_scripts"])
async def test_a_task_is_written_down_changed_done_reopened_and_deleted(
    visitors: Visitors, shoot: Shoot, size: str, scripts: bool
) -> None:
    visitor = await visitors.arrive()
    page = await visitors.open(visitor, "/tasks", size=size, scripts=scripts)
    due = datetime.now(UTC).replace(second=0, microsecond=0) + timedelta(days=3)
    await page.get_by_label("记一件事").fill("交实验报告")
    await page.get_by_label("放在哪一格").select_option("紧急，不重要")
    await page.get_by_text("截止和时长").click()
    await page.get_by_label("截止", exact=True).fill(local(visitor, due))
    await page.get_by_label("预计要几节").select_option("2 节")
    await page.get_by_role("button", name="记下").click()

    await expect(page.get_by_role("status")).to_contain_text("已记下")
    line = page.locator(".q3 .tk", has_text="交实验报告")
    await expect(line).to_contain_text("预计 2 节")
    (task,) = await stored(visitor)
    assert task.deadline_time.ToDatetime(UTC) == due
    assert (task.quadrant, task.estimated_sections) == (task_pb2.QUADRANT_URGENT, 2)

    await line.get_by_role("link", name="交实验报告").click()
    await expect(page.get_by_label("截止", exact=True)).to_have_value(local(visitor, due))
    await shoot(page, f"task-{size}-{'' if scripts else 'no-'}scripts")
    await page.get_by_label("要做的事").fill("交物理实验报告")
    await page.get_by_label("放在哪一格").select_option("重要，不急")
    await page.get_by_label("截止", exact=True).fill("")
    await page.get_by_role("button", name="保存").click()
    await expect(page.get_by_role("status")).to_contain_text("已保存")
    await expect(page.locator(".q2")).to_contain_text("交物理实验报告")
    await expect(page.locator(".q2")).to_contain_text("没有截止")

    await page.get_by_role("button", name="标记完成：交物理实验报告").click()
    await expect(page.get_by_role("status")).to_contain_text("交物理实验报告")
    await expect(page.locator(".q2")).not_to_contain_text("交物理实验报告")
    await page.get_by_role("status").get_by_role("button", name="重新打开").click()
    await expect(page.locator(".q2")).to_contain_text("交物理实验报告")
    (task,) = await stored(visitor)
    assert task.status == task_pb2.TASK_STATUS_OPEN

    await page.get_by_role("link", name="交物理实验报告").click()
    await page.get_by_text("删除任务").first.click()
    await page.get_by_role("button", name="删除任务").click()
    await expect(page.get_by_role("status")).to_contain_text("任务已删除")
    assert await stored(visitor) == []


async def test_the_four_quadrants_stand_on_their_axes_and_on_a_phone_by_priority(
    visitors: Visitors, shoot: Shoot
) -> None:
    visitor = await visitors.arrive()
    student = visitor.student
    hours = timedelta(hours=1)
    await student.create_task("概率论大作业", due_in=40 * hours, urgent_in=-hours)
    await student.create_task("期末论文选题", quadrant="QUADRANT_IMPORTANT", due_in=400 * hours)
    await student.create_task("还图书馆的书", quadrant="QUADRANT_URGENT", sections=1)
    await student.create_task("整理相册", quadrant="QUADRANT_NEITHER", due_in=None)
    # Important alone, until its threshold has passed.
    await student.create_task("英语听力", quadrant="QUADRANT_IMPORTANT", urgent_in=-hours)

    desk = await visitors.open(visitor, "/tasks")
    boxes = {n: await desk.locator(f".q{n}").bounding_box() for n in (1, 2, 3, 4)}
    assert all(boxes.values())
    at = {n: (box["x"], box["y"]) for n, box in boxes.items() if box}
    assert at[1][0] > at[2][0], "urgent is at the right"
    assert at[3][0] > at[4][0]
    assert at[1][1] == at[2][1] < at[3][1] == at[4][1], "important is above"
    await expect(desk.locator(".q1")).to_contain_text("英语听力")
    await expect(desk.get_by_text("5 件在手上，其中 5 件还没有时间")).to_be_visible()
    await shoot(desk, "tasks-desktop-light")

    phone = await visitors.open(visitor, "/tasks", size="phone", dark=True)
    # Measured with its styles, which may come after its address.
    await phone.wait_for_load_state()
    tops = [await phone.locator(f".q{n}").bounding_box() for n in (1, 2, 3, 4)]
    heights = [box["y"] for box in tops if box]
    assert heights == sorted(heights)
    assert await phone.evaluate("document.documentElement.scrollWidth - innerWidth") <= 0
    await shoot(phone, "tasks-phone-dark")


async def test_a_placed_task_tells_where_and_leads_there(visitors: Visitors, shoot: Shoot) -> None:
    visitor = await visitors.arrive()
    task = await visitor.student.create_task("概率论大作业")
    verdict = await visitor.student.add(task.task_id, visitor.student.place(3, 4, day_offset=1))
    assert verdict.event_ids
    page = await visitors.open(visitor, "/tasks", locale="en-US")
    place = page.locator(".q1 .place")
    await expect(place).to_contain_text("sections 3–4")
    await expect(page.get_by_role("button", name="Find a time")).to_have_count(0)
    await shoot(page, "tasks-desktop-english")
    await place.click()
    await expect(page.get_by_role("link", name="概率论大作业")).to_be_visible()


@pytest.mark.parametrize("scripts", [True, False], ids=["scripts", "no_scripts"])
async def test_find_a_time_leads_to_the_suggestion(visitors: Visitors, scripts: bool) -> None:
    visitor = await visitors.arrive()
    await visitor.student.create_task("概率论大作业", due_in=timedelta(hours=20))
    page = await visitors.open(visitor, "/tasks", scripts=scripts)
    await page.get_by_role("button", name="找个时间：概率论大作业").click()
    await expect(page).to_have_url(re.compile("/active-schedule/previews/asp_"))
    await page.get_by_role("button", name="忽略").click()
    await expect(page.get_by_text("已忽略").first).to_be_visible()

    # Within the half hour in which one look answers for the next, and yet there is a new one.
    await page.goto(f"{visitors.url}/tasks")
    await page.get_by_role("button", name="找个时间：概率论大作业").click()
    await expect(page.get_by_role("button", name="忽略")).to_be_visible()


async def test_what_is_not_urgent_is_told_so_with_the_way_to_change_it(
    visitors: Visitors, shoot: Shoot
) -> None:
    visitor = await visitors.arrive()
    await visitor.student.create_task("整理相册", quadrant="QUADRANT_NEITHER", due_in=None)
    page = await visitors.open(visitor, "/tasks", size="phone")
    await page.get_by_role("button", name="找个时间：整理相册").click()
    await expect(page.get_by_role("status")).to_contain_text("它还不急")
    await shoot(page, "tasks-phone-not-urgent")
    await page.get_by_role("status").get_by_role("link").click()
    await expect(page.get_by_label("要做的事")).to_have_value("整理相册")


async def test_what_was_changed_meanwhile_is_told_and_what_was_entered_is_kept(
    visitors: Visitors, shoot: Shoot
) -> None:
    visitor = await visitors.arrive()
    task = await visitor.student.create_task("读文献", due_in=None)
    page = await visitors.open(visitor, f"/tasks/{task.task_id}")
    await page.get_by_label("要做的事").fill("读三篇文献")
    other = schedule_service_pb2.UpdateTaskRequest(
        request_id=new_key(),
        task_id=task.task_id,
        task=schedule_service_pb2.TaskInput(
            title="读两篇文献", quadrant=task_pb2.QUADRANT_IMPORTANT
        ),
    )
    await visitor.student.call(visitor.student.line.schedule.UpdateTask, other)

    await page.get_by_role("button", name="保存").click()

    await expect(page.get_by_role("status")).to_contain_text("刚刚在别处改过")
    await expect(page.get_by_role("status")).to_contain_text("读两篇文献")
    await expect(page.get_by_label("要做的事")).to_have_value("读三篇文献")
    (kept,) = await stored(visitor)
    assert kept.title == "读两篇文献"
    await shoot(page, "task-desktop-changed")

    await page.get_by_role("button", name="保存").click()
    (kept,) = await stored(visitor)
    assert kept.title == "读三篇文献"


@pytest.mark.parametrize("size", ["desktop", "phone"])
async def test_what_is_wrong_is_said_at_its_field_and_nothing_entered_is_lost(
    visitors: Visitors, shoot: Shoot, size: str
) -> None:
    visitor = await visitors.arrive()
    page = await visitors.open(visitor, "/tasks", size=size, scripts=False)
    now = datetime.now(UTC)
    await page.get_by_label("记一件事").fill("长" * 201)
    await page.get_by_text("截止和时长").click()
    await page.get_by_label("截止", exact=True).fill(local(visitor, now + timedelta(days=1)))
    await page.get_by_label("什么时候变紧急").fill(local(visitor, now + timedelta(days=2)))
    await page.get_by_role("button", name="记下").click()

    await expect(page.locator("#title-problem, #threshold-problem").first).to_be_visible()
    await expect(page.get_by_label("记一件事")).to_have_value("长" * 201)
    await expect(page.get_by_label("什么时候变紧急")).to_be_visible()
    await shoot(page, f"tasks-{size}-problems")
    assert await stored(visitor) == []
    await page.get_by_label("记一件事").fill("长")
    await page.get_by_role("button", name="记下").click()
    await expect(page.locator("#threshold-problem")).to_contain_text("要早于截止")
    assert await page.get_by_label("什么时候变紧急").get_attribute("aria-invalid") == "true"


async def test_every_name_survives_every_page(visitors: Visitors, shoot: Shoot) -> None:
    visitor = await visitors.arrive(f"{ZWJ}{'名' * 40}")
    page = await visitors.open(visitor, "/tasks", size="phone")
    for name in NAMES:
        await page.get_by_label("记一件事").fill(name)
        await page.get_by_role("button", name="记下").click()
        await expect(page.get_by_role("status")).to_contain_text("已记下")
    assert {task.title for task in await stored(visitor)} == set(NAMES)
    assert await page.evaluate("document.documentElement.scrollWidth - innerWidth") <= 0
    await shoot(page, "tasks-phone-names")
    tasks = await stored(visitor)
    for offset, task in enumerate(tasks[:5]):
        await visitor.student.add(
            task.task_id, visitor.student.place(3, 3 + offset % 2, day_offset=offset)
        )
    for task in tasks:
        await page.goto(f"{visitors.url}/tasks/{task.task_id}")
        await expect(page.get_by_label("要做的事")).to_have_value(task.title)
        assert await page.evaluate("document.documentElement.scrollWidth - innerWidth") <= 0
    await page.goto(f"{visitors.url}/week")
    assert await page.evaluate("document.documentElement.scrollWidth - innerWidth") <= 0
    await shoot(page, "week-phone-names")


async def test_another_students_task_is_not_there(visitors: Visitors) -> None:
    theirs = await (await visitors.arrive("另一位")).student.create_task("别人的作业")
    page = await visitors.open(await visitors.arrive(), "/tasks")
    await page.goto(f"{visitors.url}/tasks/{theirs.task_id}")
    await expect(page.get_by_role("status")).to_contain_text("已经不在了")
    assert "别人的作业" not in await page.content()
