"""Whether a plan is done: conflicts, order, what waits, and how level the days are.

Spec: planning.md, Health (evaluate_balance).
"""

from collections.abc import Iterator
from dataclasses import dataclass
from enum import StrEnum

from libs.planning.grid import mask_of
from libs.planning.openings import Movable, Openings, movable
from libs.planning.order import Span
from libs.planning.runs import first_section
from libs.planning.state import PlanningState, Status, Task
from libs.planning.thresholds import THRESHOLDS


class DoneReason(StrEnum):
    """Why a plan is done, or the first thing that keeps it from being done."""

    HARD_CONFLICTS = "hard_conflicts"
    ORDER_BROKEN = "order_broken"
    PENDING_LEFT = "pending_left"
    CAN_BE_LEVELLED = "can_be_levelled"
    LEVEL = "level"


@dataclass(frozen=True, slots=True)
class LevellingMove:
    """The legal single move that lowers the variance most, and what it would be then."""

    task_id: int
    span: Span
    host_id: int | None
    variance: float


@dataclass(frozen=True, slots=True)
class Balance:
    """The criterion to stop.

    `load_variance` is the population variance of the taken sections of each day, courses included,
    from today to the window's end; `max_day_load` the highest of them. Swaps exchange equal
    lengths and so never change it: a single move alone can lower it.
    """

    hard_conflict_count: int
    order_violation_count: int
    pending_count: int
    load_variance: float
    max_day_load: int
    done_suggestion: bool
    reason_code: DoneReason
    levelling: LevellingMove | None = None

    @property
    def reason(self) -> str:
        """The reason in Chinese."""
        return {
            DoneReason.HARD_CONFLICTS: f"还有{self.hard_conflict_count}处硬冲突",
            DoneReason.ORDER_BROKEN: f"还有{self.order_violation_count}处任务类内顺序不对",
            DoneReason.PENDING_LEFT: f"还有{self.pending_count}项待安排",
            DoneReason.CAN_BE_LEVELLED: self._levelling_words(),
            DoneReason.LEVEL: (
                "没有冲突，顺序正确，没有待安排的任务；"
                f"任何一次合法的移动或交换都不能让负载方差再降{THRESHOLDS.gain_percent}%"
            ),
        }[self.reason_code]

    def _levelling_words(self) -> str:
        if self.levelling is None:
            return ""
        return (
            f"还有合法的移动能把每日负载方差从{self.load_variance:.2f}"
            f"降到{self.levelling.variance:.2f}"
        )


def evaluate_balance(state: PlanningState) -> Balance:
    """Judges a plan; done iff nothing is broken or waiting and no move is worth it."""
    loads = open_loads(state)
    conflicts, broken = faults(state)
    pending = len(state.with_status(Status.PENDING))
    levelling = None
    if conflicts:
        reason = DoneReason.HARD_CONFLICTS
    elif broken:
        reason = DoneReason.ORDER_BROKEN
    elif pending:
        reason = DoneReason.PENDING_LEFT
    else:
        levelling = best_levelling(state)
        reason = DoneReason.LEVEL if levelling is None else DoneReason.CAN_BE_LEVELLED
    return Balance(
        hard_conflict_count=conflicts,
        order_violation_count=broken,
        pending_count=pending,
        load_variance=variance(loads),
        max_day_load=max(loads, default=0),
        done_suggestion=reason is DoneReason.LEVEL,
        reason_code=reason,
        levelling=levelling,
    )


def faults(state: PlanningState) -> tuple[int, int]:
    """How many hard conflicts there are, and how many breaks of the order."""
    return (
        sum([day.conflicts for day in state.days]),
        sum(state.class_view(class_id).violations for class_id in state.class_ids()),
    )


def open_loads(state: PlanningState) -> list[int]:
    """The taken sections of each day from today to the window's end."""
    return [day.occupied.bit_count() for day in state.days[state.window.first_open_day - 1 :]]


@dataclass(frozen=True, slots=True)
class LoadSums:
    """Days counted, their loads summed, and the squares of these."""

    count: int
    total: int
    squares: int

    @classmethod
    def of(cls, loads: list[int]) -> "LoadSums":
        """The sums of these days."""
        return cls(len(loads), sum(loads), sum([load * load for load in loads]))

    @property
    def spread(self) -> int:
        """The variance times the square of the number of days: a whole number."""
        return self.count * self.squares - self.total**2

    @property
    def variance(self) -> float:
        """Population variance; 0 for no days at all."""
        return self.spread / self.count**2 if self.count else 0.0

    def replaced(self, load: int, other: int) -> "LoadSums":
        """The sums once a day of a load has another one."""
        squares = self.squares + other * other - load * load
        return LoadSums(self.count, self.total + other - load, squares)


def variance(loads: list[int]) -> float:
    """Population variance; 0 for no days at all."""
    return LoadSums.of(loads).variance


def best_levelling(state: PlanningState) -> LevellingMove | None:
    """The legal move that lowers the variance most, where one lowers it by the threshold."""
    loads = open_loads(state)
    sums = LoadSums.of(loads)
    return _Levelling(state, loads, sums).best(sums.spread) if sums.spread else None


