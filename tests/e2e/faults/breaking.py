"""Breaking parts of the suite from outside, and looking at what became of it."""

import asyncio
import json
from collections import Counter
from collections.abc import Mapping
from typing import Any

import httpx2
from google.protobuf.message import Message

from libs.events.contract import contract
from tests.student import Student
from tests.waiting import until
from tests.world import World


async def kill_all(world: World, service: str) -> None:
    """kill -9 of all replicas of a service; they are gone until it is started."""
    replicas = range(len(world.suite.pids(service)))
    await asyncio.gather(*(world.suite.kill(service, index, restart=False) for index in replicas))


async def told(world: World, student: Student, kind: type[Message]) -> Counter[str]:
    """How often each event of a kind about this student is in its stream, by its id."""
    found: Counter[str] = Counter()
    what = contract(kind)
    async with world.broker() as jetstream:
        state = (await jetstream.stream_info(what.stream)).state
        for sequence in range(max(state.first_seq, 1), state.last_seq + 1):
            message = await jetstream.get_msg(what.stream, sequence)
            headers = message.headers or {}
            if message.subject == what.subject and headers["ce-subject"] == str(student.id):
                found[headers["ce-id"]] += 1
    return found


async def unanswered(world: World, kind: type[Message], service: str) -> int:
    """Deliveries to this consumer that the broker waits for, or has not made yet."""
    what = contract(kind)
    async with world.broker() as jetstream:
        info = await jetstream.consumer_info(what.stream, what.durable(service))
        return int(info.num_ack_pending or 0) + int(info.num_pending or 0)


async def handled(world: World, service: str, consumer: str, outcome: str) -> float:
    """Deliveries with this outcome, by all replicas that live now."""
    name = "smartmate_events_handled_total"
    wanted = f'{name}{{consumer="{consumer}",outcome="{outcome}"}} '
    total = 0.0
    async with httpx2.AsyncClient(trust_env=False) as client:
        for index in range(len(world.suite.pids(service))):
            answer = await client.get(f"http://{world.suite.ops_address(service, index)}/metrics")
            for line in answer.text.splitlines():
                if line.startswith(wanted):
                    total += float(line.removeprefix(wanted))
    return total


async def published(world: World, service: str, student: Student) -> None:
    """Returns once nothing of this student waits in the service's outbox."""

    async def nothing_waits() -> bool:
        return not await world.fetch(
            service, "SELECT 1 FROM outbox WHERE user_id = $1 AND published_at IS NULL", student.id
        )

    await until(nothing_waits, what="an empty outbox")


async def script(world: World, student: Student, *faults: Mapping[str, Any]) -> None:
    """What the Feishu stand-in does to this student's next messages."""
    await _post(world, "/standin/script", {"token": str(student.id), "faults": list(faults)})


async def release(world: World, student: Student) -> None:
    """Lets the answers go that the stand-in holds for this student."""
    await _post(world, "/standin/release", {"token": str(student.id)})


async def _post(world: World, path: str, body: Mapping[str, Any]) -> None:
    async with httpx2.AsyncClient(trust_env=False) as client:
        answer = await client.post(f"{world.suite.feishu_url}{path}", json=body)
        assert answer.status_code == 200, answer.text


def as_headers(stored: str) -> dict[str, str]:
    """The headers of an event, as an outbox or a dead letter keeps them."""
    found: dict[str, str] = json.loads(stored)
    return found


async def dead_letters(world: World, service: str) -> list[Mapping[str, Any]]:
    """Everything that a service has parked."""
    rows = await world.fetch(service, "SELECT * FROM dead_letters ORDER BY id")
    return [dict(row) for row in rows]
