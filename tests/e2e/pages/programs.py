"""What a program does in a student's name, over HTTP."""

import json
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from typing import Any

import httpx2

from tests.e2e.pages.visitors import Visitor
from tests.student import new_key


@asynccontextmanager
async def program(url: str, visitor: Visitor) -> AsyncIterator[httpx2.AsyncClient]:
    """A program of a student's, below /api/v1."""
    token = visitor.student.line.issuer.user_token(visitor.student.id)
    async with httpx2.AsyncClient(
        base_url=f"{url}/api/v1",
        headers={"Authorization": f"Bearer {token}", "Accept": "application/json"},
        trust_env=False,
        timeout=60,
    ) as client:
        yield client


def keyed() -> dict[str, str]:
    """The head of another attempt."""
    return {"Idempotency-Key": new_key()}


def streamed(text: str) -> list[tuple[str, Any]]:
    """(event, data) of each event of a stream."""
    found = []
    for block in text.split("\n\n"):
        lines = dict(line.split(": ", 1) for line in block.splitlines() if ": " in line)
        if "event" in lines:
            found.append((lines["event"], json.loads(lines["data"])))
    return found


async def talked(url: str, visitor: Visitor, words: str) -> str:
    """Begins a conversation and waits until it waits or has ended; gives its path."""
    async with program(url, visitor) as client:
        answer = await client.post("/agent/chat", json={"text": words}, headers=keyed())
    assert answer.status_code == 200, answer.text
    events = streamed(answer.text)
    assert events[-1][0] == "end", events
    return f"/agent/chat/{events[0][1]['conversation_id']}"


async def remembered(url: str, visitor: Visitor, text: str) -> int:
    """Has something remembered; gives its id."""
    body = {"type": "MEMORY_TYPE_CONSTRAINT", "text": text, "days_of_week": [7]}
    async with program(url, visitor) as client:
        answer = await client.post("/memory", json=body, headers=keyed())
    assert answer.status_code == 201, answer.text
    memory_id: int = answer.json()["item"]["memory_id"]
    return memory_id
