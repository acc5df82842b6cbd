"""The base of a candidate: the facts it was made from, as a flat map of strings.

It is made with the preview and again by apply; equal maps mean that nothing the candidate
touches has changed. Names, titles and everything elsewhere are no part of it.
Spec: active-scheduling.md, Preview.
"""

from collections.abc import Callable, Collection, Iterable, Mapping
from dataclasses import dataclass
from datetime import date

from libs.planning.changes import Change, World
from libs.planning.grid import Block, Cell, Place, Target, TargetKind
from libs.planning.steps import frees_its_block, sources

ABSENT = "absent"
EMPTY = "empty"
NONE = "none"

_CLASS = "task_class"


@dataclass(frozen=True, slots=True, order=True)
class BaseEntryDiff:
    """One entry that is no longer what it was."""

    key: str
    expected: str
    actual: str


def key_of_cell(cell: Cell) -> str:
    """`cell:<semester>:<week>:<day>:<section>`."""
    return f"cell:{cell.semester_id}:{cell.week}:{cell.day}:{cell.section}"


def key_of_override(on: date) -> str:
    """`override:<date>`."""
    return f"override:{on.isoformat()}"


def touched_cells(changes: Iterable[Change], world: World) -> frozenset[Cell]:
    """Every cell of a semester that a change fills or frees."""
    return frozenset(cell for place in _touched(changes, world) for cell in place.cells)


def touched_dates(changes: Iterable[Change], world: World) -> frozenset[date]:
    """Every date on which a change fills or frees a cell."""
    return frozenset(
        semester.date_of(place.week, place.day)
        for place in _touched(changes, world)
        if (semester := world.grid.semester(place.semester_id)) is not None
    )


def base_map(changes: Iterable[Change], world: World) -> dict[str, str]:
    """The base of these changes, sorted by key.

    Keys: `cell:…` of every cell filled or freed, `<kind>:<id>` and `target_events:<kind>:<id>`
    of every target and of what a named block was placed for, `task_class:<id>` of their classes,
    `schedule_event:<id>` of every host, `semester:<id>`, `override:<date>`. A place that no
    semester holds adds only its semester.
    """
    changes = tuple(changes)
    keys = {key_of_cell(cell) for cell in touched_cells(changes, world)}
    keys |= {key_of_override(on) for on in touched_dates(changes, world)}
    for target in {*(change.target for change in changes), *sources(changes, world)}:
        name = f"{target.kind}:{target.id}"
        keys |= {name, f"target_events:{name}"}
        facts = world.targets.get(target)
        if facts is not None and facts.class_id is not None:
            keys.add(f"{_CLASS}:{facts.class_id}")
    for change in changes:
        keys |= {f"semester:{place.semester_id}" for place in _places(change)}
        if change.host_id is not None:
            keys.add(f"{TargetKind.SCHEDULE_EVENT}:{change.host_id}")
    return {key: value_of(key, world) for key in sorted(keys)}


def value_of(key: str, world: World) -> str:
    """What the world says now for one key of a base; `absent` for a key it does not know."""
    room, _, rest = key.partition(":")
    read = _READERS.get(room)
    if read is None:
        return ABSENT
    try:
        return read(rest, world)
    except ValueError:
        return ABSENT


def differing(expected: Mapping[str, str], actual: Mapping[str, str]) -> tuple[BaseEntryDiff, ...]:
    """The entries of `expected` that `actual` holds otherwise, by key; missing is `absent`."""
    return tuple(
        BaseEntryDiff(key, value, actual.get(key, ABSENT))
        for key, value in sorted(expected.items())
        if actual.get(key, ABSENT) != value
    )


def base_after_edit(
    base: Mapping[str, str],
    *,
    kept_cells: Collection[Cell],
    kept_dates: Collection[date] | None = None,
) -> dict[str, str]:
    """What of a base still binds after an edit: cells that were left drop out, rows stay.

    Cells that the edit newly fills are not added: the validator alone judges them. Where
    `kept_dates` is given, overrides of other dates drop out as well.
    """
    cells = {key_of_cell(cell) for cell in kept_cells}
    dates = None if kept_dates is None else {key_of_override(on) for on in kept_dates}

    def binds(key: str) -> bool:
        if key.startswith("cell:"):
            return key in cells
        return dates is None or not key.startswith("override:") or key in dates

    return {key: value for key, value in sorted(base.items()) if binds(key)}


def _places(change: Change) -> tuple[Place, ...]:
    return tuple(place for place in (change.to, change.from_) if place is not None)


def _touched(changes: Iterable[Change], world: World) -> tuple[Place, ...]:
    changes = tuple(changes)
    found = [place for change in changes for place in _places(change) if world.grid.has(place)]
    freed = {change.target.id for change in changes if frees_its_block(change)}
    found += [block.place for block in world.blocks if block.id in freed]
    return tuple(found)


def _cell(rest: str, world: World) -> str:
    semester_id, week, day, section = map(int, rest.split(":"))
    occupants = world.grid.occupants(Cell(semester_id, week, day, section))
    return "+".join(f"{block.id}:{block.placement_version}" for block in occupants) or EMPTY


def _semester(rest: str, world: World) -> str:
    semester = world.grid.semester(int(rest))
    return ABSENT if semester is None else str(semester.version)


def _override(rest: str, world: World) -> str:
    on = date.fromisoformat(rest)
    versions = [override.version for override in world.overrides if override.on == on]
    return str(max(versions)) if versions else NONE


def _task_class(rest: str, world: World) -> str:
    version = world.classes.get(int(rest))
    return ABSENT if version is None else str(version)


def _target_events(rest: str, world: World) -> str:
    kind, _, number = rest.partition(":")
    target = Target(TargetKind(kind), int(number))
    ids = sorted({block.id for block in world.blocks if block.source == target})
    return ",".join(map(str, ids)) or NONE


def _row(kind: TargetKind) -> Callable[[str, World], str]:
    def read(rest: str, world: World) -> str:
        target = Target(kind, int(rest))
        facts = world.targets.get(target)
        if facts is not None:
            return str(facts.placement_version)
        events: Iterable[Block] = world.blocks if kind is TargetKind.SCHEDULE_EVENT else ()
        versions = [block.placement_version for block in events if block.id == target.id]
        return str(max(versions)) if versions else ABSENT

    return read


_READERS: dict[str, Callable[[str, World], str]] = {
    "cell": _cell,
    "semester": _semester,
    "override": _override,
    _CLASS: _task_class,
    "target_events": _target_events,
    **{kind.value: _row(kind) for kind in TargetKind},
}
