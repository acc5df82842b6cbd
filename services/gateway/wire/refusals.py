"""Why a confirmation was refused, in words, and what can be done about it."""

from dataclasses import dataclass
from datetime import datetime

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
    """Speaks of the refusals of one preview."""

    locale: Locale
    calendar: Calendar
    now: datetime
    preview: preview_pb2.Preview

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

    def _place(self, spot: Spot | None) -> str:
        if spot is None:
            return say(self.locale, "refusal.this_place")
        return place_words(self.locale, spot, today=self.calendar.today(self.now))

    def _spot(self, refusal: apply_pb2.Refusal) -> Spot | None:
        if refusal.HasField("place"):
            return self.calendar.spot(refusal.place)
        for entry in refusal.base_entries:
            place = cell_of(entry.key)
            if place is not None:
                return self.calendar.spot(place)
        return None


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
