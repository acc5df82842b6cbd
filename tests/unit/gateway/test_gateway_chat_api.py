"""Conversations and what is remembered as programs use them, before services by hand."""

from typing import Any

import grpc
import httpx2
import pytest

from libs.rpc.errors import RemoteError
from smartmate.agent.v1 import agent_service_pb2 as agent_pb2
from tests.unit.gateway import chat_samples as chat
from tests.unit.gateway.chat_services import Talking, prepared
from tests.unit.gateway.gateway_served import Served, bearer, served_by
from tests.unit.gateway.test_gateway_chat_routes import streamed
from tests.unit.gateway.test_gateway_preview_http import of

RUN = f"/agent/runs/{chat.RUN}"
TALK = f"/agent/conversations/{chat.CONVERSATION}"
MEMORY = {"type": "MEMORY_TYPE_CONSTRAINT", "text": "晚上不排高数", "days_of_week": [1, 3]}


served = served_by(Talking)


@pytest.fixture
def suite(served: Served) -> Talking:
    return prepared(served)


async def call(
    suite: Talking, method: str, path: str, more: dict[str, str] | None = None, **how: Any
) -> httpx2.Response:
    headers = {**bearer(), "Idempotency-Key": "k", **(more or {})}
    async with suite.served.client() as client:
        return await client.request(method, f"/api/v1{path}", headers=headers, **how)


async def test_words_are_answered_by_a_stream(suite: Talking) -> None:
    suite.said = lambda _: chat.events(*chat.PROPOSED)
    body = {"text": chat.SENTENCE, "preview_id": "asp_1"}
    answer = await call(suite, "POST", "/agent/chat", json=body)
    assert answer.status_code == 200
    assert answer.headers["content-type"].startswith("text/event-stream")
    head, *events, end = streamed(answer.text)
    assert (head[0], head[2]["conversation_id"]) == ("conversation", chat.CONVERSATION)
    assert [id_ for _, id_, _ in events] == list(range(1, 12))
    assert events[-1][2]["confirm_request"]["diff"]["days"][0]["date"] == "2026-12-01"
    assert end == ("end", 0, {})
    (asked,) = of(suite, agent_pb2.ChatRequest)
    assert asked == agent_pb2.ChatRequest(request_id="k", text=chat.SENTENCE, preview_id="asp_1")
    assert not suite.served.parts.streams


async def test_replies_and_answers_name_what_they_are_about(suite: Talking) -> None:
    reply = {"run_id": chat.RUN, "number": 2, "accepted": False, "words": "周三别排"}
    answer = {"run_id": chat.RUN, "number": 1, "choice_id": "q1"}
    talk = {"conversation_id": chat.CONVERSATION}
    for body in ({**talk, "confirm_reply": reply}, {**talk, "answer": answer}):
        assert (await call(suite, "POST", "/agent/chat", json=body)).status_code == 200
    first, second = of(suite, agent_pb2.ChatRequest)
    assert first.confirm_reply == agent_pb2.ConfirmReply(**reply)
    assert second.answer == agent_pb2.QuestionAnswer(**answer)


@pytest.mark.parametrize(
    "body",
    [
        {},
        {"text": "x", "answer": {"run_id": "r", "number": 1, "choice_id": "a"}},
        {"text": ""},
        {"text": "x" * 4001},
        {"confirm_reply": {"run_id": "r", "number": 1, "accepted": "yes"}},
        {"text": "x", "more": 1},
    ],
)
async def test_what_says_nothing_or_two_things_is_refused(
    suite: Talking, body: dict[str, Any]
) -> None:
    answer = await call(suite, "POST", "/agent/chat", json=body)
    assert (answer.status_code, answer.json()["code"]) == (400, "invalid_request")
    assert suite.asked == []


@pytest.mark.parametrize(
    ("code", "reason", "status"),
    [
        (grpc.StatusCode.FAILED_PRECONDITION, "conversation_busy", 409),
        (grpc.StatusCode.NOT_FOUND, "conversation_not_found", 404),
        (grpc.StatusCode.RESOURCE_EXHAUSTED, "too_many_conversations", 429),
        (grpc.StatusCode.UNAVAILABLE, "unavailable", 503),
    ],
)
async def test_a_refusal_has_a_status_of_its_own(
    suite: Talking, code: grpc.StatusCode, reason: str, status: int
) -> None:
    suite.said = lambda _: RemoteError(code, reason, "smartmate.agent")
    answer = await call(suite, "POST", "/agent/chat", json={"text": "x"})
    assert (answer.status_code, answer.json()["code"]) == (status, reason)
    assert answer.headers["content-type"] == "application/problem+json"
    assert not suite.served.parts.streams


