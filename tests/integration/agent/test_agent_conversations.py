"""Conversations as they are kept: listed, opened, deleted, one's own; and what cannot be said."""

import uuid
from typing import Any

import grpc
import pytest
from sqlalchemy import text as sql

from libs.db.database import Database
from libs.rpc.errors import RemoteError
from services.agent.store import runs
from smartmate.agent.v1 import agent_service_pb2 as pb
from smartmate.agent.v1 import chat_pb2, conversation_pb2
from tests.integration.agent import talking
from tests.integration.agent.asking import Keys
from tests.integration.agent.conftest import Open
from tests.integration.agent.talking import Student

NOWHERE = "127.0.0.1:9"


async def listed(student: Student, size: int = 0) -> list[Any]:
    """All conversations, page by page."""
    found: list[Any] = []
    token = ""
    while True:
        request = pb.ListConversationsRequest(page_size=size, page_token=token)
        answer = await student.ask(student.town.agent, "ListConversations", request)
        found += answer.conversations
        if not (token := answer.next_page_token):
            return found


async def delete(student: Student, conversation_id: str, key: str = "") -> None:
    request = pb.DeleteConversationRequest(
        request_id=key or uuid.uuid4().hex, conversation_id=conversation_id
    )
    await student.ask(student.town.agent, "DeleteConversation", request)


async def test_conversations_are_listed_by_their_newest_words_page_by_page(
    open_town: Open,
) -> None:
    async with open_town() as town:
        student = town.student()
        heard = [await student.says(f"你好{number}") for number in range(5)]
        await student.says("还在吗", heard[1].conversation_id)

        found = await listed(student, size=2)

        ids = [one.conversation_id for one in heard]
        assert [one.conversation_id for one in found] == [ids[1], ids[4], ids[3], ids[2], ids[0]]
        assert found[0].title == "你好1"
        assert found[0].phase == chat_pb2.RUN_PHASE_DONE
        assert found[0].waits_for == conversation_pb2.RUN_WAIT_UNSPECIFIED
        assert found[0].update_time.ToDatetime() > found[0].create_time.ToDatetime()
        assert await listed(town.student()) == []


async def test_what_was_said_is_read_in_pages_the_newest_first_page(open_town: Open) -> None:
    async with open_town() as town:
        student = town.student()
        heard = await student.says("你好")
        for number in range(3):
            await student.says(f"第{number}句", heard.conversation_id)

        said: list[str] = []
        token, pages = "", 0
        while True:
            request = pb.GetConversationRequest(
                conversation_id=heard.conversation_id, page_size=3, page_token=token
            )
            answer = await student.ask(town.agent, "GetConversation", request)
            said = [*(one.text for one in answer.messages), *said]
            pages += 1
            if not (token := answer.next_page_token):
                break

        assert pages == 3
        assert said[0] == "你好"
        assert [one for one in said if one.startswith("第")] == ["第0句", "第1句", "第2句"]
        assert len(said) == 8


async def test_nobody_reads_follows_or_deletes_what_is_anothers(open_town: Open) -> None:
    async with open_town() as town:
        owner, other = town.student(), town.student()
        heard = await owner.says("你好")

        for asked in (
            other.conversation(heard.conversation_id),
            other.run(heard.run_id),
            other.resumes(heard.run_id),
            other.says("你好", heard.conversation_id),
        ):
            with pytest.raises(RemoteError) as refused:
                await asked
            assert refused.value.code is grpc.StatusCode.NOT_FOUND
        await delete(other, heard.conversation_id)
        assert len(await listed(owner)) == 1


async def test_deleted_is_gone_with_all_that_belonged_to_it(open_town: Open, db: Database) -> None:
    async with open_town() as town:
        student = town.student()
        await student.begin_semester()
        await student.add_class("线代复习", 2)
        heard = await student.says("把线代复习排进去")
        key = uuid.uuid4().hex

        await delete(student, heard.conversation_id, key)
        await delete(student, heard.conversation_id, key)

        assert await listed(student) == []
        async with db.transaction() as tx:
            for table in ("messages", "runs", "stream_events", "plan_loads", "confirm_requests"):
                query = sql(f"SELECT count(*) FROM {table} WHERE user_id = :user")
                assert await tx.scalar(query, user=student.id) == 0, table


async def test_the_same_request_says_it_once_and_another_is_refused(open_town: Open) -> None:
    async with open_town() as town:
        student = town.student()
        key = uuid.uuid4().hex
        first = await student.says("你好", key=key)
        again = await student.says("你好", key=key)
        assert first == again
        assert len(await listed(student)) == 1
        with pytest.raises(RemoteError) as refused:
            await student.says("别的", key=key)
        assert refused.value.reason == "idempotency_conflict"


RUN, TALK = "run_" + "0" * 32, "cnv_" + "0" * 32


