"""Calls to other services: UNAVAILABLE is tried again, everything else is told at once."""

import asyncio
from collections.abc import AsyncIterator
from pathlib import Path
from typing import Any

import grpc
import pytest

from libs.rpc import client
from libs.rpc.client import channel
from libs.rpc.errors import RemoteError
from libs.rpc.identity import Caller
from smartmate.active_scheduler.v1 import active_scheduler_service_pb2 as pb
from tests.integration.libs import rpc_rig
from tests.integration.libs.rpc_rig import DOMAIN, USER, Rig, Taken, Toy
from tests.waiting import wait_until

Code = grpc.StatusCode


@pytest.fixture
async def rig(tmp_path: Path) -> AsyncIterator[Rig]:
    async with rpc_rig.made(tmp_path) as made:
        yield made


def signed_in(rig: Rig) -> Caller:
    return Caller("gateway", USER, user_token=rig.issuers["gateway"].user_token(USER))


async def ask(rig: Rig, *, seconds: float = 20.0) -> pb.IgnorePreviewResponse:
    answer: pb.IgnorePreviewResponse = await rig.client.call(
        rig.stub.IgnorePreview,
        pb.IgnorePreviewRequest(),
        on_behalf_of=signed_in(rig),
        seconds=seconds,
    )
    return answer


class Failing:
    """Raises so many times, then serves."""

    def __init__(self, error: Exception, times: int) -> None:
        self.error, self.left = error, times

    async def __call__(self, request: Any, context: Any) -> None:
        if self.left:
            self.left -= 1
            raise self.error


async def test_an_answer_comes_through(rig: Rig) -> None:
    assert await ask(rig) == pb.IgnorePreviewResponse()


async def test_a_service_that_says_it_is_unavailable_is_asked_again(rig: Rig) -> None:
    rig.toy.serve = Failing(ConnectionRefusedError(), 2)
    assert await ask(rig) == pb.IgnorePreviewResponse()
    assert rig.toy.calls == 3


async def test_a_service_that_stays_unavailable_is_given_up_within_the_time(rig: Rig) -> None:
    rig.toy.serve = Failing(ConnectionRefusedError(), 1000)
    async with asyncio.timeout(20):
        with pytest.raises(RemoteError) as failed:
            await ask(rig, seconds=2.0)
    assert (failed.value.code, failed.value.domain) == (Code.UNAVAILABLE, DOMAIN)
    assert 2 <= rig.toy.calls < 20


async def test_a_service_that_stays_unavailable_is_not_asked_for_ever(rig: Rig) -> None:
    rig.toy.serve = Failing(ConnectionRefusedError(), 1000)
    with pytest.raises(RemoteError) as failed:
        await ask(rig, seconds=3600)
    assert failed.value.code is Code.UNAVAILABLE
    assert rig.toy.calls < 20


async def test_a_service_that_is_restarted_is_waited_for(rig: Rig) -> None:
    await ask(rig)
    await rig.server.stop(0)
    asking = asyncio.ensure_future(ask(rig))
    done, _ = await asyncio.wait({asking}, timeout=0.1)
    assert not done
    await rig.another(rig.toy, listen=f"127.0.0.1:{rig.server.port}").start()
    assert await asking == pb.IgnorePreviewResponse()


async def test_a_service_that_is_not_there_is_unavailable(rig: Rig) -> None:
    await rig.server.stop(0)
    with pytest.raises(RemoteError) as failed:
        await ask(rig, seconds=0.3)
    assert (failed.value.code, failed.value.reason) == (Code.UNAVAILABLE, "unavailable")


@pytest.mark.parametrize(
    ("error", "code"),
    [(Taken(), Code.ABORTED), (KeyError("x"), Code.INTERNAL)],
    ids=["refused", "broken"],
)
async def test_no_other_answer_is_asked_for_again(rig: Rig, error: Exception, code: Code) -> None:
    rig.toy.serve = Failing(error, 1000)
    with pytest.raises(RemoteError) as failed:
        await ask(rig)
    assert failed.value.code is code
    assert rig.toy.calls == 1


async def test_a_call_that_takes_too_long_is_given_up_once(rig: Rig) -> None:
    async def hang(request: Any, context: Any) -> None:
        await asyncio.Event().wait()

    rig.toy.serve = hang
    with pytest.raises(RemoteError) as failed:
        await ask(rig, seconds=0.1)
    assert failed.value.code is Code.DEADLINE_EXCEEDED
    assert rig.toy.calls == 1


async def test_a_refusal_of_identity_is_told(rig: Rig) -> None:
    with pytest.raises(RemoteError) as failed:
        await rig.client.call(
            rig.stub.DryRun, pb.DryRunRequest(), on_behalf_of=signed_in(rig), seconds=20
        )
    assert (failed.value.code, failed.value.reason) == (
        Code.PERMISSION_DENIED,
        "permission_denied",
    )


