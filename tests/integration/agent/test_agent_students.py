"""Thirty seeded students with three classes, forty items and a semester of sixteen weeks: each ends
with a plan that keeps every rule, or with an explanation that is true.

What they got is read off the rows of the database and judged by code of the tests' own.
"""

import pprint
import random
from collections.abc import Mapping
from dataclasses import dataclass, field
from datetime import date, timedelta
from typing import Any

import pytest
from sqlalchemy import text as sql

from libs.db.database import Database
from smartmate.agent.v1 import chat_pb2
from smartmate.schedule.v1 import schedule_service_pb2 as schedule_pb2
from tests.integration.agent import judging
from tests.integration.agent.conftest import Open
from tests.integration.agent.judging import Block, Rows
from tests.integration.agent.talking import Heard, Student
from tests.integration.llm_standin import StandIn
from tests.student import course, new_key

STUDENTS = 30
WEEKS = 16
NAMES = ("高等数学复习", "大学英语复习", "概率论复习")
COUNTS = (14, 13, 13)
HOST = "形势与政策"
COURSES = ("线性代数", "大学物理", "程序设计", "体育", HOST, "电路", "写作", "化学", "制图")
PAIRS = ((1, 2), (3, 4), (5, 6), (7, 8), (9, 10))
NO_ROOM = (7, 17, 27)
"""These have a class that cannot fit into its two days."""
WITH_WORDS = (5, 15, 25)
"""These want one item elsewhere before they accept."""
SENTENCES: tuple[tuple[str, tuple[int, ...]], ...] = (
    ("期末前把这三门课的复习排进去，别排周日", (7,)),
    ("把这三门课的复习都排进日程", ()),
    ("帮我安排一下三门课的复习，不要周六和周日", (6, 7)),
)


@dataclass(slots=True)
class Seeded:
    """A student of a seed, with what was said and what was there before."""

    seed: int
    student: Student
    before: Rows | None = None
    level: float = 0.0
    heard: list[Heard] = field(default_factory=list)

    @property
    def words(self) -> str:
        return SENTENCES[self.seed % len(SENTENCES)][0]

    @property
    def free(self) -> tuple[int, ...]:
        return SENTENCES[self.seed % len(SENTENCES)][1]

    @property
    def days(self) -> tuple[date, date]:
        """The days that count for how level it is: from today, in the window of the classes."""
        assert self.before is not None
        first = min(one.first for one in self.before.classes)
        last = max(one.last for one in self.before.classes)
        return max(first, self.student.today), last


async def settled_in(seeded: Seeded, schedule_db: Database) -> None:
    """A semester, about a third of it taken by courses, and three classes of forty items."""
    student, chance = seeded.student, random.Random(seeded.seed)
    await student.begin_semester(weeks=WEEKS)
    slots = [(day, *pair) for day in range(1, 7) for pair in PAIRS]
    taken = zip(COURSES, chance.sample(slots, k=len(COURSES)), strict=True)
    weeks = (f"1-{WEEKS}周", f"1-{WEEKS}周", f"1-{WEEKS}周(单)")
    await student.import_courses(
        *(
            course(name, day=day, sections=f"{first}-{last}", weeks=chance.choice(weeks))
            for name, (day, first, last) in taken
        )
    )
    for number, (name, count) in enumerate(zip(NAMES, COUNTS, strict=True)):
        crammed = number == 0 and seeded.seed in NO_ROOM
        await student.add_class(name, count, **_stated(student, chance, count, crammed=crammed))
    await _open_a_course(student, schedule_db)


async def _open_a_course(student: Student, schedule_db: Database) -> None:
    """One of the courses takes guests."""
    query = sql("SELECT id FROM courses WHERE user_id = :user AND name = :name")
    async with schedule_db.transaction() as tx:
        (row,) = await tx.all(query, user=student.id, name=HOST)
    asked = schedule_pb2.SetCourseEmbeddingRequest(
        request_id=new_key(), course_id=row.id, can_be_embedded=True
    )
    await student.ask(student.town.schedule, "SetCourseEmbedding", asked)


def _stated(
    student: Student, chance: random.Random, count: int, *, crammed: bool
) -> Mapping[str, Any]:
    """Dates, length and rules of a class; a crammed one has two days for all of it."""
    first = student.today + timedelta(days=chance.randint(1, 14))
    days = 2 if crammed else chance.randint(50, 70)
    return {
        "sections": count * (3 if crammed else chance.choice((1, 2))),
        "start_date": first.isoformat(),
        "end_date": (first + timedelta(days=days - 1)).isoformat(),
        "strategy": chance.choice(("PLANNING_STRATEGY_STEADY", "PLANNING_STRATEGY_RAPID")),
        "excluded_days_of_week": sorted(chance.sample(range(1, 6), chance.choice((0, 1)))),
        "excluded_pairs": sorted(chance.sample(range(1, 7), chance.choice((0, 1, 2)))),
        "allow_filler_course": chance.random() < 0.5,
    }


