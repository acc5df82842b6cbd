"""What an apply did to each block: kept with its verdict, so that it can be taken back."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from libs.planning.grid import Place


@dataclass(frozen=True, slots=True)
class Standing:
    """Where a block stands, and in which host."""

    place: Place
    host_id: int | None = None


@dataclass(frozen=True, slots=True)
class Effect:
    """One block: `before` None where it was not there, `after` None where it left.

    `version` is its placement version right after the apply: whatever matters to a plan and came
    later has raised it.
    """

    event_id: int
    before: Standing | None
    after: Standing | None
    version: int


def to_json(effects: Sequence[Effect]) -> list[dict[str, Any]]:
    """The stored form, as JSON values."""
    return [
        {
            "event_id": one.event_id,
            "before": _stated(one.before),
            "after": _stated(one.after),
            "version": one.version,
        }
        for one in effects
    ]


def effects_of(stored: Sequence[Mapping[str, Any]]) -> tuple[Effect, ...]:
    """What `to_json` gave, once it was stored."""
    return tuple(
        Effect(one["event_id"], _read(one["before"]), _read(one["after"]), one["version"])
        for one in stored
    )


def _stated(standing: Standing | None) -> list[int | None] | None:
    if standing is None:
        return None
    place = standing.place
    return [
        place.semester_id,
        place.week,
        place.day,
        place.first,
        place.last,
        standing.host_id,
    ]


def _read(stored: Sequence[Any] | None) -> Standing | None:
    return Standing(Place(*stored[:5]), stored[5]) if stored else None
