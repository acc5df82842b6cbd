"""Trace context across calls and events (W3C traceparent)."""

from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from functools import cache
from types import TracebackType

from opentelemetry import trace
from opentelemetry.context import Context, attach, detach, get_current
from opentelemetry.sdk.trace import TracerProvider
from opentelemetry.trace import Span, SpanKind, StatusCode, Tracer
from opentelemetry.trace.propagation.tracecontext import TraceContextTextMapPropagator

Trace = Context
TRACEPARENT = "traceparent"

# This one alone: baggage would carry whatever a caller likes into every event.
_PROPAGATOR = TraceContextTextMapPropagator()


def configure() -> None:
    """Makes span ids real. Exporters are attached by the deployment, not here."""
    trace.set_tracer_provider(TracerProvider())


def span(
    name: str, *, carrier: Mapping[str, str] | None = None, kind: SpanKind = SpanKind.INTERNAL
) -> "Opened":
    """Opens a span; `carrier` holds the caller's traceparent, where there is one.

    Of an error the span keeps the class alone: texts may hold what people wrote.
    """
    context = _PROPAGATOR.extract(dict(carrier)) if carrier else None
    return Opened(
        _tracer(trace.get_tracer).start_span(
            name, context, kind, record_exception=False, set_status_on_exception=False
        )
    )


@cache
def _tracer(get: Callable[[str], Tracer]) -> Tracer:
    """One for all spans: it finds the provider once that is there."""
    return get("smartmate")


class Opened:
    """Makes a span the current one, and ends it. Every call has one: no generator is run."""

    __slots__ = ("_opened", "_token")

    def __init__(self, opened: Span) -> None:
        self._opened = opened

    def __enter__(self) -> Span:
        self._token = attach(trace.set_span_in_context(self._opened))
        return self._opened

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace_: TracebackType | None,
    ) -> None:
        if isinstance(error, Exception):
            self._opened.set_status(StatusCode.ERROR, type(error).__name__)
        detach(self._token)
        self._opened.end()


def current() -> Trace:
    """The trace that runs here, for `within`."""
    return get_current()


@contextmanager
def within(of: Trace) -> Iterator[None]:
    """For work that is done for another trace than the one that runs here."""
    token = attach(of)
    try:
        yield
    finally:
        detach(token)


def outgoing() -> dict[str, str]:
    """The headers that carry the current trace onward; empty outside of any span."""
    carrier: dict[str, str] = {}
    _PROPAGATOR.inject(carrier)
    return carrier
