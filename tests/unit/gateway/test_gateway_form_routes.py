"""Forms of pages that no page of ours sends: refused in kind, repeated nowhere, never a defect."""

from collections.abc import AsyncIterator

import httpx2
import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from tests.unit.gateway.gateway_served import PAGE, Served, bearer, served_by

FORM = {"Content-Type": "application/x-www-form-urlencoded"}
LARGEST = 2**63 - 1
TALK = "/agent/chat/cnv_" + "c" * 32
WITH_FIELDS = {
    "/tasks": "version=x",
    "/tasks/1": "version=-1",
    "/week/events/1/complete": "date=yesterday",
    "/week/events/1/reopen": "date=2026-11-30&task=-1",
    "/week/events/1/revoke": "date=",
    "/week/events/1/unfinished": "date=tomorrow",
    "/active-schedule/feedback": "date=soon&text=x",
    "/active-schedule/previews/asp_1/answer": "choice_id=" + "x" * 65,
    "/week/events/1/delete": "version=1",
    "/task-classes/new": "version=-1",
    "/task-classes/1": "version=x",
    "/task-classes/build": "plan=xxx",
    "/calendar": "kind=" + "x" * 101,
    "/calendar/delete": "date=" + "x" * 101,
    "/week/courses/1/embedding": "date=2026-11-30&event=1&may_host=perhaps",
    "/agent/chat": "conversation_id=" + "x" * 101,
    f"{TALK}/answer": "run_id=r&choice_id=c&number=0",
    f"{TALK}/confirm": "run_id=r&number=1&accepted=PIGEON",
    "/memory": "type=" + "x" * 101,
    "/memory/1": "first=" + "x" * 101,
    "/notifications/new": "type=CHANNEL_TYPE_PIGEON",
    "/notifications/channels/1": "language=LANGUAGE_LATIN",
    "/settings/semester": "semester_id=-1",
    "/settings/personal": "quiet_from=" + "x" * 100,
}
WITH_KEY = (
    "/tasks/1/complete",
    "/tasks/1/reopen",
    "/tasks/1/delete",
    "/tasks/1/plan",
    "/task-classes/1/delete",
    "/task-classes/1/items/1/complete",
    "/task-classes/1/items/1/reopen",
    f"{TALK}/delete",
    "/memory/1/delete",
    "/notifications/channels/1/test",
    "/notifications/channels/1/delete",
)
FORMS = (*WITH_FIELDS, *WITH_KEY)


served = served_by()


@pytest.fixture
async def http(served: Served) -> AsyncIterator[httpx2.AsyncClient]:
    async with served.client() as client:
        yield client


async def send(http: httpx2.AsyncClient, path: str, content: bytes) -> httpx2.Response:
    return await http.post(path, content=content, headers={**bearer(), **PAGE, **FORM})


@pytest.mark.parametrize("path", FORMS)
@pytest.mark.parametrize(
    "content",
    [
        b"",
        b"idempotency_key=",
        b"idempotency_key=" + b"k" * 65,
        b"idempotency_key=%00",
        b"nobody_knows=1&idempotency_key=k",
        b"title=%ff",
        b"title=%ed%a0%80",
        b"\xff",
        b"a=1&a=2",
    ],
)
async def test_a_form_that_names_no_attempt_or_holds_what_ours_do_not_is_refused(
    http: httpx2.AsyncClient, path: str, content: bytes
) -> None:
    answer = await send(http, path, content)
    assert answer.status_code == 400
    assert "text/html" in answer.headers["content-type"]


@pytest.mark.parametrize("path", WITH_FIELDS)
async def test_a_value_that_no_form_offers_is_refused_and_not_repeated(
    http: httpx2.AsyncClient, path: str
) -> None:
    content = f"{WITH_FIELDS[path]}&idempotency_key=k"
    answer = await send(http, path, content.encode())
    assert answer.status_code == 400
    assert "PIGEON" not in answer.text
    assert "xxx" not in answer.text


@pytest.mark.parametrize(
    "path",
    [
        "/tasks/0",
        "/tasks/x",
        f"/tasks/{LARGEST + 1}",
        "/week/events/0?date=2026-11-30",
        "/week/events/1",
        "/week/events/1?date=soon",
        "/notifications/channels/-1",
        "/notifications?tested=x",
        "/notifications/new?kind=pigeon",
        f"/tasks?told={'x' * 101}",
        "/task-classes/0",
        "/task-classes/x",
        "/task-classes?removed=-1",
        "/task-classes/build?class=x",
        f"/task-classes/build?class=1&week={'x' * 101}",
        "/active-schedule/looks/nonsense",
        "/calendar?after=soon",
        "/calendar?pending=x",
        "/agent/chat/cnv_short",
        "/agent/chat?active_preview_id=nonsense",
        f"/agent/chat?draft={'x' * 4001}",
        f"{TALK}/events?run=nonsense",
        f"{TALK}/events",
        "/memory/0",
        f"/memory?about={'x' * 201}",
    ],
)
async def test_an_address_that_no_page_has_is_refused(http: httpx2.AsyncClient, path: str) -> None:
    answer = await http.get(path, headers={**bearer(), **PAGE})
    assert answer.status_code in (400, 404)


@settings(max_examples=30, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(content=st.binary(max_size=200), path=st.sampled_from([*WITH_KEY, *WITH_FIELDS]))
async def test_whatever_is_sent_is_no_defect(served: Served, content: bytes, path: str) -> None:
    async with served.client() as http:
        answer = await send(http, path, content)
    assert answer.status_code < 500 or answer.status_code == 503
