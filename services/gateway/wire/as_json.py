"""Messages as JSON, in one way everywhere.

The protobuf mapping with the names of the proto files, every plain field present, and one
difference: 64-bit integers are numbers. All that the suite counts (ids, microseconds) stays
below 2^53.
"""

from typing import Any

from google.protobuf import json_format
from google.protobuf.descriptor import FieldDescriptor
from google.protobuf.message import Message

_LONG = frozenset({FieldDescriptor.CPPTYPE_INT64, FieldDescriptor.CPPTYPE_UINT64})
_WELL_KNOWN = "google.protobuf."

AnyDescriptor = Any
"""A message's descriptor; its class depends on which protobuf runtime is installed."""


def to_json(message: Message) -> dict[str, Any]:
    """A message as a JSON object."""
    data: dict[str, Any] = json_format.MessageToDict(
        message,
        preserving_proto_field_name=True,
        always_print_fields_with_no_presence=True,
    )
    return _numbers(data, message.DESCRIPTOR)


def value_of_map(field: FieldDescriptor) -> FieldDescriptor:
    """The field that holds the values of a map."""
    if field.message_type is None:
        raise TypeError(f"{field.full_name} is not a map")
    return field.message_type.fields_by_name["value"]


def is_map(field: FieldDescriptor) -> bool:
    """Whether a field is a map."""
    kind = field.message_type
    return bool(kind is not None and kind.GetOptions().map_entry)


def is_well_known(descriptor: AnyDescriptor) -> bool:
    """Whether a message has a JSON form of its own, as timestamps have."""
    return bool(descriptor.full_name.startswith(_WELL_KNOWN))


def is_long(field: FieldDescriptor) -> bool:
    """Whether a field is a 64-bit integer."""
    return field.cpp_type in _LONG


def _numbers(data: dict[str, Any], descriptor: AnyDescriptor) -> dict[str, Any]:
    for name, value in data.items():
        data[name] = _value(value, descriptor.fields_by_name[name])
    return data


def _value(value: Any, field: FieldDescriptor) -> Any:
    if is_map(field):
        of = value_of_map(field)
        return {key: _one(item, of) for key, item in value.items()}
    if field.is_repeated:
        return [_one(item, field) for item in value]
    return _one(value, field)


def _one(value: Any, field: FieldDescriptor) -> Any:
    if field.message_type is not None and not is_well_known(field.message_type):
        return _numbers(value, field.message_type)
    return int(value) if is_long(field) else value
