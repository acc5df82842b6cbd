"""Talking: something is said, once however often it is sent, and its run is followed."""

import uuid
from collections.abc import AsyncIterator
from dataclasses import dataclass

from libs.db import requests
from libs.db.database import Database, Tx
from libs.db.requests import RequestKey
from libs.rpc.identity import Caller
from services.agent.domain.conversation import Told
from services.agent.domain.said import Input
from services.agent.handlers.beginning import Beginning, Begun, Ids
from services.agent.handlers.driving import Driver
from services.agent.handlers.following import Follower

_SEPARATOR = " "


@dataclass(frozen=True, slots=True)
class Talk:
    """Serves Chat and Resume."""

    db: Database
    beginning: Beginning
    driver: Driver
    follower: Follower

    @property
    def model(self) -> str:
        """The model that runs ask; empty where none is configured."""
        model = self.driver.tools.model
        return "" if model is None else model.name

    async def begin(self, caller: Caller, key: RequestKey, given: Input) -> Begun:
        """What is said takes effect, or had taken it; its run is driven.

        Raises what `Beginning.say` raises, PreviewNotFound, ServiceAway, IdempotencyConflict.
        """
        if given.preview_id:
            # Nobody's conversation begins about what is not theirs.
            await self.driver.tools.scheduler.preview(caller, given.preview_id)
        ids = Ids(f"cnv_{uuid.uuid4().hex}", f"run_{uuid.uuid4().hex}")

        async def work(tx: Tx) -> bytes:
            begun = await self.beginning.say(tx, key.user_id, given, ids)
            parts = (begun.conversation_id, begun.run_id, str(begun.after_sequence))
            return _SEPARATOR.join(parts).encode()

        answer = await requests.once(self.db, key, work)
        conversation_id, run_id, after = answer.decode().split(_SEPARATOR)
        self.driver.start(caller, run_id)
        return Begun(conversation_id, run_id, int(after))

    def follow(self, caller: Caller, run_id: str, after: int) -> AsyncIterator[Told]:
        """See `Follower.follow`."""
        return self.follower.follow(caller, run_id, after)
