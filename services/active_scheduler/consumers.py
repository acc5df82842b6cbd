"""Events that this service hears: subject → use case."""

from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Any, TypeVar

from google.protobuf.message import DecodeError, Message

from libs.db.database import Database, Tx, is_contended, is_unfit
from libs.events.connection import Bus
from libs.events.consumer import Consumer, Hearer, Limits, Parked
from libs.events.envelope import Delivery
from libs.outbox import dead_letters, inbox
from libs.process.runtime import Loop
from services.active_scheduler.clients.schedule import is_away
from services.active_scheduler.domain.preview import NotificationStatus
from services.active_scheduler.handlers import jobs, previews
from services.active_scheduler.handlers.pipeline import Pipeline
from services.active_scheduler.handlers.ports import Announce
from services.active_scheduler.wire import facts as wire
from services.active_scheduler.wire import values
from smartmate.events.v1 import events_pb2
from smartmate.notification.v1 import record_pb2

M = TypeVar("M", bound=Message)

SERVICE = "active_scheduler"

_NOTIFICATIONS = {
    record_pb2.RECORD_STATE_SENT: NotificationStatus.SENT,
    record_pb2.RECORD_STATE_DEAD: NotificationStatus.DEAD,
    record_pb2.RECORD_STATE_SKIPPED: NotificationStatus.SKIPPED,
    record_pb2.RECORD_STATE_UNKNOWN: NotificationStatus.UNKNOWN,
}


@dataclass(slots=True)
class Consumers:
    """The handlers of all events, and the loops that feed them."""

    db: Database
    announce: Announce
    pipeline: Pipeline
    trigger_workers: int = 1
    """Most of a look is waiting for others: many are under way at once."""

    def hearers(self) -> tuple[Hearer[Any], ...]:
        """What is done with each kind of event."""
        return (
            Hearer(events_pb2.TaskChanged, self.task_changed),
            Hearer(events_pb2.ActiveScheduleTriggered, self.triggered),
            Hearer(events_pb2.ScheduleApplySucceeded, self.apply_succeeded),
            Hearer(events_pb2.ScheduleApplyFailed, self.apply_failed),
            Hearer(events_pb2.NotificationSettled, self.notification_settled),
        )

    def loops(self, bus: Bus, limits: Limits) -> Sequence[Loop]:
        """One durable consumer a kind of event."""
        looks = replace(limits, workers=self.trigger_workers)
        return [
            self._consumer(
                bus, looks if hearer.kind is events_pb2.ActiveScheduleTriggered else limits, hearer
            ).run
            for hearer in self.hearers()
        ]

    async def task_changed(self, delivery: Delivery[events_pb2.TaskChanged]) -> None:
        task = wire.task_state(delivery.message)

        async def work(tx: Tx) -> None:
            if await inbox.first_time(tx, delivery):
                await jobs.keep(tx, task)

        await self.db.run(work)

    async def triggered(self, delivery: Delivery[events_pb2.ActiveScheduleTriggered]) -> None:
        await self.pipeline.take_up(
            delivery.message.trigger_id, lambda tx: inbox.first_time(tx, delivery)
        )

    async def apply_succeeded(self, delivery: Delivery[events_pb2.ScheduleApplySucceeded]) -> None:
        message = delivery.message

        async def work(tx: Tx) -> None:
            if not await inbox.first_time(tx, delivery):
                return
            await previews.record_verdict(tx, self.announce, wire.succeeded(message))
            if message.undoes_apply_id:
                await previews.record_undone(
                    tx,
                    self.announce,
                    user_id=message.user_id,
                    apply_id=message.undoes_apply_id,
                    at=values.instant(message.judge_time),
                )

        await self.db.run(work)

    async def apply_failed(self, delivery: Delivery[events_pb2.ScheduleApplyFailed]) -> None:
        verdict = wire.failed(delivery.message)

        async def work(tx: Tx) -> None:
            if await inbox.first_time(tx, delivery):
                await previews.record_verdict(tx, self.announce, verdict)

        await self.db.run(work)

    async def notification_settled(
        self, delivery: Delivery[events_pb2.NotificationSettled]
    ) -> None:
        message = delivery.message
        status = _NOTIFICATIONS.get(message.state)

        async def work(tx: Tx) -> None:
            # A state of a newer peer that is not known here changes nothing.
            if await inbox.first_time(tx, delivery) and status and message.preview_id:
                await previews.record_notified(
                    tx, user_id=message.user_id, preview_id=message.preview_id, status=status
                )

        await self.db.run(work)

    async def park(self, parked: Parked) -> None:
        """Keeps the message, and ends the trigger that it was about, in one transaction."""

        async def work(tx: Tx) -> None:
            await dead_letters.store(tx, parked)
            if parked.subject == "smartmate.active_schedule.triggered.v1":
                await jobs.give_up(tx, _trigger_id(parked), reason="parked")

        await self.db.run(work)

    def _consumer(self, bus: Bus, limits: Limits, hearer: Hearer[M]) -> Consumer[M]:
        return Consumer(
            bus=bus,
            service=SERVICE,
            kind=hearer.kind,
            handle=hearer.handle,
            park=self.park,
            is_away=is_away,
            is_contended=is_contended,
            is_unfit=is_unfit,
            limits=limits,
        )


def _trigger_id(parked: Parked) -> str:
    """The trigger that a parked message names, or an empty string."""
    try:
        return events_pb2.ActiveScheduleTriggered.FromString(parked.data).trigger_id
    except DecodeError:
        return ""
