"""From a commit to the stream: each row once, whatever happens to who carries it."""

import asyncio
import signal
from collections.abc import AsyncIterator, Callable
from contextlib import asynccontextmanager

import pytest
from sqlalchemy import text

from libs.db.database import Database
from libs.events import connection, envelope
from libs.events.connection import Bus
from libs.outbox.outbox import Outbox
from libs.outbox.relay import Relay
from services.standalone.suite import Suite
from smartmate.events.v1 import events_pb2
from tests.integration.libs.outbox_rig import STREAM, SUBJECT, Rig, changed
from tests.waiting import until, wait_until

MARKS = text("SELECT count(DISTINCT xmin::text) FROM outbox")


@pytest.fixture
async def rig(db: Database, admin_bus: Bus) -> Rig:
    return await Rig.of(db, admin_bus)


@asynccontextmanager
async def running(relay: Relay) -> AsyncIterator[None]:
    """The relay as a process runs it, stopped at the end."""
    stop = asyncio.Event()
    task = asyncio.ensure_future(relay.run(stop))
    try:
        yield
    finally:
        stop.set()
        async with asyncio.timeout(20):
            await task


async def test_a_row_appears_with_the_commit_and_never_after_a_rollback(rig: Rig) -> None:
    woken: list[str] = []
    outbox = Outbox(wake=lambda: woken.append("woken"))
    async with rig.db.transaction() as tx:
        await outbox.add(tx, changed(), changed())
        assert await rig.rows() == {}
        assert woken == []
    assert len(await rig.rows()) == 2
    assert woken == ["woken"]

    async def refuse(tx: object) -> None:
        await outbox.add(tx, changed())  # type: ignore[arg-type]
        raise ValueError("no")

    with pytest.raises(ValueError, match="no"):
        await rig.db.run(refuse)
    assert len(await rig.rows()) == 2
    assert woken == ["woken"]


async def test_nothing_to_say_writes_nothing(rig: Rig) -> None:
    woken: list[str] = []
    async with rig.db.transaction() as tx:
        await Outbox(wake=lambda: woken.append("woken")).add(tx)
    assert (await rig.rows(), woken) == ({}, [])


async def test_what_is_published_is_the_event_with_its_headers(rig: Rig) -> None:
    said = changed(user_id=77)
    async with rig.db.transaction() as tx:
        await Outbox().add(tx, said)
    assert await rig.relay().run_once() == 1
    ((id_, row),) = (await rig.rows()).items()
    message = await rig.bus.jetstream.get_msg(STREAM, row.stream_sequence)
    heard = envelope.read(
        events_pb2.TaskChanged, message.data or b"", message.headers, consumer="c", delivered=1
    )
    assert (heard.event_id, heard.user_id, heard.message) == (id_, 77, said)
    assert message.subject == SUBJECT
    assert heard.headers["Nats-Msg-Id"] == str(id_)
    assert row.published_at >= row.created_at
    assert (row.lease, row.attempts) == (None, 1)


async def test_a_commit_wakes_the_relay_long_before_it_would_look(rig: Rig) -> None:
    relay = rig.relay(poll_seconds=3600.0)
    async with running(relay):
        await rig.add(outbox=Outbox(relay.wake))
        await until(rig.all_published)


async def test_what_another_process_wrote_is_found_by_looking(rig: Rig) -> None:
    async with running(rig.relay()):
        await rig.add()
        await until(rig.all_published)


async def test_two_relays_publish_each_row_once(rig: Rig, shared_servers: Suite) -> None:
    await rig.add(120)
    other = await connection.connect(shared_servers.nats_admin, service="schedule")
    first, second = rig.relay(batch=7), Rig(rig.db, other, rig.start).relay(batch=7)
    async with running(first), running(second):
        await until(rig.all_published)
    await other.close()
    assert await rig.each_once()
    assert {row.attempts for row in (await rig.rows()).values()} == {1}


async def test_a_services_own_user_may_do_all_that_a_relay_does(
    rig: Rig, shared_servers: Suite
) -> None:
    own = await connection.connect(shared_servers.nats_url("schedule"), service="schedule")
    await rig.add(3)
    assert await Rig(rig.db, own, rig.start).relay().run_once() == 3
    await own.client.flush()
    assert not own.fatal.is_set()
    await own.close()
    assert await rig.each_once()


async def test_a_stopped_relay_publishes_what_is_still_there(rig: Rig) -> None:
    await rig.add(25)
    stop = asyncio.Event()
    stop.set()
    await rig.relay(batch=10).run(stop)
    assert await rig.each_once()


