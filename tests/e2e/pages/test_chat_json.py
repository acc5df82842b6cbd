"""A conversation and what is remembered, by a program: below /api/v1, streamed."""

from collections.abc import AsyncIterator

import httpx2
import pytest

from tests.e2e.pages.programs import keyed, program, streamed
from tests.e2e.pages.talks import SENTENCE, blocks, revising
from tests.e2e.pages.visitors import Visitor, Visitors


@pytest.fixture
async def visitor(visitors: Visitors) -> Visitor:
    return await revising(visitors)


@pytest.fixture
async def client(visitors: Visitors, visitor: Visitor) -> AsyncIterator[httpx2.AsyncClient]:
    async with program(visitors.url, visitor) as found:
        yield found


async def test_a_plan_is_asked_for_accepted_once_and_followed_from_anywhere(
    client: httpx2.AsyncClient, visitor: Visitor
) -> None:
    once = keyed()
    answer = await client.post("/agent/chat", json={"text": SENTENCE}, headers=once)
    assert answer.headers["content-type"].startswith("text/event-stream")
    (first, talk), *events, (last, _) = streamed(answer.text)
    assert (first, last) == ("conversation", "end")
    told = [event for _, event in events]
    run_id, confirm = talk["run_id"], told[-1]["confirm_request"]
    assert [one["sequence"] for one in told] == list(range(1, len(told) + 1))
    assert len(confirm["diff"]["lines"]) == 12
    assert confirm["diff"]["days"]

    # The same key is the same words.
    again = streamed((await client.post("/agent/chat", json={"text": SENTENCE}, headers=once)).text)
    assert again[0][1]["conversation_id"] == talk["conversation_id"]
    assert [event for _, event in again[1:-1]] == told

    reply = {"run_id": run_id, "number": confirm["number"], "accepted": True}
    body = {"conversation_id": talk["conversation_id"], "confirm_reply": reply}
    accepted = streamed((await client.post("/agent/chat", json=body, headers=keyed())).text)
    outcome = accepted[-2][1]["outcome"]
    assert (outcome["kind"], outcome["code"]) == ("OUTCOME_KIND_COMPLETED", "written")
    twice = streamed((await client.post("/agent/chat", json=body, headers=keyed())).text)
    assert twice[1:] == accepted[1:]
    assert len(await blocks(visitor)) == 12

    path = f"/agent/runs/{run_id}"
    whole = streamed((await client.get(f"{path}/events")).text)
    assert [event for name, event in whole if name == "chat"][: len(told)] == told
    after = {"Last-Event-ID": str(len(told))}
    assert streamed((await client.get(f"{path}/events", headers=after)).text) == whole[len(told) :]
    state = (await client.get(path)).json()["run"]
    assert (state["phase"], state["last_sequence"]) == ("RUN_PHASE_DONE", len(whole) - 1)


async def test_conversations_are_read_and_deleted_and_others_do_not_see_them(
    client: httpx2.AsyncClient, visitors: Visitors
) -> None:
    answer = await client.post("/agent/chat", json={"text": "你好"}, headers=keyed())
    (_, talk), *_ = streamed(answer.text)
    path = f"/agent/conversations/{talk['conversation_id']}"
    read = (await client.get(path)).json()
    assert [one["speaker"] for one in read["messages"]] == [
        "SPEAKER_PERSON",
        "SPEAKER_ASSISTANT",
    ]
    listed = (await client.get("/agent/conversations")).json()["conversations"]
    assert [one["conversation_id"] for one in listed] == [talk["conversation_id"]]
    async with program(visitors.url, await visitors.arrive("别人")) as other:
        for address in (path, f"/agent/runs/{talk['run_id']}/events"):
            assert (await other.get(address)).status_code == 404
        assert (await other.get("/agent/conversations")).json()["conversations"] == []
    assert (await client.delete(path, headers=keyed())).status_code == 200
    gone = await client.get(path)
    assert (gone.status_code, gone.json()["code"]) == (404, "conversation_not_found")


async def test_what_is_remembered_is_kept_changed_recalled_and_forgotten(
    client: httpx2.AsyncClient,
) -> None:
    body = {"type": "MEMORY_TYPE_CONSTRAINT", "text": "晚上不排概率论", "days_of_week": [3]}
    once = keyed()
    made = await client.post("/memory", json=body, headers=once)
    assert made.status_code == 201
    assert (await client.post("/memory", json=body, headers=once)).json() == made.json()
    item = made.json()["item"]
    path = f"/memory/{item['memory_id']}"
    changed = {**body, "first_section": 9, "last_section": 12}
    assert (await client.put(path, json=changed, headers=keyed())).json()["item"][
        "first_section"
    ] == 9
    recalled = await client.get("/memory/recall", params={"query": "概率论作业"})
    assert [one["text"] for one in recalled.json()["items"]] == ["晚上不排概率论"]
    wrong = await client.put(path, json={**changed, "last_section": 3}, headers=keyed())
    assert (wrong.status_code, wrong.json()["code"]) == (400, "invalid_request")
    assert (await client.delete(path, headers=keyed())).status_code == 200
    assert (await client.get("/memory")).json()["items"] == []
    gone = await client.put(path, json=changed, headers=keyed())
    assert (gone.status_code, gone.json()["code"]) == (404, "memory_not_found")
