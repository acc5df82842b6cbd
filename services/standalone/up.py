"""`smartmate up`: the suite for real use, until it is told to end."""

import asyncio
import os
import shlex
import shutil
import sys
from pathlib import Path

from services.standalone import environment, upkeep
from services.standalone.home import default_root
from services.standalone.progress import Progress
from services.standalone.signals import INTERRUPTED, Signals
from services.standalone.suite import Suite


async def run(suite: Suite, progress: Progress) -> int:
    """Start everything, wait for a signal, stop in order; returns the exit code."""
    for name in environment.ownerless(os.environ):
        progress.say(f"未使用的密钥变量 {name}", "looks like a secret, no service owns it")
    signals = Signals()
    try:
        async with suite:
            _welcome(suite, progress)
            await _until(signals, suite)
    except asyncio.CancelledError:
        return INTERRUPTED
    return 0


def _welcome(suite: Suite, progress: Progress) -> None:
    progress.say(f"数据 {suite.home.root}", "data, logs, keys, backups")
    program = commanded(suite.home.root)
    progress.say(f"添加用户 {program} user add --name …", "adds a user, in another terminal")
    if suite.embeds_nats:
        progress.say(f"旁听事件 {program} nats-url observer", "how to listen to the events")
    progress.say(f"就绪 {suite.gateway_url}", "ready; Ctrl-C ends it")


def commanded(home: Path) -> str:
    """Return how the program is called in another terminal to reach this data directory."""
    program = called(sys.argv[0], found=shutil.which("smartmate"))
    plain = default_root({**os.environ, "SMARTMATE_HOME": ""}, uid=os.geteuid())
    return program if home == plain else f"SMARTMATE_HOME={shlex.quote(str(home))} {program}"


def called(program: str, *, found: str | None) -> str:
    """Return the program as it was called, by its bare name where the shell finds this very one."""
    if Path(program).name != "smartmate" or program == found:
        return "smartmate"
    return shlex.quote(program)


async def _until(signals: Signals, suite: Suite) -> None:
    async with asyncio.TaskGroup() as group:
        keeping = group.create_task(
            upkeep.run(suite.home, suite.postgres_admin if suite.embeds_postgres else None)
        )
        await signals.wait()
        keeping.cancel()
