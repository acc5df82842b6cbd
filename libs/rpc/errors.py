"""Typed errors on the wire: canonical code, ErrorInfo, field violations, RetryInfo.

Source: spec quality.md, Errors. Clients switch on `reason`, never on text.
"""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from typing import cast

import grpc
from google.protobuf import any_pb2, duration_pb2
from google.protobuf.message import DecodeError, Message
from google.rpc import code_pb2, error_details_pb2, status_pb2
from grpc_status import rpc_status


@dataclass(frozen=True, slots=True)
class Violation:
    """One field of a request that is not as it must be."""

    field: str
    problem: str


class InvalidRequest(Exception):
    """The shape of a request is wrong; found in `wire`, before any work."""

    reason = "invalid_request"

    def __init__(self, *violations: Violation) -> None:
        super().__init__("; ".join(f"{item.field}: {item.problem}" for item in violations))
        self.violations = violations


def invalid(field_name: str, problem: str) -> InvalidRequest:
    """An InvalidRequest about a single field."""
    return InvalidRequest(Violation(field_name, problem))


class Overloaded(Exception):
    """As many calls of a kind are under way as this process serves; later there is room again."""


class TooManyCalls(Overloaded):
    """Calls with one answer."""

    reason = "too_many_calls"


class TooManyStreams(Overloaded):
    """Calls whose answers go on."""

    reason = "too_many_streams"


# Neither frozen nor slotted: whatever catches an exception on its way (contextlib, ExitStack)
# writes its traceback and context.
@dataclass(eq=False)
class RemoteError(Exception):
    """What a called service answered instead of a result."""

    code: grpc.StatusCode
    reason: str
    domain: str
    metadata: Mapping[str, str] = field(default_factory=dict)
    violations: Sequence[Violation] = ()
    retry_after: int | None = None
    """Whole seconds after which the service wants to be asked again, where it says so."""

    def __str__(self) -> str:
        return f"{self.code.name} {self.domain} {self.reason}"


_DETAILS: tuple[type[Message], ...] = (
    error_details_pb2.ErrorInfo,
    error_details_pb2.BadRequest,
    error_details_pb2.RetryInfo,
)

StatusTable = Mapping[type[Exception], grpc.StatusCode]
"""Domain error class → canonical code. Subclasses follow their nearest listed parent.

Listed classes have a `reason` and may have `metadata`, a mapping of strings.
"""

_RETRY_SECONDS = 1
_LONGEST_RETRY_SECONDS = 24 * 3600
# Details travel in trailing metadata, of which a peer takes 8 KB: the first ones are enough.
_VIOLATIONS_BYTES = 4096
_TEXT_LENGTH = 200


def status_code(error: Exception, table: StatusTable) -> grpc.StatusCode | None:
    """The canonical code of an error, or None for one that nobody anticipated."""
    for parent in type(error).__mro__:
        if parent in table:
            return table[parent]
    return None


def to_status(error: Exception, code: grpc.StatusCode, *, domain: str) -> grpc.Status:
    """The rich status of an anticipated error."""
    info = error_details_pb2.ErrorInfo(
        reason=getattr(error, "reason", code.name.lower()),
        domain=domain,
        metadata={k: str(v) for k, v in getattr(error, "metadata", {}).items()},
    )
    details: list[Message] = [info]
    if isinstance(error, InvalidRequest):
        details.append(_bad_request(error.violations))
    if code is grpc.StatusCode.UNAVAILABLE or isinstance(error, Overloaded):
        delay = duration_pb2.Duration(seconds=_RETRY_SECONDS)
        details.append(error_details_pb2.RetryInfo(retry_delay=delay))
    return rich(code, info.reason, details)


def _bad_request(violations: Sequence[Violation]) -> error_details_pb2.BadRequest:
    """As many violations as there is room for, from the first."""
    bad = error_details_pb2.BadRequest()
    for item in violations:
        bad.field_violations.add(
            field=item.field[:_TEXT_LENGTH], description=item.problem[:_TEXT_LENGTH]
        )
        if bad.ByteSize() > _VIOLATIONS_BYTES:
            del bad.field_violations[-1]
            break
    return bad


def rich(code: grpc.StatusCode, message: str, details: Sequence[Message]) -> grpc.Status:
    """A status with typed details."""
    packed = []
    for detail in details:
        wrapped = any_pb2.Any()
        wrapped.Pack(detail)
        packed.append(wrapped)
    number = code_pb2.Code.Value(code.name)
    status = status_pb2.Status(code=number, message=message, details=packed)
    return cast("grpc.Status", rpc_status.to_status(status))


def from_call(error: grpc.aio.AioRpcError) -> RemoteError:
    """Reads a failed call; details that cannot be read are left out.

    A call that we cancel raises CancelledError; one that comes back CANCELLED met a server that
    ended under it, which is UNAVAILABLE.
    """
    code = error.code()
    if code is grpc.StatusCode.CANCELLED:
        code = grpc.StatusCode.UNAVAILABLE
    reason, domain = code.name.lower(), ""
    metadata: dict[str, str] = {}
    violations: list[Violation] = []
    retry_after = None
    for detail in _details(error):
        if isinstance(detail, error_details_pb2.ErrorInfo):
            reason, domain, metadata = detail.reason, detail.domain, dict(detail.metadata)
        elif isinstance(detail, error_details_pb2.BadRequest):
            violations = [Violation(v.field, v.description) for v in detail.field_violations]
        elif isinstance(detail, error_details_pb2.RetryInfo):
            retry_after = _whole_seconds(detail.retry_delay)
    return RemoteError(code, reason, domain, metadata, tuple(violations), retry_after)


def _whole_seconds(delay: duration_pb2.Duration) -> int:
    """Rounded up, at least one, at most a day."""
    seconds = delay.seconds + (1 if delay.nanos > 0 else 0)
    return min(max(seconds, 1), _LONGEST_RETRY_SECONDS)


def _details(error: grpc.aio.AioRpcError) -> Iterator[Message]:
    """The typed details of a failed call, as far as they can be read."""
    try:
        status = rpc_status.from_call(error)
        for packed in status.details if status else ():
            for kind in _DETAILS:
                detail = kind()
                if packed.Unpack(detail):
                    yield detail
    except (ValueError, DecodeError):
        # Something between here and there has written a status of its own.
        return
