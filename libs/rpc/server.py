"""A gRPC server: health, reflection, and one wrapper around every handler.

The wrapper knows who calls, gives a deadline to callers without one, opens the trace, and turns
errors into statuses: anticipated ones by a table, all others into a fixed INTERNAL.
"""

import asyncio
import contextlib
import uuid
from collections.abc import AsyncIterator, Awaitable, Callable, Iterator, Mapping, Sequence
from contextvars import ContextVar
from dataclasses import dataclass, field
from typing import Any, cast

import grpc
from google.protobuf.message import DecodeError
from google.rpc import error_details_pb2
from grpc_health.v1 import health_pb2, health_pb2_grpc
from grpc_health.v1._async import HealthServicer
from grpc_reflection.v1alpha import reflection
from opentelemetry.trace import SpanKind
from prometheus_client import Histogram

from libs.rpc import deadline, errors, identity
from libs.rpc.client import MAX_MESSAGE_BYTES
from libs.telemetry import logs, traces

Context = grpc.aio.ServicerContext[Any, Any]

_log = logs.get("rpc.server")
_SECONDS = Histogram("smartmate_rpc_seconds", "Calls served", ["method", "code"])
_caller: ContextVar[identity.Caller] = ContextVar("caller")

# Open to whoever reaches the port: they tell nothing about any user.
_OPEN = ("/grpc.health.", "/grpc.reflection.")


def caller() -> identity.Caller:
    """The verified caller of the current call."""
    return _caller.get()


def user_id() -> int:
    """The verified user of the current call; a defect where the RPC is not for a user."""
    user = _caller.get().user_id
    if user is None:
        raise AssertionError("this RPC was opened to calls without a user")
    return user


@dataclass(frozen=True, slots=True)
class Rules:
    """How one service treats calls."""

    domain: str
    """Domain of its ErrorInfo, e.g. smartmate.schedule."""
    access: Mapping[str, identity.Access]
    """RPC name → who may call it. A method that is not listed is refused."""
    statuses: errors.StatusTable
    is_away: Callable[[BaseException], bool]
    """Whether an error means that something this service needs is not there: UNAVAILABLE."""


@dataclass(slots=True)
class _Room:
    """How many calls of one kind there is room for: a stream that lasts takes none from others."""

    most: int
    full: type[errors.Overloaded]
    taken: int = 0

    @contextlib.contextmanager
    def place(self) -> Iterator[None]:
        """One place for the length of a call. Raises what `full` says."""
        if self.taken >= self.most:
            raise self.full
        self.taken += 1
        try:
            yield
        finally:
            self.taken -= 1


@dataclass(slots=True)
class _Guard(grpc.aio.ServerInterceptor):
    rules: Rules
    verifier: identity.Verifier
    calls: _Room
    streams: _Room
    handlers: dict[str, Any] = field(default_factory=dict)
    """By method, wrapped; they are the same for every call."""

    async def intercept_service(
        self,
        continuation: Callable[[Any], Awaitable[Any]],
        details: grpc.HandlerCallDetails,
    ) -> Any:
        method: str = details.method
        known = self.handlers.get(method)
        if known is not None:
            return known
        handler = await continuation(details)
        if handler is None or method.startswith(_OPEN):
            return handler
        wrapped = self.handlers[method] = self._wrapped(method, handler)
        return wrapped

    def _wrapped(self, method: str, handler: Any) -> Any:
        if handler.response_streaming:
            return grpc.unary_stream_rpc_method_handler(
                self._streaming(method, handler.unary_stream),
                request_deserializer=_or_none(handler.request_deserializer),
                response_serializer=handler.response_serializer,
            )
        return grpc.unary_unary_rpc_method_handler(
            self._unary(method, handler.unary_unary),
            request_deserializer=_or_none(handler.request_deserializer),
            response_serializer=handler.response_serializer,
        )

    def _unary(self, method: str, serve: Any) -> Any:
        async def guarded(request: Any, context: Context) -> Any:
            with _Call(method, _metadata(context)) as call:
                try:
                    with self.calls.place():
                        self._admit(call, request)
                        answer = await self._in_time(serve, request, context)
                    call.code = grpc.StatusCode.OK
                    return answer
                except grpc.aio.AbortError:
                    raise  # answered already
                except Exception as error:  # noqa: BLE001  one of the two outer loops
                    await self._refuse(error, context, call)

        return guarded

    async def _in_time(self, serve: Any, request: Any, context: Context) -> Any:
        length = deadline.begin(context.time_remaining())
        try:
            async with asyncio.timeout(length) as limit:
                return await serve(request, context)
        except TimeoutError as error:
            # A time-out from within, of a connection say, is not the caller's deadline.
            if limit.expired():
                raise deadline.DeadlineExceeded from error
            raise

    def _streaming(self, method: str, serve: Any) -> Any:
        async def guarded(request: Any, context: Context) -> AsyncIterator[Any]:
            with _Call(method, _metadata(context)) as call:
                try:
                    with self.streams.place():
                        self._admit(call, request)
                        # A stream lasts as long as its caller likes, but calls that it makes do
                        # not outlive a deadline that it has.
                        if (left := context.time_remaining()) is not None:
                            deadline.begin(left)
                        async with contextlib.aclosing(serve(request, context)) as answers:
                            async for answer in answers:
                                yield answer
                    call.code = grpc.StatusCode.OK
                except grpc.aio.AbortError:
                    raise  # answered already
                except Exception as error:  # noqa: BLE001  one of the two outer loops
                    await self._refuse(error, context, call)

        return guarded

    def _admit(self, call: "_Call", request: Any) -> None:
        access = self.rules.access.get(call.method)
        if access is None:
            raise identity.PermissionDenied("not listed")
        _caller.set(identity.authenticate(call.metadata, self.verifier, access))
        if request is None:
            raise errors.invalid("", "the bytes are no message of this kind")

    async def _refuse(self, error: Exception, context: Context, call: "_Call") -> None:
        """Ends the call with the status of an error. Never returns."""
        code = errors.status_code(error, _KNOWN) or errors.status_code(error, self.rules.statuses)
        if code is None and self.rules.is_away(error):
            code = grpc.StatusCode.UNAVAILABLE
            _log.warning("dependency_away", method=call.method, error=repr(error))
        if code is None:
            status = self._internal(error, call)
        else:
            status = errors.to_status(error, code, domain=self.rules.domain)
            _log.info("refused", method=call.method, code=code.name, error=type(error).__name__)
        call.code = status.code
        await context.abort_with_status(status)

    def _internal(self, error: Exception, call: "_Call") -> grpc.Status:
        """A fixed answer: nothing of an unanticipated exception leaves this process."""
        number = str(uuid.uuid4())
        _log.error("defect", method=call.method, number=number, exc_info=error)
        info = error_details_pb2.ErrorInfo(
            reason="internal", domain=self.rules.domain, metadata={"number": number}
        )
        return errors.rich(grpc.StatusCode.INTERNAL, "internal", [info])


