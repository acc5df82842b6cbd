"""The parts that routes need, put together once by `__main__`."""

import asyncio
from collections import Counter
from dataclasses import dataclass, field
from datetime import timedelta
from typing import cast

from starlette.requests import Request

from libs.clock import Clock
from libs.rpc.identity import Verifier
from libs.telemetry.ops import Readiness
from services.gateway.clients.suite import Suite
from services.gateway.domain.buckets import Buckets
from services.gateway.handlers.link_post import LinkPost
from services.gateway.handlers.sign_in import SignIn
from services.gateway.web.rendering import Renderer


@dataclass(frozen=True, slots=True)
class Policy:
    """Settings that routes read."""

    origin: str
    is_https: bool
    session_life: timedelta
    stream_keepalive_seconds: float
    stream_seconds: float
    streams_per_user: int


@dataclass(frozen=True, slots=True)
class Parts:
    """One gateway."""

    policy: Policy
    clock: Clock
    suite: Suite
    sign_in: SignIn
    link_post: LinkPost
    verifier: Verifier
    renderer: Renderer
    by_user: Buckets
    by_sign_in: Buckets
    by_asking: Buckets
    readiness: Readiness
    waits: asyncio.Event
    """Set when streams have to end."""
    streams: Counter[int] = field(default_factory=Counter)
    """Open event streams by user."""


def parts_of(request: Request) -> Parts:
    """The parts of the gateway that serves this request."""
    return cast("Parts", request.app.state.parts)
