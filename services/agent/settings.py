"""Settings of agent, from the environment variables `SMARTMATE_…`."""

import json
from typing import Any, Literal, Self
from urllib.parse import urlsplit

from pydantic import Field, SecretStr, field_validator, model_validator

from libs.process.settings import ProcessSettings
from services.agent.domain.run import Limits


class Settings(ProcessSettings):
    """What agent needs besides what every service needs. It hears no events and says none."""

    llm_model: str = Field(
        "", description="Model that is asked; without one templates choose and speak"
    )
    llm_base_url: str = Field(
        "", description="Its endpoint, OpenAI-compatible, e.g. https://api.deepseek.com/v1"
    )
    llm_api_key: SecretStr = Field(
        SecretStr(""), description="Key for the endpoint; servers of one's own may need none"
    )
    llm_structured: Literal["json_schema", "json_object", "prompt"] = Field(
        "json_schema",
        description="How the endpoint is asked for JSON; it is asked for less when it refuses",
    )
    llm_thinking_off: str = Field(
        "",
        description="JSON object added to each request so that the model answers without thinking, "
        'e.g. {"thinking": {"type": "disabled"}} or {"enable_thinking": false}',
    )
    llm_token_limit: int = Field(
        2000, ge=0, le=100_000, description="Longest answer in tokens; 0 sets no limit"
    )
    llm_token_limit_name: Literal["max_tokens", "max_completion_tokens"] = Field(
        "max_tokens", description="What the endpoint calls that limit"
    )
    llm_seconds: float = Field(
        7, gt=0, le=8, description="How long the model has for a selection, its retry included"
    )
    schedule_address: str = Field(description="host:port of the schedule service")
    active_scheduler_address: str = Field(description="host:port of the active_scheduler service")
    run_rounds: int = Field(30, ge=1, le=200, description="Decisions that one run may take")
    run_seconds: float = Field(
        120, gt=0, description="How long one run may work; waiting for the person is no work"
    )
    run_tokens: int = Field(400_000, ge=1000, description="Tokens that one run may use")
    run_model_seconds: float = Field(
        40, gt=0, description="How long the model has for one answer in a run"
    )
    run_context_tokens: int = Field(
        12_000, ge=4000, description="How long what a model is sent in a run may be, by estimate"
    )
    run_lease_seconds: float = Field(
        15, gt=0, description="Lease of a run; how long a killed process holds it at most"
    )
    always_execute: bool = Field(
        False, description="Quick notes are written at once, without asking the person"
    )

    @property
    def has_model(self) -> bool:
        return bool(self.llm_model)

    @property
    def limits(self) -> Limits:
        """What ends a run."""
        return Limits(rounds=self.run_rounds, seconds=self.run_seconds, tokens=self.run_tokens)

    @property
    def thinking_off(self) -> dict[str, Any]:
        """What is added to each request."""
        found: dict[str, Any] = json.loads(self.llm_thinking_off or "{}")
        return found

    @field_validator("llm_thinking_off")
    @classmethod
    def _is_object(cls, value: str) -> str:
        try:
            found = json.loads(value or "{}")
        except ValueError as error:
            raise ValueError("a JSON object is needed") from error
        if not isinstance(found, dict):
            raise ValueError("a JSON object is needed")
        return value

    @model_validator(mode="after")
    def _knows_where_the_model_is(self) -> Self:
        parts = urlsplit(self.llm_base_url)
        if self.has_model and (parts.scheme not in ("http", "https") or not parts.netloc):
            raise ValueError("llm_model needs llm_base_url, an http or https address")
        return self
