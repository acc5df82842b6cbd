"""What has to hold of a student's rows after a candidate was applied, whatever it was."""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from datetime import datetime
from typing import Any

from sqlalchemy import text

from libs.db.database import Tx
from libs.planning import class_order
from libs.planning.calendar import Semester
from libs.planning.changes import Change, ChangeType
from libs.planning.grid import Block, Cell, Grid
from libs.planning.steps import frees_its_block
from services.active_scheduler.domain.case import Case
from services.active_scheduler.domain.options import OptionType
from services.active_scheduler.domain.preview import Candidate
from services.schedule.store import rows

_EVENTS = text("SELECT * FROM schedule_events WHERE user_id = :user_id")
_SECTIONS = text("SELECT * FROM schedules WHERE user_id = :user_id")

_MOVES = {
    "semester_id",
    "week",
    "day_of_week",
    "first_section",
    "last_section",
    "start_time",
    "end_time",
    "version",
    "placement_version",
}
_LEAVES = {"live", "removed_at", "version", "placement_version"}

Rows = Mapping[int, Mapping[str, Any]]


@dataclass(frozen=True, slots=True)
class Stored:
    """Everything that stands, or stood, of a student: blocks by id, and their sections."""

    events: Rows
    sections: tuple[Mapping[str, Any], ...]

    @property
    def live(self) -> tuple[Block, ...]:
        """The blocks that stand."""
        return tuple(rows.block(row) for row in self.events.values() if row["live"])


async def stored(tx: Tx, user_id: int) -> Stored:
    """What the database holds of a student."""
    events = [dict(row._mapping) for row in await tx.all(_EVENTS, user_id=user_id)]
    sections = [dict(row._mapping) for row in await tx.all(_SECTIONS, user_id=user_id)]
    return Stored({row["id"]: row for row in events}, tuple(sections))


def hold(found: Stored, semesters: tuple[Semester, ...], now: datetime) -> None:
    """No conflicts, embedding, the order of what lies ahead, and the sections of every block."""
    _each_cell_is_taken_once(found.live)
    _guests_lie_in_open_hosts(found.live)
    grid = Grid(semesters, ())
    ahead = [block for block in found.live if grid.starts_at(block.place) >= now]
    broken = class_order.broken(found.live, ahead, grid, now)
    assert not broken, [one.violation.reason for one in broken]
    wanted = {(block.id, block.host_id, cell) for block in found.live for cell in block.place.cells}
    assert {_section(row) for row in found.sections} == wanted


def judge(before: Stored, after: Stored, case: Case, candidate: Candidate) -> None:
    """That exactly the candidate was done, and nothing else."""
    freed = {one.target.id: one for one in candidate.changes if frees_its_block(one)}
    for id_, row in before.events.items():
        differing = {key for key in row if row[key] != after.events[id_][key]}
        if id_ not in freed:
            assert not differing, (id_, differing)
        elif freed[id_].to is None:
            assert differing == _LEAVES
        else:
            assert differing <= _MOVES, differing
            assert rows.block(after.events[id_]).place == freed[id_].to
    if case.block is not None:
        assert case.block.id not in freed
    made = sorted(after.events.keys() - before.events.keys())
    wanted = [one for one in candidate.changes if not frees_its_block(one)]
    assert len(made) == len(wanted)
    new = [rows.block(after.events[id_]) for id_ in made]
    assert sorted(block.place for block in new) == sorted(one.to for one in wanted if one.to)
    for block in new:
        assert block.source == case.facts.target.target
        assert block.makeup_for_id == (case.block.id if case.block else None)
        assert (block.class_id, block.order) == (
            case.facts.target.class_id,
            case.facts.target.order,
        )
    _ends_in_time(case, candidate)
    if candidate.type is OptionType.COMPRESS:
        _shares_the_block(before, candidate.changes)


def _ends_in_time(case: Case, candidate: Candidate) -> None:
    deadline, ends_at = case.facts.deadline_ahead, case.facts.world.grid.ends_at
    if deadline is None:
        return
    for change in candidate.changes:
        # What gives up a part of its own place ends when it did, whatever the other is due.
        gives = change.type is ChangeType.COMPRESS and change.from_ is not None
        assert gives or change.to is None or ends_at(change.to) <= deadline


def _shares_the_block(before: Stored, changes: tuple[Change, ...]) -> None:
    taker, giver = changes
    whole = rows.block(before.events[giver.target.id])
    mine, rest = taker.to, giver.to
    assert mine is not None
    assert rest is not None
    assert mine.length == whole.place.length // 2 >= 1
    assert rest.length >= 1
    assert (*mine.cells, *rest.cells) == whole.place.cells
    assert taker.host_id == giver.host_id == whole.host_id


def _each_cell_is_taken_once(live: tuple[Block, ...]) -> None:
    for is_guest in (False, True):
        cells = list(_cells(live, is_guest=is_guest))
        assert len(cells) == len(set(cells))


def _cells(live: tuple[Block, ...], *, is_guest: bool) -> Iterator[Cell]:
    for block in live:
        if (block.host_id is not None) == is_guest:
            yield from block.place.cells


def _guests_lie_in_open_hosts(live: tuple[Block, ...]) -> None:
    known = {block.id: block for block in live}
    for block in live:
        if block.host_id is not None:
            host = known[block.host_id]
            assert host.can_be_embedded
            assert host.place.contains(block.place)


def _section(row: Mapping[str, Any]) -> tuple[int, int | None, Cell]:
    cell = Cell(row["semester_id"], row["week"], row["day_of_week"], row["section"])
    return row["event_id"], row["host_event_id"], cell


def at_the_edge(candidate: Candidate, case: Case, now: datetime) -> bool:
    """Whether a place of a candidate has begun since it was made: then it is to be made again."""
    starts_at = case.facts.world.grid.starts_at
    return any(one.to is not None and starts_at(one.to) < now for one in candidate.changes)
