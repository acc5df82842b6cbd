"""Every page there is, with what has to stand there first: a new one is added to a table here.

A page is tried by `test_accessibility.py`: by axe in both themes, by keyboard, for shifts while it
loads, for its weight, and for its width.
"""

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from datetime import timedelta

from smartmate.schedule.v1 import schedule_service_pb2
from tests.e2e.pages.visitors import Visitor, Visitors
from tests.student import course, new_key


@dataclass(frozen=True, slots=True)
class Furnished:
    """A student whose pages have something on them."""

    visitor: Visitor
    placed_task_id: int
    task_id: int
    block: str
    """Path of a block of work."""
    meeting: str
    """Path of a meeting of a course."""
    channel_id: int
    preview_id: str
    next_week: int


PAGES: Mapping[str, Callable[[Furnished], str]] = {
    "week": lambda at: "/week",
    "week-told": lambda at: "/week?told=revoked",
    "week-empty": lambda at: "/week?week=1",
    "week-outside": lambda at: "/week?date=2020-01-01",
    "block": lambda at: at.block,
    "meeting": lambda at: at.meeting,
    "tasks": lambda at: "/tasks",
    "tasks-told": lambda at: f"/tasks?told=done&task={at.task_id}",
    "task": lambda at: f"/tasks/{at.task_id}",
    "task-placed": lambda at: f"/tasks/{at.placed_task_id}",
    "suggestions": lambda at: "/active-schedule/previews",
    "preview": lambda at: f"/active-schedule/previews/{at.preview_id}",
    "timetable": lambda at: "/timetable",
    "notifications": lambda at: "/notifications",
    "channel-new": lambda at: "/notifications/new",
    "channel": lambda at: f"/notifications/channels/{at.channel_id}",
    "settings": lambda at: "/settings",
    "semester-new": lambda at: "/settings?semester=new",
    "no-such-page": lambda at: "/nowhere",
}
"""Pages of somebody who is signed in."""

SIGNED_OUT: Mapping[str, str] = {
    "sign-in": "/sign-in",
    "sign-in-sent": "/sign-in?told=sent",
    "sign-in-spent": "/sign-in/spent-long-ago",
}
"""Pages of somebody who is not."""


async def furnish(visitors: Visitors) -> Furnished:
    """A student with courses, tasks, a block, a channel that was tried, and a suggestion."""
    visitor = await visitors.arrive("林同学")
    student, world = visitor.student, visitors.world
    today, tomorrow = student.place(1, 2), student.place(5, 6, day_offset=1)
    await student.import_courses(
        course("高等代数", day=today.day_of_week, sections="1-2", room="教二 304"),
        course("形势与政策", day=tomorrow.day_of_week, sections="5-6", room=""),
    )
    request = schedule_service_pb2.GetWeekRequest(
        week_of_semester=schedule_service_pb2.WeekOfSemester(week=tomorrow.week)
    )
    week = await student.call(student.line.schedule.GetWeek, request)
    meeting = next(one for one in week.events if one.name == "形势与政策")
    opening = schedule_service_pb2.SetCourseEmbeddingRequest(
        request_id=new_key(), course_id=meeting.course_id, can_be_embedded=True
    )
    await student.call(student.line.schedule.SetCourseEmbedding, opening)
    placed = await student.create_task("英语四级词汇", quadrant="QUADRANT_IMPORTANT")
    verdict = await student.add(placed.task_id, student.place(9, 10, day_offset=1))
    urgent = await student.create_task("概率论大作业", urgent_in=timedelta(hours=-1))
    await student.create_task("还图书馆的书", quadrant="QUADRANT_URGENT", sections=1)
    await student.create_task("整理相册", quadrant="QUADRANT_NEITHER", due_in=None)
    done = await student.create_task("社团报名表", quadrant="QUADRANT_URGENT")
    complete = schedule_service_pb2.CompleteTaskRequest(request_id=new_key(), task_id=done.task_id)
    await student.call(student.line.schedule.CompleteTask, complete)
    bot = await student.put_bot(world.hook(student), world.suite.feishu_secret)
    preview = await student.proposed(urgent.task_id)
    await world.messages(student, count=1)
    on = week.dates[tomorrow.day_of_week - 1]
    return Furnished(
        visitor=visitor,
        placed_task_id=placed.task_id,
        task_id=urgent.task_id,
        block=f"/week/events/{verdict.event_ids[0]}?date={on}",
        meeting=f"/week/events/{meeting.event_id}?date={on}",
        channel_id=bot.channel_id,
        preview_id=preview.preview_id,
        next_week=tomorrow.week + 1,
    )
