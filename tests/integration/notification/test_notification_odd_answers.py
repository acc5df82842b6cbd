"""What the provider answers, the seal's key and other writers may be odd: no outcome is lost."""

import asyncio
import os
from dataclasses import replace

import pytest
from structlog.testing import capture_logs

from services.notification.channels.console import Console
from services.notification.channels.outlets import Outlets
from services.notification.channels.parcel import Parcel
from services.notification.channels.sealing import Sealer
from services.notification.domain import codes
from services.notification.domain.channel import MOST, ChannelType, Wanted
from services.notification.domain.errors import TooManyChannels
from services.notification.domain.message import Language
from services.notification.domain.outcome import Delivered, Outcome
from services.notification.handlers import channels
from tests.integration.notification.rig import Rig, a_user, summary_of
from tests.waiting import until


class Unstorable(Console):
    """A channel that lets through an id that no database takes."""

    async def send(self, parcel: Parcel) -> Outcome:
        await super().send(parcel)
        return Delivered("om_\x00")


@pytest.mark.parametrize(
    ("body", "state", "reason"),
    [
        (r'{"code": 0, "data": {"message_id": "om_\u0000\ud800"}}', "sent", ""),
        (r'{"code": 19024, "msg": "\u0000\ud800 key"}', "dead", "keyword_missing"),
        ('{"code": 9223372036854775808}', "unknown", "no_code"),
    ],
)
async def test_an_odd_answer_is_written_down_like_any_other(
    rig: Rig, body: str, state: str, reason: str
) -> None:
    user = a_user()
    await rig.bot(user, "t1")
    await rig.standin.script({"body": body})
    async with rig.running(rig.sender()):
        await rig.ask(user, await rig.ready(user))
        await rig.rows.until(user, state)
        assert await rig.rows.states(user) == [(state, reason)]


async def test_an_answer_that_cannot_be_stored_is_left_out_and_the_outcome_kept(rig: Rig) -> None:
    user = a_user()
    await rig.console(user)
    sender = rig.sender()
    outlets = Outlets(sender.courier.outlets.bot, Unstorable(rig.printed.append))
    sender.courier = replace(sender.courier, outlets=outlets)
    with capture_logs() as lines:
        async with rig.running(sender):
            await rig.ask(user, await rig.ready(user))
            await rig.rows.until(user, "sent")
    row = await rig.rows.record(user)
    assert (row["provider_message_id"], row["provider_code"], row["response"]) == (None, None, None)
    assert summary_of(row, "request")["is_repeat"] is False
    assert len(rig.printed) == 1
    assert [line["record_id"] for line in lines if line["event"] == "answer_not_storable"] == [
        row["id"]
    ]


async def test_a_key_that_never_comes_gives_the_next_channel_its_turn(rig: Rig) -> None:
    user = a_user()
    await rig.bot(user, "t1")
    await rig.console(user)
    stranger = replace(rig, sealer=Sealer(os.urandom(32)))
    with capture_logs() as lines:
        async with stranger.running(stranger.sender()):
            await rig.ask(user, await rig.ready(user))
            await rig.rows.until(user, "dead", "sent")
    assert (await rig.rows.states(user))[0] == ("dead", "secret_unreadable")
    assert (await rig.rows.records(user))[0]["attempts"] == 0
    tries = [line for line in lines if line["event"] == "secret_unreadable"]
    assert len(tries) == codes.TRIES_OF_UNKNOWN_KEY
    assert await rig.standin.messages() == []


async def test_the_last_free_place_is_given_to_one_of_two_who_ask_at_once(rig: Rig) -> None:
    user = a_user()
    for _ in range(MOST - 1):
        await rig.console(user)
    wanted = Wanted(ChannelType.CONSOLE, "屏幕", 0, Language.ZH_CN, "", None, None)
    async with rig.db.transaction() as tx:
        await channels.put(tx, rig.sealer, user, 0, wanted)
        other = asyncio.ensure_future(rig.console(user))

        async def waits() -> bool:
            waiting = "SELECT count(*) FROM pg_locks WHERE locktype = 'advisory' AND NOT granted"
            return other.done() or await rig.rows.connection.fetchval(waiting) > 0

        await until(waits, what="the other one at the lock")
    with pytest.raises(TooManyChannels):
        await other
