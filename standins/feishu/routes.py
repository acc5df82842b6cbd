"""Which path does what: the bot's endpoint, the controls, the page."""

import re

from standins.feishu import page
from standins.feishu.bot import Bot
from standins.feishu.faults import read_script
from standins.feishu.mailbox import Received
from standins.serving import control
from standins.serving.control import BadQuery
from standins.serving.http_server import Answer, Reply, Request, json_reply

HOOK = re.compile(r"/open-apis/bot/v2/hook/(?P<token>[A-Za-z0-9_-]{1,128})")


class Routes:
    """Answers requests for one bot."""

    def __init__(self, bot: Bot) -> None:
        self._bot = bot
        self._table: control.Table = {
            "/": {"GET": self._page},
            "/standin/messages": {"GET": self._messages, "DELETE": self._forget},
            "/standin/script": {
                "GET": self._waiting,
                "POST": self._script,
                "DELETE": self._unscript,
            },
            "/standin/release": {"POST": self._release},
            "/standin/state": {"GET": self._state},
            "/healthz": {"GET": control.healthy},
            "/readyz": {"GET": control.healthy},
        }

    async def respond(self, request: Request) -> Answer:
        """Find the route; 404, 405 and 400 where there is none or it cannot be read."""
        if hook := HOOK.fullmatch(request.path):
            if request.method != "POST":
                return control.not_allowed(("POST",))
            return await self._bot.receive(hook["token"], request.body)
        return await control.dispatch(self._table, request)

    async def _page(self, request: Request) -> Answer:
        state = self._bot.mailbox
        html = page.render(state.select(key=request.query.get("token")), version=state.version)
        return Reply(200, html, "text/html; charset=utf-8", page.HEADERS)

    async def _messages(self, request: Request) -> Answer:
        """`token`, `after`, `verdict` choose; `count` with `wait_ms` waits until so many are in."""
        await control.wait_for(
            request,
            arrived=lambda: len(self._selected(request)),
            change=self._bot.mailbox.change,
        )
        return json_reply({"messages": [item.as_json() for item in self._selected(request)]})

    def _selected(self, request: Request) -> tuple[Received, ...]:
        verdict = request.query.get("verdict")
        if verdict not in (None, "accepted", "refused"):
            raise BadQuery("verdict: accepted or refused")
        found = self._bot.mailbox.select(
            key=request.query.get("token"), after=control.number(request, "after")
        )
        return tuple(
            item for item in found if verdict is None or item.accepted == (verdict == "accepted")
        )

    async def _forget(self, request: Request) -> Answer:
        return json_reply({"deleted": self._bot.mailbox.clear()})

    async def _waiting(self, request: Request) -> Answer:
        waiting = [
            {"token": token, "fault": name, "times": times}
            for token, name, times in self._bot.script.waiting()
        ]
        return json_reply({"waiting": waiting, "held": len(self._bot.held)})

    async def _script(self, request: Request) -> Answer:
        token, faults = read_script(control.json_body(request))
        return json_reply({"queued": self._bot.script.add(token, faults)})

    async def _unscript(self, request: Request) -> Answer:
        self._bot.script.clear()
        return json_reply({"waiting": []})

    async def _release(self, request: Request) -> Answer:
        return json_reply({"released": self._bot.held.release(control.key_of(request, "token"))})

    async def _state(self, request: Request) -> Answer:
        return json_reply({"version": self._bot.mailbox.version})
