"""What each user may do at the broker: say its own events, hear its own consumers, no more.

spec: quality.md, Identity between services. Streams and consumers are declared by the
administrator, so no service may create, change or delete one. The observer listens from outside
and says nothing.
"""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass

from libs.events.contract import Contract, stream_of

OBSERVER = "observer"
"""The user for programs that are no part of the suite."""

HINTS: Mapping[str, tuple[str, ...]] = {
    "active_scheduler": ("smartmate.schedule.apply.>", "smartmate.preview.changed.v1"),
    "gateway": (
        "smartmate.schedule.preview.generated.v1",
        "smartmate.preview.changed.v1",
        "smartmate.schedule.changed.v1",
    ),
}
"""Plain subscriptions without guarantee (spec: architecture.md, Hints)."""


@dataclass(frozen=True, slots=True)
class Permissions:
    """Subjects a user may publish and subscribe to; everything else is refused."""

    publish: tuple[str, ...]
    subscribe: tuple[str, ...]


def inbox_prefix(service: str) -> str:
    """Return where the answers to a service arrive; no other service may listen there."""
    return f"_INBOX_{service}"


def of(service: str, known: Iterable[Contract]) -> Permissions:
    """Derive the permissions of one service from the events."""
    publish: list[str] = []
    says = False
    subscribe = [f"{inbox_prefix(service)}.>", *HINTS.get(service, ())]
    for event in known:
        if event.said_by == service:
            says = True
            publish.append(event.subject)
        if service in event.heard_by:
            consumer = f"{event.stream}.{event.durable(service)}"
            publish += (
                f"$JS.API.CONSUMER.MSG.NEXT.{consumer}",
                f"$JS.API.CONSUMER.INFO.{consumer}",
                f"$JS.ACK.{consumer}.>",
            )
            subscribe.append(f"$JS.EVENT.ADVISORY.CONSUMER.MAX_DELIVERIES.{consumer}")
    if says:
        # The relay compares its rows with the stream it wrote to (spec: Outbox).
        publish.append(f"$JS.API.STREAM.INFO.{stream_of(service)}")
    return Permissions(publish=tuple(publish), subscribe=tuple(subscribe))


def of_observer() -> Permissions:
    """Return what a listener from outside may do: hear every event as it is told.

    It may publish nothing, not even to JetStream: whoever may create a consumer can have kept
    messages delivered to any subject, and can change the filter of a service's consumer.
    """
    return Permissions(publish=(), subscribe=(f"{inbox_prefix(OBSERVER)}.>", "smartmate.>"))
