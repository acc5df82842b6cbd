"""Runs a command of a service once and returns what it says (`python -m services.<name> …`)."""

import asyncio
from collections.abc import Mapping
from pathlib import Path

from services.standalone import environment, errors


async def run(
    service: str, arguments: tuple[str, ...], *, told: Mapping[str, str], directory: Path
) -> str:
    """Run it in the environment `told`; raises CommandFailed with what it complained about."""
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
        said, complained = await process.communicate()
    except asyncio.CancelledError:
        process.kill()
        await process.wait()
        raise
    if process.returncode:
        raise errors.CommandFailed(process.returncode, complained.decode(errors="replace"))
    return said.decode()
