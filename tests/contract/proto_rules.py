"""The rules that every contract keeps. Each rule yields one line for each violation."""

import re
from collections import Counter
from collections.abc import Callable, Iterator
from pathlib import PurePosixPath

from google.protobuf.descriptor_pb2 import (
    DescriptorProto,
    EnumDescriptorProto,
    FieldDescriptorProto,
    MethodDescriptorProto,
)

from scripts.descriptors import (
    ENUM_VALUE,
    FILE_SERVICE,
    SERVICE_METHOD,
    Contracts,
    Declared,
    enums_of,
    fields_of,
    messages_of,
)

READ_ONLY = (
    "Get",
    "List",
    "Check",
    "Watch",
    "DryRun",
    "Select",
    "Recall",
    "Resume",
    "Locate",
    "Export",
    "Load",
    "Rough",
)
"""Verbs of calls that change nothing. Whatever else a call is named, it changes something."""

BANNED_FILE_NAMES = frozenset({"base", "common", "helpers", "misc", "types", "utils"})
COMMENT_SHARE = 0.30

Field = FieldDescriptorProto
Rule = Callable[[Contracts], Iterator[str]]


def package_is_directory_and_version(contracts: Contracts) -> Iterator[str]:
    for file in contracts.files:
        package = file.proto.package
        if str(PurePosixPath(file.name).parent) != package.replace(".", "/"):
            yield f"{file.name}: package {package} is not its directory"
        if not re.fullmatch(r"smartmate\.[a-z][a-z_]*\.v[1-9]\d*((alpha|beta)\d+)?", package):
            yield f"{file.name}: package {package} is not smartmate.<context>.v<number>"


def a_service_has_a_file_of_its_own(contracts: Contracts) -> Iterator[str]:
    for file in contracts.files:
        stem = PurePosixPath(file.name).stem
        if stem in BANNED_FILE_NAMES:
            yield f"{file.name}: a file is named by what it holds"
        count = len(file.proto.service)
        if count != (1 if stem.endswith("_service") else 0):
            yield f"{file.name}: holds {count} services"


def a_call_has_its_own_request_and_response(contracts: Contracts) -> Iterator[str]:
    used: Counter[str] = Counter()
    for file, service in contracts.services():
        for method in service.method:
            where = f"{service.name}.{method.name}"
            used.update((method.input_type, method.output_type))
            if not re.fullmatch(r"[A-Z][a-z]+([A-Z][a-z]+)*", method.name):
                yield f"{where}: is not a verb with a noun in CamelCase"
            for kind, found in (("Request", method.input_type), ("Response", method.output_type)):
                if found != f".{file.proto.package}.{method.name}{kind}":
                    yield f"{where}: takes or gives {found} instead of {method.name}{kind}"
    yield from (f"{name}: serves {count} calls" for name, count in used.items() if count > 1)


def an_enum_begins_unspecified_and_prefixes_its_values(contracts: Contracts) -> Iterator[str]:
    for declared in _enums(contracts):
        assert isinstance(declared.proto, EnumDescriptorProto)
        prefix = re.sub(r"(?<!^)(?=[A-Z])", "_", declared.proto.name).upper() + "_"
        first = declared.proto.value[0]
        if (first.name, first.number) != (f"{prefix}UNSPECIFIED", 0):
            yield f"{declared.full_name}: does not begin with {prefix}UNSPECIFIED = 0"
        for value in declared.proto.value:
            if not value.name.startswith(prefix):
                yield f"{declared.full_name}: {value.name} lacks the prefix {prefix}"


def an_instant_is_a_timestamp_and_ends_in_time(contracts: Contracts) -> Iterator[str]:
    for declared in _messages(contracts):
        for field, _ in fields_of(declared):
            where = f"{declared.full_name}.{field.name}"
            is_instant = field.type_name == ".google.protobuf.Timestamp"
            is_claim = field.type == Field.TYPE_BOOL  # is_mock_time
            if is_instant != field.name.endswith(("_time", "_times")) and not is_claim:
                yield f"{where}: an instant is a Timestamp and its name ends in _time"
            if field.name.endswith("_at"):
                yield f"{where}: _at is for SQL and Python"
            if field.type in _UNSIGNED:
                yield f"{where}: numbers are signed"


