"""The parts of a notification service in the test's own loop, on real servers.

PostgreSQL, NATS, the Feishu stand-in and the gRPC calls are real; active_scheduler is a gRPC
server that answers GetPreview from a script, to whom the contract allows.
"""

import asyncio
import base64
import itertools
import json
import os
import uuid
from collections.abc import AsyncIterator, Mapping, Sequence
from contextlib import AsyncExitStack, asynccontextmanager
from dataclasses import dataclass, field
from datetime import UTC, datetime, timedelta
from functools import partial
from typing import Any

import asyncpg
import grpc
import httpx2

from libs.clock import SystemClock
from libs.db.database import Database, is_away
from libs.events import connection, consumer, envelope
from libs.events.connection import Bus
from libs.events.contract import contract
from libs.outbox.outbox import Outbox
from libs.process.runtime import Loop
from libs.rpc.client import Client, channel
from libs.rpc.identity import Access, Issuer, Verifier
from libs.rpc.server import Rules as ServerRules
from libs.rpc.server import Server, user_id
from services.notification.channels.console import Console
from services.notification.channels.feishu_bot import Deadlines, FeishuBot
from services.notification.channels.outlets import Outlets
from services.notification.channels.sealing import Sealer
from services.notification.clients.active_scheduler import ActiveSchedulerClient
from services.notification.consumers import SERVICE, Consumers
from services.notification.domain.backoff import Pace
from services.notification.domain.batch import Window
from services.notification.domain.channel import Channel, ChannelType, Wanted
from services.notification.domain.message import Language
from services.notification.handlers import channels
from services.notification.handlers.attempt import Rules, Settling
from services.notification.handlers.courier import Courier
from services.notification.sender import Sender
from services.notification.store.rates import Limits
from services.notification.wire.announce import Announcer
from services.standalone.suite import Suite
from smartmate.active_scheduler.v1 import active_scheduler_service_pb2 as scheduler_pb
from smartmate.active_scheduler.v1 import preview_pb2, trigger_pb2
from smartmate.active_scheduler.v1.active_scheduler_service_pb2_grpc import (
    ActiveSchedulerServiceServicer,
    ActiveSchedulerServiceStub,
    add_ActiveSchedulerServiceServicer_to_server,
)
from smartmate.events.v1 import events_pb2
from smartmate.schedule.v1 import calendar_pb2, change_pb2
from smartmate.text.v1.localized_text_pb2 import LocalizedText
from tests.integration.feishu_standin import StandIn

BASE_URL = "https://smartmate.example"
PATIENCE = 45
"""Seconds; longer than the broker's with a consumer that is gone (`ack_wait`)."""
TITLE = "概率论大作业"
SUMMARY = LocalizedText(
    zh_cn=f"「{TITLE}」放到明天上午 3–4 节，可以吗？", en_us=f"Put “{TITLE}” tomorrow, 3–4?"
)
_users = itertools.count(1000)

TABLES = (
    "notification_channels, notification_records, notification_batches, webhook_rates, requests, "
    "outbox, inbox, dead_letters"
)


class NoSuchPreview(Exception):
    """The same as active_scheduler's own."""

    reason = "preview_not_found"


class Broken(Exception):
    """What nobody anticipated."""


@dataclass
class ScriptedScheduler(ActiveSchedulerServiceServicer):
    """GetPreview as the contract has it; `previews` maps an id to its user and the preview."""

    previews: dict[str, tuple[int, preview_pb2.Preview]] = field(default_factory=dict)
    asked: list[str] = field(default_factory=list)
    fails: bool = False
    hangs: bool = False

    async def GetPreview(
        self,
        request: scheduler_pb.GetPreviewRequest,
        context: grpc.aio.ServicerContext[Any, Any],
    ) -> scheduler_pb.GetPreviewResponse:
        self.asked.append(request.preview_id)
        if self.hangs:
            await asyncio.Event().wait()
        if self.fails:
            raise Broken
        owner, preview = self.previews.get(request.preview_id, (None, None))
        if preview is None or owner != user_id():
            raise NoSuchPreview
        answer = scheduler_pb.GetPreviewResponse(preview=preview)
        answer.now_time.FromDatetime(datetime.now(UTC))
        return answer

    def put(
        self,
        user: int,
        preview_id: str,
        *,
        state: preview_pb2.PreviewState = preview_pb2.PREVIEW_STATE_READY,
        life: timedelta = timedelta(hours=1),
        summary: LocalizedText = SUMMARY,
        is_answered: bool = False,
    ) -> preview_pb2.Preview:
        """A preview with one added block; `is_answered`: one that asked, and was answered."""
        preview = a_preview(preview_id, state=state, life=life, summary=summary)
        if is_answered:
            preview.question.answer_time.GetCurrentTime()
        self.previews[preview_id] = (user, preview)
        return preview


