"""The preview page where it asks, where it tells what kind of help it is, and where it is over."""

import pytest

from services.gateway.domain.grid import Mark
from services.gateway.domain.locale import Locale
from services.gateway.web.rendering import Renderer
from services.gateway.wire.preview_page import Builder
from services.gateway.wire.preview_shown import PreviewPage
from smartmate.active_scheduler.v1 import preview_pb2, trigger_pb2
from tests.unit.gateway import feedback_samples as feedback
from tests.unit.gateway import gateway_samples as samples
from tests.unit.gateway.test_gateway_rendering import FRAME, GOES_TO, PATH, Page

HOSTILE = samples.HOSTILE
SUPERSEDED = preview_pb2.PREVIEW_STATE_SUPERSEDED


@pytest.fixture(scope="module")
def renderer() -> Renderer:
    return Renderer()


def page(
    shown: preview_pb2.Preview,
    *,
    look: trigger_pb2.TriggerRecord | None = None,
    told: str = "",
    newer: str = "",
    locale: Locale = Locale.ZH,
) -> PreviewPage:
    return Builder(locale, samples.answer(shown), told=told, newer=newer, look=look).page()


def rendered(
    renderer: Renderer, found: PreviewPage, locale: Locale = Locale.ZH, **frame: object
) -> Page:
    values = {**FRAME, **frame}
    return Page.of(renderer.render("preview.html", locale, page=found, path=PATH, **values))


def test_a_question_offers_its_answers_and_says_what_a_yes_leads_to() -> None:
    found = page(feedback.asking(feedback.delay_end(), words="刚才那个没做完"))
    assert found.question is not None
    assert found.question.is_open
    assert [(one.choice_id, one.text, one.detail) for one in found.question.offers] == [
        ("yes", "可以晚一点", "12月3日 09:46 起有空，2 节"),
        ("no", "不能晚", ""),
    ]
    assert found.notice is None
    assert found.said == "刚才那个没做完"
    assert (found.confirm, found.can_ignore) == ("", True)
    assert found.keep is not None


@pytest.mark.parametrize("locale", Locale)
def test_its_answers_are_buttons_of_a_form_that_works_by_itself(
    renderer: Renderer, locale: Locale
) -> None:
    made = rendered(renderer, page(feedback.asking(feedback.delay_end()), locale=locale), locale)
    (form,) = [one for one in made.forms if one[GOES_TO] == f"{PATH}/answer"]
    assert form["csrf_token"] == "the-csrf-token"
    assert form["idempotency_key"]
    buttons = [given for tag, given in made.tags if given.get("name") == "choice_id"]
    assert [given["value"] for given in buttons] == ["yes", "no"]
    assert all(given["type"] == "submit" for given in buttons)


def test_a_question_without_choices_is_answered_in_words(renderer: Renderer) -> None:
    made = rendered(renderer, page(feedback.asking(feedback.which_block(), located=False)))
    (form,) = [one for one in made.forms if one[GOES_TO] == f"{PATH}/answer"]
    assert form["text"] == ""
    assert dict(made.tags)["input"] is not None
    assert not [given for _, given in made.tags if given.get("name") == "choice_id"]


def test_blocks_are_answers_too() -> None:
    found = page(feedback.asking(feedback.which_block(choices=3), located=False)).question
    assert found is not None
    assert [one.choice_id for one in found.offers] == ["block:1", "block:2", "block:3"]


def test_an_answered_question_is_shown_with_its_answer_and_takes_no_other(
    renderer: Renderer,
) -> None:
    shown = feedback.asking(feedback.delay_end(answered="no"))
    found = page(shown, look=feedback.look())
    assert found.question is not None
    assert (found.question.is_open, found.can_ignore, found.keep) == (False, False, None)
    assert [one.chosen for one in found.question.offers] == [False, True]
    assert found.notice is not None
    assert (found.notice.icon, found.notice.head) == ("spin", "已回答：不能晚")
    assert [act.href for act in found.notice.acts] == ["/active-schedule/looks/ast_77"]
    made = rendered(renderer, found)
    assert not [one for one in made.forms if one[GOES_TO].startswith(PATH)]
    main = dict(made.tags)["main"]
    assert "data-answered" in main
    assert main["data-look"] == "/api/v1/active-schedule/triggers/ast_77"


