"""The pages of conversations and of what is remembered: whole, labelled, ours, in either
language."""

import grpc
import pytest
from google.protobuf.message import Message

from libs.rpc.errors import RemoteError
from smartmate.agent.v1 import agent_service_pb2 as agent_pb2
from smartmate.agent.v1 import chat_pb2, conversation_pb2
from tests.unit.gateway import chat_samples as chat
from tests.unit.gateway import gateway_samples as samples
from tests.unit.gateway.chat_services import Talking, prepared, stands
from tests.unit.gateway.class_services import VISITOR, led
from tests.unit.gateway.gateway_served import PAGE, Served, served_by
from tests.unit.gateway.test_gateway_class_rendering import check
from tests.unit.gateway.test_gateway_preview_http import get, of
from tests.unit.gateway.test_gateway_rendering import GOES_TO, Page

TALK = f"/agent/chat/{chat.CONVERSATION}"
ABOUT = "/agent/chat?active_preview_id=asp_0192f3"
HOSTILE = samples.HOSTILE
EXHAUSTED = chat.outcome(chat_pb2.OUTCOME_KIND_EXHAUSTED, "rounds", "轮数用完了", "")
STATES: dict[str, tuple[Message, ...]] = {
    "working": chat.WORKING,
    "proposed": chat.PROPOSED,
    "many": (chat.READING, chat.confirm(chat.many())),
    "plan": (chat.READING, chat.steps()),
    "tool": (chat.READING, chat.to_do()),
    "question": (chat.READING, chat.card(), chat.question("甲", "乙")),
    "choice": (chat.READING, chat.question("甲", "乙", allows_text=False)),
    "written": chat.WRITTEN,
    "exhausted": (*chat.WORKING, EXHAUSTED),
}
PATHS = (
    "/agent/chat",
    ABOUT,
    "/agent/conversations",
    "/memory",
    "/memory/12",
    "/memory?about=高数",
)


served = served_by(Talking)


@pytest.fixture
def suite(served: Served) -> Talking:
    return prepared(served)


async def shown(suite: Talking, path: str, language: str = "zh-CN") -> Page:
    joint = "&" if "?" in path else "?"
    answer = await get(suite, f"{path}{joint}lang={language}", PAGE)
    assert answer.status_code == 200, answer.text
    return Page.of(answer.text)


def told(page: Page, name: str) -> str:
    """An attribute of the page's main part."""
    return dict(page.tags)["main"].get(name, "")


@pytest.mark.parametrize("language", ["zh-CN", "en"])
@pytest.mark.parametrize("state", STATES)
async def test_a_conversation_is_whole_in_every_state(
    suite: Talking, state: str, language: str
) -> None:
    stands(suite, *STATES[state], said=chat.BOTH)
    page = await shown(suite, TALK, language)
    check(page)
    assert chat.SENTENCE in page.text
    assert bool(told(page, "data-events")) == (state == "working")
    here = {given["href"] for _, given in page.tags if given.get("aria-current") == "page"}
    assert here == {"/agent/chat"}
    forms = [one for one in page.forms if one[GOES_TO] != "/sign-out"]
    assert all(one["csrf_token"] == VISITOR.csrf for one in forms)
    keys = [one["idempotency_key"] for one in forms]
    assert len(keys) == len(set(keys))


@pytest.mark.parametrize("language", ["zh-CN", "en"])
@pytest.mark.parametrize("path", PATHS)
async def test_the_other_pages_are_whole_too(suite: Talking, path: str, language: str) -> None:
    suite.answers["ListConversations"] = (
        agent_pb2.ListConversationsResponse(
            conversations=[
                chat.conversation(waits=waits) for waits in conversation_pb2.RunWait.values()
            ],
            next_page_token="1.a&b",
        )
        if path != ABOUT
        else agent_pb2.ListConversationsResponse()
    )
    check(await shown(suite, path, language))


