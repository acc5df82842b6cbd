"""One database of one service: its pool, its transactions, its retries.

SQLAlchemy brings the statements, the pool and the errors; what happens between BEGIN and COMMIT
goes to the driver without a detour (docs/adr/0005-statements-straight-to-the-driver.md).
"""

import asyncio
import random
from collections import deque
from collections.abc import AsyncIterator, Awaitable, Callable, Sequence
from contextlib import asynccontextmanager
from dataclasses import dataclass, field
from typing import Any, TypeVar

from sqlalchemy import PoolProxiedConnection, TextClause, event, text
from sqlalchemy.exc import DBAPIError, DisconnectionError, TimeoutError
from sqlalchemy.ext.asyncio import AsyncEngine, create_async_engine
from sqlalchemy.util import greenlet_spawn

from libs.db import driver
from libs.db.driver import Row

T = TypeVar("T")

# Serialization failures and deadlocks: the whole unit of work may be run again.
_RERUN = frozenset({"40001", "40P01"})
_RERUN_LIMIT = 5
# Classes and codes that say "the database is away", not "the statement is wrong".
_AWAY_CLASSES = ("08", "57P", "53", "58")
# The server for now takes no connections to this database, or no writes: a failover, an upkeep.
_CLOSED = frozenset({"55000", "25006"})
# Another holds what this one needs: lock_timeout, and deadlocks that outlived every rerun.
_CONTENDED = _RERUN | {"55P03"}
# What was deployed does not fit: a table or a right is missing, or the server lacks a feature.
_UNFIT_CLASSES = ("42", "28", "0A000")
# A plan for whatever values, and for whatever size its tables may yet have: one that was made on
# an empty table reads it whole, which costs nothing then and more with each row.
_GENERAL_PLANS = {"plan_cache_mode": "force_generic_plan", "enable_seqscan": "off"}
_BEGIN = "BEGIN"
_BEGIN_LIGHT = "BEGIN; SET LOCAL synchronous_commit = off"
_BEGIN_SNAPSHOT = "BEGIN ISOLATION LEVEL REPEATABLE READ READ ONLY"
_PING = text("SELECT 1")
_WAIT_SECONDS = 0.25
_ROLLBACK_SECONDS = 5.0


class LockTimeout(Exception):
    """Another writer of this process kept what this one waited for; contention, as 55P03 is."""


def sqlstate(error: BaseException) -> str:
    """The five-character SQLSTATE behind an error, or an empty string."""
    origin = getattr(error, "orig", None)
    return str(getattr(origin, "sqlstate", None) or "")


def constraint(error: BaseException) -> str:
    """Name of the violated constraint behind an error, or an empty string."""
    origin = getattr(error, "orig", None)
    return str(getattr(origin, "constraint_name", None) or "")


def is_contended(error: BaseException) -> bool:
    """Whether another holds what this one needs: it says nothing about the rest of the database."""
    return isinstance(error, LockTimeout) or (
        isinstance(error, DBAPIError) and sqlstate(error) in _CONTENDED
    )


def is_unfit(error: BaseException) -> bool:
    """Whether the database and this program do not fit together: the fault of the deployment.

    No absence, since it does not pass by itself, and not the message's or the caller's fault.
    """
    return isinstance(error, DBAPIError) and sqlstate(error).startswith(_UNFIT_CLASSES)


def is_away(error: BaseException) -> bool:
    """Whether the database could not be reached or kept, or a lock was not to be had in time.

    Such an error is never the message's or the caller's own fault.
    """
    if isinstance(error, (OSError, TimeoutError, asyncio.TimeoutError)) or is_contended(error):
        return True
    if not isinstance(error, DBAPIError):
        return False
    # The driver's own InterfaceError is no sign: it also says that a statement is malformed.
    state = sqlstate(error)
    known = state in _CLOSED or state.startswith(_AWAY_CLASSES)
    return error.connection_invalidated or known


@dataclass(slots=True)
class Tx:
    """An open transaction. Whoever opened it commits; nobody else does."""

    connection: driver.Connection
    kept: dict[object, list[Any]] = field(default_factory=dict)
    """What is collected for `before_commit`, by whoever collects it."""
    _before_commit: list[Callable[[], Awaitable[None]]] = field(default_factory=list)
    _after_commit: list[Callable[[], None]] = field(default_factory=list)

    async def execute(self, statement: TextClause, **parameters: Any) -> int:
        """Runs a statement and gives the number of rows it touched."""
        return await driver.execute(self.connection, statement, parameters)

    async def all(self, statement: TextClause, **parameters: Any) -> Sequence[Row]:
        """All rows."""
        return await driver.fetch(self.connection, statement, parameters)

    async def first(self, statement: TextClause, **parameters: Any) -> Row | None:
        """The first row, or None."""
        rows = await driver.fetch(self.connection, statement, parameters)
        return rows[0] if rows else None

    async def one(self, statement: TextClause, **parameters: Any) -> Row:
        """The only row; anything else is a defect."""
        (row,) = await driver.fetch(self.connection, statement, parameters)
        return row

    async def scalar(self, statement: TextClause, **parameters: Any) -> Any:
        """The first column of the first row, or None."""
        row = await self.first(statement, **parameters)
        return None if row is None else row[0]

    def before_commit(self, last: Callable[[], Awaitable[None]]) -> None:
        """Runs `last` in this transaction when all else is done, right before the commit."""
        self._before_commit.append(last)

    def after_commit(self, callback: Callable[[], None]) -> None:
        """Calls back once the commit has succeeded; a hint, lost when the process dies."""
        if callback not in self._after_commit:
            self._after_commit.append(callback)

    async def commit(self) -> None:
        """Commits; called by whoever opened it."""
        for last in self._before_commit:
            await last()
        await driver.commit(self.connection)

    def committed(self) -> None:
        """Runs the callbacks; called by whoever committed."""
        for callback in self._after_commit:
            callback()


