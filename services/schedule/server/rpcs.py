"""What the RPCs of every subject share."""

from collections.abc import Awaitable, Callable
from dataclasses import dataclass
from typing import Any, TypeVar

import grpc
from google.protobuf.message import Message

from libs.db.database import Database, Tx
from libs.db.requests import once
from libs.rpc.server import user_id
from services.schedule.handlers.outlet import Outlet
from services.schedule.wire import attempts

Context = grpc.aio.ServicerContext[Any, Any]

A = TypeVar("A", bound=Message)


@dataclass(frozen=True, slots=True)
class Rpcs:
    """Some RPCs: read the request, do it, write the answer."""

    db: Database
    outlet: Outlet

    async def _once(
        self, request: Message, answer: type[A], work: Callable[[Tx], Awaitable[A]]
    ) -> A:
        """Does the work in one transaction under the user's lock, once for each request_id."""

        async def encoded(tx: Tx) -> bytes:
            return (await work(tx)).SerializeToString()

        rpc = request.DESCRIPTOR.name.removesuffix("Request")
        key = attempts.key_of(user_id(), rpc, request)
        return answer.FromString(await once(self.db, key, encoded, users_row=True))