@pytest.mark.parametrize(
    ("field", "request_"),
    [
        ("request_id", pb.ChatRequest(text="x")),
        ("input", pb.ChatRequest(request_id="k")),
        ("text", pb.ChatRequest(request_id="k", text="  \n ")),
        ("text", pb.ChatRequest(request_id="k", text="长" * 4001)),
        ("conversation_id", pb.ChatRequest(request_id="k", conversation_id="x", text="y")),
        (
            "conversation_id",
            pb.ChatRequest(request_id="k", confirm_reply=pb.ConfirmReply(run_id=RUN, number=1)),
        ),
        (
            "confirm_reply.number",
            pb.ChatRequest(
                request_id="k",
                conversation_id=TALK,
                confirm_reply=pb.ConfirmReply(run_id=RUN),
            ),
        ),
        (
            "confirm_reply.run_id",
            pb.ChatRequest(
                request_id="k",
                conversation_id=TALK,
                confirm_reply=pb.ConfirmReply(number=1),
            ),
        ),
        (
            "confirm_reply.words",
            pb.ChatRequest(
                request_id="k",
                conversation_id=TALK,
                confirm_reply=pb.ConfirmReply(run_id=RUN, number=1, accepted=True, words="x"),
            ),
        ),
        (
            "answer.text",
            pb.ChatRequest(
                request_id="k",
                conversation_id=TALK,
                answer=pb.QuestionAnswer(run_id=RUN, number=1),
            ),
        ),
        (
            "answer.text",
            pb.ChatRequest(
                request_id="k",
                conversation_id=TALK,
                answer=pb.QuestionAnswer(run_id=RUN, number=1, choice_id="a", text="b"),
            ),
        ),
        ("preview_id", pb.ChatRequest(request_id="k", text="x", preview_id="\n")),
    ],
)
async def test_what_cannot_be_said_is_refused_by_field(
    field: str, request_: Any, open_town: Open
) -> None:
    async with open_town() as town:
        with pytest.raises(RemoteError) as refused:
            await town.student().sends(request_)
        assert refused.value.code is grpc.StatusCode.INVALID_ARGUMENT
        assert [one.field for one in refused.value.violations] == [field]


@pytest.mark.parametrize(
    "text",
    [
        "a\x00b\u202ec",
        "👨‍👩‍👧‍👦" * 50,
        "﷽" * 100,
        "你好\n\n\n第二行",
        "{}",
        "[1]" * 500,
        "'; DROP TABLE runs; --",
    ],
)
async def test_whatever_is_said_there_is_an_answer(text: str, open_town: Open) -> None:
    async with open_town() as town:
        heard = await town.student().says(text)
        assert heard.outcome.kind == chat_pb2.OUTCOME_KIND_COMPLETED


async def test_a_schedule_that_is_away_ends_the_run_with_words(db: Database, keys: Keys) -> None:
    async with talking.town(db, NOWHERE, keys.public, keys.issuers, away_seconds=()) as town:
        heard = await town.student().says("把线代复习排进去")
        assert (heard.outcome.kind, heard.outcome.code) == (
            chat_pb2.OUTCOME_KIND_ABORTED,
            "schedule_unavailable",
        )
        assert "没有写入" in heard.outcome.user_message


async def test_there_is_room_for_500_conversations(open_town: Open, db: Database) -> None:
    async with open_town() as town:
        student = town.student()
        heard = await student.says("你好")
        fill = sql("""
            INSERT INTO conversations (user_id, id, title, run_id)
            SELECT :user, 'cnv_' || number, '', :run FROM generate_series(1, 499) AS number
        """)
        async with db.transaction() as tx:
            await tx.execute(fill, user=student.id, run=heard.run_id)
        with pytest.raises(RemoteError) as refused:
            await student.says("再来一个")
        assert refused.value.code is grpc.StatusCode.RESOURCE_EXHAUSTED
        assert refused.value.metadata == {"most": "500"}
        await student.says("这里还可以", heard.conversation_id)


class Undo(Exception):
    """Takes back what a test did."""


async def pruned(db: Database, old: Student, young: Student) -> tuple[int, int]:
    """How many events of each are left once the runs of the first ended 31 days ago."""
    age = sql("""
        UPDATE runs SET ended_at = ended_at - interval '31 days' WHERE user_id = :user
    """)
    left = sql("SELECT count(*) FROM stream_events WHERE user_id = :user")
    found: list[int] = []
    try:
        async with db.transaction() as tx:
            await tx.execute(age, user=old.id)
            while await runs.prune(tx, limit=1000):
                continue
            found = [await tx.scalar(left, user=one.id) for one in (old, young)]
            raise Undo
    except Undo:
        return found[0], found[1]


async def test_events_of_runs_that_ended_long_ago_are_forgotten(
    open_town: Open, db: Database
) -> None:
    async with open_town() as town:
        old, young = town.student(), town.student()
        heard = [await one.says("你好") for one in (old, young)]
    assert await pruned(db, old, young) == (0, len(heard[1].events))
