"""Dead letters and published events once more: the same effect, once."""

import uuid
from collections.abc import AsyncIterator, Sequence
from datetime import UTC, datetime, timedelta
from typing import Any

import pytest
from sqlalchemy import text

from libs.db.database import Database, is_away
from libs.events.connection import Bus
from libs.events.consumer import Hearer, Parked
from libs.outbox import dead_letters
from libs.outbox.replay import Fate, Replay, Replayed
from libs.outbox.republish import OlderThanInbox, republish
from tests.integration.libs import consumer_rig, outbox_rig
from tests.integration.libs.consumer_rig import KIND, Heard, Rig

AGO = text("""
    UPDATE outbox SET created_at = clock_timestamp() - make_interval(secs => :created),
        published_at = clock_timestamp() - make_interval(secs => :published)
    WHERE id = :id
""")
DAY = 86_400.0


@pytest.fixture
async def rig(db: Database, admin_bus: Bus) -> AsyncIterator[Rig]:
    async with consumer_rig.made(db, admin_bus) as made:
        yield made


async def fail(delivery: Heard) -> None:
    raise ValueError("its own fault")


async def parked(rig: Rig, count: int = 1) -> list[int]:
    """So many events that were parked; gives the tasks they are about."""
    rig.before = fail
    async with rig.running():
        tasks = [await rig.say() for _ in range(count)]
        await rig.settled()
    rig.before = None
    rig.deliveries.clear()
    return tasks


def replaying(rig: Rig, hearers: Sequence[Hearer[Any]] | None = None) -> Replay:
    own = (Hearer(KIND, rig.handle),)
    return Replay(rig.db, rig.service, own if hearers is None else hearers, is_away)


async def every(replay: Replay) -> list[Replayed]:
    return [told async for told in replay.every()]


async def test_the_handler_takes_a_replayed_letter_under_its_event_id_and_says_nothing(
    rig: Rig,
) -> None:
    (task,) = await parked(rig)
    (letter,) = await rig.letters()
    before = (await rig.bus.jetstream.stream_info("SCHEDULE")).state.last_seq
    told = await replaying(rig).one(letter.id)
    assert told == Replayed(letter.id, Fate.HANDLED, rig.durable, letter.event_id)
    assert await rig.effects() == [task]
    assert str(rig.deliveries[0].event_id) == letter.event_id
    assert (await rig.bus.jetstream.stream_info("SCHEDULE")).state.last_seq == before
    assert (await rig.letters())[0].replayed_at is not None


async def test_what_was_replayed_is_refused(rig: Rig) -> None:
    await parked(rig)
    (letter,) = await rig.letters()
    await replaying(rig).one(letter.id)
    told = await replaying(rig).one(letter.id)
    assert told.fate is Fate.REPLAYED_BEFORE
    assert len(await rig.effects()) == 1


async def test_all_that_wait_are_replayed_in_their_order(rig: Rig) -> None:
    tasks = await parked(rig, 3)
    ids = [letter.id for letter in await rig.letters()]
    assert [told.id for told in await every(replaying(rig))] == ids
    assert sorted(await rig.effects()) == sorted(tasks)
    assert await every(replaying(rig)) == []


async def test_a_letter_that_fails_again_stays_and_stops_no_other(rig: Rig) -> None:
    first, second = await parked(rig, 2)

    async def fail_first(delivery: Heard) -> None:
        if delivery.message.task_id == first:
            raise ValueError("still")

    rig.before = fail_first
    fates = sorted(told.fate for told in await every(replaying(rig)))
    assert fates == [Fate.FAILED, Fate.HANDLED]
    assert await rig.effects() == [second]
    assert sum(letter.replayed_at is None for letter in await rig.letters()) == 1


async def test_what_is_away_is_no_fate_of_a_letter(rig: Rig) -> None:
    async def away(delivery: Heard) -> None:
        raise ConnectionRefusedError

    await parked(rig)
    rig.before = away
    (letter,) = await rig.letters()
    with pytest.raises(ConnectionRefusedError):
        await replaying(rig).one(letter.id)
    assert (await rig.letters())[0].replayed_at is None


async def test_an_event_that_was_handled_meanwhile_has_no_second_effect(rig: Rig) -> None:
    (task,) = await parked(rig)
    (letter,) = await rig.letters()
    async with rig.running():
        await rig.bus.jetstream.publish(
            letter.subject,
            letter.payload,
            headers={**letter.headers, "Nats-Msg-Id": uuid.uuid4().hex},
        )
        await rig.settled()
    assert (await replaying(rig).one(letter.id)).fate is Fate.HANDLED
    assert await rig.effects() == [task]


async def test_a_letter_of_nobody_and_one_that_is_not_there_are_told(rig: Rig) -> None:
    await parked(rig)
    (letter,) = await rig.letters()
    assert (await replaying(rig, ()).one(letter.id)).fate is Fate.NOT_HEARD
    assert (await replaying(rig).one(letter.id + 1000)).fate is Fate.NOT_FOUND


async def test_an_unreadable_letter_stays_unreadable(rig: Rig) -> None:
    async with rig.running():
        await rig.say(data=b"\xff\xff")
        await rig.settled()
    (letter,) = await rig.letters()
    told = await replaying(rig).one(letter.id)
    assert told.fate is Fate.FAILED
    assert told.detail.startswith("MalformedEvent")


