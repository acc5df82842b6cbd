"""Which path does what: the bot's endpoint, the controls, the page."""

import asyncio
import contextlib
import json
import re
from collections.abc import Awaitable, Callable, Mapping

from standins.feishu import page
from standins.feishu.bot import Bot
from standins.feishu.faults import ScriptError, read_script
from standins.feishu.http_server import Answer, Reply, Request, json_reply
from standins.feishu.mailbox import Received

HOOK = re.compile(r"/open-apis/bot/v2/hook/(?P<token>[A-Za-z0-9_-]{1,128})")
MAX_WAIT_MS = 60_000


class BadQuery(Exception):
    """A query or body of the control API cannot be read."""


class Routes:
    """Answers requests for one bot."""

    def __init__(self, bot: Bot) -> None:
        self._bot = bot
        self._table: Mapping[str, Mapping[str, Callable[[Request], Awaitable[Answer]]]] = {
            "/": {"GET": self._page},
            "/standin/messages": {"GET": self._messages, "DELETE": self._forget},
            "/standin/script": {
                "GET": self._waiting,
                "POST": self._script,
                "DELETE": self._unscript,
            },
            "/standin/release": {"POST": self._release},
            "/standin/state": {"GET": self._state},
            "/healthz": {"GET": self._healthy},
            "/readyz": {"GET": self._healthy},
        }

    async def respond(self, request: Request) -> Answer:
        """Find the route; 404, 405 and 400 where there is none or it cannot be read."""
        if hook := HOOK.fullmatch(request.path):
            if request.method != "POST":
                return _not_allowed(("POST",))
            return await self._bot.receive(hook["token"], request.body)
        methods = self._table.get(request.path)
        if methods is None:
            return json_reply({"error": "no such path"}, 404)
        if request.method not in methods:
            return _not_allowed(tuple(methods))
        try:
            return await methods[request.method](request)
        except (BadQuery, ScriptError) as error:
            return json_reply({"error": str(error)}, 400)

    async def _page(self, request: Request) -> Answer:
        state = self._bot.mailbox
        html = page.render(state.select(token=request.query.get("token")), version=state.version)
        return Reply(200, html, "text/html; charset=utf-8", page.HEADERS)

    async def _messages(self, request: Request) -> Answer:
        """`token`, `after`, `verdict` choose; `count` with `wait_ms` waits until so many are in."""
        wanted, patience = _number(request, "count"), _number(request, "wait_ms")
        # Out of patience the list as it stands is the answer: the caller sees that it is short.
        with contextlib.suppress(TimeoutError):
            async with asyncio.timeout(min(patience, MAX_WAIT_MS) / 1000):
                while len(self._selected(request)) < wanted:
                    await self._bot.mailbox.change()
        return json_reply({"messages": [item.as_json() for item in self._selected(request)]})

    def _selected(self, request: Request) -> tuple[Received, ...]:
        verdict = request.query.get("verdict")
        if verdict not in (None, "accepted", "refused"):
            raise BadQuery("verdict: accepted or refused")
        found = self._bot.mailbox.select(
            token=request.query.get("token"), after=_number(request, "after")
        )
        return tuple(
            item for item in found if verdict is None or item.accepted == (verdict == "accepted")
        )

    async def _forget(self, request: Request) -> Answer:
        return json_reply({"deleted": self._bot.mailbox.clear()})

    async def _waiting(self, request: Request) -> Answer:
        return json_reply({"waiting": list(self._bot.script.waiting()), "held": self._bot.held})

    async def _script(self, request: Request) -> Answer:
        token, faults = read_script(_json(request))
        return json_reply({"queued": self._bot.script.add(token, faults)})

    async def _unscript(self, request: Request) -> Answer:
        self._bot.script.clear()
        return json_reply({"waiting": []})

    async def _release(self, request: Request) -> Answer:
        given = _json(request) if request.body else {}
        token = given.get("token") if isinstance(given, dict) else None
        if token is not None and not isinstance(token, str):
            raise BadQuery("token: a string is needed")
        return json_reply({"released": self._bot.release(token)})

    async def _state(self, request: Request) -> Answer:
        return json_reply({"version": self._bot.mailbox.version})

    async def _healthy(self, request: Request) -> Answer:
        return json_reply({"status": "ok"})


def _not_allowed(methods: tuple[str, ...]) -> Reply:
    error = json_reply({"error": "method not allowed"}, 405)
    return Reply(405, error.body, error.content_type, (("Allow", ", ".join(methods)),))


def _number(request: Request, name: str) -> int:
    text = request.query.get(name, "0")
    if not (text.isascii() and text.isdigit() and len(text) < 16):
        raise BadQuery(f"{name}: a whole number is needed")
    return int(text)


def _json(request: Request) -> object:
    try:
        value: object = json.loads(request.body)
    except (ValueError, RecursionError) as error:
        raise BadQuery("the body is not JSON") from error
    return value
