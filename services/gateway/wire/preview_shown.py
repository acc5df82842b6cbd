"""What the template of the preview page is given."""

from dataclasses import dataclass
from datetime import datetime

from services.gateway.domain.grid import Mark
from services.gateway.domain.typography import phrases
from services.gateway.wire.choices import Choice, Kind, Step
from services.gateway.wire.comparison import Pair
from services.gateway.wire.estimate import SECTIONS
from services.gateway.wire.notices import Notice
from services.gateway.wire.question import Asked
from services.gateway.wire.room import Move


@dataclass(frozen=True, slots=True)
class Keep:
    """Until when it can be confirmed."""

    until: str
    minutes: int
    expires_at: datetime
    now: datetime
    life_seconds: int

    @property
    def seconds(self) -> int:
        """What is left, never negative."""
        return max(0, int((self.expires_at - self.now).total_seconds()))


@dataclass(frozen=True, slots=True)
class PreviewPage:
    """What the template of the preview page is given."""

    preview_id: str
    status: str
    version: int
    is_mock_time: bool
    by: str
    kind: Kind | None
    """What kind of help it is, where that is more than a place for one thing."""
    said: str
    """What the person said, which led to it; empty = nothing."""
    title: str
    lead: str
    facts: tuple[str, ...]
    warnings: tuple[str, ...]
    notice: Notice | None
    question: Asked | None
    look: str
    """The look that follows up the answer while it goes on; empty = there is none."""
    pairs: tuple[Pair, ...]
    before_note: str
    after_note: str
    choices: tuple[Choice, ...]
    steps: tuple[Step, ...]
    risk: str
    kept: tuple[str, ...]
    """What the person prefers and its places respect, phrase by phrase."""
    broken: tuple[str, ...]
    """The same for what they do not respect."""
    inaction: str
    candidate_id: str
    confirm: str
    """Label of the confirm button; empty where there is nothing to confirm."""
    can_confirm: bool
    """Whether it would be written as things stand, as far as that is known."""
    can_ignore: bool
    keep: Keep | None
    written_at: str
    is_undone: bool
    move: Move | None
    estimate: int
    """The length that was only assumed, in sections; 0 where it was not, or nothing can be done."""
    guess: str
    """What was assumed, in words; empty where `estimate` is 0."""
    lengths: tuple[int, ...] = SECTIONS

    @property
    def marks(self) -> tuple[Mark, ...]:
        """What the legend has to explain."""
        grids = [grid for pair in self.pairs for grid in (pair.before, pair.after) if grid]
        seen = {mark for grid in grids for mark in grid.marks}
        return tuple(mark for mark in Mark if mark in seen)

    @property
    def title_parts(self) -> tuple[tuple[str, bool], ...]:
        """The title in pieces, with those marked that stay on one line."""
        return phrases(self.title)

    @property
    def choices_key(self) -> str:
        """What the candidates are headed with: places, or ways where they are of several kinds."""
        what = "ways" if any(one.is_kind for one in self.choices) else "choices"
        return f"preview.{what}_{len(self.choices)}"

    @property
    def is_live(self) -> bool:
        """Whether its state may still change while it is looked at."""
        return self.status in ("ready", "applying")