def a_preview(
    preview_id: str,
    *,
    state: preview_pb2.PreviewState = preview_pb2.PREVIEW_STATE_READY,
    life: timedelta = timedelta(hours=1),
    summary: LocalizedText = SUMMARY,
) -> preview_pb2.Preview:
    """A ready suggestion: one task into Tuesday's sections 3 and 4."""
    target = change_pb2.Target(kind=change_pb2.TARGET_KIND_TASK_POOL, id=5)
    to = calendar_pb2.Place(semester_id=1, week=2, day_of_week=2, first_section=3, last_section=4)
    change = change_pb2.ScheduleChange(
        change_id="c1", type=change_pb2.CHANGE_TYPE_ADD, target=target, to=to
    )
    preview = preview_pb2.Preview(
        preview_id=preview_id,
        trigger_id="ast_1",
        target=target,
        target_title=TITLE,
        state=state,
        action=preview_pb2.DECISION_ACTION_SELECT_CANDIDATE,
        candidates=[preview_pb2.Candidate(candidate_id="k1", changes=[change])],
        selected_candidate_id="k1",
        summary=summary,
        semesters=[a_semester()],
    )
    preview.expire_time.FromDatetime(datetime.now(UTC) + life)
    return preview


def a_semester() -> calendar_pb2.Semester:
    """Twelve sections of 45 minutes."""
    starts = (480, 535, 615, 670, 840, 895, 975, 1030, 1140, 1195, 1250, 1305)
    return calendar_pb2.Semester(
        semester_id=1,
        first_date="2026-03-02",
        week_count=18,
        time_zone="Asia/Shanghai",
        version=1,
        clock=calendar_pb2.SectionClock(
            sections=[
                calendar_pb2.SectionTime(start_minute_of_day=start, end_minute_of_day=start + 45)
                for start in starts
            ],
            lunch_after_section=4,
            dinner_after_section=8,
        ),
    )


@asynccontextmanager
async def scheduler(suite: Suite, *, port: int = 0) -> AsyncIterator[tuple[ScriptedScheduler, str]]:
    """A running scripted active_scheduler and its address."""
    # The contract's other methods stay unimplemented: nobody may call them.
    servicer = ScriptedScheduler()  # type: ignore[abstract]
    rules = ServerRules(
        domain="smartmate.active_scheduler",
        access={"GetPreview": Access(delegates=frozenset({"notification"}))},
        statuses={NoSuchPreview: grpc.StatusCode.NOT_FOUND},
        is_away=is_away,
    )
    server = Server(
        rules,
        Verifier.load(suite.public_keys, SystemClock()),
        f"127.0.0.1:{port}",
        [],
        partial(add_ActiveSchedulerServiceServicer_to_server, servicer),
    )
    await server.start()
    try:
        yield servicer, f"127.0.0.1:{server.port}"
    finally:
        await server.stop(0)


def a_request(
    user: int,
    preview_id: str,
    *,
    life: timedelta = timedelta(hours=1),
    path: str | None = None,
) -> events_pb2.NotificationFeishuRequested:
    """What active_scheduler says when a preview is ready."""
    event = events_pb2.NotificationFeishuRequested(
        notification_id=preview_id,
        user_id=user,
        trigger_id="ast_1",
        preview_id=preview_id,
        trigger_type=trigger_pb2.TRIGGER_TYPE_IMPORTANT_URGENT_TASK,
        target_kind=change_pb2.TARGET_KIND_TASK_POOL,
        path=f"/active-schedule/previews/{preview_id}" if path is None else path,
    )
    event.valid_until_time.FromDatetime(datetime.now(UTC) + life)
    return event


