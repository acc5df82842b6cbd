"""Plans made by chance from a seed: legal, of every kind of task, the same for the same seed."""

import random
from collections.abc import Sequence

from libs.planning.order import OrderedBlock, Span
from libs.planning.state import Intensity, PlanningState, Source, Status, Task
from libs.planning.window import Window
from tests.unit.agent.tools.plans import course, plan, task, window

LENGTHS = (1, 2, 2, 2, 3)


class Maker:
    """Puts one thing after the other where there is room."""

    def __init__(self, seed: int, in_window: Window) -> None:
        self.chance = random.Random(seed)
        self.window = in_window
        self.taken: set[tuple[int, int]] = set()
        self.tasks: list[Task] = []

    @property
    def following(self) -> int:
        return len(self.tasks) + 1

    def free_place(self, length: int, days: Sequence[int]) -> Span | None:
        """A free place on one of the days, none after many tries."""
        for _ in range(60):
            day = self.chance.choice(days)
            first = self.chance.randint(1, self.window.sections - length + 1)
            cells = {(day, section) for section in range(first, first + length)}
            if not cells & self.taken:
                self.taken |= cells
                return Span(day, first, first + length - 1)
        return None

    def course(self, *, embeds: bool) -> None:
        """A course that meets on the same weekday, in the same sections, every week."""
        span = self.free_place(2, range(1, min(7, self.window.total_days) + 1))
        if span is None:
            return
        meetings = [
            (day, span.first, span.last)
            for day in range(span.day, self.window.total_days + 1, 7)
            if day == span.day or not {(day, span.first), (day, span.last)} & self.taken
        ]
        self.taken |= {(day, section) for day, *sections in meetings for section in sections}
        self.tasks.append(course(self.following, f"课程{self.following}", *meetings, embeds=embeds))

    def guest(self) -> None:
        """A suggested task in the first free meeting of a host that has not begun."""
        for host in self.tasks:
            for span in host.slots if host.can_embed else ():
                is_free = all(span not in other.slots for other in self.tasks if other is not host)
                if is_free and not self.window.has_begun(span):
                    place = (span.day, span.first, span.last)
                    self.tasks.append(
                        task(
                            self.following, "听写", "英语", Status.SUGGESTED, place,
                            host=host.state_id,
                        )
                    )  # fmt: skip
                    return

    def items(self, class_id: int, count: int, days: Sequence[int], *, wait: bool) -> None:
        """Items of one class in their order; some wait, some are written, some are suggested."""
        length = self.chance.choice(LENGTHS)
        spans = sorted(
            span for _ in range(count) if (span := self.free_place(length, days)) is not None
        )
        waiting = self.chance.randrange(count + 1) if wait and self.chance.random() < 0.4 else 0
        for order, span in enumerate(spans, start=1):
            self._item(class_id, order, length, None if order == waiting else span)

    def _item(self, class_id: int, order: int, length: int, span: Span | None) -> None:
        status = Status.PENDING
        if span is not None:
            begun = self.window.has_begun(span)
            written = begun or self.chance.random() < 0.2
            status = Status.EXISTING if written else Status.SUGGESTED
        self.tasks.append(
            task(
                self.following,
                f"第{class_id}门 第{order}讲",
                f"类别{class_id}",
                status,
                None if span is None else (span.day, span.first, span.last),
                duration=length,
                of=(class_id, order),
                cognitive_intensity=self.chance.choice(tuple(Intensity)),
            )
        )


def seeded(
    seed: int,
    *,
    days: int = 14,
    courses: int = 4,
    classes: int = 3,
    items: int = 5,
    begun_days: int = 1,
    wait: bool = True,
    hosts: bool = True,
) -> PlanningState:
    """A plan of one window: courses, guests, items of some classes, a few loose tasks.

    `wait`: some of them are not placed yet.
    """
    made = Maker(seed, window(days, open_from=(begun_days + 1, 1)))
    for number in range(courses):
        made.course(embeds=hosts and number % 2 == 0)
    for class_id in range(1, classes + 1):
        made.items(class_id, items, range(1, days + 1), wait=wait)
    made.guest()
    for _ in range(2):
        span = made.free_place(2, range(begun_days + 1, days + 1))
        if span is not None:
            place = (span.day, span.first, span.last)
            made.tasks.append(task(made.following, "杂事", "任务", Status.EXISTING, place))
    if wait:
        made.tasks.append(task(made.following, "找时间读书", "任务", Status.PENDING, duration=2))
    beyond = [
        OrderedBlock(1, 9001, 0, Span(-3, 1, 2), begun=True),
        OrderedBlock(2, 9002, 99, Span(days + 2, 1, 2)),
    ]
    state = plan(*made.tasks, in_window=made.window)
    return PlanningState(made.window, state.tasks.values(), beyond)


def shuffled(state: PlanningState, seed: int = 1) -> PlanningState:
    """The same plan, its rows loaded in another order."""
    tasks, anchors = list(state.tasks.values()), list(state.anchors)
    chance = random.Random(seed)
    chance.shuffle(tasks)
    chance.shuffle(anchors)
    return PlanningState(state.window, tasks, anchors)


__all__ = ["Maker", "Source", "seeded", "shuffled"]
