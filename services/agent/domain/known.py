"""What the schedule service tells that is no plan: classes, rough builds, verdicts."""

from collections.abc import Mapping
from dataclasses import dataclass
from datetime import date, datetime

from libs.planning.grid import Place


@dataclass(frozen=True, slots=True)
class ClassBrief:
    """A task class, as far as choosing it needs; `waiting` items have no place and are not done.

    `by_hand`: the person places its items; a rough build leaves it alone.
    """

    id: int
    name: str
    start: date | None
    end: date | None
    items: int
    waiting: int
    by_hand: bool = False


@dataclass(frozen=True, slots=True)
class TaskBrief:
    """A task of the pool; `priority` is its quadrant as it reads now."""

    id: int
    title: str
    priority: int
    deadline_at: datetime | None
    sections: int | None
    done: bool


@dataclass(frozen=True, slots=True)
class NewTask:
    """A task to be: quadrant 1..4, sections 1..4 where estimated."""

    title: str
    quadrant: int
    deadline_at: datetime | None = None
    threshold_at: datetime | None = None
    sections: int | None = None


@dataclass(frozen=True, slots=True)
class ItemState:
    """An item of a class, as it is stated: id 0 for a new one."""

    id: int
    content: str
    done: bool = False


@dataclass(frozen=True, slots=True)
class ClassState:
    """A class as its owner states it, for replacing it; id 0 for a new one. `kept` is what this
    service changes nothing of, as it came."""

    id: int
    name: str
    start: date | None
    end: date | None
    total_sections: int
    excluded_days: tuple[int, ...]
    items: tuple[ItemState, ...]
    version: int = 0
    kept: bytes = b""


@dataclass(frozen=True, slots=True)
class LeftOut:
    """A class that a plan leaves out: why for programs, e.g. dates_missing, and in Chinese."""

    class_id: int
    name: str
    code: str
    reason: str


@dataclass(frozen=True, slots=True)
class RoughBuilt:
    """What a rough build came to: a place for each item, or why some have none.

    `explanation` is for people; empty where every item has a place.
    """

    placements: tuple[tuple[int, Place], ...]
    unplaced: tuple[int, ...]
    explanation: str
    left_out: tuple[LeftOut, ...] = ()


@dataclass(frozen=True, slots=True)
class Refusal:
    """Why a change was not accepted: a code for programs, a reason in Chinese for people."""

    code: str
    change_id: str
    reason: str


@dataclass(frozen=True, slots=True)
class Checked:
    """Whether changes would be accepted now, and the base that they rest on then."""

    refusals: tuple[Refusal, ...]
    base: Mapping[str, str]


@dataclass(frozen=True, slots=True)
class Verdict:
    """How an apply ended; it never changes."""

    apply_id: str
    applied: bool
    refusals: tuple[Refusal, ...] = ()
