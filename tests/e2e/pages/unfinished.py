"""Students whose day does not go as planned: blocks that are not finished, with much or no room."""

from dataclasses import dataclass
from datetime import UTC, datetime, time, timedelta

from playwright.async_api import Page, expect

from smartmate.active_scheduler.v1 import active_scheduler_service_pb2 as active_pb2
from smartmate.active_scheduler.v1 import preview_pb2
from smartmate.schedule.v1 import (
    calendar_pb2,
    change_pb2,
    schedule_event_pb2,
    schedule_service_pb2,
    task_class_pb2,
)
from tests.e2e.pages.visitors import Visitor, Visitors
from tests.student import Student, course, new_key

FIRST, SECOND = "图的遍历", "最短路径"
"""Two items of a study plan, in this order."""
REPORT, LISTENING = "实验报告", "英语听力精练"
"""Two tasks of the pool."""
TELL = "没做完，要补"


@dataclass(frozen=True, slots=True)
class Unfinished:
    """A student with a block that is not finished, and where that is in the pages."""

    visitor: Visitor
    event: schedule_event_pb2.ScheduleEvent

    @property
    def student(self) -> Student:
        return self.visitor.student

    @property
    def path(self) -> str:
        """The page of the block."""
        return f"/week/events/{self.event.event_id}?date={self.date}"

    @property
    def date(self) -> str:
        """Its date."""
        at = self.event.start_time.ToDatetime(UTC).astimezone(self.student.zone)
        return at.date().isoformat()

    async def blocks(self) -> dict[str, list[calendar_pb2.Place]]:
        """Where the student's work stands, by its name."""
        found: dict[str, list[calendar_pb2.Place]] = {}
        for one in await self.student.task_blocks():
            found.setdefault(one.name, []).append(one.place)
        return found

    async def latest(self) -> "Unfinished":
        """The same student with the last block of that name."""
        own = [one for one in await self.student.task_blocks() if one.name == self.event.name]
        last = max(own, key=lambda one: one.start_time.ToDatetime(UTC))
        return Unfinished(self.visitor, last)

    async def tell(self, *, words: str = "") -> preview_pb2.Preview:
        """Tells it by a program, and gives the suggestion."""
        about = "" if words else "block"
        target = change_pb2.Target(
            kind=change_pb2.TARGET_KIND_SCHEDULE_EVENT, id=self.event.event_id
        )
        request = active_pb2.SubmitFeedbackRequest(
            request_id=new_key(), target=target if about else None, text=words
        )
        told = await self.student.call(self.student.line.active.SubmitFeedback, request)
        trigger = await self.student.trigger_ended(told.trigger.trigger_id)
        assert trigger.preview_id, f"no preview: {trigger.reason}"
        return await self.student.preview(trigger.preview_id)


async def free_day(visitors: Visitors) -> Unfinished:
    """A task of the pool in the first sections of today, and nothing else today and tomorrow."""
    visitor = await visitors.arrive()
    await _work(visitor.student, REPORT, visitor.student.place(1, 2))
    return await _of(visitor, REPORT)


async def two_blocks(visitors: Visitors) -> Unfinished:
    """Two tasks of the pool today, so that words alone may mean either."""
    found = await free_day(visitors)
    await _work(found.student, LISTENING, found.student.place(5, 6))
    return found


async def in_order(visitors: Visitors) -> Unfinished:
    """Two items of a plan, one behind the other: what makes up for the first comes in the way."""
    visitor = await visitors.arrive()
    student = visitor.student
    plan = await _plan(student)
    for item, place in zip(plan.items, (student.place(1, 2), student.place(3, 4)), strict=True):
        await _place(student, item.task_item_id, place)
    return await _of(visitor, FIRST)


async def full_day(visitors: Visitors) -> Unfinished:
    """A task that is due tonight, another one behind it, and courses in the rest of the day."""
    visitor = await visitors.arrive()
    student = visitor.student
    today = student.today[1]
    await student.import_courses(
        course("数据结构", day=today, sections="5-8"),
        course("大学物理", day=today, sections="9-12"),
    )
    now = datetime.now(student.zone)
    midnight = datetime.combine(now.date(), time(23, 30), student.zone)
    await _work(student, REPORT, student.place(1, 2), due_in=midnight - now)
    await _work(student, LISTENING, student.place(3, 4))
    return await _of(visitor, REPORT)


async def press(page: Page, visitors: Visitors, found: Unfinished, *, by_week: bool = True) -> None:
    """Tells on the page that the block was not finished, from the week or from its own page."""
    if by_week:
        day = found.event.place.day_of_week
        await page.goto(f"{visitors.url}/week?date={found.date}&day={day}")
        await page.get_by_role("link", name=found.event.name).first.click()
    else:
        await page.goto(f"{visitors.url}{found.path}")
    await page.get_by_role("button", name=TELL).click()


async def preview_id_of(page: Page) -> str:
    """The suggestion that a page has led to."""
    await expect(page.locator("main[data-status]")).to_be_visible()
    return page.url.partition("/previews/")[2].partition("?")[0]


async def _of(visitor: Visitor, name: str) -> Unfinished:
    blocks = [one for one in await visitor.student.task_blocks() if one.name == name]
    assert blocks, f"「{name}」 is not on the schedule"
    return Unfinished(visitor, blocks[0])


async def _work(
    student: Student,
    title: str,
    place: calendar_pb2.Place,
    *,
    due_in: timedelta | None = timedelta(days=4),
) -> None:
    """A task of the pool with its block."""
    length = place.last_section - place.first_section + 1
    task = await student.create_task(
        title, sections=length, due_in=due_in, quadrant="QUADRANT_IMPORTANT"
    )
    verdict = await student.add(task.task_id, place)
    assert verdict.event_ids, verdict


async def _plan(student: Student) -> task_class_pb2.TaskClass:
    today = datetime.now(student.zone).date()
    stated = schedule_service_pb2.TaskClassInput(
        name="数据结构复习",
        start_date=today.isoformat(),
        end_date=(today + timedelta(days=10)).isoformat(),
        total_sections=4,
        items=[schedule_service_pb2.TaskItemInput(content=name) for name in (FIRST, SECOND)],
    )
    request = schedule_service_pb2.PutTaskClassRequest(request_id=new_key(), task_class=stated)
    made = await student.call(student.line.schedule.PutTaskClass, request)
    plan: task_class_pb2.TaskClass = made.task_class
    return plan


async def _place(student: Student, item_id: int, place: calendar_pb2.Place) -> None:
    change = change_pb2.ScheduleChange(
        change_id="c1",
        type=change_pb2.CHANGE_TYPE_PLACE,
        target=change_pb2.Target(kind=change_pb2.TARGET_KIND_TASK_ITEM, id=item_id),
        to=place,
    )
    request = schedule_service_pb2.ApplyChangesRequest(apply_id=new_key(), changes=[change])
    answer = await student.call(student.line.schedule.ApplyChanges, request)
    assert answer.verdict.event_ids, answer
