"""A student who talks with the assistant: schedule and agent in this process, on a real database,
the model played by the stand-in."""

import asyncio
import itertools
import json
import uuid
from collections.abc import AsyncGenerator, AsyncIterator, Callable, Iterable, Mapping
from contextlib import AsyncExitStack, aclosing, asynccontextmanager
from dataclasses import dataclass, field, replace
from datetime import UTC, date, datetime, timedelta
from pathlib import Path
from typing import Any, cast
from zoneinfo import ZoneInfo

from libs.clock import SystemClock
from libs.db.database import Database, is_away
from libs.outbox.outbox import Outbox
from libs.rpc.client import Client, channel
from libs.rpc.identity import Caller, Issuer, Verifier
from libs.rpc.server import Server
from services.agent import server
from services.agent.clients.active_scheduler import SchedulerClient
from services.agent.clients.schedule import ScheduleClient
from services.agent.domain.run import Limits
from services.agent.graph.desk import Tools
from services.agent.handlers.beginning import Beginning
from services.agent.handlers.driving import Driver
from services.agent.handlers.following import Follower
from services.agent.handlers.locating import Locator
from services.agent.handlers.remembering import Keeper
from services.agent.handlers.selection import Selector
from services.agent.handlers.talking import Talk
from services.agent.llm.endpoint import Endpoint, Profile, Structured
from services.agent.llm.stages import Stages
from services.agent.wire import happening
from services.schedule.server import NAME as SCHEDULE_NAME
from services.schedule.server import RULES as SCHEDULE_RULES
from services.schedule.server import ScheduleServicer
from services.schedule.wire.outlet import EventOutlet
from smartmate.active_scheduler.v1.active_scheduler_service_pb2_grpc import (
    ActiveSchedulerServiceStub,
)
from smartmate.agent.v1 import agent_service_pb2 as pb
from smartmate.agent.v1 import chat_pb2
from smartmate.agent.v1.agent_service_pb2_grpc import (
    AgentServiceStub,
    add_AgentServiceServicer_to_server,
)
from smartmate.schedule.v1 import calendar_pb2, schedule_event_pb2
from smartmate.schedule.v1 import schedule_service_pb2 as schedule_pb2
from smartmate.schedule.v1.schedule_service_pb2_grpc import (
    ScheduleServiceStub,
    add_ScheduleServiceServicer_to_server,
)
from tests.integration.llm_standin import StandIn
from tests.student import morning_zone

NOWHERE = "127.0.0.1:9"
SECONDS = 60.0

_users = itertools.count(uuid.uuid4().int >> 68)


def talk(
    db: Database,
    issuer: Issuer,
    *,
    schedule: str = NOWHERE,
    scheduler: str = NOWHERE,
    model: Endpoint | None = None,
    limits: Limits | None = None,
    lease_seconds: float = 15.0,
    away_seconds: tuple[float, ...] = (0.5,),
    **tools: Any,
) -> Talk:
    """The conversation's use cases, wired as in the service; `driver.run` has to run beside."""
    client = Client(issuer)
    at_hand = Tools(
        schedule=ScheduleClient(client, ScheduleServiceStub(channel(schedule))),
        scheduler=SchedulerClient(client, ActiveSchedulerServiceStub(channel(scheduler))),
        locating=Locator(model, 7.0),
        memory=Keeper(db),
        model=model,
        stages=Stages.read(),
        now=SystemClock().now,
        limits=limits or Limits(),
        **tools,
    )
    driver = Driver(db, at_hand, happening.encoded, is_away, lease_seconds, away_seconds)
    follower = Follower(db, driver, asyncio.Event())
    return Talk(db, Beginning(happening.encoded), driver, follower)


@dataclass(slots=True)
class Town:
    """The services that a student needs, in this process."""

    agent: Any
    schedule: Any
    issuers: Mapping[str, Issuer]
    db: Database
    talk: Talk
    standin: StandIn | None = None

    def student(self) -> "Student":
        """Someone whom nobody has seen before."""
        return Student(self, next(_users))


