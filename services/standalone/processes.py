"""Keeps a child process alive: starts it, waits until it is ready, starts it again when it dies.

Everything happens on the event loop of the main thread: a pidfd becomes readable when the child
ends, so there is no thread, no polling and no signal handler for it.
"""

import asyncio
import logging
import os
import signal
import subprocess
from dataclasses import dataclass
from pathlib import Path

from services.standalone import errors, files, leftovers, spawn
from services.standalone.probe import Probe

log = logging.getLogger(__name__)

BETWEEN_QUESTIONS = 0.025


@dataclass(frozen=True, slots=True)
class Restart:
    """How long to wait before a dead child is started again, in seconds."""

    first: float = 0.1
    longest: float = 10.0
    calm_after: float = 30.0
    """A child that lived this long begins again with the first delay."""

    def delay(self, deaths_in_a_row: int) -> float:
        """Double from the first delay up to the longest; `deaths_in_a_row` counts from 1."""
        return min(self.longest, self.first * 2.0 ** min(deaths_in_a_row - 1, 30))


class Child:
    """One supervised process. `program` may be replaced while it is stopped."""

    def __init__(
        self, program: spawn.Program, *, probe: Probe, records: Path, restart: Restart | None = None
    ) -> None:
        self.program = program
        self.probe = probe
        self.deaths = 0
        self.exit_code: int | None = None
        self._records = records
        self._restart = restart or Restart()
        self._wanted = False
        self._process: subprocess.Popen[bytes] | None = None
        self._gone = asyncio.Event()
        self._timer: asyncio.TimerHandle | None = None
        self._born = 0.0
        self._deaths_in_a_row = 0

    @property
    def name(self) -> str:
        """Name of the program; unique in a suite."""
        return self.program.name

    @property
    def pid(self) -> int | None:
        """Process id, None between a death and the restart."""
        return self._process.pid if self._process else None

    def start(self) -> None:
        """Start the process and keep it alive from now on."""
        if self._wanted:
            return
        self._wanted = True
        self._deaths_in_a_row = 0
        self._spawn()

    async def ready(self, *, within: float, deaths: int | None = None) -> None:
        """Return once the process answers its probe.

        Raises NotReadyInTime when the seconds are over, ChildFailed after so many deaths where a
        number is given. The supervision goes on either way.
        """
        died_before = self.deaths
        deadline = asyncio.get_running_loop().time() + within
        while self.pid is None or not await self.probe():
            if deaths is not None and self.deaths - died_before >= deaths:
                raise errors.ChildFailed(self.name, self.exit_code, files.tail(self.program.log))
            if asyncio.get_running_loop().time() > deadline:
                raise errors.NotReadyInTime(self.name, within, files.tail(self.program.log))
            await asyncio.sleep(BETWEEN_QUESTIONS)

    async def stop(self) -> None:
        """Ask the process to end, insist after its time; it is not started again."""
        self._leave_down()
        if self._process is None:
            return
        self._process.send_signal(self.program.stop_signal)
        try:
            async with asyncio.timeout(self.program.stop_within):
                await self._gone.wait()
        except TimeoutError:
            log.warning("%s did not end within %g s", self.name, self.program.stop_within)
            self.send(signal.SIGKILL)
            await self._gone.wait()

    async def kill(self) -> None:
        """End the process at once; it is not started again."""
        self._leave_down()
        if self._process is not None:
            self._process.kill()
            await self._gone.wait()

    def send(self, number: signal.Signals) -> int | None:
        """Send a signal, return the process id it went to; the supervision goes on."""
        if self._process is None:
            return None
        self._process.send_signal(number)
        return self._process.pid

    async def ended(self) -> None:
        """Return when the present process has ended."""
        if self._process is not None:
            await self._gone.wait()

    def _leave_down(self) -> None:
        self._wanted = False
        if self._timer:
            self._timer.cancel()
            self._timer = None

    def _spawn(self) -> None:
        loop = asyncio.get_running_loop()
        process = self._process = spawn.start(self.program)
        self._born = loop.time()
        self._gone = asyncio.Event()
        leftovers.record(
            self._records,
            self.name,
            pid=process.pid,
            stop_signal=self.program.stop_signal,
            stop_within=self.program.stop_within,
        )
        descriptor = os.pidfd_open(process.pid)
        loop.add_reader(descriptor, self._ended, process, descriptor)

    def _ended(self, process: subprocess.Popen[bytes], descriptor: int) -> None:
        loop = asyncio.get_running_loop()
        loop.remove_reader(descriptor)
        os.close(descriptor)
        self.exit_code = process.wait()
        self._process = None
        self.deaths += 1
        leftovers.forget(self._records, self.name)
        self._gone.set()
        if not self._wanted:
            return
        calm = loop.time() - self._born > self._restart.calm_after
        self._deaths_in_a_row = 1 if calm else self._deaths_in_a_row + 1
        self._spawn_later()

    def _spawn_later(self) -> None:
        delay = self._restart.delay(self._deaths_in_a_row)
        log.warning("%s ended with %s, again in %g s", self.name, self.exit_code, delay)
        self._timer = asyncio.get_running_loop().call_later(delay, self._spawn_again)

    def _spawn_again(self) -> None:
        self._timer = None
        try:
            self._spawn()
        except OSError:
            # No memory or no process slot left for now; counts as a death.
            log.exception("%s could not be started", self.name)
            self._deaths_in_a_row += 1
            self._spawn_later()


async def run_to_end(program: spawn.Program) -> int:
    """Run a program once, return its exit code; it is stopped when the caller is cancelled."""
    process = spawn.start(program)
    descriptor = os.pidfd_open(process.pid)
    try:
        await leftovers.ended(descriptor, within=3600)
    finally:
        os.close(descriptor)
        process.kill()
        code = process.wait()
    return code