async def test_after_many_rows_the_next_ones_are_let_come_together(rig: Rig) -> None:
    """However long that is, a stop ends it."""
    relay = rig.relay(crowd=2, gather_seconds=3600.0)
    outbox = Outbox(relay.wake)
    async with running(relay):
        await rig.add(2, outbox=outbox)
        await until(rig.all_published)
        for _ in range(3):
            await rig.add(outbox=outbox)
    assert await rig.each_once()
    async with rig.db.transaction() as tx:
        (marks,) = await tx.one(MARKS)
    assert marks == 2


async def test_few_rows_are_followed_by_the_next_at_once(rig: Rig) -> None:
    relay = rig.relay(crowd=3, gather_seconds=3600.0)
    outbox = Outbox(relay.wake)
    async with running(relay):
        for _ in range(3):
            await rig.add(2, outbox=outbox)
            await until(rig.all_published)


async def test_a_relay_that_dies_between_publish_and_mark_is_followed_by_one_message(
    rig: Rig, database_url: str
) -> None:
    await rig.add(3)
    mortal = Database(database_url, application="mortal", pool_size=1)
    dying = Rig(mortal, rig.bus, rig.start).relay()
    async with rig.held("NEW.published_at IS NOT NULL") as waiters:
        task = asyncio.ensure_future(dying.run_once())
        await rig.cut(await anext(waiters))
        await asyncio.wait({task})
        assert task.exception() is not None
    await mortal.close()
    published = await rig.in_stream()
    assert sum(published.values()) == 3
    assert not await rig.all_published()
    # Its lease lasts on: nobody else touches the rows before it lapses.
    assert await rig.relay().run_once() == 0
    await rig.lapse()
    assert await rig.relay().run_once() == 3
    assert await rig.all_published()
    # The second publish was answered as a duplicate, with the place of the first one.
    assert await rig.in_stream() == published
    sequences = sorted(row.stream_sequence for row in (await rig.rows()).values())
    assert sequences == [rig.start + 1, rig.start + 2, rig.start + 3]


async def test_a_relay_that_dies_while_it_takes_rows_has_taken_none(
    rig: Rig, database_url: str
) -> None:
    await rig.add(3)
    mortal = Database(database_url, application="mortal", pool_size=1)
    async with rig.held("NEW.lease IS NOT NULL") as waiters:
        task = asyncio.ensure_future(Rig(mortal, rig.bus, rig.start).relay().run_once())
        await rig.cut(await anext(waiters))
        await asyncio.wait({task})
        assert task.exception() is not None
    await mortal.close()
    assert await rig.in_stream() == {}
    assert await rig.relay().run_once() == 3
    assert await rig.each_once()


@pytest.mark.parametrize(
    "refused",
    [
        lambda rig: rig.add_raw(subject="smartmate.nobody.says.this.v1"),
        lambda rig: rig.add_raw(payload=bytes(rig.bus.client.max_payload + 1)),
        lambda rig: rig.add_raw(payload=bytes(rig.bus.client.max_payload - 1)),
        lambda rig: rig.add_raw(headers={"ce time": "noon"}),
        lambda rig: rig.add_raw(headers={"ce-time": 12}),
    ],
    ids=["no stream", "too large", "too large with headers", "bad header", "no text in a header"],
)
async def test_a_row_that_is_refused_for_itself_delays_itself_alone(
    rig: Rig, refused: Callable[[Rig], object]
) -> None:
    id_ = await refused(rig)  # type: ignore[misc]
    await rig.add(5)
    assert await rig.relay().run_once() == 6
    rows = await rig.rows()
    late = rows.pop(id_)
    assert all(row.published_at for row in rows.values())
    assert (late.published_at, late.lease, late.attempts, late.is_later) == (None, None, 1, True)
    assert not rig.bus.fatal.is_set()
    assert rig.bus.connected
    first = late.next_attempt_at
    # Not before its time, and every time a little later.
    relay = rig.relay(refused_most_seconds=60.0)
    assert await relay.run_once() == 0
    await rig.lapse()
    assert await relay.run_once() == 1
    again = (await rig.rows())[id_]
    assert (again.attempts, again.is_later) == (2, True)
    assert again.next_attempt_at > first


