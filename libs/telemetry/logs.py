"""Structured logs: event names with ids, never titles, tokens, prompts or webhook URLs."""

import logging
import sys
from collections.abc import MutableMapping
from typing import Any, Literal, cast

import structlog
from opentelemetry import trace

LogFormat = Literal["json", "console"]


def _add_trace(
    _logger: object, _method: str, event: MutableMapping[str, Any]
) -> MutableMapping[str, Any]:
    context = trace.get_current_span().get_span_context()
    if context.is_valid:
        event["trace_id"] = trace.format_trace_id(context.trace_id)
    return event


def configure(*, service: str, log_format: LogFormat, level: str = "INFO") -> None:
    """Sets up logging for this process; everything goes to standard error, one line an event."""
    renderer: structlog.typing.Processor = (
        structlog.processors.JSONRenderer(ensure_ascii=False)
        if log_format == "json"
        else structlog.dev.ConsoleRenderer(
            colors=sys.stderr.isatty(), exception_formatter=structlog.dev.plain_traceback
        )
    )
    shared: list[structlog.typing.Processor] = [
        structlog.contextvars.merge_contextvars,
        structlog.processors.add_log_level,
        structlog.processors.TimeStamper(fmt="iso", utc=True),
        _add_trace,
    ]
    structlog.configure(
        processors=[*shared, structlog.processors.format_exc_info, renderer],
        wrapper_class=structlog.make_filtering_bound_logger(getattr(logging, level)),
        logger_factory=structlog.PrintLoggerFactory(sys.stderr),
        cache_logger_on_first_use=True,
    )
    structlog.contextvars.bind_contextvars(service=service)
    # Libraries speak through the standard module; only what is worth a look comes through.
    logging.basicConfig(level=logging.WARNING, stream=sys.stderr, format="%(name)s %(message)s")


def get(room: str) -> structlog.typing.FilteringBoundLogger:
    """A logger whose lines carry the room of the code they come from."""
    return cast("structlog.typing.FilteringBoundLogger", structlog.get_logger(room=room))
