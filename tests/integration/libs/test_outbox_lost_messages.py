"""What the broker acknowledged and lost is published again by itself."""

import asyncio
from datetime import UTC, datetime, timedelta

from sqlalchemy import text
from structlog.testing import capture_logs

from libs.db.database import Database
from libs.events.connection import Bus
from libs.outbox import lost
from services.standalone import topology
from services.standalone.suite import Suite
from tests.integration.libs.outbox_rig import STREAM, Rig
from tests.waiting import until, wait_until

PUBLISHED = text("""
    UPDATE outbox SET published_at = clock_timestamp() - make_interval(secs => :ago),
        stream_sequence = :sequence, next_attempt_at = clock_timestamp() + interval '1 hour'
    WHERE published_at IS NULL
""")


async def pretend_published(rig: Rig, sequence: int, *, ago: float = 1.0) -> None:
    """The rows that wait were acknowledged with this sequence."""
    async with rig.db.transaction() as tx:
        await tx.execute(PUBLISHED, sequence=sequence, ago=ago)


async def test_rows_behind_the_end_of_the_stream_are_published_again(
    db: Database, admin_bus: Bus
) -> None:
    rig = await Rig.of(db, admin_bus)
    await rig.add(2)
    await rig.relay().run_once()
    kept = await rig.in_stream()
    await rig.add(3)
    await pretend_published(rig, rig.start + 100)
    assert await rig.relay().run_once() == 3
    assert await rig.each_once()
    assert kept.items() <= (await rig.in_stream()).items()


async def test_what_the_stream_still_has_is_left_alone(db: Database, admin_bus: Bus) -> None:
    rig = await Rig.of(db, admin_bus)
    await rig.add(3)
    await rig.relay().run_once()
    before = await rig.rows()
    assert await rig.relay().run_once() == 0
    assert {id_: row.published_at for id_, row in before.items()} == {
        id_: row.published_at for id_, row in (await rig.rows()).items()
    }


async def test_rows_older_than_the_stream_are_due_again_those_over_a_day_old_are_not(
    db: Database, admin_bus: Bus
) -> None:
    rig = await Rig.of(db, admin_bus)
    await rig.add(2)
    await pretend_published(rig, 1, ago=3600)
    await rig.add(1)
    await pretend_published(rig, 1, ago=25 * 3600)
    await rig.add(1)
    await pretend_published(rig, 1, ago=60)
    created = datetime.now(UTC) - timedelta(minutes=30)
    found = []
    for _ in range(3):
        async with db.transaction() as tx:
            found.append(await lost.requeue(tx, last_sequence=5, created_at=created, limit=1))
    assert found == [1, 1, 0]


async def test_rows_wait_for_a_stream_that_is_not_declared_yet(
    mortal_db: Database, mortal_bus: Bus, mortal_servers: Suite
) -> None:
    rig = await Rig.of(mortal_db, mortal_bus)
    await mortal_bus.jetstream.delete_stream(STREAM)
    await rig.add(3)
    stop = asyncio.Event()
    with capture_logs() as lines:
        running = asyncio.ensure_future(rig.relay().run(stop))
        await wait_until(lambda: len(lines) >= 3)
    assert {line["event"] for line in lines} == {"relay_waits"}
    assert {row.attempts for row in (await rig.rows()).values()} == {0}
    await topology.declare(mortal_servers.nats_admin)
    rig.start = 0
    await until(rig.each_once)
    stop.set()
    await running


async def test_a_stream_made_anew_gets_all_that_the_old_one_had(
    mortal_db: Database, mortal_bus: Bus, mortal_servers: Suite
) -> None:
    rig = await Rig.of(mortal_db, mortal_bus)
    stop = asyncio.Event()
    running = asyncio.ensure_future(rig.relay().run(stop))
    await rig.add(4)
    await until(rig.all_published)
    await mortal_bus.jetstream.delete_stream(STREAM)
    await topology.declare(mortal_servers.nats_admin)
    rig.start = 0
    assert await rig.in_stream() == {}
    reconnects = mortal_bus.reconnects
    await mortal_servers.restart("nats")
    await wait_until(lambda: mortal_bus.reconnects > reconnects)
    await until(rig.each_once)
    stop.set()
    await running
