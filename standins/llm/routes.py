"""Which path does what: the endpoint, the controls."""

from dataclasses import replace

from standins.llm.model import Asked, Model
from standins.llm.plays import read_play
from standins.llm.steps import read_script
from standins.serving import control
from standins.serving.fields import ScriptError
from standins.serving.http_server import Answer, Request, json_reply


class Routes:
    """Answers requests for one stand-in."""

    def __init__(self, model: Model) -> None:
        self._model = model
        self._table: control.Table = {
            "/v1/chat/completions": {"POST": model.complete},
            "/v1/models": {"GET": self._models},
            "/standin/requests": {"GET": self._requests, "DELETE": self._forget},
            "/standin/script": {
                "GET": self._waiting,
                "POST": self._script,
                "DELETE": self._unscript,
            },
            "/standin/release": {"POST": self._release},
            "/standin/play": {"GET": self._played, "POST": self._play},
            "/standin/state": {"GET": self._state},
            "/healthz": {"GET": control.healthy},
            "/readyz": {"GET": control.healthy},
        }

    async def respond(self, request: Request) -> Answer:
        """Find the route."""
        return await control.dispatch(self._table, request)

    async def _models(self, request: Request) -> Answer:
        return self._model.listed()

    async def _requests(self, request: Request) -> Answer:
        """`model`, `after` choose; `count` with `wait_ms` waits until so many are in."""
        await control.wait_for(
            request,
            arrived=lambda: len(self._selected(request)),
            change=self._model.mailbox.change,
        )
        return json_reply({"requests": [one.as_json() for one in self._selected(request)]})

    def _selected(self, request: Request) -> tuple[Asked, ...]:
        return self._model.mailbox.select(
            key=request.query.get("model"), after=control.number(request, "after")
        )

    async def _forget(self, request: Request) -> Answer:
        return json_reply({"deleted": self._model.mailbox.clear()})

    async def _waiting(self, request: Request) -> Answer:
        waiting = [
            {"model": model, "step": name, "times": times}
            for model, name, times in self._model.script.waiting()
        ]
        return json_reply({"waiting": waiting, "held": len(self._model.held)})

    async def _script(self, request: Request) -> Answer:
        model, steps = read_script(control.json_body(request))
        return json_reply({"queued": self._model.script.add(model, steps)})

    async def _unscript(self, request: Request) -> Answer:
        self._model.script.clear()
        return json_reply({"waiting": []})

    async def _release(self, request: Request) -> Answer:
        return json_reply({"released": self._model.held.release(control.key_of(request, "model"))})

    async def _played(self, request: Request) -> Answer:
        settings = self._model.settings
        return json_reply({"play": settings.play, "seed": settings.seed})

    async def _play(self, request: Request) -> Answer:
        """From the next request on: `{"play": "planner" | "dull" | "rogue", "seed": n}`."""
        given = control.json_body(request)
        if not isinstance(given, dict):
            raise ScriptError("an object is needed")
        self._model.settings = replace(self._model.settings, **read_play(given))
        return await self._played(request)

    async def _state(self, request: Request) -> Answer:
        return json_reply({"version": self._model.mailbox.version})
