"""Jobs and the scanner on a real database; what the schedule service says is told by the test.

No clock can be bent in a running service, so the truth and its instant come from here.
"""

import asyncio
from collections.abc import AsyncIterator, Sequence
from dataclasses import dataclass, field, replace
from datetime import UTC, datetime, time, timedelta
from typing import Any
from zoneinfo import ZoneInfo

import pytest
from sqlalchemy import text

from libs.db.database import Database, is_away
from libs.outbox.outbox import Outbox
from libs.planning.grid import Target, TargetKind
from services.active_scheduler.domain.job import DueTask, TaskState
from services.active_scheduler.domain.quiet import QuietHours
from services.active_scheduler.handlers import jobs, triggers
from services.active_scheduler.handlers.triggers import TriggerRules
from services.active_scheduler.scanner import Scanner
from services.active_scheduler.wire.announce import Announcer
from services.standalone import databases
from services.standalone.suite import Suite
from tests.student import new_user_id

RULES = TriggerRules(dedupe_seconds=1800, grace_seconds=60)
AGO = timedelta(hours=3)


@dataclass
class Truth:
    """What the schedule service would say, by (user, task)."""

    tasks: dict[tuple[int, int], DueTask] = field(default_factory=dict)
    now: datetime = field(default_factory=lambda: datetime.now(UTC))
    asked: int = 0

    async def check_due(
        self, tasks: Sequence[tuple[int, int]]
    ) -> tuple[Sequence[DueTask], datetime]:
        self.asked += len(tasks)
        # Jobs of others may be there: their tasks are gone.
        return [self.tasks.get(one) or _gone(*one) for one in tasks], self.now


def _gone(user_id: int, task_id: int) -> DueTask:
    return DueTask(
        user_id=user_id,
        task_id=task_id,
        exists=False,
        done=False,
        quadrant=0,
        threshold=None,
        version=0,
        scheduled=False,
    )


@dataclass(slots=True)
class Rig:
    """One user's jobs, on a database where nobody else scans."""

    db: Database
    truth: Truth = field(default_factory=Truth)
    user_id: int = field(default_factory=new_user_id)

    def scanner(self, *, batch: int = 50) -> Scanner:
        return Scanner(
            self.db,
            self.truth,  # type: ignore[arg-type]
            Announcer(Outbox()),
            RULES,
            is_away,
            every_seconds=1,
            batch=batch,
            lease_seconds=30,
        )

    async def task(
        self, task_id: int, threshold: datetime | None, *, version: int = 1, done: bool = False
    ) -> None:
        """A task as the schedule service tells it, which is the truth as well."""
        state = TaskState(self.user_id, task_id, version, version, False, done, threshold)
        await self.db.run(lambda tx: jobs.keep(tx, state))
        self.truth.tasks[self.user_id, task_id] = DueTask(
            user_id=self.user_id,
            task_id=task_id,
            exists=True,
            done=done,
            quadrant=1,
            threshold=threshold,
            version=version,
            scheduled=False,
        )

    def say(self, task_id: int, **altered: Any) -> None:
        """The truth about a task has changed; its job was not told."""
        key = self.user_id, task_id
        self.truth.tasks[key] = replace(self.truth.tasks[key], **altered)

    async def rows(self, query: str) -> Sequence[Any]:
        async with self.db.transaction() as tx:
            return await tx.all(text(query), user_id=self.user_id)

    async def job(self, task_id: int = 1) -> Any:
        found = await self.rows(
            "SELECT task_id, state, reason, due_at, trigger_id FROM active_schedule_jobs "
            "WHERE user_id = :user_id"
        )
        return next(row for row in found if row.task_id == task_id)

    async def fired(self) -> list[int]:
        """Tasks of the triggers, by the order of those."""
        found = await self.rows(
            "SELECT target_id FROM active_schedule_triggers WHERE user_id = :user_id "
            "ORDER BY sequence"
        )
        return [row.target_id for row in found]

    async def due_now(self) -> None:
        statement = text(
            "UPDATE active_schedule_jobs SET due_at = clock_timestamp() WHERE user_id = :user_id"
        )
        async with self.db.transaction() as tx:
            await tx.execute(statement, user_id=self.user_id)

    async def told(self, task_id: int = 1) -> list[tuple[str, str]]:
        """The way of a task's job, as operators see it."""
        target = Target(TargetKind.TASK_POOL, task_id)
        async with self.db.snapshot() as tx:
            steps = await triggers.trace_of(tx, self.user_id, target)
        return [(step.name, step.reason) for step in steps]


