"""Which errors say that the database is away, as far as that can be told without one."""

import asyncio
import builtins
import socket

import asyncpg
import nats.errors
import pytest
from sqlalchemy.exc import DBAPIError, InterfaceError, TimeoutError

from libs.db import driver
from libs.db.database import LockTimeout, constraint, is_away, is_contended, is_unfit, sqlstate


@pytest.mark.parametrize(
    "error",
    [
        ConnectionRefusedError(),
        socket.gaierror("no such host"),
        builtins.TimeoutError(),
        TimeoutError("no connection became free"),
        DBAPIError("SELECT 1", None, Exception(), connection_invalidated=True),
        InterfaceError("SELECT 1", None, Exception(), connection_invalidated=True),
    ],
    ids=repr,
)
def test_what_cannot_be_reached_or_kept_is_away(error: Exception) -> None:
    assert is_away(error)


@pytest.mark.parametrize(
    "error",
    [
        ValueError("no"),
        KeyError("no"),
        nats.errors.MaxPayloadError(),
        # What the driver says of a statement with too many arguments.
        InterfaceError("SELECT 1", None, Exception()),
        DBAPIError("SELECT 1", None, Exception()),
        asyncio.CancelledError(),
    ],
    ids=repr,
)
def test_what_is_wrong_in_itself_is_not_away(error: BaseException) -> None:
    assert not is_away(error)


def failed(code: str, message: str = "as asked", **facts: str) -> DBAPIError:
    """How the driver's failure is told."""
    error = asyncpg.PostgresError.new({"C": code, "M": message, **facts})
    return DBAPIError("SELECT 1", None, driver.DriverError(error))


@pytest.mark.parametrize(
    "error", [failed("55P03"), failed("40001"), failed("40P01"), LockTimeout(7)], ids=repr
)
def test_what_another_holds_is_contended_and_an_absence_to_a_caller(error: Exception) -> None:
    assert is_contended(error)
    assert is_away(error)
    assert not is_unfit(error)


@pytest.mark.parametrize("code", ["42P01", "42501", "28P01", "28000", "0A000"])
def test_what_does_not_fit_the_program_is_the_deployments_and_no_absence(code: str) -> None:
    assert is_unfit(failed(code))
    assert not is_away(failed(code))
    assert not is_contended(failed(code))


@pytest.mark.parametrize("code", ["23505", "22P02", "57P01", "08006", "0A001"])
def test_other_failures_are_neither_contended_nor_unfit(code: str) -> None:
    assert not is_unfit(failed(code))
    assert not is_contended(failed(code))


def test_of_what_the_driver_said_code_and_constraint_are_kept_and_no_row() -> None:
    error = failed("23514", "violated", n="tasks_check", D="Failing row contains (1, 高等数学).")
    assert (sqlstate(error), constraint(error)) == ("23514", "tasks_check")
    assert "高等数学" not in f"{error}{error.orig!r}"
    assert error.orig.__cause__ is None
    assert "高等数学" not in str(failed("22P02", 'invalid input syntax: "高等数学"'))
