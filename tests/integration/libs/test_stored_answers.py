"""The same request_id gets the same answer, and the effect happens once."""

import asyncio
import itertools

import pytest
from sqlalchemy import text
from sqlalchemy.exc import DBAPIError

from libs.db import requests
from libs.db.database import Database, LockTimeout, Tx, is_away
from libs.db.requests import IdempotencyConflict, RequestKey, once
from libs.db.user_lock import lock_user
from tests.waiting import until

EFFECT = text("INSERT INTO effects (user_id, name) VALUES (:user_id, :name)")
EFFECTS = text("SELECT count(*) FROM effects WHERE user_id = :user_id")
KEPT = text("SELECT count(*) FROM requests WHERE user_id = :user_id")
WAITERS = text("SELECT count(*) FROM pg_locks WHERE NOT granted AND locktype = 'transactionid'")

users = itertools.count(1)


@pytest.fixture
def user() -> int:
    """Somebody whom no other test knows."""
    return next(users)


def key(
    user: int, request_id: str = "r-1", *, content: bytes = b"x", rpc: str = "Do"
) -> RequestKey:
    return RequestKey.of(user_id=user, rpc=rpc, request_id=request_id, content=content)


async def count(db: Database, statement: object, user: int) -> int:
    async with db.transaction() as tx:
        found: int = await tx.scalar(statement, user_id=user)  # type: ignore[arg-type]
        return found


class Work:
    """Has an effect, and answers with a number that is never the same."""

    numbers = itertools.count()

    def __init__(self, user: int) -> None:
        self.user = user

    async def __call__(self, tx: Tx) -> bytes:
        number = next(self.numbers)
        await tx.execute(EFFECT, user_id=self.user, name=str(number))
        return f"answer {number}".encode()


@pytest.mark.parametrize("users_row", [False, True])
async def test_twenty_callers_at_once_get_one_answer_for_one_effect(
    db: Database, user: int, users_row: bool
) -> None:
    work = Work(user)
    answers = await asyncio.gather(
        *(once(db, key(user), work, users_row=users_row) for _ in range(20))
    )
    assert len(set(answers)) == 1
    assert answers[0].startswith(b"answer ")
    assert await count(db, EFFECTS, user) == 1


async def test_a_later_caller_gets_the_first_answer_and_no_work_is_done(
    db: Database, user: int
) -> None:
    first = await once(db, key(user), Work(user))

    async def untouched(_: Tx) -> bytes:
        raise AssertionError("done a second time")

    assert await once(db, key(user), untouched) == first


async def test_an_empty_answer_is_an_answer(db: Database, user: int) -> None:
    async def work(tx: Tx) -> bytes:
        await tx.execute(EFFECT, user_id=user, name="once")
        return b""

    assert [await once(db, key(user), work) for _ in range(2)] == [b"", b""]
    assert await count(db, EFFECTS, user) == 1


async def test_the_same_id_for_other_content_is_a_conflict(db: Database, user: int) -> None:
    await once(db, key(user), Work(user))
    with pytest.raises(IdempotencyConflict) as conflict:
        await once(db, key(user, content=b"y"), Work(user))
    assert (conflict.value.request_id, conflict.value.reason) == ("r-1", "idempotency_conflict")
    assert await count(db, EFFECTS, user) == 1


async def test_of_two_contents_at_once_one_is_done_and_the_other_a_conflict(
    db: Database, user: int
) -> None:
    answers = await asyncio.gather(
        *(once(db, key(user, content=bytes([n % 2])), Work(user)) for n in range(20)),
        return_exceptions=True,
    )
    refused = [answer for answer in answers if isinstance(answer, IdempotencyConflict)]
    done = {answer for answer in answers if isinstance(answer, bytes)}
    assert (len(refused), len(done)) == (10, 1)
    assert await count(db, EFFECTS, user) == 1


async def test_user_and_rpc_are_part_of_the_attempt(db: Database, user: int) -> None:
    other = next(users)
    answers = {
        await once(db, key(user), Work(user)),
        await once(db, key(user, rpc="Undo"), Work(user)),
        await once(db, key(user, "r-2"), Work(user)),
        await once(db, key(other), Work(user)),
    }
    assert len(answers) == 4
    assert await count(db, EFFECTS, user) == 4


async def test_a_failed_attempt_leaves_nothing_and_is_judged_anew(db: Database, user: int) -> None:
    async def refuse(tx: Tx) -> bytes:
        await tx.execute(EFFECT, user_id=user, name="half")
        raise ValueError("not today")

    with pytest.raises(ValueError, match="not today"):
        await once(db, key(user), refuse)
    assert await count(db, EFFECTS, user) == await count(db, KEPT, user) == 0
    # Another content is no conflict: the id was never used.
    assert await once(db, key(user, content=b"y"), Work(user))


async def test_who_waits_for_an_attempt_that_fails_does_it_himself(db: Database, user: int) -> None:
    begun, go_on = asyncio.Event(), asyncio.Event()

    async def refuse(tx: Tx) -> bytes:
        begun.set()
        await go_on.wait()
        raise ValueError("not today")

    async def somebody_waits() -> bool:
        async with db.transaction() as tx:
            return bool(await tx.scalar(WAITERS))

    first = asyncio.ensure_future(once(db, key(user), refuse))
    await begun.wait()
    second = asyncio.ensure_future(once(db, key(user), Work(user)))
    await until(somebody_waits)
    go_on.set()
    with pytest.raises(ValueError, match="not today"):
        await first
    assert (await second).startswith(b"answer ")
    assert await count(db, EFFECTS, user) == 1


