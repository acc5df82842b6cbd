"""What has outlived its use is deleted, and nothing younger."""

import asyncio

from sqlalchemy import text

from libs.db.database import Database
from libs.outbox.retention import Retention

_ANSWERS = text("""
    INSERT INTO requests (user_id, rpc, request_id, hash, answer, created_at)
    SELECT 1, 'aged', CAST(n AS text), '', '', clock_timestamp() - n * interval '1 day'
    FROM generate_series(1, 12) AS n
""")
_INBOX = text("""
    INSERT INTO inbox (consumer, event_id, received_at)
    SELECT 'aged', gen_random_uuid(), clock_timestamp() - n * interval '1 day'
    FROM generate_series(1, 12) AS n
""")
_LEFT = text("""
    SELECT (SELECT count(*) FROM requests WHERE rpc = 'aged') AS answers,
        (SELECT count(*) FROM inbox WHERE consumer = 'aged') AS inbox
""")


async def test_an_absent_database_is_waited_for() -> None:
    nowhere = Database("postgresql+asyncpg://nobody@127.0.0.1:1/nothing", application="kit")
    stop = asyncio.Event()
    running = asyncio.ensure_future(Retention(nowhere, every_seconds=0.001).run(stop))
    done, _ = await asyncio.wait({running}, timeout=0.1)
    assert not done
    stop.set()
    await running
    await nowhere.close()


async def test_answers_live_seven_days_and_inbox_rows_nine(db: Database) -> None:
    async with db.transaction() as tx:
        await tx.execute(_ANSWERS)
        await tx.execute(_INBOX)

    for _ in range(2):
        await Retention(db, every_seconds=1).run_once()

        async with db.transaction() as tx:
            left = await tx.one(_LEFT)
        assert (left.answers, left.inbox) == (6, 8)
