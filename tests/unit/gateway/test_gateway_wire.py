"""JSON, schemas, bodies and problems."""

import json
from collections.abc import Iterator
from datetime import UTC, datetime
from typing import Any

import pytest
from google.protobuf import json_format
from grpc import StatusCode
from hypothesis import given
from hypothesis import strategies as st
from pydantic import ValidationError

from libs.rpc.errors import InvalidRequest, RemoteError, Violation
from services.gateway.domain.locale import Locale
from services.gateway.wire import bodies, problems, schemas
from services.gateway.wire.as_json import to_json
from smartmate.active_scheduler.v1 import active_scheduler_service_pb2, preview_pb2
from smartmate.schedule.v1 import schedule_service_pb2, task_pb2
from tests.unit.gateway import gateway_samples as samples

BIG = 2**53 - 1


def test_long_integers_are_numbers_wherever_they_stand() -> None:
    shown = samples.preview(preview_pb2.PREVIEW_STATE_APPLIED)
    shown.applied_event_ids.append(BIG)
    shown.candidates[0].base["cell:3:13:2:5"] = "empty"
    data = to_json(samples.answer(shown))["preview"]

    assert data["version"] == 4
    assert data["target"] == {"kind": "TARGET_KIND_TASK_POOL", "id": 1042}
    assert data["applied_event_ids"] == [900, BIG]
    assert data["before_events"][0]["event_id"] == 1
    assert data["candidates"][0]["base"] == {"cell:3:13:2:5": "empty"}
    assert data["candidates"][0]["changes"][0]["to"]["semester_id"] == 3


def test_names_are_those_of_the_contract_and_plain_fields_are_always_there() -> None:
    data = to_json(task_pb2.Task(task_id=7))
    assert data["task_id"] == 7
    assert data["title"] == ""
    assert data["status"] == "TASK_STATUS_UNSPECIFIED"
    assert "deadline_time" not in data
    assert "estimated_sections" not in data


def test_an_answer_can_be_read_back() -> None:
    answer = samples.answer(samples.preview())
    text = json.dumps(to_json(answer))
    back = json_format.Parse(text, active_scheduler_service_pb2.GetPreviewResponse())
    assert back == answer


def references(schema: Any) -> Iterator[str]:
    if isinstance(schema, dict):
        for name, value in schema.items():
            if name == "$ref":
                yield value.rpartition("/")[2]
            yield from references(value)
    elif isinstance(schema, list):
        for item in schema:
            yield from references(item)


def test_every_schema_that_is_named_is_there() -> None:
    kinds = [
        active_scheduler_service_pb2.GetPreviewResponse,
        schedule_service_pb2.GetWeekResponse,
    ]
    made = schemas.components(kinds)
    assert set(references(made)) <= set(made)
    assert made["Preview"]["properties"]["version"] == {"type": "integer", "format": "int64"}
    assert "expire_time" not in made["Preview"]["required"]


def test_a_task_becomes_the_message_of_the_contract() -> None:
    body = bodies.TaskBody.model_validate_json(
        '{"title": "概率论大作业", "quadrant": "QUADRANT_IMPORTANT",'
        ' "deadline_time": "2026-12-01T22:00:00+08:00", "estimated_sections": 2}'
    )
    message = body.message()
    assert message.quadrant == task_pb2.QUADRANT_IMPORTANT
    assert message.deadline_time.ToDatetime(tzinfo=UTC) == datetime(2026, 12, 1, 14, tzinfo=UTC)
    assert not message.HasField("urgency_threshold_time")
    assert message.estimated_sections == 2


def test_an_estimate_that_was_not_given_stays_absent() -> None:
    body = bodies.TaskBody(title="x", quadrant="QUADRANT_NEITHER")
    assert not body.message().HasField("estimated_sections")


@pytest.mark.parametrize(
    "text",
    [
        "{}",
        "[]",
        "null",
        "nonsense",
        '{"title": "x", "quadrant": "QUADRANT_URGENT", "more": 1}',
        '{"title": "", "quadrant": "QUADRANT_URGENT"}',
        '{"title": "x", "quadrant": 2}',
        '{"title": "x", "quadrant": "QUADRANT_UNSPECIFIED"}',
        '{"title": "x", "quadrant": "QUADRANT_URGENT", "estimated_sections": 1.5}',
        '{"title": "x", "quadrant": "QUADRANT_URGENT", "estimated_sections": 2147483648}',
        '{"title": "x", "quadrant": "QUADRANT_URGENT", "estimated_sections": NaN}',
        '{"title": "x", "quadrant": "QUADRANT_URGENT", "deadline_time": "2026-12-01T22:00:00"}',
        '{"title": "x", "quadrant": "QUADRANT_URGENT", "deadline_time": "0001-01-01T00:00+14:00"}',
        '{"title": "x", "quadrant": "QUADRANT_URGENT", "deadline_time": "9999-12-31T23:59-14:00"}',
        '{"title": "\\ud800", "quadrant": "QUADRANT_URGENT"}',
    ],
)
def test_a_body_that_is_not_as_it_must_be_is_refused(text: str) -> None:
    with pytest.raises(ValidationError):
        bodies.TaskBody.model_validate_json(text)


