"""One container, supervised as a child process is."""

import asyncio
import signal

from services.standalone import assembly, errors, home, processes, spawn
from tests.containers.engine import Engine, Seen

STOP_SECONDS = "30"
SIGNALLED = 128
"""Engines add the number of the signal to it."""
ENDS = frozenset({signal.SIGKILL, signal.SIGTERM, signal.SIGINT})


async def never() -> bool:
    """The probe of a container before anybody says how to ask it."""
    return False


class Container(processes.Child):
    """Kill, stop, start and signals of one container.

    The engine starts again what crashed, and leaves down what it was asked to end. So what is
    killed from here to come back is started from here.
    """

    def __init__(self, engine: Engine, seen: Seen, index: int, place: home.Home) -> None:
        name = assembly.process_name(seen.service, index)
        program = spawn.Program(
            name=name, command=(), environment={}, log=place.log(name), directory=place.root
        )
        super().__init__(program, probe=never, records=place.records)
        self.seen = seen
        self._engine = engine
        self._end: asyncio.Future[None] | None = None
        self._coming: asyncio.Future[None] | None = None

    @property
    def pid(self) -> int | None:
        """Process id on this machine, None while nothing runs."""
        return self._engine.see(self.seen.id)[0].pid

    def logged(self) -> str:
        """Everything that it has written so far."""
        return self._engine.logged(self.seen.id)

    def start(self) -> None:
        self._coming = asyncio.ensure_future(self._started())

    async def there(self) -> None:
        """Returns when what was asked to start, or to come back, runs."""
        if self._coming is not None:
            await self._coming

    async def ready(self, *, within: float, deaths: int | None = None) -> None:
        await self.there()
        deadline = asyncio.get_running_loop().time() + within
        while not await self.probe():
            if asyncio.get_running_loop().time() > deadline:
                raise errors.NotReadyInTime(self.name, within, self.logged()[-4000:])
            await asyncio.sleep(processes.BETWEEN_QUESTIONS)

    async def stop(self) -> None:
        await self.there()
        await self._engine.run("stop", "-t", STOP_SECONDS, self.seen.id)
        await self._gone_down()

    async def kill(self) -> None:
        await self.there()
        if self.pid is None:
            return
        await self._engine.run("kill", "--signal", "KILL", self.seen.id)
        await self._gone_down()

    def send(self, number: signal.Signals) -> int | None:
        pid = self.pid
        if pid is None:
            return None
        self._engine.do("kill", "--signal", str(number.value), self.seen.id)
        if number in ENDS:
            self._end = asyncio.ensure_future(self._gone_down())
            self._coming = asyncio.ensure_future(self._back_after(self._end))
        return pid

    async def ended(self) -> None:
        if self._end is not None:
            await self._end

    async def _gone_down(self) -> None:
        """Waits for the end and notes how it came."""
        code = int(await self._engine.run("wait", self.seen.id))
        self.exit_code = code if code < SIGNALLED else SIGNALLED - code
        self.deaths += 1

    async def _back_after(self, end: "asyncio.Future[None]") -> None:
        await end
        await self._started()

    async def _started(self) -> None:
        await self._engine.run("start", self.seen.id)
