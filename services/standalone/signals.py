"""What a signal does to a program that starts something, works, and then waits for its end."""

import asyncio
import signal

ENDING = (signal.SIGINT, signal.SIGTERM, signal.SIGHUP)
INTERRUPTED = 130
"""Exit code of a run that was ended before it had done its work."""


class Signals:
    """Takes the signals that end a program, from when it is made in the task that works.

    A signal cancels that task, so that whatever it started is stopped in order. Once the task
    waits here the first signal is what it waits for; a second one cancels the stopping as well,
    and children that are left then are ended by the kernel together with this process.
    """

    def __init__(self) -> None:
        task = asyncio.current_task()
        assert task is not None
        self._task = task
        self._waits = False
        self._asked = asyncio.Event()
        loop = asyncio.get_running_loop()
        for number in ENDING:
            loop.add_signal_handler(number, self._take)

    async def wait(self) -> None:
        """Return at the first signal from now on."""
        self._waits = True
        await self._asked.wait()

    def _take(self) -> None:
        if self._asked.is_set() or not self._waits:
            self._task.cancel()
        self._asked.set()
