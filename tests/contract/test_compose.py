"""docker-compose.yml and what it mounts keep step with the services, and with the house rules."""

import re

import pytest

from services.standalone.permissions import OBSERVER
from services.standalone.settings import SERVICES, variable
from tests.contract.tracked import ROOT

COMPOSE = (ROOT / "docker-compose.yml").read_text(encoding="utf-8")
INIT = (ROOT / "deploy" / "postgres-init.sh").read_text(encoding="utf-8")


def block(name: str) -> str:
    """The lines of one service."""
    found = re.search(rf"^  {name}:\n((?:    .*\n|\n)+)", COMPOSE, flags=re.MULTILINE)
    assert found, f"docker-compose.yml has no {name}"
    return found.group(1)


@pytest.mark.parametrize("service", SERVICES)
def test_every_service_has_a_container_with_its_own_key_database_and_user(service: str) -> None:
    lines = block(service)
    dashed = service.replace("_", "-")

    assert f"command: [services.{service}]" in lines
    assert f"SMARTMATE_PRIVATE_KEY: /keys/{service}.json" in lines
    assert f"SMARTMATE_DATABASE_URL: *{dashed}-database" in lines
    # The agent hears no events and says none.
    assert (f"SMARTMATE_NATS_URL: nats://{service}:" in lines) == (service != "agent")
    assert f'volumes: ["{dashed}-keys:/keys:ro"]' in lines
    assert f"{dashed}-keys:/volumes/{service}" in block("keys")


@pytest.mark.parametrize("service", SERVICES)
def test_every_database_is_made_and_migrated(service: str) -> None:
    roles = re.search(r"^for role in (.*); do$", INIT, flags=re.MULTILINE)

    assert roles
    assert roles.group(1).split() == list(SERVICES)
    assert f"{service.upper()}_PASSWORD: ${{" in block("postgres")
    assert f"{variable(service, 'DATABASE_URL')}: &" in COMPOSE
    assert "<<: *databases" in block("migrate")


@pytest.mark.parametrize("user", [*SERVICES, OBSERVER, "admin"])
def test_every_user_of_the_broker_is_given_a_password(user: str) -> None:
    assert f"{variable(user, 'NATS_PASSWORD')}: ${{" in block("keys")


def test_nothing_is_published_beyond_this_machine() -> None:
    published = re.findall(r"ports: \[(.*)\]", COMPOSE)

    assert len(published) == COMPOSE.count("ports:")
    assert published
    assert all(ports.startswith('"127.0.0.1:') for ports in published)


def test_no_command_line_holds_a_secret() -> None:
    """Whoever may list processes reads them."""
    commands = re.findall(r"^    command: .*$", COMPOSE, flags=re.MULTILINE)

    assert len(commands) > len(SERVICES)
    assert [line for line in commands if "$" in line or "secret" in line] == []


def test_every_container_is_hardened() -> None:
    names = re.findall(r"^  ([a-z_]+):\n    ", COMPOSE.partition("\nservices:\n")[2], re.MULTILINE)
    hardened = re.search(r"x-hardened: &hardened\n((?:  .*\n)+)", COMPOSE)

    assert set(SERVICES) < set(names)
    assert hardened
    assert {"  read_only: true", "  cap_drop: [ALL]"} <= set(hardened.group(1).splitlines())
    assert "<<: [*hardened, *image]" in COMPOSE.partition("x-service:")[2].partition("\nx-")[0]
    for name in names:
        assert re.search(r"<<: (\*service|\*hardened|\[\*hardened)", block(name)), name
