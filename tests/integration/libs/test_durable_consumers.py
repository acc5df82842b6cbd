"""A durable consumer: one effect for each event, faults that are parked, absences that are not."""

import asyncio
import uuid
from collections.abc import AsyncIterator
from dataclasses import replace

import pytest
from opentelemetry import trace
from sqlalchemy import text
from structlog.testing import capture_logs

from libs.db.database import Database, LockTimeout
from libs.events.connection import Bus
from libs.events.consumer import Limits, Parked
from services.standalone.suite import Suite
from tests.integration.libs.consumer_rig import QUICK, WHAT, Heard, Rig, made
from tests.waiting import until, wait_until


@pytest.fixture
async def rig(db: Database, admin_bus: Bus) -> AsyncIterator[Rig]:
    async with made(db, admin_bus) as rig:
        yield rig


async def has_effects(rig: Rig, count: int) -> None:
    async def enough() -> bool:
        return len(await rig.effects()) >= count

    await until(enough, what=f"{count} effects")


async def seconds_passed(seconds: float) -> None:
    """A wall-clock wait, for what only time brings: the end of the broker's patience."""
    loop = asyncio.get_running_loop()
    ends_at = loop.time() + seconds
    await wait_until(lambda: loop.time() >= ends_at)


async def test_an_event_is_handled_and_acknowledged(rig: Rig) -> None:
    async with rig.running():
        task = await rig.say()
        await rig.settled()
    assert await rig.effects() == [task]
    (delivery,) = rig.deliveries
    assert (delivery.consumer, delivery.user_id, delivery.delivered) == (rig.durable, 7, 1)


async def test_an_event_published_twice_has_one_effect(rig: Rig) -> None:
    first, second = uuid.uuid4(), uuid.uuid4()
    async with rig.running():
        tasks = [await rig.say(event_id=first), await rig.say(event_id=second)]
        # The same events again, in reverse, as no broker's memory of ids would notice.
        await rig.say(event_id=second, message_id="again-2")
        await rig.say(event_id=first, message_id="again-1")
        await rig.settled()
    assert len(rig.deliveries) == 4
    assert await rig.effects() == tasks


async def test_two_consumers_hear_one_event_each(db: Database, admin_bus: Bus) -> None:
    async with made(db, admin_bus) as one, made(db, admin_bus) as other:
        async with one.running(), other.running():
            task = await one.say()
            await one.settled()
            await other.settled()
        assert await one.effects() == [task, task]


async def test_replicas_of_one_consumer_share_its_events(rig: Rig) -> None:
    async with rig.running(), rig.running():
        tasks = [await rig.say() for _ in range(40)]
        await rig.settled()
    assert sorted(await rig.effects()) == tasks
    assert len(rig.deliveries) == 40


async def test_a_death_between_commit_and_acknowledgement_has_one_effect(rig: Rig) -> None:
    async def die_once(delivery: Heard) -> None:
        if len(rig.deliveries) == 1:
            raise ValueError("died after the commit")

    rig.after = die_once
    async with rig.running():
        task = await rig.say()
        await rig.settled()
    assert rig.times(task) == 2
    assert await rig.effects() == [task]
    assert rig.parked == []


async def test_a_message_that_fails_by_itself_is_parked_and_the_next_one_passes(rig: Rig) -> None:
    async def fail(delivery: Heard) -> None:
        if delivery.message.task_id == poison:
            raise ValueError("cannot be done\0")

    rig.before = fail
    event_id = uuid.uuid4()
    poison = await rig.say(event_id=event_id)
    async with rig.running():
        next_one = await rig.say()
        await rig.settled()
    assert rig.times(poison) == QUICK.max_faults
    assert await rig.effects() == [next_one]
    (letter,) = await rig.letters()
    assert letter.event_id == str(event_id)
    assert (letter.consumer, letter.subject) == (rig.durable, WHAT.subject)
    assert (letter.reason, letter.delivered) == ("handler_failed", QUICK.max_faults)
    assert letter.error == "ValueError: cannot be done\ufffd"
    assert letter.headers["ce-id"] == str(event_id)
    assert letter.payload == rig.deliveries[0].message.SerializeToString()
    assert letter.replayed_at is None


