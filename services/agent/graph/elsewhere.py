"""What is written elsewhere than in the plan: read into exact values first, shown, and written
once the person says yes. A call that is stored holds instants and ids, so that yes means just that.
"""

import json
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from datetime import date, datetime
from typing import Any

from services.agent.domain import (
    note_telling,
    note_times,
    quick_match,
    quick_query,
    quick_telling,
    route_remember,
    when_reading,
)
from services.agent.domain.known import ClassState, ItemState, NewTask, TaskBrief
from services.agent.domain.memory import Hints, MemoryType, NewItem
from services.agent.domain.note_draft import Draft, Quadrant
from services.agent.domain.quick_query import PoolTask, Query
from services.agent.domain.when import Standpoint
from services.agent.domain.when_telling import day
from services.agent.graph import words
from services.agent.graph.desk import Desk
from services.agent.tools import elsewhere as of
from services.agent.tools import words as tool_words
from services.agent.tools.arguments import Arguments


@dataclass(frozen=True, slots=True)
class Prepared:
    """A call with exact values, and what it would do, in words for the person."""

    tool: str
    arguments: Mapping[str, Any]
    text: str

    @property
    def as_json(self) -> str:
        return json.dumps(self.arguments, ensure_ascii=False, sort_keys=True)


@dataclass(frozen=True, slots=True)
class Unclear:
    """Why a call cannot be made as it stands, in words for whoever asked for it."""

    text: str


def of_drafts(drafts: Sequence[Draft], at: Standpoint) -> Prepared:
    """Notes without questions as one call."""
    tasks = [
        _task(one.title, int(one.quadrant), one.deadline_at, one.threshold_at, one.sections)
        for one in drafts
    ]
    told = "\n".join(note_telling.proposed(one, at).zh for one in drafts)
    return Prepared("create_task", {"tasks": tasks}, told)


async def prepared(
    desk: Desk, name: str, arguments: Arguments, at: Standpoint
) -> Prepared | Unclear:
    """A call of one of the tools that write elsewhere."""
    if isinstance(arguments, of.CreateTask):
        return _create_task(arguments, at)
    if isinstance(arguments, of.CompleteTask):
        return await complete_task(desk, arguments.title)
    if isinstance(arguments, of.PutTaskClass):
        return await _put_task_class(desk, arguments, at)
    if isinstance(arguments, of.Remember):
        return remember(arguments.text, at)
    return Unclear(f"{name} 不能这样调用")


def _create_task(asked: of.CreateTask, at: Standpoint) -> Prepared | Unclear:
    deadline = _instant(asked.deadline, at, "deadline")
    remind = _instant(asked.remind, at, "remind")
    for one in (deadline, remind):
        if isinstance(one, Unclear):
            return one
    assert not isinstance(deadline, Unclear)
    assert not isinstance(remind, Unclear)
    if deadline is not None and remind is not None and remind > deadline:
        return Unclear("remind 不能晚于 deadline")
    quadrant = asked.quadrant or (Quadrant.IMPORTANT if deadline else Quadrant.NEITHER)
    draft = Draft(
        title=asked.title.strip(),
        deadline_at=deadline,
        threshold_at=remind,
        quadrant=Quadrant(quadrant),
        sections=asked.estimated_sections,
    )
    return of_drafts((draft,), at)


def _instant(said: str | None, at: Standpoint, name: str) -> datetime | Unclear | None:
    """The one instant that words of time mean."""
    if not said:
        return None
    found = when_reading.mentions(said, at)
    if len(found) != 1:
        return Unclear(f"{name} 里没有读出一个时间：{tool_words.cut(said)}；问学生具体是哪一天")
    timed = note_times.deadline(found[0], said, at)
    if timed.instant is None:
        return Unclear(f"{name} 的时间不明确：{tool_words.cut(said)}；用 ask_user 问学生")
    return timed.instant


async def complete_task(desk: Desk, title: str) -> Prepared | Unclear:
    """The open task that a title names."""
    fitting = await tasks_named(desk, title)
    if not fitting:
        return Unclear(words.NO_SUCH_TASK)
    if len(fitting) > 1:
        named = "、".join(f"「{tool_words.cut(one.title)}」" for one in fitting[:5])
        return Unclear(f"有多条任务符合：{named}")
    return completing(fitting[0])