@asynccontextmanager
async def schedule_served(db: Database, public_keys: Path) -> AsyncIterator[str]:
    """The schedule service on a free port; gives its address."""
    servicer = ScheduleServicer(db, EventOutlet(Outbox()))
    edge = Server(
        rules=SCHEDULE_RULES,
        verifier=Verifier.load(public_keys, SystemClock()),
        listen="127.0.0.1:0",
        names=(SCHEDULE_NAME,),
        add=lambda into: add_ScheduleServiceServicer_to_server(servicer, into),
    )
    await edge.start()
    await edge.ready()
    try:
        yield f"127.0.0.1:{edge.port}"
    finally:
        await edge.stop(1.0)


@asynccontextmanager
async def agent_served(
    db: Database, public_keys: Path, found: Talk, model: Endpoint | None
) -> AsyncIterator[str]:
    """The agent service on a free port, its runs driven; gives its address."""
    servicer = server.Servicer(db, Selector(model, 7.0), Locator(model, 7.0), found)
    edge = Server(
        rules=server.RULES,
        verifier=Verifier.load(public_keys, SystemClock()),
        listen="127.0.0.1:0",
        names=(server.NAME,),
        add=lambda into: add_AgentServiceServicer_to_server(servicer, into),
    )
    stop = asyncio.Event()
    async with asyncio.TaskGroup() as group:
        group.create_task(found.driver.run(stop))
        await edge.start()
        await edge.ready()
        try:
            yield f"127.0.0.1:{edge.port}"
        finally:
            stop.set()
            found.follower.ending.set()
            await edge.stop(1.0)


@asynccontextmanager
async def town(
    agent_db: Database,
    schedule: str,
    public_keys: Path,
    issuers: Mapping[str, Issuer],
    *,
    standin: StandIn | None = None,
    profile: Profile | None = None,
    **settings: Any,
) -> AsyncIterator[Town]:
    """An agent of the test's own beside a schedule service."""
    async with AsyncExitStack() as stack:
        model = None
        if standin is not None:
            told = profile or Profile("m1", "", Structured.JSON_SCHEMA)
            model = Endpoint.open(replace(told, base_url=f"{standin.url}/v1"), "sk-test")
            stack.push_async_callback(model.close)
        found = talk(agent_db, issuers["agent"], schedule=schedule, model=model, **settings)
        address = await stack.enter_async_context(agent_served(agent_db, public_keys, found, model))
        to_agent = await stack.enter_async_context(channel(address))
        to_schedule = await stack.enter_async_context(channel(schedule))
        yield Town(
            AgentServiceStub(to_agent),
            ScheduleServiceStub(to_schedule),
            issuers,
            agent_db,
            found,
            standin,
        )


def kind(event: chat_pb2.ChatEvent) -> str:
    """Which of the nine kinds an event is; a status with its code."""
    name = str(event.WhichOneof("content"))
    return f"status:{event.status.code}" if name == "status" else name


@dataclass(slots=True)
class Heard:
    """What came of something that was said: events up to where the run waits or ends."""

    conversation_id: str
    run_id: str
    events: list[chat_pb2.ChatEvent] = field(default_factory=list)

    @property
    def kinds(self) -> list[str]:
        return [kind(one) for one in self.events]

    @property
    def last(self) -> chat_pb2.ChatEvent:
        return self.events[-1]

    @property
    def outcome(self) -> chat_pb2.Outcome:
        assert self.last.HasField("outcome"), self.kinds
        return self.last.outcome

    @property
    def confirm(self) -> chat_pb2.ConfirmRequest:
        assert self.last.HasField("confirm_request"), self.kinds
        return self.last.confirm_request

    @property
    def question(self) -> chat_pb2.Question:
        assert self.last.HasField("question"), self.kinds
        return self.last.question

    @property
    def spoken(self) -> list[str]:
        return [one.speak.text for one in self.events if one.HasField("speak")]

    def of(self, name: str) -> list[Any]:
        """The contents of all events of a kind."""
        return [getattr(one, name) for one in self.events if one.WhichOneof("content") == name]


