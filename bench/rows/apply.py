"""ApplyChanges by gRPC, 32 in flight, distinct users; beside an echo and a bare transaction.

What is served is the schedule service alone in its process. The bound of both floors is the rate
of a machine that does one after the other: 1 / (1 / transactions + 1 / echoes).
"""

import asyncio
import itertools
from collections.abc import Awaitable, Callable
from dataclasses import dataclass, field

import grpc

from bench import parts, timing
from bench.clients import Line, line_to
from bench.figures import Figure, Goal
from bench.floors.echo import PAYLOAD
from bench.floors.transaction import Applies
from services.standalone.suite import Suite
from smartmate.schedule.v1 import apply_pb2, calendar_pb2, change_pb2
from smartmate.schedule.v1 import schedule_service_pb2 as pb

IN_FLIGHT = 32
USERS = 1_000
TASKS_PER_USER = 30
SECONDS = 2.5
ROUNDS = 5

# A semester that began a while ago, so that the weeks after the next lie ahead whatever the day.
# Each of the days that are written to has a course in its first sections.
_FIRST_WEEK, _WEEKS, _PAIRS = 8, 2, 5
_SEED = (
    "INSERT INTO users (id) SELECT generate_series(1, $USERS)",
    """
    INSERT INTO semesters (user_id, id, first_day, weeks, time_zone, section_starts, section_ends,
        lunch_after, dinner_after, version)
    SELECT u, u, date_trunc('week', now())::date - 35, 20, 'Asia/Shanghai',
        ARRAY(SELECT 480 + 60 * s FROM generate_series(0, 11) AS s),
        ARRAY(SELECT 525 + 60 * s FROM generate_series(0, 11) AS s), 4, 9, 1
    FROM generate_series(1, $USERS) AS u
    """,
    """
    INSERT INTO tasks (user_id, id, title, quadrant, deadline_at, estimated_sections, status,
        version, placement_version, urgency_version)
    SELECT u, (u - 1) * $TASKS + t, '概率论大作业', 1, now() + interval '60 days', 2, 'open',
        1, 1, 1
    FROM generate_series(1, $USERS) AS u, generate_series(1, $TASKS) AS t
    """,
    """
    INSERT INTO schedule_events (user_id, id, semester_id, week, day_of_week, first_section,
        last_section, start_time, end_time, type, rel_id, name, version, placement_version)
    SELECT u, (u - 1) * 14 + d, u, $WEEK + (d - 1) / 7, (d - 1) % 7 + 1, 1, 2,
        now() + d * interval '1 day', now() + d * interval '1 day' + interval '105 minutes',
        'course', 1, '高等数学', 1, 1
    FROM generate_series(1, $USERS) AS u, generate_series(1, 14) AS d
    """,
    """
    INSERT INTO schedules (user_id, semester_id, week, day_of_week, section, event_id)
    SELECT user_id, semester_id, week, day_of_week, s, id
    FROM schedule_events, generate_series(1, 2) AS s
    """,
    "SELECT setval('schedule_events_id_seq', 1000000)",
)


@dataclass(slots=True)
class Callers:
    """Every apply puts another task of the next user into a free place."""

    line: Line
    _numbers: "itertools.count[int]" = field(default_factory=itertools.count)
    _metadata: list[list[tuple[str, str]]] = field(default_factory=list)

    async def sign_in(self) -> None:
        """Has every user look at the semester before anything is measured."""
        self._metadata = [self.line.signed_in(user) for user in range(1, USERS + 1)]
        left = iter(self._metadata)

        async def look() -> None:
            for metadata in left:
                await self.line.call(
                    self.line.schedule.GetSemester, pb.GetSemesterRequest(), metadata
                )

        await asyncio.gather(*(look() for _ in range(IN_FLIGHT)))

    async def apply(self, _worker: int) -> None:
        """One call; anything but success is a defect of the bench."""
        number = next(self._numbers)
        user, turn = number % USERS, number // USERS
        if turn >= TASKS_PER_USER:
            raise RuntimeError("more applies than there are tasks")
        answer = await self.line.call(
            self.line.schedule.ApplyChanges, _request(user + 1, turn), self._metadata[user]
        )
        if answer.verdict.state != apply_pb2.APPLY_STATE_APPLIED:
            raise RuntimeError(f"refused: {answer.verdict}")


def _request(user: int, turn: int) -> pb.ApplyChangesRequest:
    day, pair = divmod(turn, _PAIRS)
    first = 3 + 2 * pair
    return pb.ApplyChangesRequest(
        apply_id=f"bench-{user}-{turn}",
        changes=[
            change_pb2.ScheduleChange(
                change_id="c1",
                type=change_pb2.CHANGE_TYPE_ADD,
                target=change_pb2.Target(
                    kind=change_pb2.TARGET_KIND_TASK_POOL,
                    id=(user - 1) * TASKS_PER_USER + turn + 1,
                ),
                to=calendar_pb2.Place(
                    semester_id=user,
                    week=_FIRST_WEEK + day // 7,
                    day_of_week=day % 7 + 1,
                    first_section=first,
                    last_section=first + 1,
                ),
            )
        ],
    )


async def seed(suite: Suite) -> None:
    """Users, semesters, tasks and courses, by SQL."""
    numbers = {"$USERS": USERS, "$TASKS": TASKS_PER_USER, "$WEEK": _FIRST_WEEK}
    async with parts.connected(suite.dsn("schedule")) as connection:
        for statement in _SEED:
            for name, number in numbers.items():
                statement = statement.replace(name, str(number))
            await connection.execute(statement)
        await connection.execute("ANALYZE")


async def run() -> list[Figure]:
    """One figure."""
    async with parts.suite_of(("schedule",)) as suite, line_to(suite) as line, parts.echo() as echo:
        await seed(suite)
        callers, floor = Callers(line), Applies()
        await callers.sign_in()
        await floor.open(await parts.floor_database(suite), IN_FLIGHT)
        try:
            product, echoes, transactions = await timing.by_turns(
                lambda: _rate(callers.apply),
                lambda: _rate(lambda _worker: _echo(echo)),
                lambda: _rate(floor.apply),
                rounds=ROUNDS,
            )
        finally:
            await floor.close()
    bound = 1 / (1 / transactions + 1 / echoes)
    return [Figure("apply", product, bound, "/s", Goal("≥", 0.6))]


async def _rate(call: Callable[[int], Awaitable[object]]) -> float:
    return await timing.per_second(call, in_flight=IN_FLIGHT, seconds=SECONDS)


async def _echo(call: grpc.aio.UnaryUnaryMultiCallable[bytes, bytes]) -> bytes:
    return await call(PAYLOAD)
