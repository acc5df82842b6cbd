"""What can be made of whatever an endpoint answers."""

import json
from types import SimpleNamespace
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from services.agent.domain import errors
from services.agent.domain.errors import ModelAnswerInvalid, ModelFailed, UnknownCandidate
from services.agent.llm import extraction
from services.agent.llm.answers import Form

steady = settings(deadline=None, database=None)

BOTH = {"zh": "好", "en": "Fine."}
ANSWER = {
    "selected_id": "a",
    "summary": BOTH,
    "reason": BOTH,
    "risk": {"zh": "", "en": ""},
    "notification": BOTH,
}
TEXT = json.dumps(ANSWER, ensure_ascii=False)


def completion(content: Any = TEXT, *, finish: Any = "stop", **message: Any) -> SimpleNamespace:
    said = SimpleNamespace(content=content, **message)
    return SimpleNamespace(choices=[SimpleNamespace(message=said, finish_reason=finish)])


@pytest.mark.parametrize(
    "text",
    [
        TEXT,
        f"\n\n  {TEXT}\n",
        f"```json\n{TEXT}\n```",
        f"```\n{TEXT}```",
        f'<think>先看 {{"selected_id": "b"}}</think>{TEXT}',
        f"<thinking>嗯</thinking>\n```json\n{TEXT}\n```",
        f"想了想</think>{TEXT}",
        f"好的，结果是：{TEXT}。希望有帮助",
        f'{TEXT}\n{{"selected_id": "b"}}',
        f"{{坏的 {TEXT}",
        f"{TEXT}<think>没说完",
    ],
)
def test_the_object_is_found_in_whatever_surrounds_it(text: str) -> None:
    said = extraction.said(completion(text))
    assert extraction.json_object(said) == ANSWER


def test_content_in_parts_is_one_text() -> None:
    parts = [
        {"type": "text", "text": TEXT[:9]},
        {"type": "image"},
        {"type": "text", "text": TEXT[9:]},
    ]
    assert extraction.said(completion(parts)) == TEXT


@pytest.mark.parametrize(
    ("given", "failure"),
    [
        ("<html>502</html>", errors.ModelAnswerUnreadable),
        (None, errors.ModelAnswerUnreadable),
        ({"choices": []}, errors.ModelAnswerUnreadable),
        (SimpleNamespace(choices=None, error={"code": 502}), errors.ModelAnswerUnreadable),
        (SimpleNamespace(choices=[]), errors.ModelAnswerUnreadable),
        (SimpleNamespace(choices=[None]), errors.ModelAnswerUnreadable),
        (SimpleNamespace(choices=[SimpleNamespace(message=None)]), errors.ModelAnswerUnreadable),
        (SimpleNamespace(choices="abc"), errors.ModelAnswerUnreadable),
        (completion(finish="length"), errors.ModelCutOff),
        (completion("", finish="length"), errors.ModelCutOff),
        (completion(finish="content_filter"), errors.ModelDeclined),
        (completion(None, refusal="I can't"), errors.ModelDeclined),
        (completion(TEXT, refusal="I can't"), errors.ModelDeclined),
        (completion(None), errors.ModelSaidNothing),
        (completion("  \n "), errors.ModelSaidNothing),
        (completion(7), errors.ModelSaidNothing),
        (completion([]), errors.ModelSaidNothing),
        (completion(None, tool_calls=[{}]), errors.ModelSaidNothing),
    ],
)
def test_what_is_no_answer_is_a_typed_failure(given: object, failure: type[ModelFailed]) -> None:
    with pytest.raises(failure):
        extraction.said(given)


@pytest.mark.parametrize(
    "text",
    [
        "我选第一个。",
        "[1, 2]",
        "{" * 2000,
        '{"a": NaN}',
        f"<think>{TEXT}",
        "```json\n没有\n```",
    ],
)
def test_without_an_object_the_answer_is_invalid_and_can_be_mended(text: str) -> None:
    with pytest.raises(ModelAnswerInvalid) as found:
        extraction.json_object(text)
    assert found.value.said == text


def test_an_object_that_ends_in_the_middle_is_invalid() -> None:
    for length in range(1, len(TEXT)):
        with pytest.raises(ModelAnswerInvalid):
            Form(("a",)).read(TEXT[:length])


def test_lone_surrogates_never_come_back_in_a_request() -> None:
    assert extraction.said(completion('{"a": "\ud800"}')).encode()


@pytest.mark.parametrize(
    "change",
    [
        {"selected_id": 1},
        {"selected_id": None},
        {"selected_id": ["a"]},
        {"summary": "好"},
        {"summary": {"zh": "好"}},
        {"summary": {"zh": "好", "en": 3}},
        {"risk": None},
        {"notification": [BOTH]},
    ],
)
def test_a_shape_that_was_not_asked_for_is_invalid(change: dict[str, Any]) -> None:
    with pytest.raises(ModelAnswerInvalid) as found:
        Form(("a", "b")).read(json.dumps(ANSWER | change))
    assert "好" not in found.value.problem


@pytest.mark.parametrize("field", ANSWER)
def test_every_field_is_needed(field: str) -> None:
    rest = {name: value for name, value in ANSWER.items() if name != field}
    with pytest.raises(ModelAnswerInvalid):
        Form(("a",)).read(json.dumps(rest))


@pytest.mark.parametrize("id_", ["c9", "A", " a", "a ", "1", "add:2", ""])
def test_only_an_id_that_was_given_is_an_id(id_: str) -> None:
    with pytest.raises(UnknownCandidate):
        Form(("a", "b")).read(json.dumps(ANSWER | {"selected_id": id_}))


def test_more_fields_than_asked_for_do_no_harm() -> None:
    answer = Form(("a",)).read(json.dumps(ANSWER | {"tool_call": {"name": "unplace"}}))
    assert answer.selected_id == "a"


def test_without_candidates_the_reason_is_everything() -> None:
    answer = Form(()).read(json.dumps({"reason": BOTH, "selected_id": "c9"}))
    assert (answer.selected_id, answer.words.summary.zh, answer.words.reason.en) == (
        "",
        "好",
        "Fine.",
    )


def test_the_schema_is_closed_and_names_the_ids() -> None:
    schema = Form(("a", "b")).schema()
    assert schema["additionalProperties"] is False
    assert schema["required"] == list(schema["properties"])
    assert schema["properties"]["selected_id"]["enum"] == ["a", "b"]
    assert list(Form(()).schema()["properties"]) == ["reason"]


@given(st.text())
@steady
def test_any_text_is_an_object_or_a_typed_failure(text: str) -> None:
    try:
        found = extraction.json_object(text)
    except ModelAnswerInvalid:
        return
    assert isinstance(found, dict)


_JSON = st.recursive(
    st.none() | st.integers() | st.text(),
    lambda one: st.lists(one) | st.dictionaries(st.text(), one),
)


@given(_JSON)
@steady
def test_any_json_is_read_or_a_typed_failure(value: object) -> None:
    with pytest.raises(ModelFailed):
        Form(("a",)).read(json.dumps(value))
