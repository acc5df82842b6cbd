"""JSON schemas of the answers, made from the contracts, for /openapi.json."""

from collections.abc import Iterable
from typing import Any

from google.protobuf.descriptor import EnumDescriptor, FieldDescriptor
from google.protobuf.message import Message

from services.gateway.wire.as_json import (
    AnyDescriptor,
    is_long,
    is_map,
    is_well_known,
    value_of_map,
)

_PREFIX = "#/components/schemas/"
_NUMBERS = frozenset({FieldDescriptor.CPPTYPE_FLOAT, FieldDescriptor.CPPTYPE_DOUBLE})
_INTEGERS = frozenset({FieldDescriptor.CPPTYPE_INT32, FieldDescriptor.CPPTYPE_UINT32})
_FORMATS = {"google.protobuf.Timestamp": "date-time", "google.protobuf.Duration": "duration"}


def reference(kind: type[Message]) -> dict[str, str]:
    """A reference to the schema of a message."""
    return {"$ref": _PREFIX + kind.DESCRIPTOR.name}


def components(kinds: Iterable[type[Message]]) -> dict[str, Any]:
    """Schemas of messages and of everything that they hold, by name."""
    found: dict[str, Any] = {}
    for kind in kinds:
        _collect(kind.DESCRIPTOR, found)
    return found


def _collect(descriptor: AnyDescriptor, found: dict[str, Any]) -> None:
    if descriptor.name in found or is_well_known(descriptor):
        return
    properties: dict[str, Any] = {}
    found[descriptor.name] = {
        "type": "object",
        "properties": properties,
        "required": [field.name for field in descriptor.fields if not field.has_presence],
    }
    for field in descriptor.fields:
        properties[field.name] = _field(field, found)


def _field(field: FieldDescriptor, found: dict[str, Any]) -> dict[str, Any]:
    if is_map(field):
        return {"type": "object", "additionalProperties": _one(value_of_map(field), found)}
    if field.is_repeated:
        return {"type": "array", "items": _one(field, found)}
    return _one(field, found)


def _one(field: FieldDescriptor, found: dict[str, Any]) -> dict[str, Any]:
    if field.message_type is not None:
        return _message(field.message_type, found)
    if field.enum_type is not None:
        return _enum(field.enum_type)
    if is_long(field):
        return {"type": "integer", "format": "int64"}
    if field.cpp_type in _INTEGERS:
        return {"type": "integer", "format": "int32"}
    if field.cpp_type in _NUMBERS:
        return {"type": "number"}
    if field.cpp_type == FieldDescriptor.CPPTYPE_BOOL:
        return {"type": "boolean"}
    return {"type": "string"}


def _message(descriptor: AnyDescriptor, found: dict[str, Any]) -> dict[str, Any]:
    if is_well_known(descriptor):
        return {"type": "string", "format": _FORMATS[descriptor.full_name]}
    _collect(descriptor, found)
    return {"$ref": _PREFIX + descriptor.name}


def _enum(descriptor: EnumDescriptor) -> dict[str, Any]:
    return {"type": "string", "enum": [value.name for value in descriptor.values]}
