"""pgqueuer drains jobs that do nothing: .venv/peers/bin/python bench/floors/peer.py DSN JOBS BATCH

Runs in an environment of its own and prints the jobs a second, from the first look to the last
job; filling the queue and shutting down are not counted.
"""

import asyncio
import sys
import time
from datetime import timedelta

import asyncpg
from pgqueuer import PgQueuer
from pgqueuer.db import AsyncpgDriver
from pgqueuer.models import Job
from pgqueuer.queries import Queries
from pgqueuer.types import QueueExecutionMode

NAME = "nothing"


async def drain(dsn: str, jobs: int, batch: int) -> float:
    """Jobs a second."""
    connection = await asyncpg.connect(dsn)
    try:
        driver = AsyncpgDriver(connection)
        queries = Queries(driver)
        if not await queries.schema_is_installed():
            await queries.install()
        await connection.execute("TRUNCATE pgqueuer, pgqueuer_log")
        await queries.enqueue([NAME] * jobs, [None] * jobs, [0] * jobs)
        done, ended_at = 0, 0.0
        worker = PgQueuer(driver)

        @worker.entrypoint(NAME)  # type: ignore[untyped-decorator]
        async def nothing(_job: Job) -> None:
            nonlocal done, ended_at
            done += 1
            ended_at = time.perf_counter()

        began_at = time.perf_counter()
        await worker.qm.run(
            batch_size=batch,
            mode=QueueExecutionMode.drain,
            dequeue_timeout=timedelta(seconds=1),
        )
        if done != jobs:
            raise RuntimeError(f"{done} of {jobs} jobs were done")
        return jobs / (ended_at - began_at)
    finally:
        await connection.close()


if __name__ == "__main__":
    rate = asyncio.run(drain(sys.argv[1], int(sys.argv[2]), int(sys.argv[3])))
    sys.stdout.write(f"{rate}\n")
