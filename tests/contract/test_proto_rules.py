"""The contracts keep the rules of the house, and each rule notices when one does not."""

from pathlib import Path

import pytest

from scripts import descriptors
from scripts.descriptors import Contracts
from tests.contract import event_rules, proto_rules
from tests.contract.proto_rules import Rule

RULES = (*proto_rules.RULES, *event_rules.RULES)

HEADER = """\
syntax = "proto3";
package smartmate.planted.v1;
import "google/protobuf/timestamp.proto";
import "smartmate/options/v1/event.proto";
"""

# Where the planted file stands, what it holds, and what the rule says about it.
PLANTS: dict[str, list[tuple[str, str, str]]] = {
    "package_is_directory_and_version": [
        ("smartmate/elsewhere/v1/thing.proto", "", "is not its directory"),
    ],
    "a_service_has_a_file_of_its_own": [
        ("smartmate/planted/v1/common.proto", "", "named by what it holds"),
        ("smartmate/planted/v1/thing.proto", "service ThingService {}", "holds 1 services"),
        ("smartmate/planted/v1/thing_service.proto", "", "holds 0 services"),
    ],
    "a_call_has_its_own_request_and_response": [
        (
            "smartmate/planted/v1/thing_service.proto",
            "message Thing {}\nservice ThingService { rpc GetThing(Thing) returns (Thing); }",
            "instead of GetThingRequest",
        ),
        (
            "smartmate/planted/v1/thing_service.proto",
            "message GetThingRequest {}\nmessage GetThingResponse {}\n"
            "service ThingService {\n"
            " rpc GetThing(GetThingRequest) returns (GetThingResponse);\n"
            " rpc FindThing(GetThingRequest) returns (GetThingResponse);\n}",
            "serves 2 calls",
        ),
        (
            "smartmate/planted/v1/thing_service.proto",
            "message get_thingRequest {}\nmessage get_thingResponse {}\n"
            "service ThingService {\n"
            " rpc get_thing(get_thingRequest) returns (get_thingResponse);\n}",
            "is not a verb with a noun",
        ),
    ],
    "an_enum_begins_unspecified_and_prefixes_its_values": [
        (
            "smartmate/planted/v1/thing.proto",
            "enum ThingState { THING_STATE_ACTIVE = 0; }",
            "does not begin with THING_STATE_UNSPECIFIED",
        ),
        (
            "smartmate/planted/v1/thing.proto",
            "message Thing { enum ThingState { THING_STATE_UNSPECIFIED = 0; OPEN = 1; } }",
            "OPEN lacks the prefix",
        ),
    ],
    "an_instant_is_a_timestamp_and_ends_in_time": [
        (
            "smartmate/planted/v1/thing.proto",
            "message Thing { google.protobuf.Timestamp created = 1; }",
            "Thing.created: an instant",
        ),
        (
            "smartmate/planted/v1/thing.proto",
            "message Thing { int64 create_time = 1; }",
            "Thing.create_time: an instant",
        ),
        (
            "smartmate/planted/v1/thing.proto",
            "message Thing { string created_at = 1; }",
            "_at is for SQL",
        ),
        (
            "smartmate/planted/v1/thing.proto",
            "message Thing { uint32 attempt_count = 1; }",
            "numbers are signed",
        ),
    ],
    "a_changing_call_names_its_attempt": [
        (
            "smartmate/planted/v1/thing_service.proto",
            "message PutThingRequest { int64 thing_id = 1; }\nmessage PutThingResponse {}\n"
            "service ThingService { rpc PutThing(PutThingRequest) returns (PutThingResponse); }",
            "without request_id",
        ),
        (
            "smartmate/planted/v1/thing_service.proto",
            "message PutThingRequest { int64 request_id = 1; }\nmessage PutThingResponse {}\n"
            "service ThingService { rpc PutThing(PutThingRequest) returns (PutThingResponse); }",
            "without request_id",
        ),
    ],
    "a_list_has_pages": [
        (
            "smartmate/planted/v1/thing_service.proto",
            "message ListThingsRequest { int32 page_size = 1; }\n"
            "message ListThingsResponse { string next_page_token = 1; }\n"
            "service ThingService {\n"
            " rpc ListThings(ListThingsRequest) returns (ListThingsResponse);\n}",
            "no string page_token",
        ),
        (
            "smartmate/planted/v1/thing_service.proto",
            "message ListThingsRequest { string page_token = 1; }\n"
            "message ListThingsResponse {}\n"
            "service ThingService {\n"
            " rpc ListThings(ListThingsRequest) returns (ListThingsResponse);\n}",
            "no string next_page_token",
        ),
    ],
    "everything_has_a_comment": [
        (
            "smartmate/planted/v1/thing_service.proto",
            "// A service.\nservice ThingService { rpc Get(GetRequest) returns (GetResponse); }\n"
            "message GetRequest {}\nmessage GetResponse {}",
            "ThingService.Get: has no comment",
        ),
        (
            "smartmate/planted/v1/thing_service.proto",
            "service ThingService {}",
            "ThingService: has no comment",
        ),
        ("smartmate/planted/v1/thing.proto", "message Thing {}", "Thing: has no comment"),
        (
            "smartmate/planted/v1/thing.proto",
            "// A thing.\nmessage Thing { string name = 1; }",
            "Thing.name: has no comment",
        ),
        (
            "smartmate/planted/v1/thing.proto",
            "enum Kind { KIND_UNSPECIFIED = 0; // None.\n}",
            "Kind: has no comment",
        ),
        (
            "smartmate/planted/v1/thing.proto",
            "// A kind.\nenum Kind { KIND_UNSPECIFIED = 0; }",
            "KIND_UNSPECIFIED: has no comment",
        ),
    ],
    "three_lines_in_ten_are_comments": [
        ("smartmate/planted/v1/thing.proto", "// One.\nmessage Thing {}", "are comments"),
    ],
    "an_event_lives_in_the_events_package": [
        (
            "smartmate/planted/v1/thing.proto",
            'message A { option (smartmate.options.v1.event) = { type: "a" }; }',
            "an event outside",
        ),
        (
            "smartmate/events/v1/planted.proto",
            "message Forgotten { int64 user_id = 1; }",
            "Forgotten: has no event option",
        ),
    ],
    "an_event_names_its_type_and_services": [
        (
            "smartmate/events/v1/planted.proto",
            "message ThingChanged { option (smartmate.options.v1.event) = {\n"
            '  type: "thing.moved" said_by: "schedule" }; }',
            "thing.moved is not its name",
        ),
        (
            "smartmate/events/v1/planted.proto",
            "message ThingChanged { option (smartmate.options.v1.event) = {\n"
            '  type: "thing.changed" said_by: "schedule" heard_by: "calender" }; }',
            "no service 'calender'",
        ),
        (
            "smartmate/events/v1/planted.proto",
            "message ThingChanged { option (smartmate.options.v1.event) = {\n"
            '  type: "thing.changed" said_by: "schedule" };\n'
            "  message Again { option (smartmate.options.v1.event) = {\n"
            '    type: "thing.changed" said_by: "schedule" }; } }',
            "declared 2 times",
        ),
    ],
    "an_event_names_its_user": [
        (
            "smartmate/events/v1/planted.proto",
            "message ThingChanged { option (smartmate.options.v1.event) = {\n"
            '  type: "thing.changed" said_by: "schedule" }; string user_id = 1; }',
            "has no int64 user_id",
        ),
    ],
    "an_event_carries_no_text": [
        (
            "smartmate/events/v1/planted.proto",
            "message ThingChanged { option (smartmate.options.v1.event) = {\n"
            '  type: "thing.changed" said_by: "schedule" }; Thing thing = 1; }\n'
            "message Thing { string title = 1; }",
            "Thing.title: may carry",
        ),
        (
            "smartmate/events/v1/planted.proto",
            "message ThingChanged { option (smartmate.options.v1.event) = {\n"
            '  type: "thing.changed" said_by: "schedule" }; map<int64, string> names = 1; }',
            "ThingChanged.names: may carry",
        ),
    ],
}


