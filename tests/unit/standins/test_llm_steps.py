"""The model stand-in: scripts are read or refused, honest answers come from the facts."""

import json
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from standins.llm import honest
from standins.llm.steps import HONEST, Step, read_script
from standins.serving.fields import ScriptError

steady = settings(deadline=None, database=None)

CANDIDATES = [
    {
        "id": f"c{number}",
        "summary": {"zh": f"第{number}个", "en": f"No {number}"},
        "reason": {"zh": "早", "en": "Early"},
        "risk": {"zh": "", "en": ""},
    }
    for number in (1, 2, 3)
]


def messages(facts: dict[str, Any]) -> list[dict[str, str]]:
    told = f"<facts>\n{json.dumps(facts)}\n</facts><quoted>{{}}</quoted>"
    return [
        {"role": "system", "content": '{"candidates": [{"id": "no"}]}'},
        {"role": "user", "content": told},
    ]


def test_steps_are_read_alone_and_in_lists() -> None:
    assert read_script({"good": True}) == ("", ((HONEST, 1),))
    assert read_script({"model": "m", "pick": 2, "times": 3}) == ("m", ((Step(pick=2), 3),))
    model, steps = read_script(
        {
            "steps": [
                {"merge": {"selected_id": "c9"}, "times": "always"},
                {"wrap": "fence"},
                {"wrap": ["prose", "think"], "null": True},
                {"http": 429, "headers": {"retry-after": "3"}, "error": {"code": "x"}},
                {"refuses": ["json_schema"], "delay_ms": 5},
                {"choices": "null"},
            ]
        }
    )
    assert model == ""
    assert steps == (
        (Step(merge={"selected_id": "c9"}), None),
        (Step(wrap=("fence",)), 1),
        (Step(wrap=("prose", "think"), null=True), 1),
        (Step(http=429, headers=(("retry-after", "3"),), error={"code": "x"}), 1),
        (Step(refuses=("json_schema",), delay_ms=5), 1),
        (Step(choices="null"), 1),
    )


@pytest.mark.parametrize(
    "script",
    [
        None,
        {},
        {"steps": []},
        {"steps": [{}]},
        {"model": 3, "good": True},
        {"explode": True},
        {"pick": 0},
        {"pick": "1"},
        {"merge": []},
        {"content": None, "times": 0},
        {"wrap": "bow"},
        {"wrap": [3]},
        {"choices": "two"},
        {"http": 99},
        {"headers": {"a": "b\r\n"}},
        {"refuses": "tools"},
        {"delay_ms": -1},
        {"hold": 1},
    ],
)
def test_a_script_that_cannot_be_read_is_refused(script: object) -> None:
    with pytest.raises(ScriptError):
        read_script(script)


def test_a_step_is_named_by_what_it_sets() -> None:
    assert HONEST.name == ""
    assert Step(http=500, delay_ms=3).name == "http 500, delay_ms"
    assert Step(pick=2, hold=True).name == "pick, hold"


@pytest.mark.parametrize(("pick", "id_"), [(1, "c1"), (2, "c2"), (9, "c3")])
def test_an_honest_answer_picks_a_candidate_and_speaks_its_words(pick: int, id_: str) -> None:
    found = honest.answer(messages({"candidates": CANDIDATES}), pick)
    number = id_[1:]
    assert found["selected_id"] == id_
    assert found["summary"] == {"zh": f"建议：第{number}个", "en": f"A suggestion: No {number}"}
    assert found["risk"] == {"zh": "", "en": ""}


def test_an_honest_answer_without_candidates_words_the_notice_alone() -> None:
    facts = {"candidates": [], "notice": {"zh": "没有空", "en": "No room"}}
    assert honest.answer(messages(facts), 1) == {
        "reason": {"zh": "理由：没有空", "en": "Why: No room"}
    }


def test_a_merge_lies_over_the_answer_field_by_field() -> None:
    merged = honest.merged({"a": {"zh": "x", "en": "y"}, "b": 1}, {"a": {"zh": "z"}, "c": None})
    assert merged == {"a": {"zh": "z", "en": "y"}, "b": 1, "c": None}


@given(st.text(), st.integers(1, 5))
@steady
def test_any_prompt_gets_an_answer(text: str, pick: int) -> None:
    assert isinstance(honest.answer([{"role": "user", "content": text}, text, None], pick), dict)
