"""What the pages do, done by a program: below /api/v1, with problem+json where it is refused."""

import uuid
from collections.abc import AsyncIterator
from datetime import date, timedelta
from typing import Any

import httpx2
import pytest

from tests.e2e.pages.places import plan_of
from tests.e2e.pages.visitors import Visitor, Visitors
from tests.student import course

COURSE = "形势与政策"
ITEM = ("task_item_id", "content", "done")
"""What a program says of an item that is there already."""


@pytest.fixture
async def visitor(visitors: Visitors) -> Visitor:
    return await visitors.arrive()


@pytest.fixture
async def program(visitors: Visitors, visitor: Visitor) -> AsyncIterator[httpx2.AsyncClient]:
    """A program of that student's."""
    token = visitor.student.line.issuer.user_token(visitor.student.id)
    async with httpx2.AsyncClient(
        base_url=f"{visitors.url}/api/v1",
        headers={"Authorization": f"Bearer {token}", "Accept": "application/json"},
        trust_env=False,
        timeout=30,
    ) as client:
        yield client


def key() -> dict[str, str]:
    return {"Idempotency-Key": uuid.uuid4().hex}


async def placed(visitor: Visitor, title: str = "概率论大作业") -> int:
    """A task on tomorrow's schedule; gives the id of its block."""
    task = await visitor.student.create_task(title)
    verdict = await visitor.student.add(task.task_id, visitor.student.place(3, 4, day_offset=1))
    block: int = verdict.event_ids[0]
    return block


async def listed(program: httpx2.AsyncClient, visitor: Visitor) -> list[dict[str, Any]]:
    """Blocks of the next days."""
    at = visitor.student.place(1, 1, day_offset=1)
    answer = await program.get("/week", params={"week": at.week})
    day: str = answer.json()["dates"][at.day_of_week - 1]
    found = await program.get("/events", params={"first_date": day, "last_date": day})
    events: list[dict[str, Any]] = found.json()["events"]
    return events


async def test_blocks_are_listed_revoked_and_deleted(
    program: httpx2.AsyncClient, visitor: Visitor
) -> None:
    block = await placed(visitor, "📌🧑‍💻")
    (event,) = await listed(program, visitor)
    assert (event["event_id"], event["name"]) == (block, "📌🧑‍💻")

    stale = await program.delete(
        f"/events/{block}", params={"if_placement_version": 1}, headers=key()
    )
    assert (stale.status_code, stale.json()["code"]) == (409, "version_mismatch")
    assert stale.headers["content-type"] == "application/problem+json"

    once = key()
    first = await program.post(f"/events/{block}/revoke", headers=once)
    again = await program.post(f"/events/{block}/revoke", headers=once)
    assert first.status_code == again.status_code == 200
    assert first.json() == again.json()
    assert first.json()["target"]["kind"] == "TARGET_KIND_TASK_POOL"
    assert await listed(program, visitor) == []
    gone = await program.delete(f"/events/{block}", headers=key())
    assert (gone.status_code, gone.json()["code"]) == (404, "event_not_found")


async def test_a_course_is_opened_to_work(program: httpx2.AsyncClient, visitor: Visitor) -> None:
    tomorrow = visitor.student.place(5, 6, day_offset=1)
    await visitor.student.import_courses(course(COURSE, day=tomorrow.day_of_week, sections="5-6"))
    (event,) = await listed(program, visitor)
    path = f"/courses/{event['course_id']}/embedding"
    opened = await program.put(path, json={"can_be_embedded": True}, headers=key())
    assert opened.status_code == 200
    assert opened.json()["can_be_embedded"] is True
    assert (await listed(program, visitor))[0]["can_be_embedded"] is True
    wrong = await program.put(path, json={"can_be_embedded": "yes"}, headers=key())
    assert (wrong.status_code, wrong.json()["code"]) == (400, "invalid_request")


async def test_settings_are_read_and_replaced(program: httpx2.AsyncClient) -> None:
    before = (await program.get("/settings")).json()["settings"]
    assert (before["time_zone"], before["default_estimated_sections"]) == ("Asia/Shanghai", 1)
    quiet = {"start_minute_of_day": 1350, "end_minute_of_day": 420}
    body = {"quiet_hours": quiet, "default_estimated_sections": 2}
    put = await program.put("/settings", json=body, headers=key())
    assert put.json()["settings"]["quiet_hours"] == quiet
    assert (await program.get("/settings")).json() == put.json()
    wrong = await program.put("/settings", json={"default_estimated_sections": 9}, headers=key())
    assert wrong.status_code == 400
    assert wrong.json()["violations"]


async def test_the_calendar_is_a_file(program: httpx2.AsyncClient, visitor: Visitor) -> None:
    await placed(visitor)
    answer = await program.get("/calendar.ics")
    assert answer.status_code == 200
    assert answer.headers["content-type"] == "text/calendar; charset=utf-8"
    assert answer.headers["content-disposition"].startswith('attachment; filename="')
    assert "概率论大作业" in answer.text.replace("\r\n ", "")
    none = await program.get("/calendar.ics", params={"semester_id": 2**62})
    assert (none.status_code, none.json()["code"]) == (404, "semester_not_found")