async def test_a_message_that_recovers_before_its_last_chance_is_not_parked(rig: Rig) -> None:
    async def fail_twice(delivery: Heard) -> None:
        if len(rig.deliveries) < QUICK.max_faults:
            raise ValueError("not yet")

    rig.before = fail_twice
    async with rig.running():
        task = await rig.say()
        await rig.settled()
    assert await rig.effects() == [task]
    assert rig.parked == []


async def test_what_is_away_counts_towards_nothing(rig: Rig) -> None:
    async def away_often_then_faulty(delivery: Heard) -> None:
        if len(rig.deliveries) <= 4 * QUICK.max_faults:
            raise ConnectionRefusedError
        if len(rig.deliveries) <= 4 * QUICK.max_faults + 2:
            raise ValueError("its own fault")

    rig.before = away_often_then_faulty
    async with rig.running():
        task = await rig.say()
        await rig.settled()
    # Many deliveries, two faults: one less than it takes.
    assert rig.deliveries[-1].delivered == 4 * QUICK.max_faults + 3
    assert await rig.effects() == [task]
    assert rig.parked == []


async def test_what_one_user_waits_for_holds_up_nobody_else(rig: Rig) -> None:
    """With one worker and a pause that no test outlives, the next message is handled at once."""

    async def contended(delivery: Heard) -> None:
        if delivery.message.task_id == held and rig.times(held) <= QUICK.max_faults:
            raise LockTimeout(7)

    rig.before = contended
    held = await rig.say()
    slow = replace(QUICK, away_first_seconds=0.5, away_most_seconds=0.5)
    async with rig.running(slow):
        tasks = [await rig.say() for _ in range(3)]
        await rig.settled()
    assert await rig.effects() == [*tasks, held]
    assert rig.parked == []


async def test_what_does_not_fit_the_deployment_is_no_fault_of_the_message(
    rig: Rig, db: Database
) -> None:
    async def before_the_migration(delivery: Heard) -> None:
        if len(rig.deliveries) <= 2 * QUICK.max_faults:
            async with db.transaction() as tx:
                await tx.execute(text("SELECT * FROM not_yet"))

    rig.before = before_the_migration
    with capture_logs() as lines:
        async with rig.running():
            task = await rig.say()
            await rig.settled()
    assert await rig.effects() == [task]
    assert rig.parked == []
    told = [line["log_level"] for line in lines if line["event"] == "deployment_unfit"]
    assert told == ["error"] * 2 * QUICK.max_faults


@pytest.mark.parametrize(
    ("data", "headers"),
    [
        (b"{}", None),
        (b"", None),
        (None, {"ce-id": "1", "ce-subject": "7"}),
        (None, {}),
        (b"\xff", {"ce-subject": "\0"}),
    ],
    ids=["no message", "empty", "no event id", "no headers", "strange header"],
)
async def test_a_malformed_message_is_parked_at_once(
    rig: Rig, data: bytes | None, headers: dict[str, str] | None
) -> None:
    await rig.say(data=data, headers=headers)
    async with rig.running():
        task = await rig.say()
        await rig.settled()
    assert [one.message.task_id for one in rig.deliveries] == [task]
    (letter,) = await rig.letters()
    assert (letter.reason, letter.delivered) == ("malformed", 1)
    assert data is None or letter.payload == data
    assert await rig.effects() == [task]


async def test_malformed_messages_without_an_id_are_all_kept(rig: Rig) -> None:
    for data in (b"{}", b"[]", b"\xff"):
        await rig.say(data=data, headers={})
    async with rig.running():
        await rig.settled()
    assert {letter.payload for letter in await rig.letters()} == {b"{}", b"[]", b"\xff"}


async def test_a_message_that_cannot_be_parked_is_kept_until_it_can(
    rig: Rig, monkeypatch: pytest.MonkeyPatch
) -> None:
    refused = 0

    async def fail(delivery: Heard) -> None:
        raise ValueError("its own fault")

    async def park_later(parked: Parked) -> None:
        nonlocal refused
        if refused < 2:
            refused += 1
            raise ConnectionRefusedError
        await Rig.park(rig, parked)

    rig.before = fail
    monkeypatch.setattr(Rig, "park", Rig.park)
    consumer = rig.consumer()
    consumer.park = park_later
    stop = asyncio.Event()
    running = asyncio.ensure_future(consumer.run(stop))
    await rig.say()
    await rig.settled()
    stop.set()
    await running
    assert refused == 2
    assert len(await rig.letters()) == 1


