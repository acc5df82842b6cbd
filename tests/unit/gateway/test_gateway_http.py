"""The application as it answers over HTTP, without a network: heads, refusals, limits."""

import json
from collections.abc import AsyncIterator, Iterator
from typing import Any

import httpx2
import pytest

from services.gateway.domain.buckets import Rate
from services.gateway.server.middleware import MAX_BODY_BYTES
from services.gateway.web.access import session_cookie
from tests.unit.gateway.gateway_served import (
    DATA,
    ISSUERS,
    PAGE,
    RENDERER,
    Served,
    bearer,
    serve,
    served_by,
)

served = served_by()


@pytest.fixture
async def http(served: Served) -> AsyncIterator[httpx2.AsyncClient]:
    async with served.client() as client:
        yield client


@pytest.mark.parametrize(
    ("path", "headers", "status"),
    [
        ("/healthz", DATA, 200),
        ("/week", PAGE, 303),
        ("/sign-in", PAGE, 200),
        ("/nowhere", PAGE, 404),
        ("/nowhere", DATA, 404),
        ("/api/v1/week", DATA, 401),
        ("/static/app.css", DATA, 200),
        ("/openapi.json", DATA, 200),
    ],
)
async def test_every_answer_protects_itself(
    http: httpx2.AsyncClient, path: str, headers: dict[str, str], status: int
) -> None:
    answer = await http.get(path, headers=headers)
    assert answer.status_code == status
    policy = answer.headers["content-security-policy"]
    assert policy.startswith("default-src 'none'; script-src 'self'; style-src 'self'")
    assert "unsafe" not in policy
    assert answer.headers["x-content-type-options"] == "nosniff"
    assert answer.headers["referrer-policy"] == "same-origin"
    assert "strict-transport-security" not in answer.headers


async def test_behind_https_the_cookie_is_bound_to_the_host() -> None:
    made = serve(https=True)
    async with made.client() as client:
        answer = await client.get("/healthz")
    assert "max-age" in answer.headers["strict-transport-security"]
    assert session_cookie(made.parts).startswith("__Host-")
    await made.parts.suite.close()


@pytest.mark.parametrize(
    "path", ["/week", "/active-schedule/previews", "/active-schedule/previews/asp_1"]
)
async def test_a_page_leads_to_sign_in_and_a_program_is_refused(
    http: httpx2.AsyncClient, path: str
) -> None:
    page = await http.get(path, headers=PAGE)
    assert (page.status_code, page.headers["location"]) == (
        303,
        f"/sign-in?next={path.replace('/', '%2F')}",
    )
    data = await http.get(path, headers=DATA)
    assert data.status_code == 401
    assert data.headers["content-type"] == "application/problem+json"
    assert data.json()["code"] == "not_signed_in"


async def test_a_form_of_somebody_who_is_not_signed_in_leads_back_to_its_page(
    http: httpx2.AsyncClient,
) -> None:
    page = "/active-schedule/previews/asp_1"
    answer = await http.post(
        f"{page}/confirm",
        data={"a": "b"},
        headers={**PAGE, "Referer": f"http://gateway.test{page}?candidate=x"},
    )
    assert answer.headers["location"] == f"/sign-in?next={page.replace('/', '%2F')}"


@pytest.mark.parametrize(
    "token",
    [
        "nonsense",
        "",
        ISSUERS["schedule"].user_token(7),
        ISSUERS["gateway"].service_token(),
        ISSUERS["gateway"].delegated_token(7),
        ISSUERS["gateway"].user_token(7)[:-3] + "AAA",
    ],
)
async def test_only_the_gateways_own_user_tokens_are_believed(
    http: httpx2.AsyncClient, token: str
) -> None:
    answer = await http.get("/api/v1/week", headers={**DATA, "Authorization": f"Bearer {token}"})
    assert (answer.status_code, answer.json()["code"]) == (401, "invalid_token")
    assert token not in answer.text or not token


