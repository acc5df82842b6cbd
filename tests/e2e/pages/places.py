"""Every page there is, with what has to stand there first: a new one is added to a table here.

A page is tried by `test_accessibility.py`: by axe in both themes, by keyboard, for shifts while it
loads, for its weight, and for its width.
"""

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from datetime import date, datetime, timedelta
from typing import Any

from smartmate.active_scheduler.v1 import active_scheduler_service_pb2 as active_pb2
from smartmate.active_scheduler.v1 import trigger_pb2
from smartmate.schedule.v1 import (
    calendar_pb2,
    change_pb2,
    schedule_event_pb2,
    schedule_service_pb2,
)
from tests.e2e.pages import programs
from tests.e2e.pages.visitors import Visitor, Visitors
from tests.student import Student, course, new_key


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
    class_id: int
    crowded_id: int
    """A study plan that has no room."""
    question_id: str
    """A suggestion that asks which block was meant."""
    replaced_id: str
    """One whose answer led to another one."""
    look_id: str
    """A look that found nothing to do."""
    looker: Visitor
    """An operator."""
    hosted_id: int
    """A study plan whose only item sits in that meeting."""
    guest: str
    """Path of that item's block."""
    talk: str
    """Path of a conversation that waits for a yes."""
    question_talk: str
    """Path of one that asks something."""
    memory_id: int


PAGES: Mapping[str, Callable[[Furnished], str]] = {
    "week": lambda at: "/week",
    "week-told": lambda at: "/week?told=revoked",
    "week-empty": lambda at: "/week?week=1",
    "week-outside": lambda at: "/week?date=2020-01-01",
    "block": lambda at: at.block,
    "meeting": lambda at: at.meeting,
    "block-guest": lambda at: at.guest,
    "tasks": lambda at: "/tasks",
    "tasks-told": lambda at: f"/tasks?told=done&task={at.task_id}",
    "task": lambda at: f"/tasks/{at.task_id}",
    "task-placed": lambda at: f"/tasks/{at.placed_task_id}",
    "suggestions": lambda at: "/active-schedule/previews",
    "preview": lambda at: f"/active-schedule/previews/{at.preview_id}",
    "question": lambda at: f"/active-schedule/previews/{at.question_id}",
    "question-replaced": lambda at: f"/active-schedule/previews/{at.replaced_id}",
    "look": lambda at: f"/active-schedule/looks/{at.look_id}",
    "chat": lambda at: "/agent/chat",
    "chat-about": lambda at: f"/agent/chat?active_preview_id={at.preview_id}",
    "talk": lambda at: at.talk,
    "talk-told": lambda at: f"{at.talk}?told=first_counts",
    "talk-question": lambda at: at.question_talk,
    "chats": lambda at: "/agent/conversations",
    "memory": lambda at: "/memory",
    "memory-found": lambda at: "/memory?about=周日",
    "memory-item": lambda at: f"/memory/{at.memory_id}",
    "plans": lambda at: "/task-classes",
    "plans-told": lambda at: "/task-classes?told=deleted&removed=2",
    "plan-new": lambda at: "/task-classes/new",
    "plan": lambda at: f"/task-classes/{at.class_id}",
    "plan-placed": lambda at: f"/task-classes/{at.hosted_id}",
    "trial": lambda at: f"/task-classes/build?class={at.class_id}",
    "trial-short": lambda at: f"/task-classes/build?class={at.class_id}&class={at.crowded_id}",
    "changed-days": lambda at: "/calendar",
    "changed-days-told": lambda at: "/calendar?told=saved&pending=1",
    "timetable": lambda at: "/timetable",
    "notifications": lambda at: "/notifications",
    "channel-new": lambda at: "/notifications/new",
    "channel": lambda at: f"/notifications/channels/{at.channel_id}",
    "settings": lambda at: "/settings",
    "semester-new": lambda at: "/settings?semester=new",
    "no-such-page": lambda at: "/nowhere",
}
"""Pages of somebody who is signed in."""

