"""Study plans: classes of items that keep their learning order. Spec: planning.md."""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from datetime import date, datetime
from enum import StrEnum

from libs.planning.order import OrderRepair, RepairedOrders, repaired_orders
from libs.planning.rough_input import Strategy, item_length
from libs.planning.window import ClassDates

MOST_ITEMS = 300


class Mode(StrEnum):
    """Who places the items: a rough build, or the person one by one."""

    AUTO = "auto"
    MANUAL = "manual"


class SubjectType(StrEnum):
    """What kind of learning the items ask for."""

    QUANTITATIVE = "quantitative"
    MEMORY = "memory"
    READING = "reading"
    MIXED = "mixed"


class Level(StrEnum):
    """How hard it is, or how much it takes out of a person."""

    LOW = "low"
    MEDIUM = "medium"
    HIGH = "high"


@dataclass(frozen=True, slots=True)
class ClassFields:
    """What the owner of a class sets, its items aside.

    Dates may be missing, then nothing is planned; the end is not before the start. Pairs and
    days that are left out ascend. None of the last three means not said.
    """

    name: str
    mode: Mode = Mode.AUTO
    strategy: Strategy = Strategy.STEADY
    start: date | None = None
    end: date | None = None
    total_sections: int | None = None
    allow_filler_course: bool = False
    excluded_pairs: tuple[int, ...] = ()
    excluded_days: tuple[int, ...] = ()
    subject_type: SubjectType | None = None
    difficulty: Level | None = None
    intensity: Level | None = None

    def plans_otherwise_than(self, other: "ClassFields") -> bool:
        """Whether a plan made for `other` may be wrong for this one."""
        return self._planned() != other._planned()

    def _planned(self) -> "ClassFields":
        return replace(self, name="", subject_type=None, difficulty=None, intensity=None)


@dataclass(frozen=True, slots=True)
class ItemAsked:
    """An item as its owner states it; id 0 is a new one, no order means behind the others."""

    id: int
    content: str
    order: int | None = None
    done: bool = False


@dataclass(frozen=True, slots=True)
class Item:
    """An item as it is stored. `order` is repaired; `event_ids` are its live blocks, by time."""

    id: int
    content: str
    order: int
    done: bool = False
    placement_version: int = 0
    event_ids: tuple[int, ...] = ()

    def plans_otherwise_than(self, other: "Item") -> bool:
        """Whether order or done differ."""
        return (self.order, self.done) != (other.order, other.done)


@dataclass(frozen=True, slots=True)
class TaskClass:
    """A class as it is stored, its items in their order."""

    id: int
    fields: ClassFields
    items: tuple[Item, ...]
    version: int
    placement_version: int
    created_at: datetime

    @property
    def dates(self) -> ClassDates:
        """What a window is made from."""
        return ClassDates(self.id, self.fields.start, self.fields.end)

    @property
    def item_sections(self) -> int:
        """Sections of one item: the whole shared out and rounded down, at least 1."""
        return item_length(self.fields.total_sections, len(self.items)).sections


@dataclass(frozen=True, slots=True)
class Arranged:
    """Items in their order, and what of the orders had to be repaired."""

    items: tuple[Item, ...]
    repairs: tuple[OrderRepair, ...]


def arrange(asked: Sequence[ItemAsked], ids: Sequence[int]) -> Arranged:
    """Gives every item an order of its own; `ids` are theirs, new ones drawn.

    Orders that are all there and different stay. Otherwise the items are counted from 1: by
    order, those without one behind, equal ones as they are listed. No order at all is the order
    of the list, and nothing to repair.
    """
    given: Mapping[int, int | None] = {n: one.order for n, one in enumerate(asked)}
    repaired = repaired_orders(given)
    if all(order is None for order in given.values()):
        repaired = RepairedOrders(repaired.of)
    items = [
        Item(id_, one.content, repaired.of[n], one.done)
        for n, (id_, one) in enumerate(zip(ids, asked, strict=True))
    ]
    return Arranged(
        items=in_order(items),
        repairs=tuple(replace(one, item_id=ids[one.item_id]) for one in repaired.repairs),
    )


def in_order(items: Iterable[Item]) -> tuple[Item, ...]:
    """By their order."""
    return tuple(sorted(items, key=lambda item: (item.order, item.id)))
