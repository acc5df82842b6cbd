"""Driving runs: the lease, one step after the other, each saved with its events.

A step asks models and services outside any transaction; what it gives is written by
compare-and-set on the run's version under its lease. A killed process leaves a lease that lapses;
whoever follows the run takes it over, on any replica. Spec: agent.md.
"""

import asyncio
import contextlib
import contextvars
import uuid
from collections.abc import AsyncIterator, Callable
from dataclasses import dataclass, field, replace

from libs.db.database import Database, Tx
from libs.planning.window import NoWindow
from libs.rpc.identity import Caller
from libs.telemetry import logs
from services.agent.domain.conversation import Held
from services.agent.domain.errors import Absent, LeaseLost, ServiceAway, ServiceRefused
from services.agent.domain.happening import Event
from services.agent.domain.run import Run, Wait
from services.agent.graph import plan as plans
from services.agent.graph import words
from services.agent.graph.desk import Desk, Tools
from services.agent.graph.plan import Plan
from services.agent.graph.step import State, Step, aborted, finished
from services.agent.graph.transitions import advance
from services.agent.handlers import counters
from services.agent.handlers.wakes import Wakes
from services.agent.llm.context import Spoken
from services.agent.store import conversations, runs

_log = logs.get("driving")

_HISTORY = 40
_AWAY_SECONDS = (0.5, 1.0, 2.0, 4.0)
"""Pauses after which a service that is away is asked again, each once."""