async def test_a_run_is_followed_from_any_of_its_events(suite: Talking) -> None:
    suite.told = {chat.RUN: chat.events(*chat.PROPOSED)}
    whole = streamed((await call(suite, "GET", f"{RUN}/events")).text)
    assert [id_ for _, id_, _ in whole] == [*range(1, 12), 0]
    rest = await call(suite, "GET", f"{RUN}/events?after_sequence=9")
    assert streamed(rest.text) == whole[9:]
    again = await call(suite, "GET", f"{RUN}/events?after_sequence=9", {"Last-Event-ID": "10"})
    assert streamed(again.text) == whole[10:]
    odd = await call(suite, "GET", f"{RUN}/events", {"Last-Event-ID": "nonsense"})
    assert streamed(odd.text) == whole


async def test_a_run_that_is_not_there_is_refused_before_the_stream_begins(suite: Talking) -> None:
    gone = RemoteError(grpc.StatusCode.NOT_FOUND, "run_not_found", "smartmate.agent")
    suite.answers["GetRunState"] = gone
    for path in (RUN, f"{RUN}/events"):
        answer = await call(suite, "GET", path)
        assert (answer.status_code, answer.json()["code"]) == (404, "run_not_found")
    short = await call(suite, "GET", "/agent/runs/run_1")
    assert (short.status_code, short.json()["code"]) == (404, "run_not_found")


async def test_conversations_are_listed_read_and_deleted(suite: Talking) -> None:
    listed = await call(suite, "GET", "/agent/conversations?page_size=5&page_token=1.c")
    assert listed.json()["conversations"][0]["title"] == chat.SENTENCE
    read = await call(suite, "GET", f"{TALK}?page_size=1")
    assert read.json()["last_sequence"] == 11
    assert read.json()["confirm_request"]["number"] == 1
    assert (await call(suite, "DELETE", TALK)).json() == {}
    (list_,) = of(suite, agent_pb2.ListConversationsRequest)
    assert (list_.page_size, list_.page_token) == (5, "1.c")
    (delete,) = of(suite, agent_pb2.DeleteConversationRequest)
    assert delete.request_id == "k"
    short = await call(suite, "GET", "/agent/conversations/cnv_1")
    assert (short.status_code, short.json()["code"]) == (404, "conversation_not_found")


async def test_a_program_keeps_what_is_remembered(suite: Talking) -> None:
    made = await call(suite, "POST", "/memory", json=MEMORY)
    assert (made.status_code, made.json()["item"]["memory_id"]) == (201, 12)
    body = {**MEMORY, "first_section": 9, "last_section": 12}
    assert (await call(suite, "PUT", "/memory/12", json=body)).status_code == 200
    assert (await call(suite, "DELETE", "/memory/12")).json() == {}
    first, second = of(suite, agent_pb2.PutMemoryRequest)
    assert (first.memory_id, first.text, list(first.days_of_week)) == (0, "晚上不排高数", [1, 3])
    assert (second.memory_id, second.first_section, second.last_section) == (12, 9, 12)
    (forgotten,) = of(suite, agent_pb2.DeleteMemoryRequest)
    assert (forgotten.request_id, forgotten.memory_id) == ("k", 12)


async def test_what_is_remembered_is_listed_and_recalled(suite: Talking) -> None:
    listed = await call(suite, "GET", "/memory?type=MEMORY_TYPE_FACT&type=MEMORY_TYPE_CONSTRAINT")
    assert listed.json()["items"][0]["text"] == "晚上不排高数"
    recalled = await call(suite, "GET", "/memory/recall?query=高数&include_timed=true&limit=3")
    assert recalled.status_code == 200
    (list_,) = of(suite, agent_pb2.ListMemoryRequest)
    assert len(list_.types) == 2
    (recall,) = of(suite, agent_pb2.RecallMemoryRequest)
    assert (recall.query, recall.include_timed, recall.limit) == ("高数", True, 3)
    assert (await call(suite, "GET", "/memory?type=x")).status_code == 400


async def test_the_description_names_every_route(suite: Talking) -> None:
    async with suite.served.client() as client:
        document = (await client.get("/openapi.json")).json()
    for path, methods in {
        "/api/v1/agent/chat": {"post"},
        "/api/v1/agent/conversations": {"get"},
        "/api/v1/agent/conversations/{conversation_id}": {"get", "delete"},
        "/api/v1/agent/runs/{run_id}": {"get"},
        "/api/v1/agent/runs/{run_id}/events": {"get"},
        "/api/v1/memory": {"get", "post"},
        "/api/v1/memory/recall": {"get"},
        "/api/v1/memory/{memory_id}": {"put", "delete"},
    }.items():
        assert set(document["paths"][path]) == methods
    chat_ = document["paths"]["/api/v1/agent/chat"]["post"]
    assert "text/event-stream" in chat_["responses"]["200"]["content"]
    assert {"ChatEvent", "ConfirmRequest", "MemoryItem"} <= set(document["components"]["schemas"])
    assert not [path for path in document["paths"] if path.startswith(("/agent", "/memory"))]
