"""One-time links and sessions, on a real database and over real HTTP."""

import asyncio
import json

import httpx2
import pytest
from sqlalchemy import text

from services.gateway.domain import tokens
from services.gateway.domain.errors import InvalidName, UserUnknown
from services.gateway.web.access import session_cookie
from services.standalone.suite import Suite as Standalone
from tests.integration.gateway.people import (
    DATA,
    Gateway,
    Person,
    attributes,
    cookie_lines,
)


async def link(running: Gateway, next_path: str | None = None) -> str:
    user_id, _ = await running.parts.sign_in.add_user("陈", is_operator=False)
    return await running.parts.sign_in.make_link(user_id, next_path)


async def test_looking_at_a_link_does_not_use_it_up(
    running: Gateway, http: httpx2.AsyncClient
) -> None:
    token = await link(running)
    for _ in range(3):
        looked = await http.get(f"/sign-in/{token}")
        assert looked.status_code == 200
        assert looked.text.count("<form") == 1
        assert not cookie_lines(looked)

    used = await http.post(f"/sign-in/{token}")

    assert used.status_code == 303
    assert used.headers["location"] == "/week"


async def test_a_link_works_once(running: Gateway, http: httpx2.AsyncClient) -> None:
    token = await link(running)
    assert (await http.post(f"/sign-in/{token}")).status_code == 303

    again = await http.post(f"/sign-in/{token}")

    assert again.status_code == 410
    assert (await http.get(f"/sign-in/{token}")).status_code == 410


async def test_of_many_that_use_a_link_at_once_one_gets_in(running: Gateway) -> None:
    token = await link(running)
    async with running.browser() as http:
        answers = await asyncio.gather(*(http.post(f"/sign-in/{token}") for _ in range(8)))

    assert sorted(answer.status_code for answer in answers) == [303, *[410] * 7]


async def test_a_link_that_has_expired_is_spent(running: Gateway, http: httpx2.AsyncClient) -> None:
    token = await link(running)
    async with running.database.transaction() as tx:
        await tx.execute(
            text("UPDATE sign_in_links SET expires_at = clock_timestamp() WHERE token_hash = :h"),
            h=tokens.digest(token),
        )

    assert (await http.get(f"/sign-in/{token}")).status_code == 410
    assert (await http.post(f"/sign-in/{token}")).status_code == 410


@pytest.mark.parametrize("token", ["x", "a" * 5000, "%00", "%F0%9F%8E%93", "..%2F..", "' OR 1=1"])
async def test_a_made_up_link_is_spent(http: httpx2.AsyncClient, token: str) -> None:
    answer = await http.get(f"/sign-in/{token}")
    assert answer.status_code in (404, 410)
    assert (await http.post(f"/sign-in/{token}")).status_code in (404, 410)


async def test_tokens_are_stored_as_digests_alone(
    running: Gateway, http: httpx2.AsyncClient
) -> None:
    token = await link(running)
    await http.post(f"/sign-in/{token}")
    session = http.cookies.get(session_cookie(running.parts)) or ""
    async with running.database.transaction() as tx:
        rows = [
            *(await tx.all(text("SELECT row_to_json(s)::text AS it FROM sessions s"))),
            *(await tx.all(text("SELECT row_to_json(l)::text AS it FROM sign_in_links l"))),
        ]

    assert rows
    assert not any(token in row.it or session in row.it for row in rows)


async def test_the_session_cookie_is_closed_to_scripts_and_other_sites(
    running: Gateway, http: httpx2.AsyncClient
) -> None:
    used = await http.post(f"/sign-in/{await link(running)}")

    (line,) = [one for one in cookie_lines(used) if one.startswith("smartmate_session=")]
    assert {"httponly", "samesite=lax", "path=/"} <= attributes(line)


async def test_a_page_leads_to_sign_in_and_back(running: Gateway, http: httpx2.AsyncClient) -> None:
    wanted = "/active-schedule/previews/asp_1?candidate=a%3Ab"
    refused = await http.get(wanted)
    assert refused.status_code == 303
    way = refused.headers["location"]
    assert way.startswith("/sign-in?next=")

    shown = await http.get(way)
    used = await http.post(f"/sign-in/{await link(running)}")

    assert shown.status_code == 200
    assert used.headers["location"] == wanted


async def test_a_link_may_lead_somewhere_of_its_own(
    running: Gateway, http: httpx2.AsyncClient
) -> None:
    used = await http.post(f"/sign-in/{await link(running, '/active-schedule/previews/asp_2')}")
    assert used.headers["location"] == "/active-schedule/previews/asp_2"


@pytest.mark.parametrize("next_path", ["//evil.example", "https://evil.example", "/\\evil.example"])
async def test_nobody_is_led_to_another_site(
    running: Gateway, http: httpx2.AsyncClient, next_path: str
) -> None:
    await http.get("/sign-in", params={"next": next_path})
    used = await http.post(f"/sign-in/{await link(running, next_path)}")
    assert used.headers["location"] == "/week"


async def test_who_is_signed_in_needs_no_sign_in_page(person: Person) -> None:
    answer = await person.http.get("/sign-in", params={"next": "/week?week=3"})
    assert (answer.status_code, answer.headers["location"]) == (303, "/week?week=3")


async def test_signing_out_ends_the_session(running: Gateway, person: Person) -> None:
    session = person.session(running)
    out = await person.http.post("/sign-out", data={"csrf_token": person.csrf(running)})
    assert out.status_code == 303

    assert await running.parts.sign_in.visitor(session) is None
    assert (await person.http.get("/week")).headers["location"].startswith("/sign-in")


async def test_a_session_ends_at_its_time(running: Gateway, person: Person) -> None:
    async with running.database.transaction() as tx:
        await tx.execute(
            text("UPDATE sessions SET expires_at = clock_timestamp() WHERE user_id = :u"),
            u=person.user_id,
        )
    assert (await person.http.get("/api/v1/week", headers=DATA)).status_code == 401


@pytest.mark.parametrize("name", ["", "   ", "a" * 61, "a\x00b", "a\nb"])
async def test_a_name_is_a_line_of_text(running: Gateway, name: str) -> None:
    with pytest.raises(InvalidName, match="one line of 1 to 60 characters"):
        await running.parts.sign_in.add_user(name, is_operator=False)


@pytest.mark.parametrize("user_id", [0, -1, 2**63 - 1, 2**63, 10**30])
async def test_there_is_no_link_for_nobody(running: Gateway, user_id: int) -> None:
    with pytest.raises(UserUnknown):
        await running.parts.sign_in.make_link(user_id)


async def test_the_commands_make_users_links_and_tokens(
    servers: Standalone, running: Gateway, http: httpx2.AsyncClient
) -> None:
    made = json.loads(await servers.run("gateway", "user-add", "--name", "林同学", "--operator"))
    path = made["sign_in_url"].partition("/sign-in/")[2]
    assert (await http.post(f"/sign-in/{path}")).status_code == 303
    visitor = await running.parts.sign_in.user(made["user_id"])
    assert (visitor.name, visitor.roles) == ("林同学", frozenset({"operator"}))

    another = json.loads(
        await servers.run(
            "gateway", "sign-in-link", "--user", str(made["user_id"]), "--next", "/week?week=2"
        )
    )
    used = await http.post(f"/sign-in/{another['sign_in_url'].partition('/sign-in/')[2]}")
    assert used.headers["location"] == "/week?week=2"
