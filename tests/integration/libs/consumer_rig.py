"""A durable consumer of its own for each test, and what its handler sees and does."""

import asyncio
import itertools
import uuid
from collections.abc import AsyncIterator, Awaitable, Callable
from contextlib import asynccontextmanager
from dataclasses import dataclass, field
from datetime import UTC, datetime
from typing import Any

from nats.js import api
from sqlalchemy import Row, text

from libs.db.database import Database, Tx, is_away, is_contended, is_unfit
from libs.events import envelope
from libs.events.connection import Bus
from libs.events.consumer import Consumer, Limits, Parked
from libs.events.contract import contract
from libs.events.envelope import Delivery
from libs.outbox import dead_letters, inbox
from smartmate.events.v1 import events_pb2
from tests.waiting import until

KIND = events_pb2.TaskChanged
WHAT = contract(KIND)
QUICK = Limits(
    workers=1,
    expiry_seconds=2.0,
    max_faults=3,
    away_first_seconds=0.02,
    away_most_seconds=0.1,
    in_progress_seconds=0.1,
)

Heard = Delivery[events_pb2.TaskChanged]

_EFFECT = text("INSERT INTO effects (user_id, name) VALUES (:user_id, :name)")
_EFFECTS = text("SELECT name FROM effects ORDER BY id")
_LETTERS = text("SELECT * FROM dead_letters ORDER BY id")

numbers = itertools.count(1)
tasks = itertools.count(1)


@dataclass(slots=True)
class Rig:
    """One durable consumer named after nobody else."""

    db: Database
    bus: Bus
    service: str
    deliveries: list[Heard] = field(default_factory=list)
    """All that the handler was given."""
    parked: list[Parked] = field(default_factory=list)
    before: Callable[[Heard], Awaitable[None]] | None = None
    """Runs before the effect, in the handler."""
    after: Callable[[Heard], Awaitable[None]] | None = None
    """Runs after the commit, in the handler."""
    said: int = 0
    """Sequence of the last event in the stream that was said here."""

    @property
    def durable(self) -> str:
        return WHAT.durable(self.service)

    async def declare(self, *, ack_wait: float = 30.0) -> None:
        """Makes the consumer at the broker; it hears what is said from now on."""
        await self.bus.jetstream.add_consumer(
            WHAT.stream,
            api.ConsumerConfig(
                durable_name=self.durable,
                filter_subject=WHAT.subject,
                ack_policy=api.AckPolicy.EXPLICIT,
                deliver_policy=api.DeliverPolicy.NEW,
                ack_wait=ack_wait,
                max_deliver=1000,
                max_ack_pending=64,
            ),
        )

    async def remove(self) -> None:
        """Takes it from the broker."""
        await self.bus.jetstream.delete_consumer(WHAT.stream, self.durable)

    def consumer(self, limits: Limits = QUICK) -> Consumer[events_pb2.TaskChanged]:
        return Consumer(
            bus=self.bus,
            service=self.service,
            kind=KIND,
            handle=self.handle,
            park=self.park,
            is_away=is_away,
            is_contended=is_contended,
            is_unfit=is_unfit,
            limits=limits,
        )

    async def handle(self, delivery: Heard) -> None:
        """One effect, in one transaction with the inbox row."""
        self.deliveries.append(delivery)
        if self.before:
            await self.before(delivery)

        async def work(tx: Tx) -> None:
            if await inbox.first_time(tx, delivery):
                name = str(delivery.message.task_id)
                await tx.execute(_EFFECT, user_id=delivery.user_id, name=name)

        await self.db.run(work)
        if self.after:
            await self.after(delivery)

    async def park(self, parked: Parked) -> None:
        async with self.db.transaction() as tx:
            await dead_letters.store(tx, parked)
        self.parked.append(parked)

    @asynccontextmanager
    async def running(self, limits: Limits = QUICK) -> AsyncIterator[asyncio.Event]:
        """The consumer as a process runs it, stopped at the end; gives the event that stops it."""
        stop = asyncio.Event()
        task = asyncio.ensure_future(self.consumer(limits).run(stop))
        try:
            yield stop
        finally:
            stop.set()
            async with asyncio.timeout(20):
                await task

    async def say(
        self,
        *,
        event_id: uuid.UUID | None = None,
        message_id: str | None = None,
        data: bytes | None = None,
        headers: dict[str, str] | None = None,
    ) -> int:
        """Publishes an event and gives the task that it is about."""
        task_id = next(tasks)
        said = events_pb2.TaskChanged(user_id=7, task_id=task_id, version=1)
        own = envelope.headers_for(
            said, event_id=event_id or uuid.uuid4(), user_id=7, at=datetime.now(UTC)
        )
        if message_id:
            own["Nats-Msg-Id"] = message_id
        kept = await self.bus.jetstream.publish(
            WHAT.subject,
            said.SerializeToString() if data is None else data,
            headers=own if headers is None else headers,
        )
        self.said = max(self.said, kept.seq)
        return task_id

    async def effects(self) -> list[int]:
        """The tasks that had an effect, in the order of the effects."""
        async with self.db.transaction() as tx:
            return [int(row.name) for row in await tx.all(_EFFECTS)]

    async def letters(self) -> list[Row[Any]]:
        async with self.db.transaction() as tx:
            return list(await tx.all(_LETTERS))

    async def is_settled(self) -> bool:
        """Whether the broker is there, waits for no answer and has nothing more to deliver."""
        if not self.bus.connected:
            return False
        info = await self.bus.jetstream.consumer_info(WHAT.stream, self.durable)
        # The broker acknowledges an event before it counts it as pending for its consumers.
        reached = info.delivered is not None and info.delivered.stream_seq >= self.said
        return reached and (info.num_pending, info.num_ack_pending) == (0, 0)

    async def settled(self) -> None:
        await until(self.is_settled, what="an answer to every delivery")

    def times(self, task_id: int) -> int:
        """How often a task was handed to the handler."""
        return sum(one.message.task_id == task_id for one in self.deliveries)


@asynccontextmanager
async def made(db: Database, bus: Bus, *, ack_wait: float = 30.0) -> AsyncIterator[Rig]:
    """A rig on empty tables, with its consumer declared."""
    async with db.transaction() as tx:
        for table in ("inbox", "effects", "dead_letters"):
            await tx.execute(text(f"DELETE FROM {table}"))
    rig = Rig(db, bus, f"kit{next(numbers)}_{uuid.uuid4().hex[:8]}")
    await rig.declare(ack_wait=ack_wait)
    try:
        yield rig
    finally:
        await rig.remove()
