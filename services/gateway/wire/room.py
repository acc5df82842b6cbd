"""Where a change may go, in words: the places to choose from, and why the others are shut."""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from datetime import date
from functools import cached_property
from typing import Any

from google.protobuf.timestamp_pb2 import Timestamp

from services.gateway.domain.locale import Locale
from services.gateway.domain.messages import say
from services.gateway.domain.places import day_of_month, moment, place, weekday
from services.gateway.wire import edits
from services.gateway.wire.as_json import to_json
from services.gateway.wire.calendar import Calendar, instant
from smartmate.active_scheduler.v1 import active_scheduler_service_pb2, edit_pb2
from smartmate.schedule.v1 import calendar_pb2

WORDS = {
    "type": "object",
    "description": "The spot in the language of the request",
    "required": ["place", "time", "why", "note"],
    "properties": {
        "place": {"type": "string", "description": "周二 3–4 节"},
        "time": {"type": "string", "description": "10:15–11:55; empty where the day ends before"},
        "why": {"type": "string", "description": "Why it is shut; empty where it is not"},
        "note": {"type": "string", "description": "What to know of it; may be empty"},
    },
}
"""What the gateway adds to each spot of the answer, as a schema."""


@dataclass(frozen=True, slots=True)
class Option:
    """One legal place of a select list."""

    value: str
    text: str
    chosen: bool


@dataclass(frozen=True, slots=True)
class Options:
    """The legal places of one day."""

    day: str
    options: tuple[Option, ...]


_SAID = {
    "lifted": ("place",),
    "can": ("place", "time"),
    "can_noted": ("place", "time", "note"),
    "cannot": ("place", "why"),
    "dropped": ("place", "time"),
    "not_moved": ("why",),
    "put_back": (),
    "unknown": (),
    "looking": (),
    "nowhere": ("why",),
}
"""What is said while a block is moved, and what is filled in then."""


@dataclass(frozen=True, slots=True)
class Move:
    """The block that may be put elsewhere: where it is and was proposed, as edits, and where it
    may go. `label` is the confirm button with {place}, empty where it names no place; `said` is
    what is said while it is moved."""

    change_id: str
    at: str
    home: str
    place: str
    label: str
    options: tuple[Options, ...]
    blocked: str
    said: Mapping[str, str]

    @property
    def edited(self) -> bool:
        """The person has put it elsewhere."""
        return self.at != self.home

    @property
    def is_offered(self) -> bool:
        """Whether the place where it is can be had."""
        return any(one.chosen for day in self.options for one in day.options)


@dataclass(frozen=True)
class Room:
    """One answer about one change, spoken of in one language."""

    locale: Locale
    answer: active_scheduler_service_pb2.CheckEditsResponse

    def is_legal(self, at: calendar_pb2.Place) -> bool:
        """Whether the change may go there."""
        return at in self.answer.legal_places

    def why_not(self, at: calendar_pb2.Place) -> edit_pb2.ShutReason | None:
        """Why the change may not go there; None where it may, or nobody knows."""
        if self.answer.HasField("blocked"):
            return self.answer.blocked
        spots = (spot for day in self.answer.days for spot in day.spots)
        return next((one.shut for one in spots if one.place == at and one.HasField("shut")), None)

    @property
    def blocked(self) -> str:
        """Why it may go nowhere, where that lies in no place; else empty."""
        found = self.answer.blocked
        return self._why(found, 0) if self.answer.HasField("blocked") else ""

    def options(self, change_id: str, at: calendar_pb2.Place) -> tuple[Options, ...]:
        """The places to choose from, day by day; `at` is the chosen one."""
        days = ((day, tuple(self._options(day, change_id, at))) for day in self.answer.days)
        return tuple(Options(self._day(day), found) for day, found in days if found)

    @property
    def said(self) -> dict[str, str]:
        """The sentences of a move, to be filled in by the page."""
        return {
            name: say(self.locale, f"move.{name}", **{value: f"{{{value}}}" for value in values})
            for name, values in _SAID.items()
        }

    def as_json(self) -> dict[str, Any]:
        """The answer with `words` for each spot and for what blocks all of them."""
        made = to_json(self.answer)
        for day, told in zip(self.answer.days, made["days"], strict=True):
            for spot, data in zip(day.spots, told["spots"], strict=True):
                data["words"] = self._words(spot)
        return made

    def _options(
        self, day: edit_pb2.EditDay, change_id: str, at: calendar_pb2.Place
    ) -> Iterator[Option]:
        for spot in day.spots:
            if not spot.HasField("shut"):
                value = edits.word_of(change_id, spot.place)
                yield Option(value, self._option_words(spot), spot.place == at)

    def _option_words(self, spot: edit_pb2.EditSpot) -> str:
        words = self._words(spot)
        parts = (words["place"], words["time"], words["note"])
        return " · ".join(part for part in parts if part)

    def _day(self, day: edit_pb2.EditDay) -> str:
        at = calendar_pb2.Place(
            semester_id=day.semester_id,
            week=day.week,
            day_of_week=day.day_of_week,
            first_section=1,
            last_section=1,
        )
        spot = self._calendar.spot(at)
        on = day_of_month(self.locale, spot.on) if spot else day.date
        return f"{weekday(self.locale, day.day_of_week)} {on}"

    def _words(self, spot: edit_pb2.EditSpot) -> dict[str, str]:
        found = self._calendar.spot(spot.place)
        length = spot.place.last_section - spot.place.first_section + 1
        return {
            "place": place(self.locale, found, today=self._today) if found else "",
            "time": self._calendar.time_range(spot.place),
            "why": self._why(spot.shut, length) if spot.HasField("shut") else "",
            "note": self._note(spot),
        }

    def _why(self, shut: edit_pb2.ShutReason, length: int) -> str:
        name = edit_pb2.ShutCode.Name(shut.code).removeprefix("SHUT_CODE_").lower()
        return say(
            self.locale,
            f"shut.{name}",
            name=shut.event_name,
            n=length,
            time=self._moment(shut.end_time) if shut.HasField("end_time") else "",
            due=self._moment(shut.limit_time) if shut.HasField("limit_time") else "",
        )

    def _note(self, spot: edit_pb2.EditSpot) -> str:
        crossed = [
            say(self.locale, f"shut.crosses_{name}")
            for name, crosses in (("lunch", spot.crosses_lunch), ("dinner", spot.crosses_dinner))
            if crosses
        ]
        return " · ".join(crossed)

    def _moment(self, at: Timestamp) -> str:
        return moment(self.locale, instant(at), self._calendar.zone, today=self._today)

    @cached_property
    def _calendar(self) -> Calendar:
        return Calendar(self.answer.semesters)

    @cached_property
    def _today(self) -> date:
        return self._calendar.today(instant(self.answer.now_time))