@pytest.mark.parametrize(
    ("method", "path", "body"),
    [
        ("POST", "/api/v1/tasks", {"title": "x", "quadrant": "QUADRANT_URGENT"}),
        ("PUT", "/api/v1/tasks/1", {"title": "x", "quadrant": "QUADRANT_URGENT"}),
        ("POST", "/api/v1/tasks/1/complete", None),
        ("POST", "/api/v1/tasks/1/reopen", None),
        ("DELETE", "/api/v1/tasks/1", None),
        ("PUT", "/api/v1/semester", {"first_date": "2026-09-07", "week_count": 18}),
        ("POST", "/api/v1/timetable/import?semester_id=1", None),
        ("POST", "/api/v1/channels", {"type": "CHANNEL_TYPE_CONSOLE", "name": "x"}),
        ("DELETE", "/api/v1/channels/1", None),
        ("POST", "/api/v1/channels/1/test", None),
        ("DELETE", "/api/v1/events/1", None),
        ("POST", "/api/v1/events/1/revoke", None),
        ("PUT", "/api/v1/courses/1/embedding", {"can_be_embedded": True}),
        ("PUT", "/api/v1/settings", {}),
        ("POST", "/api/v1/sign-in-links", {"handle": "x"}),
        ("POST", "/api/v1/agent/chat", {"text": "x"}),
        ("DELETE", f"/api/v1/agent/conversations/cnv_{'c' * 32}", None),
        ("POST", "/api/v1/memory", {"type": "MEMORY_TYPE_FACT", "text": "x"}),
        ("PUT", "/api/v1/memory/1", {"type": "MEMORY_TYPE_FACT", "text": "x"}),
        ("DELETE", "/api/v1/memory/1", None),
        ("POST", "/active-schedule/previews/asp_1/confirm", {"candidate_id": "c"}),
        ("POST", "/api/v1/active-schedule/previews/asp_1/confirm", {"candidate_id": "c"}),
        ("POST", "/active-schedule/previews/asp_1/ignore", None),
        ("POST", "/active-schedule/previews/asp_1/ignore", {}),
        (
            "POST",
            "/active-schedule/trigger",
            {"target": {"kind": "TARGET_KIND_TASK_POOL", "id": 1}},
        ),
    ],
)
async def test_every_change_needs_a_key(
    http: httpx2.AsyncClient, method: str, path: str, body: dict[str, Any] | None
) -> None:
    answer = await http.request(method, path, json=body, headers=bearer())
    assert (answer.status_code, answer.json()["code"]) == (400, "idempotency_key_missing")


async def test_a_key_in_the_header_and_another_in_the_body_are_refused(
    http: httpx2.AsyncClient,
) -> None:
    answer = await http.post(
        "/active-schedule/previews/asp_1/confirm",
        json={"candidate_id": "c", "idempotency_key": "a"},
        headers={**bearer(), "Idempotency-Key": "b"},
    )
    assert (answer.status_code, answer.json()["code"]) == (400, "idempotency_keys_differ")


NASTY: tuple[bytes, ...] = (
    b"",
    b"null",
    b"[]",
    b"nonsense",
    b"\xff\xfe",
    b"{",
    b'{"a": NaN}',
    b"[" * 100_000,
    b'{"title": "\\ud800", "quadrant": "QUADRANT_URGENT"}',
    b'{"\\ud800": 1}',
    b'{"title": 1, "quadrant": "QUADRANT_URGENT"}',
    b'{"title": "x", "quadrant": "QUADRANT_URGENT", "estimated_sections": 1e400}',
    b'{"title": "x", "quadrant": "QUADRANT_URGENT", "estimated_sections": ' + b"9" * 5000 + b"}",
    b'{"target": {"kind": "TARGET_KIND_TASK_POOL", "id": 9223372036854775808}}',
    b'{"target": {"kind": "TARGET_KIND_TASK_POOL", "id": true}}',
    b'{"candidate_id": "c", "edited_changes": [{"change_id": "", "to": {}}]}',
    b'{"candidate_id": "c", "action": "explode"}',
)


