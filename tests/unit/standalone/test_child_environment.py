"""The environment of each child: its own secrets, everybody's addresses, nothing else."""

from dataclasses import replace
from pathlib import Path

import pytest

from services.standalone import assembly, environment, errors, settings
from services.standalone.home import Home
from services.standalone.settings import SERVICES

PLACES = environment.Places(
    listen={
        "schedule": ("127.0.0.1:1", "127.0.0.1:2"),
        "active_scheduler": ("127.0.0.1:3",),
        "notification": ("127.0.0.1:4",),
        "gateway": ("0.0.0.0:5",),
        "agent": ("127.0.0.1:10",),
    },
    ops={
        "schedule": ("127.0.0.1:6", "127.0.0.1:7"),
        "active_scheduler": ("127.0.0.1:8",),
        "notification": ("127.0.0.1:9",),
        "agent": ("127.0.0.1:11",),
        "gateway": ("127.0.0.1:12",),
    },
)


def wiring(overrides: dict[str, dict[str, str]] | None = None) -> environment.Wiring:
    return environment.Wiring(
        home=Home(Path("/home")),
        places=PLACES,
        database_urls={service: f"database of {service}" for service in SERVICES},
        nats_urls={service: f"broker of {service}" for service in SERVICES},
        seal_key="sealed",
        overrides=overrides or {},
    )


def of(service: str, index: int = 0, **given: str) -> dict[str, str]:
    return environment.of_service(service, index, wiring(), given)


def test_each_replica_has_its_own_address_and_its_services_secrets() -> None:
    found = of("schedule", 1)
    assert found["SMARTMATE_LISTEN"] == "127.0.0.1:2"
    assert found["SMARTMATE_OPS_LISTEN"] == "127.0.0.1:7"
    assert found["SMARTMATE_DATABASE_URL"] == "database of schedule"
    assert found["SMARTMATE_NATS_URL"] == "broker of schedule"
    assert found["SMARTMATE_PRIVATE_KEY"] == "/home/keys/schedule.json"


def test_replicas_are_dialled_as_one_target() -> None:
    found = of("gateway")
    assert found["SMARTMATE_SCHEDULE_ADDRESS"] == "ipv4:127.0.0.1:1,127.0.0.1:2"
    assert found["SMARTMATE_NOTIFICATION_ADDRESS"] == "127.0.0.1:4"


def test_figures_are_told_on_a_port_that_visitors_do_not_come_by() -> None:
    assert of("gateway")["SMARTMATE_OPS_LISTEN"] == "127.0.0.1:12"


def test_a_gateway_on_every_address_is_asked_and_linked_on_this_machine() -> None:
    assert PLACES.readiness("gateway", 0) == "127.0.0.1:12"
    assert of("notification")["SMARTMATE_PUBLIC_BASE_URL"] == "http://127.0.0.1:5"


def test_an_agent_that_does_not_run_is_nobodys_to_ask() -> None:
    assert of("active_scheduler")["SMARTMATE_AGENT_ADDRESS"] == "127.0.0.1:10"
    without = replace(wiring(), running=("schedule", "active_scheduler"))
    found = environment.of_service("active_scheduler", 0, without, {})
    assert "SMARTMATE_AGENT_ADDRESS" not in found
    assert found["SMARTMATE_NOTIFICATION_ADDRESS"] == "127.0.0.1:4"


def test_a_model_stand_in_takes_the_place_of_the_persons_own_model() -> None:
    own = {
        "SMARTMATE_LLM_MODEL": "m",
        "SMARTMATE_LLM_BASE_URL": "https://model.example/v1",
        "SMARTMATE_LLM_API_KEY": "sk-own",
    }
    assert of("agent", **own).items() >= own.items()
    assert "sk-own" not in of("active_scheduler", **own).values()
    with_standin = replace(wiring(), places=replace(PLACES, llm="127.0.0.1:12"))
    found = environment.of_service("agent", 0, with_standin, own)
    assert found["SMARTMATE_LLM_BASE_URL"] == "http://127.0.0.1:12/v1"
    assert not set(own.values()) & set(found.values())


