"""A plan as it is stored: which rows it rests on, and what stands otherwise than it was loaded.

The rows are kept as they came, elsewhere. Spec: tools.md, State; agent.md.
"""

from dataclasses import dataclass

from libs.planning.state import Status
from services.agent.domain.scope import Scope

Number = tuple[str, int, int]
"""What a number stands for: ("course" | "event" | "task_item", id, number)."""


@dataclass(frozen=True, slots=True)
class Counts:
    """Tasks of a plan by status; courses are none."""

    pending: int
    suggested: int
    existing: int


@dataclass(frozen=True, slots=True)
class Load:
    """Which stored rows a plan rests on."""

    run_id: str
    number: int


@dataclass(frozen=True, slots=True)
class Placed:
    """A task that stands otherwise than it was loaded; (day, first, last) of its blocks."""

    state_id: int
    status: Status
    slots: tuple[tuple[int, int, int], ...] = ()
    embed_host: int | None = None
    embedded_by: tuple[int, ...] = ()


@dataclass(frozen=True, slots=True)
class Drawn:
    """The plan of a run without its rows."""

    load: Load
    scope: Scope
    numbers: tuple[Number, ...]
    placed: tuple[Placed, ...]
