"""What has outlived its use is deleted, in portions, while the service serves."""

import asyncio
import uuid

import pytest
from sqlalchemy import text

from libs.db.database import Database, Tx
from libs.outbox.retention import KIT, Retention
from services.standalone.suite import Suite
from tests.waiting import until

FILL = text("""
    INSERT INTO inbox (consumer, event_id, received_at)
    SELECT :consumer, gen_random_uuid(), clock_timestamp() - make_interval(days => :days)
    FROM generate_series(1, :rows)
""")
LEFT = text("SELECT count(*) FROM inbox WHERE consumer = :consumer")


@pytest.fixture
def consumer() -> str:
    """A consumer of whom no other test has rows."""
    return uuid.uuid4().hex


async def fill(db: Database, consumer: str, *, days: int, rows: int) -> None:
    async with db.transaction() as tx:
        await tx.execute(FILL, consumer=consumer, days=days, rows=rows)


async def left(db: Database, consumer: str) -> int:
    async with db.transaction() as tx:
        return int(await tx.scalar(LEFT, consumer=consumer))


async def test_old_inbox_rows_go_however_many_there_are_and_young_ones_stay(
    db: Database, consumer: str
) -> None:
    await fill(db, consumer, days=10, rows=2500)
    await fill(db, consumer, days=8, rows=7)
    stop = asyncio.Event()
    running = asyncio.ensure_future(Retention(db, 3600.0).run(stop))

    async def young_ones_are_left() -> bool:
        return await left(db, consumer) == 7

    await until(young_ones_are_left)
    stop.set()
    await running


async def test_a_service_adds_tables_of_its_own(db: Database) -> None:
    limits: list[int] = []

    async def own(tx: Tx, *, limit: int) -> int:
        limits.append(limit)
        return 5

    assert await Retention(db, 3600.0, (*KIT, own)).run_once() == 5
    assert limits == [1000]


async def test_two_replicas_prune_side_by_side(db: Database, consumer: str) -> None:
    await fill(db, consumer, days=10, rows=3000)
    await asyncio.gather(*(Retention(db, 3600.0).run_once() for _ in range(6)))
    while await left(db, consumer):
        await Retention(db, 3600.0).run_once()


async def test_it_outlives_its_database(
    mortal_db: Database, mortal_servers: Suite, consumer: str
) -> None:
    stop = asyncio.Event()
    running = asyncio.ensure_future(Retention(mortal_db, 0.02).run(stop))
    await mortal_servers.restart("postgres")
    await mortal_db.wait_until_there()
    await fill(mortal_db, consumer, days=10, rows=3)

    async def gone() -> bool:
        return not await left(mortal_db, consumer)

    await until(gone)
    stop.set()
    await running
