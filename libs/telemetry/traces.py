"""Trace context across calls and events (W3C traceparent)."""

from collections.abc import Iterator, Mapping
from contextlib import contextmanager

from opentelemetry import trace
from opentelemetry.sdk.trace import TracerProvider
from opentelemetry.trace import Span, SpanKind, StatusCode
from opentelemetry.trace.propagation.tracecontext import TraceContextTextMapPropagator

TRACEPARENT = "traceparent"

# This one alone: baggage would carry whatever a caller likes into every event.
_PROPAGATOR = TraceContextTextMapPropagator()


def configure() -> None:
    """Makes span ids real. Exporters are attached by the deployment, not here."""
    trace.set_tracer_provider(TracerProvider())


@contextmanager
def span(
    name: str, *, carrier: Mapping[str, str] | None = None, kind: SpanKind = SpanKind.INTERNAL
) -> Iterator[Span]:
    """Opens a span; `carrier` holds the caller's traceparent, where there is one.

    Of an error the span keeps the class alone: texts may hold what people wrote.
    """
    context = _PROPAGATOR.extract(dict(carrier)) if carrier else None
    tracer = trace.get_tracer("smartmate")
    with tracer.start_as_current_span(
        name, context=context, kind=kind, record_exception=False, set_status_on_exception=False
    ) as opened:
        try:
            yield opened
        except Exception as error:
            opened.set_status(StatusCode.ERROR, type(error).__name__)
            raise


def outgoing() -> dict[str, str]:
    """The headers that carry the current trace onward; empty outside of any span."""
    carrier: dict[str, str] = {}
    _PROPAGATOR.inject(carrier)
    return carrier
