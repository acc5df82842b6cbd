"""Feedback, answers and the trace as a program sees them: JSON, and problem+json where refused."""

import asyncio
import uuid
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from typing import Any

import httpx2
import pytest

from libs.rpc.identity import Issuer
from services.gateway.domain.visitor import OPERATOR
from tests.e2e.pages import unfinished
from tests.e2e.pages.unfinished import LISTENING, Unfinished
from tests.e2e.pages.visitors import Visitors
from tests.waiting import until

ROOT = "/active-schedule"
API = f"/api/v1{ROOT}"


@asynccontextmanager
async def program(
    visitors: Visitors, user_id: int, *, operator: bool = False
) -> AsyncIterator[httpx2.AsyncClient]:
    """A program of somebody's."""
    issuer: Issuer = visitors.world.line.issuer
    token = issuer.user_token(user_id, frozenset({OPERATOR} if operator else ()))
    async with httpx2.AsyncClient(
        base_url=visitors.url,
        headers={"Authorization": f"Bearer {token}", "Accept": "application/json"},
        trust_env=False,
        timeout=30,
    ) as client:
        yield client


def key() -> dict[str, str]:
    return {"Idempotency-Key": uuid.uuid4().hex}


def block(found: Unfinished) -> dict[str, Any]:
    return {"target": {"kind": "TARGET_KIND_SCHEDULE_EVENT", "id": found.event.event_id}}


async def ended(client: httpx2.AsyncClient, trigger_id: str) -> dict[str, Any]:
    """A look, once it has ended."""

    async def look() -> dict[str, Any] | None:
        trigger = (await client.get(f"{API}/triggers/{trigger_id}")).json()["trigger"]
        return trigger if "finish_time" in trigger else None

    found: dict[str, Any] = await until(look, what="the end of the look")
    return found


@pytest.mark.parametrize("root", [ROOT, API])
async def test_a_question_is_asked_answered_once_and_replaced(
    visitors: Visitors, root: str
) -> None:
    found = await unfinished.full_day(visitors)
    async with program(visitors, found.student.id) as client:
        once = key()
        told = await client.post(f"{root}/feedback", json=block(found), headers=once)
        again = await client.post(f"{root}/feedback", json=block(found), headers=once)
        assert told.status_code == again.status_code == 200
        assert told.json() == again.json()
        look = await ended(client, told.json()["trigger"]["trigger_id"])
        path = f"{root}/previews/{look['preview_id']}"
        preview = (await client.get(path)).json()["preview"]
        assert preview["action"] == "DECISION_ACTION_ASK_USER"
        choices = [one["choice_id"] for one in preview["question"]["choices"]]
        assert choices == ["yes", "no"]
        (open_one,) = (await client.get(f"{root}/previews")).json()["previews"]
        assert open_one["preview_id"] == look["preview_id"]
        assert open_one["is_answered"] is False

        strange = await client.post(f"{path}/answer", json={"choice_id": "perhaps"}, headers=key())
        assert (strange.status_code, strange.json()["code"]) == (409, "answer_not_offered")
        assert strange.headers["content-type"] == "application/problem+json"

        given = await asyncio.gather(
            *(
                client.post(f"{path}/answer", json={"choice_id": choice}, headers=key())
                for choice in ("no", "no", "no", "no")
            )
        )
        assert [one.status_code for one in given] == [200] * 4
        assert sorted(one.json()["already_answered"] for one in given) == [False, True, True, True]
        assert len({one.json()["trigger"]["trigger_id"] for one in given}) == 1

        follow = await ended(client, given[0].json()["trigger"]["trigger_id"])
        newer = (await client.get(f"{root}/previews/{follow['preview_id']}")).json()["preview"]
        kinds = {one["type"] for one in newer["candidates"]}
        assert kinds == {"CANDIDATE_TYPE_COMPRESS_WITH_NEXT_DYNAMIC_TASK"}
        assert "压缩" in newer["candidates"][0]["risk"]["zh_cn"]
        old = (await client.get(path)).json()["preview"]
        assert old["state"] == "PREVIEW_STATE_SUPERSEDED"
        assert old["question"]["answered_choice_id"] == "no"


