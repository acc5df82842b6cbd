"""Applies that come while others are under way are judged and written together.

Each is judged by itself, under its own user's lock, on what stands then. What they share is a
transaction with one statement that locks, one that reads, one that writes, and a commit: they
cost more than an apply does (docs/adr/0006-applies-share-transactions.md). What is out of the
ordinary, and whatever waits for somebody, has a transaction of its own.
"""

import asyncio
from collections import deque
from collections.abc import Coroutine, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field
from typing import Any

from libs.db.database import Database, Tx
from libs.db.user_lock import lock_free, turn
from libs.telemetry import traces
from libs.telemetry.traces import Trace
from services.schedule.domain.errors import ApplyIdReused
from services.schedule.domain.touched import Touched, touched
from services.schedule.domain.verdict import Ask, Verdict
from services.schedule.handlers import applies, counters, writing
from services.schedule.handlers.outlet import Outlet
from services.schedule.handlers.writing import Accepted
from services.schedule.store import applies as store
from services.schedule.store import world
from services.schedule.store.applies import Written
from services.schedule.store.world import Asked

MOST = 16
"""Applies of one transaction; each waits for all of them."""
PATIENCE_SECONDS = 0.1
"""After which the next transaction does not wait any longer for the one before."""
OPEN = 4
"""Transactions at once, where all of them take long; others need connections too."""

Answers = dict[int, Verdict | ApplyIdReused]
"""By user."""


@dataclass(slots=True)
class _Waiting:
    ask: Ask
    touched: Touched
    trace: Trace
    answer: "asyncio.Future[Verdict]"

    @property
    def user_id(self) -> int:
        return self.ask.user_id


@dataclass(slots=True)
class Gathering:
    """Takes the applies that are asked of one process."""

    db: Database
    outlet: Outlet
    _waiting: deque[_Waiting] = field(default_factory=deque)
    _under_way: int = 0
    """Transactions that the next one waits for."""
    _open: int = 0
    _tasks: set["asyncio.Future[None]"] = field(default_factory=set)

    async def apply(self, ask: Ask) -> Verdict:
        """Judges and writes; gives the stored verdict. Raises ApplyIdReused."""
        seen = touched(ask.changes, ask.base)
        async with turn(self.db, ask.user_id):
            if not seen.is_pool_alone:
                return await applies.apply(self.db, ask, self.outlet)
            loop = asyncio.get_running_loop()
            answer: asyncio.Future[Verdict] = loop.create_future()
            self._waiting.append(_Waiting(ask, seen, traces.current(), answer))
            # A step later, so that those who come at once are taken together.
            loop.call_soon(self._go_on)
            return await answer

    def _go_on(self) -> None:
        """Begins the next transaction where there is room for one."""
        while not self._under_way and self._open < OPEN and (some := self._next()):
            self._begin(self._answer(some))
            self._under_way += 1
            self._open += 1

    def _begin(self, work: Coroutine[Any, Any, None]) -> None:
        """Whoever asked may go away meanwhile: what was begun is ended for all the others."""
        task = asyncio.ensure_future(work)
        self._tasks.add(task)
        task.add_done_callback(self._tasks.discard)

    def _next(self) -> list[_Waiting]:
        """The next ones, without those that nobody waits for any more; one of a user alone."""
        found: dict[int, _Waiting] = {}
        while self._waiting and len(found) < MOST:
            if self._waiting[0].user_id in found:
                break
            one = self._waiting.popleft()
            if not one.answer.done():
                found[one.user_id] = one
        return list(found.values())

    async def _answer(self, some: Sequence[_Waiting]) -> None:
        with self._waited_for():
            try:
                async with self.db.transaction() as tx:
                    answers = await self._together(tx, some)
            except Exception:  # noqa: BLE001  each finds its own error by itself, or none
                answers = {}
        for one in some:
            if one.user_id in answers:
                _tell(one, answers[one.user_id])
            else:
                # No transaction of many waits for a row that somebody else holds.
                self._begin(self._alone(one))

    @contextmanager
    def _waited_for(self) -> Iterator[None]:
        """Holds the next transaction back, but not for long."""
        is_waited_for = True

        def ended() -> None:
            nonlocal is_waited_for
            self._under_way -= is_waited_for
            is_waited_for = False
            self._go_on()

        patience = asyncio.get_running_loop().call_later(PATIENCE_SECONDS, ended)
        try:
            yield
        finally:
            patience.cancel()
            self._open -= 1
            ended()

    async def _alone(self, one: _Waiting) -> None:
        try:
            with traces.within(one.trace):
                _tell(one, await applies.apply(self.db, one.ask, self.outlet))
        except Exception as error:  # noqa: BLE001  it is told to whoever waits
            _tell(one, error)

    async def _together(self, tx: Tx, some: Sequence[_Waiting]) -> Answers:
        """None for a user whose row is not there, or held by somebody else. Raises CellTaken."""
        free = await lock_free(tx, [one.user_id for one in some])
        ours = [one for one in some if one.user_id in free]
        if not ours:
            return {}
        readings = await world.read_pools(tx, [_asked(one) for one in ours])
        answers: Answers = {}
        writes: list[Written] = []
        for one in ours:
            reading = readings[one.user_id]
            try:
                found = applies.judged(one.ask, reading)
            except ApplyIdReused as error:
                answers[one.user_id] = error
                continue
            written = _written(one.ask, found)
            answers[one.user_id] = written.verdict
            if reading.stored is None:
                writes.append(written)
                with traces.within(one.trace):
                    await writing.tell(tx, written, self.outlet)
        if writes:
            await store.write(tx, writes)
        for written in writes:
            counters.count_verdict(tx, written.verdict)
        return answers


def _asked(one: _Waiting) -> Asked:
    return Asked(one.user_id, one.touched, one.ask.apply_id, len(one.ask.changes))


def _written(ask: Ask, found: Accepted | Verdict) -> Written:
    if isinstance(found, Verdict):
        return Written(ask.user_id, found, ask.fingerprint)
    if not found.adds_alone:
        raise AssertionError("a block was moved that nobody named")
    return writing.prepared(found)


def _tell(one: _Waiting, answer: Verdict | Exception) -> None:
    if one.answer.done():
        return
    if isinstance(answer, Verdict):
        one.answer.set_result(answer)
    else:
        one.answer.set_exception(answer)