async def test_parking_twice_keeps_one_letter(rig: Rig) -> None:
    async def fail(delivery: Heard) -> None:
        raise ValueError("its own fault")

    rig.before = fail
    event_id = uuid.uuid4()
    async with rig.running():
        await rig.say(event_id=event_id)
        await rig.settled()
        await rig.say(event_id=event_id, message_id="again")
        await rig.settled()
    assert len(rig.parked) == 2
    (letter,) = await rig.letters()
    assert letter.event_id == str(event_id)


@pytest.mark.parametrize("workers", [1, 3])
async def test_stopping_finishes_what_is_held_and_takes_nothing_more(
    rig: Rig, workers: int
) -> None:
    begun, go_on = asyncio.Semaphore(0), asyncio.Event()

    async def hold(delivery: Heard) -> None:
        begun.release()
        await go_on.wait()

    rig.before = hold
    tasks = [await rig.say() for _ in range(5)]
    async with rig.running(replace(QUICK, workers=workers)) as stop:
        for _ in range(workers):
            await begun.acquire()
        stop.set()
        go_on.set()
    assert sorted(await rig.effects()) == tasks[:workers]
    info = await rig.bus.jetstream.consumer_info(WHAT.stream, rig.durable)
    assert (info.num_ack_pending, info.num_pending) == (0, 5 - workers)
    async with rig.running():
        await rig.settled()
    assert sorted(await rig.effects()) == tasks


async def test_workers_handle_messages_side_by_side(rig: Rig) -> None:
    together = asyncio.Barrier(2)

    async def meet(delivery: Heard) -> None:
        await together.wait()

    rig.before = meet
    tasks = [await rig.say() for _ in range(4)]
    async with rig.running(replace(QUICK, workers=2)):
        await rig.settled()
    assert sorted(await rig.effects()) == tasks
    assert len(rig.deliveries) == 4


async def test_an_idle_consumer_ends_long_before_its_fetch_would(rig: Rig) -> None:
    patient = Limits(expiry_seconds=600.0)
    before = len(rig.bus.client._subs)
    async with asyncio.timeout(20), rig.running(patient):
        await rig.say()
        await rig.settled()

        async def is_waiting() -> bool:
            info = await rig.bus.jetstream.consumer_info(WHAT.stream, rig.durable)
            return bool(info.num_waiting)

        await until(is_waiting)
    assert len(rig.bus.client._subs) == before


async def test_stopping_while_something_is_away_takes_nothing_more(rig: Rig) -> None:
    async def away(delivery: Heard) -> None:
        stop.set()
        raise ConnectionRefusedError

    rig.before = away
    tasks = [await rig.say() for _ in range(5)]
    async with rig.running() as stop:
        await wait_until(lambda: rig.deliveries)
    assert len(rig.deliveries) == 1
    rig.before = None
    async with rig.running():
        await rig.settled()
    assert sorted(await rig.effects()) == tasks


async def test_a_cancelled_consumer_has_cleaned_up_when_it_ends(rig: Rig) -> None:
    begun = asyncio.Event()
    cleaned: list[str] = []

    async def hold(delivery: Heard) -> None:
        try:
            begun.set()
            await asyncio.Event().wait()
        finally:
            await asyncio.wait_for(asyncio.shield(rig.db.wait_until_there()), 10)
            cleaned.append("cleaned")

    rig.before = hold
    await rig.say()
    running = asyncio.ensure_future(rig.consumer().run(asyncio.Event()))
    await begun.wait()
    running.cancel()
    await asyncio.wait({running})
    assert running.cancelled()
    assert cleaned == ["cleaned"]
    assert await rig.effects() == []


async def test_a_handler_slower_than_the_brokers_patience_is_given_its_time(
    db: Database, admin_bus: Bus
) -> None:
    async with made(db, admin_bus, ack_wait=0.4) as rig:

        async def slow(delivery: Heard) -> None:
            if delivery.message.task_id == tasks[0]:
                await seconds_passed(1.5)

        rig.before = slow
        tasks = [await rig.say() for _ in range(3)]
        async with rig.running(), rig.running():
            await rig.settled()
        # Neither the slow one nor those that waited behind it came a second time.
        assert [rig.times(task) for task in tasks] == [1, 1, 1]
        assert sorted(await rig.effects()) == tasks


