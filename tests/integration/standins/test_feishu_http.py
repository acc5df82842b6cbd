import asyncio
import os
import signal
import socket
import sys
import time
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from typing import Any

import httpx2
import pytest

from standins.feishu import signature
from tests.integration.feishu_standin import StandIn, running

TEXT = {"msg_type": "text", "content": {"text": "你好"}}
OK = {"StatusCode": 0, "StatusMessage": "success", "code": 0, "data": {}, "msg": "success"}


async def send(standin: StandIn, body: Any = TEXT, token: str = "t1") -> httpx2.Response:
    return await standin.client.post(standin.hook(token), json=body)


async def test_an_accepted_message_is_answered_and_remembered() -> None:
    async with running() as standin:
        answer = await send(standin)
        assert (answer.status_code, answer.json()) == (200, OK)
        (message,) = await standin.messages()
        assert message["verdict"] == "accepted"
        assert message["code"] == 0
        assert message["signature"] == "absent"
        assert message["answered"] is True
        assert message["summary"] == "你好"


async def test_a_refused_message_is_answered_with_http_200_and_remembered() -> None:
    async with running(secret="s3cr3t") as standin:
        answer = await send(standin)
        assert answer.status_code == 200
        assert answer.json()["code"] == 19021
        (message,) = await standin.messages(verdict="refused")
        assert message["code"] == 19021
        assert await standin.messages(verdict="accepted") == []


async def test_the_sixth_message_of_a_second_is_turned_away() -> None:
    async with running(per_second=5, per_minute=100) as standin:
        codes = [(await send(standin)).json()["code"] for _ in range(6)]
        assert codes == [0] * 5 + [11232]
        assert (await send(standin, token="t2")).json()["code"] == 0


async def test_messages_are_selected_forgotten_and_bounded() -> None:
    async with running(keep=3) as standin:
        for token in ("a", "b", "a", "a"):
            await send(standin, token=token)
        found = await standin.messages()
        assert [message["id"] for message in found] == [2, 3, 4]
        assert len(await standin.messages(token="b")) == 1
        assert len(await standin.messages(after=3)) == 1
        assert (await standin.client.delete("/standin/messages")).json() == {"deleted": 3}
        assert await standin.messages() == []


async def test_waiting_for_messages_ends_when_they_are_in() -> None:
    async with running() as standin, asyncio.TaskGroup() as tasks:
        waiting = tasks.create_task(standin.arrived(2, token="t1"))
        await send(standin)
        await send(standin)
        assert len(await waiting) == 2


async def test_waiting_in_vain_answers_what_there_is() -> None:
    async with running() as standin:
        assert await standin.messages(count=1, wait_ms=5) == []


async def test_scripted_codes_and_statuses_come_in_order() -> None:
    async with running() as standin:
        await standin.script(
            {"code": 19024, "http": 200, "msg": "Key Words Not Found"},
            {"http": 500},
            {"code": 230020, "http": 400},
            {"http": 429, "headers": {"x-ogw-ratelimit-reset": "7"}},
            {"code": 0},
        )
        answers = [await send(standin) for _ in range(6)]
        assert [answer.status_code for answer in answers] == [200, 500, 400, 429, 200, 200]
        assert answers[0].json() == {"code": 19024, "msg": "Key Words Not Found", "data": {}}
        assert answers[1].content == b""
        assert answers[2].json()["code"] == 230020
        assert answers[3].headers["x-ogw-ratelimit-reset"] == "7"
        assert answers[4].json() == OK
        verdicts = [message["verdict"] for message in await standin.messages()]
        assert verdicts == ["refused"] * 4 + ["accepted"] * 2


async def test_a_fault_is_for_its_token_alone() -> None:
    async with running() as standin:
        await standin.script({"http": 503}, token="t1")
        assert (await send(standin, token="t2")).status_code == 200
        assert (await send(standin, token="t1")).status_code == 503


async def test_a_lasting_fault_stays_until_the_script_is_cleared() -> None:
    async with running() as standin:
        await standin.script({"http": 503, "times": "always"})
        assert {(await send(standin)).status_code for _ in range(3)} == {503}
        waiting = (await standin.client.get("/standin/script")).json()["waiting"]
        assert waiting == [{"token": "", "fault": "http 503", "times": "always"}]
        await standin.client.delete("/standin/script")
        assert (await send(standin)).status_code == 200


@pytest.mark.parametrize(
    ("body", "kind"),
    [("{}", "application/json"), ("<html>proxy</html>", "text/html")],
)
async def test_a_lying_answer_is_passed_on_as_written(body: str, kind: str) -> None:
    async with running() as standin:
        await standin.script({"body": body})
        answer = await send(standin)
        assert (answer.status_code, answer.text) == (200, body)
        assert answer.headers["content-type"] == kind
        assert (await standin.messages())[0]["verdict"] == "refused"