def headers_of(
    event: events_pb2.NotificationFeishuRequested, event_id: uuid.UUID
) -> dict[str, str]:
    """Headers of one delivery: its Msg-Id is new, so that the broker does not drop it."""
    headers = envelope.headers_for(
        event, event_id=event_id, user_id=event.user_id, at=datetime.now(UTC)
    )
    return headers | {envelope.MSG_ID: str(uuid.uuid4())}


async def say(
    bus: Bus, event: events_pb2.NotificationFeishuRequested, *, event_id: uuid.UUID | None = None
) -> uuid.UUID:
    """Publishes an event as active_scheduler does."""
    event_id = event_id or envelope.uuid7()
    await bus.jetstream.publish(
        contract(event).subject,
        event.SerializeToString(),
        headers=headers_of(event, event_id),
    )
    return event_id


def a_user() -> int:
    """A user that no other test knows."""
    return next(_users)


@dataclass
class Rows:
    """What the database holds."""

    connection: asyncpg.Connection

    async def records(self, user: int) -> Sequence[Mapping[str, Any]]:
        """All records of a user, oldest first."""
        return [
            dict(row)
            for row in await self.connection.fetch(
                "SELECT * FROM notification_records WHERE user_id = $1 ORDER BY id", user
            )
        ]

    async def record(self, user: int) -> Mapping[str, Any]:
        """The only record of a user."""
        (row,) = await self.records(user)
        return row

    async def states(self, user: int) -> list[tuple[str, str]]:
        """States and reasons of a user's records."""
        return [(row["state"], row["reason"]) for row in await self.records(user)]

    async def until(self, user: int, *states: str, within: float = PATIENCE) -> None:
        """Returns once the states of a user's records are these."""
        async with asyncio.timeout(within):
            while True:
                if [state for state, _ in await self.states(user)] == list(states):
                    return
                await asyncio.sleep(0.01)

    async def settled(self, user: int) -> list[events_pb2.NotificationSettled]:
        """The events about a user's records, oldest first."""
        rows = await self.connection.fetch(
            "SELECT payload FROM outbox WHERE user_id = $1 ORDER BY id", user
        )
        return [events_pb2.NotificationSettled.FromString(row["payload"]) for row in rows]

    async def everything(self) -> str:
        """Every row of every table, as text."""
        names = await self.connection.fetch(
            "SELECT tablename FROM pg_tables WHERE schemaname = 'public'"
        )
        found = []
        for name in sorted(row["tablename"] for row in names):
            rows = await self.connection.fetch(f"SELECT t::text AS line FROM {name} AS t")
            found += [f"{name}: {row['line']}" for row in rows]
            if name == "requests":
                answers = await self.connection.fetch("SELECT answer FROM requests")
                found += [bytes(row["answer"]).decode(errors="replace") for row in answers]
        return "\n".join(found)


async def connected_rows(suite: Suite) -> Rows:
    """The database of a running suite; the caller closes the connection."""
    return Rows(await asyncpg.connect(suite.dsn("notification")))


ALONE = Window(timedelta(0))
"""Every message goes out by itself."""

FAST = Rules(
    lease_seconds=5,
    min_life=timedelta(seconds=120),
    pace=Pace(timedelta(milliseconds=50), timedelta(milliseconds=200)),
    rate=Limits(1000, 1000),
    rate_patience_seconds=0.5,
    window=ALONE,
)