@pytest.mark.parametrize("path", ["/agent/chat", "/agent/conversations", "/memory"])
async def test_an_english_page_speaks_no_chinese_of_its_own(suite: Talking, path: str) -> None:
    page = await shown(suite, path, "en")
    words = page.text.replace("中文", "").replace("林同学", "").replace("林", "")
    words = words.replace(chat.SENTENCE, "").replace("晚上不排高数", "")
    assert not any("\u4e00" <= letter <= "\u9fff" for letter in words)


async def test_what_anybody_wrote_is_data(suite: Talking) -> None:
    text = samples.text(HOSTILE, HOSTILE)
    call = chat_pb2.ToolCall(number=1, tool=HOSTILE, arguments_json=HOSTILE, title=text)
    diff = chat.one_added()
    diff.lines[0].name = diff.days[0].after[1].name = HOSTILE
    confirm = chat.confirm(diff)
    confirm.text = HOSTILE
    card = chat_pb2.PreviewCard(preview_id='asp_"><b>', title=HOSTILE, summary=text)
    stands(
        suite,
        chat.READING,
        chat.speak(HOSTILE),
        chat.status("left_out", HOSTILE, HOSTILE),
        card,
        call,
        chat.result(1, text=HOSTILE),
        confirm,
        said=[chat.message(HOSTILE)],
        title=HOSTILE,
    )
    page = await shown(suite, TALK)
    check(page)
    assert page.text.count(HOSTILE) >= 10
    scripts = [given.get("src", "") for tag, given in page.tags if tag == "script"]
    assert all(source.startswith("/static/") for source in scripts)


async def test_a_page_without_scripts_asks_for_itself_while_the_run_works(suite: Talking) -> None:
    stands(suite, *chat.WORKING)
    text = (await get(suite, TALK, PAGE)).text
    assert '<noscript><meta http-equiv="refresh" content="2"></noscript>' in text
    page = Page.of(text)
    assert told(page, "data-events") == f"{TALK}/events?run={chat.RUN}&after=10"
    assert told(page, "data-sequence") == "10"
    stands(suite, *chat.PROPOSED)
    assert "http-equiv" not in (await get(suite, TALK, PAGE)).text


async def test_what_stands_open_is_named_where_words_are_written(suite: Talking) -> None:
    for contents, about, hint in (
        (chat.PROPOSED, f"{chat.RUN}.c1", "想换个安排就直接说"),
        (STATES["plan"], f"{chat.RUN}.c1", "想怎么改，说一声"),
        (STATES["question"], f"{chat.RUN}.q1", "也可以用自己的话回答"),
        (STATES["choice"], f"{chat.RUN}.q1", "从上面的选项里选一个"),
        (chat.WRITTEN, "", "接着说"),
        (chat.WORKING, "", "助手停下来之后再发"),
    ):
        stands(suite, *contents)
        page = await shown(suite, TALK)
        (say,) = [one for one in page.forms if one[GOES_TO] == "/agent/chat" and "about" in one]
        assert (say["about"], say["conversation_id"]) == (about, chat.CONVERSATION)
        (field,) = [given for tag, given in page.tags if tag == "textarea"]
        assert field["placeholder"].startswith(hint)


async def test_older_words_stand_on_a_page_of_their_own(suite: Talking) -> None:
    other = "run_" + "o" * 32
    said = [chat.message("旧话", run=other), chat.message("旧答", mine=False, run=other, id_=2)]
    stands(suite, *chat.PROPOSED, said=[*said, chat.message(chat.SENTENCE, id_=3, minutes=1)])
    found = suite.answers["GetConversation"]
    assert isinstance(found, agent_pb2.GetConversationResponse)
    found.next_page_token = "1"
    page = await shown(suite, TALK)
    assert "旧答" in page.text
    assert "更早的话" in page.text
    # Of a run that begins on another page the words alone are known.
    assert {one.run_id for one in of(suite, agent_pb2.ResumeRequest)} == {chat.RUN}
    assert told(await shown(suite, f"{TALK}?before=1"), "data-events") == ""


