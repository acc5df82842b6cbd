"""The contracts as descriptors, straight from protos/ and with their comments."""

import importlib
import tempfile
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from google.protobuf.descriptor_pb2 import (
    DescriptorProto,
    EnumDescriptorProto,
    FieldDescriptorProto,
    FileDescriptorProto,
    FileDescriptorSet,
    ServiceDescriptorProto,
)

# Registers the event option, so that it is read with the rest.
from smartmate.options.v1 import event_pb2

ROOT = Path(__file__).resolve().parents[1]
PROTOS = ROOT / "protos"

# The package has neither stubs nor a marker of its own types.
_protoc: Any = importlib.import_module("grpc_tools.protoc")
WELL_KNOWN = Path(_protoc.__file__).parent / "_proto"

EVENT_OPTION = event_pb2.event

Comments = Mapping[tuple[int, ...], str]


@dataclass(frozen=True, slots=True)
class File:
    """One proto file: what it declares, and the comment at each declaration's path."""

    proto: FileDescriptorProto
    comments: Comments
    text: str

    @property
    def name(self) -> str:
        return self.proto.name


@dataclass(frozen=True, slots=True)
class Contracts:
    """Every proto file of the suite, well-known imports aside."""

    files: tuple[File, ...]
    messages: Mapping[str, DescriptorProto] = field(default_factory=dict)
    """By full name with a leading dot, as fields refer to them."""

    def services(self) -> Iterator[tuple[File, ServiceDescriptorProto]]:
        for file in self.files:
            for service in file.proto.service:
                yield file, service


@dataclass(frozen=True, slots=True)
class Declared:
    """A message or an enum with where it stands."""

    file: File
    path: tuple[int, ...]
    full_name: str
    proto: DescriptorProto | EnumDescriptorProto

    @property
    def comment(self) -> str:
        return self.file.comments.get(self.path, "")


def read(root: Path = PROTOS, *, imports: Iterable[Path] = ()) -> Contracts:
    """Compiles every proto under `root`; `imports` are further places to look for imports."""
    names = sorted(str(path.relative_to(root)) for path in root.rglob("*.proto"))
    places = [root, *imports, WELL_KNOWN]
    with tempfile.NamedTemporaryFile(suffix=".binpb") as out:
        code = _protoc.main(
            [
                "protoc",
                *(f"-I{place}" for place in places),
                f"--descriptor_set_out={out.name}",
                "--include_source_info",
                *names,
            ]
        )
        if code:
            raise ValueError(f"protoc ended with {code}")
        found = FileDescriptorSet.FromString(Path(out.name).read_bytes())
    files = tuple(_file(proto, root) for proto in found.file)
    messages = {
        f".{declared.full_name}": declared.proto
        for file in files
        for declared in messages_of(file)
        if isinstance(declared.proto, DescriptorProto)
    }
    return Contracts(files, messages)


def _file(proto: FileDescriptorProto, root: Path) -> File:
    comments = {
        tuple(place.path): (place.leading_comments + place.trailing_comments).strip()
        for place in proto.source_code_info.location
    }
    return File(proto, comments, (root / proto.name).read_text(encoding="utf-8"))


# Numbers of the fields in descriptor.proto that a path is made of.
_FILE_MESSAGE, _FILE_ENUM, FILE_SERVICE = 4, 5, 6
_MESSAGE_NESTED, _MESSAGE_ENUM, MESSAGE_FIELD = 3, 4, 2
SERVICE_METHOD, ENUM_VALUE = 2, 2


def messages_of(file: File) -> Iterator[Declared]:
    """Every message of a file, nested ones too, the entries of maps not."""
    for index, message in enumerate(file.proto.message_type):
        yield from _nested(file, (_FILE_MESSAGE, index), file.proto.package, message)


def _nested(
    file: File, path: tuple[int, ...], scope: str, message: DescriptorProto
) -> Iterator[Declared]:
    if message.options.map_entry:
        return
    full_name = f"{scope}.{message.name}"
    yield Declared(file, path, full_name, message)
    for index, nested in enumerate(message.nested_type):
        yield from _nested(file, (*path, _MESSAGE_NESTED, index), full_name, nested)


def enums_of(file: File) -> Iterator[Declared]:
    """Every enum of a file, those inside messages too."""
    for index, enum in enumerate(file.proto.enum_type):
        yield Declared(file, (_FILE_ENUM, index), f"{file.proto.package}.{enum.name}", enum)
    for message in messages_of(file):
        assert isinstance(message.proto, DescriptorProto)
        for index, enum in enumerate(message.proto.enum_type):
            path = (*message.path, _MESSAGE_ENUM, index)
            yield Declared(file, path, f"{message.full_name}.{enum.name}", enum)


def fields_of(declared: Declared) -> Iterator[tuple[FieldDescriptorProto, str]]:
    """The fields of a message, each with its comment."""
    assert isinstance(declared.proto, DescriptorProto)
    for index, one in enumerate(declared.proto.field):
        path = (*declared.path, MESSAGE_FIELD, index)
        yield one, declared.file.comments.get(path, "")


def scalar(field: FieldDescriptorProto) -> str:
    """The name of a built-in type as a proto file writes it."""
    return FieldDescriptorProto.Type.Name(field.type).removeprefix("TYPE_").lower()


def map_entry(message: DescriptorProto, field: FieldDescriptorProto) -> DescriptorProto | None:
    """The key and value of a field that is a map; None for any other field."""
    for nested in message.nested_type:
        is_its_type = field.type_name.endswith(f".{message.name}.{nested.name}")
        if nested.options.map_entry and is_its_type:
            return nested
    return None
