"""Every schedule tool on 500 tasks over 20 weeks; beside writing the same plan down once.

All of it is work of one thread without waiting, so the thread's own time is measured: a busy
neighbour costs nothing. The floor is the plan pickled, which is what keeping it after a step costs
at least.
"""

import gc
import pickle
import random
import time
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from typing import Any

from bench import timing
from bench.figures import Figure, Goal
from libs.planning.calendar import DEFAULT_CLOCK
from libs.planning.order import Span
from libs.planning.state import Intensity, PlanningState, Source, Status, Task
from libs.planning.window import Window, WindowDay
from services.agent.tools import registry

TASKS, DAYS, COURSES, CLASSES = 500, 140, 12, 12
WAITING = 60
CALLS, SLOW_CALLS, ROUNDS = 100, 10, 5
SLOW = frozenset({"analyze_health", "spread_even"})
_BOUND_MS, _SLOW_BOUND_MS = 1.0, 20.0
_SEED = 7

Call = tuple[PlanningState, dict[str, Any]]


async def run() -> list[Figure]:
    """A figure for each tool: the 99th of a hundred calls."""
    plans = Plans(random.Random(_SEED))
    samples: dict[str, list[float]] = {tool.name: [] for tool in registry.SCHEDULE_TOOLS}
    floor: list[float] = []
    for _ in range(ROUNDS):
        for name, found in samples.items():
            calls = list(plans.calls(name, SLOW_CALLS if name in SLOW else CALLS))
            found += _measured([_calling(name, *call) for call in calls])
            floor += _measured([plans.written_down] * 3)
    least = timing.percentile(floor, 0.5) * 1000
    return [
        Figure(
            f"tools_{name}",
            timing.percentile(found, 0.99) * 1000,
            least,
            "ms",
            Goal("≤", _SLOW_BOUND_MS if name in SLOW else _BOUND_MS, of="product"),
        )
        for name, found in samples.items()
    ]


def _measured(works: Sequence[Callable[[], object]]) -> list[float]:
    """Seconds of this thread for each, its own garbage and no older one included."""
    gc.collect()
    gc.freeze()
    found = []
    for work in works:
        began = time.thread_time()
        work()
        found.append(time.thread_time() - began)
    gc.unfreeze()
    return found


def _calling(name: str, state: PlanningState, arguments: dict[str, Any]) -> Callable[[], object]:
    return lambda: registry.call(state, name, arguments)


@dataclass(slots=True)
class _Grid:
    """Which sections are taken while a plan is made."""

    chance: random.Random
    taken: set[tuple[int, int]]

    def place(self, length: int, days: range) -> Span:
        """A free place, wherever there is one."""
        while True:
            day = self.chance.choice(days)
            first = self.chance.randint(1, DEFAULT_CLOCK.count - length + 1)
            cells = {(day, section) for section in range(first, first + length)}
            if not cells & self.taken:
                self.taken |= cells
                return Span(day, first, first + length - 1)


