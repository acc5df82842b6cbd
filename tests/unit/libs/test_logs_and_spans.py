"""Logs and spans: which trace a line belongs to, and what stays out of both."""

import json
from collections.abc import Iterator
from typing import Any

import pytest
import structlog
from opentelemetry import trace
from opentelemetry.sdk.trace import ReadableSpan, SpanProcessor, TracerProvider
from opentelemetry.trace import StatusCode

from libs.telemetry import logs, traces


class Kept(SpanProcessor):
    """Keeps what an exporter would send."""

    def __init__(self) -> None:
        self.spans: list[ReadableSpan] = []

    def on_end(self, span: ReadableSpan) -> None:
        self.spans.append(span)


@pytest.fixture
def kept(monkeypatch: pytest.MonkeyPatch) -> Kept:
    keeper, provider = Kept(), TracerProvider()
    provider.add_span_processor(keeper)
    monkeypatch.setattr(trace, "get_tracer", provider.get_tracer)
    return keeper


@pytest.fixture(autouse=True)
def logging_as_before() -> Iterator[None]:
    before = structlog.get_config()
    yield
    structlog.contextvars.clear_contextvars()
    structlog.configure(**before)


def line(capsys: pytest.CaptureFixture[str]) -> dict[str, Any]:
    """The one line that was written since the last look."""
    (written,) = capsys.readouterr().err.splitlines()
    read: dict[str, Any] = json.loads(written)
    return read


def fail(text: str) -> None:
    raise ValueError(text)


def test_a_line_is_one_json_object_that_names_service_and_room(
    capsys: pytest.CaptureFixture[str],
) -> None:
    logs.configure(service="schedule", log_format="json")
    logs.get("outbox.relay").info("published", rows=3, note="高数\n二")
    written = line(capsys)
    assert written.pop("timestamp").endswith("Z")
    assert written == {
        "event": "published",
        "service": "schedule",
        "room": "outbox.relay",
        "level": "info",
        "rows": 3,
        "note": "高数\n二",
    }


def test_a_line_inside_of_a_span_names_its_trace(
    capsys: pytest.CaptureFixture[str], kept: Kept
) -> None:
    logs.configure(service="schedule", log_format="json")
    with traces.span("serve") as span:
        logs.get("room").info("inside")
    assert line(capsys)["trace_id"] == f"{span.get_span_context().trace_id:032x}"
    logs.get("room").info("outside")
    assert "trace_id" not in line(capsys)


def test_lines_below_the_level_are_not_written(capsys: pytest.CaptureFixture[str]) -> None:
    logs.configure(service="schedule", log_format="json", level="WARNING")
    logs.get("room").info("unimportant")
    assert capsys.readouterr().err == ""


@pytest.mark.parametrize("form", ["json", "console"])
def test_a_failure_is_logged_with_its_place(
    capsys: pytest.CaptureFixture[str], form: logs.LogFormat
) -> None:
    logs.configure(service="schedule", log_format=form)
    with pytest.raises(ValueError, match="no") as failed:
        fail("no")
    logs.get("room").error("defect", exc_info=failed.value)
    assert "in fail" in capsys.readouterr().err


def test_a_span_keeps_the_class_of_an_error_and_not_its_text(kept: Kept) -> None:
    with pytest.raises(ValueError, match="高等数学"), traces.span("serve"):
        fail("高等数学")
    (span,) = kept.spans
    assert span.status.status_code is StatusCode.ERROR
    assert span.status.description == "ValueError"
    assert span.events == ()


def test_a_span_continues_the_trace_of_its_carrier(kept: Kept) -> None:
    with traces.span("first") as first:
        carrier = traces.outgoing()
    with traces.span("second", carrier=carrier) as second:
        pass
    assert second.get_span_context().trace_id == first.get_span_context().trace_id
    assert kept.spans[1].parent == trace.SpanContext(
        first.get_span_context().trace_id,
        first.get_span_context().span_id,
        is_remote=True,
        trace_flags=first.get_span_context().trace_flags,
    )


@pytest.mark.parametrize("carrier", [{}, {"traceparent": ""}, {"traceparent": "00-x-y-01"}])
def test_a_carrier_without_a_trace_begins_one(kept: Kept, carrier: dict[str, str]) -> None:
    with traces.span("alone", carrier=carrier) as span:
        assert span.get_span_context().is_valid
    assert kept.spans[0].parent is None
