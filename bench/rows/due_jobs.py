"""10,000 due jobs out of a million to triggers; beside pgqueuer with jobs that do nothing.

The scanner runs as in the service when there is much to do: it claims, asks the real schedule
service for the truth, writes trigger, history and event. A second database, with the due jobs and
nothing else, tells what the other 990,000 cost.
"""

import asyncio
import time
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from pathlib import Path
from urllib.parse import urlsplit

import asyncpg

from bench import parts, timing
from bench.figures import Figure, Goal
from libs.clock import SystemClock
from libs.db.database import Database
from libs.outbox.outbox import Outbox
from libs.rpc.client import Client, channel
from libs.rpc.identity import Issuer
from services.active_scheduler.clients.schedule import ScheduleClient, is_away
from services.active_scheduler.handlers.triggers import TriggerRules
from services.active_scheduler.scanner import Scanner
from services.active_scheduler.settings import Settings
from services.active_scheduler.wire.announce import Announcer
from services.standalone import databases
from services.standalone.suite import Suite
from smartmate.schedule.v1.schedule_service_pb2_grpc import ScheduleServiceStub

JOBS, DUE = 1_000_000, 10_000
ROUNDS = 3
SERVICE = "active_scheduler"
SMALL = "active_scheduler_small"
_ROOT = Path(__file__).resolve().parents[2]
PEER = _ROOT / ".venv" / "peers" / "bin" / "python"
PEER_BATCH = 100

_TASKS = """
    INSERT INTO tasks (user_id, id, title, quadrant, deadline_at, urgency_threshold_at,
        estimated_sections, status, version, placement_version, urgency_version)
    SELECT g, g, '概率论大作业', 1, now() + interval '2 days', now() - interval '2 hours', 2,
        'open', 1, 1, 1
    FROM generate_series($1::bigint, $2::bigint, $1::bigint) AS g
"""
# Every hundredth is due; the others lie ahead, or have had their trigger.
_JOBS = """
    INSERT INTO active_schedule_jobs (user_id, task_id, task_version, urgency_version, state,
        trigger_at, due_at)
    SELECT g, g, 1, 1, CASE WHEN g % 2 = 0 AND g % 100 <> 0 THEN 'triggered' ELSE 'pending' END,
        now(), now() + interval '1 day' + g * interval '1 ms'
    FROM generate_series($1::bigint, $2::bigint, $1::bigint) AS g
"""
_ARM = """
    UPDATE active_schedule_jobs SET state = 'pending', lease = NULL, attempts = 0,
        due_at = now() - interval '1 hour' + task_id * interval '1 ms'
    WHERE task_id % 100 = 0
"""
_EMPTY = """
    TRUNCATE active_schedule_triggers, trigger_dedupe, active_schedule_job_history, outbox CASCADE
"""
_WRITTEN = "SELECT (SELECT count(*) FROM active_schedule_triggers), (SELECT count(*) FROM outbox)"


async def run() -> list[Figure]:
    """Two figures: beside the peer, and the million beside the ten thousand."""
    every = JOBS // DUE
    async with parts.suite_of(("schedule",)) as suite:
        large, small = suite.dsn(SERVICE), await _copy_of_the_schema(suite)
        async with parts.connected(suite.dsn("schedule")) as schedule:
            await schedule.execute(_TASKS, every, JOBS)
            await schedule.execute("VACUUM ANALYZE tasks")
        for dsn, step in ((large, 1), (small, every)):
            async with parts.connected(dsn) as connection:
                await connection.execute(_JOBS, step, JOBS)
                await connection.execute("VACUUM ANALYZE active_schedule_jobs")
        async with _scanner(suite, large) as of_many, _scanner(suite, small) as of_few:
            many, few, peer = await timing.by_turns(
                lambda: _scanned(large, of_many),
                lambda: _scanned(small, of_few),
                lambda: _peer(large),
                rounds=ROUNDS,
            )
    return [
        Figure("due_jobs", many, peer, "jobs/s", Goal("≥", 1.0)),
        Figure("due_jobs_growth", DUE / many * 1000, DUE / few * 1000, "ms", Goal("≤", 1.2)),
    ]


async def _copy_of_the_schema(suite: Suite) -> str:
    """A second database like that of the service, still empty; its address."""
    async with parts.connected(suite.postgres_admin) as connection:
        await connection.execute(f"CREATE DATABASE {SMALL} TEMPLATE {SERVICE} OWNER {SERVICE}")
    return urlsplit(suite.dsn(SERVICE))._replace(path=f"/{SMALL}").geturl()


@asynccontextmanager
async def _scanner(suite: Suite, dsn: str) -> AsyncIterator[Scanner]:
    """The scanner of the service, with its settings' defaults."""
    db = Database(databases.sqlalchemy_url(dsn), application="bench", pool_size=4)
    to_schedule = channel(suite.target("schedule"))
    client = Client(Issuer.load(suite.private_key(SERVICE), SystemClock()))
    default = {name: field.default for name, field in Settings.model_fields.items()}
    try:
        yield Scanner(
            db,
            ScheduleClient(client, ScheduleServiceStub(to_schedule)),
            Announcer(Outbox()),
            TriggerRules(default["dedupe_seconds"], default["trigger_lease_seconds"]),
            is_away,
            every_seconds=default["scan_seconds"],
            batch=default["scan_batch"],
            lease_seconds=default["job_lease_seconds"],
        )
    finally:
        await to_schedule.close()
        await db.close()


async def _scanned(dsn: str, scanner: Scanner) -> float:
    """Jobs a second until none is due."""
    async with parts.connected(dsn) as connection:
        await _arm(connection)
        began = time.perf_counter()
        while await scanner.catch_up(asyncio.Event()):
            continue
        seconds = time.perf_counter() - began
        written = tuple(await connection.fetchrow(_WRITTEN))
    if written != (DUE, DUE):
        raise RuntimeError(f"triggers and events written: {written}")
    return DUE / seconds


async def _arm(connection: asyncpg.Connection) -> None:
    await connection.execute(_EMPTY)
    await connection.execute(_ARM)
    for table in ("active_schedule_jobs", "active_schedule_triggers", "trigger_dedupe"):
        await connection.execute(f"VACUUM ANALYZE {table}")


async def _peer(dsn: str) -> float:
    process = await asyncio.create_subprocess_exec(
        *(str(PEER), "-P", str(_ROOT / "bench" / "floors" / "peer.py")),
        *(dsn, str(DUE), str(PEER_BATCH)),
        stdin=asyncio.subprocess.DEVNULL,
        stdout=asyncio.subprocess.PIPE,
    )
    said, _ = await process.communicate()
    if process.returncode != 0:
        raise RuntimeError("the peer failed")
    return float(said)
