"""Errors on the wire: what the server writes into a status is what the client reads from it."""

import contextlib
from collections.abc import Mapping
from typing import Any, ClassVar

import grpc
import pytest
from google.protobuf import any_pb2, duration_pb2
from google.rpc import error_details_pb2, status_pb2
from grpc.aio import Metadata
from grpc_status import rpc_status
from hypothesis import given
from hypothesis import strategies as st

from libs.rpc import errors
from libs.rpc.errors import InvalidRequest, RemoteError, Violation

DETAILS = "grpc-status-details-bin"
DOMAIN = "smartmate.schedule"


class Refused(Exception):
    reason = "slot_taken"


class TakenByCourse(Refused):
    reason = "slot_taken_by_course"
    metadata: ClassVar[Mapping[str, object]] = {"event_id": 12, "cell": "w13d2s5"}


class Silent(Exception):
    """Says no reason of its own."""


TABLE: errors.StatusTable = {
    Refused: grpc.StatusCode.ABORTED,
    Silent: grpc.StatusCode.NOT_FOUND,
}


def failed_call(
    code: grpc.StatusCode, message: str, trailers: list[tuple[str, str | bytes]]
) -> grpc.aio.AioRpcError:
    """What a client gets to see of a failed call."""
    return grpc.aio.AioRpcError(code, Metadata(), Metadata(*trailers), message)


def over_the_wire(status: Any) -> RemoteError:
    return errors.from_call(
        failed_call(status.code, status.details, list(status.trailing_metadata))
    )


def size_of(status: Any) -> int:
    return sum(len(key) + len(value) for key, value in status.trailing_metadata)


def test_reason_domain_and_metadata_arrive() -> None:
    status = errors.to_status(TakenByCourse("w13"), grpc.StatusCode.ABORTED, domain=DOMAIN)
    remote = over_the_wire(status)
    assert remote.code is grpc.StatusCode.ABORTED
    assert (remote.reason, remote.domain) == ("slot_taken_by_course", DOMAIN)
    assert remote.metadata == {"event_id": "12", "cell": "w13d2s5"}
    assert remote.violations == ()


def test_the_text_of_an_error_stays_here() -> None:
    status = errors.to_status(Refused("高等数学"), grpc.StatusCode.ABORTED, domain=DOMAIN)
    assert "高等数学" not in status.details
    assert "高等数学".encode() not in dict(status.trailing_metadata)[DETAILS]


def test_an_error_without_a_reason_is_named_after_its_code() -> None:
    remote = over_the_wire(errors.to_status(Silent(), grpc.StatusCode.NOT_FOUND, domain=DOMAIN))
    assert remote.reason == "not_found"


def test_violations_arrive_field_by_field() -> None:
    error = InvalidRequest(Violation("task.title", "is empty"), Violation("deadline_time", "太远"))
    status = errors.to_status(error, grpc.StatusCode.INVALID_ARGUMENT, domain=DOMAIN)
    assert over_the_wire(status).violations == error.violations


@given(
    st.lists(
        st.builds(Violation, st.text(max_size=400), st.text(max_size=4000)),
        min_size=1,
        max_size=200,
    )
)
def test_however_much_is_wrong_the_answer_still_arrives(violations: list[Violation]) -> None:
    status = errors.to_status(
        InvalidRequest(*violations), grpc.StatusCode.INVALID_ARGUMENT, domain=DOMAIN
    )
    # The room that a peer gives to all trailing metadata together, base64 included.
    assert size_of(status) * 4 / 3 < 8192 - 1024
    first = over_the_wire(status).violations[0]
    assert violations[0].field.startswith(first.field)
    assert violations[0].problem.startswith(first.problem)


# A call that comes back CANCELLED is another matter: see test_ended_calls.
_NO_REFUSAL = {grpc.StatusCode.OK, grpc.StatusCode.CANCELLED}


@given(st.sampled_from([code for code in grpc.StatusCode if code not in _NO_REFUSAL]))
def test_every_code_goes_round(code: grpc.StatusCode) -> None:
    remote = over_the_wire(errors.to_status(Refused(), code, domain=DOMAIN))
    assert (remote.code, remote.reason) == (code, "slot_taken")


def test_an_unavailable_answer_says_when_to_come_again() -> None:
    status = errors.to_status(Refused(), grpc.StatusCode.UNAVAILABLE, domain=DOMAIN)
    packed = status_pb2.Status.FromString(dict(status.trailing_metadata)[DETAILS])
    retry = error_details_pb2.RetryInfo()
    assert any(detail.Unpack(retry) for detail in packed.details)
    assert retry.retry_delay.seconds == 1


