"""What the contracts once promised still holds."""

from pathlib import Path

import pytest

from scripts import descriptors
from tests.contract import golden
from tests.contract.golden import Promise

HEADER = 'syntax = "proto3";\npackage smartmate.planted.v1;\n'
BEFORE = """\
message Thing {
  int64 thing_id = 1;
  string name = 2;
  repeated string tags = 3;
  map<string, string> notes = 4;
  oneof at { string date = 5; int32 week = 6; }
}
message GetThingRequest {}
message GetThingResponse {}
enum Kind { KIND_UNSPECIFIED = 0; KIND_ROUND = 1; }
service ThingService { rpc GetThing(GetThingRequest) returns (GetThingResponse); }
"""


def promise(directory: Path, body: str) -> Promise:
    place = directory / "smartmate" / "planted" / "v1" / "thing.proto"
    place.parent.mkdir(parents=True, exist_ok=True)
    place.write_text(HEADER + body, encoding="utf-8")
    return golden.promise_of(descriptors.read(directory))


def test_no_promise_on_record_is_broken() -> None:
    now = golden.promise_of(descriptors.read())

    assert list(golden.breaks(golden.recorded(), now)) == []


def test_every_promise_is_on_record() -> None:
    now = golden.promise_of(descriptors.read())

    assert golden.recorded() == now, "an addition: record it by  make protos-golden"


@pytest.mark.parametrize(
    ("before", "after", "complaint"),
    [
        ("string name = 2;", "", "gone without being reserved"),
        ("string name = 2;", "reserved 7;", "gone without being reserved"),
        ("string name = 2;", "string title = 2;", "is 'string title'"),
        ("string name = 2;", "string name = 7;", "gone without being reserved"),
        ("string name = 2;", "bytes name = 2;", "is 'bytes name'"),
        ("string name = 2;", "repeated string name = 2;", "is 'repeated string name'"),
        ("string name = 2;", "optional string name = 2;", "is 'optional string name'"),
        ("map<string, string> notes", "map<string, int32> notes", "is 'map<string, int32> notes'"),
        ("oneof at { string date = 5; int32", "string date = 5; oneof at { int32", "is 'string"),
        ("KIND_ROUND", "KIND_SQUARE", "is 'KIND_SQUARE'"),
        ("returns (", "returns (stream ", "is 'stream smartmate"),
        ("rpc GetThing(GetThingRequest) returns (GetThingResponse);", "", "GetThing: is gone"),
        ("message Thing {", "message Gone {", "smartmate.planted.v1.Thing: is gone"),
    ],
)
def test_a_break_is_found(before: str, after: str, complaint: str, tmp_path: Path) -> None:
    assert before in BEFORE
    old = promise(tmp_path, BEFORE)
    new = promise(tmp_path, BEFORE.replace(before, after))

    assert any(complaint in line for line in golden.breaks(old, new)), list(golden.breaks(old, new))


def test_a_number_that_was_given_up_is_never_used_again(tmp_path: Path) -> None:
    old = promise(tmp_path, BEFORE.replace("string name = 2;", "reserved 2;"))
    new = promise(tmp_path, BEFORE)

    assert list(golden.breaks(old, new)) == [
        "messages smartmate.planted.v1.Thing 2: was 'reserved', is 'string name'"
    ]


@pytest.mark.parametrize(
    ("before", "after"),
    [
        ("string name = 2;", "reserved 2;"),
        ("string name = 2;", "string name = 2; int32 size = 7;"),
        ("KIND_ROUND = 1;", "KIND_ROUND = 1; KIND_FLAT = 2;"),
        ("message GetThingRequest {}", "message GetThingRequest {} message New {}"),
    ],
)
def test_an_addition_or_a_reserved_number_is_no_break(
    before: str, after: str, tmp_path: Path
) -> None:
    old = promise(tmp_path, BEFORE)
    new = promise(tmp_path, BEFORE.replace(before, after))

    assert list(golden.breaks(old, new)) == []
    assert old != new
