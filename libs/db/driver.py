"""Statements on a connection of the driver: named parameters in, rows out, one kind of error.

SQLAlchemy's way from a statement to the driver costs several times the driver's own (measured:
1.0 ms of CPU for an apply); its text, its pool and its errors are kept, the way is not.
"""

from collections.abc import Awaitable, Mapping, Sequence
from typing import Any, Self, TypeAlias, TypeVar
from weakref import WeakKeyDictionary

import asyncpg
from sqlalchemy import TextClause
from sqlalchemy.dialects.postgresql.asyncpg import dialect
from sqlalchemy.exc import DBAPIError, IntegrityError

Connection: TypeAlias = asyncpg.Connection

T = TypeVar("T")

_DIALECT = dialect()  # type: ignore[no-untyped-call]
_FAILURES = (asyncpg.PostgresError, asyncpg.InterfaceError, asyncpg.InternalClientError)
# Their very message quotes a value: one that the server, or the driver itself, could not take.
_QUOTING = (asyncpg.DataError, ValueError)
_compiled: WeakKeyDictionary[TextClause, tuple[str, tuple[str, ...]]] = WeakKeyDictionary()


class Row(asyncpg.Record):  # type: ignore[misc]  # the driver is not typed
    """A row: columns by name, as attributes or keys, or by place."""

    __slots__ = ()

    def __getattr__(self, name: str) -> Any:
        try:
            return self[name]
        except KeyError:
            raise AttributeError(name) from None

    @property
    def _mapping(self) -> Self:
        """The columns by name."""
        return self


class DriverError(Exception):
    """What the driver said, without the values that it quotes: they are what people wrote.

    The driver's own error, whose text holds whole rows, is not kept: errors are logged.
    """

    def __init__(self, error: Exception) -> None:
        tells = bool(error.args) and not isinstance(error, _QUOTING)
        super().__init__(error.args[0] if tells else type(error).__name__)
        self.sqlstate: str = getattr(error, "sqlstate", None) or ""
        self.constraint_name: str = getattr(error, "constraint_name", None) or ""


async def fetch(
    connection: Connection, statement: TextClause, parameters: Mapping[str, Any]
) -> Sequence[Row]:
    """The rows that a statement gives. Raises DBAPIError, OSError, TimeoutError."""
    sql, names = compiled(statement)
    arguments = [parameters[name] for name in names]
    rows: Sequence[Row] = await _told(
        connection, sql, connection.fetch(sql, *arguments, record_class=Row)
    )
    return rows


async def execute(
    connection: Connection, statement: TextClause, parameters: Mapping[str, Any]
) -> int:
    """Runs a statement; gives the number of rows it touched, -1 where it tells none."""
    sql, names = compiled(statement)
    arguments = [parameters[name] for name in names]
    status: str = await _told(connection, sql, connection.execute(sql, *arguments))
    count = status.rpartition(" ")[2]
    return int(count) if count.isdigit() else -1


async def command(connection: Connection, sql: str) -> str:
    """Runs a command without parameters and gives its tag."""
    tag: str = await _told(connection, sql, connection.execute(sql))
    return tag


async def commit(connection: Connection) -> None:
    """Commits. A transaction in which a statement has failed cannot be committed."""
    if await command(connection, "COMMIT") != "COMMIT":
        raise AssertionError("a statement failed, and its error was kept from the transaction")


def compiled(statement: TextClause) -> tuple[str, tuple[str, ...]]:
    """The SQL with numbered parameters, and their names in that order."""
    found = _compiled.get(statement)
    if found is None:
        made = statement.compile(dialect=_DIALECT)
        found = _compiled[statement] = (str(made), tuple(made.positiontup or ()))
    return found


async def _told(connection: Connection, sql: str, work: Awaitable[T]) -> T:
    """What `work` gives; its failure in the terms of SQLAlchemy."""
    try:
        return await work
    except _FAILURES as error:
        violated = isinstance(error, asyncpg.IntegrityConstraintViolationError)
        kind = IntegrityError if violated else DBAPIError
        raise kind(
            sql,
            None,
            DriverError(error),
            hide_parameters=True,
            connection_invalidated=connection.is_closed(),
        ) from None
