"""The running suite, with ways into it for tests."""

from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from dataclasses import dataclass

import asyncpg
import httpx2
import nats
from nats.js import JetStreamContext

from libs.events.contract import contracts_in
from services.standalone.suite import Suite
from smartmate.events.v1 import events_pb2
from tests import audit
from tests.student import Addresses, Line, Student
from tests.waiting import until


@dataclass(frozen=True, slots=True)
class World:
    """The running suite with ways into it."""

    suite: Suite
    line: Line

    def dsns(self) -> dict[str, str]:
        """Databases of the services that the audit looks at."""
        return {service: self.suite.dsn(service) for service in audit.SERVICES}

    async def fetch(self, service: str, query: str, *arguments: object) -> list[asyncpg.Record]:
        """Rows of a service's database."""
        connection = await asyncpg.connect(self.suite.dsn(service))
        try:
            rows: list[asyncpg.Record] = await connection.fetch(query, *arguments)
            return rows
        finally:
            await connection.close()

    async def student(self) -> Student:
        """A new student with a semester."""
        student = Student(self.line)
        await student.begin_semester()
        return student

    def hook(self, student: Student) -> str:
        """The webhook of this student's bot at the stand-in."""
        return f"{self.suite.feishu_url}/open-apis/bot/v2/hook/{student.id}"

    async def messages(self, student: Student, *, count: int = 0) -> list[dict[str, object]]:
        """What the stand-in received for this student, once there are `count`."""
        return await self.messages_of(student.id, count=count)

    async def messages_of(self, user_id: int, *, count: int = 0) -> list[dict[str, object]]:
        """The same by the user's id, which is the token of the bot."""
        wait = {"count": str(count), "wait_ms": "30000"} if count else {}
        async with httpx2.AsyncClient(timeout=40, trust_env=False) as client:
            answer = await client.get(
                f"{self.suite.feishu_url}/standin/messages",
                params={"token": str(user_id), **wait},
            )
            found: list[dict[str, object]] = answer.json()["messages"]
            return found

    def logged_errors(self) -> str:
        """The newest error lines of every service's log."""
        found = []
        for name in self.suite.all_pids():
            service, _, index = name.partition("-")
            path = self.suite.log(service, int(index) if index.isdigit() else 0)
            lines = path.read_text(errors="replace").splitlines() if path.exists() else []
            errors = [line for line in lines if '"level": "error"' in line]
            found += [f"{name}: {line}".replace("\\n", "\n") for line in errors[-2:]]
        return "\n".join(found)

    @asynccontextmanager
    async def broker(self) -> AsyncIterator[JetStreamContext]:
        """JetStream as the administrator."""
        client = await nats.connect(self.suite.nats_admin)
        try:
            yield client.jetstream()
        finally:
            await client.close()

    async def quiet(self, *, within: float = 60.0) -> None:
        """Returns once every event that was told has been heard."""
        async with self.broker() as jetstream:
            await until(lambda: self._is_quiet(jetstream), within=within, what="quiet")

    async def _is_quiet(self, jetstream: JetStreamContext) -> bool:
        for service in audit.SERVICES:
            if await self.fetch(service, "SELECT 1 FROM outbox WHERE published_at IS NULL LIMIT 1"):
                return False
        for contract in contracts_in(events_pb2.DESCRIPTOR):
            for hearer in contract.heard_by:
                info = await jetstream.consumer_info(contract.stream, contract.durable(hearer))
                if info.num_pending or info.num_ack_pending:
                    return False
        return True


@asynccontextmanager
async def reached(suite: Suite) -> AsyncIterator[World]:
    """Ways into a running suite. A service that is not part of it is called in vain."""
    line = Line(
        Addresses(
            schedule=suite.target("schedule"),
            active_scheduler=suite.target("active_scheduler"),
            notification=suite.target("notification"),
            agent=suite.target("agent"),
            gateway_key=suite.private_key("gateway"),
        )
    )
    try:
        yield World(suite, line)
    finally:
        await line.close()
