"""The suite as one object, with dummies in the places of the services."""

import asyncio
import json
import signal
from collections.abc import AsyncIterator
from pathlib import Path

import httpx2
import pytest

from services.standalone import errors, home, settings
from services.standalone.settings import SERVICES
from services.standalone.suite import Suite
from tests.integration.standalone.parts import with_dummies


@pytest.fixture(scope="module")
async def suite() -> AsyncIterator[Suite]:
    with home.temporary() as place:
        async with with_dummies(place, replicas={"schedule": 2}, feishu_standin=True) as running:
            yield running


async def asked(address: str) -> dict[str, str]:
    async with httpx2.AsyncClient() as client:
        found: dict[str, str] = (await client.get(f"http://{address}/")).json()
        return found


def command_lines(suite: Suite) -> list[str]:
    return [Path(f"/proc/{pid}/cmdline").read_text() for pid in suite.all_pids().values()]


async def test_every_process_runs_and_replicas_have_addresses_of_their_own(suite: Suite) -> None:
    assert set(suite.all_pids()) == {*SERVICES, "schedule-1", "feishu", "postgres", "nats"}
    assert len(suite.pids("schedule")) == 2
    assert suite.address("schedule", 0) != suite.address("schedule", 1)
    both = f"ipv4:{suite.address('schedule', 0)},{suite.address('schedule', 1)}"
    assert suite.target("schedule") == both
    assert (await asked(suite.ops_address("gateway")))["SMARTMATE_SCHEDULE_ADDRESS"] == both


async def test_a_service_knows_its_own_secrets_and_no_others(suite: Suite) -> None:
    found = await asked(suite.ops_address("schedule"))
    assert found["SMARTMATE_DATABASE_URL"] == suite.database_url("schedule")
    assert found["SMARTMATE_NATS_URL"] == suite.nats_url("schedule")
    assert found["SMARTMATE_PRIVATE_KEY"] == str(suite.private_key("schedule"))
    assert found["SMARTMATE_WEEKS"] == "20"
    everything = json.dumps(found)
    kept = suite.parts.secrets
    others = [kept.postgres_admin, kept.nats_admin, kept.seal_key, kept.feishu_secret]
    others += [kept.database[name] for name in SERVICES if name != "schedule"]
    others += [kept.nats[name] for name in SERVICES if name != "schedule"]
    assert not [secret for secret in others if secret in everything]


async def test_no_secret_is_on_a_command_line(suite: Suite) -> None:
    kept = suite.parts.secrets
    secrets = [kept.postgres_admin, kept.nats_admin, kept.seal_key, kept.feishu_secret]
    lines = command_lines(suite)
    assert any("standins.feishu" in line for line in lines)
    assert not [line for line in lines for secret in secrets if secret in line]


async def test_the_sealing_key_is_notifications_alone(suite: Suite) -> None:
    found = await asked(suite.ops_address("notification"))
    assert found["SMARTMATE_SEAL_KEY"] == suite.parts.secrets.seal_key
    assert found["SMARTMATE_ALLOWED_WEBHOOK_HOSTS"] == suite.feishu_url.removeprefix("http://")
    assert "SMARTMATE_SEAL_KEY" not in await asked(suite.ops_address("gateway"))


async def test_a_killed_replica_comes_back_and_the_other_never_left(suite: Suite) -> None:
    other, killed = suite.pids("schedule")
    await suite.kill("schedule", 1)
    await suite.ready("schedule")
    assert suite.pids("schedule")[0] == other
    assert suite.pids("schedule")[1] not in (other, killed)


async def test_a_service_can_be_held_down_and_started_again(suite: Suite) -> None:
    await suite.kill("notification", restart=False)
    assert suite.pids("notification") == ()
    with pytest.raises(httpx2.ConnectError):
        await asked(suite.ops_address("notification"))
    await suite.start("notification")
    await asked(suite.ops_address("notification"))


async def test_a_frozen_service_goes_on_where_it_was(suite: Suite) -> None:
    (pid,) = suite.pids("active_scheduler")
    suite.send("active_scheduler", signal.SIGSTOP)
    with pytest.raises(TimeoutError):
        async with asyncio.timeout(0.2):
            await asked(suite.ops_address("active_scheduler"))
    suite.send("active_scheduler", signal.SIGCONT)
    await suite.ready("active_scheduler")
    assert suite.pids("active_scheduler") == (pid,)


async def test_a_restart_is_a_clean_one(suite: Suite) -> None:
    (pid,) = suite.pids("gateway")
    await suite.restart("gateway")
    assert suite.pids("gateway") != (pid,)
    assert f"ending {pid}" in suite.log("gateway").read_text()


async def test_a_command_of_a_service_runs_in_its_environment(suite: Suite) -> None:
    said = json.loads(await suite.run("gateway", "user-add", "小明"))
    assert said["arguments"] == ["user-add", "小明"]
    assert said["environment"]["SMARTMATE_DATABASE_URL"] == suite.database_url("gateway")


async def test_a_failed_command_says_why(suite: Suite) -> None:
    with pytest.raises(errors.CommandFailed, match="no such user"):
        await suite.run("gateway", "fail")


async def test_an_unknown_process_is_an_error(suite: Suite) -> None:
    with pytest.raises(KeyError):
        await suite.kill("schedule", 2)
    with pytest.raises(KeyError):
        await suite.ready("llm")


async def test_who_asks_is_ended_before_who_answers(root: Path) -> None:
    async with with_dummies(root):
        pass
    *order, last, least = (root / "ended").read_text().split()
    assert order == ["gateway", "active_scheduler", "notification"]
    assert {last, least} == {"schedule", "agent"}


async def test_a_suite_that_cannot_start_leaves_nothing_behind(root: Path) -> None:
    broken = with_dummies(root)
    (root / "dummies" / "services" / "gateway" / "__main__.py").write_text("raise SystemExit(9)")
    with pytest.raises(errors.ChildFailed) as failure:
        await broken.__aenter__()
    assert failure.value.name == "gateway"
    assert list((root / "run").iterdir()) == []


async def test_a_gateway_address_that_is_taken_is_refused(root: Path) -> None:
    server = await asyncio.start_server(lambda _reader, _writer: None, "127.0.0.1", 0)
    host, port = server.sockets[0].getsockname()
    async with server:
        with pytest.raises(errors.PortTaken):
            await with_dummies(root, listen=f"{host}:{port}").__aenter__()


async def test_given_servers_are_used_and_nothing_is_embedded(servers: Suite, empty: Path) -> None:
    given = {
        "SMARTMATE_HOME": str(empty),
        "SMARTMATE_POSTGRES_URL": servers.postgres_admin,
        "SMARTMATE_NATS_URL": servers.nats_admin,
    }
    for service in SERVICES:
        given[settings.variable(service, "DATABASE_URL")] = servers.database_url(service)
    given["SMARTMATE_SCHEDULE_NATS_URL"] = servers.nats_url("schedule")
    async with Suite(services=(), configuration=settings.read(given)) as suite:
        assert suite.all_pids() == {}
        assert not suite.embeds_postgres
        assert suite.database_url("gateway") == servers.database_url("gateway")
        assert suite.nats_url("schedule") == servers.nats_url("schedule")
        assert suite.nats_url("gateway") == servers.nats_admin
        assert suite.private_key("gateway").is_file()
