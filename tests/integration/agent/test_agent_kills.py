"""A replica is killed in the middle of a run, at each node: another one goes on, nothing is applied
twice, and the stream continues from its number."""

import asyncio
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from typing import Any

import asyncpg
import pytest

from libs.clock import SystemClock
from libs.rpc.client import channel
from libs.rpc.errors import RemoteError
from libs.rpc.identity import Issuer
from services.standalone import home, settings
from services.standalone.suite import Suite
from smartmate.agent.v1 import chat_pb2
from smartmate.agent.v1.agent_service_pb2_grpc import AgentServiceStub
from smartmate.schedule.v1.schedule_service_pb2_grpc import ScheduleServiceStub
from tests.integration import llm_standin
from tests.integration.agent.talking import Heard, Student, Town, calls, decided, planned
from tests.integration.agent.trapping import save_held, waits_for_lock
from tests.integration.llm_standin import StandIn

PLAN = "帮我弄一下线代"
LEASE_SECONDS = 1.5
DONE = decided("done", reason="可以结束")
ROUTE = decided("x", route="plan")


@pytest.fixture(scope="module")
async def suite() -> AsyncIterator[Suite]:
    """Two replicas of the agent beside schedule and the model stand-in."""
    with home.temporary() as path:
        async with Suite(
            path,
            services=("schedule", "agent"),
            replicas={"agent": 2},
            llm_standin=True,
            configuration=settings.read({"SMARTMATE_HOME": str(path)}),
            overrides={"agent": {"SMARTMATE_RUN_LEASE_SECONDS": str(LEASE_SECONDS)}},
        ) as found:
            yield found


@pytest.fixture
async def model(suite: Suite) -> AsyncIterator[StandIn]:
    async with llm_standin.honest(suite.llm_url) as found:
        yield found


@pytest.fixture
async def student(suite: Suite) -> AsyncIterator[Student]:
    """Somebody with a class, who talks to the first replica."""
    issuers = {"gateway": Issuer.load(suite.private_key("gateway"), SystemClock())}
    async with (
        channel(suite.address("agent", 0)) as one,
        channel(suite.target("schedule")) as schedule,
    ):
        nothing: Any = None
        stubs = AgentServiceStub(one), ScheduleServiceStub(schedule)
        found = Town(stubs[0], stubs[1], issuers, nothing, nothing).student()
        await found.begin_semester()
        await found.add_class("线代复习", 4)
        yield found


@asynccontextmanager
async def locked(suite: Suite, statement: str) -> AsyncIterator[None]:
    """A transaction of the schedule database that holds something meanwhile."""
    connection = await asyncpg.connect(suite.dsn("schedule"))
    try:
        async with connection.transaction():
            await connection.execute(statement)
            yield
    finally:
        await connection.close()


async def resumed(suite: Suite, student: Student, run_id: str, after: int) -> list[Any]:
    """The rest of a run, through the second replica."""
    async with channel(suite.address("agent", 1)) as other:
        student.town.agent = AgentServiceStub(other)
        return await student.resumes(run_id, after)


async def started(student: Student) -> Heard:
    """What was heard up to where the replica was killed."""
    heard = Heard("", "")
    try:
        await student.says(PLAN, into=heard)
    except RemoteError:
        return heard
    raise AssertionError("the stream did not break")


MODEL_NODES = {
    "chat": [],
    "plan": [ROUTE],
    "execute, first": [ROUTE, planned(1)],
    "execute, later": [ROUTE, planned(1), calls("get_overview"), calls("evaluate_balance")],
}


@pytest.mark.parametrize("node", MODEL_NODES)
async def test_killed_while_the_model_thinks_the_other_replica_goes_on(
    node: str, suite: Suite, model: StandIn, student: Student
) -> None:
    before = MODEL_NODES[node]
    every = [ROUTE, planned(1), calls("get_overview"), calls("evaluate_balance"), DONE]
    rest = every[len(before) :]
    await model.script(*before, {**rest[0], "hold": True}, *rest)
    async with asyncio.TaskGroup() as group:
        talking = group.create_task(started(student))
        await model.arrived(len(before) + 1)
        await suite.kill("agent", 0)
    heard = talking.result()

    events = await resumed(suite, student, heard.run_id, heard.last.sequence)

    numbers = [one.sequence for one in (*heard.events, *events)]
    assert numbers == list(range(1, len(numbers) + 1))
    assert events[-1].confirm_request.number == 1
    assert len(events[-1].confirm_request.diff.lines) == 4
    await suite.ready("agent")


@pytest.mark.parametrize("table", ["task_classes", "schedule_events"])
async def test_killed_while_it_builds_the_other_replica_goes_on(
    table: str, suite: Suite, model: StandIn, student: Student
) -> None:
    await model.script(ROUTE, planned(1), DONE)
    held = locked(suite, f"LOCK TABLE {table} IN ACCESS EXCLUSIVE MODE")
    async with asyncio.TaskGroup() as group, held:
        talking = group.create_task(started(student))
        await waits_for_lock(suite.dsn("schedule"))
        await suite.kill("agent", 0)
    heard = talking.result()

    events = await resumed(suite, student, heard.run_id, heard.last.sequence)

    assert events[-1].confirm_request.number == 1
    await suite.ready("agent")