async def test_of_two_replicas_the_living_one_serves(rig: Rig) -> None:
    beside = Toy()
    other = rig.another(beside)
    await other.start()
    async with channel(f"ipv4:127.0.0.1:{rig.server.port},127.0.0.1:{other.port}") as both:
        rig.channel, alone = both, rig.channel
        for _ in range(20):
            await ask(rig)
        assert rig.toy.calls
        assert beside.calls
        await rig.server.stop(0)
        served = beside.calls
        for _ in range(10):
            await ask(rig)
        assert beside.calls == served + 10
        rig.channel = alone


async def heard(rig: Rig, limit: int = 100) -> list[Any]:
    """Answers of a watch, at most so many, then how it broke."""
    seen: list[Any] = []
    try:
        async for answer in rig.client.stream(
            rig.stub.WatchPreview, pb.WatchPreviewRequest(), on_behalf_of=signed_in(rig), seconds=20
        ):
            seen.append(answer)
            if len(seen) == limit:
                break
    except RemoteError as error:
        seen.append(error)
    return seen


async def test_a_stream_brings_its_answers_and_then_its_error(rig: Rig) -> None:
    async def answers() -> AsyncIterator[pb.WatchPreviewResponse]:
        yield pb.WatchPreviewResponse()
        yield pb.WatchPreviewResponse()
        raise Taken

    rig.toy.watch = answers
    *seen, ended = await heard(rig)
    assert seen == [pb.WatchPreviewResponse()] * 2
    assert (ended.code, ended.reason) == (Code.ABORTED, "slot_taken")


async def test_a_stream_that_breaks_before_its_first_answer_tells_why(rig: Rig) -> None:
    await rig.server.stop(0)
    (ended,) = await heard(rig)
    assert ended.code is Code.UNAVAILABLE


async def test_a_stream_that_is_left_is_cancelled_at_the_other_end(rig: Rig) -> None:
    ended: list[str] = []

    async def answers() -> AsyncIterator[pb.WatchPreviewResponse]:
        try:
            while True:
                yield pb.WatchPreviewResponse()
                await asyncio.sleep(0)
        finally:
            ended.append("ended")

    rig.toy.watch = answers
    assert len(await heard(rig, limit=3)) == 3
    await wait_until(lambda: ended == ["ended"])


async def test_a_stream_ends_with_the_server(rig: Rig) -> None:
    begun = asyncio.Event()

    async def answers() -> AsyncIterator[pb.WatchPreviewResponse]:
        yield pb.WatchPreviewResponse()
        begun.set()
        await asyncio.Event().wait()

    rig.toy.watch = answers
    listening = asyncio.ensure_future(heard(rig))
    await begun.wait()
    await rig.server.stop(0)
    _, ended = await listening
    assert ended.code in {Code.UNAVAILABLE, Code.CANCELLED}


class Wire:
    """Passes bytes on to a port, until it is cut without a word."""

    def __init__(self, port: int) -> None:
        self.port, self.cut = port, False

    async def serve(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        there_reader, there_writer = await asyncio.open_connection("127.0.0.1", self.port)
        try:
            await asyncio.gather(self._pass(reader, there_writer), self._pass(there_reader, writer))
        finally:
            there_writer.close()
            writer.close()

    async def _pass(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        while data := await reader.read(65536):
            if not self.cut:
                writer.write(data)


async def test_a_peer_that_vanishes_without_a_word_ends_a_silent_watch(
    rig: Rig, monkeypatch: pytest.MonkeyPatch
) -> None:
    quick = tuple((name, value // 100) for name, value in client._KEEPALIVE)
    monkeypatch.setattr(client, "_KEEPALIVE", quick)
    begun = asyncio.Event()

    async def hold(request: Any, context: Any) -> None:
        begun.set()
        wire.cut = True
        await asyncio.Event().wait()

    rig.toy.serve = hold
    wire = Wire(rig.server.port)
    async with await asyncio.start_server(wire.serve, "127.0.0.1", 0) as between:
        (host, port) = between.sockets[0].getsockname()
        async with channel(f"{host}:{port}") as through, asyncio.timeout(20):
            first, rig.channel = rig.channel, through
            watch = rig.client.stream(
                rig.stub.WatchPreview, pb.WatchPreviewRequest(), on_behalf_of=signed_in(rig)
            )
            with pytest.raises(RemoteError) as failed:
                await anext(watch)
            rig.channel = first
    assert begun.is_set()
    assert failed.value.code is Code.UNAVAILABLE
