"""Study plans, applies and changed days as programs use them, before services by hand."""

from typing import Any

import httpx2
import pytest

from tests.unit.gateway import class_samples as plans
from tests.unit.gateway.class_services import pb, prepared
from tests.unit.gateway.gateway_served import Served, bearer, served_by
from tests.unit.gateway.test_gateway_preview_http import ByHand, of

served = served_by(ByHand)


@pytest.fixture
def suite(served: Served) -> ByHand:
    return prepared(served)


def keyed() -> dict[str, str]:
    return {**bearer(), "Idempotency-Key": "k"}


async def call(suite: ByHand, method: str, path: str, **how: Any) -> httpx2.Response:
    async with suite.served.client() as client:
        return await client.request(method, f"/api/v1{path}", headers=keyed(), **how)


PLAN = {"name": "复习", "items": [{"content": "A"}, {"content": "B", "order": 2}]}


async def test_a_program_keeps_plans(suite: ByHand) -> None:
    assert (await call(suite, "GET", "/task-classes")).json()["task_classes"][0]["name"]
    assert (await call(suite, "GET", "/task-classes/5")).status_code == 200
    made = await call(suite, "POST", "/task-classes", json=PLAN)
    assert (made.status_code, made.json()["removed_event_ids"]) == (201, [1, 2])
    body = {**PLAN, "if_version": 7, "excluded_days_of_week": [6]}
    assert (await call(suite, "PUT", "/task-classes/5", json=body)).status_code == 200
    assert (await call(suite, "DELETE", "/task-classes/5")).status_code == 200
    first, second = of(suite, pb.PutTaskClassRequest)
    assert first.task_class == pb.TaskClassInput(
        name="复习",
        items=[pb.TaskItemInput(content="A"), pb.TaskItemInput(content="B", order=2)],
    )
    assert (second.task_class_id, second.if_version) == (5, 7)
    assert list(second.task_class.excluded_days_of_week) == [6]


async def test_a_program_applies_what_a_trial_run_answers(suite: ByHand) -> None:
    body = {"task_class_ids": [5], "period": {"first_date": "a", "last_date": "b"}}
    built = (await call(suite, "POST", "/task-classes/rough-build", json=body)).json()
    (asked,) = of(suite, pb.RoughBuildRequest)
    assert (asked.period.first_date, asked.period.last_date) == ("a", "b")
    body = {"changes": built["changes"], "base": built["base"]}
    applied = await call(suite, "POST", "/applies", json=body)
    assert applied.json()["verdict"]["state"] == "APPLY_STATE_APPLIED"
    (apply,) = of(suite, pb.ApplyChangesRequest)
    assert apply.apply_id == "k"
    assert list(apply.changes) == list(plans.built().changes)
    assert apply.base == plans.built().base
    assert (await call(suite, "GET", "/applies/k")).status_code == 200


async def test_a_change_that_comes_from_somewhere_says_so(suite: ByHand) -> None:
    place = dict.fromkeys(
        ("semester_id", "week", "day_of_week", "first_section", "last_section"), 3
    )
    change = {
        "change_id": "c",
        "type": "CHANGE_TYPE_MOVE",
        "target": {"kind": "TARGET_KIND_SCHEDULE_EVENT", "id": 3},
        "from": place,
        "to": {**place, "week": 4},
    }
    await call(suite, "POST", "/applies", json={"changes": [change]})
    (asked,) = of(suite, pb.ApplyChangesRequest)
    (moved,) = asked.changes
    assert (getattr(moved, "from").week, moved.to.week) == (3, 4)


async def test_a_program_changes_days(suite: ByHand) -> None:
    runs = {"runs": {"week": 4, "day_of_week": 4}}
    path = "/calendar/overrides"
    assert (await call(suite, "GET", path)).json()["overrides"][0]["date"] == "2026-10-01"
    assert (await call(suite, "PUT", f"{path}/2026-10-10", json=runs)).status_code == 200
    assert (await call(suite, "PUT", f"{path}/2026-10-01", json={})).status_code == 200
    assert (await call(suite, "DELETE", f"{path}/2026-10-01")).status_code == 200
    first, second = of(suite, pb.PutCalendarOverrideRequest)
    assert (first.override.date, first.override.runs.week) == ("2026-10-10", 4)
    assert not second.override.HasField("runs")


@pytest.mark.parametrize(
    ("method", "path", "body"),
    [
        ("POST", "/task-classes", PLAN),
        ("PUT", "/task-classes/1", PLAN),
        ("DELETE", "/task-classes/1", None),
        ("POST", "/applies", {"changes": [], "base": {}}),
        ("PUT", "/calendar/overrides/2026-10-01", {}),
        ("DELETE", "/calendar/overrides/2026-10-01", None),
    ],
)
async def test_every_change_needs_a_key(
    suite: ByHand, method: str, path: str, body: dict[str, Any] | None
) -> None:
    async with suite.served.client() as client:
        answer = await client.request(method, f"/api/v1{path}", headers=bearer(), json=body)
    assert answer.status_code == 400
    assert suite.asked == []


async def test_the_description_names_every_route(suite: ByHand) -> None:
    async with suite.served.client() as client:
        document = (await client.get("/openapi.json")).json()
    for path in (
        "/api/v1/task-classes",
        "/api/v1/task-classes/{task_class_id}",
        "/api/v1/task-classes/rough-build",
        "/api/v1/applies",
        "/api/v1/applies/{apply_id}",
        "/api/v1/calendar/overrides",
        "/api/v1/calendar/overrides/{date}",
    ):
        assert path in document["paths"]
    assert "/task-classes" not in document["paths"]