@pytest.mark.parametrize(
    "path",
    [
        "/api/v1/tasks",
        "/api/v1/channels",
        "/api/v1/sign-in-links",
        "/api/v1/agent/chat",
        "/api/v1/memory",
        "/active-schedule/dry-run",
        "/active-schedule/trigger",
        "/active-schedule/previews/asp_1/confirm",
        "/api/v1/active-schedule/previews/asp_1/confirm",
    ],
)
async def test_a_body_that_cannot_be_read_is_refused_and_not_repeated(
    http: httpx2.AsyncClient, path: str
) -> None:
    for content in NASTY:
        headers = {**bearer(), "Idempotency-Key": "k", "Content-Type": "application/json"}
        answer = await http.post(path, content=content, headers=headers)
        assert answer.status_code == 400, content[:80]
        assert answer.headers["content-type"] == "application/problem+json"
        assert "9999" not in answer.text
        assert "explode" not in answer.text


@pytest.mark.parametrize(
    "content", [b"a=%ff%fe", b"\xff", b"a=1&a=2", b"&".join(b"a%d=1" % n for n in range(200))]
)
async def test_a_form_that_no_page_of_ours_sends_is_refused(
    http: httpx2.AsyncClient, content: bytes
) -> None:
    headers = {**bearer(), "Content-Type": "application/x-www-form-urlencoded"}
    answer = await http.post(
        "/active-schedule/previews/asp_1/ignore", content=content, headers=headers
    )
    assert answer.status_code == 400


@pytest.mark.parametrize("kind", ["text/plain", "multipart/form-data; boundary=x", ""])
async def test_other_kinds_of_bodies_are_not_read(http: httpx2.AsyncClient, kind: str) -> None:
    headers = {**bearer(), "Content-Type": kind, "Idempotency-Key": "k"}
    answer = await http.post(
        "/active-schedule/previews/asp_1/confirm", content=b"{}", headers=headers
    )
    assert (answer.status_code, answer.json()["code"]) == (415, "unsupported_media_type")


@pytest.mark.parametrize("id_", ["asp_", "x", "asp_%00", "asp_" + "a" * 200, "%F0%9F%8E%93"])
async def test_an_id_that_no_preview_has_is_not_found(http: httpx2.AsyncClient, id_: str) -> None:
    path = f"/active-schedule/previews/{id_}"
    data = await http.get(path, headers=bearer())
    assert (data.status_code, data.json()["code"]) == (404, "preview_not_found")
    page = await http.get(path, headers={**bearer(), **PAGE})
    assert page.status_code == 404
    assert "没有找到这条建议。" in page.text
    events = await http.get(f"/api/v1{path}/events", headers=bearer())
    assert events.status_code == 404


@pytest.mark.parametrize(
    "query", ["week=0", "week=-1", "week=1&date=2026-09-07", "date=yesterday", "week=" + "9" * 5000]
)
async def test_a_week_that_cannot_be_is_refused(http: httpx2.AsyncClient, query: str) -> None:
    answer = await http.get(f"/api/v1/week?{query}", headers=bearer())
    assert (answer.status_code, answer.json()["code"]) == (400, "invalid_request")
    assert answer.json()["violations"]


