"""What a person wants to be remembered: as a program says it, and as a form is filled in."""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Literal

from pydantic import Field

from services.gateway.wire.bodies import Body, Int32, Key
from services.gateway.wire.entered import Problems, Refused
from smartmate.agent.v1 import agent_service_pb2, memory_pb2

LONGEST = 500
MOST_SECTIONS = 14
TYPES = ("MEMORY_TYPE_PREFERENCE", "MEMORY_TYPE_CONSTRAINT", "MEMORY_TYPE_FACT")
TypeName = Literal["MEMORY_TYPE_PREFERENCE", "MEMORY_TYPE_CONSTRAINT", "MEMORY_TYPE_FACT"]
_YES = "yes"
_DAYS: Mapping[str, int] = {f"day-{n}": n for n in range(1, 8)}

FIELDS: Mapping[str, tuple[str, str]] = {
    "type": ("type", "problem.memory_type"),
    "text": ("text", "problem.memory_text"),
    "days_of_week": ("days", "problem.memory_days"),
    "first_section": ("first", "problem.memory_sections"),
    "last_section": ("last", "problem.memory_sections"),
}


class MemoryBody(Body):
    """One thing to be remembered; days and sections say when it is about."""

    type: TypeName
    text: str = Field(min_length=1, max_length=LONGEST)
    days_of_week: tuple[Int32, ...] = Field((), max_length=7, description="1 Monday to 7 Sunday")
    first_section: Int32 = Field(0, description="0 = any section")
    last_section: Int32 = 0

    def message(self, key: str, memory_id: int = 0) -> agent_service_pb2.PutMemoryRequest:
        """The request of one attempt; of nothing that is there where no id is given."""
        return agent_service_pb2.PutMemoryRequest(
            request_id=key, memory_id=memory_id, **self.model_dump()
        )


class MemoryForm(Body):
    """The fields as they are entered; days are the numbers that are ticked."""

    type: str = Field(TYPES[0], max_length=100)
    text: str = Field("", max_length=20_000)
    days: tuple[int, ...] = ()
    first: str = Field("0", max_length=100)
    last: str = Field("0", max_length=100)
    idempotency_key: Key = None


@dataclass(frozen=True, slots=True)
class Shown:
    """A form as the template is given it."""

    form: MemoryForm
    problems: Mapping[str, str]

    def problem(self, name: str) -> str:
        """What is wrong at a field, or nothing."""
        return self.problems.get(name, "")


def fields(given: Mapping[str, str]) -> dict[str, object]:
    """The fields of the form as the model has them: the ticks `day-3` together."""
    kept: dict[str, object] = {name: value for name, value in given.items() if name not in _DAYS}
    kept["days"] = tuple(n for name, n in _DAYS.items() if given.get(name) == _YES)
    return kept


def of_item(found: memory_pb2.MemoryItem) -> MemoryForm:
    """What is remembered, as it is entered."""
    return MemoryForm(
        type=memory_pb2.MemoryType.Name(found.type),
        text=found.text,
        days=tuple(found.days_of_week),
        first=str(found.first_section),
        last=str(found.last_section),
    )


def message(form: MemoryForm, key: str, memory_id: int = 0) -> agent_service_pb2.PutMemoryRequest:
    """What is asked of the service. Raises Refused.

    One section alone may be named by either end.
    """
    problems, text = Problems(), form.text.strip()
    if not 1 <= len(text) <= LONGEST:
        problems.add("text", "problem.memory_text" if text else "problem.memory_empty")
    if form.type not in TYPES:
        problems.add("type", "problem.memory_type")
    first, last = _section(form.first), _section(form.last)
    if first is None or last is None or (first and last and last < first):
        problems.add("last", "problem.memory_sections")
    if problems.keys:
        raise Refused(problems)
    return agent_service_pb2.PutMemoryRequest(
        request_id=key,
        memory_id=memory_id,
        type=form.type,
        text=text,
        days_of_week=form.days,
        first_section=first or last,
        last_section=last or first,
    )


def _section(text: str) -> int | None:
    """A section, 0 for any; None for what is none."""
    given = text.strip() or "0"
    if not (given.isascii() and given.isdecimal() and len(given) <= 2):
        return None
    return int(given) if int(given) <= MOST_SECTIONS else None
