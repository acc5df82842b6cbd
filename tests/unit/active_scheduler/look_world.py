"""The world that these tests look at, short ways to say it, and worlds that hypothesis makes.

Asia/Shanghai, 20 weeks from Monday 2026-09-07; now is Monday of week 13, 09:00, so the window
holds sections 3-12 of that day and section 1 of the next.
"""

import random
from collections.abc import Iterable, Iterator
from dataclasses import replace
from datetime import UTC, date, datetime, time, timedelta

from hypothesis import settings
from hypothesis import strategies as st

from libs.planning.calendar import DEFAULT_CLOCK, SectionClock, SectionTime, Semester
from libs.planning.changes import TargetFacts, World
from libs.planning.grid import Block, BlockKind, Place, Target, TargetKind
from services.active_scheduler.domain import deciding, showing
from services.active_scheduler.domain.case import case_of
from services.active_scheduler.domain.facts import Facts
from services.active_scheduler.domain.observation import Metrics
from services.active_scheduler.domain.preview import (
    Content,
    NotificationStatus,
    Preview,
    PreviewState,
)
from services.active_scheduler.domain.questions import Answers, QuestionKind
from services.active_scheduler.domain.text import Text
from services.active_scheduler.domain.trigger import TriggerType

# No example database and no wall-clock limit: unit tests do no IO and judge no time.
steady = settings(deadline=None, database=None)

SEMESTER = Semester(1, date(2026, 9, 7), 20, "Asia/Shanghai", DEFAULT_CLOCK, 5)
TASK = Target(TargetKind.TASK_POOL, 11)
OTHER = Target(TargetKind.TASK_POOL, 12)
TITLE = "线性代数作业"


def local(text: str, offset: str = "+08:00") -> datetime:
    """An instant from its local text."""
    return datetime.fromisoformat(text + offset).astimezone(UTC)


NOW = local("2026-11-30T09:00")


def at(week: int, day: int, first: int, last: int | None = None, *, semester: int = 1) -> Place:
    return Place(semester, week, day, first, first if last is None else last)


def course(id: int, place: Place, *, embeddable: bool = False) -> Block:
    return Block(id, BlockKind.COURSE, place, 1, can_be_embedded=embeddable, name=f"课程{id}")


def block_of(target: Target, place: Place, id: int = 900) -> Block:
    return Block(id, BlockKind.TASK, place, 1, source=target, name=TITLE)


def taken(day: int, *sections: int, first_id: int = 100) -> tuple[Block, ...]:
    """Courses on single sections of a day of week 13."""
    return tuple(course(first_id + s, at(13, day, s)) for s in sections)


def look_facts(
    *blocks: Block,
    now: datetime = NOW,
    done: bool = False,
    quadrant: int = 1,
    threshold: datetime | None = NOW,
    deadline: datetime | None = None,
    estimate: int | None = 2,
    title: str = TITLE,
    semesters: Iterable[Semester] = (SEMESTER,),
) -> Facts:
    """Facts about TASK: urgent, important and not scheduled, unless told otherwise."""
    target = TargetFacts(TASK, 3, done, deadline, estimate, title)
    world = World(tuple(semesters), tuple(blocks), {TASK: target})
    return Facts(now, target, quadrant, threshold, world, version=7)


def look(facts: Facts) -> Content:
    """A look at an urgent task that knows of nothing behind the window."""
    return showing.look(case_of(facts))


def told_only(facts: Facts) -> Content:
    """The same where every question was declined."""
    return showing.look(case_of(facts, answers=Answers(declined=tuple(QuestionKind))))


def figures(facts: Facts) -> Metrics:
    """What such a look measures."""
    return deciding.measure(case_of(facts))


def outcome(facts: Facts) -> tuple[str, str]:
    """Action and reason of a look."""
    decision = look(facts).decision
    return decision.action.value, decision.reason


def texts(content: Content) -> list[Text]:
    """Every text that people may see."""
    found = [content.summary, content.inaction, *content.facts]
    found += [issue.evidence for issue in content.issues]
    for candidate in content.candidates:
        found += [candidate.summary, candidate.reason, candidate.risk]
    return found


def shuffled(facts: Facts, seed: int) -> Facts:
    """Equal facts, loaded in another order."""
    shuffler = random.Random(seed)
    blocks, semesters = list(facts.world.blocks), list(facts.world.semesters)
    shuffler.shuffle(blocks)
    shuffler.shuffle(semesters)
    world = World(tuple(semesters), tuple(blocks), dict(facts.world.targets))
    return replace(facts, world=world)


