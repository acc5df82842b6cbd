"""Transactions of a service: reruns, snapshots, the user's lock, and a database that is away."""

import asyncio
import traceback
from collections.abc import AsyncIterator

import pytest
from sqlalchemy import text
from sqlalchemy.exc import DBAPIError

from libs.db.database import Database, Tx, constraint, is_away, is_unfit, sqlstate
from libs.db.user_lock import lock_user
from services.standalone import ports
from services.standalone.suite import Suite
from tests.waiting import until, wait_until

ADD = text("UPDATE counters SET value = value + :more WHERE id = :id")
READ = text("SELECT value FROM counters WHERE id = :id")
INSERT = text("INSERT INTO counters (id, value) VALUES (:id, :value)")
FAIL = "DO $$ BEGIN RAISE EXCEPTION 'as asked' USING ERRCODE = '{code}'; END $$"
ONE = text("SELECT 1")
# Deadlocks are found at once instead of after a second.
SOON = text("SET LOCAL deadlock_timeout = '5ms'")
WAITING = text("SELECT count(*) FROM pg_locks WHERE NOT granted")


@pytest.fixture(autouse=True)
async def counters(db: Database) -> None:
    async with db.transaction() as tx:
        await tx.execute(text("DELETE FROM counters"))
        for id_ in (1, 2):
            await tx.execute(INSERT, id=id_, value=0)


@pytest.fixture
async def single(database_url: str) -> AsyncIterator[Database]:
    """The same database through one connection, with little patience for locks."""
    database = Database(database_url, application="kit", pool_size=1, lock_timeout_ms=50)
    yield database
    await database.close()


async def value(db: Database, id_: int) -> int:
    async with db.transaction() as tx:
        found: int = await tx.scalar(READ, id=id_)
        return found


async def ask(db: Database) -> int:
    async with db.transaction() as tx:
        found: int = await tx.scalar(ONE)
        return found


async def failure(db: Database) -> Exception:
    """How asking the database fails."""
    with pytest.raises(Exception) as failed:  # noqa: PT011  which one is what is asked
        await ask(db)
    assert isinstance(failed.value, Exception)
    return failed.value


async def test_two_transactions_that_cross_are_both_done(db: Database) -> None:
    holding = [asyncio.Event(), asyncio.Event()]
    attempts = [0, 0]

    async def cross(me: int) -> None:
        async def work(tx: Tx) -> None:
            attempts[me] += 1
            await tx.execute(SOON)
            await tx.execute(ADD, id=me + 1, more=1)
            holding[me].set()
            await holding[1 - me].wait()
            await tx.execute(ADD, id=2 - me, more=10)

        await db.run(work)

    async with asyncio.timeout(20):
        await asyncio.gather(cross(0), cross(1))
    assert sum(attempts) > 2
    assert [await value(db, 1), await value(db, 2)] == [11, 11]


@pytest.mark.parametrize("code", ["40001", "40P01"])
async def test_a_clash_that_does_not_end_is_given_up_after_five_attempts(
    db: Database, code: str
) -> None:
    attempts = 0

    async def work(tx: Tx) -> None:
        nonlocal attempts
        attempts += 1
        await tx.execute(ADD, id=1, more=1)
        await tx.execute(text(FAIL.format(code=code)))

    with pytest.raises(DBAPIError) as failed:
        await db.run(work)
    assert attempts == 5
    assert await value(db, 1) == 0
    # Nobody's own fault: an event is not parked for it, a caller may come again.
    assert is_away(failed.value)


async def test_a_clash_that_shows_at_the_commit_is_rerun(db: Database) -> None:
    async with db.transaction() as tx:
        await tx.execute(text("CREATE SEQUENCE commits"))
        await tx.execute(
            text("""
                CREATE FUNCTION clash() RETURNS trigger LANGUAGE plpgsql AS $$
                BEGIN
                    IF nextval('commits') < 3 THEN
                        RAISE EXCEPTION 'as asked' USING ERRCODE = '40001';
                    END IF;
                    RETURN NULL;
                END $$
            """)
        )
        await tx.execute(
            text("""
                CREATE CONSTRAINT TRIGGER clashes AFTER UPDATE ON counters
                DEFERRABLE INITIALLY DEFERRED FOR EACH ROW EXECUTE FUNCTION clash()
            """)
        )
    attempts = 0
    woken: list[int] = []

    async def work(tx: Tx) -> str:
        nonlocal attempts
        attempts += 1
        tx.after_commit(lambda mine=attempts: woken.append(mine))  # type: ignore[misc]
        await tx.execute(ADD, id=1, more=1)
        return f"attempt {attempts}"

    try:
        assert await db.run(work) == "attempt 3"
    finally:
        async with db.transaction() as tx:
            await tx.execute(text("DROP FUNCTION clash CASCADE"))
            await tx.execute(text("DROP SEQUENCE commits"))
    assert await value(db, 1) == 1
    assert woken == [3]