@dataclass(slots=True)
class Student:
    """One user."""

    town: Town
    id: int
    semester: calendar_pb2.Semester = field(default_factory=calendar_pb2.Semester)

    @property
    def caller(self) -> Caller:
        token = self.town.issuers["gateway"].user_token(self.id)
        return Caller("gateway", self.id, user_token=token)

    async def ask(self, stub: Any, method: str, request: Any) -> Any:
        """Any call with one answer. Raises RemoteError."""
        client = Client(self.town.issuers["gateway"])
        return await client.call(
            getattr(stub, method), request, on_behalf_of=self.caller, seconds=SECONDS
        )

    # Schedule

    @property
    def today(self) -> date:
        return datetime.now(ZoneInfo(self.semester.time_zone)).date()

    async def begin_semester(self, *, weeks: int = 20) -> calendar_pb2.Semester:
        """A semester in whose third week it is now, early in the morning."""
        now = datetime.now(UTC)
        zone = morning_zone(now)
        today = now.astimezone(ZoneInfo(zone)).date()
        monday = today - timedelta(days=today.weekday(), weeks=2)
        asked = calendar_pb2.Semester(
            first_date=monday.isoformat(), week_count=weeks, time_zone=zone
        )
        request = schedule_pb2.PutSemesterRequest(request_id=uuid.uuid4().hex, semester=asked)
        answer = await self.ask(self.town.schedule, "PutSemester", request)
        self.semester = answer.semester
        return self.semester

    async def add_class(
        self, name: str, count: int, *, days: int = 28, sections: int = 0, **more: Any
    ) -> Any:
        """A class with so many items, from tomorrow on for so many days."""
        first = self.today + timedelta(days=1)
        dates = {
            "start_date": first.isoformat(),
            "end_date": (first + timedelta(days=days - 1)).isoformat(),
        }
        stated = schedule_pb2.TaskClassInput(
            name=name,
            items=[
                schedule_pb2.TaskItemInput(content=f"{name}{number}")
                for number in range(1, count + 1)
            ],
            total_sections=sections,
            **{**dates, **more},
        )
        request = schedule_pb2.PutTaskClassRequest(request_id=uuid.uuid4().hex, task_class=stated)
        return (await self.ask(self.town.schedule, "PutTaskClass", request)).task_class

    async def import_courses(self, *rows: Mapping[str, object]) -> None:
        """Courses by rows of a 正方 timetable."""
        document = json.dumps({"kbList": list(rows)}, ensure_ascii=False).encode()
        request = schedule_pb2.ImportTimetableRequest(
            request_id=uuid.uuid4().hex,
            semester_id=self.semester.semester_id,
            format="TIMETABLE_FORMAT_ZHENGFANG_JSON",
            document=document,
        )
        await self.ask(self.town.schedule, "ImportTimetable", request)

    async def blocks(self) -> list[schedule_event_pb2.ScheduleEvent]:
        """Blocks of work of the whole semester, by time."""
        first = date.fromisoformat(self.semester.first_date)
        last = first + timedelta(days=7 * self.semester.week_count - 1)
        request = schedule_pb2.ListEventsRequest(
            first_date=first.isoformat(), last_date=last.isoformat(), page_size=500
        )
        answer = await self.ask(self.town.schedule, "ListEvents", request)
        task = schedule_event_pb2.SCHEDULE_EVENT_TYPE_TASK
        return [one for one in answer.events if one.type == task]

    # Conversation

    async def says(
        self,
        text: str = "",
        to: str = "",
        *,
        key: str = "",
        until: Callable[[chat_pb2.ChatEvent], bool] | None = None,
        into: Heard | None = None,
        **more: Any,
    ) -> Heard:
        """Says something and hears what comes of it, or leaves where `until` says so; `into` is
        filled, whatever becomes of the stream."""
        request = pb.ChatRequest(
            request_id=key or uuid.uuid4().hex, conversation_id=to, text=text, **more
        )
        return await self._heard(request, until, into)

    async def replies(
        self, heard: Heard, *, accepted: bool = False, words: str = "", key: str = ""
    ) -> Heard:
        """Yes or no to what is asked at the end of what was heard."""
        reply = pb.ConfirmReply(
            run_id=heard.run_id, number=heard.confirm.number, accepted=accepted, words=words
        )
        return await self._heard(
            pb.ChatRequest(
                request_id=key or uuid.uuid4().hex,
                conversation_id=heard.conversation_id,
                confirm_reply=reply,
            )
        )

    async def answers(self, heard: Heard, text: str = "", *, choice: str = "") -> Heard:
        """An answer to the question at the end of what was heard."""
        answer = pb.QuestionAnswer(
            run_id=heard.run_id, number=heard.question.number, text=text, choice_id=choice
        )
        return await self._heard(
            pb.ChatRequest(
                request_id=uuid.uuid4().hex,
                conversation_id=heard.conversation_id,
                answer=answer,
            )
        )

    async def sends(self, request: Any) -> Heard:
        """Any request, as it is."""
        return await self._heard(request)

    async def _heard(
        self,
        request: Any,
        until: Callable[[chat_pb2.ChatEvent], bool] | None = None,
        into: Heard | None = None,
    ) -> Heard:
        client = Client(self.town.issuers["gateway"])
        heard = into or Heard("", "")
        stream = client.stream(
            self.town.agent.Chat, request, on_behalf_of=self.caller, seconds=SECONDS
        )
        async with aclosing(cast("AsyncGenerator[Any, None]", stream)) as answers:
            async for answer in answers:
                if answer.HasField("conversation"):
                    heard.conversation_id = answer.conversation.conversation_id
                    heard.run_id = answer.conversation.run_id
                    continue
                heard.run_id = answer.event.run_id
                heard.events.append(answer.event)
                if until is not None and until(answer.event):
                    break
        return heard

    async def resumes(self, run_id: str, after: int = 0) -> list[chat_pb2.ChatEvent]:
        """The events of a run from behind one of them on."""
        client = Client(self.town.issuers["gateway"])
        request = pb.ResumeRequest(run_id=run_id, after_sequence=after)
        stream = client.stream(
            self.town.agent.Resume, request, on_behalf_of=self.caller, seconds=SECONDS
        )
        return [answer.event async for answer in stream]

    async def run(self, run_id: str) -> Any:
        """Where a run stands."""
        request = pb.GetRunStateRequest(run_id=run_id)
        return (await self.ask(self.town.agent, "GetRunState", request)).run

    async def conversation(self, conversation_id: str) -> Any:
        """A conversation as a page opens it."""
        request = pb.GetConversationRequest(conversation_id=conversation_id)
        return await self.ask(self.town.agent, "GetConversation", request)


def decided(action: str, **more: Any) -> dict[str, object]:
    """A step of the stand-in's script: one decision."""
    found = {"action": action, "reason": more.pop("reason", "按规则"), **more}
    return {"content": json.dumps(found, ensure_ascii=False)}


def calls(tool: str, /, **arguments: Any) -> dict[str, object]:
    """A step of the script: one call of a tool."""
    return decided("continue", tool_call={"name": tool, "arguments": arguments})


def planned(*classes: int, **more: Any) -> dict[str, object]:
    """A step of the script: what to plan, without steps to agree on."""
    return decided("continue", task_classes=list(classes), **more)


def contents(requests: Iterable[Mapping[str, Any]]) -> list[list[str]]:
    """The four messages of each request that the stand-in got."""
    return [[one["content"] for one in asked["request"]["messages"]] for asked in requests]