async def test_what_nothing_is_known_of_is_refused(visitors: Visitors) -> None:
    found = await unfinished.free_day(visitors)
    async with program(visitors, found.student.id) as client:
        none = await client.post(f"{API}/feedback", json={}, headers=key())
        assert (none.status_code, none.json()["code"]) == (400, "invalid_request")
        target = {"kind": "TARGET_KIND_TASK_POOL", "id": 1}
        pool = await client.post(f"{API}/feedback", json={"target": target}, headers=key())
        assert (pool.status_code, pool.json()["code"]) == (409, "unsupported_target")
        preview = await found.tell()
        path = f"{API}/previews/{preview.preview_id}/answer"
        answer = await client.post(path, json={"choice_id": "yes"}, headers=key())
        assert (answer.status_code, answer.json()["code"]) == (409, "no_question")
    stranger = await visitors.arrive("别人")
    async with program(visitors, stranger.student.id) as client:
        answer = await client.post(path, json={"choice_id": "yes"}, headers=key())
        assert (answer.status_code, answer.json()["code"]) == (404, "preview_not_found")


async def test_five_acts_of_telling_are_five_and_one_told_twice_is_one(visitors: Visitors) -> None:
    found = await unfinished.free_day(visitors)
    async with program(visitors, found.student.id) as client:
        told = [
            await client.post(
                f"{API}/feedback",
                json={**block(found), "feedback_id": f"f-{number}"},
                headers=key(),
            )
            for number in (1, 2, 3, 4, 5, 5)
        ]
    assert [one.json()["deduplicated"] for one in told] == [False] * 5 + [True]
    assert len({one.json()["trigger"]["trigger_id"] for one in told}) == 5


async def test_a_dry_run_of_something_unfinished_writes_nothing(visitors: Visitors) -> None:
    found = await unfinished.two_blocks(visitors)
    async with program(visitors, found.student.id) as client:
        body = {**block(found), "type": "TRIGGER_TYPE_UNFINISHED_FEEDBACK"}
        answer = await client.post(f"{ROOT}/dry-run", json=body)
        assert answer.status_code == 200
        assert answer.json()["action"] == "DECISION_ACTION_SELECT_CANDIDATE"
        assert (await client.get(f"{API}/previews")).json()["previews"] == []
    blocks = await found.blocks()
    assert len(blocks[LISTENING]) == 1


async def test_triggers_are_an_operators_alone(visitors: Visitors) -> None:
    found = await unfinished.free_day(visitors)
    preview = await found.tell()
    paths = (
        f"{API}/triggers?user_id={found.student.id}",
        f"{API}/triggers/{preview.trigger_id}/trace",
        f"{API}/trace?user_id={found.student.id}&kind=TARGET_KIND_SCHEDULE_EVENT"
        f"&id={found.event.event_id}",
    )
    async with program(visitors, found.student.id) as client:
        for path in paths:
            answer = await client.get(path)
            assert (answer.status_code, answer.json()["code"]) == (404, "not_found")
    looker = await visitors.arrive("运维", operator=True)
    async with program(visitors, looker.student.id, operator=True) as client:
        listed, trace, target = [(await client.get(path)).json() for path in paths]
    assert [one["trigger"]["trigger_id"] for one in listed["triggers"]] == [preview.trigger_id]
    assert trace["user_id"] == found.student.id
    names = [one["name"] for one in trace["steps"]]
    assert names[0] == "feedback.told"
    assert {"trigger.pending", "trigger.preview_generated", "preview.ready"} <= set(names)
    assert "trigger.preview_generated" in [one["name"] for one in target["steps"]]
