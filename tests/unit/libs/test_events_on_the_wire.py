"""What an event's descriptor says, and what is read from the bytes of a message."""

import json
import uuid
from datetime import UTC, datetime, timedelta, timezone

import pytest
from hypothesis import given
from hypothesis import strategies as st
from opentelemetry.sdk.trace import TracerProvider

from libs.events import envelope
from libs.events.contract import contract, contract_of, contracts_in, stream_of
from libs.events.envelope import MalformedEvent
from libs.telemetry import traces
from smartmate.events.v1 import events_pb2

EVENTS = tuple(contracts_in(events_pb2.DESCRIPTOR))
ID = uuid.UUID("01940000-0000-7000-8000-000000000001")
NOON = datetime(2026, 11, 30, 20, tzinfo=timezone(timedelta(hours=8)))
CHANGED = events_pb2.TaskChanged(user_id=7, task_id=3, version=11)
TRACEPARENT = "00-0af7651916cd43dd8448eb211c80319c-b7ad6b7169203331-01"


def headers(**changes: str | None) -> dict[str, str]:
    """Headers of CHANGED with some changed; None removes one. Underscores stand for dashes."""
    said = envelope.headers_for(CHANGED, event_id=ID, user_id=7, at=NOON)
    for name, value in changes.items():
        said.pop(name.replace("_", "-"), None)
        if value is not None:
            said[name.replace("_", "-")] = value
    return said


def read(
    data: bytes = CHANGED.SerializeToString(), said: dict[str, str] | None = None
) -> envelope.Delivery[events_pb2.TaskChanged]:
    found = headers() if said is None else said
    return envelope.read(events_pb2.TaskChanged, data, found, consumer="c", delivered=2)


def test_a_contract_names_subject_stream_and_consumer() -> None:
    what = contract(events_pb2.ScheduleApplyRequested)
    assert what.subject == "smartmate.schedule.apply.requested.v1"
    assert what.stream == "ACTIVE_SCHEDULER"
    assert what.durable("schedule") == "schedule__schedule_apply_requested"
    assert (what.said_by, what.heard_by) == ("active_scheduler", ("schedule",))
    assert contract(CHANGED) is contract_of(events_pb2.TaskChanged.DESCRIPTOR)


def test_what_is_only_a_part_of_events_has_no_contract() -> None:
    with pytest.raises(TypeError, match="ScheduleEventState"):
        contract(events_pb2.ScheduleEventState)
    assert all(what.type for what in EVENTS)


@pytest.mark.parametrize("what", EVENTS, ids=lambda what: what.type)
def test_every_event_names_its_user(what: object) -> None:
    assert "user_id" in what.descriptor.fields_by_name  # type: ignore[attr-defined]


def test_streams_are_named_after_services() -> None:
    assert {stream_of(what.said_by) for what in EVENTS} == {what.stream for what in EVENTS}
    assert stream_of("active_scheduler") == "ACTIVE_SCHEDULER"


def test_headers_are_cloud_events_in_binary_mode() -> None:
    assert headers() == {
        "Nats-Msg-Id": str(ID),
        "ce-specversion": "1.0",
        "ce-id": str(ID),
        "ce-type": "smartmate.task.changed.v1",
        "ce-source": "/smartmate/schedule",
        "ce-time": "2026-11-30T12:00:00Z",
        "ce-subject": "7",
        "content-type": "application/protobuf",
    }


def test_headers_are_stored_as_they_are_sent() -> None:
    shared = json.dumps(envelope.shared_headers(NOON))
    stored = envelope.stored_headers(CHANGED, event_id=ID, user_id=7, shared=shared)
    assert json.loads(stored) == headers()


def test_headers_carry_the_trace_of_who_writes_and_nothing_else_of_it() -> None:
    tracer = TracerProvider().get_tracer("test")
    with tracer.start_as_current_span("writing") as writing:
        said = headers()
    assert f"{writing.get_span_context().trace_id:032x}" in said["traceparent"]
    assert set(said) - set(headers()) == {"traceparent"}


def test_a_callers_baggage_goes_no_further() -> None:
    carrier = {"traceparent": TRACEPARENT, "baggage": "title=%E9%AB%98%E6%95%B0"}
    with traces.span("serve", carrier=carrier):
        assert "baggage" not in traces.outgoing()
        assert TRACEPARENT.split("-")[1] in traces.outgoing()["traceparent"]
    assert traces.outgoing() == {}


def test_what_was_written_is_read() -> None:
    delivery = read()
    assert (delivery.event_id, delivery.user_id, delivery.message) == (ID, 7, CHANGED)
    assert (delivery.consumer, delivery.delivered) == ("c", 2)
    assert delivery.headers["ce-time"] == "2026-11-30T12:00:00Z"


def test_a_second_publish_under_another_message_id_is_the_same_event() -> None:
    assert read(said=headers(Nats_Msg_Id="replay-1")).event_id == ID


def test_fields_of_a_newer_peer_are_passed_over() -> None:
    newer = CHANGED.SerializeToString() + b"\xf8\x3f\x01"
    assert read(newer).message.task_id == 3


@pytest.mark.parametrize(
    "said",
    [
        {},
        headers(ce_id=None),
        headers(ce_id="1"),
        headers(ce_subject=None),
        headers(ce_subject="Li Lei"),
        headers(ce_subject="8"),
        headers(ce_subject="-7"),
        headers(ce_type="smartmate.schedule.changed.v1"),
    ],
    ids=["none", "no id", "id", "no user", "user", "other user", "nobody", "type"],
)
def test_headers_that_do_not_fit_are_malformed(said: dict[str, str]) -> None:
    with pytest.raises(MalformedEvent):
        read(said=said)


@pytest.mark.parametrize("data", [b"{}", b"\xff", CHANGED.SerializeToString()[:-1]], ids=repr)
def test_bytes_that_are_no_message_are_malformed(data: bytes) -> None:
    with pytest.raises(MalformedEvent):
        read(data)


def test_an_empty_message_for_nobody_is_malformed() -> None:
    with pytest.raises(MalformedEvent):
        read(b"", headers(ce_subject="0"))


def test_a_message_without_headers_is_malformed() -> None:
    with pytest.raises(MalformedEvent):
        envelope.read(
            events_pb2.TaskChanged, CHANGED.SerializeToString(), None, consumer="c", delivered=1
        )


@given(st.binary(max_size=64), st.dictionaries(st.sampled_from(sorted(headers())), st.text()))
def test_whatever_comes_is_an_event_or_malformed(data: bytes, said: dict[str, str]) -> None:
    try:
        delivery = read(data, said)
    except MalformedEvent:
        return
    assert delivery.message.user_id == delivery.user_id > 0


def test_ids_are_version_seven_and_rise_with_time() -> None:
    before = datetime.now(UTC)
    ids = [envelope.uuid7() for _ in range(1000)]
    after = datetime.now(UTC)
    assert len(set(ids)) == len(ids)
    assert {one.version for one in ids} == {7}
    assert {one.variant for one in ids} == {uuid.RFC_4122}
    made = [one.int >> 80 for one in ids]
    assert made == sorted(made)
    assert int(before.timestamp() * 1000) <= made[0] <= made[-1] <= after.timestamp() * 1000
