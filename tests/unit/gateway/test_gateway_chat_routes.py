"""Saying, choosing and deciding by the forms of the page, and following what happens there."""

import json
from collections.abc import AsyncIterator
from typing import Any

import grpc
import httpx2
import pytest

from libs.rpc.errors import RemoteError
from services.gateway.pages import chat_forms
from smartmate.active_scheduler.v1 import active_scheduler_service_pb2 as active_pb2
from smartmate.agent.v1 import agent_service_pb2 as agent_pb2
from tests.unit.gateway import chat_samples as chat
from tests.unit.gateway.chat_services import Talking, prepared, stands
from tests.unit.gateway.class_services import KEY, led
from tests.unit.gateway.gateway_served import PAGE, Served, served_by
from tests.unit.gateway.test_gateway_preview_http import get, of, post

TALK = f"/agent/chat/{chat.CONVERSATION}"
EVENTS = f"{TALK}/events?run={chat.RUN}"
SAY = {"text": " 周三别排 ", "conversation_id": chat.CONVERSATION, "about": f"{chat.RUN}.c1", **KEY}
REPLY = {"run_id": chat.RUN, "number": "1", "live": "yes", **KEY}


served = served_by(Talking)


@pytest.fixture
def suite(served: Served, monkeypatch: pytest.MonkeyPatch) -> Talking:
    monkeypatch.setattr(chat_forms, "WAIT_SECONDS", 0.01)
    return prepared(served)


def no(reason: str, code: grpc.StatusCode = grpc.StatusCode.FAILED_PRECONDITION) -> RemoteError:
    return RemoteError(code, reason, "smartmate.agent")


async def sent(suite: Talking, path: str, fields: dict[str, str]) -> httpx2.Response:
    return await post(suite, path, data=fields, headers=PAGE)


def streamed(text: str) -> list[tuple[str, int, Any]]:
    """(event, id, data) of each event of a stream."""
    found = []
    for block in text.split("\n\n"):
        lines = dict(line.split(": ", 1) for line in block.splitlines() if ": " in line)
        if "event" in lines:
            found.append((lines["event"], int(lines.get("id", 0)), json.loads(lines["data"])))
    return found


@pytest.mark.parametrize("live", ["", "yes"])
async def test_words_begin_a_conversation_and_lead_to_it(suite: Talking, live: str) -> None:
    fields = {"text": chat.SENTENCE, "preview_id": "asp_0192f3", "live": live, **KEY}
    assert led(await sent(suite, "/agent/chat", fields)) == (TALK, {})
    (asked,) = of(suite, agent_pb2.ChatRequest)
    assert asked == agent_pb2.ChatRequest(
        request_id="k", text=chat.SENTENCE, preview_id="asp_0192f3"
    )


async def test_words_go_on_with_a_conversation(suite: Talking) -> None:
    assert led(await sent(suite, "/agent/chat", SAY))[0] == TALK
    (asked,) = of(suite, agent_pb2.ChatRequest)
    assert (asked.conversation_id, asked.text) == (chat.CONVERSATION, "周三别排")


@pytest.mark.parametrize(
    ("contents", "told"),
    [
        (chat.WORKING, "助手还在忙上一句"),
        (chat.WRITTEN, "这段对话刚刚往前走了一步"),
        ((chat.READING, chat.confirm(number=2)), "这段对话刚刚往前走了一步"),
    ],
)
async def test_words_meant_for_something_else_are_not_sent_but_kept(
    suite: Talking, contents: tuple[Any, ...], told: str
) -> None:
    stands(suite, *contents)
    answer = await sent(suite, "/agent/chat", SAY)
    assert answer.status_code == 409
    assert told in answer.text
    assert "\n周三别排</textarea>" in answer.text
    assert not of(suite, agent_pb2.ChatRequest)


