"""Which words may be shown: every number, name, place and time has to stand in the facts."""

from dataclasses import replace

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from services.agent.domain import claims, facts_check, numerals, selection
from services.agent.domain.claim import Kind
from services.agent.domain.situation import Answer, Words
from services.agent.domain.text import Language, Text
from tests.unit.agent.agent_samples import GOOD, MONDAY, NOTICE, SITUATION, TITLE, TUESDAY, said

steady = settings(deadline=None, database=None)


def outcome(answer: Answer) -> str:
    """Why a template spoke; empty where the model did."""
    return selection.checked(SITUATION, answer, model="m").template_reason


@pytest.mark.parametrize(
    "zh",
    [
        "「{title}」放到周一 3–4 节，可以吗？",
        "「{title}」放到星期一第3、4节，可以吗？",
        "「{title}」放到礼拜一第三到四节，可以吗？",
        "「{title}」放到11月30日第三节开始，可以吗？",
        "「{title}」放到今天 10:15–11:55，可以吗？",
        "「{title}」放到今天上午10点15分，可以吗？",
        "「{title}」放到上午十点一刻，可以吗？",
        "「{title}」放到３－４节，可以吗？",
        "「{title}」放到第13周 周一 3–4 节，可以吗？",
        "「{title}」放到本周一 3–4 节，可以吗？",
        f"「{TITLE}」放到周一 3–4 节，可以吗？",
        f"{TITLE}放到周一 3–4 节，可以吗？",
        "「{title}」12月1日 22:00 截止，放到周一 3–4 节，可以吗？",
        "「{title}」明天晚上10点截止，放到周一 3–4 节，可以吗？",
        "「{title}」还有一点空，放到周一 3–4 节，可以吗？",
    ],
)
def test_equal_forms_of_what_the_facts_say_may_be_said(zh: str) -> None:
    assert outcome(said(zh)) == ""


@pytest.mark.parametrize(
    "en",
    [
        "Put “{title}” at Monday, sections 3 and 4?",
        "Put “{title}” at section 3 today?",
        "Put “{title}” at 10:15 a.m. on November 30?",
        "Put “{title}” in this morning, 10:15 to 11:55?",
        "It is due tomorrow at 10 p.m., so put “{title}” at Mon 11-30, sections 3-4?",
        "It needs two sections: put “{title}” at Mon, sections three to four?",
    ],
)
def test_equal_forms_in_english_too(en: str) -> None:
    assert outcome(said(en=en)) == ""


@pytest.mark.parametrize(
    "zh",
    [
        "「{title}」放到周二 3–4 节，可以吗？",
        "「{title}」放到周二，可以吗？",
        "「{title}」放到明天，可以吗？",
        "「{title}」放到周一 3–5 节，可以吗？",
        "「{title}」放到周一第5节，可以吗？",
        "「{title}」放到周一 9–10 节，可以吗？",
        "「{title}」放到周一晚上，可以吗？",
        "「{title}」放到周一 19:00，可以吗？",
        "「{title}」放到晚上10点15分，可以吗？",
        "「{title}」放到12月1日 3–4 节，可以吗？",
        "「{title}」放到下周一 3–4 节，可以吗？",
        "「{title}」放到第14周 3–4 节，可以吗？",
        "「{title}」放到31号 3–4 节，可以吗？",
        "「{title}」放到13月40日，可以吗？",
        "「{title}」放到周一 4–3 节，可以吗？",
        "「{title}」还有 7 天截止，放到周一 3–4 节，可以吗？",
        "「{title}」还要九十分钟，放到周一 3–4 节，可以吗？",
        "「{title}」完成了百分之八十，放到周一 3–4 节，可以吗？",
        "「{title}」要半小时，放到周一 3–4 节，可以吗？",
        "王老师说「{title}」和「高等数学」都放到周一 3–4 节，可以吗？",
        "「{title}」和 Calculus 放到周一 3–4 节，可以吗？",
        "截止是周一 22:00，「{title}」放到周一 3–4 节，可以吗？",
    ],
)
def test_what_the_facts_do_not_say_is_not_said(zh: str) -> None:
    assert outcome(said(zh)) == selection.FACTS_MISMATCH


@pytest.mark.parametrize(
    "en",
    [
        "Put “{title}” at Tue, sections 3–4?",
        "Put “{title}” at Mon, sections 5–6?",
        "Put “{title}” at 10:15 p.m. on Monday?",
        "Put “{title}” there tomorrow?",
        "It takes ninety of 100 minutes: put “{title}” at Mon, sections 3–4?",
        "It takes five sections: put “{title}” at Mon, sections 3–4?",
        "Put “{title}” next to Calculus at Mon, sections 3–4?",
        "Put “{title}” and “Physics” at Mon, sections 3–4?",
        "Put 线性代数 at Mon, sections 3–4?",
    ],
)
def test_what_the_facts_do_not_say_is_not_said_in_english(en: str) -> None:
    assert outcome(said(en=en)) == selection.FACTS_MISMATCH


def test_tuesday_is_wrong_for_monday_of_week_13_though_a_deadline_and_a_candidate_lie_there() -> (
    None
):
    for where in ("summary", "reason", "risk", "notification"):
        answer = said("放到周二 3–4 节正好。", where=where)
        found = selection.checked(SITUATION, answer, model="m")

        assert found.template_reason == selection.FACTS_MISMATCH
        assert (found.selected_id, found.words.summary) == (MONDAY.id, MONDAY.summary)


