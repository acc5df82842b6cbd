"""Where the tasks of a class are to lie at all: its dates and exclusions, and what a person wants.

Spec: planning.md, Rough build (exclusions), Health.
"""

from collections.abc import Mapping
from dataclasses import dataclass, field
from types import MappingProxyType

from libs.planning.grid import mask_of
from libs.planning.order import Span
from libs.planning.runs import run_starts


@dataclass(frozen=True, slots=True, eq=False)
class Allowance:
    """Where the tasks of a class are to lie at all: a mask of sections for each day of the window.

    `in_hosts`: also inside courses. What is looked for by itself stays within; what is asked for
    by name is judged by whoever asks.
    """

    cells: tuple[int, ...]
    in_hosts: bool = True
    first: int = field(init=False)
    last: int = field(init=False)

    def __post_init__(self) -> None:
        days = [day for day, cells in enumerate(self.cells, start=1) if cells]
        object.__setattr__(self, "first", min(days, default=1))
        object.__setattr__(self, "last", max(days, default=0))

    def starts(self, day: int, length: int) -> int:
        """Mask of the sections of a day from which a run of a length lies within."""
        return run_starts(self.cells[day - 1], length)

    def admits(self, span: Span, *, in_host: bool) -> bool:
        """Whether a place, inside a course or not, lies within."""
        if in_host and not self.in_hosts:
            return False
        return not mask_of(span.first, span.last) & ~self.cells[span.day - 1]


Allowances = Mapping[int | None, Allowance]
"""By class; None: tasks of no class. A class that is not there may lie anywhere."""

ANYWHERE: Allowances = MappingProxyType({})
