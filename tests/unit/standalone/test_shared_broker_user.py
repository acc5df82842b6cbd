"""A given NATS server without a user for each service: it works, and is said in so many words."""

import contextlib
from dataclasses import dataclass, field
from pathlib import Path

import pytest

from services.standalone import assembly, settings
from services.standalone.assembly import Options


@dataclass
class Heard:
    """Keeps what is said."""

    lines: list[str] = field(default_factory=list)

    def step(self, chinese: str, english: str) -> contextlib.AbstractContextManager[None]:
        return contextlib.nullcontext()

    def say(self, chinese: str, english: str) -> None:
        self.lines.append(f"{chinese} {english}")


def told(**given: str) -> list[str]:
    options = Options(
        root=Path("/home"),
        settings=settings.read({"SMARTMATE_HOME": "/home", **given}),
        services=("schedule", "gateway"),
        replicas={},
        feishu_standin=False,
        llm_standin=False,
        overrides={},
        durable=False,
        listen=None,
    )
    heard = Heard()
    assembly.tell_of_shared_users(options, heard)
    return heard.lines


def test_the_services_that_are_given_the_administrators_user_are_named() -> None:
    (line,) = told(
        SMARTMATE_NATS_URL="nats://admin:pw@h:1", SMARTMATE_GATEWAY_NATS_URL="nats://g:pw@h:1"
    )
    assert "schedule" in line
    assert "gateway" not in line
    assert "pw" not in line


@pytest.mark.parametrize(
    "given",
    [
        {},
        {
            "SMARTMATE_NATS_URL": "nats://admin:pw@h:1",
            "SMARTMATE_GATEWAY_NATS_URL": "nats://g:pw@h:1",
            "SMARTMATE_SCHEDULE_NATS_URL": "nats://s:pw@h:1",
        },
    ],
)
def test_users_of_their_own_are_nothing_to_speak_of(given: dict[str, str]) -> None:
    assert told(**given) == []