@pytest.fixture(scope="module")
async def database(shared_servers: Suite) -> AsyncIterator[Database]:
    address = databases.sqlalchemy_url(shared_servers.dsn("active_scheduler"))
    db = Database(address, application="tests", pool_size=8)
    try:
        yield db
    finally:
        await db.close()


@pytest.fixture
def rig(database: Database) -> Rig:
    return Rig(database)


def past() -> datetime:
    return datetime.now(UTC) - AGO


async def test_a_late_scanner_fires_each_job_once(rig: Rig) -> None:
    """The service was down for three hours."""
    await rig.task(1, past())

    for _ in range(3):
        await rig.scanner().run_once()

    job = await rig.job()
    assert (job.state, await rig.fired()) == ("triggered", [1])
    # B056: a worker knows the real clock alone.
    (row,) = await rig.rows(
        "SELECT mock_now FROM active_schedule_triggers WHERE user_id = :user_id"
    )
    assert row.mock_now is None
    assert await rig.told() == [
        ("job.pending", ""),
        ("trigger.pending", "worker_due_job"),
        ("job.triggered", ""),
    ]


async def test_three_scanners_fire_each_job_once(rig: Rig) -> None:
    for task_id in range(1, 61):
        await rig.task(task_id, past())
    stop = asyncio.Event()

    await asyncio.gather(*(rig.scanner(batch=7).catch_up(stop) for _ in range(3)))

    assert sorted(await rig.fired()) == list(range(1, 61))
    assert {(await rig.job(task_id)).state for task_id in (1, 30, 60)} == {"triggered"}
    assert rig.truth.asked == 60


@pytest.mark.parametrize(
    ("altered", "state", "reason"),
    [
        ({"done": True}, "canceled", "task_completed"),
        ({"exists": False}, "canceled", "task_deleted"),
        ({"threshold": None}, "canceled", "no_threshold"),
        ({"quadrant": 3}, "skipped", "not_important"),
        ({"scheduled": True}, "skipped", "already_scheduled"),
    ],
)
async def test_what_changed_between_due_and_scan_ends_the_job_with_its_reason(
    rig: Rig, altered: dict[str, object], state: str, reason: str
) -> None:
    await rig.task(1, past())
    rig.say(1, **altered)

    await rig.scanner().run_once()

    job = await rig.job()
    assert (job.state, job.reason, await rig.fired()) == (state, reason, [])
    assert (await rig.told())[-1] == (f"job.{state}", reason)


async def test_a_threshold_that_moves_back_and_forth_fires_once_by_where_it_is(rig: Rig) -> None:
    later = datetime.now(UTC) + timedelta(days=1)
    await rig.task(1, past())
    # Moved on, and the event about it is still on its way.
    rig.say(1, threshold=later, version=2)
    await rig.scanner().run_once()
    job = await rig.job()
    assert (job.state, job.reason, job.due_at) == ("pending", "threshold_moved", later)

    await rig.task(1, later, version=2)
    await rig.task(1, past(), version=3)
    # An older version that comes late changes nothing.
    await rig.db.run(lambda tx: jobs.keep(tx, TaskState(rig.user_id, 1, 2, 2, False, False, later)))
    await rig.scanner().run_once()

    assert await rig.fired() == [1]
    assert [one for one in await rig.told() if one[0].startswith("job.")] == [
        ("job.pending", ""),
        ("job.pending", "threshold_moved"),
        ("job.pending", ""),
        ("job.pending", ""),
        ("job.triggered", ""),
    ]


async def test_a_task_that_is_changed_while_it_is_judged_is_judged_anew(rig: Rig) -> None:
    later = datetime.now(UTC) + timedelta(days=1)
    await rig.task(1, past())
    scanner = rig.scanner()
    judged = rig.truth.check_due

    async def changed_meanwhile(
        tasks: Sequence[tuple[int, int]],
    ) -> tuple[Sequence[DueTask], datetime]:
        answer = await judged(tasks)
        await rig.task(1, later, version=2)
        return answer

    rig.truth.check_due = changed_meanwhile  # type: ignore[method-assign]
    await scanner.run_once()

    job = await rig.job()
    assert (job.state, job.due_at, await rig.fired()) == ("pending", later, [])


NIGHT = (time(22), time(7))
BERLIN, SHANGHAI = "Europe/Berlin", "Asia/Shanghai"


def at(text: str, zone: str) -> datetime:
    return datetime.fromisoformat(text).replace(tzinfo=ZoneInfo(zone)).astimezone(UTC)