@pytest.mark.parametrize(
    "path",
    [
        "/api/v1/timetable/import?semester_id=1",
        "/api/v1/tasks",
        "/active-schedule/previews/asp_1/ignore",
    ],
)
async def test_too_much_is_refused_whether_it_is_announced_or_not(
    http: httpx2.AsyncClient, path: str
) -> None:
    def chunks() -> Iterator[bytes]:
        for _ in range(3):
            yield b"x" * (MAX_BODY_BYTES // 2)

    async def stream() -> AsyncIterator[bytes]:
        for chunk in chunks():
            yield chunk

    headers = {**bearer(), "Idempotency-Key": "k", "Content-Type": "application/json"}
    announced = await http.post(path, content=b"x" * (MAX_BODY_BYTES + 1), headers=headers)
    streamed = await http.post(path, content=stream(), headers=headers)
    for answer in (announced, streamed):
        assert (answer.status_code, answer.json()["code"]) == (413, "too_large")


async def test_who_asks_too_fast_is_told_when_to_come_again() -> None:
    made = serve(by_address=Rate(per_second=0.5, burst=2))
    async with made.client(headers=DATA) as client:
        answers = [await client.get("/nowhere") for _ in range(3)]
        health = await client.get("/healthz")
    assert [answer.status_code for answer in answers] == [404, 404, 429]
    assert answers[-1].headers["retry-after"] == "2"
    assert health.status_code == 200
    await made.parts.suite.close()


async def test_one_user_does_not_use_up_anothers_share() -> None:
    made = serve(by_user=Rate(per_second=0.1, burst=1))
    tokens = [ISSUERS["gateway"].user_token(number) for number in (1, 1, 2)]
    async with made.client() as client:
        answers = [
            await client.get(
                "/api/v1/week?week=0&date=x", headers={**DATA, "Authorization": f"Bearer {token}"}
            )
            for token in tokens
        ]
    assert [answer.json()["code"] for answer in answers] == [
        "invalid_request",
        "too_many_requests",
        "invalid_request",
    ]
    await made.parts.suite.close()


async def test_of_a_defect_nothing_gets_out() -> None:
    made = serve()

    async def broken() -> None:
        raise RuntimeError("a secret")

    made.app.add_api_route("/broken", broken)
    async with made.client() as client:
        data = await client.get("/broken", headers=DATA)
        page = await client.get("/broken", headers=PAGE)
    assert (data.status_code, page.status_code) == (500, 500)
    assert data.json()["code"] == "internal"
    assert data.json()["number"] in data.text
    assert "secret" not in data.text + page.text
    assert "content-security-policy" in page.headers
    await made.parts.suite.close()


async def test_an_unknown_method_and_an_unknown_path_are_refused_in_kind(
    http: httpx2.AsyncClient,
) -> None:
    method = await http.patch("/api/v1/tasks", headers=bearer())
    assert (method.status_code, method.json()["code"]) == (405, "method_not_allowed")
    assert "allow" in method.headers
    page = await http.get("/nowhere", headers=PAGE)
    assert "没有找到这一页。" in page.text


async def test_a_language_that_is_asked_for_is_remembered(http: httpx2.AsyncClient) -> None:
    asked = await http.get("/sign-in?lang=en", headers=PAGE)
    assert 'lang="en"' in asked.text
    assert "smartmate_lang=en" in asked.headers["set-cookie"]
    again = await http.get("/sign-in", headers={**PAGE, "Accept-Language": "zh"})
    assert 'lang="en"' in again.text


async def test_static_files_are_kept_for_good_under_their_own_name_alone(
    http: httpx2.AsyncClient,
) -> None:
    named = await http.get(RENDERER.static("app.css"))
    bare = await http.get("/static/app.css")
    assert "immutable" in named.headers["cache-control"]
    assert "no-cache" in bare.headers["cache-control"]


@pytest.mark.parametrize(
    "path", ["/static/%00", "/static/../settings.py", "/static/%2e%2e/settings.py", "/static/"]
)
async def test_no_other_file_is_given_out(http: httpx2.AsyncClient, path: str) -> None:
    assert (await http.get(path)).status_code in (404, 405)


async def test_readiness_is_told(served: Served, http: httpx2.AsyncClient) -> None:
    served.parts.readiness.ready = False
    assert (await http.get("/readyz")).status_code == 503
    served.parts.readiness.ready = True
    assert (await http.get("/readyz")).status_code == 200


async def test_figures_are_not_for_visitors(http: httpx2.AsyncClient) -> None:
    answer = await http.get("/metrics", headers=DATA)
    assert (answer.status_code, answer.json()["code"]) == (404, "no_such_page")


async def test_the_description_is_whole(http: httpx2.AsyncClient) -> None:
    made = (await http.get("/openapi.json")).json()
    text = json.dumps(made)
    names = set(made["components"]["schemas"])
    wanted = {part.partition('"')[0] for part in text.split("#/components/schemas/")[1:]}
    assert wanted <= names
    for path, operations in made["paths"].items():
        for method, operation in operations.items():
            assert "422" not in operation["responses"], (method, path)
            assert "default" in operation["responses"], (method, path)
            bare = any(part in path for part in ("import", "/tasks/{", "/test", "/revoke"))
            if method in ("post", "put") and not bare:
                assert "requestBody" in operation, (method, path)
    assert "/active-schedule/previews/{preview_id}/confirm" in made["paths"]
    assert "/sign-in/{token}" not in made["paths"]
