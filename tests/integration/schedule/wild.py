"""A student who does anything that the schedule service offers, at random, several things at once.

Whatever is refused has to be refused by a typed reason; `tests.integration.schedule.laws` says
what has to hold afterwards.
"""

import random
from collections.abc import Awaitable, Callable
from dataclasses import dataclass, field
from datetime import timedelta

import grpc

from libs.rpc.errors import RemoteError
from smartmate.schedule.v1 import calendar_pb2, change_pb2, schedule_event_pb2
from smartmate.schedule.v1 import schedule_service_pb2 as pb
from tests.integration.schedule.people import Person, applied, course, fresh
from tests.integration.schedule.plans import (
    EVENT,
    ITEM,
    POOL,
    add_class,
    change,
    get_class,
    make_past,
    open_course,
    put_class,
    standing,
    undo,
)

DEFECTS = {
    grpc.StatusCode.INTERNAL,
    grpc.StatusCode.UNKNOWN,
    grpc.StatusCode.DEADLINE_EXCEEDED,
    grpc.StatusCode.INVALID_ARGUMENT,
}
TASK = schedule_event_pb2.SCHEDULE_EVENT_TYPE_TASK


@dataclass(slots=True)
class Wild:
    """One student; `done` counts what was carried out, by kind, `log` has everything in order."""

    person: Person
    dice: random.Random
    tasks: list[int] = field(default_factory=list)
    classes: list[int] = field(default_factory=list)
    done: dict[str, int] = field(default_factory=dict)
    log: list[str] = field(default_factory=list)

    async def settle(self) -> None:
        """A timetable with an open course, tasks, classes, and a block of last week."""
        person = self.person
        await self.import_timetable()
        for one in (await standing(person))[:1]:
            await open_course(person, one.course_id)
        self.tasks = [(await person.add_task(f"任务{n}")).task_id for n in range(4)]
        for n in range(2):
            made = await add_class(person, *(f"第{k}章" for k in range(4)), name=f"第{n}门")
            self.classes.append(made.task_class_id)
        past = await person.apply(
            change("place", ITEM, made.items[0].task_item_id, person.place(1, 2, days=6))
        )
        if applied(past):
            await make_past(person, past.event_ids[0], days=14)

    async def act(self) -> None:
        """One thing at random."""
        acts: list[Callable[[], Awaitable[object]]] = [
            self.apply,
            self.apply,
            self.apply,
            self.apply,
            self.undo,
            self.delete,
            self.revoke,
            self.override,
            self.import_timetable,
            self.embedding,
            self.reorder,
            self.pool,
        ]
        one = self.dice.choice(acts)
        name = one.__name__
        try:
            outcome = await one()
        except RemoteError as error:
            if error.code in DEFECTS or not error.reason:
                raise AssertionError(f"{name}: {error}, after {self.log[-5:]}") from error
            self.log.append(f"{name}: {error.reason}")
            return
        self.log.append(f"{name}: {outcome}")
        self.done[name] = self.done.get(name, 0) + 1

    async def apply(self) -> str:
        """Changes of any kinds, judged together."""
        blocks = await standing(self.person)
        count = self.dice.choice((1, 1, 1, 2, 3))
        changes = [await self._change(blocks, f"c{n}") for n in range(count)]
        verdict = await self.person.apply(*changes)
        kinds = [change_pb2.ChangeType.Name(one.type)[12:] for one in changes]
        if applied(verdict):
            for kind in kinds:
                self.done[kind] = self.done.get(kind, 0) + 1
        return f"{kinds} {'applied' if applied(verdict) else verdict.refusals[0].code}"

    async def undo(self) -> str:
        """Takes the latest apply back."""
        verdict = await undo(self.person)
        if applied(verdict):
            self.done["UNDONE"] = self.done.get("UNDONE", 0) + 1
        return f"{verdict.undoes_apply_id} {'applied' if applied(verdict) else 'refused'}"

    async def delete(self) -> object:
        """Deletes any block."""
        return (
            await self.person.call(
                "DeleteEvent",
                pb.DeleteEventRequest(request_id=fresh(), event_id=await self._any_block()),
            )
        ).event.event_id

    async def revoke(self) -> object:
        """Takes any block off the schedule."""
        return (
            await self.person.call(
                "RevokeEvent",
                pb.RevokeEventRequest(request_id=fresh(), event_id=await self._any_block()),
            )
        ).event.event_id

    async def override(self) -> str:
        """Says what happens on a date, or gives it its own classes back."""
        on = (self.person.today + timedelta(days=self.dice.randint(1, 9))).isoformat()
        if self.dice.random() < 0.3:
            await self.person.call(
                "DeleteCalendarOverride",
                pb.DeleteCalendarOverrideRequest(request_id=fresh(), date=on),
            )
            return f"deleted {on}"
        override = calendar_pb2.CalendarOverride(date=on)
        if self.dice.random() < 0.7:
            override.runs.week = self.person.week + self.dice.randint(0, 1)
            override.runs.day_of_week = self.dice.randint(1, 7)
        await self.person.call(
            "PutCalendarOverride",
            pb.PutCalendarOverrideRequest(request_id=fresh(), override=override),
        )
        return f"{on} runs {override.runs.week}-{override.runs.day_of_week}"

    async def import_timetable(self) -> object:
        """One of many timetables of the same few courses."""
        week = self.person.week
        rows = [
            course(
                name,
                self.dice.randint(1, 7),
                self.dice.choice(("1-2节", "3-4节", "5-8节", "7-8节")),
                self.dice.choice((f"{week}-{week + 2}周", "1-20周", f"{week + 1}周")),
                room=self.dice.choice(("A101", "B202")),
            )
            for name in self.dice.sample(("高等数学", "英语", "体育", "物理"), 3)
        ]
        report = await self.person.import_rows(*rows)
        return len(report.diff.added), len(report.diff.changed), len(report.diff.removed)

    async def embedding(self) -> object:
        """Opens or closes any course."""
        courses = sorted({one.course_id for one in await standing(self.person)} - {0})
        if courses:
            chosen = self.dice.choice(courses)
            await open_course(self.person, chosen, opened=self.dice.random() < 0.8)
        return courses

    async def reorder(self) -> object:
        """Turns the order of a class, adds or drops an item of it."""
        found = await get_class(self.person, self.dice.choice(self.classes))
        items = [
            pb.TaskItemInput(task_item_id=one.task_item_id, content=one.content)
            for one in found.items
        ]
        if self.dice.random() < 0.5:
            at = self.dice.randrange(len(items))
            items.insert(self.dice.randrange(len(items)), items.pop(at))
        elif self.dice.random() < 0.5 and len(items) > 2:
            items.pop(self.dice.randrange(len(items)))
        else:
            items.append(pb.TaskItemInput(content=f"新{fresh()[:4]}"))
        asked = pb.TaskClassInput(name=found.name, items=items)
        answer = await put_class(self.person, asked, class_id=found.task_class_id)
        return [one.content for one in answer.task_class.items]

    async def pool(self) -> object:
        """Adds, completes, reopens or deletes a task of the pool."""
        if len(self.tasks) < 3 or self.dice.random() < 0.3:
            self.tasks.append((await self.person.add_task(f"任务{fresh()[:4]}")).task_id)
            return "added"
        method = self.dice.choice(("CompleteTask", "ReopenTask", "DeleteTask"))
        task_id = self.dice.choice(self.tasks)
        make = getattr(pb, f"{method}Request")
        await self.person.call(method, make(request_id=fresh(), task_id=task_id))
        if method == "DeleteTask" and task_id in self.tasks:
            self.tasks.remove(task_id)
        return method

    async def _any_block(self) -> int:
        blocks = await standing(self.person)
        return self.dice.choice(blocks).event_id if blocks else 1

    def _place(self, length: int) -> calendar_pb2.Place:
        first = self.dice.randint(1, 9 - length)
        return self.person.place(first, first + length - 1, days=self.dice.randint(1, 8))

    async def _change(
        self, blocks: list[schedule_event_pb2.ScheduleEvent], change_id: str
    ) -> change_pb2.ScheduleChange:
        work = [one for one in blocks if one.type == TASK]
        hosts = [one for one in blocks if one.can_be_embedded]
        kinds = ["add", "place"] + (["embed"] if hosts else [])
        if work:
            kinds += ["move", "move", "move", "remove", "create_makeup", "unembed", "swap"]
        kind = self.dice.choice(kinds)
        if kind == "add":
            task = self.dice.choice(self.tasks)
            return change("add", POOL, task, self._place(2), change_id=change_id)
        if kind == "place":
            item = await self._item()
            return change("place", ITEM, item, self._place(2), change_id=change_id)
        if kind == "embed":
            host = self.dice.choice(hosts)
            return change(
                "embed",
                ITEM,
                await self._item(),
                host.place,
                host=host.event_id,
                change_id=change_id,
            )
        block = self.dice.choice(work)
        length = block.place.last_section - block.place.first_section + 1
        if kind == "remove":
            return change("remove", EVENT, block.event_id, change_id=change_id)
        if kind == "swap":
            other = self.dice.choice(work)
            return change("move", EVENT, block.event_id, other.place, change_id=change_id)
        if kind in ("create_makeup", "unembed", "move"):
            return change(kind, EVENT, block.event_id, self._place(length), change_id=change_id)
        raise AssertionError(kind)

    async def _item(self) -> int:
        found = await get_class(self.person, self.dice.choice(self.classes))
        return self.dice.choice(list(found.items)).task_item_id
