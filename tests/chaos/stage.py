"""The suite that is broken, with a log of what is done to it."""

import asyncio
import time
from collections import defaultdict
from collections.abc import AsyncIterator, Callable, Mapping
from contextlib import asynccontextmanager
from dataclasses import dataclass, field
from pathlib import Path

from services.standalone import settings, topology
from services.standalone.suite import Suite
from tests.shortened import ACK_WAIT_SECONDS, SHORTENED
from tests.world import World, reached

REPLICAS: Mapping[str, int] = {
    "schedule": 2,
    "agent": 2,
    "active_scheduler": 2,
    "notification": 2,
}
"""Students go by calls, as the pages do: the gateway is not asked."""
SERVERS = ("postgres", "nats")
BATCH_SECONDS = "2"


def overrides() -> dict[str, dict[str, str]]:
    """The shortened durations; messages to one person wait for each other only a moment."""
    told = {service: dict(settings) for service, settings in SHORTENED.items()}
    told["notification"]["SMARTMATE_BATCH_WINDOW_SECONDS"] = BATCH_SECONDS
    return told


@dataclass(slots=True)
class Stage:
    """A running suite; `say` is told each thing that is done, with the seconds since the start."""

    world: World
    say: Callable[[str], None]
    began: float = field(default_factory=time.monotonic)
    done: dict[str, int] = field(default_factory=lambda: defaultdict(int))
    """How often each kind of fault was brought about."""
    _locks: dict[str, asyncio.Lock] = field(default_factory=lambda: defaultdict(asyncio.Lock))

    @property
    def suite(self) -> Suite:
        return self.world.suite

    def note(self, what: str) -> None:
        """Writes down what is done now."""
        self.say(f"{time.monotonic() - self.began:7.2f}s  {what}")

    @asynccontextmanager
    async def alone_with(self, name: str) -> AsyncIterator[None]:
        """Nobody else breaks or mends this process meanwhile."""
        async with self._locks[name]:
            yield


@asynccontextmanager
async def built(root: Path, say: Callable[[str], None]) -> AsyncIterator[Stage]:
    """The suite with two replicas of every service, in an empty directory."""
    suite = Suite(
        root,
        services=REPLICAS,
        replicas=REPLICAS,
        feishu_standin=True,
        llm_standin=True,
        overrides=overrides(),
        configuration=settings.read({"SMARTMATE_HOME": str(root)}),
    )
    async with suite:
        await topology.declare(suite.nats_admin, limits=topology.Limits(ack_wait=ACK_WAIT_SECONDS))
        async with reached(suite) as world:
            yield Stage(world, say)