def test_a_subclass_follows_its_nearest_listed_parent() -> None:
    assert errors.status_code(TakenByCourse(), TABLE) is grpc.StatusCode.ABORTED
    nearer: errors.StatusTable = {**TABLE, TakenByCourse: grpc.StatusCode.ALREADY_EXISTS}
    assert errors.status_code(TakenByCourse(), nearer) is grpc.StatusCode.ALREADY_EXISTS
    assert errors.status_code(Refused(), nearer) is grpc.StatusCode.ABORTED


def test_an_error_that_nobody_anticipated_has_no_code() -> None:
    assert errors.status_code(KeyError("x"), TABLE) is None


def test_a_failure_without_details_is_read_by_its_code() -> None:
    remote = errors.from_call(failed_call(grpc.StatusCode.UNAVAILABLE, "connect failed", []))
    assert (remote.code, remote.reason) == (grpc.StatusCode.UNAVAILABLE, "unavailable")
    assert (remote.domain, remote.metadata, remote.violations) == ("", {}, ())


@pytest.mark.parametrize(
    "trailer",
    [
        b"\xff\xff\xff",
        status_pb2.Status(code=5, message="of another code").SerializeToString(),
        status_pb2.Status(code=14, message="of another text").SerializeToString(),
        status_pb2.Status(
            code=14,
            message="away",
            details=[
                any_pb2.Any(type_url="type.googleapis.com/google.rpc.ErrorInfo", value=b"\xff\xff")
            ],
        ).SerializeToString(),
    ],
    ids=["no status", "another code", "another text", "no detail"],
)
def test_details_that_cannot_be_read_are_left_out(trailer: bytes) -> None:
    remote = errors.from_call(
        failed_call(grpc.StatusCode.UNAVAILABLE, "away", [(DETAILS, trailer)])
    )
    assert (remote.code, remote.reason) == (grpc.StatusCode.UNAVAILABLE, "unavailable")


def test_details_of_a_newer_peer_are_passed_over() -> None:
    unknown, info = any_pb2.Any(type_url="type.googleapis.com/x.Y", value=b"z"), any_pb2.Any()
    info.Pack(error_details_pb2.ErrorInfo(reason="busy", domain=DOMAIN))
    status = rpc_status.to_status(
        status_pb2.Status(code=14, message="away", details=[unknown, info])
    )
    assert over_the_wire(status).reason == "busy"


def test_a_single_violation_is_made_in_one_go() -> None:
    error = errors.invalid("task_id", "is not positive")
    assert error.violations == (Violation("task_id", "is not positive"),)
    assert str(error) == "task_id: is not positive"


def test_a_remote_error_says_what_it_is_and_can_be_caught_on_its_way() -> None:
    error = RemoteError(grpc.StatusCode.ABORTED, "slot_taken", DOMAIN)
    assert str(error) == "ABORTED smartmate.schedule slot_taken"
    with pytest.raises(RemoteError) as caught, contextlib.ExitStack():
        raise error from KeyError("cause")
    assert isinstance(caught.value.__cause__, KeyError)


@pytest.mark.parametrize(
    ("delay", "seconds"),
    [
        (duration_pb2.Duration(seconds=7), 7),
        (duration_pb2.Duration(seconds=7, nanos=1), 8),
        (duration_pb2.Duration(), 1),
        (duration_pb2.Duration(seconds=-5), 1),
        (duration_pb2.Duration(seconds=10**9), 86_400),
    ],
)
def test_the_pause_that_a_service_asks_for_arrives(
    delay: duration_pb2.Duration, seconds: int
) -> None:
    info = error_details_pb2.RetryInfo(retry_delay=delay)
    status = errors.rich(grpc.StatusCode.RESOURCE_EXHAUSTED, "slow", [info])
    assert over_the_wire(status).retry_after == seconds


def test_a_refusal_that_does_not_pass_by_itself_asks_for_no_pause() -> None:
    status = errors.to_status(Refused(), grpc.StatusCode.RESOURCE_EXHAUSTED, domain=DOMAIN)
    assert over_the_wire(status).retry_after is None
    away = errors.to_status(Refused(), grpc.StatusCode.UNAVAILABLE, domain=DOMAIN)
    assert over_the_wire(away).retry_after == 1