OPERATORS: Mapping[str, Callable[[Furnished], str]] = {
    "trace": lambda at: "/trace",
    "trace-none": lambda at: "/trace?user=1&state=processing",
    "trace-one": lambda at: f"/trace/{at.look_id}",
    "trace-target": lambda at: (
        f"/trace/target?user={at.visitor.student.id}&kind=task_pool&id={at.task_id}"
    ),
}
"""Pages of an operator."""

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
    free = date.fromisoformat(week.dates[0]) + timedelta(weeks=3)
    override = schedule_service_pb2.PutCalendarOverrideRequest(
        request_id=new_key(), override=calendar_pb2.CalendarOverride(date=free.isoformat())
    )
    await student.call(student.line.schedule.PutCalendarOverride, override)
    placed = await student.create_task("英语四级词汇", quadrant="QUADRANT_IMPORTANT")
    verdict = await student.add(placed.task_id, student.place(9, 10, day_offset=1))
    urgent = await student.create_task("概率论大作业", urgent_in=timedelta(hours=-1))
    await student.create_task("还图书馆的书", quadrant="QUADRANT_URGENT", sections=1)
    await student.create_task("整理相册", quadrant="QUADRANT_NEITHER", due_in=None)
    done = await student.create_task("社团报名表", quadrant="QUADRANT_URGENT")
    complete = schedule_service_pb2.CompleteTaskRequest(request_id=new_key(), task_id=done.task_id)
    await student.call(student.line.schedule.CompleteTask, complete)
    question, replaced, look = await _asked(student)
    bot = await student.put_bot(world.hook(student), world.suite.feishu_secret)
    preview = await student.proposed(urgent.task_id)
    await world.messages(student, count=1)
    on = week.dates[tomorrow.day_of_week - 1]
    hosted_id = await plan_of(visitor, "课上背单词", items=1, days=5, sections=2)
    return Furnished(
        visitor=visitor,
        placed_task_id=placed.task_id,
        task_id=urgent.task_id,
        block=f"/week/events/{verdict.event_ids[0]}?date={on}",
        meeting=f"/week/events/{meeting.event_id}?date={on}",
        channel_id=bot.channel_id,
        preview_id=preview.preview_id,
        next_week=tomorrow.week + 1,
        class_id=await plan_of(visitor, "数据结构期末复习", items=12, days=14, sections=24),
        crowded_id=await plan_of(visitor, "今天读完", items=3, days=1, sections=30),
        question_id=question,
        replaced_id=replaced,
        look_id=look,
        looker=await visitors.arrive("运维", operator=True),
        hosted_id=hosted_id,
        guest=f"/week/events/{await embed(visitor, hosted_id, meeting)}?date={on}",
        talk=await programs.talked(visitors.url, visitor, "把数据结构期末复习排进去"),
        question_talk=await programs.talked(visitors.url, visitor, "这项没做完"),
        memory_id=await programs.remembered(visitors.url, visitor, "周日不排"),
    )


async def _asked(student: Student) -> tuple[str, str, str]:
    """A question, another one whose answer led on, and a look that found nothing to do."""
    line = student.line
    report = await student.create_task("实验报告", quadrant="QUADRANT_IMPORTANT")
    practice = await student.create_task("口语练习", quadrant="QUADRANT_IMPORTANT")
    await student.add(report.task_id, student.place(5, 6))
    verdict = await student.add(practice.task_id, student.place(7, 8))
    block = verdict.event_ids[0]
    open_question, answered = [await _told(student, text="有一项做不完了") for _ in range(2)]
    answer = active_pb2.AnswerQuestionRequest(
        request_id=new_key(), preview_id=answered.preview_id, choice_id=f"block:{block}"
    )
    followed = await student.call(line.active.AnswerQuestion, answer)
    await student.trigger_ended(followed.trigger.trigger_id)
    done = schedule_service_pb2.CompleteTaskRequest(request_id=new_key(), task_id=practice.task_id)
    await student.call(line.schedule.CompleteTask, done)
    target = change_pb2.Target(kind=change_pb2.TARGET_KIND_SCHEDULE_EVENT, id=block)
    closed = await _told(student, target=target)
    assert not closed.preview_id, closed
    return open_question.preview_id, answered.preview_id, closed.trigger_id


async def _told(student: Student, **about: Any) -> trigger_pb2.TriggerRecord:
    """What became of telling that something was not finished."""
    request = active_pb2.SubmitFeedbackRequest(request_id=new_key(), **about)
    told = await student.call(student.line.active.SubmitFeedback, request)
    ended: trigger_pb2.TriggerRecord = await student.trigger_ended(told.trigger.trigger_id)
    return ended


async def plan_of(visitor: Visitor, name: str, *, items: int, days: int, sections: int) -> int:
    """A study plan from today on; gives its id."""
    student = visitor.student
    today = datetime.now(student.zone).date()
    stated = schedule_service_pb2.TaskClassInput(
        name=name,
        start_date=today.isoformat(),
        end_date=(today + timedelta(days=days - 1)).isoformat(),
        total_sections=sections,
        items=[
            schedule_service_pb2.TaskItemInput(content=f"第 {n} 章") for n in range(1, items + 1)
        ],
    )
    request = schedule_service_pb2.PutTaskClassRequest(request_id=new_key(), task_class=stated)
    made = await student.call(student.line.schedule.PutTaskClass, request)
    class_id: int = made.task_class.task_class_id
    return class_id


async def embed(visitor: Visitor, class_id: int, host: schedule_event_pb2.ScheduleEvent) -> int:
    """Puts the first item of a plan into all of a meeting; gives the id of its block."""
    student = visitor.student
    asked = schedule_service_pb2.GetTaskClassRequest(task_class_id=class_id)
    found = await student.call(student.line.schedule.GetTaskClass, asked)
    item = change_pb2.Target(
        kind=change_pb2.TARGET_KIND_TASK_ITEM, id=found.task_class.items[0].task_item_id
    )
    change = change_pb2.ScheduleChange(
        change_id="c1",
        type=change_pb2.CHANGE_TYPE_EMBED,
        target=item,
        to=host.place,
        host_event_id=host.event_id,
    )
    request = schedule_service_pb2.ApplyChangesRequest(apply_id=new_key(), changes=[change])
    verdict = (await student.call(student.line.schedule.ApplyChanges, request)).verdict
    block: int = verdict.event_ids[0]
    return block
