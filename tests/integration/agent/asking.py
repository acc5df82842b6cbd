"""Ways to ask the agent service, and something to ask it about."""

from collections.abc import AsyncIterator, Mapping
from contextlib import asynccontextmanager
from dataclasses import dataclass, replace
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

from libs.clock import SystemClock
from libs.db.database import Database
from libs.rpc.client import Client, channel
from libs.rpc.identity import Caller, Issuer, Verifier
from libs.rpc.server import Server
from services.agent import server
from services.agent.handlers.locating import Locator
from services.agent.handlers.selection import Selector
from services.agent.llm.endpoint import Endpoint, Profile, Structured
from smartmate.active_scheduler.v1 import observation_pb2, preview_pb2
from smartmate.agent.v1 import agent_service_pb2 as pb
from smartmate.agent.v1 import selection_pb2
from smartmate.agent.v1.agent_service_pb2_grpc import (
    AgentServiceStub,
    add_AgentServiceServicer_to_server,
)
from smartmate.text.v1.localized_text_pb2 import LocalizedText
from tests.integration.agent.talking import talk
from tests.integration.llm_standin import StandIn

TITLE = "概率论作业"
IDS = ("add:7:13:1:3", "add:7:13:1:5", "add:7:13:1:9")
PROFILE = Profile(model="m1", base_url="", structured=Structured.JSON_SCHEMA)


@dataclass(frozen=True, slots=True)
class Keys:
    """The public keys, and tokens of the services that call."""

    public: Path
    issuers: Mapping[str, Issuer]


@dataclass(slots=True)
class Agent:
    """A served agent service with ways to call it."""

    stub: Any
    keys: Keys
    endpoint: Endpoint | None = None

    async def select(self, request: pb.SelectCandidateRequest, *, seconds: float = 8.0) -> Any:
        """As active_scheduler asks, for a user, because of an event."""
        client = Client(self.keys.issuers["active_scheduler"])
        return await client.call(
            self.stub.SelectCandidate, request, on_behalf_of=7, seconds=seconds
        )

    async def locate(self, request: pb.LocateFeedbackRequest, *, seconds: float = 8.0) -> Any:
        """As active_scheduler asks, for the user whose words they are."""
        client = Client(self.keys.issuers["active_scheduler"])
        return await client.call(self.stub.LocateFeedback, request, on_behalf_of=7, seconds=seconds)

    async def call(self, method: str, request: Any, *, user: int, service: str = "gateway") -> Any:
        """As a signed-in user through the gateway, or as a service that acts for the user."""
        issuer = self.keys.issuers[service]
        caller = Caller("gateway", user, user_token=issuer.user_token(user))
        whom = caller if service == "gateway" else user
        return await Client(issuer).call(
            getattr(self.stub, method), request, on_behalf_of=whom, seconds=10
        )


@asynccontextmanager
async def served(
    db: Database,
    keys: Keys,
    standin: StandIn | None = None,
    *,
    seconds: float = 7.0,
    **profile: Any,
) -> AsyncIterator[Agent]:
    """The service on a free port; with a stand-in, that is its model."""
    endpoint = None
    if standin is not None:
        told = replace(PROFILE, base_url=f"{standin.url}/v1", **profile)
        endpoint = Endpoint.open(told, "sk-test")
    servicer = server.Servicer(
        db, Selector(endpoint, seconds), Locator(endpoint, seconds), talk(db, keys.issuers["agent"])
    )
    edge = Server(
        rules=server.RULES,
        verifier=Verifier.load(keys.public, SystemClock()),
        listen="127.0.0.1:0",
        names=(server.NAME,),
        add=lambda into: add_AgentServiceServicer_to_server(servicer, into),
    )
    await edge.start()
    await edge.ready()
    try:
        async with channel(f"127.0.0.1:{edge.port}") as wire:
            yield Agent(AgentServiceStub(wire), keys, endpoint)
    finally:
        await edge.stop(0.0)
        if endpoint is not None:
            await endpoint.close()


def both(zh: str, en: str) -> LocalizedText:
    return LocalizedText(zh_cn=zh, en_us=en)


def local(text: str) -> datetime:
    return datetime.fromisoformat(f"2026-11-30T{text}+08:00").astimezone(UTC)


def request(title: str = TITLE, *, memory: tuple[str, ...] = ()) -> pb.SelectCandidateRequest:
    """Three candidates on Monday of week 13, for a task that is due on Tuesday at 22:00."""
    places = ((3, 4, "10:15", "11:55"), (5, 6, "14:00", "15:40"), (9, 10, "19:00", "20:40"))
    found = pb.SelectCandidateRequest(
        situation=_situation(title, preview_pb2.DECISION_ACTION_SELECT_CANDIDATE),
        candidates=[
            selection_pb2.CandidateBrief(
                candidate_id=id_,
                family=preview_pb2.CANDIDATE_FAMILY_EARLIEST,
                places=[_place(*place)],
                summary=both(
                    f"「{title}」放到11月30日 周一 {place[0]}–{place[1]} 节，可以吗？",
                    f"Put “{title}” at Mon 11-30, sections {place[0]}–{place[1]}?",
                ),
                reason=both("这是最早放得下的位置。", "It is the earliest place that fits."),
                risk=both("很快就要开始。", "It starts very soon."),
            )
            for id_, place in zip(IDS, places, strict=True)
        ],
        memory_texts=memory,
    )
    found.situation.deadline_time.FromDatetime(local("22:00").replace(day=1, month=12))
    return found


def notice(title: str = TITLE) -> pb.SelectCandidateRequest:
    """Nothing to choose, something to tell."""
    situation = _situation(title, preview_pb2.DECISION_ACTION_NOTIFY_ONLY)
    situation.notice.CopyFrom(both(f"「{title}」还没有排进日程。", f"“{title}” is not scheduled."))
    return pb.SelectCandidateRequest(situation=situation)


def _situation(title: str, action: "preview_pb2.DecisionAction") -> selection_pb2.Situation:
    situation = selection_pb2.Situation(
        action=action,
        reason_code="candidates_found",
        target_title=title,
        time_zone="Asia/Shanghai",
        facts=[both("截止时间是 12月1日 周二 22:00。", "It is due Tue 12-01 22:00.")],
        inaction=both("日程保持原样。", "Your schedule stays as it is."),
        metrics=observation_pb2.Metrics(needed_sections=2, free_sections=12, window_sections=12),
    )
    situation.facts_time.FromDatetime(local("09:00"))
    return situation


def _place(first: int, last: int, start: str, end: str) -> selection_pb2.BriefPlace:
    place = selection_pb2.BriefPlace(week=13, day_of_week=1, first_section=first, last_section=last)
    place.start_time.FromDatetime(local(start))
    place.end_time.FromDatetime(local(end))
    return place
