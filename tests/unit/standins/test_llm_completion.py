"""Completions of the stand-in, in every shape that endpoints were seen to send."""

import json
from typing import Any

import pytest

from standins.llm import completion
from standins.llm.steps import CHOICES, NATIVE, WRAPS, Step, read_script

CALL = {"action": "continue", "tool_call": {"name": "move", "arguments": {"task_id": 6}}}
BODY = {"messages": [{"role": "user", "content": "把线代复习排进去"}, "x"]}


def replied(**step: Any) -> Any:
    """What comes for a step, read as JSON."""
    ((made, _),) = read_script({**step, "good": True})[1]
    return json.loads(completion.replied(made, BODY, "m", CALL).body)


def message(**step: Any) -> Any:
    return replied(**step)["choices"][0]["message"]


def finish(**step: Any) -> Any:
    return replied(**step)["choices"][0]["finish_reason"]


def test_a_good_one_says_the_answer_and_counts() -> None:
    found = replied()
    assert json.loads(found["choices"][0]["message"]["content"]) == CALL
    assert found["choices"][0]["finish_reason"] == "stop"
    assert found["usage"]["prompt_tokens"] == 4 * 8 // 5 + 3


def test_usage_may_be_absent_or_absurd() -> None:
    assert "usage" not in replied(tokens=0)
    assert replied(tokens=10**15)["usage"]["total_tokens"] == 10**15


def test_a_decision_replaces_the_answer_and_a_merge_lies_over_it() -> None:
    assert json.loads(message(decide={"action": "done"})["content"]) == {"action": "done"}
    merged = json.loads(message(merge={"tool_call": {"name": "fly"}})["content"])
    assert merged["tool_call"] == {"name": "fly", "arguments": {"task_id": 6}}


@pytest.mark.parametrize("wrap", WRAPS)
def test_every_wrap_holds_the_words(wrap: str) -> None:
    text = message(wrap=wrap)["content"]
    assert text != json.dumps(CALL, ensure_ascii=False)
    assert "move" in text


@pytest.mark.parametrize(
    ("how", "arguments"),
    [
        ("call", '{"task_id": 6}'),
        ("object", {"task_id": 6}),
        ("bad", '{"task_id": 6'),
        ("empty", ""),
        ("null", None),
    ],
)
def test_a_decision_may_come_as_a_native_call(how: str, arguments: object) -> None:
    found = message(native=how)
    assert found["content"] is None
    (call,) = found["tool_calls"]
    assert call["function"] == {"name": "move", "arguments": arguments}
    assert finish(native=how) == "tool_calls"


def test_native_calls_may_be_two_or_have_no_name() -> None:
    names = [one["function"]["name"] for one in message(native="pair")["tool_calls"]]
    assert names == ["move", "get_overview"]
    (call,) = message(native="nameless")["tool_calls"]
    assert "name" not in call["function"]
    (call,) = message(native="call", decide={"action": "done"})["tool_calls"]
    assert call["function"]["name"] == "decide"
    assert set(NATIVE) == {"call", "pair", "object", "bad", "empty", "null", "nameless"}


def test_words_may_come_in_parts_beside_thoughts_or_not_at_all() -> None:
    parts = message(parts=True)["content"]
    assert json.loads("".join(one["text"] for one in parts)) == CALL
    assert message(reasoning="先想想", null=True) == {
        "role": "assistant",
        "content": None,
        "reasoning_content": "先想想",
    }
    assert message(refusal="no")["refusal"] == "no"
    assert message(blank=True)["content"].strip() == ""


def test_the_end_may_be_told_in_any_way() -> None:
    assert finish(truncated=True) == "length"
    assert finish(finish="content_filter") == "content_filter"
    assert finish(finish="null") is None


@pytest.mark.parametrize("how", CHOICES)
def test_the_list_of_choices_may_be_spoilt(how: str) -> None:
    found = replied(choices=how)
    first = (found.get("choices") or [None])[0]
    assert first is None or "message" not in first


def test_a_form_is_refused_by_its_name() -> None:
    asked = {**BODY, "response_format": {"type": "json_schema"}}
    found = completion.replied(Step(refuses=("json_schema",)), asked, "m", CALL)
    assert (found.status, b"response_format" in found.body) == (400, True)
    assert completion.replied(Step(refuses=("json_schema",)), BODY, "m", CALL).status == 200
