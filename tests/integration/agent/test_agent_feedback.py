"""What did not go as planned, said in chat: found, handed to active scheduling, its preview shown,
its question answered."""

import asyncio
import uuid
from collections.abc import AsyncIterator
from datetime import date
from typing import Any

import asyncpg
import pytest

from libs.clock import SystemClock
from libs.rpc.client import channel
from libs.rpc.errors import RemoteError
from libs.rpc.identity import Issuer
from services.standalone import home, settings
from services.standalone.suite import Suite
from smartmate.active_scheduler.v1 import active_scheduler_service_pb2 as active_pb2
from smartmate.active_scheduler.v1.active_scheduler_service_pb2_grpc import (
    ActiveSchedulerServiceStub,
)
from smartmate.agent.v1.agent_service_pb2_grpc import AgentServiceStub
from smartmate.schedule.v1 import calendar_pb2, change_pb2
from smartmate.schedule.v1 import schedule_service_pb2 as schedule_pb2
from smartmate.schedule.v1.schedule_service_pb2_grpc import ScheduleServiceStub
from tests.integration.agent.talking import Heard, Student, Town
from tests.integration.agent.trapping import save_held, waits_for_lock
from tests.student import course


@pytest.fixture(scope="module")
async def suite() -> AsyncIterator[Suite]:
    """Schedule, agent and active_scheduler; no model."""
    with home.temporary() as path:
        async with Suite(
            path,
            services=("schedule", "agent", "active_scheduler"),
            configuration=settings.read({"SMARTMATE_HOME": str(path)}),
        ) as found:
            yield found


class Person(Student):
    """Somebody with blocks of work today."""

    scheduler: Any

    async def block(self, title: str, first: int, last: int) -> int:
        """A task that is placed today; gives its block."""
        task = schedule_pb2.TaskInput(title=title, quadrant="QUADRANT_IMPORTANT")
        request = schedule_pb2.CreateTaskRequest(request_id=uuid.uuid4().hex, task=task)
        created = (await self.ask(self.town.schedule, "CreateTask", request)).task
        behind = (self.today - date.fromisoformat(self.semester.first_date)).days
        place = calendar_pb2.Place(
            semester_id=self.semester.semester_id,
            week=behind // 7 + 1,
            day_of_week=behind % 7 + 1,
            first_section=first,
            last_section=last,
        )
        change = change_pb2.ScheduleChange(
            change_id="c1",
            type="CHANGE_TYPE_ADD",
            target=change_pb2.Target(kind="TARGET_KIND_TASK_POOL", id=created.task_id),
            to=place,
        )
        applied = await self.ask(
            self.town.schedule,
            "ApplyChanges",
            schedule_pb2.ApplyChangesRequest(apply_id=uuid.uuid4().hex, changes=[change]),
        )
        return int(applied.verdict.event_ids[0])

    async def preview(self, preview_id: str) -> Any:
        request = active_pb2.GetPreviewRequest(preview_id=preview_id)
        return (await self.ask(self.scheduler, "GetPreview", request)).preview


@pytest.fixture
async def person(suite: Suite) -> AsyncIterator[Person]:
    issuers = {"gateway": Issuer.load(suite.private_key("gateway"), SystemClock())}
    async with (
        channel(suite.target("agent")) as agent,
        channel(suite.target("schedule")) as schedule,
        channel(suite.target("active_scheduler")) as scheduler,
    ):
        nothing: Any = None
        town = Town(
            AgentServiceStub(agent), ScheduleServiceStub(schedule), issuers, nothing, nothing
        )
        found = Person(town, town.student().id)
        found.scheduler = ActiveSchedulerServiceStub(scheduler)
        await found.begin_semester()
        yield found


async def test_a_block_that_is_named_is_handed_over_and_its_preview_shown(person: Person) -> None:
    await person.block("概率论作业", 3, 4)
    await person.block("英语听力", 7, 8)

    heard = await person.says("概率论作业这项要延后")

    assert "status:looking" in heard.kinds
    (card,) = heard.of("preview_card")
    assert card.title == "概率论作业"
    preview = await person.preview(card.preview_id)
    assert preview.target_title == "概率论作业"
    assert heard.outcome.code == "feedback_told"


