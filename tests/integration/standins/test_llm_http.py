"""The model stand-in over HTTP, and as a program."""

import asyncio
import json
import sys
from collections.abc import AsyncIterator

import httpx2
import pytest

from standins.llm.model import Settings
from tests.integration import llm_standin
from tests.integration.llm_standin import StandIn

FACTS = {"candidates": [{"id": "c1", "summary": {"zh": "一", "en": "One"}}]}
BODY = {"model": "m", "messages": [{"role": "user", "content": f"事实 {json.dumps(FACTS)}"}]}


@pytest.fixture
async def standin() -> AsyncIterator[StandIn]:
    async with llm_standin.running() as found:
        yield found


async def asked(standin: StandIn, **body: object) -> httpx2.Response:
    return await standin.client.post("/v1/chat/completions", json={**BODY, **body})


async def test_an_honest_completion_has_the_shape_of_the_vendors(standin: StandIn) -> None:
    answer = (await asked(standin)).json()
    (choice,) = answer["choices"]
    assert (answer["object"], answer["model"]) == ("chat.completion", "m")
    assert (choice["finish_reason"], choice["message"]["role"]) == ("stop", "assistant")
    assert json.loads(choice["message"]["content"])["selected_id"] == "c1"
    usage = answer["usage"]
    assert usage["total_tokens"] == usage["prompt_tokens"] + usage["completion_tokens"]
    assert usage["prompt_tokens"] > 10


async def test_models_are_listed(standin: StandIn) -> None:
    models = (await standin.client.get("/v1/models")).json()
    assert [one["id"] for one in models["data"]] == ["stand-in-1"]


async def test_steps_for_a_model_come_before_those_for_any(standin: StandIn) -> None:
    await standin.script({"http": 500})
    await standin.script({"http": 429, "headers": {"retry-after": "7"}}, model="m")
    statuses = [await asked(standin) for _ in range(3)]
    assert [one.status_code for one in statuses] == [429, 500, 200]
    assert statuses[0].headers["retry-after"] == "7"


async def test_what_was_asked_is_kept_with_what_became_of_it(standin: StandIn) -> None:
    await standin.script({"hold": True})
    async with asyncio.TaskGroup() as group:
        waiting = group.create_task(asked(standin))
        (held,) = await standin.arrived(1)
        assert (held["step"], held["answered"]) == ("hold", False)
        state = (await standin.client.get("/standin/script")).json()
        assert state["held"] == 1
        assert await standin.release() == 1
        assert (await waiting).status_code == 200
    (found,) = await standin.requests(model="m")
    assert (found["answered"], found["request"]) == (True, BODY)
    assert await standin.requests(after=found["id"]) == []
    await standin.client.delete("/standin/requests")
    assert await standin.requests() == []


async def test_a_form_is_refused_only_where_it_is_asked_for(standin: StandIn) -> None:
    await standin.script({"refuses": "json_schema", "times": "always"})
    refused = await asked(standin, response_format={"type": "json_schema"})
    taken = await asked(standin, response_format={"type": "json_object"})
    assert (refused.status_code, taken.status_code) == (400, 200)
    assert "response_format" in refused.json()["error"]["message"]


async def test_a_body_can_come_in_pieces_and_without_end(standin: StandIn) -> None:
    await standin.script({"piece_ms": 1}, {"endless": True})
    assert "choices" in (await asked(standin)).json()
    read = 0
    async with standin.client.stream("POST", "/v1/chat/completions", json=BODY) as answer:
        async for piece in answer.aiter_bytes():
            read += len(piece)
            if read > 1 << 20:
                break
    assert read > 1 << 20


async def test_an_answer_can_end_in_its_middle(standin: StandIn) -> None:
    await standin.script({"cut": True})
    with pytest.raises(httpx2.TransportError):
        await asked(standin)
    (found,) = await standin.requests()
    assert (found["step"], found["answered"]) == ("cut", False)
    assert (await asked(standin)).status_code == 200


async def test_a_step_waits_for_the_request_that_it_is_for(standin: StandIn) -> None:
    other = {"messages": [{"role": "user", "content": "英语"}]}
    await standin.script({"contains": "英语", "http": 500}, {"stage": "select", "http": 503})
    statuses = [(await asked(standin, **body)).status_code for body in ({}, {}, other, other)]
    assert statuses == [503, 200, 500, 200]
    assert [one["stage"] for one in await standin.requests()] == [*["select"] * 2, *["other"] * 2]


async def test_how_it_plays_can_be_changed_while_it_runs(standin: StandIn) -> None:
    assert (await standin.client.get("/standin/play")).json() == {"play": "planner", "seed": 0}
    await standin.plays("rogue", 7)
    assert (await standin.client.get("/standin/play")).json() == {"play": "rogue", "seed": 7}
    refused = await standin.client.post("/standin/play", json={"play": "chess"})
    assert refused.status_code == 400
    assert (await standin.client.post("/standin/play", content="[]")).status_code == 400


async def test_a_connection_can_be_reset(standin: StandIn) -> None:
    await standin.script({"reset": True})
    with pytest.raises(httpx2.TransportError):
        await asked(standin)


async def test_a_key_is_asked_for_where_one_is_set() -> None:
    async with llm_standin.running(Settings(key="sk-1")) as standin:
        refused = await asked(standin)
        answer = await standin.client.post(
            "/v1/chat/completions", json=BODY, headers={"Authorization": "Bearer sk-1"}
        )
    assert (refused.status_code, answer.status_code) == (401, 200)


@pytest.mark.parametrize(
    ("method", "path", "body", "status"),
    [
        ("GET", "/healthz", None, 200),
        ("GET", "/v1/chat/completions", None, 405),
        ("GET", "/v2", None, 404),
        ("POST", "/v1/chat/completions", "kein JSON", 200),
        ("POST", "/standin/script", "{", 400),
        ("POST", "/standin/script", '{"explode": 1}', 400),
        ("POST", "/standin/release", '{"model": 3}', 400),
        ("GET", "/standin/requests?count=x", None, 400),
    ],
)
async def test_every_route_answers_in_kind(
    method: str, path: str, body: str | None, status: int, standin: StandIn
) -> None:
    answer = await standin.client.request(method, path, content=body)
    assert answer.status_code == status


async def test_the_program_serves_and_ends_in_good_order_on_sigterm() -> None:
    program = await asyncio.create_subprocess_exec(
        *(
            sys.executable,
            "-m",
            "standins.llm",
            "--listen",
            "127.0.0.1:0",
            "--model",
            "m2",
            "--play",
            "dull",
        ),
        stdout=asyncio.subprocess.PIPE,
    )
    assert program.stdout is not None
    line = (await program.stdout.readline()).decode().split()
    async with llm_standin.reached(line[-1]) as standin:
        models = (await standin.client.get("/v1/models")).json()
        played = (await standin.client.get("/standin/play")).json()
        await standin.script({"hold": True})
        async with asyncio.TaskGroup() as group:
            waiting = group.create_task(_cut_off(standin))
            await standin.arrived(1)
            program.terminate()
            assert await waiting
    assert [one["id"] for one in models["data"]] == ["m2"]
    assert played["play"] == "dull"
    assert await program.wait() == 0


async def _cut_off(standin: StandIn) -> bool:
    with pytest.raises(httpx2.TransportError):
        await asked(standin)
    return True
