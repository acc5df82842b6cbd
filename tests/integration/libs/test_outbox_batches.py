"""Many events at once: written by one statement, carried batch after batch."""

from collections import Counter

import pytest
from sqlalchemy import text
from sqlalchemy.exc import DBAPIError

from libs.db.database import Database, Tx, sqlstate
from libs.events.connection import Bus
from libs.outbox.outbox import Outbox
from tests.integration.libs.outbox_rig import Rig, changed

WRITES = text("SELECT count(DISTINCT created_at), count(DISTINCT xmin::text) FROM outbox")
STAMP = text("ALTER TABLE outbox ALTER created_at SET DEFAULT statement_timestamp()")
CLOCK = text("ALTER TABLE outbox ALTER created_at SET DEFAULT clock_timestamp()")
REFUSED = text("INSERT INTO counters (id, value) VALUES (1, 0), (1, 0)")


@pytest.fixture
async def rig(db: Database, admin_bus: Bus) -> Rig:
    return await Rig.of(db, admin_bus)


async def test_all_events_of_a_transaction_are_written_by_one_statement(rig: Rig) -> None:
    async with rig.db.transaction() as tx:
        await tx.execute(STAMP)
    try:
        async with rig.db.transaction() as tx:
            await Outbox().add(tx, changed())
            await tx.execute(text("SELECT 1"))
            await Outbox().add(tx, changed(), changed())
        async with rig.db.transaction() as tx:
            assert tuple(await tx.one(WRITES)) == (1, 1)
        assert len(await rig.rows()) == 3
    finally:
        async with rig.db.transaction() as tx:
            await tx.execute(CLOCK)


async def test_what_is_done_before_the_commit_can_still_fail_it(rig: Rig) -> None:
    async def work(tx: Tx) -> None:
        await Outbox().add(tx, changed())

        async def last() -> None:
            await tx.execute(REFUSED)

        tx.before_commit(last)

    with pytest.raises(DBAPIError) as failed:
        await rig.db.run(work)
    assert sqlstate(failed.value) == "23505"
    assert await rig.rows() == {}


async def test_an_error_that_is_kept_from_its_transaction_does_not_commit_the_rest(
    rig: Rig,
) -> None:
    async def work(tx: Tx) -> None:
        await tx.execute(text("INSERT INTO counters (id, value) VALUES (77, 0)"))
        with pytest.raises(DBAPIError):
            await tx.execute(REFUSED)

    with pytest.raises(AssertionError, match="kept from the transaction"):
        await rig.db.run(work)
    async with rig.db.transaction() as tx:
        assert await tx.first(text("SELECT 1 FROM counters WHERE id = 77")) is None


@pytest.mark.parametrize("rows", [0, 1, 4, 5, 12, 13])
async def test_batches_follow_one_another_while_they_are_full(rig: Rig, rows: int) -> None:
    if rows:
        await rig.add(rows)
    relay = rig.relay(batch=4)

    taken = await relay.run_once(3)

    assert taken == min(rows, 12)
    published = Counter(row.published_at is not None for row in (await rig.rows()).values())
    assert published == Counter({True: taken, False: rows - taken})
    assert sum((await rig.in_stream()).values()) == taken


async def test_one_that_cannot_be_sent_keeps_none_of_its_batch_back(rig: Rig) -> None:
    await rig.add(2)
    unsent = await rig.add_raw(headers={"bad header": "x"})
    await rig.add(2)

    assert await rig.relay(batch=2).run_once(8) == 5

    rows = await rig.rows()
    assert {id_ for id_, row in rows.items() if row.published_at is None} == {unsent}
    assert sum((await rig.in_stream()).values()) == 4
