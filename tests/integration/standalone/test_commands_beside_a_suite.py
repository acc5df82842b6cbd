"""User and token commands: the gateway's own command in the environment of the running gateway."""

import asyncio
from collections.abc import AsyncIterator
from pathlib import Path

import pytest
from rich.console import Console

from services.standalone import (
    databases,
    errors,
    files,
    home,
    members,
    settings,
    told,
    undo_command,
)
from services.standalone.home import Home
from services.standalone.settings import StandaloneSettings
from services.standalone.suite import Suite
from tests.integration.standalone.conftest import copy
from tests.integration.standalone.parts import lay_dummies, no_settings

BASE = "https://plan.example"


@pytest.fixture(scope="module")
async def suite(used: Path) -> AsyncIterator[Suite]:
    """Dummies on real servers: the commands need no more than the gateway's database."""
    with home.temporary() as place:
        copy(used, place)
        dummies = str(lay_dummies(place / "dummies"))
        overrides = {
            "*": {"PYTHONPATH": dummies, "ENDED": str(place / "ended")},
            "gateway": {"SMARTMATE_PUBLIC_BASE_URL": BASE, "SMARTMATE_OIDC_CLIENT_SECRET": "idp"},
        }
        async with Suite(configuration=no_settings(place), overrides=overrides) as running:
            yield running


def here(suite: Suite) -> StandaloneSettings:
    return no_settings(suite.home.root)


async def test_a_link_leads_where_the_running_gateway_was_told_that_it_is(suite: Suite) -> None:
    made = await asyncio.to_thread(members.add, here(suite), "-小满", operator=True)
    assert made["sign_in_url"].startswith(f"{BASE}/sign-in/")
    again = await asyncio.to_thread(members.link, here(suite), made["user_id"], "/week")
    assert again["user_id"] == made["user_id"]
    assert again["sign_in_url"] != made["sign_in_url"]


async def test_the_gateways_refusals_are_passed_on(
    suite: Suite, monkeypatch: pytest.MonkeyPatch
) -> None:
    with pytest.raises(errors.CommandFailed, match="user_not_found: no user 404"):
        await asyncio.to_thread(members.link, here(suite), 404, None)
    with pytest.raises(errors.CommandFailed, match="invalid_name: a name is one line of 1 to 60"):
        await asyncio.to_thread(members.add, here(suite), "", operator=False)
    with pytest.raises(errors.CommandFailed, match="where SMARTMATE_DEVELOPMENT is true"):
        await asyncio.to_thread(members.token, here(suite), 1)
    monkeypatch.setenv("SMARTMATE_DEVELOPMENT", "true")
    made = await asyncio.to_thread(members.add, here(suite), "小满", operator=False)
    token = await asyncio.to_thread(members.token, here(suite), made["user_id"])
    assert token.count(".") == 2


async def test_an_undo_is_the_schedule_services_own_command(suite: Suite) -> None:
    asked = undo_command.run, here(suite), Console()
    with pytest.raises(errors.CommandFailed, match="apply_not_found"):
        await asyncio.to_thread(*asked, user=404, apply_id=None, as_json=True)
    with pytest.raises(errors.CommandFailed, match="apply_not_found"):
        await asyncio.to_thread(*asked, user=404, apply_id="asa_nobody", as_json=False)


async def test_no_secret_is_written_down(suite: Suite) -> None:
    written = suite.home.told.read_text()
    kept = suite.parts.secrets
    secrets = (*kept.database.values(), *kept.nats.values(), kept.seal_key, "idp")
    assert not [secret for secret in secrets if secret in written]
    assert suite.home.told.stat().st_mode & 0o077 == 0


async def test_the_rebuilt_environment_is_the_gateways_own(suite: Suite) -> None:
    rebuilt = told.gateway_environment(suite.home, here(suite), {})
    own = suite.environment("gateway")
    assert {name: value for name, value in rebuilt.items() if name.startswith("SMARTMATE_")} == {
        name: value
        for name, value in own.items()
        if name.startswith("SMARTMATE_") and value != "idp"
    }


async def test_the_observers_address_is_the_suites(suite: Suite) -> None:
    assert told.observer_url(suite.home, here(suite)) == suite.observer_nats_url
    given = settings.read({"SMARTMATE_NATS_URL": "nats://admin@broker:4222"})
    with pytest.raises(errors.NoObserver):
        told.observer_url(suite.home, given)


async def test_without_a_suite_a_given_database_is_enough(suite: Suite, empty: Path) -> None:
    place = home.prepare(empty)
    environment = {"SMARTMATE_LISTEN": "127.0.0.1:1", "SMARTMATE_PUBLIC_BASE_URL": BASE}
    addresses = {
        f"SMARTMATE_{service.upper()}_ADDRESS": "127.0.0.1:1"
        for service in ("schedule", "active_scheduler", "notification")
    }
    told.write_down(place, environment | addresses, embeds_postgres=False)
    files.write_private(place.secrets, suite.home.secrets.read_text())
    named = {
        "SMARTMATE_HOME": str(empty),
        "SMARTMATE_NATS_URL": suite.nats_admin,
        "SMARTMATE_GATEWAY_DATABASE_URL": suite.database_url("gateway"),
    }
    made = await asyncio.to_thread(members.add, settings.read(named), "小满", operator=False)
    assert made["user_id"] > 0
    away = named | {"SMARTMATE_GATEWAY_DATABASE_URL": "postgresql://gateway:secret@127.0.0.1:9/g"}
    with pytest.raises(errors.ServerUnreachable) as silent:
        await asyncio.to_thread(members.link, settings.read(away), 1, None)
    assert "secret" not in str(silent.value)
    with pytest.raises(errors.DatabaseUnnamed, match="SMARTMATE_GATEWAY_DATABASE_URL"):
        told.gateway_environment(place, no_settings(empty), {})


def test_an_administrators_database_is_known_without_asking_it(empty: Path) -> None:
    place = home.prepare(empty)
    told.write_down(place, {}, embeds_postgres=False)
    given = {
        "SMARTMATE_POSTGRES_URL": "postgresql://root:p%40ss@db:5433/postgres?sslmode=require",
        "SMARTMATE_NATS_URL": "nats://broker:4222",
    }
    found = told.gateway_environment(place, settings.read(given), {})
    address = databases.plain(found["SMARTMATE_DATABASE_URL"])
    assert address.startswith("postgresql://gateway:")
    assert address.endswith("@db:5433/gateway?sslmode=require")
    assert found["SMARTMATE_NATS_URL"] == "nats://broker:4222"


def test_where_no_suite_ever_ran_that_is_said_and_nothing_is_made(empty: Path) -> None:
    configuration = no_settings(empty / "nowhere")
    with pytest.raises(errors.SuiteNotRunning, match="nowhere"):
        told.gateway_environment(Home(configuration.home), configuration, {})
    with pytest.raises(errors.SuiteNotRunning, match="nowhere"):
        told.observer_url(Home(configuration.home), configuration)
    assert list(empty.iterdir()) == []
