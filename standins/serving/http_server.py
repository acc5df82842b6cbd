"""A small HTTP/1.1 server that can also break a connection on purpose.

An ASGI server hides the socket; a reset and an answer that never comes need it.
"""

import asyncio
import contextlib
import json
import socket
import struct
from collections.abc import AsyncGenerator, Awaitable, Callable, Mapping
from dataclasses import dataclass, field
from http import HTTPStatus
from typing import TypeAlias
from urllib.parse import parse_qsl, urlsplit

import h11

MAX_BODY = 1 << 20
READ_SIZE = 1 << 16
IDLE_SECONDS = 75


@dataclass(frozen=True, slots=True)
class Request:
    """One request, read whole."""

    method: str
    path: str
    query: Mapping[str, str]
    body: bytes
    headers: Mapping[str, str] = field(default_factory=dict)
    """By lower-case name; the last one of a name."""


@dataclass(frozen=True, slots=True)
class Reply:
    """An answer; `sent` is called once it was written to a caller who is still there."""

    status: int
    body: bytes
    content_type: str
    headers: tuple[tuple[str, str], ...] = ()
    sent: Callable[[], None] | None = None


@dataclass(frozen=True, slots=True)
class Flow:
    """An answer whose body comes in pieces, for as long as there are any."""

    status: int
    pieces: AsyncGenerator[bytes, None]
    content_type: str
    sent: Callable[[], None] | None = None


@dataclass(frozen=True, slots=True)
class Drop:
    """No answer: the connection is closed, with a TCP reset if asked."""

    reset: bool = False


Answer: TypeAlias = Reply | Flow | Drop
Respond: TypeAlias = Callable[[Request], Awaitable[Answer]]


def json_reply(value: object, status: int = 200) -> Reply:
    """A JSON answer, ASCII only so that no text can break it."""
    return Reply(status, json.dumps(value).encode(), "application/json; charset=utf-8")