async def test_a_consumer_waits_until_it_is_declared(rig: Rig) -> None:
    await rig.remove()
    async with rig.running():
        with capture_logs() as lines:
            await wait_until(lambda: [one for one in lines if one["event"] == "consumer_not_there"])
        await rig.declare()
        task = await rig.say()
        await has_effects(rig, 1)
    assert await rig.effects() == [task]


async def test_a_consumer_that_was_never_declared_can_be_stopped(rig: Rig) -> None:
    await rig.remove()
    async with rig.running():
        pass
    await rig.declare()


async def test_a_consumer_deleted_under_it_costs_no_rush_and_is_found_again(rig: Rig) -> None:
    async with rig.running():
        await rig.say()
        await rig.settled()
        with capture_logs() as lines:
            await rig.remove()
            await seconds_passed(1.0)
        await rig.declare()
        task = await rig.say()
        await has_effects(rig, 2)
    assert (await rig.effects())[-1] == task
    assert len(lines) < 50


async def test_the_handler_continues_the_trace_of_the_event(rig: Rig) -> None:
    seen: list[int] = []

    async def look(delivery: Heard) -> None:
        seen.append(trace.get_current_span().get_span_context().trace_id)

    rig.before = look
    async with rig.running():
        said = {"ce-id": str(uuid.uuid4()), "ce-subject": "7"}
        parent = {"traceparent": "00-0af7651916cd43dd8448eb211c80319c-b7ad6b7169203331-01"}
        await rig.say(headers=said | parent)
        await rig.settled()
    assert [f"{one:032x}" for one in seen] == ["0af7651916cd43dd8448eb211c80319c"]


async def test_while_the_database_is_away_nothing_is_parked_and_nothing_is_lost(
    mortal_db: Database, mortal_bus: Bus, mortal_servers: Suite
) -> None:
    async with made(mortal_db, mortal_bus) as rig:
        async with rig.running():
            await mortal_servers.stop("postgres")
            tasks = [await rig.say() for _ in range(4)]
            await wait_until(lambda: max(map(rig.times, tasks)) > 3 * QUICK.max_faults)
            await mortal_servers.start("postgres")
            await rig.settled()
        assert sorted(await rig.effects()) == tasks
        assert await rig.letters() == []


async def test_a_consumer_goes_on_after_the_broker_was_killed(
    mortal_db: Database, mortal_bus: Bus, mortal_servers: Suite
) -> None:
    # What the broker forgets of an answer comes again when its patience is over.
    async with made(mortal_db, mortal_bus, ack_wait=1.0) as rig:
        async with rig.running():
            first = await rig.say()
            await rig.settled()
            reconnects = mortal_bus.reconnects
            await mortal_servers.kill("nats")
            await wait_until(lambda: not mortal_bus.connected)
            await mortal_servers.ready("nats")
            await wait_until(lambda: mortal_bus.reconnects > reconnects)
            second = await rig.say()
            await rig.settled()
        assert await rig.effects() == [first, second]


async def test_a_broker_that_goes_away_under_a_handler_disturbs_it_not(
    mortal_db: Database, mortal_bus: Bus, mortal_servers: Suite
) -> None:
    # What the broker forgets of an answer comes again when its patience is over.
    async with made(mortal_db, mortal_bus, ack_wait=1.0) as rig:
        begun, go_on = asyncio.Event(), asyncio.Event()

        async def hold(delivery: Heard) -> None:
            begun.set()
            await go_on.wait()

        rig.before = hold
        task = await rig.say()
        async with rig.running():
            await begun.wait()
            with capture_logs() as lines:
                await mortal_servers.stop("nats")
                await wait_until(lambda: "in_progress_lost" in {one["event"] for one in lines})
            assert await rig.effects() == []
            go_on.set()
            await has_effects(rig, 1)
            await mortal_servers.start("nats")
            await rig.settled()
        assert await rig.effects() == [task]
        assert rig.parked == []


async def test_a_consumer_can_be_stopped_while_the_broker_is_away(
    mortal_db: Database, mortal_bus: Bus, mortal_servers: Suite
) -> None:
    async with made(mortal_db, mortal_bus) as rig:
        async with rig.running():
            await rig.say()
            await rig.settled()
            await mortal_servers.stop("nats")
            await wait_until(lambda: not mortal_bus.connected)
        reconnects = mortal_bus.reconnects
        await mortal_servers.start("nats")
        await wait_until(lambda: mortal_bus.reconnects > reconnects)
