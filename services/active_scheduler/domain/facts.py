"""The context of a look: one snapshot of what the schedule service knows."""

from dataclasses import dataclass
from datetime import datetime, timedelta

from libs.planning import validation
from libs.planning.changes import TargetFacts, World
from libs.planning.grid import Block
from services.active_scheduler.domain.preferences import NOTHING, Preferences

WINDOW = timedelta(hours=24)
"""How far a look goes. Source: seed 001, 12.4."""

DEFAULT_SECTIONS = 1
MAX_SECTIONS = 4
"""Length of a pool task. Source: seed 001, 12.4: 1 to 4 sections, 1 where nothing is known."""


@dataclass(frozen=True, slots=True)
class Facts:
    """What was read, and when. `world` holds the blocks of every date that the window touches
    and every live block of the target."""

    now: datetime
    target: TargetFacts
    quadrant: int
    threshold: datetime | None
    world: World
    version: int = 0
    preferences: Preferences = NOTHING
    default_sections: int = DEFAULT_SECTIONS
    """What the person has chosen for tasks that were never estimated, 1..4."""
    next_dynamic_id: int | None = None
    """The block that the schedule service told to be the next one of work: what stands before it
    is done or gone."""

    @property
    def window_end(self) -> datetime:
        return self.now + WINDOW

    @property
    def needed_sections(self) -> int:
        """The estimate, the person's default where there is none, clamped to 1..4."""
        estimate = self.target.estimated_sections
        wanted = self.default_sections if estimate is None else estimate
        return min(max(wanted, 1), MAX_SECTIONS)

    @property
    def deadline_ahead(self) -> datetime | None:
        """The deadline that binds candidates: one that has not passed."""
        deadline = self.target.deadline
        return deadline if deadline is not None and deadline > self.now else None

    @property
    def latest_end(self) -> datetime:
        """Where the window ends for the target: at its deadline, if that binds inside it."""
        return min(self.deadline_ahead or self.window_end, self.window_end)

    @property
    def deadline_cuts_window(self) -> bool:
        """Whether the deadline leaves a part of the window that is of no use to the target."""
        return self.latest_end < self.window_end

    @property
    def deadline_passed(self) -> bool:
        return self.target.deadline is not None and self.deadline_ahead is None

    @property
    def urgent(self) -> bool:
        """Urgent and important as it reads now: quadrant 1, or 2 whose threshold has passed."""
        crossed = self.threshold is not None and self.threshold <= self.now
        return self.quadrant == 1 or (self.quadrant == 2 and crossed)

    @property
    def priority(self) -> int:
        """The quadrant as it reads now: 2 becomes 1 when its threshold has passed."""
        return 1 if self.urgent else self.quadrant

    @property
    def blocks_ahead(self) -> tuple[Block, ...]:
        """Live blocks of the target that run now or lie ahead."""
        return validation.live_ahead(self.target.target, self.world, self.now)

    @property
    def has_past_block(self) -> bool:
        """A block of the target stands, and all of them are over."""
        own = [block for block in self.world.blocks if block.source == self.target.target]
        return bool(own) and not self.blocks_ahead

    def warnings(self) -> tuple[str, ...]:
        """Codes of what was assumed, and of what could not be asked for."""
        unknown = ("preferences_unavailable",) if self.preferences.unavailable else ()
        estimate = self.target.estimated_sections
        if estimate is None:
            return ("estimate_assumed", *unknown)
        if not 1 <= estimate <= MAX_SECTIONS:
            return ("estimate_clamped", *unknown)
        return unknown
