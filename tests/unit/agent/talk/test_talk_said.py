"""What words mean for a run that waits, and what they wish for a plan."""

from dataclasses import dataclass
from datetime import date

import pytest

from services.agent.domain.known import ClassBrief
from services.agent.domain.run import Choice, Note, Question, Reply, Wait
from services.agent.domain.said import Replying, as_reply
from services.agent.domain.scope import Scope
from services.agent.domain.wish import Limit, Wish
from services.agent.graph import wishing, words
from tests.unit.agent.spoken_samples import at

CHOICES = (Choice("7", "线代复习"), Choice("8", "英语复习"))


@pytest.mark.parametrize(
    ("text", "reply"),
    [
        ("好的", Reply(accepted=True)),
        ("就这样吧", Reply(accepted=True)),
        ("不要了", Reply()),
        ("可以，但是周三别排", Reply(words="可以，但是周三别排")),
        ("第一项换一天", Reply(words="第一项换一天")),
        ("也许", None),
    ],
)
def test_words_accept_what_is_to_be_confirmed_only_where_they_say_just_yes(
    text: str, reply: Reply | None
) -> None:
    assert as_reply(text, Wait.CONFIRM, None) == reply


@pytest.mark.parametrize(
    ("text", "reply"),
    [
        ("英语", Reply(choice="8")),
        ("第一个", Reply(choice="7")),
        ("都不是，是体育", Reply(words="都不是，是体育")),
        ("随便", None),
    ],
)
def test_words_take_a_choice_where_they_name_one(text: str, reply: Reply | None) -> None:
    assert as_reply(text, Wait.QUESTION, Question(1, "哪个？", CHOICES)) == reply


def test_a_question_that_takes_no_words_is_asked_again() -> None:
    closed = Question(1, "哪个？", CHOICES, allows_text=False)
    assert as_reply("体育", Wait.QUESTION, closed) is None
    assert as_reply("英语", Wait.QUESTION, closed) == Reply(choice="8")


def test_a_question_without_choices_is_answered_by_whatever_is_said() -> None:
    assert as_reply("随便", Wait.QUESTION, Question(1, "哪天？")) == Reply(words="随便")
    given = Replying(Wait.CONFIRM, "run_1", 2, words="不")
    assert given.reply == Reply(words="不")


@dataclass(frozen=True, slots=True)
class Row:
    wish: Wish
    before: Scope
    after: Scope


DEC1, DEC20 = date(2026, 12, 1), date(2026, 12, 20)


@pytest.mark.parametrize(
    "row",
    [
        Row(Wish((1,), DEC1, DEC20), Scope(), Scope((1,), DEC1, DEC20)),
        Row(Wish((1,)), Scope((2,), DEC1, DEC20), Scope((1,), DEC1, DEC20)),
        Row(
            Wish((1,), excluded_days=(7,), excluded_limits=(Limit(3, 9, 12),)),
            Scope(excluded_days=(6,), excluded_pairs=(5,)),
            Scope((1,), excluded_days=(6, 7), excluded_pairs=(5,), excluded_limits=((3, 9, 12),)),
        ),
        Row(
            Wish((1,), excluded_days=(1, 2, 3, 4)),
            Scope(excluded_days=(5, 6, 7)),
            Scope((1,), excluded_days=(1, 2, 3, 4)),
        ),
    ],
)
def test_what_was_to_stay_free_stays_so_and_the_newest_dates_count(row: Row) -> None:
    assert wishing.scope_of(row.wish, row.before) == row.after


def _class(id_: int, name: str) -> ClassBrief:
    return ClassBrief(id_, name, DEC1, DEC20, 4, 4)


def test_a_wish_is_read_with_the_answers_to_its_questions() -> None:
    classes = (_class(1, "线代复习"), _class(2, "英语复习"), _class(3, "概率论复习"))
    asked = wishing.read(Note("把这两门课排进去", at().now), at(), classes, Scope())
    assert asked.questions
    told = Note("把这两门课排进去", at().now, (("2", ""),))
    assert wishing.read(told, at(), classes, Scope()).class_ids == (2,)


def test_what_stays_free_is_told() -> None:
    scope = Scope(
        excluded_days=(6, 7),
        excluded_sections=((9, 12),),
        excluded_limits=((3, 5, 6),),
        excluded_dates=(DEC20,),
    )
    assert list(words.free(scope)) == ["周六、周日", "第9-12节", "周三第5-6节", "12月20日 周日"]
