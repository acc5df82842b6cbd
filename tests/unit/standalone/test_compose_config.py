"""What the containers find in their volumes: keys of their own, and the broker's rules."""

import json

import pytest

from libs.events.contract import contracts_in
from services.standalone import compose_config, errors, nats
from services.standalone.permissions import OBSERVER
from services.standalone.settings import SERVICES, variable
from smartmate.events.v1 import events_pb2

USERS = (*SERVICES, OBSERVER, nats.ADMIN)
GIVEN = {variable(user, "NATS_PASSWORD"): f"secret of {user}" for user in USERS}


def test_every_user_of_the_broker_has_a_password_of_its_own() -> None:
    assert compose_config.passwords(GIVEN) == {user: f"secret of {user}" for user in USERS}


@pytest.mark.parametrize("user", USERS)
def test_a_missing_password_is_named(user: str) -> None:
    name = variable(user, "NATS_PASSWORD")

    with pytest.raises(errors.SettingUnreadable) as refused:
        compose_config.passwords({**GIVEN, name: ""})

    assert refused.value.variable == name


def test_the_broker_in_containers_has_the_rules_that_it_has_on_one_machine() -> None:
    users = compose_config.passwords(GIVEN)
    here = compose_config.broker(users)
    one_machine = nats.config(
        users={user: password for user, password in users.items() if user != nats.ADMIN},
        admin_password=users[nats.ADMIN],
        events=tuple(contracts_in(events_pb2.DESCRIPTOR)),
        durable=True,
    )

    assert here["accounts"] == one_machine["accounts"]
    assert here["jetstream"] == one_machine["jetstream"] | {"store_dir": "/data"}
    assert json.loads(json.dumps(here)) == here


def test_the_broker_tells_of_itself_to_its_own_container_alone() -> None:
    here = compose_config.broker(compose_config.passwords(GIVEN))

    assert here["listen"] == "0.0.0.0:4222"
    assert here["http"].startswith("127.0.0.1:")


@pytest.mark.parametrize("owner", ["", "root", "10001", "10001:", "-1:5", "1:2:3"])
def test_an_owner_is_two_numbers(owner: str) -> None:
    with pytest.raises(errors.SettingUnreadable):
        compose_config.identity(owner)


def test_an_owner_is_read() -> None:
    assert compose_config.identity("10001:10002") == (10001, 10002)
