"""The gateway in this process, on a real PostgreSQL; the services behind it are not there."""

from collections.abc import AsyncIterator, Mapping
from typing import Any

import httpx2
import pytest

from libs.clock import SystemClock
from libs.db.database import Database
from libs.rpc.identity import Issuer
from services.gateway import __main__ as gateway
from services.gateway.clients.suite import Addresses, Suite
from services.gateway.settings import GatewaySettings
from services.standalone import home
from services.standalone.suite import Suite as Standalone
from tests.integration.gateway.people import Gateway, Person

# A port at which nobody ever listens.
NOBODY = "127.0.0.1:1"
GENEROUS: dict[str, Any] = {"user_rate": 10_000, "address_rate": 10_000, "sign_in_rate": 10_000}


def settings_of(environment: Mapping[str, str], **more: Any) -> GatewaySettings:
    """The settings of a gateway process with that environment."""
    prefix = "SMARTMATE_"
    given: dict[str, Any] = {
        name.removeprefix(prefix).lower(): value
        for name, value in environment.items()
        if name.startswith(prefix)
    }
    nobody: dict[str, Any] = dict.fromkeys(
        ("schedule_address", "active_scheduler_address", "notification_address"), NOBODY
    )
    return GatewaySettings(**{**given, **nobody, "listen": "127.0.0.1:0", **GENEROUS, **more})


@pytest.fixture(scope="session")
async def servers() -> AsyncIterator[Standalone]:
    """PostgreSQL, NATS, schema and keys, without any service."""
    with home.temporary() as root:
        async with Standalone(root, services=()) as suite:
            yield suite


@pytest.fixture(scope="session")
async def running(servers: Standalone) -> AsyncIterator[Gateway]:
    """The gateway, serving."""
    clock = SystemClock()
    settings = settings_of(servers.environment("gateway"))
    database = Database(settings.database_url, application="gateway")
    issuer = Issuer.load(settings.private_key, clock)
    suite = Suite.open(
        Addresses(NOBODY, NOBODY, NOBODY), issuer, call_seconds=settings.call_seconds
    )
    parts = gateway.parts_of(settings, database, clock, suite)
    edge = gateway.edge_of(settings, parts)
    await edge.start()
    await edge.ready()
    try:
        yield Gateway(f"http://127.0.0.1:{edge.port}", parts, database, issuer)
    finally:
        await edge.stop(5)
        await suite.close()
        await database.close()


@pytest.fixture
async def http(running: Gateway) -> AsyncIterator[httpx2.AsyncClient]:
    """A browser that has never been here."""
    async with running.browser() as client:
        yield client


@pytest.fixture
async def person(running: Gateway) -> AsyncIterator[Person]:
    """Somebody who is signed in."""
    async with running.browser() as client:
        user_id, token = await running.parts.sign_in.add_user("林同学", is_operator=False)
        answer = await client.post(f"/sign-in/{token}")
        assert answer.status_code == 303
        yield Person(user_id, client)