async def test_an_attempt_that_dies_before_its_commit_is_done_by_the_next(
    db: Database, user: int
) -> None:
    async def die(tx: Tx) -> bytes:
        await tx.execute(EFFECT, user_id=user, name="half")
        await tx.execute(text("SELECT pg_terminate_backend(pg_backend_pid())"))
        raise AssertionError("still alive")

    with pytest.raises(DBAPIError) as failed:
        await once(db, key(user), die)
    assert is_away(failed.value)
    assert await count(db, EFFECTS, user) == 0
    assert (await once(db, key(user), Work(user))).startswith(b"answer ")
    assert await count(db, EFFECTS, user) == 1


async def test_an_answer_whose_caller_went_away_is_there_when_he_asks_again(
    db: Database, user: int
) -> None:
    committed: list[bytes] = []

    async def call() -> None:
        committed.append(await once(db, key(user), Work(user)))
        await asyncio.Event().wait()

    async def is_committed() -> bool:
        return bool(committed)

    lost = asyncio.ensure_future(call())
    await until(is_committed)
    lost.cancel()
    assert await once(db, key(user), Work(user)) == committed[0]
    assert await count(db, EFFECTS, user) == 1


async def test_the_users_row_is_taken_before_the_attempt_is_looked_at(
    db: Database, user: int
) -> None:
    seen: list[str] = []

    async def work(tx: Tx) -> bytes:
        seen.append("done")
        return b"done"

    async with db.transaction() as tx:
        await lock_user(tx, user)
        asking = asyncio.ensure_future(once(db, key(user), work, users_row=True))
        free = next(users)
        assert await once(db, key(free), work, users_row=True) == b"done"
        assert not asking.done()
    assert await asking == b"done"


async def test_answers_are_kept_for_seven_days_and_deleted_in_portions(
    db: Database, user: int
) -> None:
    for number in range(5):
        await once(db, key(user, f"old-{number}"), Work(user))
    await once(db, key(user, "young"), Work(user))
    age = text("""
        UPDATE requests SET created_at = clock_timestamp() - make_interval(secs => :seconds)
        WHERE user_id = :user_id AND request_id LIKE :which
    """)
    week = 7 * 86_400
    async with db.transaction() as tx:
        await tx.execute(age, seconds=float(week + 60), user_id=user, which="old-%")
        await tx.execute(age, seconds=float(week - 60), user_id=user, which="young")
    deleted = []
    for _ in range(3):
        async with db.transaction() as tx:
            deleted.append(await requests.prune(tx, limit=3))
    assert deleted == [3, 2, 0]
    assert await count(db, KEPT, user) == 1


async def test_an_answer_that_is_pruned_while_it_is_looked_for_is_made_anew(
    db: Database, user: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    first = await once(db, key(user), Work(user))
    ask = Tx.first

    async def pruned_before(tx: Tx, statement: object, **parameters: object) -> object:
        if statement is requests._RECALL:
            async with db.transaction() as other:
                await other.execute(
                    text("DELETE FROM requests WHERE user_id = :user_id"), user_id=user
                )
        return await ask(tx, statement, **parameters)  # type: ignore[arg-type]

    monkeypatch.setattr(Tx, "first", pruned_before)
    again = await once(db, key(user), Work(user))
    monkeypatch.undo()
    assert again != first
    assert await once(db, key(user), Work(user)) == again


async def test_the_waiting_writers_of_one_user_leave_connections_to_others(
    db: Database, database_url: str, user: int
) -> None:
    small = Database(database_url, application="kit", pool_size=2)
    async with db.transaction() as tx:
        await lock_user(tx, user)
        waiting = [
            asyncio.ensure_future(once(small, key(user, f"r-{n}"), Work(user), users_row=True))
            for n in range(10)
        ]
        other = next(users)
        async with asyncio.timeout(4):
            await once(small, key(other), Work(other), users_row=True)
        assert not any(one.done() for one in waiting)
    assert len(set(await asyncio.gather(*waiting))) == 10
    assert not small.writers
    await small.close()


async def test_a_turn_that_does_not_come_is_an_absence(
    db: Database, database_url: str, user: int
) -> None:
    impatient = Database(database_url, application="kit", lock_timeout_ms=50)
    begun, go_on = asyncio.Event(), asyncio.Event()

    async def hold(tx: Tx) -> bytes:
        begun.set()
        await go_on.wait()
        return b"done"

    first = asyncio.ensure_future(once(impatient, key(user), hold, users_row=True))
    await begun.wait()
    with pytest.raises(LockTimeout) as failed:
        await once(impatient, key(user, "r-2"), Work(user), users_row=True)
    assert is_away(failed.value)
    go_on.set()
    assert await first == b"done"
    assert await once(impatient, key(user, "r-2"), Work(user), users_row=True)
    await impatient.close()