def preview(content: Content, **altered: object) -> Preview:
    """A ready preview of an hour, read at its first instant."""
    stored = Preview(
        id="asp_1",
        sequence=4,
        user_id=1,
        trigger_id="ast_1",
        trigger_type=TriggerType.IMPORTANT_URGENT_TASK,
        target=TASK,
        is_mock=False,
        stored_state=PreviewState.READY,
        version=1,
        content=content,
        generated_at=NOW,
        expires_at=NOW + timedelta(hours=1),
        apply_id=None,
        last_refusals=(),
        applied_at=None,
        applied_event_ids=(),
        applied_changes=(),
        notification_status=NotificationStatus.PENDING,
        read_at=NOW,
    )
    return replace(stored, **altered)


# With daylight saving both ways, half-hour steps, and none.
ZONES = (
    "Asia/Shanghai",
    "Europe/Berlin",
    "America/Toronto",
    "America/Santiago",
    "Pacific/Auckland",
    "Australia/Lord_Howe",
    "Africa/Casablanca",
    "Asia/Kathmandu",
)


def clock_of(chance: random.Random) -> SectionClock:
    """10 to 14 sections of different lengths, breaks anywhere, from an hour between 6 and 9."""
    count = chance.randint(10, 14)
    minute = chance.randint(6 * 60, 9 * 60)
    sections = []
    for _ in range(count):
        length = chance.choice((30, 45, 50))
        start, end = divmod(minute, 60), divmod(minute + length, 60)
        sections.append(SectionTime(time(*start), time(*end)))
        minute += length + chance.choice((0, 5, 10))
    lunch = chance.randint(1, count - 2)
    return SectionClock(tuple(sections), lunch, chance.randint(lunch + 1, count - 1))


def semester_of(chance: random.Random, id: int, monday: date) -> Semester:
    return Semester(
        id,
        monday,
        chance.randint(1, 30),
        chance.choice(ZONES),
        clock_of(chance),
        chance.randint(1, 9),
    )


def world_of(seed: int) -> Facts:
    """Facts about an urgent task in a filled week, anywhere around a semester or two."""
    chance = random.Random(seed)
    first = semester_of(chance, 1, date(2026, 3, 2) + timedelta(weeks=chance.randint(0, 40)))
    known = [first]
    if chance.random() < 0.4:
        known.append(semester_of(chance, 2, first.last_day + timedelta(days=1)))
    days = (known[-1].last_day - first.first_day).days
    # As often at an edge as inside.
    inside = chance.randint(0, days)
    edge = chance.choice((-1, 0, (first.last_day - first.first_day).days, days, days + 1))
    on = first.first_day + timedelta(days=chance.choice((inside, inside, inside, edge)))
    midnight = datetime.combine(on, time(0), tzinfo=first.zone).astimezone(UTC)
    now = midnight + timedelta(minutes=chance.randint(0, 24 * 60))
    deadline = now + timedelta(minutes=chance.randint(-600, 40 * 60))
    return look_facts(
        *(block for semester in known for block in _fillings(chance, semester, on)),
        now=now,
        deadline=chance.choice((None, deadline, deadline)),
        estimate=chance.choice((None, 0, 1, 1, 2, 2, 3, 4, 9)),
        semesters=known,
    )


def _fillings(chance: random.Random, semester: Semester, on: date) -> Iterator[Block]:
    """Blocks on the days around a date: courses, hosts with and without a guest, tasks."""
    for offset in (-1, 0, 1, 2):
        date_of = on + timedelta(days=offset)
        if semester.first_day <= date_of <= semester.last_day:
            yield from _of_day(chance, semester, date_of, 1000 * semester.id + 100 * offset)


def _of_day(chance: random.Random, semester: Semester, on: date, id: int) -> Iterator[Block]:
    week, day = semester.week_day_of(on)
    section, gap = 1 + chance.randint(0, 5), chance.choice((0, 2, 5, 8))
    while section <= semester.clock.count:
        last = min(section + chance.randint(0, 3), semester.clock.count)
        place = Place(semester.id, week, day, section, last)
        yield from chance.choice(_kinds(id + 2 * section, place))
        section = last + 1 + chance.randint(0, gap)


def _kinds(id: int, place: Place) -> tuple[list[Block], ...]:
    host = course(id, place, embeddable=True)
    guest = Block(
        id + 1, BlockKind.TASK, replace(place, last=place.first), 1, source=OTHER, host_id=id
    )
    return [course(id, place)], [host], [host, guest], [block_of(OTHER, place, id)]


worlds = st.integers(0, 2**48).map(world_of)
"""Reproducible from the number that hypothesis tells."""