def test_a_persons_own_setting_reaches_every_service_and_wins() -> None:
    found = of("gateway", SMARTMATE_PUBLIC_BASE_URL="https://plan.example")
    assert found["SMARTMATE_PUBLIC_BASE_URL"] == "https://plan.example"


def test_a_secret_reaches_its_owner_alone() -> None:
    given = {"SMARTMATE_SEAL_KEY": "mine", "SMARTMATE_OIDC_CLIENT_SECRET": "idp"}
    assert of("notification", **given)["SMARTMATE_SEAL_KEY"] == "mine"
    assert "idp" not in of("notification", **given).values()
    assert of("gateway", **given)["SMARTMATE_OIDC_CLIENT_SECRET"] == "idp"
    assert "mine" not in of("gateway", **given).values()


def test_a_secret_nobody_owns_reaches_nobody_and_is_told() -> None:
    given = {"SMARTMATE_MYSTERY_TOKEN": "x", "AWS_SECRET_ACCESS_KEY": "y"}
    for service in SERVICES:
        assert not {"x", "y"} & set(of(service, **given).values())
    assert environment.ownerless(given) == ("SMARTMATE_MYSTERY_TOKEN",)


def test_the_suites_own_addresses_are_not_handed_down() -> None:
    given = {
        "SMARTMATE_POSTGRES_URL": "admin",
        "SMARTMATE_NATS_URL": "admin",
        "SMARTMATE_GATEWAY_DATABASE_URL": "theirs",
        "SMARTMATE_SCHEDULE_NATS_URL": "theirs",
        "SMARTMATE_HOME": "elsewhere",
    }
    assert not {"admin", "theirs", "elsewhere"} & set(of("schedule", **given).values())


def test_overrides_win_over_everything_and_a_services_over_everybodys() -> None:
    overrides = {
        "*": {"SMARTMATE_A": "all", "SMARTMATE_B": "all"},
        "schedule": {"SMARTMATE_B": "own"},
    }
    found = environment.of_service("schedule", 0, wiring(overrides), {"SMARTMATE_A": "given"})
    assert (found["SMARTMATE_A"], found["SMARTMATE_B"]) == ("all", "own")
    assert environment.of_service("gateway", 0, wiring(overrides), {})["SMARTMATE_B"] == "all"


def test_a_child_imports_from_where_we_do_whatever_its_working_directory() -> None:
    path = environment.system({"PYTHONPATH": "/their/own::/their/own"})["PYTHONPATH"].split(":")
    assert path == [*environment.source_roots(), "/their/own"]


@pytest.mark.parametrize(
    ("process", "service", "same"),
    [
        ("schedule", "schedule", True),
        ("schedule-1", "schedule", True),
        ("active_scheduler", "schedule", False),
        ("schedule", "active_scheduler", False),
        ("schedule-1", "schedule-1", True),
    ],
)
def test_replicas_are_known_by_name(process: str, service: str, same: bool) -> None:
    assert assembly.of_same_kind(process, service) is same


def test_settings_are_read_by_service() -> None:
    found = settings.read(
        {
            "SMARTMATE_HOME": "/data",
            "SMARTMATE_GATEWAY_DATABASE_URL": "postgresql://g",
            "SMARTMATE_SCHEDULE_NATS_URL": "nats://s",
            "SMARTMATE_STREAM_REPLICAS": "3",
            "SMARTMATE_NATS_URL": "",
        }
    )
    assert found.home == Path("/data")
    assert found.database_urls == {"gateway": "postgresql://g"}
    assert found.nats_urls == {"schedule": "nats://s"}
    assert (found.stream_replicas, found.nats_url) == (3, None)


@pytest.mark.parametrize("text", ["0", "6", "many", "-1", "２"])
def test_an_impossible_number_of_replicas_is_refused(text: str) -> None:
    with pytest.raises(errors.SettingUnreadable, match="SMARTMATE_STREAM_REPLICAS"):
        settings.read({"SMARTMATE_STREAM_REPLICAS": text})
