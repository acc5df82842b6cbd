from datetime import timedelta
from pathlib import Path

import pytest
from pydantic import ValidationError

from services.notification.settings import Settings

SEAL_KEY = "c2VhbGVkc2VhbGVkc2VhbGVkc2VhbGVkc2VhbGVkMTI="


def settings(**about: object) -> Settings:
    fields: dict[str, object] = {
        "database_url": "postgresql+asyncpg://x@y/z",
        "nats_url": "nats://x@y",
        "listen": "127.0.0.1:1",
        "public_keys": Path("keys"),
        "private_key": Path("key"),
        "seal_key": SEAL_KEY,
        "public_base_url": "https://smartmate.example/",
        "active_scheduler_address": "127.0.0.1:2",
    }
    return Settings(**{**fields, **about})  # type: ignore[arg-type]


def test_the_defaults_are_those_of_the_specification() -> None:
    chosen = settings()
    assert (chosen.backoff_first_seconds, chosen.backoff_most_seconds) == (5, 300)
    assert chosen.send_lease_seconds == chosen.provider_total_seconds + 30
    assert (chosen.webhook_per_second, chosen.webhook_per_minute) == (4, 90)
    assert chosen.min_life_seconds == 120
    assert chosen.extra_hosts == frozenset()
    assert (chosen.window.length, chosen.window.margin) == (
        timedelta(minutes=5),
        timedelta(minutes=10),
    )
    assert (chosen.test_life_seconds, chosen.test_wait_seconds) == (600, 8)


def test_the_base_address_ends_without_a_slash() -> None:
    assert settings().public_base_url == "https://smartmate.example"


@pytest.mark.parametrize(
    "url", ["", "smartmate.example", "ftp://x", "https://", "https://x/?a=b", "https://ä.example"]
)
def test_a_base_address_that_no_link_can_begin_with_is_refused(url: str) -> None:
    with pytest.raises(ValidationError):
        settings(public_base_url=url)


def test_hosts_of_stand_ins_are_a_comma_list() -> None:
    chosen = settings(allowed_webhook_hosts=" 127.0.0.1:8090, STANDIN:80 ,")
    assert chosen.extra_hosts == {"127.0.0.1:8090", "standin:80"}


def test_a_lease_that_could_lapse_under_an_attempt_is_refused() -> None:
    with pytest.raises(ValidationError):
        settings(send_lease_seconds=13)
    assert settings(send_lease_seconds=13.5).send_lease_seconds == 13.5


def test_connecting_that_could_use_up_an_attempt_is_refused() -> None:
    with pytest.raises(ValidationError):
        settings(provider_total_seconds=9, provider_connect_seconds=3)
    assert settings(provider_total_seconds=9.5, provider_connect_seconds=3)


def test_the_sealing_key_is_not_shown() -> None:
    assert SEAL_KEY not in repr(settings())


def test_every_setting_is_described() -> None:
    assert [name for name, one in Settings.model_fields.items() if not one.description] == []