class _Levelling:
    """The search for the best move. Days that could gain most come first, so that it ends early.

    All sums are whole: a `spread` is a variance times the square of the number of days.
    """

    def __init__(self, state: PlanningState, loads: list[int], sums: LoadSums) -> None:
        self._state = state
        self._openings = Openings(state)
        self._count, self._sum, self._squares = sums.count, sums.total, sums.squares
        first = state.window.first_open_day
        self._emptiest = sorted((load, first + ahead) for ahead, load in enumerate(loads))
        days = state.days
        self._hosts = [
            day for _, day in self._emptiest if days[day - 1].hosts and state.free_host_mask(day)
        ]
        self._limit = 0
        self._free: dict[tuple[int, int], int] = {}
        self._leasts: dict[tuple[int, int, bool], int] = {}
        self._worth: dict[int, frozenset[int]] = {}
        suggested = state.with_status(Status.SUGGESTED)
        spans = [task.slots[0] for task in suggested if len(task.slots) == 1]
        self._lengths = {span.last - span.first + 1 for span in spans}
        self._guests = [task for task in suggested if task.embed_host is not None and task.slots]

    def best(self, spread: int) -> LevellingMove | None:
        """The best, of equal ones the first by load of its day, then by id."""
        self._limit = spread * (100 - THRESHOLDS.gain_percent) // 100
        found: LevellingMove | None = None
        for load, task in self._worth_a_look():
            if (
                self._least_of(load, task.slots[0].length, task.embed_host is not None)
                > self._limit
            ):
                continue
            one = movable(self._state, task)
            if one is None:
                continue
            for after, span, host in self._ways(one, self._limit):
                if after <= self._limit:
                    self._limit = after - 1
                    self._worth.clear()
                    found = LevellingMove(task.state_id, span, host, after / self._count**2)
        return found

    def _worth_a_look(self) -> Iterator[tuple[int, Task]]:
        """Tasks with the loads of their days: guests, whose leaving empties no day, then the

        others, the fullest day first.
        """
        days = self._state.days
        for task in self._guests:
            yield days[task.slots[0].day - 1].load, task
        for load, day in reversed(self._emptiest):
            lengths = self._worth.get(load)
            if lengths is None:
                lengths = self._worth[load] = self._lengths_worth(load)
            if not lengths:
                return
            for entry in days[day - 1].entries:
                task, span = entry.task, entry.span
                if (
                    span.last - span.first + 1 in lengths
                    and task.status is Status.SUGGESTED
                    and task.embed_host is None
                ):
                    yield load, task

    def _lengths_worth(self, load: int) -> frozenset[int]:
        """The lengths of tasks that may be worth a move from a day of this load."""
        return frozenset(
            n for n in self._lengths if n <= load and self._least_of(load, n, False) <= self._limit
        )

    def _least_of(self, load: int, length: int, is_guest: bool) -> int:
        """No move of a task of this length leaves a lower spread than this."""
        key = load, length, is_guest
        if key not in self._leasts:
            less = 0 if is_guest else length
            self._leasts[key] = self._after(load, less, self._emptiest[0][0], length)
            if self._hosts and not is_guest:
                into_host = self._after(load, less, 0, 0)
                self._leasts[key] = min(self._leasts[key], into_host)
        return self._leasts[key]

    def _after(self, load: int, less: int, other: int, more: int) -> int:
        """The spread once a day of this load has `less`, and another one `more` sections more."""
        squares = self._squares + less * (less - 2 * load) + more * (more + 2 * other)
        return self._count * squares - (self._sum + more - less) ** 2

    def _ways(self, one: Movable, limit: int) -> Iterator[tuple[int, Span, int | None]]:
        """The most levelling move to free cells, then that to a host: (spread, span, host)."""
        length, load = one.span.length, self._state.day(one.span.day).load
        less = 0 if one.is_guest else length
        first, last = one.reach
        for other, day in self._emptiest:
            if not first <= day <= last or (day == one.span.day and not one.is_guest):
                continue
            after = self._after(load, less, other, length)
            if after > limit:
                break
            span = self._first(one, day, self._free_starts(day, length))
            if span is not None:
                yield after, span, None
                break
        after = self._after(load, less, 0, 0)
        if one.is_guest or after > limit or not one.may_be_guest:
            return
        for day in self._hosts:
            if not first <= day <= last:
                continue
            span = self._first(one, day, self._openings.host_starts(day, length))
            if span is not None:
                yield after, span, self._openings.host_of(span)
                return

    def _free_starts(self, day: int, length: int) -> int:
        key = day, length
        if key not in self._free:
            self._free[key] = self._openings.free_starts(day, length)
        return self._free[key]

    def _first(self, one: Movable, day: int, starts: int) -> Span | None:
        """The first start that the order admits, one that bridges no break if there is one."""
        within = one.within(day, starts) if starts else 0
        if not within:
            return None
        length = one.span.length
        first = first_section(within & ~self._bridging(length) or within)
        return Span(day, first, first + length - 1)

    def _bridging(self, length: int) -> int:
        """Mask of the sections from which a run of a length bridges lunch or dinner."""
        mask = 0
        for after in (self._state.window.clock.lunch_after, self._state.window.clock.dinner_after):
            mask |= mask_of(max(after - length + 2, 1), after) if length > 1 else 0
        return mask
