"""Links that are asked for: who gets one, how many, and that nobody learns who there is."""

import asyncio
import re
import uuid
from collections.abc import AsyncIterator
from dataclasses import dataclass, field, replace

import grpc
import httpx2
import pytest
import structlog
from sqlalchemy import text

from libs.rpc.errors import RemoteError
from services.gateway import __main__ as gateway
from services.gateway.domain.buckets import Buckets, Rate
from services.gateway.domain.errors import AwayForNow, HandleTaken, InvalidHandle
from services.gateway.handlers.link_post import LinkPost, Wish
from services.gateway.handlers.sign_in import AskedLink, SignIn
from services.gateway.server.application import Bounds, application
from services.gateway.server.edge import Edge
from tests.integration.gateway.people import DATA, PAGE, Gateway, Person
from tests.waiting import wait_until

PLENTY = Rate(1e6, 10**6)


def new_handle() -> str:
    """A handle that nobody has."""
    return f"s{uuid.uuid4().hex[:16]}"


def key() -> str:
    return uuid.uuid4().hex


@dataclass(slots=True)
class Outbox:
    """Whatever was handed on; refuses where it is told to."""

    sent: list[AskedLink] = field(default_factory=list)
    fails: bool = False

    async def send(self, link: AskedLink) -> None:
        if self.fails:
            raise RemoteError(grpc.StatusCode.UNAVAILABLE, "unavailable", "smartmate.notification")
        self.sent.append(link)


@pytest.fixture
def sign_in(running: Gateway) -> SignIn:
    return running.parts.sign_in


async def ask(
    sign_in: SignIn, typed: str, *, attempt: str = "", path: str | None = None
) -> AskedLink | None:
    return await sign_in.ask_for_link(typed, next_path=path, key=attempt or key())


async def test_a_user_is_found_by_handle_whatever_its_case_and_by_number(sign_in: SignIn) -> None:
    handle = new_handle()
    user_id, _ = await sign_in.add_user("林同学", is_operator=False, handle=handle.upper())
    for typed in (handle, f"  {handle.upper()} ", str(user_id)):
        link = await ask(sign_in, typed)
        assert link is not None
        assert link.user_id == user_id


async def test_a_handle_that_is_a_number_wins_over_the_user_of_that_number(
    sign_in: SignIn,
) -> None:
    first, _ = await sign_in.add_user("一位", is_operator=False)
    second, _ = await sign_in.add_user("另一位", is_operator=False, handle=str(first))
    link = await ask(sign_in, str(first))
    assert link is not None
    assert link.user_id == second


@pytest.mark.parametrize(
    "typed", ["", "nobody", "0", "-1", "9" * 19, "9" * 100, "学号", "a\x00b", "' OR 1=1 --"]
)
async def test_nobody_gets_no_link(sign_in: SignIn, typed: str) -> None:
    assert await ask(sign_in, typed) is None


async def test_a_handle_belongs_to_one_user(sign_in: SignIn) -> None:
    handle = new_handle()
    await sign_in.add_user("一位", is_operator=False, handle=handle)
    with pytest.raises(HandleTaken):
        await sign_in.add_user("另一位", is_operator=False, handle=handle.upper())
    with pytest.raises(InvalidHandle):
        await sign_in.add_user("第三位", is_operator=False, handle="两个 字")


async def test_of_many_that_ask_at_once_three_get_a_link(running: Gateway, sign_in: SignIn) -> None:
    handle = new_handle()
    user_id, _ = await sign_in.add_user("林同学", is_operator=False, handle=handle)
    links = await asyncio.gather(*(ask(sign_in, handle) for _ in range(12)))
    assert sum(link is not None for link in links) == 3
    # Links of the command line are none of these.
    assert await sign_in.make_link(user_id)
    # When they are over there is room again.
    async with running.database.transaction() as tx:
        await tx.execute(
            text("UPDATE sign_in_links SET expires_at = clock_timestamp() WHERE user_id = :u"),
            u=user_id,
        )
    assert await ask(sign_in, handle) is not None


async def test_one_attempt_leads_to_one_link(sign_in: SignIn) -> None:
    handle, attempt = new_handle(), key()
    await sign_in.add_user("林同学", is_operator=False, handle=handle)
    links = await asyncio.gather(*(ask(sign_in, handle, attempt=attempt) for _ in range(6)))
    assert sum(link is not None for link in links) == 1