def test_an_answer_that_led_on_has_a_link_and_waits_no_more(renderer: Renderer) -> None:
    shown = feedback.asking(feedback.delay_end(answered="yes"))
    found = page(shown, look=feedback.found())
    assert found.notice is not None
    assert [act.href for act in found.notice.acts] == ["/active-schedule/previews/asp_newer"]
    assert found.notice.is_main
    assert found.look == ""
    assert "data-look" not in dict(rendered(renderer, found).tags)["main"]


def test_an_answer_that_led_nowhere_says_so_plainly() -> None:
    shown = feedback.asking(feedback.delay_end(answered="yes"))
    found = page(shown, look=feedback.closed()).notice
    assert found is not None
    assert found.more == "补做已经排上了。"


def test_who_answers_later_gets_the_first_answer_back() -> None:
    shown = feedback.asking(feedback.delay_end(answered="yes"))
    found = page(shown, look=feedback.look(), told="already_answered").notice
    assert found is not None
    assert found.head == "已经答过了，以先答的为准：可以晚一点"


def test_an_answer_whose_look_nobody_can_tell_of_is_shown_all_the_same() -> None:
    found = page(feedback.asking(feedback.delay_end(answered="yes")))
    assert found.notice is not None
    assert (found.notice.head, found.notice.acts, found.look) == ("已回答：可以晚一点", (), "")


def test_the_old_link_says_that_it_was_replaced_and_leads_on() -> None:
    shown = feedback.asking(feedback.delay_end(answered="yes"), SUPERSEDED)
    found = page(shown, look=feedback.found(), newer=feedback.NEWER)
    assert found.notice is not None
    assert found.notice.head == "同一件事有了更新的建议"
    assert found.notice.more == "按你的回答有了新的建议，这一条只供回看。"
    assert found.notice.acts[0].href == "/active-schedule/previews/asp_newer"
    assert not found.is_live


def test_words_of_an_answer_are_quoted_and_stay_data(renderer: Renderer) -> None:
    shown = feedback.asking(feedback.which_block(words=HOSTILE), words=HOSTILE, located=False)
    found = page(shown, look=feedback.look())
    made = rendered(renderer, found)
    assert made.text.count(HOSTILE) == 3
    scripts = [given.get("src", "") for tag, given in made.tags if tag == "script"]
    assert all(source.startswith("/static/") for source in scripts)


@pytest.mark.parametrize("code", ["answer_not_offered", "answer_empty", "answer_long"])
def test_what_was_wrong_about_an_answer_is_told(code: str) -> None:
    found = page(feedback.asking(feedback.delay_end()), told=code).notice
    assert found is not None
    assert found.tone == "warn"


@pytest.mark.parametrize(
    ("kind", "word", "mark", "confirm"),
    [
        ("LOCAL_REORDER_MAKEUP", "补做，后面的顺延", Mark.MOVED, "确认，补 1 项并移动 1 项"),
        ("COMPRESS_WITH_NEXT_DYNAMIC_TASK", "压缩，两项分着用", Mark.SQUEEZE, "确认，两项各 1 节"),
        ("DROP_UNFINISHED", "先放下", Mark.LEAVING, "确认，撤下 1 项"),
    ],
)
def test_what_kind_of_help_it_is_stands_on_the_page(
    renderer: Renderer, kind: str, word: str, mark: Mark, confirm: str
) -> None:
    value = preview_pb2.CandidateType.Value(f"CANDIDATE_TYPE_{kind}")
    found = page(samples.preview(offered=[feedback.of_kind(value)]))
    assert found.kind is not None
    assert (found.kind.word, found.kind.mark) == (word, mark)
    assert found.confirm == confirm
    assert word in rendered(renderer, found).text


@pytest.mark.parametrize("kind", ["ADD_TASK_POOL_TO_SCHEDULE", "MAKEUP_BLOCK", "UNSPECIFIED"])
def test_a_place_for_one_thing_needs_no_word_for_its_kind(kind: str) -> None:
    value = preview_pb2.CandidateType.Value(f"CANDIDATE_TYPE_{kind}")
    assert page(samples.preview(offered=[feedback.of_kind(value)])).kind is None


