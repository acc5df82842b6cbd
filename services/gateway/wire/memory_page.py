"""Everything that the page of what is remembered shows."""

from collections.abc import Iterable
from dataclasses import dataclass
from datetime import datetime
from zoneinfo import ZoneInfo

from services.gateway.domain import places
from services.gateway.domain.locale import Locale
from services.gateway.domain.messages import say
from services.gateway.domain.moments import moment
from services.gateway.wire.calendar import instant
from services.gateway.wire.memory_form import MOST_SECTIONS, TYPES
from smartmate.agent.v1 import memory_pb2

_DAYS = range(1, 8)


@dataclass(frozen=True, slots=True)
class MemoryLine:
    """One thing that is remembered; `when` says which days and sections it is about."""

    memory_id: int
    kind: str
    text: str
    when: str
    noted: str


@dataclass(frozen=True, slots=True)
class Choices:
    """What can be chosen in the form, as (value, words)."""

    types: tuple[tuple[str, str], ...]
    days: tuple[tuple[int, str], ...]
    sections: tuple[tuple[str, str], ...]


@dataclass(frozen=True, slots=True)
class Speaker:
    """Tells of what is remembered."""

    locale: Locale
    zone: ZoneInfo
    now: datetime

    def lines(self, items: Iterable[memory_pb2.MemoryItem]) -> tuple[MemoryLine, ...]:
        """The lines, in the order in which they came."""
        return tuple(
            MemoryLine(one.memory_id, self._kind(one), one.text, self._when(one), self._noted(one))
            for one in items
        )

    @property
    def choices(self) -> Choices:
        """What can be chosen in the form."""
        sections = ((str(n), self._say("memory.section", n=n)) for n in range(1, MOST_SECTIONS + 1))
        return Choices(
            types=tuple((name, self._say(_key(name))) for name in TYPES),
            days=tuple((day, places.weekday(self.locale, day)) for day in _DAYS),
            sections=(("0", self._say("memory.any")), *sections),
        )

    def _kind(self, one: memory_pb2.MemoryItem) -> str:
        return self._say(_key(memory_pb2.MemoryType.Name(one.type)))

    def _when(self, one: memory_pb2.MemoryItem) -> str:
        joint = ", " if self.locale is Locale.EN else "、"
        days = joint.join(places.weekday(self.locale, day) for day in one.days_of_week)
        if not one.first_section:
            return days
        sections = places.sections(self.locale, one.first_section, one.last_section)
        return f"{days or self._say('memory.every_day')} {sections}"

    def _noted(self, one: memory_pb2.MemoryItem) -> str:
        is_changed = one.update_time.ToMicroseconds() > one.create_time.ToMicroseconds()
        at = one.update_time if is_changed else one.create_time
        told = moment(self.locale, instant(at), self.zone, now=self.now)
        return self._say("memory.changed" if is_changed else "memory.put", time=told)

    def _say(self, key: str, **values: object) -> str:
        return say(self.locale, key, **values)


def _key(name: str) -> str:
    return f"memory.type_{name.removeprefix('MEMORY_TYPE_').lower()}"