async def rough_level(seeded: Seeded, rows: Rows) -> float:
    """How level the days of the rough build alone would be."""
    request = schedule_pb2.RoughBuildRequest(
        task_class_ids=[one.id for one in rows.classes], excluded_days_of_week=seeded.free
    )
    built = await seeded.student.ask(seeded.student.town.schedule, "RoughBuild", request)
    monday = date.fromisoformat(seeded.student.semester.first_date)
    placed = [
        Block(
            id=0,
            on=monday + timedelta(weeks=one.place.week - 1, days=one.place.day_of_week - 1),
            first=one.place.first_section,
            last=one.place.last_section,
            course=False,
            host=one.host_event_id or None,
            embeds=False,
            class_id=one.task_class_id,
            item_id=one.task_item_id,
        )
        for one in built.placements
    ]
    return judging.variance(judging.occupied(rows.blocks), *seeded.days, placed)


async def talked(seeded: Seeded) -> Heard:
    """The whole conversation, up to its outcome: questions are answered, one wish is put, the
    second proposal or the first is accepted."""
    student = seeded.student
    heard = await student.says(seeded.words)
    wishes = ["第二项换到另一天"] if seeded.seed in WITH_WORDS else []
    for _ in range(6):
        seeded.heard.append(heard)
        last = heard.last
        if last.HasField("outcome"):
            return heard
        if last.HasField("question"):
            choice = last.question.choices[-1].choice_id if last.question.choices else ""
            heard = await student.answers(heard, "" if choice else "按任务类的日期", choice=choice)
        elif wishes:
            heard = await student.replies(heard, words=wishes.pop())
        else:
            heard = await student.replies(heard, accepted=True)
    raise AssertionError(f"seed {seeded.seed}: no end in sight")


async def run_of(seeded: Seeded, schedule_db: Database) -> Heard:
    """One student from the first day to the outcome."""
    await settled_in(seeded, schedule_db)
    seeded.before = await judging.rows_of(schedule_db, seeded.student.id)
    seeded.level = await rough_level(seeded, seeded.before)
    return await talked(seeded)


def judged(seeded: Seeded, ended: Heard, after: Rows) -> list[str]:
    """What is wrong with an end."""
    before, outcome = seeded.before, ended.outcome
    assert before is not None
    if seeded.seed in NO_ROOM:
        return [*_explained(seeded, outcome), *_untouched(before, after)]
    if (outcome.kind, outcome.code) != (chat_pb2.OUTCOME_KIND_COMPLETED, "written"):
        return [f"ended {outcome.code}: {outcome.user_message}"]
    found = judging.violations(after, today=seeded.student.today, free=seeded.free)
    courses = {one for one in before.blocks if one.course}
    if courses != {one for one in after.blocks if one.course}:
        found.append("a course has changed")
    level = judging.variance(judging.occupied(after.blocks), *seeded.days)
    if seeded.seed not in WITH_WORDS and level > seeded.level + 1e-9:
        found.append(f"variance {level:.4f} is above {seeded.level:.4f} of the rough build")
    return found


def _explained(seeded: Seeded, outcome: chat_pb2.Outcome) -> list[str]:
    """The explanation says that there is no room, names the class, and there is none."""
    before = seeded.before
    assert before is not None
    crammed = min(before.classes, key=lambda one: one.last - one.first)
    most = judging.most_places(before, crammed, today=seeded.student.today, free=seeded.free)
    found = [] if most < len(crammed.items) else [f"{most} places would do"]
    if (outcome.kind, outcome.code) != (chat_pb2.OUTCOME_KIND_ABORTED, "pending_left"):
        found.append(f"ended {outcome.code}")
    if NAMES[0] not in outcome.user_message or "节" not in outcome.user_message:
        found.append(f"does not explain: {outcome.user_message}")
    return found


def _untouched(before: Rows, after: Rows) -> list[str]:
    return [] if set(before.blocks) == set(after.blocks) else ["something was written"]


@pytest.mark.parametrize("model", [True, False], ids=["a model", "rules"])
async def test_every_student_ends_with_a_plan_that_keeps_the_rules_or_a_true_explanation(
    model: bool, open_town: Open, standin: StandIn, schedule_db: Database
) -> None:
    faults: dict[int, list[str]] = {}
    heard: list[Heard] = []
    async with open_town(standin=standin if model else None) as town:
        for seed in range(STUDENTS):
            seeded = Seeded(seed, town.student())
            ended = await run_of(seeded, schedule_db)
            after = await judging.rows_of(schedule_db, seeded.student.id)
            if found := judged(seeded, ended, after):
                faults[seed] = found
            heard += seeded.heard
    assert not faults, pprint.pformat(faults, width=200)
    if model:
        kinds = {kind for one in heard for kind in one.kinds}
        assert "status:model_unavailable" not in kinds
        assert "confirm_request" in kinds
