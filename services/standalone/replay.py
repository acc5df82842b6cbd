"""Events once more, by the one-shot commands of the service that they concern.

Each runs in the environment of the running suite, in a process of its own: the supervisor knows
neither handlers nor tables of a service.
"""

import json
import os
from collections.abc import Sequence
from datetime import datetime
from typing import Any

from services.standalone import databases, errors, one_shot, told
from services.standalone.home import Home
from services.standalone.settings import StandaloneSettings

UNFINISHED = 1
"""Exit code of a service's command that did a part of what it was told."""


async def letters(settings: StandaloneSettings, service: str) -> list[dict[str, Any]]:
    """The dead letters of a service that were not replayed yet."""
    return await ask(settings, service, "dead-letters")


async def dead_letters(
    settings: StandaloneSettings, service: str, ids: Sequence[int]
) -> list[dict[str, Any]]:
    """Replay these, all where none is named; gives each one's fate."""
    return await ask(settings, service, "replay", *(map(str, ids) if ids else ("--all",)))


async def published(
    settings: StandaloneSettings, service: str, *, since: datetime, until: datetime | None
) -> list[dict[str, Any]]:
    """Publish once more what a service has published since; gives the counts of the run."""
    bounds = ["--since", since.isoformat()]
    bounds += ["--until", until.isoformat()] if until else []
    return await ask(settings, service, "republish", *bounds)


async def ask(settings: StandaloneSettings, service: str, *arguments: str) -> list[dict[str, Any]]:
    """A service's own command, and its lines. Raises CommandFailed where it said none."""
    place = Home(settings.home)
    environment = told.service_environment(service, place, settings, os.environ)
    # Whether the database answers is said in one sentence here, and in a traceback there.
    connection = await databases.connect(environment["SMARTMATE_DATABASE_URL"])
    await connection.close()
    said = await one_shot.ask(service, arguments, told=environment, directory=place.root)
    lines: list[dict[str, Any]] = [json.loads(line) for line in said.answer.splitlines()]
    if said.code and not (said.code == UNFINISHED and lines):
        raise errors.CommandFailed(said.code, said.complaint)
    return lines