def test_every_kind_that_is_more_has_a_word() -> None:
    plain = {"UNSPECIFIED", "ADD_TASK_POOL_TO_SCHEDULE", "MAKEUP_BLOCK"}
    for name, value in preview_pb2.CandidateType.items():
        if name.removeprefix("CANDIDATE_TYPE_") in plain:
            continue
        candidate = samples.candidates()[0]
        candidate.type = value
        assert page(samples.preview(offered=[candidate])).kind is not None, name


def test_an_uneven_share_names_the_whole_place() -> None:
    found = page(samples.preview(offered=[feedback.uneven()]))
    assert found.confirm == "确认，两项分用周一 9–11 节"
    assert [choice.place for choice in found.choices] == ["周一 9–11 节"]


def test_what_is_dropped_is_shown_as_leaving_and_named_in_its_choice() -> None:
    found = page(samples.preview(offered=[*samples.candidates()[:1], feedback.dropped()]))
    assert [(one.place, one.family) for one in found.choices] == [
        ("周二 3–4 节", "合你习惯"),
        ("撤下周一 9–10 节", "先放下"),
    ]


def test_two_parts_are_confirmed_as_two() -> None:
    found = page(samples.preview(offered=[feedback.in_parts()]))
    assert found.confirm == "确认，分 2 次排"
    assert [choice.place for choice in found.choices] == ["周二 3–4 节、周二第 7 节"]


def test_a_choice_with_moves_names_its_own_place_and_counts_the_rest() -> None:
    kind = preview_pb2.CANDIDATE_TYPE_LOCAL_REORDER_MAKEUP
    (choice,) = page(samples.preview(offered=[feedback.of_kind(kind)])).choices
    assert (choice.place, choice.detail) == ("周二 3–4 节", "10:15–11:55 · 另外移动 1 项")


@pytest.mark.parametrize("locale", Locale)
def test_preferences_that_are_met_and_those_that_are_not_stand_apart(
    renderer: Renderer, locale: Locale
) -> None:
    candidate = samples.candidates()[0]
    candidate.preferences_met.append(samples.text("「数学放上午」", "“maths in the morning”"))
    candidate.preferences_unmet.append(samples.text("周二不排", "nothing on Tue"))
    found = page(samples.preview(offered=[candidate]), locale=locale)
    assert len(found.kept) == len(found.broken) == 1
    text = rendered(renderer, found, locale).text
    assert found.kept[0] in text
    assert found.broken[0] in text


def test_what_was_taken_back_is_told_and_stays_to_read(renderer: Renderer) -> None:
    shown = samples.preview(preview_pb2.PREVIEW_STATE_APPLIED, offered=samples.candidates()[:1])
    shown.undo_time.CopyFrom(samples.stamp(samples.NOW))
    found = page(shown)
    assert found.notice is not None
    assert (found.notice.tone, found.notice.head) == ("", "18:46 已撤销")
    assert found.after_note == "写入过，已撤销"
    text = rendered(renderer, found).text
    assert "18:46 已撤销" in text
    assert "已写入" not in text
    assert found.pairs[0].after is not None
    chips = {one.chip for one in found.pairs[0].after.blocks if one.mark is Mark.ADD}
    assert chips == {"已撤销"}
    assert "data-undone" in dict(rendered(renderer, found).tags)["main"]


def test_what_only_tells_is_there_to_read(renderer: Renderer) -> None:
    shown = samples.preview(action=preview_pb2.DECISION_ACTION_NOTIFY_ONLY, offered=[], warnings=())
    made = rendered(renderer, page(shown))
    actions = {one[GOES_TO] for one in made.forms}
    assert f"{PATH}/confirm" not in actions
    assert f"{PATH}/ignore" not in actions
    assert "只供回看" in made.text


def test_the_length_of_an_unfinished_block_is_no_guess_to_correct(renderer: Renderer) -> None:
    shown = samples.preview(warnings=["estimate_assumed"])
    shown.target.CopyFrom(feedback.UNFINISHED)
    found = page(shown)
    assert found.estimate == 0
    assert f"{PATH}/estimate" not in {one[GOES_TO] for one in rendered(renderer, found).forms}
