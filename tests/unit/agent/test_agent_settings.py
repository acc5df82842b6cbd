"""What the agent takes as settings."""

import pytest
from pydantic import ValidationError

from services.agent.settings import Settings

NEEDED = {
    "database_url": "postgresql+asyncpg://agent:x@127.0.0.1/agent",
    "listen": "127.0.0.1:1",
    "public_keys": "/keys/public.json",
    "private_key": "/keys/agent.json",
    "schedule_address": "127.0.0.1:2",
    "active_scheduler_address": "127.0.0.1:3",
}


def settings(**given: object) -> Settings:
    return Settings(**{**NEEDED, **given})  # type: ignore[arg-type]


def test_no_model_is_needed_and_no_broker() -> None:
    found = settings()
    assert not found.has_model
    assert "nats_url" not in Settings.model_fields


def test_a_model_needs_an_address_and_no_key() -> None:
    found = settings(llm_model="m", llm_base_url="http://127.0.0.1:11434/v1")
    assert found.has_model
    assert found.llm_api_key.get_secret_value() == ""


@pytest.mark.parametrize("address", ["", "127.0.0.1:11434", "ftp://x/v1", "https://"])
def test_a_model_without_a_proper_address_is_refused(address: str) -> None:
    with pytest.raises(ValidationError, match="llm_base_url"):
        settings(llm_model="m", llm_base_url=address)


def test_thinking_is_turned_off_by_an_object() -> None:
    found = settings(llm_thinking_off='{"enable_thinking": false}')
    assert found.thinking_off == {"enable_thinking": False}
    for wrong in ("[]", "no", "3"):
        with pytest.raises(ValidationError, match="JSON object"):
            settings(llm_thinking_off=wrong)


def test_a_key_stands_in_no_text() -> None:
    found = settings(llm_model="m", llm_base_url="https://x/v1", llm_api_key="sk-secret")
    assert "sk-secret" not in repr(found)
    with pytest.raises(ValidationError) as refused:
        settings(llm_model="m", llm_base_url="", llm_api_key="sk-secret")
    assert "sk-secret" not in str(refused.value)


def test_the_models_time_fits_into_the_eight_seconds_of_a_selection() -> None:
    with pytest.raises(ValidationError):
        settings(llm_seconds=8.5)