async def test_a_reset_breaks_the_connection_and_takes_nothing() -> None:
    async with running() as standin:
        await standin.script({"reset": True})
        with pytest.raises(httpx2.ReadError):
            await send(standin)
        (message,) = await standin.messages()
        assert (message["verdict"], message["answered"]) == ("refused", False)


async def test_accept_then_drop_takes_the_message_and_never_answers() -> None:
    async with running() as standin:
        await standin.script({"accept_then_drop": True})
        with pytest.raises(httpx2.RemoteProtocolError):
            await send(standin)
        (message,) = await standin.messages()
        assert message["verdict"] == "accepted"
        assert (message["answered"], message["code"]) == (False, None)


async def test_a_delayed_message_is_taken_before_its_answer() -> None:
    async with running() as standin:
        await standin.script({"delay_ms": 60_000})
        with pytest.raises(httpx2.ReadTimeout):
            await standin.client.post(standin.hook(), json=TEXT, timeout=0.05)
        (message,) = await standin.messages(verdict="accepted")
        assert message["answered"] is False


async def test_a_short_delay_is_answered_all_the_same() -> None:
    async with running() as standin:
        await standin.script({"delay_ms": 1})
        assert (await send(standin)).json() == OK


async def test_a_held_answer_waits_for_release() -> None:
    async with running() as standin, asyncio.TaskGroup() as tasks:
        await standin.script({"hold": True}, {"hold": True})
        sending = tasks.create_task(send(standin))
        (message,) = await standin.arrived(1)
        assert message["answered"] is False
        assert not sending.done()
        other = tasks.create_task(send(standin, token="t2"))
        await standin.arrived(1, token="t2")
        released = await standin.client.post("/standin/release", json={"token": "t1"})
        assert released.json() == {"released": 1}
        assert (await sending).json() == OK
        assert not other.done()
        assert await standin.release() == 1
        await other
        assert {m["answered"] for m in await standin.messages()} == {True}


async def test_the_answer_to_a_caller_who_died_is_not_counted_as_given() -> None:
    async with running() as standin:
        await standin.script({"hold": True})
        host, port = standin.address.split(":")
        _, writer = await asyncio.open_connection(host, int(port))
        body = b'{"msg_type":"text","content":{"text":"x"}}'
        head = f"POST /open-apis/bot/v2/hook/t1 HTTP/1.1\r\nHost: x\r\nContent-Length: {len(body)}"
        writer.write(head.encode() + b"\r\n\r\n" + body)
        await standin.arrived(1)
        writer.close()
        await writer.wait_closed()
        assert await standin.release() == 1
        (message,) = await standin.messages()
        assert (message["verdict"], message["answered"]) == ("accepted", False)


@pytest.mark.parametrize(
    ("method", "path", "body", "status"),
    [
        ("GET", "/nowhere", b"", 404),
        ("POST", "/open-apis/bot/v2/hook/", b"", 404),
        ("POST", "/open-apis/bot/v2/hook/a%2Fb", b"", 404),
        ("GET", "/open-apis/bot/v2/hook/t1", b"", 405),
        ("PUT", "/standin/messages", b"", 405),
        ("GET", "/standin/messages?after=x", b"", 400),
        ("GET", "/standin/messages?verdict=maybe", b"", 400),
        ("POST", "/standin/script", b"{", 400),
        ("POST", "/standin/script", b'{"boom":true}', 400),
        ("POST", "/standin/release", b'{"token":3}', 400),
        ("POST", "/open-apis/bot/v2/hook/t1", b"x" * (1 << 21), 413),
        ("GET", "/healthz", b"", 200),
        ("GET", "/readyz", b"", 200),
        ("GET", "/standin/state", b"", 200),
        ("POST", "/standin/release", b"", 200),
    ],
)
async def test_every_route_answers_in_kind(
    method: str, path: str, body: bytes, status: int
) -> None:
    async with running() as standin:
        answer = await standin.client.request(method, path, content=body)
        assert answer.status_code == status


async def test_the_page_shows_what_came_in() -> None:
    async with running() as standin:
        await send(standin, {"msg_type": "text", "content": {"text": "<b>你好</b>"}})
        answer = await standin.client.get("/")
        assert "&lt;b&gt;你好&lt;/b&gt;" in answer.text
        assert "default-src 'none'" in answer.headers["content-security-policy"]
        assert answer.headers["content-type"] == "text/html; charset=utf-8"