@dataclass(slots=True)
class Driver:
    """Drives the runs of this process."""

    db: Database
    tools: Tools
    encode: Callable[[Event], bytes]
    is_away: Callable[[BaseException], bool]
    lease_seconds: float = 15.0
    away_seconds: tuple[float, ...] = _AWAY_SECONDS
    wakes: Wakes = field(default_factory=Wakes)
    _tasks: dict[str, asyncio.Task[None]] = field(default_factory=dict)
    _group: asyncio.TaskGroup | None = None

    async def run(self, stop: asyncio.Event) -> None:
        """Until `stop`; then the runs under way are let go, for others to go on with."""
        async with asyncio.TaskGroup() as group:
            self._group = group
            await stop.wait()
            self._group = None
            for task in self._tasks.values():
                task.cancel()

    def drives(self, run_id: str) -> bool:
        """Whether this process drives the run."""
        return run_id in self._tasks

    def start(self, caller: Caller, run_id: str) -> None:
        """Drives a run on behalf of whoever asked for it, unless somebody does."""
        if self._group is None or run_id in self._tasks:
            return
        # Nothing of the call that led here: its deadline is not that of the run.
        fresh = contextvars.Context()
        work = self._work(caller, run_id)
        self._tasks[run_id] = self._group.create_task(work, context=fresh)

    async def _work(self, caller: Caller, run_id: str) -> None:
        lease = uuid.uuid4().hex
        try:
            await self._drive(caller, run_id, lease)
        except LeaseLost:
            _log.warning("lease_lost", run=run_id)
        except Exception as error:  # noqa: BLE001  the outer loop of a run; it is taken up again
            if self.is_away(error):
                _log.warning("run_waits", run=run_id, error=repr(error))
            else:
                _log.error("defect", run=run_id, exc_info=error)
        finally:
            self._tasks.pop(run_id, None)
            self.wakes.wake(run_id)

    async def _drive(self, caller: Caller, run_id: str, lease: str) -> None:
        user_id = caller.user_id
        assert user_id is not None
        async with self.db.transaction() as tx:
            held = await runs.claim(tx, user_id, run_id, lease=lease, seconds=self.lease_seconds)
        if held is None:
            return
        async with self._kept(user_id, run_id, lease):
            state = await self._restored(held)
            version = held.version
            desk = await self._desk(state.run, caller)
            while state.run.works:
                step = await self._step(state, desk)
                state, version = await self._stored(state, step, version, lease)
                self.wakes.wake(run_id)

    @contextlib.asynccontextmanager
    async def _kept(self, user_id: int, run_id: str, lease: str) -> AsyncIterator[None]:
        """Prolongs the lease meanwhile; gives it up where the work was not ended."""
        keeper = asyncio.ensure_future(self._keep(user_id, run_id, lease))
        try:
            yield
        finally:
            keeper.cancel()
            await asyncio.gather(keeper, return_exceptions=True)
            async with self.db.transaction() as tx:
                await runs.release(tx, user_id, run_id, lease=lease)

    async def _keep(self, user_id: int, run_id: str, lease: str) -> None:
        while True:
            await asyncio.sleep(self.lease_seconds / 3)
            try:
                async with self.db.transaction() as tx:
                    kept = await runs.keep(
                        tx, user_id, run_id, lease=lease, seconds=self.lease_seconds
                    )
            except Exception as error:
                if not self.is_away(error):
                    raise
                continue  # the lease may lapse; the next save finds out
            if not kept:
                return

    async def _restored(self, held: Held) -> State:
        """The state out of what is stored; a plan whose rows are not kept any more is none."""
        return State(held.run, await self._plan(held.run))

    async def _plan(self, run: Run) -> Plan | None:
        drawn = run.drawn
        if drawn is None:
            return None
        async with self.db.transaction() as tx:
            content = await runs.rows(tx, run.user_id, drawn.load.run_id, drawn.load.number)
        if content is None:
            return None
        snapshot = self.tools.schedule.read(content, plans.numbers(drawn))
        return None if isinstance(snapshot, NoWindow) else plans.redrawn(snapshot, drawn)

    async def _desk(self, run: Run, caller: Caller) -> Desk:
        """With what was said in the conversation before this run, oldest first."""
        async with self.db.transaction() as tx:
            found = await conversations.messages(
                tx, run.user_id, run.conversation_id, limit=_HISTORY
            )
        spoken = tuple(
            Spoken(one.by_person, one.text) for one in reversed(found) if one.run_id != run.id
        )
        recalled = await self.tools.memory.recall(run.user_id, run.goal)
        return Desk(self.tools, caller, spoken, recalled)

    async def _step(self, state: State, desk: Desk) -> Step:
        """One step, whatever becomes of it, with the time that it took."""
        loop = asyncio.get_running_loop()
        began = loop.time()
        step = await self._advanced(state, desk)
        seconds = step.state.run.seconds + loop.time() - began
        return replace(step, state=step.state.having(seconds=seconds))

    async def _advanced(self, state: State, desk: Desk) -> Step:
        """The node's step; a service that is away is asked again, then the run ends with words."""
        for seconds in (*self.away_seconds, None):
            try:
                return await advance(state, desk)
            except ServiceAway as away:
                _log.warning("service_away", run=state.run.id, error=str(away))
                if seconds is None:
                    break
                await asyncio.sleep(seconds)
            except (ServiceRefused, Absent) as refused:
                code = refused.code if isinstance(refused, ServiceRefused) else refused.reason
                _log.warning("service_refused", run=state.run.id, code=code)
                return _aborted(state, "service_refused", words.REFUSED, code)
            except Exception as error:  # noqa: BLE001  a run ends with an outcome, never without
                _log.error("defect", run=state.run.id, exc_info=error)
                return _aborted(state, "internal", words.DEFECT, type(error).__name__)
        return _aborted(state, "schedule_unavailable", words.AWAY)

    async def _stored(
        self, before: State, step: Step, version: int, lease: str
    ) -> tuple[State, int]:
        """Writes a step; one that cannot be written ends the run, or it would be taken for ever."""
        try:
            return await self._save(step, version, lease)
        except Exception as error:
            if isinstance(error, LeaseLost) or self.is_away(error):
                raise
            _log.error("defect", run=before.run.id, exc_info=error)
            ended = _aborted(before, "internal", words.DEFECT, type(error).__name__)
            return await self._save(ended, version, lease)

    async def _save(self, step: Step, version: int, lease: str) -> tuple[State, int]:
        """Writes a step with its events. Raises LeaseLost."""
        plan = step.state.plan
        run = replace(
            step.state.run,
            drawn=None if plan is None else plans.drawn(plan),
            counts=plan.counts if plan is not None else step.state.run.counts,
        )
        state = State(run, plan)

        async def work(tx: Tx) -> int:
            return await self._written(tx, state.run, step, version, lease)

        new_version = await self.db.run(work)
        if run.outcome is not None:
            counters.ended(run.outcome.kind.value, run.seconds)
        return state, new_version

    async def _written(self, tx: Tx, run: Run, step: Step, version: int, lease: str) -> int:
        saved = await runs.save(tx, run, version=version, lease=lease, events=len(step.events))
        if saved is None:
            raise LeaseLost(run.id)
        new_version, sequence = saved
        contents = [self.encode(one) for one in step.events]
        await runs.tell(tx, run.user_id, run.id, contents, after=sequence - len(step.events))
        for rows in step.rows:
            await runs.store_rows(tx, run.user_id, run.id, rows.number, rows.content)
        if run.wait is Wait.CONFIRM and run.confirm is not None:
            await runs.ask(tx, run, run.confirm)
        await conversations.say(
            tx, run.user_id, run.conversation_id, run.id, step.said, by_person=False
        )
        return new_version


def _aborted(state: State, code: str, message: str, why: str = "") -> Step:
    """The end, whatever phase the run is in."""
    return finished(state, aborted(code, message, why))
