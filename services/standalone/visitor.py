"""Visitors of the suite's HTTP edge: a browser without JavaScript, and a program.

Both try again where the edge or a service behind it is away, with the same Idempotency-Key, and
give up after a while: what the demo and the smoke run do must survive a restart of any service.
"""

import asyncio
import uuid
from collections.abc import Mapping
from dataclasses import dataclass, field
from html.parser import HTMLParser
from typing import Any
from urllib.parse import urlsplit

import httpx2

from services.standalone.errors import StandaloneError

_AWAY = frozenset({502, 503, 504})
_SPENT = 410
_TRY_FOR_SECONDS = 60.0
_TRY_AGAIN_SECONDS = 0.2
_QUOTED = 300


class Unexpected(StandaloneError):
    """The suite answered otherwise than it must, or not at all."""

    reason = "unexpected"


class LinkSpent(Unexpected):
    """The one-time link does not open any more."""

    reason = "link_spent"


def client(url: str, *, patience: float = 40.0) -> httpx2.AsyncClient:
    """A client of one address; it goes nowhere else. `patience` in seconds, per answer."""
    return httpx2.AsyncClient(
        base_url=url, timeout=patience, trust_env=False, follow_redirects=False
    )


async def send(client: httpx2.AsyncClient, method: str, path: str, **more: Any) -> httpx2.Response:
    """One request, again for as long as the other side is away, within a minute.

    Raises Unexpected when it stays away.
    """
    loop = asyncio.get_running_loop()
    ends_at = loop.time() + _TRY_FOR_SECONDS
    while True:
        try:
            answer = await client.request(method, path, **more)
        except httpx2.TransportError as error:
            if loop.time() > ends_at:
                raise Unexpected(f"{method} {path}: no answer, {error!r}") from error
        else:
            if answer.status_code not in _AWAY or loop.time() > ends_at:
                return answer
        await asyncio.sleep(_TRY_AGAIN_SECONDS)


def _refused(method: str, path: str, answer: httpx2.Response) -> Unexpected:
    """The news of an answer that should have been another, in words."""
    is_page = answer.headers.get("content-type", "").startswith("text/html")
    text = words_of(answer.text) if is_page else answer.text
    kind = LinkSpent if answer.status_code == _SPENT else Unexpected
    return kind(f"{method} {path}: {answer.status_code} {text[:_QUOTED]}")


@dataclass(slots=True)
class Program:
    """Calls the JSON routes with a bearer token."""

    http: httpx2.AsyncClient
    token: str

    async def get(self, path: str, **query: str) -> Any:
        """The JSON at a path under /api/v1."""
        return await self._json("GET", path, params=query, headers=self._headers())

    async def change(
        self, method: str, path: str, body: Mapping[str, Any], *, key: str | None = None
    ) -> Any:
        """Changes something; a repeat of the request has the same key."""
        headers = self._headers() | {"Idempotency-Key": key or uuid.uuid4().hex}
        return await self._json(method, path, json=body, headers=headers)

    async def upload(self, path: str, document: bytes) -> Any:
        """Changes something by a file."""
        headers = self._headers() | {
            "Idempotency-Key": uuid.uuid4().hex,
            "Content-Type": "application/octet-stream",
        }
        return await self._json("POST", path, content=document, headers=headers)

    async def _json(self, method: str, path: str, **more: Any) -> Any:
        answer = await send(self.http, method, f"/api/v1{path}", **more)
        if not answer.is_success:
            raise _refused(method, path, answer)
        return answer.json()

    def _headers(self) -> dict[str, str]:
        return {"Authorization": f"Bearer {self.token}", "Accept": "application/json"}


@dataclass(slots=True)
class Form:
    """A form of a page: where it goes, what its fields hold, and its named buttons."""

    action: str
    fields: dict[str, str] = field(default_factory=dict)
    buttons: list[tuple[str, str]] = field(default_factory=list)


class _Forms(HTMLParser):
    """Collects the forms of a page that post, with the fields that name their form by its id."""

    _BUTTONS = frozenset({"submit", "image", "button", "reset"})

    def __init__(self) -> None:
        super().__init__()
        self.found: list[Form] = []
        self._by_id: dict[str, Form] = {}
        self._open: Form | None = None
        self._elsewhere: list[tuple[str, str, dict[str, str]]] = []

    def close(self) -> None:
        """Gives the fields that stood outside to their forms, which may have come later."""
        super().close()
        for form_id, tag, given in self._elsewhere:
            if form_id in self._by_id:
                self._take(self._by_id[form_id], tag, given)

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        given = {name: value or "" for name, value in attrs}
        if tag == "form":
            self._open = None
            if given.get("method", "get").lower() == "post":
                self._open = Form(given.get("action", ""))
                self.found.append(self._open)
                if "id" in given:
                    self._by_id[given["id"]] = self._open
        elif tag in ("input", "button") and given.get("name"):
            if "form" in given:
                self._elsewhere.append((given["form"], tag, given))
            elif self._open is not None:
                self._take(self._open, tag, given)

    def handle_endtag(self, tag: str) -> None:
        if tag == "form":
            self._open = None

    def _take(self, form: Form, tag: str, given: Mapping[str, str]) -> None:
        kind = given.get("type", "").lower()
        if tag == "button" or kind in self._BUTTONS:
            form.buttons.append((given["name"], given.get("value", "")))
        elif kind in ("radio", "checkbox"):
            if "checked" in given:
                form.fields[given["name"]] = given.get("value", "on")
        else:
            form.fields[given["name"]] = given.get("value", "")


def forms_of(page: str) -> list[Form]:
    """The forms of a page that change something, as they stand before anything is typed."""
    parser = _Forms()
    parser.feed(page)
    parser.close()
    return parser.found


class _Words(HTMLParser):
    """Collects the text that a reader sees."""

    _UNSEEN = frozenset({"script", "style", "svg", "template"})

    def __init__(self) -> None:
        super().__init__()
        self.words: list[str] = []
        self._unseen = 0

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self._unseen += tag in self._UNSEEN

    def handle_endtag(self, tag: str) -> None:
        if tag in self._UNSEEN and self._unseen:
            self._unseen -= 1

    def handle_startendtag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        """Holds nothing."""

    def handle_data(self, data: str) -> None:
        if not self._unseen:
            self.words += data.split()


def words_of(page: str) -> str:
    """The words of a page, without its tags, scripts and pictures."""
    parser = _Words()
    parser.feed(page)
    parser.close()
    return " ".join(parser.words)


@dataclass(slots=True)
class Browser:
    """Follows links and sends forms, as a browser with JavaScript off."""

    http: httpx2.AsyncClient
    origin: str

    async def sign_in(self, url: str) -> str:
        """Uses a one-time link up and gives the page behind it. Raises LinkSpent."""
        path = urlsplit(url).path
        found = forms_of(await self.open(path))
        if len(found) != 1:
            raise Unexpected(f"the page of a sign-in link has {len(found)} buttons")
        return await self.submit(found[0], at=path)

    async def open(self, path: str) -> str:
        """The page at a path."""
        answer = await send(self.http, "GET", path, headers={"Accept": "text/html"})
        if answer.status_code != 200:
            raise _refused("GET", path, answer)
        return answer.text

    async def submit(self, form: Form, *, at: str = "") -> str:
        """Sends a form of the page `at` and follows to the page that it leads to."""
        path = form.action or at
        headers = {"Origin": self.origin, "Accept": "text/html"}
        answer = await send(self.http, "POST", path, data=dict(form.fields), headers=headers)
        if answer.status_code != 303:
            raise _refused("POST", path, answer)
        return await self.open(answer.headers["location"])
