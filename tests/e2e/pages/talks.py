"""What is done in the page of a conversation."""

from datetime import datetime, timedelta

from playwright.async_api import Locator, Page, expect

from smartmate.schedule.v1 import schedule_event_pb2, schedule_service_pb2
from tests.e2e.pages.places import plan_of
from tests.e2e.pages.visitors import Visitor, Visitors
from tests.student import course

SENTENCE = "期末前把这三门课的复习排进去，别排周日"
CLASSES = ("线代复习", "概率论复习", "英语复习")


async def revising(visitors: Visitors) -> Visitor:
    """A student with a course and three study plans of four items each."""
    visitor = await visitors.arrive()
    await visitor.student.import_courses(course("高等数学", day=1, sections="1-2"))
    for name in CLASSES:
        await plan_of(visitor, name, items=4, days=28, sections=8)
    return visitor


async def blocks(visitor: Visitor) -> list[schedule_event_pb2.ScheduleEvent]:
    """The student's blocks of work from today on, by time."""
    student = visitor.student
    today = datetime.now(student.zone).date()
    request = schedule_service_pb2.ListEventsRequest(
        first_date=today.isoformat(),
        last_date=(today + timedelta(days=40)).isoformat(),
        type=schedule_event_pb2.SCHEDULE_EVENT_TYPE_TASK,
    )
    return list((await student.call(student.line.schedule.ListEvents, request)).events)


async def say(page: Page, words: str) -> None:
    """Says something by the button beside the field."""
    await page.get_by_role("textbox").fill(words)
    await page.locator(".compose button").click()


def proposal(page: Page) -> Locator:
    """The newest yes or no."""
    return page.locator(".proposal").last


def asks(page: Page) -> Locator:
    """The newest question."""
    return page.locator(".asked").last


async def written(page: Page) -> None:
    """Waits until what was accepted last stands in the schedule."""
    await expect(page.locator(".end.ok")).to_contain_text("在周视图里看")
    await expect(proposal(page)).to_contain_text("已写入")
    await expect(proposal(page).get_by_role("button")).to_have_count(0)