async def test_one_channel_and_one_message_are_read(
    program: httpx2.AsyncClient, visitors: Visitors, visitor: Visitor
) -> None:
    world = visitors.world
    body = {
        "type": "CHANNEL_TYPE_FEISHU_BOT",
        "name": "群",
        "webhook_url": world.hook(visitor.student),
        "secret": world.suite.feishu_secret,
        "takes_sign_in_links": True,
    }
    made = (await program.post("/channels", json=body, headers=key())).json()["channel"]
    assert made["takes_sign_in_links"] is True
    assert (await program.get(f"/channels/{made['channel_id']}")).json()["channel"] == made
    tested = await program.post(f"/channels/{made['channel_id']}/test", headers=key())
    record = tested.json()["record"]
    assert record["state"] == "RECORD_STATE_SENT"
    found = await program.get(f"/notifications/{record['record_id']}")
    assert found.json()["record"] == record
    for path in ("/channels/4611686018427387904", "/notifications/4611686018427387904"):
        none = await program.get(path)
        assert none.status_code == 404
        assert none.headers["content-type"] == "application/problem+json"


async def test_a_plan_is_written_tried_out_applied_and_deleted(
    program: httpx2.AsyncClient, visitor: Visitor
) -> None:
    today = visitor.student.semester.first_date
    last = (date.fromisoformat(today) + timedelta(weeks=10)).isoformat()
    body = {
        "name": "期末复习",
        "start_date": today,
        "end_date": last,
        "items": [{"content": "📌 极限"}, {"content": "导数"}],
    }
    once = key()
    made = await program.post("/task-classes", json=body, headers=once)
    again = await program.post("/task-classes", json=body, headers=once)
    assert (made.status_code, made.json()) == (201, again.json())
    plan = made.json()["task_class"]
    path = f"/task-classes/{plan['task_class_id']}"
    assert (await program.get(path)).json()["task_class"] == plan
    assert (await program.get("/task-classes")).json()["task_classes"] == [plan]

    asked = {"task_class_ids": [plan["task_class_id"]]}
    built = (await program.post("/task-classes/rough-build", json=asked)).json()
    assert [one["content"] for one in plan["items"]] == ["📌 极限", "导数"]
    assert (len(built["placements"]), built.get("unplaced", [])) == (2, [])
    changes = {"changes": built["changes"], "base": built["base"]}
    attempt = key()
    verdict = (await program.post("/applies", json=changes, headers=attempt)).json()["verdict"]
    assert verdict["state"] == "APPLY_STATE_APPLIED"
    stored = await program.get(f"/applies/{attempt['Idempotency-Key']}")
    assert stored.json()["verdict"] == verdict

    fewer = {**body, "items": [plan["items"][0] | {"content": "极限"}], "if_version": 1}
    fewer["items"] = [{name: one[name] for name in ITEM} for one in fewer["items"]]
    stale = await program.put(path, json=fewer, headers=key())
    assert (stale.status_code, stale.json()["code"]) == (409, "version_mismatch")
    put = await program.put(path, json=fewer | {"if_version": 0}, headers=key())
    assert len(put.json()["removed_event_ids"]) == 1
    gone = await program.delete(path, headers=key())
    assert len(gone.json()["removed_event_ids"]) == 1
    none = await program.get(path)
    assert (none.status_code, none.json()["code"]) == (404, "task_class_not_found")


async def test_a_day_is_changed_and_changed_back(
    program: httpx2.AsyncClient, visitor: Visitor
) -> None:
    day = (date.fromisoformat(visitor.student.semester.first_date) + timedelta(weeks=9)).isoformat()
    path = f"/calendar/overrides/{day}"
    runs = {"week": 3, "day_of_week": 2}
    put = await program.put(path, json={"runs": runs}, headers=key())
    changed = put.json()["override"]
    assert (changed["date"], changed["runs"]) == (day, runs)
    listed = await program.get("/calendar/overrides")
    assert listed.json()["overrides"] == [changed]
    assert (await program.delete(path, headers=key())).status_code == 200
    none = await program.delete(path, headers=key())
    assert (none.status_code, none.json()["code"]) == (404, "override_not_found")
    outside = await program.put("/calendar/overrides/2001-01-01", json={}, headers=key())
    assert (outside.status_code, outside.json()["code"]) == (409, "not_started")


async def test_what_belongs_to_another_is_not_there(
    program: httpx2.AsyncClient, visitors: Visitors
) -> None:
    other = await visitors.arrive("另一位")
    block = await placed(other)
    for answer in (
        await program.delete(f"/events/{block}", headers=key()),
        await program.post(f"/events/{block}/revoke", headers=key()),
    ):
        assert (answer.status_code, answer.json()["code"]) == (404, "event_not_found")
    plan = await plan_of(other, "别人的", items=1, days=2, sections=2)
    for answer in (
        await program.get(f"/task-classes/{plan}"),
        await program.delete(f"/task-classes/{plan}", headers=key()),
        await program.post("/task-classes/rough-build", json={"task_class_ids": [plan]}),
    ):
        assert (answer.status_code, answer.json()["code"]) == (404, "task_class_not_found")
