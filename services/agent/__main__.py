"""The composition root of agent: joins the parts and runs them."""

import asyncio
from collections.abc import Awaitable, Callable
from dataclasses import dataclass
from datetime import timedelta
from functools import partial

from libs.clock import Clock, SystemClock
from libs.db import requests
from libs.db.database import Database, is_away
from libs.outbox.retention import Retention
from libs.process import runtime
from libs.process.runtime import Parts
from libs.rpc.client import Client, channel
from libs.rpc.identity import Issuer, Verifier
from libs.rpc.server import Server
from services.agent import server
from services.agent.clients.active_scheduler import SchedulerClient
from services.agent.clients.schedule import ScheduleClient
from services.agent.graph.desk import Tools
from services.agent.handlers.beginning import Beginning
from services.agent.handlers.driving import Driver
from services.agent.handlers.following import Follower
from services.agent.handlers.locating import Locator
from services.agent.handlers.ports import AnyModel
from services.agent.handlers.remembering import Keeper
from services.agent.handlers.selection import Selector
from services.agent.handlers.talking import Talk
from services.agent.llm.stages import Stages
from services.agent.settings import Settings
from services.agent.store import runs
from services.agent.wire import happening
from smartmate.active_scheduler.v1.active_scheduler_service_pb2_grpc import (
    ActiveSchedulerServiceStub,
)
from smartmate.agent.v1.agent_service_pb2_grpc import add_AgentServiceServicer_to_server
from smartmate.schedule.v1.schedule_service_pb2_grpc import ScheduleServiceStub

SERVICE = "agent"

Close = Callable[[], Awaitable[None]]


async def serve(settings: Settings) -> None:
    """Joins the parts and serves until a signal."""
    clock = SystemClock(timedelta(seconds=settings.clock_offset_seconds))
    db = Database(settings.database_url, application=SERVICE, pool_size=settings.database_pool)
    await db.wait_until_there()
    model, closers = _model(settings)
    others = Others.open(settings, clock)
    locator = Locator(model, settings.llm_seconds)
    waits = asyncio.Event()
    tools = Tools(
        schedule=others.schedule,
        scheduler=others.scheduler,
        locating=locator,
        memory=Keeper(db),
        model=model,
        stages=Stages.read(),
        now=clock.now,
        limits=settings.limits,
        model_seconds=settings.run_model_seconds,
        context_tokens=settings.run_context_tokens,
        always_execute=settings.always_execute,
    )
    driver = Driver(db, tools, happening.encoded, is_away, settings.run_lease_seconds)
    servicer = server.Servicer(
        db,
        Selector(model, settings.llm_seconds),
        locator,
        Talk(db, Beginning(happening.encoded), driver, Follower(db, driver, waits)),
    )
    parts = Parts(
        database=db,
        bus=None,
        waits=waits,
        edge=Server(
            server.RULES,
            Verifier.load(settings.public_keys, clock),
            settings.listen,
            [server.NAME],
            partial(add_AgentServiceServicer_to_server, servicer),
        ),
        claimers=(
            driver.run,
            Retention(db, settings.retention_seconds, (requests.prune, runs.prune)).run,
        ),
        closers=(*closers, *others.closers),
    )
    await runtime.run(parts, settings)


@dataclass(frozen=True, slots=True)
class Others:
    """The services that this one asks."""

    schedule: ScheduleClient
    scheduler: SchedulerClient
    closers: tuple[Close, ...]

    @classmethod
    def open(cls, settings: Settings, clock: Clock) -> "Others":
        """A channel to each; they connect when they are used."""
        client = Client(Issuer.load(settings.private_key, clock))
        to_schedule = channel(settings.schedule_address)
        to_scheduler = channel(settings.active_scheduler_address)
        return cls(
            ScheduleClient(client, ScheduleServiceStub(to_schedule)),
            SchedulerClient(client, ActiveSchedulerServiceStub(to_scheduler)),
            (to_schedule.close, to_scheduler.close),
        )


def _model(settings: Settings) -> tuple[AnyModel | None, tuple[Close, ...]]:
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
