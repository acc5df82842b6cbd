"""A proposal before a student's eyes, and hands that move its block."""

import re
from dataclasses import dataclass
from datetime import date, datetime, timedelta

from playwright.async_api import CDPSession, Locator, Page

from services.gateway.domain.locale import Locale
from services.gateway.domain.places import Spot
from services.gateway.domain.places import place as place_words
from smartmate.active_scheduler.v1 import preview_pb2
from smartmate.schedule.v1 import calendar_pb2, task_pb2
from tests.e2e.pages.visitors import Visitor, Visitors
from tests.student import Student, course

TITLE = "概率论大作业"
TODAYS, TOMORROWS, EVENING = "高等代数", "大学物理", "羽毛球"


@dataclass(frozen=True, slots=True)
class Proposal:
    """A student with a proposal that nobody has answered yet."""

    visitor: Visitor
    task: task_pb2.Task
    preview: preview_pb2.Preview

    @property
    def student(self) -> Student:
        return self.visitor.student

    @property
    def path(self) -> str:
        """Where the message leads."""
        return f"/active-schedule/previews/{self.preview.preview_id}"

    @property
    def proposed(self) -> calendar_pb2.Place:
        """Where the block was put by the assistant."""
        return self.preview.candidates[0].changes[0].to

    def words(self, place: calendar_pb2.Place) -> str:
        """A place as the pages tell it."""
        first = date.fromisoformat(self.student.semester.first_date)
        on = first + timedelta(days=7 * (place.week - 1) + place.day_of_week - 1)
        spot = Spot(on, place.first_section, place.last_section)
        return place_words(Locale.ZH, spot, today=datetime.now(self.student.zone).date())

    async def stands(self) -> calendar_pb2.Place | None:
        """Where the task stands on the schedule, if it does."""
        blocks = [one for one in await self.student.task_blocks() if one.name == TITLE]
        return blocks[0].place if blocks else None


async def proposal(
    visitors: Visitors,
    *,
    sections: int | None = 2,
    due_in: timedelta | None = timedelta(hours=40),
) -> Proposal:
    """A student with courses today and tomorrow, and a task that needs a place."""
    visitor = await visitors.arrive()
    student = visitor.student
    today, tomorrow = student.today[1], student.today[1] % 7 + 1
    await student.import_courses(
        course(TODAYS, day=today, sections="1-2"),
        course("形势与政策", day=today, sections="5-6"),
        course(TOMORROWS, day=tomorrow, sections="3-4"),
        course(EVENING, day=tomorrow, sections="9-10"),
    )
    task = await student.create_task(TITLE, sections=sections, due_in=due_in)
    return Proposal(visitor, task, await student.proposed(task.task_id))


def block(page: Page) -> Locator:
    """The block that can be moved."""
    return page.locator(".days.after button[data-change]")


async def cell(page: Page, place: calendar_pb2.Place) -> Locator:
    """The cell in which a place begins."""
    day = f"{place.semester_id}.{place.week}.{place.day_of_week}"
    classes = await page.locator(f'.days.after .dh[data-day="{day}"]').get_attribute("class")
    column = re.search(r"d-\d", classes or "")
    assert column, f"{day} is not shown"
    return page.locator(f".days.after .c.{column.group()}.s-{place.first_section}")


async def middle(target: Locator) -> tuple[float, float]:
    """The middle of something that is seen."""
    box = await target.bounding_box()
    assert box is not None
    return box["x"] + box["width"] / 2, box["y"] + box["height"] / 2


class Mouse:
    """A hand with a mouse."""

    async def lift(self, page: Page) -> None:
        x, y = await grip(page)
        await page.mouse.move(x, y)
        await page.mouse.down()

    async def carry(self, page: Page, x: float, y: float) -> None:
        await page.mouse.move(x, y, steps=6)

    async def drop(self, page: Page) -> None:
        await page.mouse.up()


class Finger:
    """A hand on a touch screen; a touch lasts as long as the session that began it."""

    def __init__(self) -> None:
        self._session: CDPSession | None = None
        self._at = (0.0, 0.0)

    async def _touch(self, kind: str, *points: tuple[float, float]) -> None:
        assert self._session is not None
        touches = [{"x": x, "y": y} for x, y in points]
        await self._session.send("Input.dispatchTouchEvent", {"type": kind, "touchPoints": touches})

    async def lift(self, page: Page) -> None:
        self._session = await page.context.new_cdp_session(page)
        self._at = await grip(page)
        await self._touch("touchStart", self._at)

    async def carry(self, page: Page, x: float, y: float) -> None:
        from_x, from_y = self._at
        for step in range(1, 7):
            part = step / 6
            await self._touch(
                "touchMove", (from_x + (x - from_x) * part, from_y + (y - from_y) * part)
            )

    async def drop(self, page: Page) -> None:
        await self._touch("touchEnd")
        assert self._session is not None
        await self._session.detach()


Hand = Mouse | Finger


async def grip(page: Page) -> tuple[float, float]:
    """Where a hand takes the block: in its first section."""
    held = block(page)
    await held.scroll_into_view_if_needed()
    box = await held.bounding_box()
    assert box is not None
    return box["x"] + box["width"] / 2, box["y"] + 16


async def carry(page: Page, hand: Hand, place: calendar_pb2.Place) -> None:
    """Takes the block and holds it over a place, both of them in sight."""
    await page.locator(".boards").first.evaluate("boards => boards.scrollIntoView()")
    await hand.lift(page)
    x, y = await middle(await cell(page, place))
    await hand.carry(page, x, y)
