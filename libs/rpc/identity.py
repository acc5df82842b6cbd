"""Who calls, and for whom: Ed25519 tokens in call metadata.

Source: spec quality.md, Identity between services. Three kinds:

* a *service* token proves the calling service, by the key that only this service holds;
* a *user* token is minted by the gateway for a signed-in user and passed on;
* a *delegated* token is minted by a service that acts for a user because of an event; it is
  accepted for listed RPCs alone.
"""

import json
from collections.abc import Mapping
from dataclasses import dataclass, field
from datetime import datetime, timedelta
from enum import StrEnum
from pathlib import Path
from typing import Any

from joserfc import jwt
from joserfc.errors import JoseError
from joserfc.jwk import KeySet, OKPKey

from libs.clock import Clock

SERVICE_HEADER = "x-smartmate-service"
USER_HEADER = "x-smartmate-user"
GATEWAY = "gateway"

_ALGORITHM = "Ed25519"
_AUDIENCE = "smartmate"
_LIFE = timedelta(minutes=10)
_RENEW_BEFORE = timedelta(minutes=5)
_LEEWAY = timedelta(seconds=120)
_CACHE_SIZE = 4096


class TokenKind(StrEnum):
    SERVICE = "service"
    USER = "user"
    DELEGATED = "delegated"


class InvalidToken(Exception):
    """A token that proves nothing. The text is for logs, never for callers."""


@dataclass(frozen=True, slots=True)
class Claims:
    """What a verified token says."""

    issuer: str
    kind: TokenKind
    user_id: int | None
    roles: frozenset[str]
    expires_at: float


@dataclass(frozen=True, slots=True)
class Caller:
    """A verified caller. `user_id` is None when a service speaks for itself."""

    service: str
    user_id: int | None = None
    roles: frozenset[str] = frozenset()
    user_token: str | None = None
    """The gateway's token, to be passed on in calls that this call leads to."""


@dataclass(slots=True)
class Issuer:
    """Mints tokens with one service's private key."""

    service: str
    key: OKPKey
    clock: Clock
    _cached: dict[tuple[TokenKind, int | None], tuple[str, datetime]] = field(default_factory=dict)

    @classmethod
    def load(cls, path: Path, clock: Clock) -> "Issuer":
        """Reads a private JWK whose `kid` is the service's name."""
        data = json.loads(path.read_text())
        return cls(str(data["kid"]), OKPKey.import_key(data), clock)

    def service_token(self) -> str:
        """Proves this service; renewed well before it ends."""
        return self._token(TokenKind.SERVICE, None, frozenset())

    def delegated_token(self, user_id: int) -> str:
        """Says that this service acts for a user because of an event."""
        return self._token(TokenKind.DELEGATED, user_id, frozenset())

    def user_token(self, user_id: int, roles: frozenset[str] = frozenset()) -> str:
        """For the gateway alone: says that this user is signed in."""
        if roles:
            return self._mint(TokenKind.USER, user_id, roles)
        return self._token(TokenKind.USER, user_id, roles)

    def _token(self, kind: TokenKind, user_id: int | None, roles: frozenset[str]) -> str:
        now = self.clock.now()
        token, minted_at = self._cached.get((kind, user_id), ("", now))
        # A clock that was set back makes a token one from the future.
        if token and minted_at <= now < minted_at + _LIFE - _RENEW_BEFORE:
            return token
        if len(self._cached) >= _CACHE_SIZE:
            self._cached.clear()
        token = self._mint(kind, user_id, roles)
        self._cached[(kind, user_id)] = (token, now)
        return token

    def _mint(self, kind: TokenKind, user_id: int | None, roles: frozenset[str]) -> str:
        now = int(self.clock.now().timestamp())
        claims: dict[str, Any] = {
            "iss": self.service,
            "aud": _AUDIENCE,
            "kind": kind.value,
            "iat": now,
            "exp": now + int(_LIFE.total_seconds()),
        }
        if user_id is not None:
            claims["sub"] = str(user_id)
        if roles:
            claims["roles"] = sorted(roles)
        header = {"alg": _ALGORITHM, "kid": self.service, "typ": "JWT"}
        return jwt.encode(header, claims, self.key, algorithms=[_ALGORITHM])


