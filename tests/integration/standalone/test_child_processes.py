"""Supervision of one process: ready, dead, started again, ended."""

import asyncio
import signal
import threading
from collections.abc import AsyncIterator, Awaitable, Callable
from contextlib import asynccontextmanager
from pathlib import Path

import pytest

from services.standalone import errors, processes, spawn
from tests.integration.standalone.parts import has_ended, logged, program, until_logged

FOREVER = "import signal; print('up', flush=True); signal.pause()"
QUICKLY = processes.Restart(first=0.01, longest=0.05)


def writes(log: Path, text: str = "up") -> Callable[[], Awaitable[bool]]:
    async def ask() -> bool:
        return logged(log, text)

    return ask


@asynccontextmanager
async def child_of(
    running: spawn.Program, probe: Callable[[], Awaitable[bool]] | None = None
) -> AsyncIterator[processes.Child]:
    child = processes.Child(
        running, probe=probe or writes(running.log), records=running.directory, restart=QUICKLY
    )
    child.start()
    try:
        yield child
    finally:
        await child.kill()


async def test_a_child_is_ready_when_its_probe_says_so(empty: Path) -> None:
    async with child_of(program(empty, FOREVER)) as child:
        await child.ready(within=20)
        assert child.pid is not None
        assert "up" in (empty / "dummy.log").read_text()


async def test_a_killed_child_is_started_again(empty: Path) -> None:
    async with child_of(program(empty, FOREVER)) as child:
        await child.ready(within=20)
        first = child.pid
        child.send(signal.SIGKILL)
        await child.ended()
        assert child.exit_code == -signal.SIGKILL
        await child.ready(within=20)
        assert child.pid not in (None, first)
        assert child.deaths == 1


async def test_a_child_that_is_down_on_purpose_stays_down(empty: Path) -> None:
    async with child_of(program(empty, FOREVER)) as child:
        await child.ready(within=20)
        await child.kill()
        assert child.pid is None
        child.start()
        await child.ready(within=20)
        await child.stop()
        assert (child.pid, child.deaths, child.exit_code) == (None, 2, -signal.SIGTERM)


async def test_a_child_that_dies_before_it_is_ready_fails_with_its_last_words(
    empty: Path,
) -> None:
    broken = program(empty, "import sys; print('no such table'); sys.exit(3)")
    async with child_of(broken, probe=writes(empty / "never.log")) as child:
        with pytest.raises(errors.ChildFailed, match="no such table") as failure:
            await child.ready(within=20, deaths=3)
        assert failure.value.exit_code == 3


async def test_a_child_that_never_answers_is_given_up(empty: Path) -> None:
    async with child_of(program(empty, FOREVER), probe=writes(empty / "never.log")) as child:
        await until_logged(empty / "dummy.log", "up")
        with pytest.raises(errors.NotReadyInTime):
            await child.ready(within=0.05)
        assert child.pid is not None


async def test_a_child_that_will_not_end_is_killed(empty: Path) -> None:
    deaf = """
        import signal
        signal.signal(signal.SIGTERM, signal.SIG_IGN)
        print('up', flush=True)
        while True:
            signal.pause()
    """
    async with child_of(program(empty, deaf, stop_within=0.05)) as child:
        await child.ready(within=20)
        await child.stop()
        assert child.exit_code == -signal.SIGKILL


async def test_a_child_can_be_stopped_while_it_waits_for_its_restart(empty: Path) -> None:
    running = program(empty, FOREVER)
    slow = processes.Restart(first=60)
    child = processes.Child(running, probe=writes(running.log), records=empty, restart=slow)
    child.start()
    await child.ready(within=20)
    child.send(signal.SIGKILL)
    await child.ended()
    await child.stop()
    assert child.pid is None


async def test_the_log_outlives_the_child_and_an_overlong_one_is_set_aside(empty: Path) -> None:
    running = program(empty, FOREVER)
    running.log.write_bytes(b"old\n" * (spawn.LOG_LIMIT_BYTES // 4 + 1))
    async with child_of(running) as child:
        await child.ready(within=20)
    assert running.log.read_text() == "up\n"
    assert (empty / "dummy.log.1").stat().st_size > spawn.LOG_LIMIT_BYTES


async def test_a_child_inherits_no_variable_and_no_descriptor(
    empty: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("SMARTMATE_SEAL_KEY", "secret")
    nosy = "import os; print(sorted(os.environ), os.listdir('/proc/self/fd'), 'up', flush=True)"
    async with child_of(program(empty, nosy + "; import signal; signal.pause()")) as child:
        await child.ready(within=20)
    said = running_log(empty)
    assert "SEAL" not in said
    assert "['0', '1', '2', '3']" in said


def running_log(root: Path) -> str:
    return (root / "dummy.log").read_text()


async def test_a_child_has_a_session_of_its_own(empty: Path) -> None:
    says = "import os, signal; print('up', os.getsid(0) == os.getpid(), flush=True); signal.pause()"
    async with child_of(program(empty, says)) as child:
        await child.ready(within=20)
    assert "up True" in running_log(empty)


async def test_a_child_is_not_started_from_a_thread_that_may_end(empty: Path) -> None:
    refused: list[BaseException] = []

    def elsewhere() -> None:
        try:
            spawn.start(program(empty, FOREVER))
        except errors.NotMainThread as error:
            refused.append(error)

    thread = threading.Thread(target=elsewhere)
    thread.start()
    thread.join()
    assert len(refused) == 1


async def test_a_program_that_runs_once_gives_its_exit_code(empty: Path) -> None:
    assert await processes.run_to_end(program(empty, "raise SystemExit(7)")) == 7


async def test_a_cancelled_run_ends_its_program(empty: Path) -> None:
    says = "import os, signal; print('up', os.getpid(), flush=True); signal.pause()"
    run = asyncio.ensure_future(processes.run_to_end(program(empty, says)))
    await until_logged(empty / "dummy.log", "\n")
    run.cancel()
    with pytest.raises(asyncio.CancelledError):
        await run
    assert await has_ended(int(running_log(empty).split()[1]))
