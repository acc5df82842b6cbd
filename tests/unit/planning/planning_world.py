"""The world that the planning tests share, and short ways to say what is in it.

Asia/Shanghai, 20 weeks from Monday 2026-09-07; now is week 13, day 1, 09:00. Course K1 has
sections 1-2 of day 1 in weeks 1-16, the embeddable course K2 sections 7-8 of day 3 in weeks 9-16.
"""

from collections.abc import Iterable
from datetime import UTC, date, datetime, time

from hypothesis import settings

from libs.planning.calendar import (
    DEFAULT_CLOCK,
    Override,
    SectionClock,
    SectionTime,
    Semester,
)
from libs.planning.changes import Change, ChangeType, TargetFacts, World
from libs.planning.grid import Block, BlockKind, Place, Target, TargetKind

# No example database and no wall-clock limit: unit tests do no IO and judge no time.
steady = settings(deadline=None, database=None)

NOW = datetime(2026, 11, 30, 1, 0, tzinfo=UTC)
SEMESTER = Semester(1, date(2026, 9, 7), 20, "Asia/Shanghai", DEFAULT_CLOCK, 5)
T1 = Target(TargetKind.TASK_POOL, 11)
T2 = Target(TargetKind.TASK_POOL, 12)


def at(week: int, day: int, first: int, last: int | None = None, *, semester: int = 1) -> Place:
    return Place(semester, week, day, first, first if last is None else last)


def course(id: int, place: Place, *, embeddable: bool = False, version: int = 1) -> Block:
    return Block(id, BlockKind.COURSE, place, version, can_be_embedded=embeddable, name=f"课程{id}")


def task(
    id: int,
    place: Place,
    source: Target | None = None,
    *,
    host: int | None = None,
    version: int = 1,
) -> Block:
    return Block(id, BlockKind.TASK, place, version, source=source, host_id=host)


K1 = tuple(course(100 + week, at(week, 1, 1, 2)) for week in range(1, 17))
K2 = tuple(course(200 + week, at(week, 3, 7, 8), embeddable=True) for week in range(9, 17))
COURSES = K1 + K2


def facts(target: Target, *, version: int = 1, done: bool = False, title: str = "") -> TargetFacts:
    return TargetFacts(target, version, done, None, 2, title)


def world(
    *extra: Block,
    blocks: Iterable[Block] = COURSES,
    semesters: Iterable[Semester] = (SEMESTER,),
    targets: Iterable[TargetFacts] = (facts(T1), facts(T2)),
    overrides: Iterable[Override] = (),
) -> World:
    return World(
        tuple(semesters),
        (*blocks, *extra),
        {row.target: row for row in targets},
        tuple(overrides),
    )


def add(to: Place | None, target: Target = T1, *, change_id: str = "c1") -> Change:
    return Change(change_id, ChangeType.ADD, target, to, editable=True)


def clock_of(*sections: str, lunch_after: int = 4, dinner_after: int = 8) -> SectionClock:
    """A clock from texts such as `08:00-08:45`."""
    pairs = (text.split("-") for text in sections)
    return SectionClock(
        tuple(SectionTime(time.fromisoformat(a), time.fromisoformat(b)) for a, b in pairs),
        lunch_after,
        dinner_after,
    )


def hourly_clock(count: int, *, start: int = 8, lunch_after: int = 4, dinner_after: int = 8):
    """`count` sections of 45 minutes, one on each full hour."""
    texts = (f"{hour:02}:00-{hour:02}:45" for hour in range(start, start + count))
    return clock_of(*texts, lunch_after=lunch_after, dinner_after=dinner_after)
