"""A trigger that another replica took over: who comes late keeps nothing of what it found."""

import asyncio
from collections.abc import AsyncIterator, Awaitable, Callable
from dataclasses import dataclass, field
from typing import Any

import pytest
from sqlalchemy import text

from libs.db.database import Database, is_away
from libs.outbox.outbox import Outbox
from libs.planning.grid import Grid, Target, TargetKind
from services.active_scheduler.domain import errors, selection, showing
from services.active_scheduler.domain.preview import Content
from services.active_scheduler.domain.snapshot import Missed
from services.active_scheduler.domain.trigger import NewTrigger, TriggerSource, TriggerType
from services.active_scheduler.handlers import triggers
from services.active_scheduler.handlers.looking import Looked
from services.active_scheduler.handlers.pipeline import Pipeline
from services.active_scheduler.handlers.triggers import TriggerRules
from services.active_scheduler.wire.announce import Announcer
from services.standalone import databases
from services.standalone.suite import Suite
from tests.integration.active_scheduler.test_active_scheduler_jobs import past
from tests.student import new_user_id

RULES = TriggerRules(dedupe_seconds=1800, grace_seconds=60)
BLOCK = 501
SOURCE = Target(TargetKind.TASK_POOL, 11)


async def nothing() -> None:
    """Nothing happens meanwhile."""


@dataclass(slots=True)
class ScriptedLooking:
    """A look that asks a question about a missed block, and what happens while it lasts."""

    meanwhile: Callable[[], Awaitable[None]] = nothing
    longest_seconds: float = 0.0

    async def look(self, *_: Any, **__: Any) -> Looked:
        await self.meanwhile()
        content = showing.unlocated((), Grid((), ()), past())
        target = Target(TargetKind.SCHEDULE_EVENT, BLOCK)
        return Looked(content, target, missed=Missed(SOURCE, BLOCK), located="located")

    async def select(self, user_id: int, looked: Looked) -> Content:
        return selection.unasked(looked.content, reason=selection.NO_MODEL)


@dataclass(slots=True)
class Rig:
    """One user's feedback, on a database where nobody else works."""

    db: Database
    user_id: int = field(default_factory=new_user_id)

    def pipeline(self, looking: ScriptedLooking, *, lease_seconds: float = 60) -> Pipeline:
        return Pipeline(
            self.db,
            looking,  # type: ignore[arg-type]
            Announcer(Outbox()),
            lease_seconds=lease_seconds,
            preview_life_seconds=3600,
            is_away=is_away,
            max_tries=5,
        )

    async def told(self) -> str:
        """Feedback about the block; gives the trigger's id."""
        wanted = NewTrigger(
            id=triggers.new_id("ast"),
            user_id=self.user_id,
            type=TriggerType.UNFINISHED_FEEDBACK,
            source=TriggerSource.USER_FEEDBACK,
            target=Target(TargetKind.SCHEDULE_EVENT, BLOCK),
            request_id="r",
            feedback_id=triggers.new_id("fb"),
        )
        announce = Announcer(Outbox())
        await self.db.run(lambda tx: triggers.raise_exempt(tx, announce, RULES, wanted))
        return wanted.id

    async def count(self, table: str) -> int:
        async with self.db.transaction() as tx:
            query = text(f"SELECT count(*) FROM {table} WHERE user_id = :user_id")
            return int(await tx.scalar(query, user_id=self.user_id))

    async def state(self, trigger_id: str) -> str:
        async with self.db.transaction() as tx:
            query = text("SELECT state FROM active_schedule_triggers WHERE id = :id")
            return str(await tx.scalar(query, id=trigger_id))


@pytest.fixture
async def rig(shared_servers: Suite) -> AsyncIterator[Rig]:
    address = databases.sqlalchemy_url(shared_servers.dsn("active_scheduler"))
    db = Database(address, application="tests", pool_size=4)
    try:
        yield Rig(db)
    finally:
        await db.close()


async def test_who_lost_the_lease_keeps_neither_preview_nor_miss(rig: Rig) -> None:
    trigger_id = await rig.told()

    async def taken_over() -> None:
        statement = text(
            "UPDATE active_schedule_triggers SET lease = gen_random_uuid() WHERE id = :id"
        )
        async with rig.db.transaction() as tx:
            await tx.execute(statement, id=trigger_id)

    with pytest.raises(errors.Busy):
        await rig.pipeline(ScriptedLooking(taken_over)).take_up(trigger_id)

    assert await rig.state(trigger_id) == "processing"
    assert await rig.count("active_schedule_previews") == 0
    assert await rig.count("missed_blocks") == 0
    assert await rig.count("questions") == 0


async def test_of_two_replicas_one_writes_though_the_other_one_was_first(rig: Rig) -> None:
    """The first one is so slow that its lease lapses, and the second one takes the trigger over."""
    trigger_id = await rig.told()
    other = rig.pipeline(ScriptedLooking())

    async def overtaken() -> None:
        await other.take_up(trigger_id)

    first = rig.pipeline(ScriptedLooking(overtaken), lease_seconds=0)
    with pytest.raises(errors.Busy):
        await first.take_up(trigger_id)

    assert await rig.state(trigger_id) == "preview_generated"
    assert await rig.count("active_schedule_previews") == 1
    assert await rig.count("missed_blocks") == 1


async def test_replicas_that_come_at_once_take_it_up_once(rig: Rig) -> None:
    trigger_id = await rig.told()
    pipelines = [rig.pipeline(ScriptedLooking()) for _ in range(3)]

    answers = await asyncio.gather(
        *(one.take_up(trigger_id) for one in pipelines), return_exceptions=True
    )

    assert all(one is None or isinstance(one, errors.Busy) for one in answers)
    assert await rig.state(trigger_id) == "preview_generated"
    assert await rig.count("active_schedule_previews") == 1
    assert await rig.count("missed_blocks") == 1
