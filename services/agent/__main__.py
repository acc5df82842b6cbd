"""The composition root of agent: joins the parts and runs them."""

import asyncio
from collections.abc import Awaitable, Callable
from datetime import timedelta
from functools import partial

from libs.clock import SystemClock
from libs.db import requests
from libs.db.database import Database
from libs.outbox.retention import Retention
from libs.process import runtime
from libs.process.runtime import Parts
from libs.rpc.identity import Verifier
from libs.rpc.server import Server
from services.agent import server
from services.agent.handlers.ports import Model
from services.agent.handlers.selection import Selector
from services.agent.settings import Settings
from smartmate.agent.v1.agent_service_pb2_grpc import add_AgentServiceServicer_to_server

SERVICE = "agent"

Close = Callable[[], Awaitable[None]]


async def serve(settings: Settings) -> None:
    """Joins the parts and serves until a signal."""
    clock = SystemClock(timedelta(seconds=settings.clock_offset_seconds))
    db = Database(settings.database_url, application=SERVICE, pool_size=settings.database_pool)
    await db.wait_until_there()
    model, closers = _model(settings)
    servicer = server.Servicer(db, Selector(model, settings.llm_seconds))
    parts = Parts(
        database=db,
        bus=None,
        edge=Server(
            server.RULES,
            Verifier.load(settings.public_keys, clock),
            settings.listen,
            [server.NAME],
            partial(add_AgentServiceServicer_to_server, servicer),
        ),
        claimers=(Retention(db, settings.retention_seconds, (requests.prune,)).run,),
        closers=closers,
    )
    await runtime.run(parts, settings)


def _model(settings: Settings) -> tuple[Model | None, tuple[Close, ...]]:
    """The model that is configured, if one is, and what closes it."""
    if not settings.has_model:
        return None, ()
    # Loaded where it is used: without a model the SDK's memory and start are saved.
    from services.agent.llm.endpoint import Endpoint, Profile, Structured

    profile = Profile(
        model=settings.llm_model,
        base_url=settings.llm_base_url,
        structured=Structured(settings.llm_structured),
        thinking_off=settings.thinking_off,
        token_limit=settings.llm_token_limit,
        token_limit_name=settings.llm_token_limit_name,
    )
    endpoint = Endpoint.open(profile, settings.llm_api_key.get_secret_value())
    return endpoint, (endpoint.close,)


def main() -> None:
    """`python -m services.agent`."""
    settings = Settings()
    runtime.configure(settings, SERVICE)
    asyncio.run(serve(settings))


if __name__ == "__main__":
    main()
