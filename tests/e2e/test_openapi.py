"""Whatever is sent to the routes of /openapi.json is answered as that page describes it.

Cases are made from the description itself: such as it allows, and such as it does not. The same
ones in every run.
"""

import asyncio
import itertools
from collections.abc import Mapping
from datetime import date, timedelta
from typing import Any

import httpx2
import requests
import schemathesis
from hypothesis import HealthCheck, Phase, given, settings
from schemathesis import APIOperation, Case, GenerationMode
from schemathesis.checks import not_a_server_error
from schemathesis.specs.openapi.checks import (
    content_type_conformance,
    response_schema_conformance,
    status_code_conformance,
)

from smartmate.schedule.v1 import calendar_pb2, schedule_service_pb2
from tests.student import Student, course, new_key
from tests.world import World

EXAMPLES = 6
"""Of each kind for each operation: several hundred requests in all."""
CALL_SECONDS = 20
CHECKS = [
    not_a_server_error,
    status_code_conformance,
    content_type_conformance,
    response_schema_conformance,
]
ONLY_SEARCH = settings(
    max_examples=EXAMPLES,
    deadline=None,
    derandomize=True,
    database=None,
    phases=[Phase.generate],
    suppress_health_check=list(HealthCheck),
)
WANTED = (
    *("/api/v1/timetable", "/api/v1/tasks", "/api/v1/week", "/api/v1/calendar/overrides"),
    *("/api/v1/task-classes", "/api/v1/task-classes/rough-build", "/api/v1/applies"),
    *("/active-schedule/dry-run", "/active-schedule/feedback", "/api/v1/active-schedule/trace"),
    "/api/v1/active-schedule/previews/{preview_id}/answer",
)


class Found:
    """Answers that the description does not allow, and how many were allowed, by status."""

    def __init__(self) -> None:
        self.faults: list[str] = []
        self.statuses: dict[int, int] = {}

    def judge(self, case: Case, answer: requests.Response) -> None:
        """Compares an answer with the description."""
        self.statuses[answer.status_code] = self.statuses.get(answer.status_code, 0) + 1
        try:
            case.validate_response(answer, checks=CHECKS)
        except BaseExceptionGroup as error:
            self.faults += [f"{case.method} {case.path}: {one}" for one in error.exceptions]


def _ask(operation: APIOperation, url: str, token: str, found: Found) -> None:
    """Cases of one operation, as the description allows them and as it does not."""
    with requests.Session() as session:
        session.trust_env = False

        def send(case: Case, more: Mapping[str, str]) -> None:
            headers = {"Accept": "application/json", "Authorization": f"Bearer {token}", **more}
            answer = case.call(
                base_url=url,
                session=session,
                headers=headers,
                timeout=CALL_SECONDS,
                allow_redirects=False,
            )
            found.judge(case, answer)

        @ONLY_SEARCH
        @given(case=operation.as_strategy(generation_mode=GenerationMode.POSITIVE))
        def allowed(case: Case) -> None:
            # A key is what most changes fail for want of; each attempt has its own.
            send(case, {"Idempotency-Key": new_key()})

        @ONLY_SEARCH
        @given(case=operation.as_strategy(generation_mode=GenerationMode.NEGATIVE))
        def not_allowed(case: Case) -> None:
            send(case, {})

        allowed()
        not_allowed()


async def _described(url: str) -> dict[str, Any]:
    async with httpx2.AsyncClient(trust_env=False) as http:
        answer = await http.get(f"{url}/openapi.json")
    document: dict[str, Any] = answer.json()
    return document


async def _busy(world: World) -> Student:
    """Somebody whose answers are not empty."""
    student = await world.student()
    await student.import_courses(course("高等数学", day=1, sections="1-2"))
    task = await student.create_task()
    await student.add(task.task_id, student.place(5, 6))
    await student.create_task("英语听力", due_in=None, sections=None)
    plan = schedule_service_pb2.TaskClassInput(
        name="期末复习", items=[schedule_service_pb2.TaskItemInput(content="极限")]
    )
    writing = schedule_service_pb2.PutTaskClassRequest(request_id=new_key(), task_class=plan)
    await student.call(world.line.schedule.PutTaskClass, writing)
    sunday = date.fromisoformat(student.semester.first_date) + timedelta(weeks=8, days=6)
    free = calendar_pb2.CalendarOverride(date=sunday.isoformat())
    freeing = schedule_service_pb2.PutCalendarOverrideRequest(request_id=new_key(), override=free)
    await student.call(world.line.schedule.PutCalendarOverride, freeing)
    return student


async def test_every_answer_is_one_that_the_description_allows(world: World) -> None:
    url = world.suite.gateway_url
    document = await _described(url)
    assert set(WANTED) <= set(document["paths"])
    schema = schemathesis.openapi.from_dict(document)
    operations = [result.ok() for result in schema.get_all_operations()]
    students = itertools.cycle([await _busy(world) for _ in range(4)])
    found = Found()
    for operation, student in zip(operations, students, strict=False):
        token = world.line.issuer.user_token(student.id)
        await asyncio.to_thread(_ask, operation, url, token, found)
    assert found.faults == []
    assert {200, 400, 401, 404} <= set(found.statuses), found.statuses
    assert not any(status >= 500 for status in found.statuses), found.statuses
