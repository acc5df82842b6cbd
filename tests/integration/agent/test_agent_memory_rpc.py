"""What a person wants remembered: put, listed, recalled, forgotten, and nobody else's."""

import asyncio
import itertools
import uuid
from collections.abc import AsyncIterator
from typing import Any

import grpc
import pytest
from sqlalchemy import text as sql

from libs.db.database import Database
from libs.rpc.errors import RemoteError
from smartmate.agent.v1 import agent_service_pb2 as pb
from smartmate.agent.v1 import memory_pb2
from tests.integration.agent import asking
from tests.integration.agent.asking import Agent, Keys

PREFERENCE = memory_pb2.MEMORY_TYPE_PREFERENCE
CONSTRAINT = memory_pb2.MEMORY_TYPE_CONSTRAINT
FACT = memory_pb2.MEMORY_TYPE_FACT

_users = itertools.count(uuid.uuid4().int >> 68)


@pytest.fixture(scope="module")
async def agent(db: Database, keys: Keys) -> AsyncIterator[Agent]:
    async with asking.served(db, keys) as found:
        yield found


class Person:
    """A user of the service whom nobody has seen before."""

    def __init__(self, agent: Agent) -> None:
        self.agent = agent
        self.id = next(_users)

    async def call(self, method: str, request: Any, **whom: Any) -> Any:
        return await self.agent.call(method, request, user=self.id, **whom)

    async def put(self, text: str = "晚上学习效率高", key: str = "", **fields: Any) -> Any:
        request = pb.PutMemoryRequest(
            request_id=key or uuid.uuid4().hex, type=PREFERENCE, text=text
        )
        for name, value in fields.items():
            if name == "days_of_week":
                request.days_of_week.extend(value)
            else:
                setattr(request, name, value)
        return (await self.call("PutMemory", request)).item

    async def listed(self, **fields: Any) -> list[str]:
        answer = await self.call("ListMemory", pb.ListMemoryRequest(**fields))
        return [item.text for item in answer.items]

    async def recalled(self, query: str, **fields: Any) -> list[str]:
        request = pb.RecallMemoryRequest(query=query, **fields)
        answer = await self.call("RecallMemory", request, service="active_scheduler")
        return [item.text for item in answer.items]

    async def forget(self, memory_id: int, key: str = "") -> None:
        request = pb.DeleteMemoryRequest(request_id=key or uuid.uuid4().hex, memory_id=memory_id)
        await self.call("DeleteMemory", request)


@pytest.fixture
def person(agent: Agent) -> Person:
    return Person(agent)


async def test_what_is_put_is_stored_as_it_was_said_with_its_hints(person: Person) -> None:
    item = await person.put(
        "  周三晚上要练琴  ",
        type=CONSTRAINT,
        days_of_week=[7, 3],
        first_section=9,
        last_section=12,
    )

    assert (item.text, list(item.days_of_week)) == ("周三晚上要练琴", [3, 7])
    assert (item.type, item.first_section, item.last_section) == (CONSTRAINT, 9, 12)
    assert item.create_time == item.update_time
    answer = await person.call("ListMemory", pb.ListMemoryRequest())
    assert list(answer.items) == [item]


async def test_an_item_is_changed_as_a_whole(person: Person) -> None:
    item = await person.put(days_of_week=[1], first_section=1, last_section=2)

    changed = await person.put("早上学习效率高", memory_id=item.memory_id, type=FACT)

    assert (changed.memory_id, changed.type, changed.text) == (
        item.memory_id,
        FACT,
        "早上学习效率高",
    )
    assert (list(changed.days_of_week), changed.first_section) == ([], 0)
    assert changed.create_time == item.create_time
    assert changed.update_time.ToDatetime() > item.update_time.ToDatetime()
    assert await person.listed() == ["早上学习效率高"]


async def test_the_same_request_puts_and_deletes_once(person: Person) -> None:
    key = uuid.uuid4().hex
    first, again = await asyncio.gather(person.put(key=key), person.put(key=key))
    assert first == again
    assert await person.listed() == [first.text]

    with pytest.raises(RemoteError) as refused:
        await person.put("别的", key=key)
    assert refused.value.reason == "idempotency_conflict"

    await person.forget(first.memory_id, key)
    await person.forget(first.memory_id, key)
    await person.forget(first.memory_id)
    assert await person.listed() == []


async def test_what_is_forgotten_is_gone_from_the_database(person: Person, db: Database) -> None:
    item = await person.put("不想让人知道")
    await person.forget(item.memory_id)

    async with db.transaction() as tx:
        rows = await tx.all(sql("SELECT 1 FROM memory_items WHERE user_id = :user"), user=person.id)
    assert rows == []
    with pytest.raises(RemoteError) as refused:
        await person.put("又来", memory_id=item.memory_id)
    assert refused.value.reason == "memory_not_found"


async def test_nobody_reads_changes_or_deletes_what_is_anothers(agent: Agent) -> None:
    owner, other = Person(agent), Person(agent)
    item = await owner.put("概率论先看例题")

    assert await other.listed() == []
    assert await other.recalled("概率论") == []
    with pytest.raises(RemoteError) as refused:
        await other.put("改掉", memory_id=item.memory_id)
    assert refused.value.code is grpc.StatusCode.NOT_FOUND
    await other.forget(item.memory_id)
    assert await owner.listed() == ["概率论先看例题"]


