"""What is remembered, as messages."""

from collections.abc import Sequence

from libs.rpc.errors import invalid
from services.agent.domain import memory as domain
from services.agent.domain.memory import Hints, Item, MemoryType, NewItem
from services.agent.wire import values
from smartmate.agent.v1 import agent_service_pb2 as pb
from smartmate.agent.v1 import memory_pb2

TYPES = {
    memory_pb2.MEMORY_TYPE_PREFERENCE: MemoryType.PREFERENCE,
    memory_pb2.MEMORY_TYPE_CONSTRAINT: MemoryType.CONSTRAINT,
    memory_pb2.MEMORY_TYPE_FACT: MemoryType.FACT,
}
_TYPE_NUMBERS = values.inverse(TYPES)

MAX_SECTION = 14
MAX_QUERY = 1000
DEFAULT_RECALLED = 20
MAX_RECALLED = 50


def item_message(item: Item) -> memory_pb2.MemoryItem:
    return memory_pb2.MemoryItem(
        memory_id=item.id,
        type=_TYPE_NUMBERS[item.type],
        text=item.text,
        days_of_week=item.hints.days,
        first_section=item.hints.first,
        last_section=item.hints.last,
        create_time=values.timestamp(item.created_at),
        update_time=values.timestamp(item.updated_at),
    )


def checked_item(request: pb.PutMemoryRequest) -> NewItem:
    """What is to be remembered."""
    return NewItem(
        type=checked_type(request.type, "type"),
        text=values.checked_text(request.text, "text", least=1, most=domain.MAX_TEXT),
        hints=_checked_hints(request),
    )


def checked_item_id(value: int, *, new: bool = False) -> int:
    """The id of an item; 0 only where something new may be meant."""
    if value < 0 or (value == 0 and not new):
        raise invalid("memory_id", "must be greater than 0")
    return value


def checked_type(number: "memory_pb2.MemoryType", field: str) -> MemoryType:
    if number not in TYPES:
        raise invalid(field, "must be a known type")
    return TYPES[number]


def checked_types(numbers: "Sequence[memory_pb2.MemoryType]") -> tuple[MemoryType, ...]:
    """Each type once; none stands for all."""
    if len(numbers) > len(TYPES):
        raise invalid("types", f"must be at most {len(TYPES)}")
    return tuple(
        dict.fromkeys(checked_type(one, f"types[{index}]") for index, one in enumerate(numbers))
    )


def checked_query(text: str) -> str:
    """Any text; only its length is bounded."""
    if len(text) > MAX_QUERY:
        raise invalid("query", f"must be at most {MAX_QUERY} characters")
    return text


def checked_limit(value: int) -> int:
    if value < 0:
        raise invalid("limit", "must not be negative")
    return min(value or DEFAULT_RECALLED, MAX_RECALLED)


def _checked_hints(request: pb.PutMemoryRequest) -> Hints:
    days = request.days_of_week
    if len(days) > 7 or not all(1 <= day <= 7 for day in days) or len(set(days)) < len(days):
        raise invalid("days_of_week", "must be different days from 1 to 7")
    first, last = request.first_section, request.last_section
    if first == 0 and last == 0:
        return Hints(tuple(sorted(days)))
    if not 1 <= first <= MAX_SECTION:
        raise invalid("first_section", f"must be 1..{MAX_SECTION}, or 0 with last_section 0")
    if not first <= last <= MAX_SECTION:
        raise invalid("last_section", f"must be first_section..{MAX_SECTION}")
    return Hints(tuple(sorted(days)), first, last)