async def test_a_link_signs_in_once_and_leads_where_it_was_asked_from(
    sign_in: SignIn, http: httpx2.AsyncClient
) -> None:
    handle = new_handle()
    await sign_in.add_user("林同学", is_operator=False, handle=handle)
    link = await ask(sign_in, handle, path="/tasks")
    assert link is not None
    assert link.token not in repr(link)
    used = await http.post(f"/sign-in/{link.token}")
    assert (used.status_code, used.headers["location"]) == (303, "/tasks")
    assert (await http.post(f"/sign-in/{link.token}")).status_code == 410


async def test_what_is_asked_for_is_made_and_handed_on(sign_in: SignIn) -> None:
    handle, outbox = new_handle(), Outbox()
    user_id, _ = await sign_in.add_user("林同学", is_operator=False, handle=handle)
    post, stop = LinkPost(sign_in, outbox.send), asyncio.Event()
    running = asyncio.ensure_future(post.run(stop))
    for typed in ("nobody", handle):
        post.take(Wish(typed, "/tasks", key()))
    await wait_until(lambda: outbox.sent, what="the link")
    stop.set()
    await running
    assert [link.user_id for link in outbox.sent] == [user_id]


async def test_what_waits_at_the_end_is_still_handed_on(sign_in: SignIn) -> None:
    handle, outbox = new_handle(), Outbox()
    await sign_in.add_user("林同学", is_operator=False, handle=handle)
    post, stop = LinkPost(sign_in, outbox.send), asyncio.Event()
    post.take(Wish(handle, None, key()))
    stop.set()
    await post.run(stop)
    assert len(outbox.sent) == 1


async def test_a_service_that_is_away_costs_the_link_and_stops_nothing(sign_in: SignIn) -> None:
    handle, outbox = new_handle(), Outbox(fails=True)
    await sign_in.add_user("林同学", is_operator=False, handle=handle)
    post, stop = LinkPost(sign_in, outbox.send), asyncio.Event()
    with structlog.testing.capture_logs() as logs:
        post.take(Wish(handle, None, key()))
        stop.set()
        await post.run(stop)
    outbox.fails = False
    post.take(Wish(handle, None, key()))
    await post.run(stop)
    assert len(outbox.sent) == 1
    told = str(logs)
    assert handle not in told
    assert not re.search(r"[A-Za-z0-9_-]{43}", told)


async def test_more_than_can_wait_are_told_to_come_again(sign_in: SignIn) -> None:
    post = LinkPost(sign_in, Outbox().send)
    for _ in range(200):
        post.take(Wish("nobody", None, key()))
    with pytest.raises(AwayForNow):
        post.take(Wish("nobody", None, key()))


@dataclass(frozen=True, slots=True)
class Asked:
    """A gateway whose wishes are granted into an outbox."""

    url: str
    outbox: Outbox


@pytest.fixture
async def asked(running: Gateway) -> AsyncIterator[Asked]:
    """The gateway with its post, and with a narrow limit for one address."""
    outbox = Outbox()
    parts = replace(
        running.parts,
        link_post=LinkPost(running.parts.sign_in, outbox.send),
        by_asking=Buckets(Rate(per_second=0.01, burst=4)),
    )
    bounds = Bounds(Buckets(PLENTY), request_seconds=10, receive_seconds=10)
    app = application(parts, bounds, (*gateway.pages.ROUTERS, *gateway.api.ROUTERS))
    edge, stop = Edge(app, "127.0.0.1:0", parts.readiness), asyncio.Event()
    await edge.start()
    granting = asyncio.ensure_future(parts.link_post.run(stop))
    yield Asked(f"http://127.0.0.1:{edge.port}", outbox)
    await edge.stop(5)
    stop.set()
    await granting


async def test_a_person_and_nobody_get_the_very_same_answer(asked: Asked, sign_in: SignIn) -> None:
    handle = new_handle()
    await sign_in.add_user("林同学", is_operator=False, handle=handle)
    answers = []
    for typed in (handle, new_handle()):
        async with httpx2.AsyncClient(base_url=asked.url, trust_env=False, headers=PAGE) as http:
            form = {"handle": typed, "idempotency_key": key()}
            answer = await http.post("/sign-in", data=form)
            page = await http.get(answer.headers["location"])
            body = re.sub(r'value="[0-9a-f-]{36}"', "", page.text)
            answers.append((answer.status_code, dict(answer.headers) | {"date": ""}, body))
    assert answers[0] == answers[1]
    await wait_until(lambda: asked.outbox.sent, what="the link")
    assert len(asked.outbox.sent) == 1


