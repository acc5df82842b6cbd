"""`smartmate user add`, `smartmate user link` and `smartmate token`, beside a suite that runs.

Each asks the gateway's own command, in the environment of the running gateway, and prints its
answer for people, or as JSON for programs.
"""

import asyncio
import json
import os
from typing import Any

from rich.console import Console

from services.standalone import databases, one_shot, told
from services.standalone.home import Home
from services.standalone.settings import StandaloneSettings


def add(
    settings: StandaloneSettings, name: str, *, operator: bool, handle: str | None = None
) -> dict[str, Any]:
    """Make a user; returns its `user_id` and a first `sign_in_url`."""
    role = ("--operator",) if operator else ()
    called = (f"--handle={handle}",) if handle else ()
    made: dict[str, Any] = json.loads(_ask(settings, "user-add", f"--name={name}", *role, *called))
    return made


def link(settings: StandaloneSettings, user: int, next_path: str | None) -> dict[str, Any]:
    """Make another one-time link; returns `user_id` and `sign_in_url`."""
    wanted = (f"--next={next_path}",) if next_path else ()
    made: dict[str, Any] = json.loads(_ask(settings, "sign-in-link", f"--user={user}", *wanted))
    return made


def token(settings: StandaloneSettings, user: int) -> str:
    """Mint a token for programs; the gateway refuses outside of development."""
    return _ask(settings, "token", f"--user={user}").strip()


def show_link(console: Console, made: dict[str, Any]) -> None:
    """Print the link in a line of its own."""
    who = made["user_id"]
    console.print(f"用户 {who} 的登录链接，只能用一次 [dim]sign-in link, works once[/dim]")
    console.print(made["sign_in_url"], markup=False, soft_wrap=True)


def show_json(console: Console, content: dict[str, Any]) -> None:
    """Print one line for programs."""
    console.print(json.dumps(content, ensure_ascii=False), markup=False, soft_wrap=True)


def _ask(settings: StandaloneSettings, *arguments: str) -> str:
    return asyncio.run(_answer(settings, arguments))


async def _answer(settings: StandaloneSettings, arguments: tuple[str, ...]) -> str:
    place = Home(settings.home)
    environment = told.gateway_environment(place, settings, os.environ)
    # Whether the database answers is said in one sentence here, and in a traceback there.
    connection = await databases.connect(environment["SMARTMATE_DATABASE_URL"])
    await connection.close()
    return await one_shot.run(told.GATEWAY, arguments, told=environment, directory=place.root)