@pytest.mark.parametrize("code", ["23505", "23P01", "55P03", "57014", "P0001"])
async def test_no_other_error_is_rerun(db: Database, code: str) -> None:
    attempts = 0

    async def work(tx: Tx) -> None:
        nonlocal attempts
        attempts += 1
        await tx.execute(text(FAIL.format(code=code)))

    with pytest.raises(DBAPIError) as failed:
        await db.run(work)
    assert sqlstate(failed.value) == code
    assert attempts == 1


async def test_an_error_of_the_work_itself_is_not_rerun_and_leaves_nothing(db: Database) -> None:
    attempts = 0

    async def work(tx: Tx) -> None:
        nonlocal attempts
        attempts += 1
        await tx.execute(ADD, id=1, more=1)
        raise ValueError("no")

    with pytest.raises(ValueError, match="no"):
        await db.run(work)
    assert attempts == 1
    assert await value(db, 1) == 0


async def test_who_asked_is_called_back_after_the_commit_once_and_never_after_a_rollback(
    db: Database,
) -> None:
    seen: list[str] = []

    def woken() -> None:
        seen.append("woken")

    async with db.transaction() as tx:
        tx.after_commit(woken)
        tx.after_commit(woken)
        assert seen == []
    assert seen == ["woken"]

    async def refuse(tx: Tx) -> None:
        tx.after_commit(woken)
        raise ValueError("no")

    with pytest.raises(ValueError, match="no"):
        await db.run(refuse)
    assert seen == ["woken"]


async def test_cancelled_transactions_leave_nothing_and_give_their_connections_back(
    single: Database, db: Database
) -> None:
    async def wait_for_ever(tx: Tx) -> None:
        await tx.execute(ADD, id=1, more=1)
        await tx.execute(text("SELECT pg_sleep(600)"))

    asleep = text("SELECT count(*) FROM pg_stat_activity WHERE wait_event = 'PgSleep'")

    async def is_asleep() -> bool:
        async with db.transaction() as tx:
            return bool(await tx.scalar(asleep))

    for _ in range(3):
        task = asyncio.ensure_future(single.run(wait_for_ever))
        await until(is_asleep)
        task.cancel()
        await asyncio.wait({task})
        assert task.cancelled()
    assert await ask(single) == 1
    assert await value(db, 1) == 0


async def test_a_snapshot_sees_one_instant(db: Database) -> None:
    async with db.snapshot() as tx:
        before = await tx.scalar(READ, id=1)
        async with db.transaction() as other:
            await other.execute(ADD, id=1, more=5)
        assert await tx.scalar(READ, id=1) == before
    assert await value(db, 1) == before + 5


async def test_a_transaction_sees_what_others_have_committed_meanwhile(db: Database) -> None:
    async with db.transaction() as tx:
        before = await tx.scalar(READ, id=1)
        async with db.transaction() as other:
            await other.execute(ADD, id=1, more=5)
        assert await tx.scalar(READ, id=1) == before + 5


async def test_a_snapshot_writes_nothing_and_leaves_its_connection_as_it_was(
    single: Database,
) -> None:
    with pytest.raises(DBAPIError) as refused:
        async with single.snapshot() as tx:
            await tx.execute(ADD, id=1, more=1)
    assert sqlstate(refused.value) == "25006"
    async with single.transaction() as tx:
        await tx.execute(ADD, id=1, more=1)
        level = await tx.scalar(text("SHOW transaction_isolation"))
    assert level == "read committed"


async def test_writers_of_one_user_stand_in_a_row(db: Database) -> None:
    async def slow_add(tx: Tx) -> None:
        await lock_user(tx, 4001)
        seen = await tx.scalar(READ, id=1)
        await tx.execute(text("UPDATE counters SET value = :value WHERE id = 1"), value=seen + 1)

    await asyncio.gather(*(db.run(slow_add) for _ in range(20)))
    assert await value(db, 1) == 20


async def test_writers_of_another_user_do_not_wait(db: Database) -> None:
    async with asyncio.timeout(10), db.transaction() as tx:
        await lock_user(tx, 4002)
        async with db.transaction() as other:
            await lock_user(other, 4003)


async def test_a_lock_that_is_not_to_be_had_is_an_absence(db: Database, single: Database) -> None:
    async with db.transaction() as tx:
        await lock_user(tx, 4004)
        with pytest.raises(DBAPIError) as failed:
            async with single.transaction() as other:
                await lock_user(other, 4004)
    assert sqlstate(failed.value) == "55P03"
    assert is_away(failed.value)


@pytest.mark.parametrize(
    "statement",
    [
        "SELEC 1",
        "SELECT * FROM nowhere",
        "INSERT INTO counters (id, value) VALUES (1, 0)",
        "SELECT CAST('x' AS int)",
        "SELECT 1 / 0",
    ],
)
async def test_a_statement_that_is_wrong_is_no_absence(db: Database, statement: str) -> None:
    with pytest.raises(DBAPIError) as failed:
        async with db.transaction() as tx:
            await tx.execute(text(statement))
    assert not is_away(failed.value)


