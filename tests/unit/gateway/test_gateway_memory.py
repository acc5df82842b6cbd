"""What the assistant remembers, by the forms of its page."""

import grpc
import httpx2
import pytest

from libs.rpc.errors import RemoteError, Violation
from smartmate.agent.v1 import agent_service_pb2 as agent_pb2
from smartmate.agent.v1 import memory_pb2
from tests.unit.gateway import chat_samples as chat
from tests.unit.gateway import gateway_samples as samples
from tests.unit.gateway.chat_services import Talking, prepared
from tests.unit.gateway.class_services import KEY, led
from tests.unit.gateway.gateway_served import PAGE, Served, served_by
from tests.unit.gateway.test_gateway_class_rendering import check
from tests.unit.gateway.test_gateway_preview_http import get, of, post
from tests.unit.gateway.test_gateway_rendering import Page

FORM = {
    "type": "MEMORY_TYPE_CONSTRAINT",
    "text": " 晚上不排高数 ",
    "day-1": "yes",
    "day-3": "yes",
    "first": "9",
    "last": "12",
    **KEY,
}


served = served_by(Talking)


@pytest.fixture
def suite(served: Served) -> Talking:
    return prepared(served)


async def sent(suite: Talking, path: str, **fields: str) -> httpx2.Response:
    return await post(suite, path, data={**FORM, **fields}, headers=PAGE)


async def test_something_is_remembered(suite: Talking) -> None:
    assert led(await sent(suite, "/memory")) == ("/memory", {"told": ["added"]})
    (asked,) = of(suite, agent_pb2.PutMemoryRequest)
    assert asked == agent_pb2.PutMemoryRequest(
        request_id="k",
        type=memory_pb2.MEMORY_TYPE_CONSTRAINT,
        text="晚上不排高数",
        days_of_week=[1, 3],
        first_section=9,
        last_section=12,
    )
    assert "记住了" in (await get(suite, "/memory?told=added", PAGE)).text


@pytest.mark.parametrize(
    ("first", "last", "sections"),
    [("0", "0", (0, 0)), ("3", "0", (3, 3)), ("0", "4", (4, 4)), ("", "", (0, 0))],
)
async def test_one_section_may_be_named_by_either_end(
    suite: Talking, first: str, last: str, sections: tuple[int, int]
) -> None:
    await sent(suite, "/memory", first=first, last=last)
    (asked,) = of(suite, agent_pb2.PutMemoryRequest)
    assert (asked.first_section, asked.last_section) == sections


@pytest.mark.parametrize(
    ("fields", "words"),
    [
        ({"text": " "}, "写一句要记住的"),
        ({"text": "字" * 501}, "写 1 到 500 个字"),
        ({"type": "x"}, "选其中一类"),
        ({"first": "9", "last": "3"}, "结束的节不能在开始的前面"),
        ({"first": "x"}, "结束的节不能在开始的前面"),
        ({"last": "15"}, "结束的节不能在开始的前面"),
    ],
)
@pytest.mark.parametrize("path", ["/memory", "/memory/12"])
async def test_what_is_wrong_is_told_at_its_field(
    suite: Talking, path: str, fields: dict[str, str], words: str
) -> None:
    answer = await sent(suite, path, **fields)
    assert answer.status_code == 400
    assert words in answer.text
    check(Page.of(answer.text))
    assert not of(suite, agent_pb2.PutMemoryRequest)


async def test_what_the_agent_finds_wrong_is_told_at_its_field(suite: Talking) -> None:
    suite.answers["PutMemory"] = RemoteError(
        grpc.StatusCode.INVALID_ARGUMENT,
        "invalid_request",
        "smartmate.agent",
        violations=[Violation("text", "must be else")],
    )
    answer = await sent(suite, "/memory")
    assert answer.status_code == 400
    assert "写 1 到 500 个字" in answer.text


async def test_when_it_is_full_what_was_entered_stays(suite: Talking) -> None:
    suite.answers["PutMemory"] = RemoteError(
        grpc.StatusCode.RESOURCE_EXHAUSTED, "too_many_memory_items", "smartmate.agent"
    )
    answer = await sent(suite, "/memory")
    assert answer.status_code == 409
    assert "记满了" in answer.text
    assert "晚上不排高数 </textarea>" in answer.text


async def test_an_item_is_shown_as_it_is_entered_and_changed(suite: Talking) -> None:
    page = Page.of((await get(suite, "/memory/12", PAGE)).text)
    ticked = {given["name"] for tag, given in page.tags if tag == "input" and "checked" in given}
    assert ticked == {"day-1", "day-3"}
    assert led(await sent(suite, "/memory/12", text="改了")) == ("/memory", {"told": ["saved"]})
    (asked,) = of(suite, agent_pb2.PutMemoryRequest)
    assert (asked.memory_id, asked.text) == (12, "改了")


async def test_an_item_that_is_gone_leads_to_the_list(suite: Talking) -> None:
    gone = ("/memory", {"told": ["gone"]})
    assert led(await get(suite, "/memory/13", PAGE)) == gone
    suite.answers["PutMemory"] = RemoteError(
        grpc.StatusCode.NOT_FOUND, "memory_not_found", "smartmate.agent"
    )
    assert led(await sent(suite, "/memory/12")) == gone


async def test_an_item_is_forgotten(suite: Talking) -> None:
    answer = await post(suite, "/memory/12/delete", data=KEY, headers=PAGE)
    assert led(answer) == ("/memory", {"told": ["deleted"]})
    (asked,) = of(suite, agent_pb2.DeleteMemoryRequest)
    assert (asked.memory_id, asked.request_id) == (12, "k.12")


async def test_the_list_says_what_and_when_and_finds(suite: Talking) -> None:
    suite.answers["ListMemory"] = agent_pb2.ListMemoryResponse(
        items=[
            chat.item(changed=1),
            chat.item(13, "下午效率高", memory_pb2.MEMORY_TYPE_PREFERENCE, (), (5, 8)),
            chat.item(14, samples.HOSTILE, memory_pb2.MEMORY_TYPE_FACT, (6,), (0, 0)),
            chat.item(15, "宿舍十一点熄灯", memory_pb2.MEMORY_TYPE_FACT, (), (0, 0)),
        ]
    )
    page = Page.of((await get(suite, "/memory", PAGE)).text)
    for words in ("周一、周三 9–12 节", "每天 5–8 节", "周六", samples.HOSTILE, "改过", "不要"):
        assert words in page.text
    found = Page.of((await get(suite, "/memory?about=+高数+", PAGE)).text)
    assert "和「高数」有关的" in found.text
    (asked,) = of(suite, agent_pb2.RecallMemoryRequest)
    assert asked.query == "高数"
    suite.answers["RecallMemory"] = agent_pb2.RecallMemoryResponse()
    assert "没有和它有关的" in (await get(suite, "/memory?about=x", PAGE)).text


async def test_with_nothing_yet_the_form_is_open(suite: Talking) -> None:
    suite.answers["ListMemory"] = agent_pb2.ListMemoryResponse()
    page = Page.of((await get(suite, "/memory", PAGE)).text)
    check(page)
    (folded,) = [given for tag, given in page.tags if given.get("class") == "fold panel"]
    assert "open" in folded


async def test_only_a_form_is_read(suite: Talking) -> None:
    answer = await post(suite, "/memory", json={}, headers=PAGE)
    assert answer.status_code == 415