@dataclass(slots=True)
class Verifier:
    """Verifies tokens against the public keys of all services."""

    keys: KeySet
    clock: Clock
    _cached: dict[str, Claims] = field(default_factory=dict)

    @classmethod
    def load(cls, path: Path, clock: Clock) -> "Verifier":
        """Reads a JWKS file with one public key per service, `kid` = its name."""
        return cls(KeySet.import_key_set(json.loads(path.read_text())), clock)

    def verify(self, token: str) -> Claims:
        """Raises InvalidToken. Verified tokens are remembered until they end."""
        claims = self._cached.get(token) or self._decode(token)
        if self.clock.now().timestamp() > claims.expires_at + _LEEWAY.total_seconds():
            self._cached.pop(token, None)
            raise InvalidToken("expired")
        if len(self._cached) >= _CACHE_SIZE:
            self._cached.clear()
        self._cached[token] = claims
        return claims

    def _decode(self, token: str) -> Claims:
        try:
            decoded = jwt.decode(token, self.keys, algorithms=[_ALGORITHM])
            claims, header = decoded.claims, decoded.header
            # The key that verified it belongs to the service that it claims to come from.
            if claims["iss"] != header["kid"] or claims["aud"] != _AUDIENCE:
                raise InvalidToken("issuer or audience")
            if claims["iat"] > self.clock.now().timestamp() + _LEEWAY.total_seconds():
                raise InvalidToken("from the future")
            kind = TokenKind(claims["kind"])
            user = int(claims["sub"]) if "sub" in claims else None
            roles = frozenset(str(role) for role in claims.get("roles", ()))
            expires_at = float(claims["exp"])
        except (JoseError, KeyError, ValueError, TypeError, RecursionError) as error:
            raise InvalidToken(type(error).__name__) from error
        if (user is None) != (kind is TokenKind.SERVICE):
            raise InvalidToken("a user and a kind that do not fit")
        return Claims(str(claims["iss"]), kind, user, roles, expires_at)


@dataclass(frozen=True, slots=True)
class Access:
    """Who may call one RPC.

    `users`: a user signed in at the gateway. `delegates`: services that may act for a user
    because of an event. `services`: services that may call without any user.
    """

    users: bool = True
    delegates: frozenset[str] = frozenset()
    services: frozenset[str] = frozenset()
    role: str | None = None


class Unauthenticated(Exception):
    """No valid token; the text is for logs."""


class PermissionDenied(Exception):
    """A valid caller who may not do this."""


def authenticate(metadata: Mapping[str, str], verifier: Verifier, access: Access) -> Caller:
    """The verified caller of an RPC. Raises Unauthenticated or PermissionDenied."""
    try:
        service = verifier.verify(metadata.get(SERVICE_HEADER, ""))
        user_token = metadata.get(USER_HEADER)
        user = verifier.verify(user_token) if user_token else None
    except InvalidToken as error:
        raise Unauthenticated(str(error)) from error
    if service.kind is not TokenKind.SERVICE:
        raise Unauthenticated("not a service token")
    if user is None:
        if service.issuer not in access.services:
            raise PermissionDenied("a user is required")
        return Caller(service.issuer)
    if access.role and access.role not in user.roles:
        raise PermissionDenied(f"role {access.role} is required")
    if user.kind is TokenKind.USER:
        if user.issuer != GATEWAY or not access.users:
            raise PermissionDenied("not open to users")
        return Caller(service.issuer, user.user_id, user.roles, user_token)
    if user.kind is TokenKind.DELEGATED and user.issuer == service.issuer:
        if service.issuer not in access.delegates:
            raise PermissionDenied("not open to this service")
        return Caller(service.issuer, user.user_id)
    raise Unauthenticated("a user token of the wrong kind")


def outgoing(issuer: Issuer, on_behalf_of: Caller | int | None) -> list[tuple[str, str]]:
    """Call metadata: the service's own token, and the user's where the call is for a user.

    A caller's own token is passed on; a bare user id is a call made because of an event.
    """
    metadata = [(SERVICE_HEADER, issuer.service_token())]
    if isinstance(on_behalf_of, Caller):
        if on_behalf_of.user_token:
            metadata.append((USER_HEADER, on_behalf_of.user_token))
            return metadata
        on_behalf_of = on_behalf_of.user_id
    if on_behalf_of is not None:
        metadata.append((USER_HEADER, issuer.delegated_token(on_behalf_of)))
    return metadata