@pytest.mark.parametrize("argument", ["a\0b", "\ud800", 2**40, b"x"], ids=repr)
async def test_an_argument_that_is_wrong_is_no_absence(db: Database, argument: object) -> None:
    kind = "text" if isinstance(argument, str) else "int"
    with pytest.raises(DBAPIError) as failed:
        async with db.transaction() as tx:
            await tx.execute(text(f"SELECT CAST(:it AS {kind})"), it=argument)
    assert not is_away(failed.value)


async def test_what_people_wrote_stands_in_no_error(db: Database) -> None:
    with pytest.raises(DBAPIError) as failed:
        async with db.transaction() as tx:
            await tx.execute(
                text("SELECT CAST(:title AS text), 1 / (SELECT 0)"), title="高等数学 期末"
            )
    assert "高等数学" not in f"{failed.value}{failed.value!r}"


async def test_a_row_that_is_refused_stands_in_no_traceback(db: Database) -> None:
    with pytest.raises(DBAPIError) as failed:
        async with db.transaction() as tx:
            await tx.execute(
                text("INSERT INTO effects (user_id, name) VALUES (NULL, :title)"), title="高等数学"
            )
    assert sqlstate(failed.value) == "23502"
    assert "高等数学" not in "".join(traceback.format_exception(failed.value))


async def test_the_name_of_a_violated_constraint_is_known(db: Database) -> None:
    with pytest.raises(DBAPIError) as failed:
        async with db.transaction() as tx:
            await tx.execute(INSERT, id=1, value=0)
    assert constraint(failed.value) == "counters_pkey"
    assert constraint(ValueError()) == ""
    assert sqlstate(ValueError()) == ""


async def test_a_refused_connection_is_an_absence() -> None:
    free = next(port for port in range(29_000, 30_000) if ports.is_free(port))
    nowhere = Database(f"postgresql+asyncpg://x:y@127.0.0.1:{free}/x", application="kit")
    assert is_away(await failure(nowhere))


async def test_a_wrong_password_is_no_absence(database_url: str) -> None:
    wrong = Database(database_url.replace("@", "x@", 1), application="kit")
    error = await failure(wrong)
    assert not is_away(error)
    assert is_unfit(error)
    with pytest.raises(DBAPIError):
        await wrong.wait_until_there()


@pytest.mark.parametrize("code", ["55000", "25006", "58030", "53100"])
async def test_a_server_that_takes_nothing_for_now_is_an_absence(db: Database, code: str) -> None:
    with pytest.raises(DBAPIError) as failed:
        async with db.transaction() as tx:
            await tx.execute(text(FAIL.format(code=code)))
    assert is_away(failed.value)


async def test_a_connection_that_the_server_ends_is_an_absence(db: Database) -> None:
    with pytest.raises(DBAPIError) as failed:
        async with db.transaction() as tx:
            await tx.execute(text("SELECT pg_terminate_backend(pg_backend_pid())"))
    assert is_away(failed.value)
    assert await ask(db) == 1


async def test_a_server_that_is_killed_is_an_absence_until_it_is_there_again(
    mortal_servers: Suite, mortal_db: Database
) -> None:
    async def between_statements(tx: Tx) -> None:
        await tx.execute(INSERT, id=9, value=0)
        await mortal_servers.kill("postgres")
        await tx.execute(INSERT, id=10, value=0)

    async def before_the_commit(tx: Tx) -> None:
        await tx.execute(INSERT, id=9, value=0)
        await mortal_servers.kill("postgres")

    with pytest.raises((DBAPIError, OSError)) as failed:
        await mortal_db.run(between_statements)
    assert is_away(failed.value)
    assert is_away(await failure(mortal_db))
    there = asyncio.ensure_future(mortal_db.wait_until_there())
    await mortal_servers.ready("postgres")
    async with asyncio.timeout(30):
        await there
    with pytest.raises((DBAPIError, OSError)) as failed:
        await mortal_db.run(before_the_commit)
    assert is_away(failed.value)
    await mortal_servers.ready("postgres")
    await mortal_db.wait_until_there()
    async with mortal_db.transaction() as tx:
        assert await tx.first(READ, id=9) is None


async def test_a_server_that_is_stopped_ends_its_connections_and_is_an_absence(
    mortal_servers: Suite, mortal_db: Database
) -> None:
    assert await ask(mortal_db) == 1
    await mortal_servers.stop("postgres")
    assert is_away(await failure(mortal_db))
    await mortal_servers.start("postgres")
    await mortal_db.wait_until_there()
    assert await ask(mortal_db) == 1


async def test_waiting_for_a_database_can_be_cancelled(
    mortal_servers: Suite, mortal_db: Database
) -> None:
    await mortal_servers.stop("postgres")
    waiting = asyncio.ensure_future(mortal_db.wait_until_there())
    done, _ = await asyncio.wait({waiting}, timeout=0.1)
    assert not done
    waiting.cancel()
    await wait_until(waiting.done)
    await mortal_servers.start("postgres")