def completing(task: TaskBrief) -> Prepared:
    """Marks one task done."""
    text = f"把「{tool_words.cut(task.title, 60)}」标为完成？"
    return Prepared("complete_task", {"task_id": task.id, "title": task.title}, text)


async def tasks_named(desk: Desk, title: str) -> tuple[TaskBrief, ...]:
    """Open tasks that a title, or a part of one, names; all of them for none."""
    tasks = tuple(one for one in await desk.tools.schedule.tasks(desk.caller) if not one.done)
    if not title:
        return tasks
    return quick_match.matched(title, tasks, lambda one: (one.title,))


def remember(text: str, at: Standpoint) -> Prepared | Unclear:
    """What is to be remembered."""
    item = route_remember.read(text, at.clock)
    if not item.text:
        return Unclear(words.WHAT_TO_REMEMBER)
    arguments = {
        "text": item.text,
        "type": item.type.value,
        "days": list(item.hints.days),
        "first": item.hints.first,
        "last": item.hints.last,
    }
    return Prepared("remember", arguments, f"记住这句话：{item.text}")


async def _put_task_class(desk: Desk, asked: of.PutTaskClass, at: Standpoint) -> Prepared | Unclear:
    known = await desk.tools.schedule.classes(desk.caller)
    same = [one for one in known if one.name.strip() == asked.name.strip()]
    if len(same) > 1:
        return Unclear(f"有两个任务类叫「{tool_words.cut(asked.name)}」，先在任务类页改名")
    old = await desk.tools.schedule.task_class(desk.caller, same[0].id) if same else None
    if old is None and not asked.items:
        return Unclear("新的任务类须有 items")
    start, end = _date(asked.start, at, "start"), _date(asked.end, at, "end")
    for one in (start, end):
        if isinstance(one, Unclear):
            return one
    assert not isinstance(start, Unclear)
    assert not isinstance(end, Unclear)
    new = _class(asked, old, start, end)
    if new.start and new.end and new.end < new.start:
        return Unclear("end 不能早于 start")
    arguments = {"classes": [_class_arguments(new)]}
    return Prepared("put_task_class", arguments, _class_text(new, old, at))


async def class_dates(
    desk: Desk, class_ids: Sequence[int], dates: tuple[date, date], at: Standpoint
) -> Prepared:
    """Dates for classes that have none."""
    old = [await desk.tools.schedule.task_class(desk.caller, one) for one in class_ids]
    new = [replace(one, start=dates[0], end=dates[1]) for one in old]
    lines = [_class_text(one, was, at) for one, was in zip(new, old, strict=True)]
    arguments = {"classes": [_class_arguments(one) for one in new]}
    return Prepared("put_task_class", arguments, "\n".join(lines))


def _class(
    asked: of.PutTaskClass, old: ClassState | None, start: date | None, end: date | None
) -> ClassState:
    """The class as it shall be; items that are there already keep their ids."""
    was = old or ClassState(0, asked.name.strip(), None, None, 0, (), ())
    items = was.items
    if asked.items is not None:
        left = list(was.items)
        items = tuple(_item(content.strip(), left) for content in asked.items)
    return replace(
        was,
        start=start or was.start,
        end=end or was.end,
        total_sections=asked.total_sections or was.total_sections,
        items=items,
    )


def _item(content: str, left: list[ItemState]) -> ItemState:
    same = next((one for one in left if one.content == content), None)
    if same is None:
        return ItemState(0, content)
    left.remove(same)
    return same


def _date(said: str | None, at: Standpoint, name: str) -> date | Unclear | None:
    if not said:
        return None
    found = when_reading.mentions(said, at)
    options = found[0].options if len(found) == 1 else ()
    if len(options) != 1:
        return Unclear(f"{name} 的日期不明确：{tool_words.cut(said)}；用 ask_user 问学生")
    days = options[0].days
    return days.first if name == "start" else days.last


def _class_arguments(new: ClassState) -> Mapping[str, Any]:
    return {
        "task_class_id": new.id,
        "name": new.name,
        "start": new.start.isoformat() if new.start else "",
        "end": new.end.isoformat() if new.end else "",
        "total_sections": new.total_sections,
        "items": [[one.id, one.content, one.done] for one in new.items],
        "version": new.version,
    }


