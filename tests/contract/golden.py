"""What the contracts promised: names, numbers and types, recorded in golden_contracts.json.

    make protos-golden                                    records additions
    .venv/bin/python -m tests.contract.golden --breaking  records a break as well

A break is for contracts that nobody has built on yet. Afterwards a removed field stays `reserved`
and anything that cannot be reserved makes a new package, v2.
"""

import json
import sys
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any

from google.protobuf.descriptor_pb2 import (
    DescriptorProto,
    EnumDescriptorProto,
    FieldDescriptorProto,
    MethodDescriptorProto,
)

from scripts import descriptors
from scripts.descriptors import Contracts, Declared
from tests.contract.event_rules import option_of

GOLDEN = Path(__file__).parent / "golden_contracts.json"

Promise = Mapping[str, Mapping[str, Any]]
"""By kind (messages, enums, calls, events), by full name."""


def promise_of(contracts: Contracts) -> Promise:
    """What the given contracts promise, in a form that compares and prints well."""
    messages = [declared for file in contracts.files for declared in descriptors.messages_of(file)]
    enums = [declared for file in contracts.files for declared in descriptors.enums_of(file)]
    return {
        "messages": {declared.full_name: _message(declared) for declared in messages},
        "enums": {declared.full_name: _enum(declared) for declared in enums},
        "calls": {
            f"{file.proto.package}.{service.name}.{method.name}": _call(method)
            for file, service in contracts.services()
            for method in service.method
        },
        "events": dict(_event(declared) for declared in messages if _is_event(declared)),
    }


def _message(declared: Declared) -> dict[str, str]:
    message = declared.proto
    assert isinstance(message, DescriptorProto)
    fields = {str(field.number): _field(message, field) for field in message.field}
    gone = {
        str(number): "reserved"
        for held in message.reserved_range
        for number in range(held.start, held.end)
    }
    return fields | gone


def _field(message: DescriptorProto, field: FieldDescriptorProto) -> str:
    """A field in one line, as it would be declared."""
    kind = _kind(field)
    if entry := descriptors.map_entry(message, field):
        key, value = (_kind(one) for one in entry.field)
        return f"map<{key}, {value}> {field.name}"
    if field.proto3_optional:
        return f"optional {kind} {field.name}"
    if field.HasField("oneof_index"):
        return f"{kind} {field.name} in oneof {message.oneof_decl[field.oneof_index].name}"
    if field.label == FieldDescriptorProto.LABEL_REPEATED:
        return f"repeated {kind} {field.name}"
    return f"{kind} {field.name}"


def _kind(field: FieldDescriptorProto) -> str:
    return field.type_name.removeprefix(".") or descriptors.scalar(field)


def _enum(declared: Declared) -> dict[str, str]:
    enum = declared.proto
    assert isinstance(enum, EnumDescriptorProto)
    values = {str(value.number): value.name for value in enum.value}
    gone = {
        str(number): "reserved"
        for held in enum.reserved_range
        for number in range(held.start, held.end + 1)
    }
    return values | gone


def _call(method: MethodDescriptorProto) -> dict[str, str]:
    asks = "stream " * method.client_streaming + method.input_type.removeprefix(".")
    gives = "stream " * method.server_streaming + method.output_type.removeprefix(".")
    return {"takes": asks, "gives": gives}


def _is_event(declared: Declared) -> bool:
    assert isinstance(declared.proto, DescriptorProto)
    return bool(option_of(declared.proto).type)


def _event(declared: Declared) -> tuple[str, dict[str, str]]:
    assert isinstance(declared.proto, DescriptorProto)
    option = option_of(declared.proto)
    return option.type, {"message": declared.full_name, "said_by": option.said_by}


def breaks(old: Promise, new: Promise) -> Iterator[str]:
    """What was promised and does not hold any more; an entry may end as `reserved`."""
    for kind, things in old.items():
        for name, entries in things.items():
            found = new.get(kind, {}).get(name)
            if found is None:
                yield f"{kind} {name}: is gone"
                continue
            for key, before in entries.items():
                after = found.get(key, "gone without being reserved")
                if after not in (before, "reserved"):
                    yield f"{kind} {name} {key}: was {before!r}, is {after!r}"


def recorded() -> Promise:
    """The promise on record."""
    found: Promise = json.loads(GOLDEN.read_text(encoding="utf-8"))
    return found


def main(arguments: list[str]) -> int:
    """Records the contracts as they are; 1 when that would break a promise."""
    new = promise_of(descriptors.read())
    if "--breaking" not in arguments and GOLDEN.exists():
        broken = list(breaks(recorded(), new))
        if broken:
            sys.stderr.write("\n".join([*broken, "nothing was recorded; see --breaking\n"]))
            return 1
    GOLDEN.write_text(json.dumps(new, indent=1, sort_keys=True) + "\n", encoding="utf-8")
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