async def test_killed_while_it_applies_nothing_is_written_twice(
    suite: Suite, model: StandIn, student: Student
) -> None:
    await model.script(ROUTE, planned(1), DONE)
    heard = await student.says(PLAN)
    assert heard.confirm.number == 1

    async def accept() -> None:
        with pytest.raises(RemoteError):
            await student.replies(heard, accepted=True)

    held = locked(suite, f"SELECT id FROM users WHERE id = {student.id} FOR UPDATE")
    async with asyncio.TaskGroup() as group, held:
        group.create_task(accept())
        await waits_for_lock(suite.dsn("schedule"))
        await suite.kill("agent", 0)

    events = await resumed(suite, student, heard.run_id, heard.last.sequence)

    assert events[-1].outcome.apply_id == f"{heard.run_id}-1"
    assert events[0].status.code == "accepted"
    assert len(await student.blocks()) == 4
    connection = await asyncpg.connect(suite.dsn("schedule"))
    applies = await connection.fetchval(
        "SELECT count(*) FROM applies WHERE user_id = $1", student.id
    )
    await connection.close()
    assert applies == 1
    await suite.ready("agent")


# By the phase that the step leads to; what the model said in it has to be said again.
SAVED = {
    "plan": [ROUTE, ROUTE, planned(1), DONE],
    "rough_build": [ROUTE, planned(1), planned(1), DONE],
    "execute": [ROUTE, planned(1), DONE],
    "deliver": [ROUTE, planned(1), DONE, DONE],
    "confirm_write": [ROUTE, planned(1), DONE],
}


@pytest.mark.parametrize("phase", SAVED)
async def test_killed_while_a_step_is_saved_the_step_is_taken_again(
    phase: str, suite: Suite, model: StandIn, student: Student
) -> None:
    await model.script(*SAVED[phase])
    held = save_held(suite.dsn("agent"), student.id, phase)
    async with asyncio.TaskGroup() as group, held:
        talking = group.create_task(started(student))
        await waits_for_lock(suite.dsn("agent"))
        await suite.kill("agent", 0)
    heard = talking.result()
    assert all(not one.HasField("outcome") for one in heard.events)

    events = await resumed(suite, student, heard.run_id, heard.last.sequence)

    numbers = [one.sequence for one in (*heard.events, *events)]
    assert numbers == list(range(1, len(numbers) + 1))
    assert events[-1].confirm_request.number == 1
    assert len(events[-1].confirm_request.diff.lines) == 4
    await suite.ready("agent")


async def killed_on_yes(suite: Suite, student: Student, heard: Heard) -> list[Any]:
    """A yes is written elsewhere, and the replica dies before it has kept that; the rest."""

    async def accept() -> None:
        with pytest.raises(RemoteError):
            await student.replies(heard, accepted=True)

    held = save_held(suite.dsn("agent"), student.id, "done")
    async with asyncio.TaskGroup() as group, held:
        group.create_task(accept())
        await waits_for_lock(suite.dsn("agent"))
        await suite.kill("agent", 0)
    events = await resumed(suite, student, heard.run_id, heard.last.sequence)
    await suite.ready("agent")
    return events


async def test_killed_after_it_applied_the_answer_is_fetched_and_nothing_written_twice(
    suite: Suite, model: StandIn, student: Student
) -> None:
    await model.script(ROUTE, planned(1), DONE)
    heard = await student.says(PLAN)
    events = await killed_on_yes(suite, student, heard)
    assert events[-1].outcome.kind == chat_pb2.OUTCOME_KIND_COMPLETED
    assert events[-1].outcome.apply_id == f"{heard.run_id}-1"
    assert len(await student.blocks()) == 4


@pytest.mark.parametrize(
    ("words", "table", "service"),
    [
        ("提醒我下周日前交概率论作业", "tasks", "schedule"),
        ("记住我周六上午要打工", "memory_items", "agent"),
    ],
)
async def test_killed_after_a_quick_task_was_written_it_is_there_once(
    words: str, table: str, service: str, suite: Suite, model: StandIn, student: Student
) -> None:
    heard = await student.says(words)
    connection = await asyncpg.connect(suite.dsn(service))
    counting = f"SELECT count(*) FROM {table} WHERE user_id = $1"
    before = await connection.fetchval(counting, student.id)
    events = await killed_on_yes(suite, student, heard)
    assert events[-1].outcome.code == "noted"
    assert await connection.fetchval(counting, student.id) == before + 1
    await connection.close()


async def test_a_replica_that_is_stopped_hands_its_run_over_at_once(
    suite: Suite, model: StandIn, student: Student
) -> None:
    await model.script(ROUTE, {**planned(1), "hold": True}, planned(1), DONE)
    async with asyncio.TaskGroup() as group:
        talking = group.create_task(started(student))
        await model.arrived(2)
        await suite.stop("agent", 0)
    heard = talking.result()

    loop = asyncio.get_running_loop()
    began = loop.time()
    events = await resumed(suite, student, heard.run_id, heard.last.sequence)

    assert events[-1].confirm_request.number == 1
    assert loop.time() - began < LEASE_SECONDS + 5
    await suite.start("agent", 0)


async def test_logs_hold_nothing_of_what_was_said(
    suite: Suite, model: StandIn, student: Student
) -> None:
    why = {"code": "秘密的码", "user_message": "秘密的话", "internal_reason": "秘密的原因"}
    await model.script(
        ROUTE, planned(1), calls("move", task_id=1), decided("abort", speak="秘密", abort=why)
    )
    await student.add_class("秘密的任务类", 2)
    heard = await student.says("秘密的愿望：帮我弄一下")
    assert (heard.outcome.code, heard.outcome.user_message) == ("aborted_by_model", "秘密的话")
    told = "".join(suite.log("agent", index).read_text() for index in (0, 1))
    assert heard.run_id in told
    assert "秘密" not in told
