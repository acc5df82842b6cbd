"""One database of one service: its pool, its transactions, its retries."""

import asyncio
import random
from collections.abc import AsyncIterator, Awaitable, Callable, Sequence
from contextlib import asynccontextmanager
from dataclasses import dataclass, field
from typing import Any, TypeVar

from sqlalchemy import Row, TextClause, text
from sqlalchemy.exc import DBAPIError, TimeoutError
from sqlalchemy.ext.asyncio import AsyncConnection, AsyncEngine, create_async_engine

T = TypeVar("T")

# Serialization failures and deadlocks: the whole unit of work may be run again.
_RERUN = frozenset({"40001", "40P01"})
_RERUN_LIMIT = 5
# Classes and codes that say "the database is away", not "the statement is wrong".
_AWAY_CLASSES = ("08", "57P", "53")
# Another holds what this one needs: lock_timeout, and deadlocks that outlived every rerun.
_CONTENDED = _RERUN | {"55P03"}
_PING = text("SELECT 1")
_WAIT_SECONDS = 0.25


def sqlstate(error: BaseException) -> str:
    """The five-character SQLSTATE behind an error, or an empty string."""
    origin = getattr(error, "orig", None)
    return str(getattr(origin, "sqlstate", None) or "")


def constraint(error: BaseException) -> str:
    """Name of the violated constraint behind an error, or an empty string."""
    cause = getattr(getattr(error, "orig", None), "__cause__", None)
    return str(getattr(cause, "constraint_name", None) or "")


def is_away(error: BaseException) -> bool:
    """Whether the database could not be reached or kept, or a lock was not to be had in time.

    Such an error is never the message's or the caller's own fault.
    """
    if isinstance(error, (OSError, TimeoutError, asyncio.TimeoutError)):
        return True
    if not isinstance(error, DBAPIError):
        return False
    # The driver's own InterfaceError is no sign: it also says that a statement is malformed.
    state = sqlstate(error)
    return error.connection_invalidated or state in _CONTENDED or state.startswith(_AWAY_CLASSES)


@dataclass(slots=True)
class Tx:
    """An open transaction. Whoever opened it commits; nobody else does."""

    connection: AsyncConnection
    _after_commit: list[Callable[[], None]] = field(default_factory=list)

    async def execute(self, statement: TextClause, **parameters: Any) -> int:
        """Runs a statement and gives the number of rows it touched."""
        result = await self.connection.execute(statement, parameters)
        return result.rowcount

    async def all(self, statement: TextClause, **parameters: Any) -> Sequence[Row[Any]]:
        """All rows."""
        return (await self.connection.execute(statement, parameters)).all()

    async def first(self, statement: TextClause, **parameters: Any) -> Row[Any] | None:
        """The first row, or None."""
        return (await self.connection.execute(statement, parameters)).first()

    async def one(self, statement: TextClause, **parameters: Any) -> Row[Any]:
        """The only row; anything else is a defect."""
        return (await self.connection.execute(statement, parameters)).one()

    async def scalar(self, statement: TextClause, **parameters: Any) -> Any:
        """The first column of the first row, or None."""
        return (await self.connection.execute(statement, parameters)).scalar()

    def after_commit(self, callback: Callable[[], None]) -> None:
        """Calls back once the commit has succeeded; a hint, lost when the process dies."""
        if callback not in self._after_commit:
            self._after_commit.append(callback)

    def committed(self) -> None:
        """Runs the callbacks; called by whoever committed."""
        for callback in self._after_commit:
            callback()


class Database:
    """The pool of one service's database.

    Limits: a lock that is not to be had within `lock_timeout_ms` is an error that `is_away`
    recognises; a statement runs at most 30 s; an idle transaction is ended after 30 s.
    """

    def __init__(
        self, url: str, *, application: str, pool_size: int = 10, lock_timeout_ms: int = 5000
    ) -> None:
        self.engine: AsyncEngine = create_async_engine(
            url,
            pool_size=pool_size,
            max_overflow=0,
            pool_timeout=5,
            pool_pre_ping=True,
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
                },
            },
        )
        self._snapshots = self.engine.execution_options(
            isolation_level="REPEATABLE READ", postgresql_readonly=True
        )

    @asynccontextmanager
    async def transaction(self) -> AsyncIterator[Tx]:
        """One READ COMMITTED transaction: committed at the end, rolled back on any error."""
        async with self.engine.begin() as connection:
            tx = Tx(connection)
            yield tx
        tx.committed()

    @asynccontextmanager
    async def snapshot(self) -> AsyncIterator[Tx]:
        """One REPEATABLE READ READ ONLY transaction: every statement sees the same instant."""
        async with self._snapshots.begin() as connection:
            yield Tx(connection)

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
