"""Why a confirmation was refused, in words, and what can be done about it."""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from datetime import datetime
from itertools import groupby

from services.gateway.domain.locale import Locale
from services.gateway.domain.messages import has, say
from services.gateway.domain.places import Spot
from services.gateway.domain.places import place as place_words
from services.gateway.wire.calendar import Calendar
from smartmate.active_scheduler.v1 import preview_pb2
from smartmate.schedule.v1 import apply_pb2, calendar_pb2

# Another place may still be confirmed after these; after the others it makes no difference.
_ELSEWHERE = frozenset(
    {
        apply_pb2.REFUSAL_CODE_BASE_VERSION_CHANGED,
        apply_pb2.REFUSAL_CODE_SLOT_CONFLICT,
        apply_pb2.REFUSAL_CODE_ORDER_VIOLATION,
        apply_pb2.REFUSAL_CODE_IN_THE_PAST,
        apply_pb2.REFUSAL_CODE_OUT_OF_SEMESTER,
        apply_pb2.REFUSAL_CODE_INVALID_EDITED_CHANGES,
    }
)
_AGAIN = frozenset({apply_pb2.REFUSAL_CODE_EXPIRED})


@dataclass(frozen=True, slots=True)
class RefusalWords:
    """Speaks of the refusals of one preview; `names` are those of the blocks that are known."""

    locale: Locale
    calendar: Calendar
    now: datetime
    preview: preview_pb2.Preview
    names: Mapping[int, str] = field(default_factory=dict)

    def head(self, refusal: apply_pb2.Refusal) -> str:
        """What happened, in one line."""
        code = apply_pb2.RefusalCode.Name(refusal.code).removeprefix("REFUSAL_CODE_").lower()
        spot = self._spot(refusal)
        key = f"refusal.{code}"
        if code == "base_version_changed" and spot is None:
            key = f"{key}_nowhere"
        elif not refusal.event_name and has(f"{key}_nameless"):
            key = f"{key}_nameless"
        if not has(key):
            key = "refusal.base_version_changed_nowhere"
        return say(
            self.locale,
            key,
            place=self._place(spot),
            name=refusal.event_name,
            title=self.preview.target_title,
        )

    def more(self, refusal: apply_pb2.Refusal) -> str:
        """What came in, that nothing changed, and what can be done."""
        parts = []
        if refusal.code == apply_pb2.REFUSAL_CODE_BASE_VERSION_CHANGED and refusal.event_name:
            parts.append(say(self.locale, "refusal.came_in", name=refusal.event_name))
        parts.append(say(self.locale, "refusal.unchanged"))
        if refusal.code in _ELSEWHERE and len(self.preview.candidates) > 1:
            parts.append(say(self.locale, "refusal.choose_another"))
        elif refusal.code in _AGAIN:
            parts.append(say(self.locale, "refusal.confirm_again"))
        return "".join(parts)

    def lines(self, refusal: apply_pb2.Refusal) -> tuple[str, ...]:
        """What is not as it was, entry by entry; cells that changed alike are one."""
        cells = [one for one in refusal.base_entries if cell_of(one.key) is not None]
        rooms = {one.key.partition(":")[0]: one for one in refusal.base_entries if one not in cells}
        told = [self._cells(run) for run in _runs(cells)]
        for room in rooms:
            key = f"refusal.entry_{_ROOMS.get(room, 'target')}"
            told.append(say(self.locale, key, title=self.preview.target_title))
        return tuple(dict.fromkeys(told))

    def _cells(self, run: Sequence[apply_pb2.BaseEntryChange]) -> str:
        place, name = self._place(self.calendar.spot(_place_of(run))), self._came_in(run[0])
        if name:
            return say(self.locale, "refusal.entry_came_in", place=place, name=name)
        return say(self.locale, "refusal.entry_changed", place=place)

    def _came_in(self, entry: apply_pb2.BaseEntryChange) -> str:
        """The name of what stands in a cell now and did not before."""
        before = set(_ids(entry.expected))
        new = [id_ for id_ in _ids(entry.actual) if id_ not in before]
        return next((self.names[id_] for id_ in new if self.names.get(id_)), "")

    def _place(self, spot: Spot | None) -> str:
        if spot is None:
            return say(self.locale, "refusal.this_place")
        return place_words(self.locale, spot, today=self.calendar.today(self.now))

    def _spot(self, refusal: apply_pb2.Refusal) -> Spot | None:
        if refusal.HasField("place"):
            return self.calendar.spot(refusal.place)
        taken = [one for one in refusal.base_entries if one.expected == _EMPTY]
        for run in _runs([one for one in taken if cell_of(one.key) is not None]):
            return self.calendar.spot(_place_of(run))
        return None


_EMPTY = "empty"
_ROOMS = {
    "semester": "calendar",
    "override": "calendar",
    "target_events": "scheduled",
    "schedule_event": "host",
}
"""What an entry of a base is about, where it is no cell and not the target itself."""


def _runs(
    cells: Sequence[apply_pb2.BaseEntryChange],
) -> Iterator[Sequence[apply_pb2.BaseEntryChange]]:
    """Cells of one day that changed alike and stand one behind the other."""

    def numbers(entry: apply_pb2.BaseEntryChange) -> tuple[int, ...]:
        return tuple(map(int, entry.key.split(":")[1:]))

    ordered = sorted(cells, key=numbers)
    places = {one.key: index for index, one in enumerate(ordered)}

    def alike(entry: apply_pb2.BaseEntryChange) -> tuple[object, ...]:
        *day, section = numbers(entry)
        return (*day, entry.expected, entry.actual, section - places[entry.key])

    for _, run in groupby(ordered, key=alike):
        yield tuple(run)


def _place_of(run: Sequence[apply_pb2.BaseEntryChange]) -> calendar_pb2.Place:
    first, last = cell_of(run[0].key), cell_of(run[-1].key)
    if first is None or last is None:
        raise AssertionError("a run is made of cells")
    first.last_section = last.last_section
    return first


def _ids(value: str) -> Iterator[int]:
    """The ids of blocks in a value of a base: `8:1+9:1`."""
    for part in value.split("+"):
        id_ = part.partition(":")[0]
        if id_.isdecimal():
            yield int(id_)


def cell_of(key: str) -> calendar_pb2.Place | None:
    """The place of a base entry `cell:<semester>:<week>:<day>:<section>`, None for other ones."""
    kind, *numbers = key.split(":")
    if kind != "cell" or len(numbers) != 4 or not all(part.isdecimal() for part in numbers):
        return None
    semester_id, week, day, section = (int(part) for part in numbers)
    return calendar_pb2.Place(
        semester_id=semester_id,
        week=week,
        day_of_week=day,
        first_section=section,
        last_section=section,
    )
