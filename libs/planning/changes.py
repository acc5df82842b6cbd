"""What may be asked of the schedule, and everything that decides about it."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from datetime import datetime
from enum import StrEnum

from libs.planning.calendar import Override, Semester
from libs.planning.grid import Block, Grid, Place, Target


class ChangeType(StrEnum):
    """The kinds of change a candidate or an edit can hold."""

    ADD = "add"
    CREATE_MAKEUP = "create_makeup"
    PLACE = "place"
    MOVE = "move"
    COMPRESS = "compress"
    EMBED = "embed"
    UNEMBED = "unembed"
    REMOVE = "remove"
    UNKNOWN = "unknown"
    """A kind that this version has no name for: the validator refuses it."""


@dataclass(frozen=True, slots=True)
class Change:
    """One step of a candidate; `change_id` is unique inside its batch.

    `to` is the place it fills, `from_` the one it frees, `host_id` the event it embeds into.
    `editable` lets a person choose another place of the same length before confirming.

    A compression is a pair: one change names the block that is shortened with `from_` and the
    rest of its place, the other what takes the part that it gives up, without `from_`.

    `restores` is said by an undo alone, never by a request: a move that gives a block its place,
    length and host back, even where it had left the schedule.
    """

    change_id: str
    type: ChangeType
    target: Target
    to: Place | None
    from_: Place | None = None
    host_id: int | None = None
    editable: bool = False
    restores: bool = False


@dataclass(frozen=True, slots=True)
class TargetFacts:
    """The truth about one target of the person; `title` is for people and decides nothing.

    An item has a class and its repaired order in it.
    """

    target: Target
    placement_version: int
    done: bool
    deadline: datetime | None
    estimated_sections: int | None
    title: str = ""
    class_id: int | None = None
    order: int | None = None


@dataclass(frozen=True, slots=True)
class World:
    """All that the validator and the base map may look at, of one person.

    `blocks` are the live events with overrides applied: every one of a touched day, every one
    whose source is a touched target, every one that a change names, and every one of a touched
    class. A target that is absent from `targets` is not the person's. `classes` holds the
    placement version of touched classes, `gone` blocks that left the schedule and may come back.
    """

    semesters: tuple[Semester, ...]
    blocks: tuple[Block, ...]
    targets: Mapping[Target, TargetFacts]
    overrides: tuple[Override, ...] = ()
    classes: Mapping[int, int] = field(default_factory=dict)
    gone: tuple[Block, ...] = ()
    _grid: Grid | None = field(default=None, init=False, repr=False, compare=False)

    @property
    def grid(self) -> Grid:
        """The grid of its blocks, built at the first use. Raises what Grid raises."""
        if self._grid is not None:
            return self._grid
        grid = Grid(self.semesters, self.blocks)
        object.__setattr__(self, "_grid", grid)
        return grid