@dataclass
class Rig:
    """One service's parts; `sender()` makes replicas of its sender."""

    db: Database
    bus: Bus
    sayer: Bus
    rows: Rows
    standin: StandIn
    scheduler: ScriptedScheduler
    previews: ActiveSchedulerClient
    web: httpx2.AsyncClient
    sealer: Sealer
    announce: Announcer
    printed: list[str] = field(default_factory=list)
    window: Window = ALONE

    def sender(
        self,
        rules: Rules = FAST,
        *,
        answer_within: timedelta = timedelta(seconds=10),
        db: Database | None = None,
    ) -> Sender:
        """A sender that is not running yet."""
        work = asyncio.Event()
        deadlines = Deadlines(answer_within / 4, answer_within)
        hosts = frozenset({self.standin.address})
        clock = SystemClock()
        bot = FeishuBot(self.web, clock.now, deadlines=deadlines, extra_hosts=hosts)
        courier = Courier(
            db or self.db,
            self.previews,
            Outlets(bot, Console(self.printed.append)),
            self.sealer,
            Settling(self.announce, rules, work.set),
            BASE_URL,
        )
        return Sender(
            db or self.db,
            courier,
            lease_seconds=rules.lease_seconds,
            poll_seconds=0.05,
            concurrency=8,
            work=work,
        )

    def consumers(self, sender: Sender) -> Consumers:
        """What hears the events and wakes that sender."""
        return Consumers(self.db, self.announce, sender.wake, self.window)

    def loops(self, sender: Sender) -> Sequence[Loop]:
        """The loops that feed them."""
        return self.consumers(sender).loops(self.bus, consumer.Limits())

    @asynccontextmanager
    async def running(self, *senders: Sender) -> AsyncIterator[None]:
        """Consumer and senders run for as long as the block lasts."""
        stop = asyncio.Event()
        async with asyncio.TaskGroup() as group:
            for sender in senders:
                group.create_task(sender.run(stop))
            for loop in self.loops(senders[0]):
                group.create_task(kept_up(loop, stop))
            try:
                yield
            finally:
                stop.set()
        await self.forgotten()

    async def forgotten(self) -> None:
        """Returns once the broker knows that what has stopped listens no more."""
        await self.bus.client.flush()

    async def bot(
        self,
        user: int,
        token: str,
        *,
        secret: str | None = "s3cr3t",
        position: int = 0,
        language: Language = Language.ZH_CN,
        keyword: str = "",
    ) -> Channel:
        """A bot's channel of a user."""
        return await self._channel(
            user,
            Wanted(
                ChannelType.FEISHU_BOT,
                "群",
                position,
                language,
                keyword,
                self.standin.hook(token),
                secret,
            ),
        )

    async def console(self, user: int, *, position: int = 0) -> Channel:
        """A console channel of a user."""
        return await self._channel(
            user,
            Wanted(ChannelType.CONSOLE, "屏幕", position, Language.ZH_CN, "", None, None),
        )

    async def ready(self, user: int, **about: Any) -> str:
        """A ready preview of a user; gives its id."""
        preview_id = f"asp_{uuid.uuid4().hex[:24]}"
        self.scheduler.put(user, preview_id, **about)
        return preview_id

    async def ask(self, user: int, preview_id: str, **about: Any) -> None:
        """Asks for the message of a preview."""
        await say(self.sayer, a_request(user, preview_id, **about))

    async def _channel(self, user: int, wanted: Wanted) -> Channel:
        return await self.db.run(lambda tx: channels.put(tx, self.sealer, user, 0, wanted))


@asynccontextmanager
async def rig(suite: Suite, standin: StandIn) -> AsyncIterator[Rig]:
    """All parts on an empty database."""
    async with AsyncExitStack() as stack:
        scripted, address = await stack.enter_async_context(scheduler(suite))
        rows = await asyncpg.connect(suite.dsn("notification"))
        stack.push_async_callback(rows.close)
        await rows.execute(f"TRUNCATE {TABLES}")
        db = Database(suite.database_url("notification"), application=SERVICE)
        stack.push_async_callback(db.close)
        bus = await connection.connect(suite.nats_url(SERVICE), service=SERVICE)
        stack.push_async_callback(bus.close)
        sayer = await connection.connect(
            suite.nats_url("active_scheduler"), service="active_scheduler"
        )
        stack.push_async_callback(sayer.close)
        to_scheduler = channel(address)
        stack.push_async_callback(to_scheduler.close)
        web = await stack.enter_async_context(httpx2.AsyncClient(trust_env=False))
        issuer = Issuer.load(suite.private_key(SERVICE), SystemClock())
        yield Rig(
            db=db,
            bus=bus,
            sayer=sayer,
            rows=Rows(rows),
            standin=standin,
            scheduler=scripted,
            previews=ActiveSchedulerClient(
                Client(issuer), ActiveSchedulerServiceStub(to_scheduler), 1.0
            ),
            web=web,
            sealer=Sealer.from_base64(base64.b64encode(os.urandom(32)).decode()),
            announce=Announcer(Outbox()),
        )


async def kept_up(loop: Loop, stop: asyncio.Event) -> None:
    """A background loop as a task."""
    await loop(stop)


def summary_of(row: Mapping[str, Any], column: str) -> dict[str, Any]:
    """A jsonb column of a row."""
    found: dict[str, Any] = json.loads(row[column])
    return found
