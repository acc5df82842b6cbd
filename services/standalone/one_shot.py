"""Runs a command of a service once and returns what it says (`python -m services.<name> …`)."""

import asyncio
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path

from services.standalone import environment, errors


@dataclass(frozen=True, slots=True)
class Said:
    """How a command ended, and what it said on its two outputs."""

    code: int
    answer: str
    complaint: str


async def run(
    service: str, arguments: tuple[str, ...], *, told: Mapping[str, str], directory: Path
) -> str:
    """Run it in the environment `told`; raises CommandFailed with what it complained about."""
    said = await ask(service, arguments, told=told, directory=directory)
    if said.code:
        raise errors.CommandFailed(said.code, said.complaint)
    return said.answer


async def ask(
    service: str, arguments: tuple[str, ...], *, told: Mapping[str, str], directory: Path
) -> Said:
    """Run it in the environment `told`, however it ends."""
    process = await asyncio.create_subprocess_exec(
        *environment.command(service),
        *arguments,
        env=told,
        cwd=directory,
        stdin=asyncio.subprocess.DEVNULL,
        stdout=asyncio.subprocess.PIPE,
        stderr=asyncio.subprocess.PIPE,
    )
    try:
        answer, complaint = await process.communicate()
    except asyncio.CancelledError:
        process.kill()
        await process.wait()
        raise
    return Said(process.returncode or 0, answer.decode(), complaint.decode(errors="replace"))