def _class_text(new: ClassState, old: ClassState | None, at: Standpoint) -> str:
    name = f"「{tool_words.cut(new.name, 30)}」"
    head = f"改任务类{name}：" if old else f"新建任务类{name}："
    dates = "没有日期"
    if new.start and new.end:
        dates = f"{day(new.start, at).zh}到{day(new.end, at).zh}"
    gone = len(old.items) - sum(1 for one in new.items if one.id) if old else 0
    removed = f"，去掉{gone}条" if gone else ""
    listed = "；".join(
        f"{no}. {tool_words.cut(one.content, 30)}" for no, one in enumerate(new.items[:10], start=1)
    )
    more = f"……共{len(new.items)}条" if len(new.items) > 10 else ""
    return f"{head}{dates}，{len(new.items)}条{removed}。{listed}{more}"


@dataclass(frozen=True, slots=True)
class Done:
    """What a call did, in words; the classes that it put."""

    text: str
    class_ids: tuple[int, ...] = ()


async def written(desk: Desk, tool: str, arguments: str, request_id: str) -> Done:
    """Writes a stored call, once for each request_id. Raises TooManyMemoryItems."""
    given = json.loads(arguments)
    schedule = desk.tools.schedule
    if tool == "create_task":
        titles = []
        for number, one in enumerate(given["tasks"]):
            task = await schedule.create_task(desk.caller, f"{request_id}-{number}", _new(one))
            titles.append(f"「{tool_words.cut(task.title, 60)}」")
        return Done(words.noted(titles))
    if tool == "complete_task":
        task = await schedule.complete_task(desk.caller, request_id, given["task_id"])
        return Done(words.COMPLETED_TASK.format(title=tool_words.cut(task.title, 60)))
    if tool == "put_task_class":
        return await _classes_written(desk, given["classes"], request_id)
    item = NewItem(
        MemoryType(given["type"]),
        given["text"],
        Hints(tuple(given["days"]), given["first"], given["last"]),
    )
    user_id = desk.caller.user_id
    assert user_id is not None
    await desk.tools.memory.remember(user_id, request_id, item)
    return Done(words.REMEMBERED.format(text=item.text))


async def _classes_written(desk: Desk, given: Sequence[Mapping[str, Any]], request_id: str) -> Done:
    stored = [
        await desk.tools.schedule.put_task_class(
            desk.caller, f"{request_id}-{number}", await _stated(desk, one)
        )
        for number, one in enumerate(given)
    ]
    told = "、".join(f"「{tool_words.cut(one.name, 30)}」（{len(one.items)}条）" for one in stored)
    return Done(f"任务类已保存：{told}。", tuple(one.id for one in stored))


async def _stated(desk: Desk, given: Mapping[str, Any]) -> ClassState:
    """The class as it was shown; what was not shown stays as it is now."""
    class_id = int(given["task_class_id"])
    was = await desk.tools.schedule.task_class(desk.caller, class_id) if class_id else None
    base = was or ClassState(0, given["name"], None, None, 0, (), ())
    return replace(
        base,
        name=given["name"],
        start=date.fromisoformat(given["start"]) if given["start"] else None,
        end=date.fromisoformat(given["end"]) if given["end"] else None,
        total_sections=given["total_sections"],
        items=tuple(ItemState(*one) for one in given["items"]),
        version=given["version"],
    )


async def listed(desk: Desk, query: Query, at: Standpoint) -> str:
    """The tasks that answer a question, in words."""
    pool = [
        PoolTask(one.id, one.title, one.priority, one.deadline_at, None, one.done)
        for one in await desk.tools.schedule.tasks(desk.caller)
    ]
    return quick_telling.listed(query, quick_query.selected(query, pool, at.now), at).zh


def _task(
    title: str,
    quadrant: int,
    deadline: datetime | None,
    threshold: datetime | None,
    sections: int | None,
) -> Mapping[str, Any]:
    return {
        "title": title,
        "quadrant": quadrant,
        "deadline_at": deadline.isoformat() if deadline else None,
        "threshold_at": threshold.isoformat() if threshold else None,
        "sections": sections,
    }


def _new(given: Mapping[str, Any]) -> NewTask:
    def instant(text: str | None) -> datetime | None:
        return datetime.fromisoformat(text) if text else None

    return NewTask(
        title=given["title"],
        quadrant=given["quadrant"],
        deadline_at=instant(given["deadline_at"]),
        threshold_at=instant(given["threshold_at"]),
        sections=given["sections"],
    )