async def test_a_run_that_nobody_can_tell_of_is_told_by_its_words(suite: Talking) -> None:
    suite.told = {chat.RUN: RemoteError(grpc.StatusCode.UNAVAILABLE, "x", "smartmate.agent")}
    page = await shown(suite, TALK)
    check(page)
    assert chat.SENTENCE in page.text


async def test_somebody_elses_conversation_is_not_found(suite: Talking) -> None:
    suite.answers["GetConversation"] = RemoteError(
        grpc.StatusCode.NOT_FOUND, "conversation_not_found", "smartmate.agent"
    )
    answer = await get(suite, TALK, PAGE)
    assert answer.status_code == 404
    assert "没有找到这段对话" in answer.text


async def test_a_suggestion_is_talked_about_without_binding_it(suite: Talking) -> None:
    suite.answers["ListConversations"] = agent_pb2.ListConversationsResponse()
    page = await shown(suite, ABOUT)
    check(page)
    assert "「概率论大作业」放到周二 3–4 节，可以吗？" in page.text
    (confirm,) = [one for one in page.forms if one[GOES_TO].endswith("/confirm?back=chat")]
    assert confirm["candidate_id"] == samples.BEST
    (say,) = [one for one in page.forms if one[GOES_TO] == "/agent/chat"]
    assert say["preview_id"] == "asp_0192f3"
    assert not of(suite, agent_pb2.ChatRequest)


async def test_a_suggestion_that_is_talked_about_leads_to_that_conversation(
    suite: Talking,
) -> None:
    found = samples.answer(samples.preview())
    found.preview.conversation_id = chat.CONVERSATION
    suite.answers["GetPreview"] = found
    path, query = led(await get(suite, f"{ABOUT}&candidate=x&met=slot_conflict", PAGE))
    shown = {"active_preview_id": ["asp_0192f3"], "candidate": ["x"], "met": ["slot_conflict"]}
    assert (path, query) == (TALK, shown)
    page = (await get(suite, f"{path}?active_preview_id=asp_0192f3", PAGE)).text
    assert "「概率论大作业」放到周二 3–4 节，可以吗？" in page
    # A conversation that was deleted is talked in no more.
    suite.answers["GetConversation"] = RemoteError(
        grpc.StatusCode.NOT_FOUND, "conversation_not_found", "smartmate.agent"
    )
    assert (await get(suite, ABOUT, PAGE)).status_code == 200


async def test_beside_a_conversation_about_it_stands_the_suggestion(suite: Talking) -> None:
    stands(suite, *chat.WRITTEN, preview_id="asp_0192f3", said=chat.BOTH)
    page = await shown(suite, TALK)
    check(page)
    assert told(page, "data-preview").endswith("/asp_0192f3/events")
    assert [one for one in page.forms if one[GOES_TO].endswith("/confirm?back=chat")]
    suite.answers["GetPreview"] = RemoteError(
        grpc.StatusCode.NOT_FOUND, "preview_not_found", "smartmate.active_scheduler"
    )
    assert "这条建议已经不在了" in (await shown(suite, TALK)).text


async def test_the_page_of_a_suggestion_leads_to_a_talk_about_it(suite: Talking) -> None:
    page = await shown(suite, "/active-schedule/previews/asp_0192f3")
    (link,) = [given["href"] for tag, given in page.tags if "discuss" in given.get("class", "")]
    assert link.startswith(ABOUT)


async def test_without_an_agent_nothing_leads_to_it(
    suite: Talking, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(suite, "agent", None)
    page = await shown(suite, "/active-schedule/previews/asp_0192f3")
    links = {given.get("href", "") for _, given in page.tags}
    assert not [link for link in links if link.startswith(("/agent", "/memory"))]
    assert (await get(suite, "/agent/chat", PAGE)).status_code == 503


async def test_a_draft_of_the_address_stands_in_the_field_and_is_not_sent(suite: Talking) -> None:
    page = await shown(suite, "/agent/chat?draft=%3Cb%3E%E6%8E%92")
    assert "<b>排" in page.text
    assert not of(suite, agent_pb2.ChatRequest)