async def test_of_several_blocks_the_person_says_which(person: Person) -> None:
    await person.block("概率论作业", 3, 4)
    await person.block("英语听力", 7, 8)

    heard = await person.says("今天撑不住了")
    assert [one.text[:6] for one in heard.question.choices][-1] == "都不是"
    second = await person.answers(heard, choice=heard.question.choices[1].choice_id)

    (card,) = second.of("preview_card")
    assert card.title == "英语听力"


PAIRS = ((1, 2), (3, 4), (5, 6), (7, 8), (9, 10), (11, 12))


async def test_a_question_of_the_preview_is_asked_and_answered_in_the_conversation(
    person: Person,
) -> None:
    await person.block("概率论作业", 3, 4)
    today, week = person.today.isoweekday(), 3
    rows = [
        course(
            f"课{day}{first}",
            day=(today + day - 1) % 7 + 1,
            sections=f"{first}-{last}",
            weeks=f"{week}-{week + 1}周",
        )
        for day in (0, 1)
        for first, last in PAIRS
        if (day, first) != (0, 3)
    ]
    await person.import_courses(*rows)

    heard = await person.says("概率论作业这项没做完")
    (card,) = heard.of("preview_card")
    preview = await person.preview(card.preview_id)
    assert heard.question.text == preview.question.text.zh_cn
    assert [one.choice_id for one in heard.question.choices] == [
        one.choice_id for one in preview.question.choices
    ]

    second = await person.says("可以", heard.conversation_id)

    assert second.run_id == heard.run_id
    (newer,) = second.of("preview_card")
    assert newer.preview_id != card.preview_id
    answered = await person.preview(card.preview_id)
    assert answered.question.answered_choice_id == "yes"


async def test_where_nothing_is_near_that_is_said(person: Person) -> None:
    heard = await person.says("刚才那个没做完")
    assert heard.outcome.code == "no_block"
    assert heard.of("preview_card") == []


async def test_killed_after_it_was_told_it_is_told_once(suite: Suite, person: Person) -> None:
    await person.block("概率论作业", 3, 4)
    heard = Heard("", "")

    async def tells() -> None:
        with pytest.raises(RemoteError):
            await person.says("概率论作业这项要延后", into=heard)

    held = save_held(suite.dsn("agent"), person.id, "done")
    async with asyncio.TaskGroup() as group, held:
        group.create_task(tells())
        await waits_for_lock(suite.dsn("agent"))
        await suite.kill("agent")
    await suite.ready("agent")
    # Tried again while the channel finds its way, which a stream is not.
    state = await person.run(heard.run_id)
    assert state.run_id == heard.run_id

    events = await person.resumes(heard.run_id, heard.last.sequence)

    assert events[-1].outcome.code == "feedback_told"
    connection = await asyncpg.connect(suite.dsn("active_scheduler"))
    told = await connection.fetchval(
        "SELECT count(*) FROM active_schedule_triggers WHERE user_id = $1", person.id
    )
    await connection.close()
    assert told == 1


async def test_a_preview_is_talked_about_and_only_ones_own(person: Person) -> None:
    await person.block("概率论作业", 3, 4)
    heard = await person.says("概率论作业这项要延后")
    (card,) = heard.of("preview_card")

    talk = await person.says("你好", preview_id=card.preview_id)
    assert [one.preview_id for one in talk.of("preview_card")] == [card.preview_id]
    opened = await person.conversation(talk.conversation_id)
    assert opened.conversation.preview_id == card.preview_id
    bound = await person.preview(card.preview_id)
    assert bound.conversation_id == talk.conversation_id

    with pytest.raises(RemoteError) as refused:
        await person.says("你好", preview_id="asp_nobodys")
    assert refused.value.reason == "preview_not_found"
