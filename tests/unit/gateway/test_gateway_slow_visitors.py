"""Visitors that send slowly, hang up, or hold streams open: none of them keeps what is scarce."""

import asyncio
from collections.abc import AsyncIterator
from typing import Any

import pytest
from prometheus_client import REGISTRY
from starlette.types import Message
from structlog.testing import capture_logs

from services.gateway.clients.suite import Suite
from services.gateway.domain.buckets import Rate
from smartmate.active_scheduler.v1 import active_scheduler_service_pb2, preview_pb2
from tests.unit.gateway.gateway_served import PAGE, Served, bearer, serve

EVENTS = "/api/v1/active-schedule/previews/asp_1/events"
JSON_ROUTE = "/api/v1/tasks"
OWN_ROUTE = "/active-schedule/previews/asp_1/ignore"


class Following(Suite):
    """A suite whose suggestion is told once and then never changes."""

    def watch(self, *_: Any) -> AsyncIterator[Any]:
        return told_once()


async def told_once() -> AsyncIterator[Any]:
    await asyncio.sleep(0)
    yield active_scheduler_service_pb2.WatchPreviewResponse(
        preview=preview_pb2.Preview(preview_id="asp_1", version=3)
    )
    await asyncio.Event().wait()


async def posted(served: Served, path: str, *said: Message) -> list[Message]:
    """What the application answers to a POST that sends these parts and then nothing more."""
    parts, answers = list(said), []

    async def receive() -> Message:
        if not parts:
            await asyncio.Event().wait()
        return parts.pop(0)

    async def send(message: Message) -> None:
        answers.append(message)

    given = {**bearer(), "Content-Type": "application/json", "Idempotency-Key": "k"}
    scope = {
        "type": "http",
        "http_version": "1.1",
        "method": "POST",
        "scheme": "http",
        "path": path,
        "raw_path": path.encode(),
        "query_string": b"",
        "root_path": "",
        "headers": [(name.lower().encode(), value.encode()) for name, value in given.items()],
        "client": ("127.0.0.1", 1),
        "server": ("gateway.test", 80),
    }
    await served.app(scope, receive, send)
    return answers


def part(body: bytes, *, more: bool) -> Message:
    return {"type": "http.request", "body": body, "more_body": more}


@pytest.mark.parametrize("path", [JSON_ROUTE, OWN_ROUTE])
async def test_a_body_that_is_not_whole_in_time_is_refused(path: str) -> None:
    served = serve(receive_seconds=0.05)
    began, *rest = await posted(served, path, part(b'{"tit', more=True))
    assert began["status"] == 408
    assert (b"connection", b"close") in began["headers"]
    assert b'"too_slow"' in rest[0]["body"]
    await served.parts.suite.close()


@pytest.mark.parametrize("path", [JSON_ROUTE, OWN_ROUTE])
async def test_who_hangs_up_while_sending_is_no_defect(path: str) -> None:
    served, gone = serve(), {"type": "http.disconnect"}

    def counted() -> float:
        labels = {"method": "POST", "route": path.replace("asp_1", "{preview_id}"), "status": "499"}
        return REGISTRY.get_sample_value("smartmate_http_seconds_count", labels) or 0.0

    before = counted()
    with capture_logs() as lines:
        began, *_ = await posted(served, path, part(b'{"tit', more=True), gone)
    assert began["status"] == 499
    assert counted() == before + 1
    assert lines == []
    await served.parts.suite.close()


async def test_streams_of_one_user_are_counted_before_anything_is_waited_for() -> None:
    served = serve(kind=Following)
    async with served.client() as client:
        answers = await asyncio.gather(
            *(client.get(EVENTS, headers=bearer()) for _ in range(3)),
        )
        again = await client.get(EVENTS, headers=bearer())
    assert sorted(answer.status_code for answer in answers) == [200, 200, 429]
    assert again.status_code == 200
    assert not served.parts.streams
    await served.parts.suite.close()


async def test_a_stream_that_never_began_is_given_back() -> None:
    served = serve()
    async with served.client() as client:
        for _ in range(3):
            assert (await client.get(EVENTS, headers=bearer())).status_code == 503
    assert not served.parts.streams
    await served.parts.suite.close()


async def test_a_stream_ends_after_a_while_so_that_the_browser_has_to_be_signed_in_still() -> None:
    served = serve(kind=Following)
    async with served.client() as client:
        answer = await client.get(EVENTS, headers=bearer())
    assert answer.text.startswith("retry: 1000\n\nevent: preview\nid: 3\n")
    await served.parts.suite.close()


@pytest.mark.parametrize(
    ("path", "again"), [("//evil.example/", "/week"), ("/nowhere", "/nowhere")]
)
async def test_trying_again_never_leads_to_another_site(path: str, again: str) -> None:
    served = serve(by_address=Rate(per_second=0.1, burst=1))
    async with served.client(headers=PAGE) as client:
        await client.get("/nowhere")
        answer = await client.get(f"http://gateway.test{path}")
    assert answer.status_code == 429
    assert f'<a class="btn pri" href="{again}">' in answer.text
    assert 'href="//' not in answer.text
    await served.parts.suite.close()
