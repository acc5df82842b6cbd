"""The rules that every event keeps: who says it and who hears it, whose it is, no texts in it."""

import re
from collections import Counter
from collections.abc import Iterator
from typing import Any

from google.protobuf.descriptor_pb2 import DescriptorProto, FieldDescriptorProto

from scripts.descriptors import EVENT_OPTION, Contracts, Declared, fields_of, messages_of
from smartmate.options.v1 import event_pb2
from tests.contract.proto_rules import Rule

EVENTS_PACKAGE = "smartmate.events.v1"
SERVICES = frozenset({"schedule", "active_scheduler", "notification", "gateway"})

CODES = frozenset({"reason", "path", "detail", "key", "expected", "actual", "base"})
"""Names of text fields and maps that hold codes, a path or the entries of a base, never a title."""

EMPTIED = frozenset(
    {
        "smartmate.schedule.v1.ScheduleChange.risk",
        "smartmate.schedule.v1.Refusal.event_name",
    }
)
"""Texts in messages that calls use as well; whoever says the event leaves them empty."""

Field = FieldDescriptorProto


def option_of(message: DescriptorProto) -> event_pb2.EventContract:
    """What a message says about itself as an event; empty for one that is none."""
    extensions: Any = message.options.Extensions
    found: event_pb2.EventContract = extensions[EVENT_OPTION]
    return found


def events_of(contracts: Contracts) -> Iterator[Declared]:
    """Every message that is published by itself."""
    for file in contracts.files:
        for declared in messages_of(file):
            assert isinstance(declared.proto, DescriptorProto)
            if option_of(declared.proto).type:
                yield declared


def an_event_lives_in_the_events_package(contracts: Contracts) -> Iterator[str]:
    parts = {field.type_name for message in contracts.messages.values() for field in message.field}
    events = {f".{declared.full_name}" for declared in events_of(contracts)}
    for name in contracts.messages:
        inside = name.startswith(f".{EVENTS_PACKAGE}.")
        if name in events and not inside:
            yield f"{name}: an event outside {EVENTS_PACKAGE}"
        if inside and name not in events and name not in parts:
            yield f"{name}: has no event option and is part of no event"


def an_event_names_its_type_and_services(contracts: Contracts) -> Iterator[str]:
    types: Counter[str] = Counter()
    for declared in events_of(contracts):
        assert isinstance(declared.proto, DescriptorProto)
        option = option_of(declared.proto)
        types[option.type] += 1
        words = re.split(r"[._]", option.type)
        if "".join(word.capitalize() for word in words) != declared.proto.name:
            yield f"{declared.full_name}: its type {option.type} is not its name"
        for service in (option.said_by, *option.heard_by):
            if service not in SERVICES:
                yield f"{declared.full_name}: there is no service {service!r}"
    yield from (f"{name}: is declared {count} times" for name, count in types.items() if count > 1)


def an_event_names_its_user(contracts: Contracts) -> Iterator[str]:
    for declared in events_of(contracts):
        if not any(
            field.name == "user_id" and field.type == Field.TYPE_INT64
            for field, _ in fields_of(declared)
        ):
            yield f"{declared.full_name}: has no int64 user_id"


def an_event_carries_no_text(contracts: Contracts) -> Iterator[str]:
    for declared in events_of(contracts):
        yield from _texts(contracts, declared.full_name, set())


def _texts(contracts: Contracts, full_name: str, seen: set[str]) -> Iterator[str]:
    """The text fields in a message and in all that it holds."""
    if full_name in seen:
        return
    seen.add(full_name)
    for field in contracts.messages[f".{full_name}"].field:
        name = f"{full_name}.{field.name}"
        if field.type_name in contracts.messages:
            yield from _texts(contracts, field.type_name.removeprefix("."), seen)
        elif (field.type in _TEXT or _is_map(full_name, field)) and not _is_code(name):
            yield f"{name}: may carry a title or a text"


_TEXT = (Field.TYPE_STRING, Field.TYPE_BYTES)


def _is_map(full_name: str, field: Field) -> bool:
    return field.type == Field.TYPE_MESSAGE and field.type_name.startswith(f".{full_name}.")


def _is_code(name: str) -> bool:
    field = name.rpartition(".")[2]
    return field in CODES or field.endswith(("_id", "_ids", "_code")) or name in EMPTIED


RULES: tuple[Rule, ...] = (
    an_event_lives_in_the_events_package,
    an_event_names_its_type_and_services,
    an_event_names_its_user,
    an_event_carries_no_text,
)
