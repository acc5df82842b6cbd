"""The running gateway, and people who use it."""

import re
from dataclasses import dataclass

import httpx2

from libs.db.database import Database
from libs.rpc.identity import Issuer
from services.gateway.domain import tokens
from services.gateway.web.access import session_cookie
from services.gateway.web.parts import Parts

PAGE = {"Accept": "text/html,application/xhtml+xml,*/*;q=0.8"}
DATA = {"Accept": "application/json"}


@dataclass(frozen=True, slots=True)
class Gateway:
    """The gateway of a test run."""

    url: str
    parts: Parts
    database: Database
    issuer: Issuer

    def browser(self) -> httpx2.AsyncClient:
        """A client with a cookie jar of its own, that follows no redirect by itself."""
        return httpx2.AsyncClient(
            base_url=self.url, headers=PAGE, trust_env=False, follow_redirects=False
        )

    def bearer(self, user_id: int) -> dict[str, str]:
        """Head lines of a program."""
        return {**DATA, "Authorization": f"Bearer {self.issuer.user_token(user_id)}"}


@dataclass(frozen=True, slots=True)
class Person:
    """Somebody signed in with a browser."""

    user_id: int
    http: httpx2.AsyncClient

    def session(self, running: Gateway) -> str:
        """The cookie's token."""
        found = self.http.cookies.get(session_cookie(running.parts))
        assert found is not None
        return found

    def csrf(self, running: Gateway) -> str:
        """The token that our forms carry."""
        return tokens.csrf_of(self.session(running))


def cookie_lines(answer: httpx2.Response) -> list[str]:
    """The Set-Cookie lines."""
    return answer.headers.get_list("set-cookie")


def attributes(line: str) -> set[str]:
    """The attributes of a Set-Cookie line, lower case."""
    return {part.strip().lower() for part in re.split(";", line)[1:]}
