"""The application with keys of its own, called without a network."""

import asyncio
from collections.abc import AsyncIterator, Callable
from dataclasses import dataclass
from datetime import timedelta
from typing import Any

import httpx2
import pytest
from joserfc.jwk import KeySet, OKPKey

from libs.clock import SystemClock
from libs.db.database import Database
from libs.rpc.identity import Issuer, Verifier
from libs.telemetry.ops import Readiness
from services.gateway import api, pages
from services.gateway.clients.suite import Addresses, Suite
from services.gateway.domain.buckets import Buckets, Rate
from services.gateway.handlers.link_post import LinkPost
from services.gateway.handlers.sign_in import AskedLink, SignIn
from services.gateway.server.application import Bounds, application
from services.gateway.web.parts import Parts, Policy
from services.gateway.web.rendering import Renderer

PAGE = {"Accept": "text/html,application/xhtml+xml,*/*;q=0.8"}
DATA = {"Accept": "application/json"}
PLENTY = Rate(per_second=1e6, burst=10**6)
CLOCK = SystemClock()
KEYS = {
    name: OKPKey.generate_key("Ed25519", {"kid": name}, private=True)
    for name in ("gateway", "schedule")
}
ISSUERS = {name: Issuer(name, key, CLOCK) for name, key in KEYS.items()}
RENDERER = Renderer()


@dataclass(frozen=True, slots=True)
class Served:
    """An application, and clients of it."""

    app: Any
    parts: Parts

    def client(self, **more: Any) -> httpx2.AsyncClient:
        transport = httpx2.ASGITransport(app=self.app, raise_app_exceptions=False)
        return httpx2.AsyncClient(transport=transport, base_url="http://gateway.test", **more)


async def _nowhere(_: AskedLink) -> None:
    """Nobody is asked for a link here."""


def serve(
    *,
    by_user: Rate = PLENTY,
    by_address: Rate = PLENTY,
    by_asking: Rate = PLENTY,
    https: bool = False,
    receive_seconds: float = 5,
    kind: type[Suite] = Suite,
) -> Served:
    nobody = "127.0.0.1:1"
    addresses = Addresses(nobody, nobody, nobody, nobody)
    suite = kind.open(addresses, ISSUERS["gateway"], call_seconds=1)
    database = Database("postgresql+asyncpg://nobody@127.0.0.1:1/nothing", application="test")
    sign_in = SignIn(database, timedelta(days=1), timedelta(minutes=15))
    parts = Parts(
        policy=Policy(
            origin="https://gateway.test" if https else "http://gateway.test",
            is_https=https,
            session_life=timedelta(days=1),
            stream_keepalive_seconds=1,
            stream_seconds=0.1,
            streams_per_user=2,
        ),
        clock=CLOCK,
        suite=suite,
        sign_in=sign_in,
        link_post=LinkPost(sign_in, _nowhere),
        verifier=Verifier(KeySet(list(KEYS.values())), CLOCK),
        renderer=RENDERER,
        by_user=Buckets(by_user),
        by_sign_in=Buckets(PLENTY),
        by_asking=Buckets(by_asking),
        readiness=Readiness(),
        waits=asyncio.Event(),
    )
    bounds = Bounds(Buckets(by_address), request_seconds=5, receive_seconds=receive_seconds)
    return Served(application(parts, bounds, (*pages.ROUTERS, *api.ROUTERS)), parts)


def served_by(kind: type[Suite] = Suite) -> Callable[[], AsyncIterator[Served]]:
    """The fixture of a module whose tests share an application before services of a kind."""

    @pytest.fixture(scope="module")
    async def served() -> AsyncIterator[Served]:
        made = serve(kind=kind)
        yield made
        await made.parts.suite.close()

    return served


def bearer(issuer: str = "gateway") -> dict[str, str]:
    return {**DATA, "Authorization": f"Bearer {ISSUERS[issuer].user_token(7)}"}
