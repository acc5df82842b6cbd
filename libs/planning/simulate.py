"""Moves and swaps tried out on a planning state, and what each would come to.

Spec: planning.md, Health (checked candidates with effect improve | partial | no_gain).
"""

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from enum import StrEnum

from libs.planning.balance import LevellingMove, LoadSums, faults, open_loads
from libs.planning.moves import Refused, Written, move, swap
from libs.planning.openings import Movable, Openings, movable
from libs.planning.order import Span
from libs.planning.rhythm import DayRhythm, rhythm_of
from libs.planning.runs import first_section
from libs.planning.state import PlanningState, Status
from libs.planning.thresholds import THRESHOLDS

_FULL_DAYS = 6
_TRIED = 24
_PARTNERS = 4


class Effect(StrEnum):
    """improve: something better and nothing of more weight worse; partial: better and worse."""

    IMPROVE = "improve"
    PARTIAL = "partial"
    NO_GAIN = "no_gain"


@dataclass(frozen=True, slots=True)
class Measure:
    """What a plan is measured by, the first counting most: faults, variance, excess of its days."""

    faults: int
    variance: float
    excess: int

    def compared(self, before: "Measure") -> Effect:
        """What it means to come here from `before`.

        An improvement never leads back: fewer faults, or a variance lower by the threshold, or
        less excess at no more variance, each with no more of what counts before it.
        """
        if self.faults != before.faults:
            return Effect.IMPROVE if self.faults < before.faults else Effect.NO_GAIN
        worth = before.variance * (100 - THRESHOLDS.gain_percent) / 100
        if before.variance > 0 and self.variance <= worth:
            return Effect.IMPROVE
        if self.variance <= before.variance and self.excess < before.excess:
            return Effect.IMPROVE
        better = self.variance < before.variance or self.excess < before.excess
        return Effect.PARTIAL if better else Effect.NO_GAIN


@dataclass(frozen=True, slots=True)
class Candidate:
    """A move (`partner_id` None) to a span, or a swap with a partner, and what it comes to."""

    task_id: int
    span: Span
    partner_id: int | None
    effect: Effect
    after: Measure

    @property
    def rank(self) -> tuple[int, int, float, int, int, Span]:
        """The best first."""
        order = (Effect.IMPROVE, Effect.PARTIAL, Effect.NO_GAIN).index(self.effect)
        after = self.after
        return order, after.faults, after.variance, after.excess, self.task_id, self.span


def candidates(
    state: PlanningState,
    rhythms: Sequence[DayRhythm],
    swappable: Sequence[Movable],
    levelling: LevellingMove | None,
) -> tuple[Candidate, ...]:
    """Up to five moves and swaps that gain something, each legal; else some that do not.

    What is known of the state comes along: the rhythm of its days, who may be swapped, and the
    move that levels most. Whoever is told that a move would level the days is offered that move.
    """
    simulation = _Simulation(state, rhythms, swappable, levelling)
    found = sorted(simulation.candidates(), key=lambda candidate: candidate.rank)
    useful = [one for one in found if one.effect is not Effect.NO_GAIN]
    return tuple((useful or found)[: THRESHOLDS.candidates])