@pytest.fixture(scope="module")
def contracts() -> Contracts:
    return descriptors.read()


@pytest.mark.parametrize("rule", RULES, ids=lambda rule: rule.__name__)
def test_the_contracts_keep(rule: Rule, contracts: Contracts) -> None:
    assert list(rule(contracts)) == []


def planted(directory: Path, name: str, body: str) -> Contracts:
    """The contracts of a tree that holds one planted file."""
    place = directory / name
    place.parent.mkdir(parents=True)
    header = HEADER
    if name.startswith("smartmate/events/"):
        header = header.replace("smartmate.planted.v1", event_rules.EVENTS_PACKAGE)
    place.write_text(header + body, encoding="utf-8")
    return descriptors.read(directory, imports=[descriptors.PROTOS])


@pytest.mark.parametrize(
    ("rule", "name", "body", "complaint"),
    [
        pytest.param(rule, *plant, id=f"{rule.__name__}-{index}")
        for rule in RULES
        for index, plant in enumerate(PLANTS[rule.__name__])
    ],
)
def test_a_planted_violation_is_found_by(
    rule: Rule, name: str, body: str, complaint: str, tmp_path: Path
) -> None:
    found = list(rule(planted(tmp_path, name, body)))

    assert any(complaint in line for line in found), found


def test_a_contract_that_keeps_every_rule_draws_no_complaint(tmp_path: Path) -> None:
    body = (
        "// Keeps things.\n"
        "// Every call is for the verified user.\n"
        "service ThingService {\n"
        "  // Lists them.\n"
        "  rpc ListThings(ListThingsRequest) returns (ListThingsResponse);\n"
        "}\n"
        "message ListThingsRequest {\n"
        "  // At most 200.\n"
        "  int32 page_size = 1;\n"
        "  // Empty for the first page.\n"
        "  string page_token = 2;\n"
        "}\n"
        "message ListThingsResponse {\n"
        "  // Empty on the last page.\n"
        "  string next_page_token = 1;\n"
        "  // Made by a test clock.\n"
        "  bool is_mock_time = 2;\n"
        "}\n"
    )
    contracts = planted(tmp_path, "smartmate/planted/v1/thing_service.proto", body)

    assert [line for rule in RULES for line in rule(contracts)] == []
