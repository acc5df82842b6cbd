"""Who may come in, by a link that works once, and for how long.

Source: spec web.md, Identity. There are no passwords.
"""

import secrets
from dataclasses import dataclass, field
from datetime import datetime, timedelta

from libs.db.database import Database, Tx
from services.gateway.domain import handle as handles
from services.gateway.domain import local_path, names, tokens
from services.gateway.domain.errors import HandleTaken, LinkSpent, UserUnknown
from services.gateway.domain.visitor import OPERATOR, Visitor
from services.gateway.store import links, sessions, users

LARGEST_ID = 2**63 - 1


_TOKEN_BYTES = 32


def new_token() -> str:
    """256 random bits, safe in a URL and in a cookie."""
    return secrets.token_urlsafe(_TOKEN_BYTES)


@dataclass(frozen=True, slots=True)
class Opened:
    """A session that has begun: the cookie's token, and where the link leads."""

    session_token: str
    next_path: str | None


@dataclass(frozen=True, slots=True)
class AskedLink:
    """A link that its user asked for, to be sent to them."""

    user_id: int
    token: str = field(repr=False)
    expires_at: datetime


@dataclass(frozen=True, slots=True)
class SignIn:
    """Everything about signing in; expiry is judged by the database's clock."""

    db: Database
    session_life: timedelta
    link_life: timedelta
    most_asked: int = 3
    """Links that one user may have asked for and not yet outlived."""

    async def add_user(
        self, name: str, *, is_operator: bool, handle: str | None = None
    ) -> tuple[int, str]:
        """A new user and the token of a first link.

        Raises InvalidName, InvalidHandle, HandleTaken.
        """
        called = handles.of(handle) if handle is not None else None
        name = names.of(name)
        token = new_token()
        async with self.db.transaction() as tx:
            user_id = await users.add(tx, name, is_operator=is_operator, handle=called)
            if user_id is None:
                raise HandleTaken
            await links.add(tx, tokens.digest(token), user_id, next_path=None, life=self.link_life)
        return user_id, token

    async def make_link(self, user_id: int, next_path: str | None = None) -> str:
        """The token of a new link. Raises UserUnknown; a path that is not local is dropped."""
        token = new_token()
        path = next_path if next_path and local_path.is_local(next_path) else None
        async with self.db.transaction() as tx:
            await _known(tx, user_id)
            await links.add(tx, tokens.digest(token), user_id, next_path=path, life=self.link_life)
        return token

    async def ask_for_link(
        self, typed: str, *, next_path: str | None, key: str
    ) -> AskedLink | None:
        """A new link for whoever goes by what was typed, a handle or the id of a user.

        None: nobody does, or they have enough, or this attempt (`key`) has had its link.
        """
        called, user_id = handles.asked(typed)
        if not called:
            return None
        token = new_token()
        path = next_path if next_path and local_path.is_local(next_path) else None
        async with self.db.transaction() as tx:
            found = await users.lock_called(tx, called, min(user_id, LARGEST_ID))
            if found is None:
                return None
            expires_at = await links.add_asked(
                tx,
                tokens.digest(token),
                found,
                next_path=path,
                life=self.link_life,
                key=key,
                most=self.most_asked,
            )
        return AskedLink(found, token, expires_at) if expires_at else None

    async def user(self, user_id: int) -> Visitor:
        """The user as a visitor without a session. Raises UserUnknown."""
        async with self.db.transaction() as tx:
            return _visitor(await _known(tx, user_id), None)

    async def link_is_open(self, token: str) -> bool:
        """Whether a link can still be used; looking at it does not use it up."""
        async with self.db.transaction() as tx:
            return await links.is_open(tx, tokens.digest(token))

    async def use_link(self, token: str) -> Opened:
        """Uses a link up and begins a session. Raises LinkSpent."""
        session_token = new_token()
        async with self.db.transaction() as tx:
            used = await links.use(tx, tokens.digest(token))
            if used is None:
                raise LinkSpent
            await sessions.add(
                tx, tokens.digest(session_token), used.user_id, life=self.session_life
            )
            await links.prune(tx)
            await sessions.prune(tx)
        return Opened(session_token, used.next_path)

    async def visitor(self, session_token: str) -> Visitor | None:
        """Who the session belongs to, while it lasts."""
        async with self.db.transaction() as tx:
            found = await sessions.find(tx, tokens.digest(session_token))
        return _visitor(found, tokens.csrf_of(session_token)) if found else None

    async def sign_out(self, session_token: str) -> None:
        """Ends the session."""
        async with self.db.transaction() as tx:
            await sessions.end(tx, tokens.digest(session_token))


async def _known(tx: Tx, user_id: int) -> users.User:
    found = await users.find(tx, user_id) if 0 < user_id <= LARGEST_ID else None
    if found is None:
        raise UserUnknown(user_id)
    return found


def _visitor(user: users.User, csrf: str | None) -> Visitor:
    roles = frozenset({OPERATOR}) if user.is_operator else frozenset[str]()
    return Visitor(user.user_id, user.name, roles, csrf)