class HttpServer:
    """Listens, answers one request after the other on each connection, ends in good order."""

    def __init__(self, respond: Respond, *, grace_seconds: float = 1.0) -> None:
        self._respond = respond
        self._grace = grace_seconds
        self._stopping = False
        self._open: dict[asyncio.StreamWriter, asyncio.Task[None]] = {}
        self._busy: set[asyncio.StreamWriter] = set()
        self._fewer = asyncio.Event()
        self._server: asyncio.Server | None = None

    async def start(self, host: str, port: int) -> tuple[str, int]:
        """Listen; returns the address, with the port that was chosen where 0 was asked."""
        self._server = await asyncio.start_server(self._serve, host, port)
        address = self._server.sockets[0].getsockname()
        return str(address[0]), int(address[1])

    async def stop(self) -> None:
        """Take no more connections, let answers under way finish for the grace, then cut."""
        self._stopping = True
        if self._server is not None:
            self._server.close()
        for writer in self._open.keys() - self._busy:
            writer.transport.abort()
        try:
            async with asyncio.timeout(self._grace):
                await self._all_ended()
        except TimeoutError:
            for task in self._open.values():
                task.cancel()
            await self._all_ended()

    async def _all_ended(self) -> None:
        while self._open:
            self._fewer.clear()
            await self._fewer.wait()

    async def _serve(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        task = asyncio.current_task()
        assert task is not None
        self._open[writer] = task
        try:
            await _Exchange(reader, writer, self._answer).run()
        except (OSError, TimeoutError, h11.RemoteProtocolError):
            # The caller went away, fell silent or spoke no HTTP: nobody is left to tell.
            writer.transport.abort()
        except asyncio.CancelledError:
            # `stop` cuts off who is still waiting; the stream protocol would log it as an error.
            writer.transport.abort()
            if not self._stopping:
                raise
        finally:
            del self._open[writer]
            self._fewer.set()
            writer.close()

    async def _answer(self, request: Request, writer: asyncio.StreamWriter) -> Answer:
        self._busy.add(writer)
        try:
            return await self._respond(request)
        finally:
            self._busy.discard(writer)


class _Exchange:
    """The life of one connection."""

    def __init__(
        self,
        reader: asyncio.StreamReader,
        writer: asyncio.StreamWriter,
        answer: Callable[[Request, asyncio.StreamWriter], Awaitable[Answer]],
    ) -> None:
        self._reader, self._writer, self._answer = reader, writer, answer
        self._http = h11.Connection(h11.SERVER)

    async def run(self) -> None:
        while (request := await self._read()) is not None:
            answer = await self._answer(request, self._writer)
            if isinstance(answer, Drop):
                _cut(self._writer, reset=answer.reset)
                return
            await self._write(answer)
            if self._http.our_state is not h11.DONE or self._http.their_state is not h11.DONE:
                return
            self._http.start_next_cycle()

    async def _read(self) -> Request | None:
        head: h11.Request | None = None
        body = bytearray()
        while True:
            event = await self._next_event()
            if isinstance(event, h11.Request):
                head = event
            elif isinstance(event, h11.Data):
                body += event.data
                if len(body) > MAX_BODY:
                    await self._write(json_reply({"error": "body too large"}, 413))
                    return None
            elif isinstance(event, h11.EndOfMessage) and head is not None:
                return _request(head, bytes(body))
            else:
                return None

    async def _next_event(self) -> object:
        while (event := self._http.next_event()) is h11.NEED_DATA:
            if self._http.they_are_waiting_for_100_continue:
                go_on = h11.InformationalResponse(status_code=100, headers=[])
                self._writer.write(self._http.send(go_on))
            async with asyncio.timeout(IDLE_SECONDS):
                self._http.receive_data(await self._reader.read(READ_SIZE))
        return event

    async def _write(self, reply: Reply | Flow) -> None:
        caller_left = self._reader.at_eof()
        if isinstance(reply, Flow):
            await self._write_pieces(reply)
        else:
            length = ("Content-Length", str(len(reply.body)))
            self._send(_head(reply.status, reply.content_type, length, *reply.headers))
            self._send(h11.Data(data=reply.body))
        self._send(h11.EndOfMessage())
        await self._writer.drain()
        if reply.sent is not None and not caller_left:
            reply.sent()

    async def _write_pieces(self, flow: Flow) -> None:
        self._send(_head(flow.status, flow.content_type, ("Transfer-Encoding", "chunked")))
        async with contextlib.aclosing(flow.pieces) as pieces:
            async for piece in pieces:
                self._send(h11.Data(data=piece))
                await self._writer.drain()

    def _send(self, event: h11.Event) -> None:
        self._writer.write(self._http.send(event) or b"")


def _head(status: int, content_type: str, *headers: tuple[str, str]) -> h11.Response:
    reason = HTTPStatus(status).phrase if status in _STATUSES else ""
    always = [
        ("Content-Type", content_type),
        ("Cache-Control", "no-store"),
        ("X-Content-Type-Options", "nosniff"),
    ]
    return h11.Response(status_code=status, headers=[*always, *headers], reason=reason)


_STATUSES = frozenset(status.value for status in HTTPStatus)


def _request(head: h11.Request, body: bytes) -> Request:
    url = urlsplit(head.target.decode("ascii", "replace"))
    headers = {name.decode("ascii"): value.decode("latin-1") for name, value in head.headers}
    query = dict(parse_qsl(url.query))
    return Request(head.method.decode("ascii"), url.path, query, body, headers)


def _cut(writer: asyncio.StreamWriter, *, reset: bool) -> None:
    if reset:
        # Lingering for zero seconds makes the kernel answer with RST instead of FIN.
        raw: socket.socket = writer.get_extra_info("socket")
        raw.setsockopt(socket.SOL_SOCKET, socket.SO_LINGER, struct.pack("ii", 1, 0))
    writer.transport.abort()
