"""Where an editable change may go, place by place: what a person may drag it to.

Each place is judged as confirming it there would be: by the rules of an edit, and by the one
validator that apply asks. Nothing is decided here but which reason is the most telling.
Source: spec active-scheduling.md, Confirm and apply; planning.md, Grid (breaks may be bridged).
"""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from datetime import date, datetime, timedelta

from libs.planning.calendar import Semester
from libs.planning.changes import Change, World
from libs.planning.grid import Block, Place
from libs.planning.validation import RefusalCode, judge
from services.active_scheduler.domain import confirm, shut
from services.active_scheduler.domain.confirm import Edit
from services.active_scheduler.domain.errors import InvalidEdit
from services.active_scheduler.domain.facts import WINDOW
from services.active_scheduler.domain.preview import Candidate, Content
from services.active_scheduler.domain.shut import Shut, ShutCode

MOST_AHEAD = timedelta(days=7)
"""Beyond the window a place is offered up to the deadline, but not further than this."""


@dataclass(frozen=True, slots=True)
class Spot:
    """One place that the change might take; instants are absent where the day ends before it."""

    place: Place
    shut: Shut | None
    starts_at: datetime | None = None
    ends_at: datetime | None = None
    crosses_lunch: bool = False
    crosses_dinner: bool = False


@dataclass(frozen=True, slots=True)
class EditDay:
    """One date with a spot for each of its sections.

    `is_near` where the look or a candidate was about this date.
    """

    semester: Semester
    week: int
    day: int
    is_near: bool
    spots: tuple[Spot, ...] = ()

    @property
    def on(self) -> date:
        """The date itself."""
        return self.semester.date_of(self.week, self.day)

    @property
    def key(self) -> tuple[int, int, int]:
        """(semester_id, week, day)."""
        return self.semester.id, self.week, self.day


@dataclass(frozen=True, slots=True)
class Room:
    """Where one change may go. `blocked` is a reason that holds for every place, `blocks` is
    what stands on these days at `now`."""

    days: tuple[EditDay, ...]
    blocked: Shut | None
    blocks: tuple[Block, ...]
    now: datetime

    @property
    def legal(self) -> tuple[Place, ...]:
        """The places that are not shut, in order of time."""
        return tuple(spot.place for spot in _spots(self.days) if spot.shut is None)

    @property
    def semesters(self) -> tuple[Semester, ...]:
        """Those of the days, each once."""
        return tuple({day.semester.id: day.semester for day in self.days}.values())


@dataclass(frozen=True, slots=True)
class Asked:
    """Which change is to be moved, and where the other editable ones were put."""

    content: Content
    candidate: Candidate
    change_id: str
    edits: tuple[Edit, ...] = ()

    @property
    def length(self) -> int:
        """Its sections. Raises InvalidEdit for a change that nobody may move."""
        for change in self.candidate.changes:
            if change.change_id == self.change_id:
                if not change.editable or change.to is None:
                    raise InvalidEdit(self.change_id, "not_editable")
                return change.to.length
        raise InvalidEdit(self.change_id, "unknown_change")

    def edits_with(self, place: Place) -> tuple[Edit, ...]:
        """The edits of a confirmation that puts the change there."""
        others = (edit for edit in self.edits if edit.change_id != self.change_id)
        return (*others, Edit(self.change_id, place))


@dataclass(frozen=True, slots=True)
class Clocks:
    """The instants that places are judged at: apply's, and that of the confirmation before it."""

    apply: datetime
    confirm: datetime


def last_instant(content: Content, now: datetime) -> datetime:
    """Until when places are offered: the window, then on to a deadline that lies ahead, and
    wherever a candidate goes."""
    ends = [content.facts_at + WINDOW, *_ends(content)]
    deadline = content.deadline
    if deadline is not None and deadline > now:
        ends.append(min(deadline, content.facts_at + MOST_AHEAD))
    return max(ends)


def _ends(content: Content) -> Iterator[datetime]:
    """When the places of the candidates end."""
    for candidate in content.candidates:
        for change in candidate.changes:
            place = change.to
            semester = None if place is None else content.semester(place.semester_id)
            if place is not None and semester is not None:
                yield semester.ends_at(place.week, place.day, place.last)


def room(asked: Asked, world: World, clocks: Clocks, *, until: datetime) -> Room:
    """Every section of every day up to `until` as a place of the asked change.

    `world` holds every live block of these days. Raises InvalidEdit where the question itself
    allows no answer.
    """
    judging = _Judging(asked, world, clocks)
    length = asked.length
    days = tuple(
        replace(day, spots=tuple(_spot(judging, day, first, length) for first in _firsts(day)))
        for day in _days(asked.content, world, until)
    )
    days = _hosts_told(days)
    keys = {day.key for day in days}
    return Room(
        days,
        _blocked(days),
        tuple(sorted(_standing(world, keys), key=lambda block: (block.place, block.id))),
        clocks.apply,
    )