@pytest.mark.parametrize(("text", "told"), [(" ", "先写一句再发"), ("字" * 4001, "最多 4000 个字")])
@pytest.mark.parametrize("conversation", ["", chat.CONVERSATION])
async def test_words_that_are_none_or_too_many_are_told(
    suite: Talking, text: str, told: str, conversation: str
) -> None:
    fields = {**SAY, "text": text, "conversation_id": conversation}
    answer = await sent(suite, "/agent/chat", fields)
    assert answer.status_code == 400
    assert told in answer.text
    assert not of(suite, agent_pb2.ChatRequest)


@pytest.mark.parametrize(
    ("reason", "told"),
    [
        ("conversation_busy", "助手还在忙上一句"),
        ("answer_not_offered", "这个问题要从选项里选"),
        ("too_many_conversations", "对话太多了"),
    ],
)
async def test_what_the_agent_refuses_is_told_beside_the_words(
    suite: Talking, reason: str, told: str
) -> None:
    suite.said = lambda _: no(reason)
    answer = await sent(suite, "/agent/chat", {"text": "排一下", **KEY})
    assert answer.status_code == 409
    assert told in answer.text
    assert "\n排一下</textarea>" in answer.text


async def test_a_refusal_that_the_page_cannot_explain_is_a_page_of_its_own(suite: Talking) -> None:
    suite.said = lambda _: no("preview_not_found", grpc.StatusCode.NOT_FOUND)
    answer = await sent(suite, "/agent/chat", {"text": "排一下", **KEY})
    assert answer.status_code == 404
    assert "没有找到这条建议" in answer.text


@pytest.mark.parametrize("accepted", ["yes", "no"])
async def test_yes_and_no_name_what_they_answer(suite: Talking, accepted: str) -> None:
    answer = await sent(suite, f"{TALK}/confirm", {**REPLY, "accepted": accepted})
    assert led(answer) == (TALK, {})
    (asked,) = of(suite, agent_pb2.ChatRequest)
    assert asked.confirm_reply == agent_pb2.ConfirmReply(
        run_id=chat.RUN, number=1, accepted=accepted == "yes"
    )


async def test_an_answer_is_one_of_the_choices(suite: Talking) -> None:
    stands(suite, chat.READING, chat.question("甲", "乙"))
    assert led(await sent(suite, f"{TALK}/answer", {**REPLY, "choice_id": "q2"})) == (TALK, {})
    (asked,) = of(suite, agent_pb2.ChatRequest)
    assert asked.answer == agent_pb2.QuestionAnswer(run_id=chat.RUN, number=1, choice_id="q2")


async def test_a_later_answer_sees_that_the_first_one_counts(suite: Talking) -> None:
    stands(suite, *chat.WRITTEN)
    answer = await sent(suite, f"{TALK}/confirm", {**REPLY, "accepted": "yes"})
    assert led(answer) == (TALK, {"told": ["first_counts"]})
    assert not of(suite, agent_pb2.ChatRequest)
    assert "已经答过了" in (await get(suite, f"{TALK}?told=first_counts", PAGE)).text


async def test_an_answer_that_came_too_late_leads_back(suite: Talking) -> None:
    suite.said = lambda _: no("confirm_not_found", grpc.StatusCode.NOT_FOUND)
    answer = await sent(suite, f"{TALK}/confirm", {**REPLY, "accepted": "yes"})
    assert led(answer) == (TALK, {"told": ["moved_on"]})


async def test_a_conversation_is_deleted_from_the_list(suite: Talking) -> None:
    answer = await sent(suite, f"{TALK}/delete", KEY)
    assert led(answer) == ("/agent/conversations", {"told": ["deleted"]})
    (asked,) = of(suite, agent_pb2.DeleteConversationRequest)
    assert asked.conversation_id == chat.CONVERSATION
    assert len(asked.request_id) <= 64
    suite.answers["DeleteConversation"] = no("conversation_busy")
    assert led(await sent(suite, f"{TALK}/delete", KEY))[1] == {"told": ["busy"]}
    assert "等它停下来再删" in (await get(suite, "/agent/conversations?told=busy", PAGE)).text


