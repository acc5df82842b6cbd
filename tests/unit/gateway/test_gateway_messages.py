"""The catalogue of words: whole in both languages, in the tone of the design."""

import re
import string

import pytest

from services.gateway.domain import messages
from services.gateway.domain.locale import Locale
from services.gateway.wire import problems
from smartmate.schedule.v1 import apply_pb2

_FIELDS = string.Formatter()


def fields(text: str) -> set[str]:
    return {name for _, name, _, _ in _FIELDS.parse(text) if name}


@pytest.mark.parametrize("key", messages.keys())
def test_both_languages_say_the_same_with_the_same_facts(key: str) -> None:
    chinese, english = messages.both(key)
    assert chinese.strip()
    assert english.strip()
    assert fields(chinese) == fields(english)


@pytest.mark.parametrize("key", messages.keys())
def test_the_tone_is_calm(key: str) -> None:
    words = "".join(messages.both(key))
    # An axis of the four quadrants, and no alarm.
    urgent = "" if key.startswith("task") else "|紧急"
    assert not re.search(rf"[!！]|您|失败|逾期|冲突{urgent}", words)


@pytest.mark.parametrize("key", messages.keys())
def test_what_is_filled_in_stays_data(key: str) -> None:
    values = dict.fromkeys(fields(messages.both(key)[0]), "{place}<b>%s")
    for locale in Locale:
        said = messages.say(locale, key, **values)
        assert said.count("{place}<b>%s") == sum(
            name is not None
            for _, name, _, _ in _FIELDS.parse(messages.both(key)[locale is Locale.EN])
        )


@pytest.mark.parametrize("code", apply_pb2.RefusalCode.keys()[1:])
def test_every_refusal_has_words(code: str) -> None:
    assert messages.has(f"refusal.{code.removeprefix('REFUSAL_CODE_').lower()}")


@pytest.mark.parametrize("error", problems.STATUS_OF_ERROR)
def test_every_refusal_of_the_gateway_has_a_status_and_words(error: type[Exception]) -> None:
    made = error.__new__(error)
    made.retry_after = 3  # type: ignore[attr-defined]
    problem = problems.of_own(made)  # type: ignore[arg-type]
    assert 400 <= problem.status < 600
    assert all(problem.words(locale) for locale in Locale)