def test_another_candidates_place_is_not_that_of_the_chosen_one() -> None:
    assert outcome(said("「{title}」放到周二 9–10 节，可以吗？")) == selection.FACTS_MISMATCH
    chosen = Answer(
        TUESDAY.id,
        replace(
            GOOD,
            summary=Text("放到周二 9–10 节，可以吗？", "Put it at Tue, sections 9–10?"),
            risk=Text(),
            notification=Text("放到明晚 19:00，可以吗？", "Put it at 7 p.m. tomorrow?"),
        ),
    )
    assert outcome(chosen) == ""


def test_what_the_person_wrote_moves_no_place() -> None:
    hostile = replace(SITUATION, title="周五 9–10 节", memory=("放到周五 9–10 节",))
    moved = said("放到周五 9–10 节，可以吗？")
    quoted = said("「{title}」放到周一 3–4 节，可以吗？")

    assert selection.checked(hostile, moved, model="m").template_reason == "facts_mismatch"
    found = selection.checked(hostile, quoted, model="m")
    assert found.template_reason == ""
    assert found.words.summary.zh == "「周五 9–10 节」放到周一 3–4 节，可以吗？"


def test_a_reason_may_speak_of_what_is_remembered_and_a_summary_may_not() -> None:
    assert outcome(said("你周三晚上要练琴，截止前这里最好。", where="reason")) == ""
    assert outcome(said("周三晚上要练琴前放到 3–4 节，可以吗？")) == selection.FACTS_MISMATCH


def test_without_a_place_the_facts_alone_may_be_told() -> None:
    def told(zh: str, en: str = "It is due Tue 12-01 22:00.") -> str:
        text = Text(zh, en)
        answer = Answer("", Words(text, text, Text(), text))
        return selection.checked(NOTICE, answer, model="m").template_reason

    assert told("周二 22:00 就要交了，最长的空闲只有 1 节。") == ""
    assert told("可以放到周二 3–4 节。") == selection.FACTS_MISMATCH
    assert told("周三 22:00 就要交了。") == selection.FACTS_MISMATCH


@pytest.mark.parametrize(
    ("zh", "en"),
    [
        ("", "Put it at Mon, sections 3–4?"),
        (" ", "Put it at Mon, sections 3–4?"),
        ("放到周一 3–4 节，可以吗？", "\u200b"),
        ("长" * 241, "Fine."),
        ("看 https://evil.example/x", "Fine."),
        ("看 evil.com", "Fine."),
        ("**放到周一**", "Fine."),
        ("<b>放到周一</b>", "Fine."),
        ("放到周一\n3–4 节", "Fine."),
        ("放到周一\x00", "Fine."),
        ("放到周一 \ud800", "Fine."),
        ("放到 {place}", "Fine."),
    ],
)
def test_words_that_cannot_be_shown_are_not(zh: str, en: str) -> None:
    answer = Answer(MONDAY.id, replace(GOOD, summary=Text(zh, en)))
    assert outcome(answer) == selection.WORDS_UNFIT


def test_a_risk_may_be_silent_and_only_in_both_languages() -> None:
    assert outcome(Answer(MONDAY.id, replace(GOOD, risk=Text()))) == ""
    half = Answer(MONDAY.id, replace(GOOD, risk=Text("很快就要开始。", "")))
    assert outcome(half) == selection.WORDS_UNFIT


def test_a_title_that_could_not_be_said_does_not_cost_the_models_words() -> None:
    strange = replace(SITUATION, title="<b>看 https://x.com\u200d 99 分</b>")
    found = selection.checked(strange, said("「{title}」放到周一 3–4 节，可以吗？"), model="m")
    assert found.template_reason == ""
    assert strange.title in found.words.summary.zh


def test_the_templates_own_words_pass_the_check() -> None:
    for one in SITUATION.candidates:
        words = Words(one.summary, one.reason, SITUATION.inaction, one.summary)
        answer = Answer(one.id, words)
        assert selection.checked(SITUATION, answer, model="m").template_reason == ""


@given(st.integers(0, 99))
@steady
def test_han_numerals_are_the_numbers_they_stand_for(number: int) -> None:
    signs = "零一二三四五六七八九"
    tens, ones = divmod(number, 10)
    head = "" if tens == 1 else signs[tens]
    told = signs[ones] if not tens else f"{head}十{signs[ones] if ones else ''}"
    assert numerals.value(told) == numerals.value(str(number)) == number


@given(st.integers(0, 23), st.integers(0, 59))
@steady
def test_clock_times_mean_the_same_in_every_form(hour: int, minute: int) -> None:
    twelve = hour % 12 or 12
    half = "a.m." if hour < 12 else "p.m."
    forms = [f"{hour:02d}:{minute:02d}", f"{hour}点{minute}分", f"{twelve}:{minute:02d} {half}"]
    for form in forms:
        (claim,) = claims.claims(claims.normal(form))
        assert (claim.kind, claim.values) == (Kind.TIME, (hour * 60 + minute,))


@given(st.text(max_size=200), st.sampled_from(Language))
@steady
def test_any_text_is_judged(text: str, language: Language) -> None:
    words = replace(GOOD, reason=Text(text, text))
    assert facts_check.holds(SITUATION, MONDAY, words) in (True, False)
    assert language in Language


@given(st.integers(0, 10**12))
@steady
def test_a_number_that_is_nowhere_is_found(number: int) -> None:
    answer = said(f"还有{number}件事。", f"There are {number} things.", where="reason")
    known = {2, 3, 4, 12, 13, 24, 2026, 5, 8}
    assert (outcome(answer) == "") == (number in known)
