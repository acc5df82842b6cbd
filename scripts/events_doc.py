"""Writes docs/events.md from the contracts.

make docs
"""

import re
from collections.abc import Iterable, Iterator, Mapping

from google.protobuf.descriptor_pb2 import (
    DescriptorProto,
    EnumDescriptorProto,
    FieldDescriptorProto,
)

from libs.events.contract import Contract, contracts_in
from scripts import descriptors
from scripts.descriptors import ENUM_VALUE, ROOT, Contracts, Declared
from services.standalone import permissions
from smartmate.events.v1 import events_pb2

PAGE = ROOT / "docs" / "events.md"
TEMPLATE = ROOT / "scripts" / "templates" / "events.md.in"
EVENTS_FILE = "smartmate/events/v1/events.proto"

_EXAMPLE = re.compile(r"```python\n(.*?)```", re.DOTALL)


def render() -> str:
    """The page as it should be."""
    known = tuple(contracts_in(events_pb2.DESCRIPTOR))
    return TEMPLATE.read_text(encoding="utf-8").format(
        overview="\n".join(_overview(known)),
        events="\n".join(_sections(descriptors.read(), known)).rstrip(),
    )


def example(page: str) -> str:
    """The listener that a page shows."""
    found = _EXAMPLE.search(page)
    if found is None:
        raise ValueError("the page shows no Python program")
    return found.group(1)


def _overview(known: Iterable[Contract]) -> Iterator[str]:
    yield "| event | stream | said by | heard by | hints to |"
    yield "|---|---|---|---|---|"
    for event in known:
        yield _row(
            f"[`{event.type}`](#{event.type.replace('.', '')})",
            f"`{event.stream}`",
            event.said_by,
            ", ".join(event.heard_by) or "—",
            ", ".join(_hinted(event.subject)) or "—",
        )


def _hinted(subject: str) -> Iterator[str]:
    """The services that subscribe to a subject plainly."""
    for service, patterns in permissions.HINTS.items():
        if any(_matches(pattern, subject) for pattern in patterns):
            yield service


def _matches(pattern: str, subject: str) -> bool:
    if pattern.endswith(".>"):
        return subject.startswith(pattern[:-1])
    return subject == pattern


def _sections(contracts: Contracts, known: Iterable[Contract]) -> Iterator[str]:
    file = next(file for file in contracts.files if file.name == EVENTS_FILE)
    messages = {declared.full_name: declared for declared in descriptors.messages_of(file)}
    enums = {declared.full_name: declared for declared in descriptors.enums_of(file)}
    for event in known:
        declared = messages.pop(event.descriptor.full_name)
        yield from (f"### {event.type}", "")
        yield from (_paragraph(declared.comment), "")
        yield from (f"Subject `{event.subject}`, message `{declared.full_name}`.", "")
        yield from _fields(contracts, declared)
    if messages or enums:
        yield from ("## Parts of events", "")
    for declared in messages.values():
        yield from (f"### {declared.proto.name}", "", _paragraph(declared.comment), "")
        yield from _fields(contracts, declared)
    for declared in enums.values():
        yield from (f"### {declared.proto.name}", "", _paragraph(declared.comment), "")
        yield from _values(declared)


def _fields(contracts: Contracts, declared: Declared) -> Iterator[str]:
    homes = _homes(contracts)
    yield "| no. | field | type | meaning |"
    yield "|---|---|---|---|"
    for field, comment in descriptors.fields_of(declared):
        assert isinstance(declared.proto, DescriptorProto)
        kind = _type(declared.proto, field, homes)
        yield _row(str(field.number), f"`{field.name}`", kind, _paragraph(comment))
    yield ""


def _values(declared: Declared) -> Iterator[str]:
    assert isinstance(declared.proto, EnumDescriptorProto)
    yield "| no. | value | meaning |"
    yield "|---|---|---|"
    for index, value in enumerate(declared.proto.value):
        comment = declared.file.comments.get((*declared.path, ENUM_VALUE, index), "")
        yield _row(str(value.number), f"`{value.name}`", _paragraph(comment))
    yield ""


def _homes(contracts: Contracts) -> Mapping[str, str]:
    """Where each message and enum is explained: on this page, or in its proto file."""
    return {
        f".{declared.full_name}": (
            f"#{declared.proto.name.lower()}"
            if file.name == EVENTS_FILE
            else f"../protos/{file.name}"
        )
        for file in contracts.files
        for declared in (*descriptors.messages_of(file), *descriptors.enums_of(file))
    }


def _type(message: DescriptorProto, field: FieldDescriptorProto, homes: Mapping[str, str]) -> str:
    """A field's type for people, with a link to what explains it."""
    if entry := descriptors.map_entry(message, field):
        key, value = (_type(entry, one, homes) for one in entry.field)
        return f"map of {key} to {value}"
    if field.type_name == ".google.protobuf.Timestamp":
        kind = "instant"
    elif field.type_name:
        kind = f"[{field.type_name.rpartition('.')[2]}]({homes[field.type_name]})"
    else:
        kind = descriptors.scalar(field)
    return f"list of {kind}" if field.label == FieldDescriptorProto.LABEL_REPEATED else kind


def _paragraph(comment: str) -> str:
    return " ".join(comment.split())


def _row(*cells: str) -> str:
    return "| " + " | ".join(cell.replace("|", "\\|") for cell in cells) + " |"


def main() -> None:
    """Writes the page."""
    PAGE.write_text(render(), encoding="utf-8")


if __name__ == "__main__":
    main()