class _Simulation:
    """Ways of a state and their measures. No place that is offered bridges a break."""

    def __init__(
        self,
        state: PlanningState,
        rhythms: Sequence[DayRhythm],
        swappable: Sequence[Movable],
        levelling: LevellingMove | None,
    ) -> None:
        self._state = state
        self._swappable = swappable
        self._levelling = levelling
        self._openings = Openings(state)
        self._sections = state.window.sections
        self._excess = {rhythm.day: rhythm.excess(self._sections) for rhythm in rhythms}
        excess = sum(self._excess.values())
        self._loads = LoadSums.of(open_loads(state))
        self._before = Measure(sum(faults(state)), self._loads.variance, excess)
        first = state.window.first_open_day
        self._emptiest = sorted(
            range(first, state.window.total_days + 1), key=lambda day: (state.day(day).load, day)
        )

    def candidates(self) -> Iterator[Candidate]:
        """Each way that is worth trying, tried."""
        seen = set()
        for one, span in self._moves():
            key = one.task.state_id, span
            if key not in seen:
                seen.add(key)
                written = move(self._state, one.task.state_id, span.day, span.first)
                yield from self._measured(written, one.task.state_id, span, None)
        for one, other in self._swaps():
            written = swap(self._state, one.task.state_id, other.task.state_id)
            yield from self._measured(written, one.task.state_id, other.span, other.task.state_id)

    def _measured(
        self, written: Written | Refused, task_id: int, span: Span, partner: int | None
    ) -> Iterator[Candidate]:
        if isinstance(written, Refused):
            return
        new = written.state
        days = {
            place.day
            for changed in written.changed
            for task in (self._state.tasks[changed], new.tasks[changed])
            for place in task.slots
        }
        excess, loads = self._before.excess, self._loads
        for day in days:
            view = new.day(day)
            excess -= self._excess.get(day, 0)
            excess += rhythm_of(day, view).excess(self._sections)
            loads = loads.replaced(self._state.day(day).load, view.load)
        # What is legal brings no fault in: where there was none there is none to be counted.
        broken = sum(faults(new)) if self._before.faults else 0
        after = Measure(broken, loads.variance, excess)
        yield Candidate(task_id, span, partner, after.compared(self._before), after)

    def _moves(self) -> Iterator[tuple[Movable, Span]]:
        """Tasks at fault, then those of days over the thresholds, then those of the fullest days;

        each to the emptiest day that has a place for it, and to the best of its own day.
        """
        levelling = self._levelling
        if levelling is not None:
            mover = movable(self._state, self._state.tasks[levelling.task_id])
            if mover is not None:
                yield mover, levelling.span
        tried = 0
        for one in self._movers():
            first_day, last_day = one.reach
            for day in self._emptiest:
                if not first_day <= day <= last_day:
                    continue
                starts = self._openings.places_of(one, day, exclude_breaks=True)
                if starts:
                    first = first_section(starts)
                    yield one, Span(day, first, first + one.span.length - 1)
                    tried += 1
                    break
            if tried >= _TRIED:
                return

    def _movers(self) -> Iterator[Movable]:
        seen = set()
        for task_id in (*self._at_fault(), *self._of_days(self._worst_days())):
            one = movable(self._state, self._state.tasks[task_id])
            if one is not None and task_id not in seen:
                seen.add(task_id)
                yield one

    def _at_fault(self) -> Iterator[int]:
        """Tasks that stand in a conflict, or not behind all that they follow."""
        state = self._state
        if not self._before.faults:
            return
        for day in range(1, state.window.total_days + 1):
            if state.day(day).conflicts:
                yield from (entry.task.state_id for entry in state.day(day).entries)
        for class_id in state.class_ids():
            view = state.class_view(class_id)
            for block, task, allowed in zip(view.blocks, view.tasks, view.ranges, strict=True):
                if task is not None and allowed is not None and not allowed.admits(block.span):
                    yield task.state_id

    def _worst_days(self) -> list[int]:
        """Days over the thresholds, the worst first, then the fullest days."""
        over = sorted(
            (day for day, excess in self._excess.items() if excess),
            key=lambda day: (-self._excess[day], day),
        )
        return [*over[:_FULL_DAYS], *self._emptiest[: -_FULL_DAYS - 1 : -1]]

    def _of_days(self, days: Iterable[int]) -> Iterator[int]:
        return (
            entry.task.state_id
            for day in days
            for entry in self._state.day(day).entries
            if entry.task.status is Status.SUGGESTED
        )

    def _swaps(self) -> Iterator[tuple[Movable, Movable]]:
        """Tasks of days over the thresholds, with tasks of equal length of other days."""
        over = {day for day, excess in self._excess.items() if excess}
        if not over:
            return
        by_length: dict[int, list[Movable]] = {}
        for one in self._swappable:
            by_length.setdefault(one.span.length, []).append(one)
        tried = 0
        for length in sorted(by_length):
            for one in by_length[length]:
                if one.span.day not in over:
                    continue
                for other in _partners(one, by_length[length]):
                    yield one, other
                    tried += 1
                    if tried >= _TRIED:
                        return


def _partners(one: Movable, of_length: Iterable[Movable]) -> list[Movable]:
    """Those of other days that differ from it and are legal in its place, as it is in theirs."""
    found: list[Movable] = []
    for other in of_length:
        if (
            one.may_reach(other.span.day)
            and other.span.day != one.span.day
            and (other.task.category, other.task.cognitive_intensity)
            != (one.task.category, one.task.cognitive_intensity)
            and one.may_take(other)
            and other.may_take(one)
        ):
            found.append(other)
            if len(found) == _PARTNERS:
                break
    return found