async def test_one_address_asks_so_often_and_no_more_whoever_it_names(asked: Asked) -> None:
    async with httpx2.AsyncClient(base_url=asked.url, trust_env=False) as http:
        statuses = []
        for _ in range(3):
            form = {"handle": "nobody", "idempotency_key": key()}
            statuses.append((await http.post("/sign-in", data=form, headers=PAGE)).status_code)
            body = {"handle": "nobody"}
            head = {**DATA, "Idempotency-Key": key()}
            answer = await http.post("/api/v1/sign-in-links", json=body, headers=head)
            statuses.append(answer.status_code)
    assert statuses == [303, 202, 303, 202, 429, 429]
    assert int(answer.headers["retry-after"]) >= 1


@pytest.mark.parametrize(
    "headers", [{"Sec-Fetch-Site": "cross-site"}, {"Origin": "https://evil.example"}]
)
async def test_another_site_cannot_ask_for_a_link(asked: Asked, headers: dict[str, str]) -> None:
    form = {"handle": "nobody", "idempotency_key": key()}
    async with httpx2.AsyncClient(base_url=asked.url, trust_env=False) as http:
        answer = await http.post("/sign-in", data=form, headers={**PAGE, **headers})
    assert answer.status_code == 403


@pytest.mark.parametrize(
    "form",
    [
        {},
        {"handle": ""},
        {"handle": "x" * 201, "idempotency_key": "k"},
        {"handle": "x"},
        {"handle": "x", "idempotency_key": "k", "user_id": "7"},
    ],
)
async def test_a_form_that_is_not_ours_is_refused(asked: Asked, form: dict[str, str]) -> None:
    async with httpx2.AsyncClient(base_url=asked.url, trust_env=False) as http:
        answer = await http.post("/sign-in", data=form, headers=PAGE)
    assert answer.status_code in (400, 415)
    assert asked.outbox.sent == []


PAGES = (
    "/week",
    "/week/events/1?date=2026-11-30",
    "/tasks",
    "/tasks/1",
    "/notifications",
    "/notifications/new",
    "/notifications/channels/1",
    "/settings",
)
FORMS = (
    "/tasks",
    "/tasks/1",
    "/tasks/1/complete",
    "/tasks/1/reopen",
    "/tasks/1/delete",
    "/tasks/1/plan",
    "/week/events/1/complete",
    "/week/events/1/reopen",
    "/week/events/1/revoke",
    "/week/events/1/delete",
    "/week/courses/1/embedding",
    "/notifications/new",
    "/notifications/channels/1",
    "/notifications/channels/1/test",
    "/notifications/channels/1/delete",
    "/settings/semester",
    "/settings/personal",
)


@pytest.mark.parametrize("path", PAGES)
async def test_no_page_is_shown_to_somebody_who_is_not_signed_in(
    http: httpx2.AsyncClient, path: str
) -> None:
    answer = await http.get(path)
    assert answer.status_code == 303
    assert answer.headers["location"].startswith("/sign-in?next=")


@pytest.mark.parametrize("path", FORMS)
async def test_no_form_is_taken_without_the_token_of_its_own_session(
    running: Gateway, person: Person, path: str
) -> None:
    bare = await person.http.post(path, data={"idempotency_key": "k"})
    user_id, token = await running.parts.sign_in.add_user("另一位", is_operator=False)
    async with running.browser() as other:
        await other.post(f"/sign-in/{token}")
        theirs = Person(user_id, other).csrf(running)
    stolen = await person.http.post(path, data={"idempotency_key": "k", "csrf_token": theirs})
    own = {"csrf_token": person.csrf(running), "idempotency_key": "k"}
    across = await person.http.post(path, data=own, headers={"Sec-Fetch-Site": "cross-site"})
    assert (bare.status_code, stolen.status_code, across.status_code) == (403, 403, 403)


@pytest.mark.parametrize("path", FORMS)
async def test_a_form_of_somebody_who_is_not_signed_in_leads_to_sign_in(
    http: httpx2.AsyncClient, path: str
) -> None:
    answer = await http.post(path, data={"idempotency_key": "k"})
    assert answer.status_code == 303
    assert answer.headers["location"].startswith("/sign-in")


@pytest.mark.parametrize("path", FORMS)
async def test_a_form_is_a_form(running: Gateway, person: Person, path: str) -> None:
    head = {"X-CSRF-Token": person.csrf(running)}
    answer = await person.http.post(path, json={"idempotency_key": "k"}, headers=head)
    assert answer.status_code == 415


@pytest.mark.parametrize("path", PAGES[:4])
async def test_a_service_that_is_away_is_told_on_the_page(person: Person, path: str) -> None:
    answer = await person.http.get(path)
    assert answer.status_code == 503
    assert "服务暂时没有回应" in answer.text
