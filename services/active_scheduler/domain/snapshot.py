"""What was read of the schedule at one instant, and the cases that come of it."""

from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from datetime import datetime, timedelta

from libs.planning.calendar import Semester
from libs.planning.grid import Block, Grid, Target, TargetKind
from services.active_scheduler.domain import feedback
from services.active_scheduler.domain.case import Case, ClassRules, Unfinished, case_of
from services.active_scheduler.domain.deciding import FIRST_CHOICES
from services.active_scheduler.domain.facts import Facts
from services.active_scheduler.domain.observation import Action, Decision
from services.active_scheduler.domain.preferences import Preferences
from services.active_scheduler.domain.questions import NO_ANSWERS, Answers

FURTHEST = timedelta(days=9)
"""How far ahead a look reads where the window is not enough: two days, and a week beyond."""

LONGEST = timedelta(days=60)
"""How far it reads where that is not enough either: an item may be made up for until its class
ends, and later still where the person is asked."""


@dataclass(frozen=True, slots=True)
class Snapshot:
    """One answer about a target.

    `asked` is the block that was asked about, where it was one; `rules` are those of an item's
    class. What stands up to `known_until` is known.
    """

    facts: Facts
    known_until: datetime
    asked: Block | None = None
    rules: ClassRules | None = None

    @property
    def block(self) -> Block | None:
        """The block that feedback about the target means."""
        if self.asked is not None:
            return self.asked
        world, target = self.facts.world, self.facts.target.target
        return feedback.meant(world.blocks, world.grid, target, self.facts.now)

    @property
    def is_of_pool(self) -> bool:
        """Whether the target is a task of the pool, whose preferences are remembered ones."""
        return self.facts.target.target.kind is TargetKind.TASK_POOL

    def reading_on(self, case: Case, outcome: Decision) -> timedelta | None:
        """How far ahead to read instead, where what is not known yet may lead to more than the
        outcome; None where it cannot."""
        is_best = outcome.action is Action.CLOSE or outcome.reason in FIRST_CHOICES
        wanted = min(case.wanted_until - self.facts.now, LONGEST)
        return None if is_best or self.facts.now + wanted <= self.known_until else wanted

    def preferring(self, preferences: Preferences) -> "Snapshot":
        """The same with what the person prefers."""
        return replace(self, facts=replace(self.facts, preferences=preferences))

    def urgent(self, answers: Answers = NO_ANSWERS) -> Case:
        """The case of an urgent task."""
        return case_of(self.facts, answers=answers, known_until=self.known_until)

    def unfinished(self, *, misses: int, answers: Answers = NO_ANSWERS) -> Case:
        """The case of something that was not finished, for the `misses`-th time of late.

        An item that was never placed has no block to make up for.
        """
        return case_of(
            self.facts,
            unfinished=Unfinished(self.block, misses, self.rules),
            answers=answers,
            known_until=self.known_until,
        )


@dataclass(frozen=True, slots=True)
class Surroundings:
    """The blocks of work that words told at an instant may be about, in order of time, and the
    names of their classes by id."""

    told_at: datetime
    blocks: tuple[Block, ...]
    laid: Grid
    class_names: Mapping[int, str] = field(default_factory=dict)

    @classmethod
    def of(
        cls,
        told_at: datetime,
        semesters: tuple[Semester, ...],
        blocks: tuple[Block, ...],
        class_names: Mapping[int, str],
    ) -> "Surroundings":
        """Those of the given blocks that lie within a day of the instant."""
        laid = Grid(semesters, blocks)
        return cls(told_at, feedback.near(blocks, laid, told_at), laid, class_names)

    def class_name(self, block: Block) -> str:
        """The class that a block belongs to; empty where it has none, or it is not known."""
        return self.class_names.get(block.class_id or 0, "")


@dataclass(frozen=True, slots=True)
class Missed:
    """A block that was told as not finished, and what it was placed for."""

    source: Target
    block_id: int
