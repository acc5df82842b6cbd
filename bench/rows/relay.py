"""10,000 rows of the outbox to JetStream; beside a minimal relay with pipelined publishing.

Both publish the same events with the same headers to the same stream, out of tables alike, with
the rights of the schedule service.
"""

import time
from collections.abc import AsyncIterator, Awaitable, Callable
from contextlib import asynccontextmanager

import asyncpg
import nats
from nats.js import JetStreamContext

from bench import parts, timing
from bench.figures import Figure, Goal
from bench.floors import relay as floor
from libs.db.database import Database
from libs.events import connection
from libs.outbox.outbox import Outbox
from libs.outbox.relay import Relay
from services.standalone.suite import Suite
from smartmate.events.v1 import events_pb2
from smartmate.schedule.v1 import task_pb2

ROWS = 10_000
ROUNDS = 5
SERVICE = "schedule"
STREAM = "SCHEDULE"

_SAMPLES = 100
_QUADRANT = task_pb2.QUADRANT_URGENT_IMPORTANT
_TABLES = (
    f"CREATE TABLE {floor.TABLE} (LIKE outbox INCLUDING ALL)",
    "CREATE TABLE samples AS SELECT subject, user_id, payload, headers FROM outbox",
)
# The broker knows an id that it has seen: every row is an event of its own.
_FILL = """
    INSERT INTO $TABLE (id, subject, user_id, payload, headers)
    SELECT id, subject, user_id, payload,
        headers || jsonb_build_object('Nats-Msg-Id', id, 'ce-id', id)
    FROM samples, generate_series(1, $1::int), LATERAL (SELECT gen_random_uuid() AS id
        WHERE samples.user_id IS NOT NULL AND generate_series IS NOT NULL) AS new
"""


async def run() -> list[Figure]:
    """One figure."""
    async with parts.suite_of(()) as suite, parts.connected(suite.dsn(SERVICE)) as database:
        db = Database(suite.database_url(SERVICE), application="bench", pool_size=2)
        bus = await connection.connect(suite.nats_url(SERVICE), service=SERVICE)
        relay = Relay(db, bus)
        bare = floor.Relay(await asyncpg.connect(suite.dsn(SERVICE)), bus.client)
        await bare.open()
        await _samples(db)
        for statement in _TABLES:
            await database.execute(statement)
        try:
            async with _stream(suite) as stream:

                def drained(table: str, once: Callable[[], Awaitable[int]]) -> timing.Side:
                    return lambda: _drained(database, stream, table, once)

                product, least = await timing.by_turns(
                    drained("outbox", lambda: relay.run_once(relay.limits.batches)),
                    drained(floor.TABLE, bare.run_once),
                    rounds=ROUNDS,
                )
        finally:
            await bare.database.close()
            await bus.close()
            await db.close()
    return [Figure("relay", product, least, "rows/s", Goal("≥", 0.7))]


async def _samples(db: Database) -> None:
    """Events as the schedule service writes them."""
    messages = [
        events_pb2.TaskChanged(user_id=user, task_id=user, version=user, quadrant=_QUADRANT)
        for user in range(1, _SAMPLES + 1)
    ]
    for message in messages:
        message.deadline_time.GetCurrentTime()
    async with db.transaction() as tx:
        await Outbox().add(tx, *messages)


@asynccontextmanager
async def _stream(suite: Suite) -> AsyncIterator[JetStreamContext]:
    client = await nats.connect(suite.nats_admin)
    try:
        yield client.jetstream()
    finally:
        await client.close()


async def _drained(
    database: asyncpg.Connection,
    stream: JetStreamContext,
    table: str,
    once: Callable[[], Awaitable[int]],
) -> float:
    """Rows a second of one side, from a full table to an empty stream that is full."""
    await database.execute(f"TRUNCATE {table}")
    await database.execute(_FILL.replace("$TABLE", table), ROWS // _SAMPLES)
    await database.execute(f"VACUUM ANALYZE {table}")
    await stream.purge_stream(STREAM)
    began = time.perf_counter()
    moved = 0
    while some := await once():
        moved += some
    seconds = time.perf_counter() - began
    held = (await stream.stream_info(STREAM)).state.messages
    if (moved, held) != (ROWS, ROWS):
        raise RuntimeError(f"{moved} rows moved, {held} messages in the stream")
    return ROWS / seconds
