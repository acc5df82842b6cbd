"""What a student waits for with 100,000 users and a million tasks; beside 1,000 users.

Two schedule services, each in its process on a PostgreSQL of its own, filled alike. One call at a
time, of users whom no round has asked for before: their rows lie scattered over the tables.
"""

import asyncio
import statistics
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from functools import partial
from urllib.parse import urlsplit

from google.protobuf.message import Message

from bench import parts, timing
from bench.clients import Line, line_to
from bench.figures import Figure, Goal
from services.standalone.suite import Suite
from smartmate.schedule.v1 import change_pb2
from smartmate.schedule.v1 import schedule_service_pb2 as pb

MANY, FEW = 100_000, 1_000
TASKS_PER_USER = 10
ROUNDS, CALLS = 5, 60
SERVICE = "schedule"

# It is week 6; two weeks have a block on each day, so that it is no matter where a week ends.
# Sections are looked at by writers alone, and are left out.
_USERS = (
    "INSERT INTO users (id) SELECT generate_series(1, $USERS)",
    """
    INSERT INTO semesters (user_id, id, first_day, weeks, time_zone, section_starts, section_ends,
        lunch_after, dinner_after, version)
    SELECT u, u, date_trunc('week', now())::date - 35, 20, 'Asia/Shanghai',
        ARRAY(SELECT 480 + 60 * s FROM generate_series(0, 11) AS s),
        ARRAY(SELECT 525 + 60 * s FROM generate_series(0, 11) AS s), 4, 9, 1
    FROM generate_series(1, $USERS) AS u
    """,
    "INSERT INTO user_settings SELECT u, NULL, NULL, 'UTC', 1, 1 FROM generate_series(1, $USERS) u",
)
_TASKS = (
    """
    INSERT INTO tasks (user_id, id, title, quadrant, deadline_at, estimated_sections, status,
        version, placement_version, urgency_version)
    SELECT u, (u - 1) * $TASKS + t, '概率论大作业', 1 + t % 4, now() + t * interval '12 hours', 2,
        'open', 1, 1, 1
    FROM generate_series(1, $USERS) AS u, generate_series(1, $TASKS) AS t
    """,
)
_BLOCKS = (
    """
    INSERT INTO schedule_events (user_id, id, semester_id, week, day_of_week, first_section,
        last_section, start_time, end_time, type, rel_id, name, location, version,
        placement_version)
    SELECT u, (u - 1) * 14 + d, u, 6 + (d - 1) / 7, (d - 1) % 7 + 1, 1, 2,
        on_date + interval '8 hours', on_date + interval '9 hours 45 minutes', 'course', 1,
        '高等数学', '教一楼 101', 1, 1
    FROM generate_series(1, $USERS) AS u, generate_series(1, 14) AS d,
        LATERAL (SELECT (date_trunc('week', now())::date + d - 1)::timestamp
            AT TIME ZONE 'Asia/Shanghai' AS on_date) AS day
    """,
)


@dataclass(slots=True)
class Asking:
    """Calls of users out of so many, each of them once, at even distances."""

    line: Line
    users: int
    _next: Iterator[int] = field(init=False)

    def __post_init__(self) -> None:
        step = self.users // FEW
        self._next = iter(range(step, self.users + 1, step))

    async def median(self, name: str, request: Callable[[int], Message]) -> float:
        """Milliseconds of a call in the middle of some; each user was seen before."""
        asked = [next(self._next) for _ in range(CALLS)]
        signed = {user: self.line.signed_in(user) for user in asked}
        for user in asked:
            await self.line.call(
                self.line.schedule.GetUserSettings, pb.GetUserSettingsRequest(), signed[user]
            )
        left = iter(asked)

        async def call() -> None:
            user = next(left)
            await self.line.call(getattr(self.line.schedule, name), request(user), signed[user])

        return statistics.median(await timing.seconds_each(call, CALLS)) * 1000


def _week(_user: int) -> Message:
    return pb.GetWeekRequest()


def _facts(user: int) -> Message:
    task = (user - 1) * TASKS_PER_USER + 1 + user % TASKS_PER_USER
    kind = change_pb2.TARGET_KIND_TASK_POOL
    return pb.GetSchedulingFactsRequest(target=change_pb2.Target(kind=kind, id=task))


def _tasks(_user: int) -> Message:
    return pb.ListTasksRequest()


_CALLS: dict[str, Callable[[int], Message]] = {
    "GetWeek": _week,
    "GetSchedulingFacts": _facts,
    "ListTasks": _tasks,
}
_NAMES = {
    "GetWeek": "scale_week",
    "GetSchedulingFacts": "scale_facts",
    "ListTasks": "scale_tasks",
}


async def run() -> list[Figure]:
    """A figure for each call."""
    async with (
        parts.suite_of((SERVICE,)) as large,
        parts.suite_of((SERVICE,)) as small,
        line_to(large) as to_large,
        line_to(small) as to_small,
    ):
        await seed(large, MANY)
        await seed(small, FEW)
        many, few = Asking(to_large, MANY), Asking(to_small, FEW)
        sides = [
            partial(side.median, name, request)
            for name, request in _CALLS.items()
            for side in (many, few)
        ]
        found = await timing.by_turns(*sides, rounds=ROUNDS)
    return [
        Figure(_NAMES[name], found[2 * place], found[2 * place + 1], "ms", Goal("≤", 1.2))
        for place, name in enumerate(_CALLS)
    ]


async def seed(suite: Suite, users: int) -> None:
    """Fills the tables side by side; foreign keys hold by themselves and are not looked up."""
    dsn = urlsplit(suite.postgres_admin)._replace(path=f"/{SERVICE}").geturl()

    async def fill(statements: tuple[str, ...]) -> None:
        async with parts.connected(dsn) as connection:
            await connection.execute("SET session_replication_role = replica")
            for statement in statements:
                for name, number in (("$USERS", users), ("$TASKS", TASKS_PER_USER)):
                    statement = statement.replace(name, str(number))
                await connection.execute(statement)

    await asyncio.gather(*(fill(some) for some in (_USERS, _TASKS, _BLOCKS)))
    async with parts.connected(dsn) as connection:
        await connection.execute("VACUUM ANALYZE")