class Plans:
    """A full plan, one in which some tasks wait, and what a model might ask of them."""

    def __init__(self, chance: random.Random) -> None:
        self._chance = chance
        self.full = _full(chance)
        placed = self._ids(self.full, Status.SUGGESTED)
        waiting = self.full
        for task_id in chance.sample(placed, WAITING):
            waiting = registry.call(waiting, "unplace", {"task_id": task_id}).state
        self.waiting = waiting

    def written_down(self) -> bytes:
        """The floor."""
        return pickle.dumps((self.full.window, tuple(self.full.tasks.values())))

    def calls(self, name: str, count: int) -> Iterator[Call]:
        """So many calls of a tool, each of them likely to come from a sensible model."""
        for _ in range(count):
            state = self.waiting if name == "place" else self._varied()
            yield state, self._arguments(name, state)

    def _varied(self) -> PlanningState:
        """The full plan after a move, so that no call sees what another one has seen."""
        moved = self.full
        while moved is self.full:
            moved = registry.call(moved, "move", self._move(moved)).state
        return moved

    def _arguments(self, name: str, state: PlanningState) -> dict[str, Any]:
        chance = self._chance
        suggested = self._ids(state, Status.SUGGESTED)
        day = chance.randint(1, DAYS)
        make: dict[str, Callable[[], dict[str, Any]]] = {
            "query_range": lambda: {"day": day},
            "find_first_free": lambda: {"duration": chance.randint(1, 4)},
            "get_task_info": lambda: {"task_id": chance.choice(suggested)},
            "place": lambda: self._place(state),
            "move": lambda: self._move(state),
            "swap": lambda: dict(
                zip(("task_a", "task_b"), chance.sample(suggested, 2), strict=True)
            ),
            "batch_move": lambda: {"moves": self._batch(state)},
            "unplace": lambda: {"task_id": chance.choice(suggested)},
        }
        return make[name]() if name in make else {}

    def _move(self, state: PlanningState) -> dict[str, Any]:
        """A task to another place of its day or the next, where its class is likely to let it."""
        task = state.tasks[self._chance.choice(self._ids(state, Status.SUGGESTED))]
        day = min(DAYS, task.slots[0].day + self._chance.randint(0, 1))
        slot = self._chance.randint(1, DEFAULT_CLOCK.count - task.length + 1)
        return {"task_id": task.state_id, "new_day": day, "new_slot_start": slot}

    def _place(self, state: PlanningState) -> dict[str, Any]:
        task = state.tasks[self._chance.choice(self._ids(state, Status.PENDING))]
        day, slot = self._chance.randint(1, DAYS), self._chance.randint(1, DEFAULT_CLOCK.count - 1)
        return {"task_id": task.state_id, "day": day, "slot_start": slot}

    def _batch(self, state: PlanningState) -> list[dict[str, Any]]:
        """Five tasks that stay and one that goes."""
        chosen = self._chance.sample(self._ids(state, Status.SUGGESTED), 6)
        moves = [
            {"task_id": one, "new_day": span.day, "new_slot_start": span.first}
            for one in chosen[1:]
            for span in state.tasks[one].slots
        ]
        return [self._move(state) | {"task_id": chosen[0]}, *moves]

    @staticmethod
    def _ids(state: PlanningState, status: Status) -> list[int]:
        return [task.state_id for task in state.with_status(status)]


def _full(chance: random.Random) -> PlanningState:
    """Courses that meet every week, and items in their order, four out of five suggested."""
    grid = _Grid(chance, set())
    tasks = [_course(number, grid) for number in range(1, COURSES + 1)]
    per_class = (TASKS - COURSES) // CLASSES
    for class_id in range(1, CLASSES + 1):
        length = 1 + class_id % 2
        spans = sorted(grid.place(length, range(1, DAYS + 1)) for _ in range(per_class))
        for order, span in enumerate(spans, start=1):
            tasks.append(_item(len(tasks) + 1, class_id, order, span, chance))
    while len(tasks) < TASKS:
        span = grid.place(1, range(1, DAYS + 1))
        tasks.append(_item(len(tasks) + 1, None, None, span, chance))
    days = tuple(WindowDay(1, 1 + day // 7, 1 + day % 7) for day in range(DAYS))
    return PlanningState(Window(days, DEFAULT_CLOCK), tasks)


def _course(number: int, grid: _Grid) -> Task:
    first = grid.place(2, range(1, 8))
    slots = tuple(Span(day, first.first, first.last) for day in range(first.day, DAYS + 1, 7))
    grid.taken |= {(span.day, section) for span in slots for section in (span.first, span.last)}
    embeds = number % 4 == 0
    return Task(
        number,
        Source.EVENT,
        number,
        f"第{number}门课程",
        "课程",
        Status.EXISTING,
        slots,
        2,
        locked=not embeds,
        can_embed=embeds,
    )


def _item(
    number: int, class_id: int | None, order: int | None, span: Span, chance: random.Random
) -> Task:
    written = chance.random() < 0.2
    return Task(
        number,
        Source.EVENT if written else Source.TASK_ITEM,
        number,
        f"第{order or number}讲 复习与习题",
        f"第{class_id or 0}类",
        Status.EXISTING if written else Status.SUGGESTED,
        (span,),
        span.length,
        task_class_id=class_id,
        item_id=None if class_id is None else number,
        task_order=order,
        cognitive_intensity=chance.choice(tuple(Intensity)),
    )
