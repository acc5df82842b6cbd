"""Services with a study plan that answer by hand, and somebody who looks at their pages."""

from urllib.parse import parse_qs, urlsplit

import grpc
import httpx2

from libs.rpc.errors import RemoteError, Violation
from services.gateway.domain.visitor import Visitor
from services.gateway.web import access
from smartmate.schedule.v1 import schedule_service_pb2
from tests.unit.gateway import class_samples as plans
from tests.unit.gateway import gateway_samples as samples
from tests.unit.gateway.gateway_served import Served
from tests.unit.gateway.test_gateway_preview_http import ByHand

pb = schedule_service_pb2
VISITOR = Visitor(7, "林同学", frozenset(), "the-csrf-token")
KEY = {"idempotency_key": "k"}


def prepared(served: Served) -> ByHand:
    """Services with one study plan, a semester, and one changed day; the student is signed in."""
    found = served.parts.suite
    assert isinstance(found, ByHand)
    served.app.dependency_overrides[access.signed_in] = lambda: VISITOR
    found.served = served
    found.asked = []
    found.answers = {
        "GetSemester": pb.GetSemesterResponse(semester=samples.semester()),
        "ListTaskClasses": pb.ListTaskClassesResponse(task_classes=[plans.plan()]),
        "GetTaskClass": pb.GetTaskClassResponse(task_class=plans.plan()),
        "PutTaskClass": pb.PutTaskClassResponse(task_class=plans.plan(9), removed_event_ids=[1, 2]),
        "DeleteTaskClass": pb.DeleteTaskClassResponse(removed_event_ids=[1]),
        "ListEvents": pb.ListEventsResponse(),
        "RoughBuild": plans.built(),
        "GetWeek": lambda asked: samples.week(number=asked.week_of_semester.week or 13),
        "ApplyChanges": pb.ApplyChangesResponse(verdict=plans.verdict(events=[1])),
        "GetApply": pb.GetApplyResponse(verdict=plans.verdict(events=[1])),
        "ListCalendarOverrides": plans.overrides(plans.override("2026-10-01")),
        "PutCalendarOverride": pb.PutCalendarOverrideResponse(),
        "DeleteCalendarOverride": pb.DeleteCalendarOverrideResponse(),
    }
    return found


def refused(code: grpc.StatusCode, reason: str, **facts: str) -> RemoteError:
    return RemoteError(code, reason, "smartmate.schedule", facts)


def wrong(field: str) -> RemoteError:
    violation = Violation(field, "must be else")
    code = grpc.StatusCode.INVALID_ARGUMENT
    return RemoteError(code, "invalid_request", "smartmate.schedule", violations=[violation])


NOT_FOUND = refused(grpc.StatusCode.NOT_FOUND, "task_class_not_found")


def led(answer: httpx2.Response) -> tuple[str, dict[str, list[str]]]:
    """Where a form leads to, and what it says there."""
    assert answer.status_code == 303, answer.text
    where = urlsplit(answer.headers["location"])
    return where.path, parse_qs(where.query)