def _days(content: Content, world: World, until: datetime) -> Iterator[EditDay]:
    """Every date from the look on, in order of time."""
    touched = {
        change.to.on_day
        for candidate in content.candidates
        for change in candidate.changes
        if change.to is not None
    }
    for semester in world.grid.semesters:
        on = max(semester.today(content.facts_at), semester.first_day)
        last = min(semester.today(until), semester.last_day)
        near_until = semester.today(content.facts_at + WINDOW)
        while on <= last:
            week, day = semester.week_day_of(on)
            is_near = on <= near_until or (semester.id, week, day) in touched
            yield EditDay(semester, week, day, is_near)
            on += timedelta(days=1)


def _firsts(day: EditDay) -> range:
    return range(1, day.semester.clock.count + 1)


def _spot(judging: "_Judging", day: EditDay, first: int, length: int) -> Spot:
    place = Place(*day.key, first, first + length - 1)
    bell = day.semester.clock
    if place.last > bell.count:
        return Spot(place, Shut(ShutCode.TOO_LONG))
    starts_at, ends_at = day.semester.span(day.week, day.day, place.first, place.last)
    return Spot(
        place,
        judging.why_not(place, ends_at),
        starts_at,
        ends_at,
        crosses_lunch=place.first <= bell.lunch_after < place.last,
        crosses_dinner=place.first <= bell.dinner_after < place.last,
    )


@dataclass(frozen=True, slots=True)
class _Judging:
    asked: Asked
    world: World
    clocks: Clocks

    def why_not(self, place: Place, ends_at: datetime) -> Shut | None:
        """Why the change may not go to a place; None: it may."""
        asked = self.asked
        edits = asked.edits_with(place)
        try:
            wanted = confirm.request(asked.content, asked.candidate, edits, self.clocks.confirm)
        except InvalidEdit as error:
            if error.change_id != asked.change_id:
                raise
            # What stands in the way says more than a limit that lies behind it.
            return self._in_the_way(self._moved(edits), place) or self._no_edit(error, ends_at)
        refusals = judge(
            wanted.changes, self.world, now=self.clocks.apply, base=wanted.base or None
        )
        if not refusals:
            return None
        if refusals[0].code is RefusalCode.BASE_VERSION_CHANGED:
            return self._in_the_way(wanted.changes, place) or Shut(ShutCode.BASE_CHANGED)
        return shut.told(refusals, asked.change_id, place)

    def _in_the_way(self, changes: Sequence[Change], place: Place) -> Shut | None:
        """What the validator says to the changes, whatever they were made from."""
        refusals = judge(changes, self.world, now=self.clocks.apply)
        return shut.told(refusals, self.asked.change_id, place) if refusals else None

    def _moved(self, edits: Sequence[Edit]) -> tuple[Change, ...]:
        to = {edit.change_id: edit.to for edit in edits}
        return tuple(
            replace(change, to=to.get(change.change_id, change.to))
            for change in self.asked.candidate.changes
        )

    def _no_edit(self, error: InvalidEdit, ends_at: datetime) -> Shut:
        if error.problem == "deadline":
            limit_at = self.asked.content.deadline
            return Shut(ShutCode.DEADLINE, ends_at=ends_at, limit_at=limit_at)
        if error.problem == "out_of_semester":
            return Shut(ShutCode.OUT_OF_SEMESTER)
        return Shut(ShutCode.OTHER, detail=error.problem)


def _hosts_told(days: tuple[EditDay, ...]) -> tuple[EditDay, ...]:
    """A course that does take the change as a whole is not told as one that takes nothing."""
    legal = [spot.place for spot in _spots(days) if spot.shut is None]

    def told(spot: Spot) -> Spot:
        found = spot.shut
        if found is None or found.code is not ShutCode.COURSE or found.block is None:
            return spot
        host = found.block
        if not host.can_be_embedded or not any(host.place.contains(place) for place in legal):
            return spot
        return replace(spot, shut=Shut(ShutCode.HOST_PARTIAL, host))

    return tuple(replace(day, spots=tuple(told(spot) for spot in day.spots)) for day in days)


def _blocked(days: tuple[EditDay, ...]) -> Shut | None:
    """The reason that no other place helps against, where nothing is legal because of it."""
    found = [spot.shut for spot in _spots(days)]
    if None in found:
        return None
    return next((one for one in found if one is not None and one.code in shut.OF_NO_PLACE), None)


def _spots(days: Sequence[EditDay]) -> Iterator[Spot]:
    for day in days:
        yield from day.spots


def _standing(world: World, keys: set[tuple[int, int, int]]) -> Iterator[Block]:
    return (block for block in world.blocks if block.place.on_day in keys)