_KNOWN: errors.StatusTable = {
    identity.Unauthenticated: grpc.StatusCode.UNAUTHENTICATED,
    identity.PermissionDenied: grpc.StatusCode.PERMISSION_DENIED,
    errors.InvalidRequest: grpc.StatusCode.INVALID_ARGUMENT,
    deadline.DeadlineExceeded: grpc.StatusCode.DEADLINE_EXCEEDED,
    errors.Overloaded: grpc.StatusCode.RESOURCE_EXHAUSTED,
}


def _or_none(read: Callable[[bytes], Any]) -> Callable[[bytes], Any]:
    """Bytes that cannot be read become None: refused like any request, once the caller is known."""

    def attempt(data: bytes) -> Any:
        try:
            return read(data)
        except DecodeError:
            return None

    return attempt


def _metadata(context: Context) -> dict[str, str]:
    return {
        key: value for key, value in context.invocation_metadata() or () if isinstance(value, str)
    }


class _Call:
    """The measured span of one call."""

    __slots__ = ("_began", "_span", "_timer", "code", "metadata", "method")

    def __init__(self, method: str, metadata: Mapping[str, str]) -> None:
        self.method = method.rpartition("/")[2]
        self.metadata = metadata
        self.code = grpc.StatusCode.CANCELLED
        self._span = traces.span(f"serve {self.method}", carrier=metadata, kind=SpanKind.SERVER)
        self._timer = _SECONDS
        self._began = 0.0

    def __enter__(self) -> "_Call":
        self._began = asyncio.get_running_loop().time()
        self._span.__enter__()
        return self

    def __exit__(self, *error: Any) -> None:
        self._span.__exit__(*error)
        seconds = asyncio.get_running_loop().time() - self._began
        self._timer.labels(method=self.method, code=self.code.name).observe(seconds)


@dataclass(slots=True)
class Server:
    """One gRPC server. `add` registers the generated servicer; `names` are its full names."""

    rules: Rules
    verifier: identity.Verifier
    listen: str
    names: Sequence[str]
    add: Callable[[grpc.aio.Server], None]
    credentials: grpc.ServerCredentials | None = None
    most_calls: int = 512
    """Calls with one answer that are served side by side; health is asked beside them."""
    most_streams: int = 1024
    """Streams that are open side by side."""
    health: HealthServicer = field(default_factory=HealthServicer)
    port: int = field(default=0, init=False)
    _server: grpc.aio.Server | None = field(default=None, init=False)

    async def start(self) -> None:
        """Binds and serves; health stays NOT_SERVING until `ready`."""
        calls = _Room(self.most_calls, errors.TooManyCalls)
        streams = _Room(self.most_streams, errors.TooManyStreams)
        server = grpc.aio.server(
            interceptors=[_Guard(self.rules, self.verifier, calls, streams)],
            options=[
                # Two servers that share a port by accident would share its traffic.
                ("grpc.so_reuseport", 0),
                ("grpc.max_send_message_length", MAX_MESSAGE_BYTES),
                ("grpc.max_receive_message_length", MAX_MESSAGE_BYTES),
                # Half of what the clients wait between two pings.
                ("grpc.http2.min_recv_ping_interval_without_data_ms", 10_000),
            ],
        )
        self.add(server)
        health_pb2_grpc.add_HealthServicer_to_server(self.health, server)
        reflection.enable_server_reflection(
            [
                *self.names,
                health_pb2.DESCRIPTOR.services_by_name["Health"].full_name,
                reflection.SERVICE_NAME,
            ],
            server,
        )
        if self.credentials is not None:
            self.port = server.add_secure_port(self.listen, self.credentials)
        else:
            self.port = server.add_insecure_port(self.listen)
        await self._set_health(health_pb2.HealthCheckResponse.NOT_SERVING)
        await server.start()
        self._server = server

    async def ready(self) -> None:
        """From now on health says SERVING."""
        await self._set_health(health_pb2.HealthCheckResponse.SERVING)

    async def unready(self) -> None:
        """From now on health says NOT_SERVING, whatever is set later."""
        await self.health.enter_graceful_shutdown()

    async def stop(self, grace: float) -> None:
        """Refuses new calls and waits up to `grace` seconds for the ones under way."""
        if self._server is not None:
            await self._server.stop(grace)

    async def _set_health(self, status: int) -> None:
        for name in ("", *self.names):
            await self.health.set(name, cast("Any", status))
