"""The turns of one process's writers at a user: one at a time, in their order."""

import asyncio
from collections.abc import AsyncIterator

import pytest

from libs.db.database import Database, LockTimeout
from libs.db.user_lock import turn

USER, OTHER = 7, 8


@pytest.fixture
async def db() -> AsyncIterator[Database]:
    """Never connected."""
    found = Database("postgresql+asyncpg://nobody@nowhere/none", application="t")
    yield found
    await found.close()


class Writers:
    """Writers who say when they begin, and end when they are told to."""

    def __init__(self, db: Database) -> None:
        self.db = db
        self.begun: list[str] = []
        self.ends: dict[str, asyncio.Event] = {}

    async def write(self, name: str, user: int = USER) -> None:
        self.ends[name] = asyncio.Event()
        async with turn(self.db, user):
            self.begun.append(name)
            await self.ends[name].wait()

    def starts(self, name: str, user: int = USER) -> "asyncio.Future[None]":
        return asyncio.ensure_future(self.write(name, user))


async def settled() -> None:
    """Everything that can go on has gone on."""
    for _ in range(10):
        await asyncio.sleep(0)


@pytest.fixture
def writers(db: Database) -> Writers:
    return Writers(db)


async def test_writers_of_one_user_come_one_after_the_other(writers: Writers) -> None:
    tasks = [writers.starts(name) for name in "abc"]
    await settled()
    assert writers.begun == ["a"]
    writers.ends["a"].set()
    await settled()
    assert writers.begun == ["a", "b"]
    writers.ends["b"].set()
    writers.ends["c"].set()
    await asyncio.gather(*tasks)
    assert writers.begun == ["a", "b", "c"]
    assert not writers.db.writers


async def test_writers_of_other_users_wait_for_nobody(writers: Writers) -> None:
    tasks = [writers.starts("a"), writers.starts("b", OTHER)]
    await settled()
    assert writers.begun == ["a", "b"]
    for end in writers.ends.values():
        end.set()
    await asyncio.gather(*tasks)


async def test_who_gives_up_is_passed_over(writers: Writers) -> None:
    tasks = [writers.starts(name) for name in "abc"]
    await settled()
    tasks[1].cancel()
    writers.ends["a"].set()
    writers.ends["c"].set()
    found = await asyncio.gather(*tasks, return_exceptions=True)
    assert isinstance(found[1], asyncio.CancelledError)
    assert writers.begun == ["a", "c"]
    assert not writers.db.writers


async def test_who_gives_up_as_the_turn_comes_hands_it_on(writers: Writers) -> None:
    tasks = [writers.starts(name) for name in "abc"]
    await settled()
    writers.ends["a"].set()
    # The first ends its turn within this step; the second is given it and does not know yet.
    await asyncio.sleep(0)
    tasks[1].cancel()
    writers.ends["c"].set()
    found = await asyncio.gather(*tasks, return_exceptions=True)
    assert isinstance(found[1], asyncio.CancelledError)
    assert writers.begun == ["a", "c"]
    assert not writers.db.writers


async def test_a_failure_ends_a_turn(db: Database) -> None:
    with pytest.raises(ValueError, match="no"):
        async with turn(db, USER):
            raise ValueError("no")
    assert not db.writers


async def test_who_waits_too_long_is_told(writers: Writers) -> None:
    writers.db.lock_seconds = 0.01
    first = writers.starts("a")
    await settled()
    with pytest.raises(LockTimeout):
        await writers.write("b")
    writers.ends["a"].set()
    await first
    assert writers.begun == ["a"]
    assert not writers.db.writers