async def test_a_running_relay_survives_a_row_that_is_refused(rig: Rig) -> None:
    id_ = await rig.add_raw(headers={"ce-time": 12})
    async with running(rig.relay()):

        async def tried_often() -> bool:
            return int((await rig.rows())[id_].attempts) >= 3

        await until(tried_often)
        await rig.add()

        async def the_other_is_published() -> bool:
            rows = await rig.rows()
            return all(row.published_at for other, row in rows.items() if other != id_)

        await until(the_other_is_published)


async def test_old_rows_go_and_what_was_never_published_stays(rig: Rig) -> None:
    await rig.add(35)
    await rig.relay().run_once()
    await rig.add(2)
    unpublished = {id_ for id_, row in (await rig.rows()).items() if not row.published_at}
    young = next(id_ for id_, row in (await rig.rows()).items() if row.published_at)
    async with rig.db.transaction() as tx:
        await tx.execute(
            text("""
                UPDATE outbox SET created_at = created_at - interval '3 days',
                    next_attempt_at = clock_timestamp() + interval '1 hour',
                    published_at = published_at - interval '1 day 1 minute'
                WHERE id <> :young
            """),
            young=young,
        )

    async def only_those_are_left() -> bool:
        return set(await rig.rows()) == unpublished | {young}

    # Many more than a batch, and an hour until the next look: all of them go in this one.
    relay = rig.relay(prune_batch=10, prune_seconds=3600.0)
    async with running(relay):
        await until(only_those_are_left)


async def test_rows_wait_for_a_broker_that_is_away(
    mortal_db: Database, mortal_bus: Bus, mortal_servers: Suite
) -> None:
    rig = await Rig.of(mortal_db, mortal_bus)
    relay = rig.relay()
    async with running(relay):
        await rig.add()
        await until(rig.all_published)
        await mortal_servers.stop("nats")
        await wait_until(lambda: not mortal_bus.connected)
        await rig.add(20, outbox=Outbox(relay.wake))
        done, _ = await asyncio.wait({asyncio.ensure_future(until(rig.all_published))}, timeout=0.2)
        assert not done
        await mortal_servers.start("nats")
        await until(rig.all_published)
    assert await rig.each_once()
    assert not mortal_bus.fatal.is_set()


async def test_a_broker_that_freezes_and_comes_back_holds_each_message_once(
    mortal_db: Database, mortal_bus: Bus, mortal_servers: Suite
) -> None:
    rig = await Rig.of(mortal_db, mortal_bus)
    relay = rig.relay(ack_seconds=0.1)
    await rig.add()
    assert await relay.run_once() == 1
    await rig.add(5)
    mortal_servers.send("nats", signal.SIGSTOP)
    try:
        for attempts in (1, 2, 3):
            await rig.lapse()
            assert await relay.run_once() == 5
            late = [row for row in (await rig.rows()).values() if not row.published_at]
            assert {row.attempts for row in late} == {attempts}
    finally:
        mortal_servers.send("nats", signal.SIGCONT)
    async with running(rig.relay()):
        await until(rig.all_published)
    # Nothing was buffered that came out later as a message of its own.
    assert await rig.each_once()


async def test_a_relay_whose_lease_lapsed_does_not_touch_the_lease_of_another(
    mortal_db: Database, mortal_bus: Bus, mortal_servers: Suite
) -> None:
    rig = await Rig.of(mortal_db, mortal_bus)
    slow = rig.relay(ack_seconds=0.3)
    assert await slow.run_once() == 0
    await rig.add()
    mortal_servers.send("nats", signal.SIGSTOP)
    try:
        task = asyncio.ensure_future(slow.run_once())

        async def is_taken() -> bool:
            return all(row.lease for row in (await rig.rows()).values())

        await until(is_taken)
        async with rig.db.transaction() as tx:
            await tx.execute(
                text("""
                    UPDATE outbox SET lease = gen_random_uuid(),
                        next_attempt_at = clock_timestamp() + interval '1 hour'
                """)
            )
        others = await rig.rows()
        await task
    finally:
        mortal_servers.send("nats", signal.SIGCONT)
    assert await rig.rows() == others


async def test_a_relay_outlives_its_database(
    mortal_db: Database, mortal_bus: Bus, mortal_servers: Suite
) -> None:
    rig = await Rig.of(mortal_db, mortal_bus)
    async with running(rig.relay()):
        await rig.add()
        await until(rig.all_published)
        await mortal_servers.restart("postgres")
        await mortal_db.wait_until_there()
        await rig.add(3)
        await until(rig.all_published)
    assert await rig.each_once()
