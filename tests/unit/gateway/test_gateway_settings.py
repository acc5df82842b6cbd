"""Settings that would not work are refused at the start."""

from datetime import timedelta
from typing import Any

import pytest
from pydantic import ValidationError

from services.gateway.settings import GatewaySettings

GIVEN: dict[str, Any] = {
    "database_url": "postgresql+asyncpg://gateway@db/gateway",
    "nats_url": "nats://gateway@broker:4222",
    "listen": "127.0.0.1:8210",
    "public_keys": "public.json",
    "private_key": "gateway.json",
    "schedule_address": "schedule:50051",
    "active_scheduler_address": "ipv4:10.0.0.1:50051,10.0.0.2:50051",
    "notification_address": "dns:///notification:50051",
    "public_base_url": "https://smartmate.example/",
}


def settings(**more: Any) -> GatewaySettings:
    return GatewaySettings(**{**GIVEN, **more})


def test_the_public_address_is_an_origin() -> None:
    made = settings()
    assert made.public_base_url == "https://smartmate.example"
    assert made.is_https
    assert not settings(public_base_url="http://127.0.0.1:8210").is_https


@pytest.mark.parametrize(
    "url",
    [
        "",
        "smartmate.example",
        "ftp://smartmate.example",
        "https://",
        "https://smartmate.example/app",
        "https://smartmate.example?x",
        "https://user@smartmate.example",
    ],
)
def test_what_is_no_origin_is_refused(url: str) -> None:
    with pytest.raises(ValidationError):
        settings(public_base_url=url)


def test_lives_are_durations() -> None:
    made = settings(session_life="P7D", sign_in_link_life="PT1M")
    assert (made.session_life, made.sign_in_link_life) == (timedelta(days=7), timedelta(minutes=1))
    with pytest.raises(ValidationError):
        settings(session_life="PT0S")


def test_every_setting_says_what_it_is_for() -> None:
    fields = GatewaySettings.model_fields.items()
    assert [name for name, field in fields if not field.description] == []
