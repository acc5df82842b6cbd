"""The agent service as a process of its own."""

import asyncio
import sys
from collections.abc import AsyncIterator

import pytest

from libs.clock import SystemClock
from libs.rpc.client import channel
from libs.rpc.identity import Issuer
from services.standalone import home, settings
from services.standalone.suite import Suite
from smartmate.agent.v1.agent_service_pb2_grpc import AgentServiceStub
from tests.integration import llm_standin
from tests.integration.agent import asking
from tests.integration.agent.asking import Agent, Keys
from tests.integration.llm_standin import StandIn
from tests.waiting import wait_until


@pytest.fixture(scope="module")
async def suite() -> AsyncIterator[Suite]:
    """The agent, its database and the model stand-in; nobody else."""
    with home.temporary() as path:
        configuration = settings.read({"SMARTMATE_HOME": str(path)})
        async with Suite(
            path, services=("agent",), llm_standin=True, configuration=configuration
        ) as found:
            yield found


@pytest.fixture
async def model(suite: Suite) -> AsyncIterator[StandIn]:
    async with llm_standin.honest(suite.llm_url) as found:
        yield found


@pytest.fixture
async def agent(suite: Suite) -> AsyncIterator[Agent]:
    issuer = Issuer.load(suite.private_key("active_scheduler"), SystemClock())
    keys = Keys(suite.public_keys, {"active_scheduler": issuer})
    async with channel(suite.target("agent")) as wire:
        yield Agent(AgentServiceStub(wire), keys)


async def test_it_serves_without_a_broker(suite: Suite, agent: Agent, model: StandIn) -> None:
    await suite.stop("nats")
    try:
        await suite.restart("agent")
        answer = await agent.select(asking.request())
    finally:
        await suite.start("nats")
    assert (answer.model, answer.fallback_used) == ("stand-in-1", False)


async def test_a_selection_under_way_is_answered_before_the_process_ends(
    suite: Suite, agent: Agent, model: StandIn
) -> None:
    await agent.select(asking.request())
    await model.script({"hold": True})
    async with asyncio.TaskGroup() as group:
        asked = group.create_task(agent.select(asking.request()))
        await model.arrived(2)
        stopped = group.create_task(suite.stop("agent"))
        await _says(suite, "stopping")
        await model.release()
        assert not (await asked).fallback_used
        await stopped
    await suite.start("agent")


async def _says(suite: Suite, event: str) -> None:
    def said() -> bool:
        return f'"event": "{event}"' in suite.log("agent").read_text().splitlines()[-1]

    await wait_until(said, what=event)


async def test_logs_hold_no_title_no_prompt_and_no_words_of_the_model(
    suite: Suite, agent: Agent, model: StandIn
) -> None:
    await model.script({"content": "秘密的话"}, {"merge": {"selected_id": "秘密"}})
    await agent.select(asking.request("秘密的标题", memory=("秘密的记忆",)))

    told = suite.log("agent").read_text()
    assert "asked_again" in told
    assert "unknown_candidate" in told
    assert "秘密" not in told


async def test_without_a_model_the_sdk_is_never_loaded() -> None:
    program = (
        "import sys, services.agent.__main__ as main\n"
        "found = main._model(main.Settings.model_construct(llm_model=''))\n"
        "sys.exit(found != (None, ()) or 'openai' in sys.modules or 'httpx2' in sys.modules)\n"
    )
    child = await asyncio.create_subprocess_exec(sys.executable, "-c", program)
    assert await child.wait() == 0