_UNSIGNED = (Field.TYPE_UINT32, Field.TYPE_UINT64, Field.TYPE_FIXED32, Field.TYPE_FIXED64)


def a_changing_call_names_its_attempt(contracts: Contracts) -> Iterator[str]:
    for service, method, request in _requests(contracts):
        if method.name.startswith(READ_ONLY):
            continue
        keys = [field for field in request.field if field.name in ("request_id", "apply_id")]
        if not any(field.type == Field.TYPE_STRING for field in keys):
            yield f"{service}.{method.name}: changes something without request_id or apply_id"


def a_list_has_pages(contracts: Contracts) -> Iterator[str]:
    for service, method, request in _requests(contracts):
        if not method.name.startswith("List"):
            continue
        where = f"{service}.{method.name}"
        asked = {field.name: field.type for field in request.field}
        given = {field.name: field.type for field in contracts.messages[method.output_type].field}
        if asked.get("page_size") != Field.TYPE_INT32:
            yield f"{where}: its request has no int32 page_size"
        if asked.get("page_token") != Field.TYPE_STRING:
            yield f"{where}: its request has no string page_token"
        if given.get("next_page_token") != Field.TYPE_STRING:
            yield f"{where}: its response has no string next_page_token"


def everything_has_a_comment(contracts: Contracts) -> Iterator[str]:
    for name, comment in _commentable(contracts):
        if not comment:
            yield f"{name}: has no comment"


def _commentable(contracts: Contracts) -> Iterator[tuple[str, str]]:
    """Everything that is to have a comment, with the comment that it has."""
    yield from _commentable_calls(contracts)
    # The comment of a call speaks for its request and response as a whole, not for their fields.
    of_calls = {
        name
        for _, service in contracts.services()
        for method in service.method
        for name in (method.input_type, method.output_type)
    }
    for declared in _messages(contracts):
        if f".{declared.full_name}" not in of_calls:
            yield declared.full_name, declared.comment
        for field, comment in fields_of(declared):
            yield f"{declared.full_name}.{field.name}", comment
    for declared in _enums(contracts):
        assert isinstance(declared.proto, EnumDescriptorProto)
        yield declared.full_name, declared.comment
        for index, value in enumerate(declared.proto.value):
            comment = declared.file.comments.get((*declared.path, ENUM_VALUE, index), "")
            yield f"{declared.full_name}.{value.name}", comment


def _commentable_calls(contracts: Contracts) -> Iterator[tuple[str, str]]:
    for file, service in contracts.services():
        path = (FILE_SERVICE, list(file.proto.service).index(service))
        yield service.name, file.comments.get(path, "")
        for index, method in enumerate(service.method):
            comment = file.comments.get((*path, SERVICE_METHOD, index), "")
            yield f"{service.name}.{method.name}", comment


def three_lines_in_ten_are_comments(contracts: Contracts) -> Iterator[str]:
    for file in contracts.files:
        lines = [line.strip() for line in file.text.splitlines() if line.strip()]
        share = sum(line.startswith("//") for line in lines) / len(lines)
        if share < COMMENT_SHARE:
            yield f"{file.name}: {share:.0%} of its lines are comments"


RULES: tuple[Rule, ...] = (
    package_is_directory_and_version,
    a_service_has_a_file_of_its_own,
    a_call_has_its_own_request_and_response,
    an_enum_begins_unspecified_and_prefixes_its_values,
    an_instant_is_a_timestamp_and_ends_in_time,
    a_changing_call_names_its_attempt,
    a_list_has_pages,
    everything_has_a_comment,
    three_lines_in_ten_are_comments,
)


def _messages(contracts: Contracts) -> Iterator[Declared]:
    for file in contracts.files:
        yield from messages_of(file)


def _enums(contracts: Contracts) -> Iterator[Declared]:
    for file in contracts.files:
        yield from enums_of(file)


def _requests(
    contracts: Contracts,
) -> Iterator[tuple[str, MethodDescriptorProto, DescriptorProto]]:
    for _, service in contracts.services():
        for method in service.method:
            yield service.name, method, contracts.messages[method.input_type]