class Database:
    """The pool of one service's database.

    Limits: a lock that is not to be had within `lock_timeout_ms` is an error that `is_away`
    recognises; a statement runs at most 30 s; an idle transaction is ended after 30 s.

    `general_plans` is for a service whose statements reach their rows by a key whatever the
    values are: none is planned anew for them, which can cost more than to run it.
    """

    def __init__(
        self,
        url: str,
        *,
        application: str,
        pool_size: int = 10,
        lock_timeout_ms: int = 5000,
        general_plans: bool = False,
    ) -> None:
        self.lock_seconds = lock_timeout_ms / 1000
        self.writers: dict[int, deque[asyncio.Future[None]]] = {}
        """Who waits behind the writer of a user: see `libs.db.user_lock`."""
        self.engine: AsyncEngine = create_async_engine(
            url,
            pool_size=pool_size,
            max_overflow=0,
            pool_timeout=5,
            # Errors are logged, and parameters hold what people wrote.
            hide_parameters=True,
            connect_args={
                "timeout": 5,
                "command_timeout": 30,
                "server_settings": {
                    "application_name": application,
                    "lock_timeout": str(lock_timeout_ms),
                    "idle_in_transaction_session_timeout": "30000",
                    "timezone": "UTC",
                    **(_GENERAL_PLANS if general_plans else {}),
                },
            },
        )
        event.listen(self.engine.sync_engine, "checkout", _refuse_closed)

    @asynccontextmanager
    async def transaction(self) -> AsyncIterator[Tx]:
        """One READ COMMITTED transaction: committed at the end, rolled back on any error."""
        async with self._begun(_BEGIN) as tx:
            yield tx
        tx.committed()

    @asynccontextmanager
    async def light_transaction(self) -> AsyncIterator[Tx]:
        """As `transaction`, but its commit does not wait for the disk.

        Only for what is made good by itself where a crash of the server has undone it: a lease, a
        mark on work that may be done twice. Others see it, and what they build on it is durable
        no sooner than it is.
        """
        async with self._begun(_BEGIN_LIGHT) as tx:
            yield tx
        tx.committed()

    @asynccontextmanager
    async def snapshot(self) -> AsyncIterator[Tx]:
        """One REPEATABLE READ READ ONLY transaction: every statement sees the same instant."""
        async with self._begun(_BEGIN_SNAPSHOT) as tx:
            yield tx

    @asynccontextmanager
    async def _begun(self, begin: str) -> AsyncIterator[Tx]:
        held = await self._held()
        tx = Tx(held.driver_connection)
        try:
            await driver.command(tx.connection, begin)
            yield tx
            await tx.commit()
        except BaseException:
            await _roll_back(held)
            raise
        finally:
            await greenlet_spawn(held.close)

    async def _held(self) -> PoolProxiedConnection:
        """A connection out of the pool, an open one as far as this process can know."""
        try:
            return await self.engine.raw_connection()
        except self.engine.dialect.loaded_dbapi.Error as error:
            raise DBAPIError(_BEGIN, None, error, hide_parameters=True) from error

    async def run(self, work: Callable[[Tx], Awaitable[T]]) -> T:
        """Runs `work` in one transaction, again after a deadlock or serialization failure.

        At most 5 times, with jitter. `work` must have no effect outside its transaction.
        """
        for attempt in range(1, _RERUN_LIMIT + 1):
            try:
                async with self.transaction() as tx:
                    return await work(tx)
            except DBAPIError as error:
                if sqlstate(error) not in _RERUN or attempt == _RERUN_LIMIT:
                    raise
                # Jitter keeps two deadlocked transactions from meeting again.
                await asyncio.sleep(random.uniform(0, 0.01 * 2**attempt))
        raise AssertionError("unreachable: the last attempt returns or raises")

    async def wait_until_there(self) -> None:
        """Returns once the database answers; waits for as long as it does not."""
        while True:
            try:
                async with self.engine.connect() as connection:
                    await connection.execute(_PING)
                return
            except Exception as error:
                if not is_away(error):
                    raise
                await asyncio.sleep(_WAIT_SECONDS)

    async def close(self) -> None:
        """Closes every connection."""
        await self.engine.dispose()


def _refuse_closed(connection: Any, _record: object, _proxy: object) -> None:
    """Has the pool replace a connection that has ended.

    The driver hears of that at once, so that no question to the server is needed first.
    """
    if connection.driver_connection.is_closed():
        raise DisconnectionError


async def _roll_back(held: PoolProxiedConnection) -> None:
    """Undoes what was begun; a connection on which that fails is given up."""
    connection: driver.Connection = held.driver_connection
    try:
        if not connection.is_closed():
            await connection.execute("ROLLBACK", timeout=_ROLLBACK_SECONDS)
    except BaseException:  # noqa: BLE001  the error that led here is the one to be told
        held.invalidate()