def test_of_an_edited_change_the_id_and_the_place_are_read() -> None:
    place = {
        "semester_id": 3,
        "week": 13,
        "day_of_week": 2,
        "first_section": 7,
        "last_section": 8,
    }
    body = bodies.ConfirmBody.model_validate(
        {
            "candidate_id": "c",
            "edited_changes": [{"change_id": "c1", "to": place, "risk": "ignored", "type": 9}],
        }
    )
    (change,) = bodies.edited(body.edited_changes)
    assert change.change_id == "c1"
    assert change.to == samples.place(2, 7, 8)
    assert change.risk == ""


@given(at=st.datetimes(min_value=datetime(1970, 1, 2), max_value=datetime(9998, 12, 30)))  # noqa: DTZ001
def test_every_instant_of_the_allowed_years_can_be_told(at: datetime) -> None:
    made = bodies.timestamp(at.replace(tzinfo=UTC))
    assert made is not None
    assert made.ToDatetime(tzinfo=UTC) == at.replace(tzinfo=UTC)


@pytest.mark.parametrize(
    ("code", "status"),
    [
        (StatusCode.INVALID_ARGUMENT, 400),
        (StatusCode.UNAUTHENTICATED, 401),
        (StatusCode.PERMISSION_DENIED, 403),
        (StatusCode.NOT_FOUND, 404),
        (StatusCode.FAILED_PRECONDITION, 409),
        (StatusCode.ABORTED, 409),
        (StatusCode.ALREADY_EXISTS, 409),
        (StatusCode.RESOURCE_EXHAUSTED, 429),
        (StatusCode.INTERNAL, 500),
        (StatusCode.UNKNOWN, 500),
        (StatusCode.UNAVAILABLE, 503),
        (StatusCode.DEADLINE_EXCEEDED, 504),
    ],
)
def test_a_services_code_has_one_http_status(code: StatusCode, status: int) -> None:
    assert problems.of_remote(RemoteError(code, "a_reason", "smartmate.schedule")).status == status


def test_a_services_refusal_keeps_its_code_its_violations_and_its_facts() -> None:
    error = RemoteError(
        StatusCode.INVALID_ARGUMENT,
        "invalid_request",
        "smartmate.schedule",
        {"week": "19"},
        (Violation("task.title", "must not be empty"),),
    )
    document = problems.of_remote(error).document(Locale.EN)
    assert document == {
        "type": "urn:smartmate:problem:invalid_request",
        "title": "Something in the request is not right.",
        "status": 400,
        "code": "invalid_request",
        "domain": "smartmate.schedule",
        "violations": [{"field": "task.title", "problem": "must not be empty"}],
        "metadata": {"week": "19"},
    }


def test_somebody_elses_preview_is_not_found_and_no_more_is_said() -> None:
    problem = problems.of_remote(
        RemoteError(StatusCode.NOT_FOUND, "preview_not_found", "smartmate.active_scheduler")
    )
    assert problem.status == 404
    assert problem.words(Locale.ZH) == "没有找到这条建议。"
    assert problem.words(Locale.EN) == "No such suggestion."


def test_of_a_defect_nothing_is_told_but_its_number() -> None:
    error = RemoteError(
        StatusCode.INTERNAL, "internal", "smartmate.schedule", {"number": "n1", "secret": "x"}
    )
    document = problems.of_remote(error).document(Locale.ZH)
    assert document["number"] == "n1"
    assert "metadata" not in document
    assert "secret" not in json.dumps(document)


def test_what_can_be_tried_again_says_when() -> None:
    away = problems.of_remote(RemoteError(StatusCode.UNAVAILABLE, "unavailable", ""))
    assert away.headers == {"Retry-After": "1"}
    assert problems.of_invalid(InvalidRequest(Violation("a", "b"))).headers == {}


@pytest.mark.parametrize(
    ("code", "told", "wait"),
    [
        (StatusCode.RESOURCE_EXHAUSTED, None, None),
        (StatusCode.RESOURCE_EXHAUSTED, 7, "7"),
        (StatusCode.UNAVAILABLE, None, "1"),
        (StatusCode.UNAVAILABLE, 3, "3"),
        (StatusCode.ABORTED, 3, None),
    ],
)
def test_only_what_passes_by_itself_is_to_be_tried_again(
    code: StatusCode, told: int | None, wait: str | None
) -> None:
    error = RemoteError(code, "a_reason", "smartmate.notification", retry_after=told)
    assert problems.of_remote(error).headers.get("Retry-After") == wait