async def test_a_letter_that_is_parked_once_more_waits_again(rig: Rig) -> None:
    await parked(rig)
    (letter,) = await rig.letters()
    await replaying(rig).one(letter.id)
    again = Parked(rig.durable, letter.subject, letter.payload, letter.headers, 1, "x", "y")
    async with rig.db.transaction() as tx:
        await dead_letters.store(tx, again)
    (letter,) = await rig.letters()
    assert letter.replayed_at is None


async def test_nameless_messages_of_two_streams_are_two_letters(rig: Rig) -> None:
    """A stream that was made anew counts from the beginning."""
    for data in (b"one", b"other"):
        nameless = Parked(rig.durable, "subject", data, {}, 1, "malformed", "", sequence=7)
        async with rig.db.transaction() as tx:
            await dead_letters.store(tx, nameless)
    assert {bytes(letter.payload) for letter in await rig.letters()} == {b"one", b"other"}


# Published events once more


async def test_a_copy_is_taken_by_the_broker_and_known_to_every_inbox(
    db: Database, admin_bus: Bus, rig: Rig
) -> None:
    outbox = await outbox_rig.Rig.of(db, admin_bus)
    async with rig.running():
        await outbox.add(3)
        await outbox.relay().run_once()
        await rig.settled()
        effects = await rig.effects()
        counts = await republish(db, admin_bus, since=datetime.now(UTC))
        await rig.settled()
    assert (counts.published, counts.refused) == (3, 0)
    assert sum((await outbox.in_stream()).values()) == 6
    assert len(rig.deliveries) == 6
    assert await rig.effects() == effects
    assert len(effects) == 3


async def test_who_had_lost_an_event_hears_the_copy(db: Database, admin_bus: Bus, rig: Rig) -> None:
    outbox = await outbox_rig.Rig.of(db, admin_bus)
    await outbox.add(2)
    await outbox.relay().run_once()
    for sequence in (outbox.start + 1, outbox.start + 2):
        await admin_bus.jetstream.delete_msg("SCHEDULE", sequence)
    async with rig.running():
        await republish(db, admin_bus, since=datetime.now(UTC))
        await rig.settled()
    assert len(await rig.effects()) == 2


async def test_rows_from_five_minutes_before_to_the_end_are_published(
    db: Database, admin_bus: Bus
) -> None:
    outbox = await outbox_rig.Rig.of(db, admin_bus)
    await outbox.add(4)
    await outbox.relay().run_once()
    ages = dict(zip(await outbox.rows(), (1000.0, 890.0, 620.0, 100.0), strict=True))
    async with db.transaction() as tx:
        for id_, age in ages.items():
            await tx.execute(AGO, id=id_, created=age, published=age)
    now = datetime.now(UTC)
    since, end = now - timedelta(minutes=10), now - timedelta(minutes=5)
    counts = await republish(db, admin_bus, since=since, until=end)
    assert counts.published == 2
    again = [key for key in await outbox.in_stream() if key.endswith(counts.run_id)]
    wanted = [id_ for id_, age in ages.items() if age in (890.0, 620.0)]
    assert again == [f"{id_}:{counts.run_id}" for id_ in wanted]


async def test_what_waits_for_the_relay_is_left_to_it(db: Database, admin_bus: Bus) -> None:
    outbox = await outbox_rig.Rig.of(db, admin_bus)
    await outbox.add(2)
    assert (await republish(db, admin_bus, since=datetime.now(UTC))).published == 0


async def test_what_begins_before_the_inboxes_is_refused_as_a_whole(
    db: Database, admin_bus: Bus
) -> None:
    outbox = await outbox_rig.Rig.of(db, admin_bus)
    await outbox.add(1)
    await outbox.relay().run_once()
    before = await outbox.in_stream()
    with pytest.raises(OlderThanInbox):
        await republish(db, admin_bus, since=datetime.now(UTC) - timedelta(days=9))
    assert await outbox.in_stream() == before


async def test_an_event_that_was_written_before_the_inboxes_begin_is_refused(
    db: Database, admin_bus: Bus
) -> None:
    """It may have been heard long before it was marked, and be forgotten by now."""
    outbox = await outbox_rig.Rig.of(db, admin_bus)
    await outbox.add(2)
    await outbox.relay().run_once()
    old = next(iter(await outbox.rows()))
    async with db.transaction() as tx:
        await tx.execute(AGO, id=old, created=9 * DAY, published=60.0)
    counts = await republish(db, admin_bus, since=datetime.now(UTC))
    assert (counts.published, counts.refused) == (1, 1)


async def test_the_relay_knows_the_copy_when_the_stream_loses_its_end_again(
    db: Database, admin_bus: Bus
) -> None:
    outbox = await outbox_rig.Rig.of(db, admin_bus)
    await outbox.add(2)
    await outbox.relay().run_once()
    await republish(db, admin_bus, since=datetime.now(UTC))
    stream = await admin_bus.jetstream.stream_info("SCHEDULE")
    found = {row.stream_sequence for row in (await outbox.rows()).values()}
    assert found == {stream.state.last_seq, stream.state.last_seq - 1}