async def test_what_is_no_http_is_cut_off_and_does_no_harm() -> None:
    async with running() as standin:
        host, port = standin.address.split(":")
        reader, writer = await asyncio.open_connection(host, int(port))
        writer.write(b"\x16\x03\x01 hello\r\n\r\n")
        assert await reader.read() == b""
        writer.close()
        await writer.wait_closed()
        assert (await send(standin)).json() == OK


async def test_a_client_that_asks_first_is_told_to_go_on() -> None:
    async with running() as standin:
        host, port = standin.address.split(":")
        reader, writer = await asyncio.open_connection(host, int(port))
        head = b"POST /standin/release HTTP/1.1\r\nHost: x\r\nContent-Length: 2\r\n"
        writer.write(head + b"Expect: 100-continue\r\n\r\n")
        assert (await reader.readline()).startswith(b"HTTP/1.1 100")
        writer.write(b"{}")
        assert b"200 OK" in await reader.readuntil(b"200 OK")
        writer.close()
        await writer.wait_closed()


@asynccontextmanager
async def program(
    *options: str, **told: str
) -> AsyncIterator[tuple[asyncio.subprocess.Process, str]]:
    """The stand-in as a process of its own, and the address it says it listens on."""
    process = await asyncio.create_subprocess_exec(
        sys.executable,
        "-m",
        "standins.feishu",
        "--listen",
        "127.0.0.1:0",
        *options,
        env=os.environ | told,
        stdout=asyncio.subprocess.PIPE,
        stderr=asyncio.subprocess.PIPE,
    )
    assert process.stdout is not None
    try:
        line = (await process.stdout.readline()).decode()
        yield process, line.strip().rpartition(" ")[2]
    finally:
        if process.returncode is None:
            process.kill()
        await process.communicate()


async def test_the_program_is_told_its_secret_by_the_environment() -> None:
    async with (
        program(SMARTMATE_STANDIN_SECRET="s3cr3t") as (_, url),
        httpx2.AsyncClient(base_url=url, trust_env=False) as client,
    ):
        answer = await client.post("/open-apis/bot/v2/hook/t1", json=TEXT)
    assert answer.json()["code"] == 19021


async def test_the_program_serves_and_ends_in_good_order_on_sigterm() -> None:
    async with program("--secret", "s3cr3t", "--keyword", "词") as (process, url):
        async with httpx2.AsyncClient(base_url=url, trust_env=False) as client:
            assert (await client.get("/readyz")).status_code == 200
            answer = await client.post("/open-apis/bot/v2/hook/t1", json=TEXT)
            assert answer.json()["code"] == 19021
            await client.post("/standin/script", json={"hold": True})
            async with asyncio.TaskGroup() as tasks:
                held = tasks.create_task(_cut_off(client))
                long_wait = tasks.create_task(_cut_off(client, "/standin/messages?count=99"))
                await client.get("/standin/messages?count=2&wait_ms=10000")
                process.send_signal(signal.SIGTERM)
                assert await held
                assert await long_wait
        assert await process.wait() == 0
        assert process.stderr is not None
        assert await process.stderr.read() == b""
    host, _, port = url.removeprefix("http://").partition(":")
    with pytest.raises(ConnectionRefusedError), socket.create_connection((host, int(port))):
        pass


async def _cut_off(client: httpx2.AsyncClient, path: str = "") -> bool:
    try:
        if path:
            await client.get(f"{path}&wait_ms=60000", timeout=30)
        else:
            await client.post("/open-apis/bot/v2/hook/t1", json=TEXT, timeout=30)
    except httpx2.TransportError:
        return True
    return False


@pytest.mark.parametrize("listen", ["0.0.0.0:0", "example.com:80", "127.0.0.1", "127.0.0.1:x"])
async def test_the_program_listens_on_loopback_alone(listen: str) -> None:
    process = await asyncio.create_subprocess_exec(
        sys.executable,
        "-m",
        "standins.feishu",
        "--listen",
        listen,
        stderr=asyncio.subprocess.PIPE,
    )
    _, errors = await process.communicate()
    assert process.returncode == 2
    assert b"loopback" in errors


async def test_the_clock_of_the_program_can_be_set_off() -> None:
    async with (
        program("--secret", "s", "--clock-offset", "3700") as (_, url),
        httpx2.AsyncClient(base_url=url, trust_env=False) as client,
    ):
        for ahead, code in ((0, 19021), (3700, 0)):
            stamp = str(int(time.time()) + ahead)
            signed = {**TEXT, "timestamp": stamp, "sign": signature.sign(stamp, "s")}
            answer = await client.post("/open-apis/bot/v2/hook/t1", json=signed)
            assert answer.json()["code"] == code
