"""Who may change anything: cookies with a token of our own pages, programs with a bearer token."""

import httpx2
import pytest

from services.standalone.errors import StandaloneError
from services.standalone.suite import Suite as Standalone
from tests.integration.gateway.people import DATA, Gateway, Person

IGNORE = "/active-schedule/previews/asp_1/ignore"


async def test_a_form_without_our_token_is_refused(person: Person) -> None:
    answer = await person.http.post(IGNORE, data={"idempotency_key": "k1"})
    assert answer.status_code == 403
    assert "text/html" in answer.headers["content-type"]


async def test_a_form_with_another_sessions_token_is_refused(
    running: Gateway, person: Person
) -> None:
    user_id, token = await running.parts.sign_in.add_user("另一位", is_operator=False)
    async with running.browser() as other:
        await other.post(f"/sign-in/{token}")
        theirs = Person(user_id, other).csrf(running)

    answer = await person.http.post(IGNORE, data={"idempotency_key": "k1", "csrf_token": theirs})

    assert answer.status_code == 403


@pytest.mark.parametrize(
    "headers",
    [
        {"Sec-Fetch-Site": "cross-site"},
        {"Sec-Fetch-Site": "same-site"},
        {"Origin": "https://evil.example"},
        {"Origin": "null"},
    ],
)
async def test_what_another_site_sends_is_refused_whatever_it_carries(
    running: Gateway, person: Person, headers: dict[str, str]
) -> None:
    form = {"idempotency_key": "k1", "csrf_token": person.csrf(running)}
    assert (await person.http.post(IGNORE, data=form, headers=headers)).status_code == 403


async def test_another_site_cannot_sign_somebody_in(
    running: Gateway, http: httpx2.AsyncClient
) -> None:
    _, token = await running.parts.sign_in.add_user("谁", is_operator=False)
    answer = await http.post(f"/sign-in/{token}", headers={"Sec-Fetch-Site": "cross-site"})
    assert answer.status_code == 403
    assert await running.parts.sign_in.link_is_open(token)


async def test_our_own_form_gets_as_far_as_the_service(running: Gateway, person: Person) -> None:
    form = {"idempotency_key": "k1", "csrf_token": person.csrf(running)}
    headers = {"Sec-Fetch-Site": "same-origin", "Origin": running.url}

    answer = await person.http.post(IGNORE, data=form, headers=headers)

    assert answer.status_code == 503
    assert "服务暂时没有回应" in answer.text


async def test_a_script_of_our_page_sends_the_token_in_the_head(
    running: Gateway, person: Person
) -> None:
    headers = {**DATA, "Idempotency-Key": "k1"}
    bare = await person.http.post("/api/v1/tasks/1/complete", headers=headers)
    own = await person.http.post(
        "/api/v1/tasks/1/complete",
        headers={**headers, "X-CSRF-Token": person.csrf(running)},
    )
    assert (bare.status_code, own.status_code) == (403, 503)
    assert bare.json()["code"] == "form_not_ours"


async def test_a_program_needs_no_token_of_our_pages(
    running: Gateway, http: httpx2.AsyncClient
) -> None:
    headers = {**running.bearer(7), "Idempotency-Key": "k1"}
    answer = await http.post("/api/v1/tasks/1/complete", headers=headers)
    assert answer.status_code == 503
    assert answer.headers["retry-after"] == "1"
    assert answer.json()["code"] == "unavailable"


async def test_a_bearer_token_wins_over_a_cookie(running: Gateway, person: Person) -> None:
    headers = {**DATA, "Authorization": "Bearer nonsense", "Idempotency-Key": "k1"}
    answer = await person.http.post("/api/v1/tasks/1/complete", headers=headers)
    assert (answer.status_code, answer.json()["code"]) == (401, "invalid_token")


async def test_tokens_are_given_out_in_development_alone(
    servers: Standalone, running: Gateway
) -> None:
    user_id, _ = await running.parts.sign_in.add_user("开发者", is_operator=False)
    with pytest.raises(StandaloneError, match="SMARTMATE_DEVELOPMENT"):
        await servers.run("gateway", "token", "--user", str(user_id))


async def test_the_week_is_shown_to_nobody_else(http: httpx2.AsyncClient) -> None:
    answer = await http.get("/api/v1/week", headers=DATA)
    assert (answer.status_code, answer.json()["code"]) == (401, "not_signed_in")
    assert answer.headers["www-authenticate"] == "Bearer"
