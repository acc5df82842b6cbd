"""Events that the schedule service hears: requests to apply confirmed changes."""

from dataclasses import dataclass

from libs.db.database import Database, Tx, is_away, is_contended, is_unfit
from libs.db.user_lock import run_in_turn
from libs.events.connection import Bus
from libs.events.consumer import Consumer, Hearer, Limits, Parked
from libs.events.envelope import Delivery
from libs.outbox import dead_letters, inbox
from services.schedule.handlers import applies
from services.schedule.handlers.outlet import Outlet
from services.schedule.wire import events
from smartmate.events.v1 import events_pb2

SERVICE = "schedule"


@dataclass(frozen=True, slots=True)
class ApplyRequests:
    """Runs each request through the same function as the ApplyChanges call."""

    db: Database
    outlet: Outlet

    async def handle(self, delivery: Delivery[events_pb2.ScheduleApplyRequested]) -> None:
        """Inbox row, verdict and effect share one transaction."""
        ask = events.read_ask(delivery)
        await applies.apply_event(
            self.db, ask, self.outlet, lambda tx: inbox.first_time(tx, delivery)
        )

    async def park(self, parked: Parked) -> None:
        """Keeps the message, and ends the apply that it was about."""
        unjudged = events.read_unjudged(parked)

        async def keep(tx: Tx) -> None:
            await dead_letters.store(tx, parked)

        if unjudged is None:
            await self.db.run(keep)
            return

        async def end(tx: Tx) -> None:
            await applies.refuse_unread(
                tx,
                unjudged.user_id,
                unjudged.apply_id,
                unjudged.code,
                self.outlet,
                hash_=unjudged.hash,
                detail=unjudged.detail,
            )
            await keep(tx)

        await run_in_turn(self.db, unjudged.user_id, end)


def hearer(db: Database, outlet: Outlet) -> Hearer[events_pb2.ScheduleApplyRequested]:
    """What is done with `schedule.apply.requested`, the one event that is heard."""
    return Hearer(events_pb2.ScheduleApplyRequested, ApplyRequests(db, outlet).handle)


def apply_requests(
    bus: Bus, db: Database, outlet: Outlet, *, limits: Limits
) -> Consumer[events_pb2.ScheduleApplyRequested]:
    """The durable consumer of `schedule.apply.requested`."""
    requests = ApplyRequests(db, outlet)
    return Consumer(
        bus=bus,
        service=SERVICE,
        kind=events_pb2.ScheduleApplyRequested,
        handle=requests.handle,
        park=requests.park,
        is_away=is_away,
        is_contended=is_contended,
        is_unfit=is_unfit,
        limits=limits,
    )