async def test_recall_goes_by_type_and_words_and_by_times_where_asked(person: Person) -> None:
    await person.put("概率论要先看例题")
    await person.put("概率论老师姓王", type=FACT)
    await person.put("周五不排东西", type=CONSTRAINT, days_of_week=[5])
    await person.put("不吃香菜")

    assert await person.recalled("概率论作业") == ["概率论老师姓王", "概率论要先看例题"]
    assert await person.recalled("概率论作业", types=[PREFERENCE]) == ["概率论要先看例题"]
    assert await person.recalled("概率论", include_timed=True, types=[PREFERENCE, CONSTRAINT]) == [
        "概率论要先看例题",
        "周五不排东西",
    ]
    assert len(await person.recalled("")) == 4
    assert len(await person.recalled("", limit=3)) == 3


async def test_a_list_is_read_in_pages_newest_first_by_type(person: Person) -> None:
    for number in range(5):
        await person.put(f"第{number}条", type=FACT if number % 2 else PREFERENCE)

    found, token = [], ""
    while True:
        answer = await person.call(
            "ListMemory", pb.ListMemoryRequest(page_size=2, page_token=token)
        )
        found += [item.text for item in answer.items]
        if not (token := answer.next_page_token):
            break

    assert found == [f"第{number}条" for number in (4, 3, 2, 1, 0)]
    assert await person.listed(types=[FACT]) == ["第3条", "第1条"]


async def test_there_is_room_for_200_items_and_not_for_one_more_at_once(
    person: Person, db: Database
) -> None:
    fill = sql("""
        INSERT INTO memory_items (user_id, type, text, days, first_section, last_section)
        SELECT :user, 'fact', 'x', '{}', 0, 0 FROM generate_series(1, 199)
    """)
    async with db.transaction() as tx:
        await tx.execute(fill, user=person.id)

    answers = await asyncio.gather(*(person.put() for _ in range(5)), return_exceptions=True)

    refused = [one for one in answers if isinstance(one, RemoteError)]
    assert len(refused) == 4
    assert {(one.code, one.reason) for one in refused} == {
        (grpc.StatusCode.RESOURCE_EXHAUSTED, "too_many_memory_items")
    }
    assert refused[0].metadata == {"most": "200"}


@pytest.mark.parametrize(
    ("field", "fields"),
    [
        ("text", {"text": ""}),
        ("text", {"text": "  "}),
        ("text", {"text": "长" * 501}),
        ("text", {"text": "a\x00b"}),
        ("text", {"text": "a\nb"}),
        ("type", {"type": 0}),
        ("type", {"type": 9}),
        ("memory_id", {"memory_id": -1}),
        ("days_of_week", {"days_of_week": [0]}),
        ("days_of_week", {"days_of_week": [8]}),
        ("days_of_week", {"days_of_week": [1, 1]}),
        ("days_of_week", {"days_of_week": [2**31 - 1]}),
        ("first_section", {"first_section": 0, "last_section": 3}),
        ("first_section", {"first_section": 15, "last_section": 15}),
        ("first_section", {"first_section": -1, "last_section": -1}),
        ("last_section", {"first_section": 3, "last_section": 2}),
        ("last_section", {"first_section": 3, "last_section": 15}),
        ("request_id", {"key": "k" * 65}),
    ],
)
async def test_an_item_that_cannot_be_is_refused_by_field(
    field: str, fields: dict[str, Any], person: Person
) -> None:
    with pytest.raises(RemoteError) as refused:
        await person.put(**fields)

    assert refused.value.code is grpc.StatusCode.INVALID_ARGUMENT
    assert [one.field for one in refused.value.violations] == [field]
    assert await person.listed() == []


async def test_other_requests_that_cannot_be_are_refused_by_field(person: Person) -> None:
    cases = (
        ("ListMemory", pb.ListMemoryRequest(page_size=-1), "page_size"),
        ("ListMemory", pb.ListMemoryRequest(page_token="x"), "page_token"),
        ("ListMemory", pb.ListMemoryRequest(types=[0]), "types[0]"),
        ("RecallMemory", pb.RecallMemoryRequest(limit=-1), "limit"),
        ("RecallMemory", pb.RecallMemoryRequest(query="长" * 1001), "query"),
        ("DeleteMemory", pb.DeleteMemoryRequest(request_id="k"), "memory_id"),
        ("DeleteMemory", pb.DeleteMemoryRequest(memory_id=1), "request_id"),
    )
    for method, request, field in cases:
        with pytest.raises(RemoteError) as refused:
            await person.call(method, request)
        assert [one.field for one in refused.value.violations] == [field]


async def test_services_may_recall_for_a_person_and_do_nothing_else(person: Person) -> None:
    await person.put("晚上效率高")
    assert await person.recalled("") == ["晚上效率高"]
    for method, request in (
        ("ListMemory", pb.ListMemoryRequest()),
        ("PutMemory", pb.PutMemoryRequest()),
        ("DeleteMemory", pb.DeleteMemoryRequest()),
    ):
        with pytest.raises(RemoteError) as refused:
            await person.call(method, request, service="active_scheduler")
        assert refused.value.code is grpc.StatusCode.PERMISSION_DENIED
    with pytest.raises(RemoteError) as refused:
        await person.call("RecallMemory", pb.RecallMemoryRequest(), service="schedule")
    assert refused.value.code is grpc.StatusCode.PERMISSION_DENIED


STRANGE = ("\u202eabc", "👩‍👩‍👧", "%_\\'\";--", "é" * 250, "𝔘𝔫𝔦", "{}[]()*+?", "0", "null")


async def test_strange_texts_are_remembered_as_they_are_and_recalled_by_themselves(
    person: Person,
) -> None:
    for text in STRANGE:
        await person.put(text)

    assert await person.listed() == list(reversed(STRANGE))
    for text in STRANGE:
        assert isinstance(await person.recalled(text), list)