@pytest.mark.parametrize(
    ("zone", "hours", "now", "ends"),
    [
        (SHANGHAI, NIGHT, "2031-03-10T23:30", "2031-03-11T07:00"),
        (SHANGHAI, NIGHT, "2031-03-10T02:30", "2031-03-10T07:00"),
        (SHANGHAI, (time(12), time(14)), "2031-03-10T12:00", "2031-03-10T14:00"),
        # The night in which the clock goes from two to three, and the one in which it goes back.
        (BERLIN, NIGHT, "2031-03-29T23:30", "2031-03-30T07:00"),
        (BERLIN, NIGHT, "2031-10-25T23:30", "2031-10-26T07:00"),
        # An end that the clock skips, and one that comes twice: the second counts.
        (BERLIN, (time(22), time(2, 30)), "2031-03-29T23:30", "2031-03-30T03:30"),
        (BERLIN, (time(22), time(2, 30)), "2031-10-25T23:30", "2031-10-26T02:30+01:00"),
    ],
)
async def test_quiet_hours_hold_a_job_back_until_their_end(
    rig: Rig, zone: str, hours: tuple[time, time], now: str, ends: str
) -> None:
    until = datetime.fromisoformat(ends)
    until = until.astimezone(UTC) if until.tzinfo else at(ends, zone)
    await rig.task(1, past())
    rig.truth.now = at(now, zone)
    rig.say(1, quiet=QuietHours(*hours, zone))

    await rig.scanner().run_once()

    job = await rig.job()
    assert (job.state, job.reason, job.due_at) == ("pending", "quiet_hours", until)
    assert (await rig.told())[-1] == ("job.pending", "quiet_hours")
    rig.truth.now = until
    await rig.due_now()
    await rig.scanner().run_once()
    assert await rig.fired() == [1]


async def test_what_comes_due_in_a_quiet_night_is_looked_at_in_the_morning_and_not_before(
    rig: Rig,
) -> None:
    """B098: four from 23:00 to 02:00, one of them told twice; their links live from the morning."""
    quiet, hours = QuietHours(*NIGHT, SHANGHAI), (23, 24, 25, 26)
    evening, morning = at("2031-03-10T00:00", SHANGHAI), at("2031-03-11T07:00", SHANGHAI)
    for task_id, hour in enumerate(hours, start=1):
        rig.truth.now = evening + timedelta(hours=hour)
        await rig.task(task_id, past())
        rig.say(task_id, quiet=quiet)
        await rig.scanner().run_once()
    await rig.task(4, past(), version=2)
    rig.say(4, quiet=quiet)
    await rig.scanner().run_once()

    assert await rig.fired() == []
    found = [await rig.job(task_id) for task_id in range(1, 5)]
    assert {(job.state, job.reason, job.due_at) for job in found} == {
        ("pending", "quiet_hours", morning)
    }
    rig.truth.now = morning
    await rig.due_now()
    await rig.scanner().run_once()
    assert sorted(await rig.fired()) == [1, 2, 3, 4]


async def test_a_deadline_that_comes_before_the_quiet_hours_end_fires_at_once(rig: Rig) -> None:
    await rig.task(1, past())
    rig.truth.now = at("2031-03-10T23:30", SHANGHAI)
    deadline = at("2031-03-11T06:30", SHANGHAI)
    rig.say(1, quiet=QuietHours(*NIGHT, SHANGHAI), deadline=deadline)

    await rig.scanner().run_once()

    assert await rig.fired() == [1]


async def test_a_job_that_meets_a_window_waits_for_its_end_and_fires_then(rig: Rig) -> None:
    await rig.task(1, past())
    await rig.scanner().run_once()
    await rig.task(1, past(), version=2)

    await rig.scanner().run_once()

    (row,) = await rig.rows("SELECT until FROM trigger_dedupe WHERE user_id = :user_id")
    job = await rig.job()
    assert (job.state, job.reason, job.due_at) == ("pending", "deduplicated", row.until)
    await rig.rows(
        "UPDATE trigger_dedupe SET until = clock_timestamp() WHERE user_id = :user_id "
        "RETURNING until"
    )
    await rig.due_now()
    await rig.scanner().run_once()
    assert await rig.fired() == [1, 1]
    job = await rig.job()
    async with rig.db.snapshot() as tx:
        _, steps = await triggers.trace(tx, job.trigger_id)
    assert [(step.name, step.reason) for step in steps if step.name.startswith("job.")] == [
        ("job.pending", ""),
        ("job.pending", "deduplicated"),
        ("job.triggered", ""),
    ]
