"""The time that a call has left, and the clock that says what time it is."""

import asyncio
from datetime import UTC, datetime, timedelta

import pytest

from libs.clock import FixedClock, SystemClock
from libs.rpc import deadline


async def own_context(seconds: float | None, own: float) -> tuple[float, float]:
    """What `begin` gives, and what is left of `own` after it."""
    return deadline.begin(seconds), deadline.remaining(own)


async def in_a_call(seconds: float | None, own: float) -> tuple[float, float]:
    """The same in a context of its own, as every served call has one."""
    return await asyncio.ensure_future(own_context(seconds, own))


async def test_outside_of_any_call_there_is_as_much_time_as_one_likes() -> None:
    assert deadline.remaining(3600) == 3600


async def test_a_caller_without_a_deadline_gets_one() -> None:
    length, left = await in_a_call(None, 3600)
    assert length == deadline.DEFAULT_SECONDS
    assert 0 < left < deadline.DEFAULT_SECONDS


async def test_the_callers_deadline_is_handed_on_with_a_margin() -> None:
    length, left = await in_a_call(2.0, 3600)
    assert length == 2.0
    assert 0 < left <= 2.0 - 0.05


async def test_a_shorter_limit_of_ones_own_holds() -> None:
    assert (await in_a_call(60.0, 0.5))[1] == 0.5


@pytest.mark.parametrize("seconds", [0.0, 0.04])
async def test_with_nothing_left_a_call_still_gets_a_time_that_grpc_takes(seconds: float) -> None:
    assert (await in_a_call(seconds, 5))[1] == 0.001


async def test_the_deadline_of_one_call_is_none_of_another() -> None:
    await in_a_call(0.1, 5)
    assert deadline.remaining(5) == 5


def test_the_system_clock_is_aware_and_in_utc() -> None:
    before = datetime.now(UTC)
    now = SystemClock().now()
    assert before <= now <= datetime.now(UTC)
    assert now.utcoffset() == timedelta()


def test_an_offset_shifts_the_system_clock() -> None:
    shifted = SystemClock(timedelta(hours=2)).now()
    assert timedelta(hours=2) <= shifted - datetime.now(UTC) + timedelta(seconds=60)


def test_a_fixed_clock_stands_still_until_it_is_set() -> None:
    noon = datetime(2026, 11, 30, 12, tzinfo=UTC)
    clock = FixedClock(noon)
    assert (clock.now(), clock.now()) == (noon, noon)
    clock.at = noon + timedelta(days=1)
    assert clock.now() == noon + timedelta(days=1)
