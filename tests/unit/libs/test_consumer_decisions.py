"""What a consumer decides without asking anybody: names, faults, delays."""

from typing import Any, cast

from hypothesis import given
from hypothesis import strategies as st

from libs.events import consumer
from libs.events.consumer import Consumer, Limits, Parked
from libs.events.envelope import Delivery
from smartmate.events.v1 import events_pb2

LIMITS = Limits(away_first_seconds=0.2, away_most_seconds=15.0)


async def untouched(_: Delivery[events_pb2.TaskChanged]) -> None:
    raise AssertionError("nothing is handled here")


async def unparked(_: Parked) -> None:
    raise AssertionError("nothing is parked here")


def never(_: BaseException) -> bool:
    return False


def made(limits: Limits = LIMITS) -> Consumer[events_pb2.TaskChanged]:
    return Consumer(
        bus=cast("Any", None),
        service="active_scheduler",
        kind=events_pb2.TaskChanged,
        handle=untouched,
        park=unparked,
        is_away=never,
        is_contended=never,
        is_unfit=never,
        limits=limits,
    )


def test_its_name_is_the_durable_of_its_service() -> None:
    assert made().name == "active_scheduler__task_changed"


def test_faults_are_counted_for_each_message_by_itself() -> None:
    one = made()
    assert [one._count_fault(5), one._count_fault(5), one._count_fault(6)] == [1, 2, 1]


def test_what_is_remembered_of_faults_has_an_end_and_loses_the_oldest_first() -> None:
    one = made()
    for sequence in range(consumer._FAULTS_KEPT):
        one._count_fault(sequence)
    one._count_fault(0)
    one._count_fault(-1)
    assert len(one._faults) == consumer._FAULTS_KEPT
    assert one._count_fault(0) == 3
    assert one._count_fault(1) == 1


@given(st.integers(min_value=0, max_value=10**9))
def test_a_delay_grows_up_to_its_limit_and_never_vanishes(tries: int) -> None:
    wanted = min(0.2 * 2 ** min(tries, 30), 15.0)
    assert wanted / 2 <= made()._away_delay(tries) <= wanted


def test_the_default_tells_the_broker_in_time_that_work_goes_on() -> None:
    # Durable consumers are declared with an ack_wait of 30 s.
    assert Limits().in_progress_seconds * 2 < 30
