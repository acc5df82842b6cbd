"""Which errors say that the database is away, as far as that can be told without one."""

import asyncio
import builtins
import socket

import nats.errors
import pytest
from sqlalchemy.exc import DBAPIError, InterfaceError, TimeoutError

from libs.db.database import is_away


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
