"""What the control API of every stand-in does: requests seen, script, held answers."""

import asyncio
import contextlib
import json
from collections.abc import Awaitable, Callable, Mapping

from standins.serving.fields import ScriptError
from standins.serving.http_server import Answer, Reply, Request, json_reply

MAX_WAIT_MS = 60_000

Table = Mapping[str, Mapping[str, Callable[[Request], Awaitable[Answer]]]]
"""Path → method → what answers."""


class BadQuery(Exception):
    """A query or body of the control API cannot be read."""


async def dispatch(table: Table, request: Request) -> Answer:
    """Find the route; 404, 405 and 400 where there is none or it cannot be read."""
    methods = table.get(request.path)
    if methods is None:
        return json_reply({"error": "no such path"}, 404)
    if request.method not in methods:
        return not_allowed(tuple(methods))
    try:
        return await methods[request.method](request)
    except (BadQuery, ScriptError) as error:
        return json_reply({"error": str(error)}, 400)


def not_allowed(methods: tuple[str, ...]) -> Reply:
    error = json_reply({"error": "method not allowed"}, 405)
    return Reply(405, error.body, error.content_type, (("Allow", ", ".join(methods)),))


async def healthy(request: Request) -> Answer:
    return json_reply({"status": "ok"})


async def wait_for(
    request: Request, *, arrived: Callable[[], int], change: Callable[[], Awaitable[None]]
) -> None:
    """Return when `count` have arrived, or after `wait_ms`, as the query says.

    Out of patience the list as it stands is the answer: the caller sees that it is short.
    """
    wanted, patience = number(request, "count"), number(request, "wait_ms")
    with contextlib.suppress(TimeoutError):
        async with asyncio.timeout(min(patience, MAX_WAIT_MS) / 1000):
            while arrived() < wanted:
                await change()


def number(request: Request, name: str) -> int:
    """A whole number out of the query; 0 where none was given."""
    text = request.query.get(name, "0")
    if not (text.isascii() and text.isdigit() and len(text) < 16):
        raise BadQuery(f"{name}: a whole number is needed")
    return int(text)


def json_body(request: Request) -> object:
    """The body as JSON."""
    try:
        value: object = json.loads(request.body)
    except (ValueError, RecursionError) as error:
        raise BadQuery("the body is not JSON") from error
    return value


def key_of(request: Request, name: str) -> str | None:
    """The key that a body names; None where there is no body, or it names none."""
    given = json_body(request) if request.body else {}
    key = given.get(name) if isinstance(given, dict) else None
    if key is not None and not isinstance(key, str):
        raise BadQuery(f"{name}: a string is needed")
    return key