async def test_a_suggestion_that_is_confirmed_in_a_talk_leads_back_to_it(suite: Talking) -> None:
    path = "/active-schedule/previews/asp_0192f3"
    about = ("/agent/chat", {"active_preview_id": ["asp_0192f3"], "candidate": ["c"]})
    fields = {"candidate_id": "c", "action": "confirm", **KEY}
    assert led(await sent(suite, f"{path}/confirm?back=chat", fields)) == about
    assert led(await sent(suite, f"{path}/ignore?back=chat", KEY))[0] == "/agent/chat"
    assert of(suite, active_pb2.ConfirmPreviewRequest)
    suite.answers["ConfirmPreview"] = no("preview_expired")
    answer = await sent(suite, f"{path}/confirm?back=chat", fields)
    assert led(answer)[1] == {**about[1], "met": ["preview_expired"]}


async def test_what_changes_while_it_works_is_told_part_by_part(suite: Talking) -> None:
    suite.told = {chat.RUN: chat.events(*chat.WORKING)}
    told = streamed((await get(suite, f"{EVENTS}&after=3", PAGE)).text)
    assert [(event, id_) for event, id_, _ in told][:2] == [("parts", 4), ("parts", 5)]
    assert told[-1] == ("end", 0, {})
    first, second = told[0][2], told[1][2]
    assert first["id"] == f"{chat.RUN}-1"
    assert set(first["slots"]) == {"diff"}
    assert set(second["slots"]) == {"steps"}
    assert "还没有结果" in second["slots"]["steps"]
    steps = [data["slots"]["steps"] for _, _, data in told if "steps" in data.get("slots", {})]
    assert "看一下周二。" in steps[-1]
    assert "在调整 · 第 2 轮" in told[-2][2]["slots"]["works"]


async def test_a_browser_that_comes_again_is_told_the_rest(suite: Talking) -> None:
    suite.told = {chat.RUN: chat.events(*chat.WORKING)}
    headers = {**PAGE, "Last-Event-ID": "9"}
    told = streamed((await get(suite, f"{EVENTS}&after=3", headers)).text)
    assert [(event, id_) for event, id_, _ in told] == [("parts", 10), ("end", 0)]


async def test_what_it_comes_to_is_shown_with_the_whole_page(suite: Talking) -> None:
    suite.told = {chat.RUN: chat.events(*chat.PROPOSED)}
    told = streamed((await get(suite, f"{EVENTS}&after=10", PAGE)).text)
    assert told == [("end", 0, {})]


async def test_words_said_elsewhere_want_the_page_anew(suite: Talking) -> None:
    suite.told = {chat.RUN: chat.events(*chat.WRITTEN)}
    told = streamed((await get(suite, f"{EVENTS}&after=10", PAGE)).text)
    assert told[0][0] == "again"


async def test_words_of_anybody_stay_data_in_the_stream(suite: Talking) -> None:
    suite.told = {chat.RUN: chat.events(chat.READING, chat.speak("<img src=x onerror=alert(1)>"))}
    ((_, _, data), _) = streamed((await get(suite, f"{EVENTS}&after=1", PAGE)).text)
    assert "<img" not in data["slots"]["lead"]
    assert "&lt;img" in data["slots"]["lead"]


async def test_a_stream_of_a_run_that_is_not_there_is_refused(suite: Talking) -> None:
    suite.told = {chat.RUN: no("run_not_found", grpc.StatusCode.NOT_FOUND)}
    assert (await get(suite, EVENTS, PAGE)).status_code == 404


async def test_a_stream_that_broke_does_not_say_that_it_is_over(suite: Talking) -> None:
    first = chat.events(*chat.WORKING)[:4]

    async def breaks(*_: Any) -> AsyncIterator[Any]:
        for event in first:
            yield agent_pb2.ResumeResponse(event=event)
        raise no("shutting_down", grpc.StatusCode.UNAVAILABLE)

    suite.watch = breaks  # type: ignore[assignment,method-assign]
    try:
        told = streamed((await get(suite, f"{EVENTS}&after=3", PAGE)).text)
    finally:
        del suite.watch  # type: ignore[method-assign]
    assert [event for event, _, _ in told] == ["parts"]
