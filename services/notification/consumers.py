"""Events that this service hears: subject → use case."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any

from libs.db.database import Database, Tx, is_away, is_contended, is_unfit
from libs.events.connection import Bus
from libs.events.consumer import Consumer, Hearer, Limits, Parked
from libs.events.envelope import Delivery
from libs.outbox import dead_letters, inbox
from libs.process.runtime import Loop
from services.notification.domain.batch import Window
from services.notification.handlers import counters, requests
from services.notification.handlers.ports import Announce
from services.notification.wire import request as wire
from smartmate.events.v1 import events_pb2

SERVICE = "notification"


@dataclass(frozen=True, slots=True)
class Consumers:
    """The handlers of all events, and the loops that feed them. `wake` tells the sender."""

    db: Database
    announce: Announce
    wake: Callable[[], None]
    window: Window

    def hearers(self) -> tuple[Hearer[Any], ...]:
        """What is done with each kind of event."""
        return (Hearer(events_pb2.NotificationFeishuRequested, self.requested),)

    def loops(self, bus: Bus, limits: Limits) -> Sequence[Loop]:
        """One durable consumer a kind of event."""
        return [
            Consumer(
                bus=bus,
                service=SERVICE,
                kind=hearer.kind,
                handle=hearer.handle,
                park=self.park,
                is_away=is_away,
                is_contended=is_contended,
                is_unfit=is_unfit,
                limits=limits,
            ).run
            for hearer in self.hearers()
        ]

    async def requested(self, delivery: Delivery[events_pb2.NotificationFeishuRequested]) -> None:
        """Only keeps what is asked for: whatever a provider does, the event is consumed."""
        request = wire.request(delivery.message)

        async def work(tx: Tx) -> None:
            if not await inbox.first_time(tx, delivery):
                tx.after_commit(counters.DEDUPLICATED.inc)
            elif await requests.take(tx, self.announce, self.window, request):
                tx.after_commit(self.wake)

        await self.db.run(work)

    async def park(self, parked: Parked) -> None:
        """Keeps the message; there is no record of it yet that could be given up."""
        await self.db.run(lambda tx: dead_letters.store(tx, parked))
