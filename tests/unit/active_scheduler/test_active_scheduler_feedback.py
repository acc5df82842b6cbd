"""What is proposed for work that was not finished, and what is asked where nothing fits."""

from dataclasses import replace
from datetime import date, timedelta

import pytest

from libs.planning import validation
from libs.planning.changes import ChangeType, World
from libs.planning.grid import Place, Target, TargetKind
from services.active_scheduler.domain import (
    deciding,
    options,
    preference_words,
    preview,
    questions,
    showing,
)
from services.active_scheduler.domain.case import ClassRules, case_of
from services.active_scheduler.domain.errors import AnswerNotOffered
from services.active_scheduler.domain.options import OptionType
from services.active_scheduler.domain.preferences import Preferences, PreferenceSource, Wish
from services.active_scheduler.domain.questions import Answers, QuestionKind
from services.active_scheduler.domain.text import Text
from services.active_scheduler.store.codec import CONTENT
from tests.unit.active_scheduler.feedback_world import (
    CLASS,
    DONE_ON,
    HORIZON,
    ITEMS,
    MISSED,
    case,
    full_days,
    item_block,
    task_block,
)
from tests.unit.active_scheduler.look_world import (
    NOW,
    OTHER,
    TASK,
    TITLE,
    at,
    course,
    figures,
    local,
    look_facts,
    texts,
)


def outcome(*args, **kwargs):
    return deciding.decided(case(*args, **kwargs))


def told(found):
    """Action, reason and question of an outcome."""
    question = found.question.kind.value if found.question else None
    return found.decision.action.value, found.decision.reason, question


def places(found) -> list[Place]:
    return [option.place for option in found.options]


# ── a makeup block ───────────────────────────────────────────────────────────────────────────


def test_a_missed_block_is_made_up_by_a_new_one_of_its_length_within_24_hours():
    found = outcome()
    assert told(found) == ("select_candidate", "candidates_found", None)
    for option in found.options:
        (change,) = option.changes
        assert (change.type, change.target.id) == (ChangeType.CREATE_MAKEUP, MISSED)
        assert change.editable
        assert option.place.length == DONE_ON.length
        assert option.id == (
            f"makeup_block:{MISSED}:{option.place.week}:{option.place.day}:{option.place.first}"
        )
    # Section 1 is over and 2 runs: it is 09:00.
    assert at(13, 1, 3, 4) in places(found)


@pytest.mark.parametrize(("length", "needed"), [(1, 1), (3, 3), (4, 4), (6, 4)])
def test_a_makeup_is_as_long_as_the_block_but_no_longer_than_four_sections(length, needed):
    missed = item_block(MISSED, 21, at(12, 7, 1, length))
    found = case(missed=missed, of_item=True)
    assert found.facts.needed_sections == needed
    assert ("estimate_clamped" in found.facts.warnings()) == (length > 4)


def test_a_deadline_that_lies_ahead_binds_and_a_passed_one_is_a_fact():
    bound = outcome(deadline=local("2026-11-30T15:40"))
    assert {place.last for place in places(bound)} <= {4, 6}
    passed = outcome(deadline=local("2026-11-29T15:40"))
    assert [issue.code for issue in passed.issues] == ["unfinished_work", "deadline_passed"]
    content = showing.content(case(deadline=local("2026-11-29T15:40")), passed)
    assert all("截止时间已经过了" in one.risk.zh for one in content.candidates)


def test_a_block_that_lies_ahead_or_runs_is_made_up_behind_its_end():
    ahead = task_block(MISSED, TASK, at(13, 1, 5, 6))
    running = task_block(MISSED, TASK, at(13, 1, 1, 3))
    for missed, last in ((ahead, 6), (running, 3)):
        found = outcome(missed=missed)
        assert found.options
        assert all(place > at(13, 1, last) for place in places(found))


def test_neither_a_past_nor_a_coming_block_of_the_task_stops_a_makeup_but_a_makeup_does():
    other = task_block(502, TASK, at(13, 1, 9, 10))
    assert told(outcome(other))[1] == "candidates_found"
    makeup = task_block(503, TASK, at(13, 1, 9, 10), makeup_for_id=MISSED)
    assert told(outcome(makeup)) == ("close", "makeup_scheduled", None)
    # One that was missed as well is over, and stops nothing; its own makeup does.
    past = task_block(503, TASK, at(12, 7, 5, 6), makeup_for_id=MISSED)
    assert told(outcome(past))[1] == "candidates_found"
    again = task_block(504, TASK, at(13, 1, 9, 10), makeup_for_id=503)
    assert told(outcome(past, again)) == ("close", "makeup_scheduled", None)
    assert told(outcome(past, again, missed=again))[1] == "candidates_found"


def test_what_is_done_needs_nothing():
    assert told(outcome(done=True)) == ("close", "target_completed", None)


def test_a_makeup_of_an_item_keeps_clear_of_what_its_class_excludes():
    rules = ClassRules(date(2026, 12, 31), excluded_pairs=(2, 3, 4))
    found = outcome(of_item=True, rules=rules)
    assert found.metrics.preference_source is PreferenceSource.TASK_CLASS
    assert places(found)
    assert all(place.first >= 9 for place in places(found))


def test_a_makeup_stays_before_the_next_item_and_behind_the_item_before():
    second = item_block(MISSED, 22, DONE_ON)
    first = item_block(502, 21, at(13, 1, 3, 4))
    third = item_block(503, 23, at(13, 1, 9, 10))
    found = outcome(first, third, missed=second, of_item=True)
    assert places(found)
    assert all(at(13, 1, 4) < place < at(13, 1, 9) for place in places(found))


# ── local reorder ────────────────────────────────────────────────────────────────────────────

# Only the evening of Monday is free, and item 22 sits at its start.
EVENING = [b for b in full_days(*HORIZON, but=[(13, 1, s) for s in (9, 10, 11, 12)])]


def test_a_later_item_gives_way_where_the_order_forbids_a_makeup():
    later = item_block(502, 22, at(13, 1, 9, 10))
    found = outcome(*EVENING, later, of_item=True)
    assert told(found) == ("select_candidate", "reorder_found", None)
    (option,) = found.options
    makeup, move = option.changes
    assert (makeup.type, makeup.to) == (ChangeType.CREATE_MAKEUP, at(13, 1, 9, 10))
    assert (move.type, move.target.id) == (ChangeType.MOVE, 502)
    assert (move.from_, move.to) == (at(13, 1, 9, 10), at(13, 1, 11, 12))


def test_a_reorder_moves_nothing_but_later_items_of_the_class():
    later = item_block(502, 22, at(13, 1, 9))
    other = task_block(504, OTHER, at(13, 1, 10))
    found = outcome(*EVENING, later, other, of_item=True)
    assert {change.target.id for one in found.options for change in one.changes} <= {MISSED, 502}


def test_a_reorder_may_use_what_the_class_excludes_and_says_so():
    rules = ClassRules(date(2026, 12, 31), excluded_days=(1,))
    asked = case(*EVENING, of_item=True, rules=rules)
    found = deciding.decided(asked)
    assert told(found)[1] == "reorder_found"
    (option,) = found.options
    assert option.moved == ()
    assert [one.item_id for one in option.broken] == [21]
    (candidate,) = showing.content(asked, found).candidates
    assert "周一 9–10 节是任务类不排的日子" in candidate.risk.zh


def test_a_reorder_ends_with_the_class_and_with_what_is_known():
    free_later = [b for b in full_days(*HORIZON, but=[(13, 3, 9), (13, 3, 10)])]
    ends_before = ClassRules(date(2026, 12, 1))
    deadline = local("2026-12-02T00:00")
    late = outcome(*free_later, of_item=True, rules=ends_before, deadline=deadline)
    assert told(late) == ("ask_user", "room_after_deadline", "ask_delay_end")
    ends_behind = ClassRules(date(2026, 12, 2))
    assert places(outcome(*free_later, of_item=True, rules=ends_behind)) == [at(13, 3, 9, 10)]
    # What stands beyond a day is not known here: it is no room.
    unknown = outcome(*free_later, of_item=True, known=timedelta(hours=24))
    assert told(unknown)[0] == "notify_only"


def test_a_later_item_that_sits_in_a_course_stays_there():
    host = course(600, at(13, 1, 9, 10), embeddable=True)
    guest = item_block(502, 22, at(13, 1, 9), host_id=600)
    found = outcome(*EVENING, host, guest, of_item=True)
    assert all(change.target.id != 502 for one in found.options for change in one.changes)
    assert told(found) == ("notify_only", "order_in_the_way", None)


# ── questions and their answers ──────────────────────────────────────────────────────────────

TODAY = local("2026-11-30T23:00")
LATER_ROOM = [b for b in full_days(*HORIZON, but=[(13, 3, 9), (13, 3, 10)])]


def test_room_behind_the_deadline_alone_is_asked_for_and_the_answer_gives_it():
    asked = case(*LATER_ROOM, deadline=TODAY)
    found = deciding.decided(asked)
    assert told(found) == ("ask_user", "room_after_deadline", "ask_delay_end")
    assert found.question.room_from == local("2026-12-02T19:00")
    yes = questions.answer(found.question, questions.YES).answers
    agreed = asked.answering(yes)
    assert places(deciding.decided(agreed)) == [at(13, 3, 9, 10)]
    content = showing.look(agreed)
    # The deadline that was waived binds no edit either.
    assert content.deadline is None
    assert "要在截止之后才做完" in content.candidates[0].risk.zh


def test_a_declined_delay_is_not_asked_again_and_compression_is_shown_with_its_risk():
    following = task_block(505, OTHER, at(13, 1, 9, 11), name="英语听力")
    blocks = [b for b in LATER_ROOM if not b.place.overlaps(following.place)]
    asked = case(*blocks, following, deadline=TODAY)
    question = deciding.decided(asked).question
    no = questions.answer(question, questions.NO).answers
    found = deciding.decided(asked.answering(no))
    assert told(found) == ("select_candidate", "compress_only", None)
    (candidate,) = showing.look(asked.answering(no)).candidates
    assert "两项都会被压缩" in candidate.risk.zh
    assert "「英语听力」原有 3 节，剩 2 节" in candidate.risk.zh


def test_room_on_another_day_is_asked_for_where_no_deadline_stands_before_it():
    asked = case(*LATER_ROOM)
    found = deciding.decided(asked)
    assert told(found) == ("ask_user", "room_on_other_day", "ask_other_day")
    yes = questions.answer(found.question, questions.YES).answers
    assert places(deciding.decided(asked.answering(yes))) == [at(13, 3, 9, 10)]
    no = questions.answer(found.question, questions.NO).answers
    assert told(deciding.decided(asked.answering(no))) == ("notify_only", "window_full", None)


def test_a_deadline_behind_the_other_day_is_not_asked_about():
    found = outcome(*LATER_ROOM, deadline=local("2026-12-03T23:00"))
    assert told(found)[2] == "ask_other_day"


def test_a_shorter_one_is_asked_for_as_long_as_there_is_room_and_declined_it_is_only_told():
    blocks = full_days(*HORIZON, but=[(13, 1, 9), (13, 1, 10), (13, 1, 12)])
    asked = case(*blocks, missed=task_block(MISSED, TASK, at(12, 7, 1, 4)))
    found = deciding.decided(asked)
    assert told(found) == ("ask_user", "room_when_shorter", "ask_shorten")
    assert found.question.sections == 2
    yes = questions.answer(found.question, questions.YES).answers
    assert places(deciding.decided(asked.answering(yes))) == [at(13, 1, 9, 10)]
    no = questions.answer(found.question, questions.NO).answers
    told_only = deciding.decided(asked.answering(no))
    assert told(told_only) == ("notify_only", "no_run_long_enough", None)


def test_of_several_ways_out_the_first_of_the_list_is_asked_for_and_then_the_next():
    room = [(13, 1, 9), (13, 1, 10), (13, 1, 12), (13, 3, 9), (13, 3, 10), (13, 3, 11), (13, 3, 12)]
    asked = case(*full_days(*HORIZON, but=room), missed=task_block(MISSED, TASK, at(12, 7, 1, 3)))
    kinds = []
    while (question := deciding.decided(asked).question) is not None:
        kinds.append(question.kind)
        asked = asked.answering(questions.answer(question, questions.NO, asked.answers).answers)
    assert kinds == [QuestionKind.SHORTEN, QuestionKind.SPLIT, QuestionKind.OTHER_DAY]
    assert told(deciding.decided(asked)) == ("notify_only", "no_run_long_enough", None)


def declining(asked, *kinds):
    """The same case of a person who has said no to these questions."""
    answers = asked.answers
    for kind in kinds:
        answers = answers.declining(kind)
    return asked.answering(answers)


def split_of(room, length):
    """The two parts that are offered where they were agreed to, for single days of room."""
    missed = task_block(MISSED, TASK, at(12, 7, 1, length))
    asked = declining(case(*full_days(*HORIZON, but=room), missed=missed), QuestionKind.SHORTEN)
    found = deciding.decided(asked)
    if told(found)[2] != "ask_split":
        return told(found)
    yes = questions.answer(found.question, questions.YES, asked.answers).answers
    assert yes.split
    (option,) = deciding.decided(asked.answering(yes)).options
    assert option.type is OptionType.SPLIT
    assert not validation.judge(option.changes, asked.facts.world, now=NOW, base=option.base)
    return tuple((place.day, place.first, place.last) for place in option.work)


@pytest.mark.parametrize(
    ("sections", "length", "parts"),
    [
        ((9, 11), 2, ((1, 9, 9), (1, 11, 11))),
        ((9, 10, 12), 3, ((1, 9, 10), (1, 12, 12))),
        ((9, 11, 12), 3, ((1, 9, 9), (1, 11, 12))),
        ((5, 6, 8, 10, 11), 4, ((1, 5, 6), (1, 10, 11))),
        ((5, 9, 10, 11), 4, ((1, 5, 5), (1, 9, 11))),
        ((4, 5), 2, ((1, 4, 4), (1, 5, 5))),
    ],
    ids=["1+1", "2+1", "1+2", "2+2", "1+3", "around lunch"],
)
def test_two_parts_are_as_even_as_there_is_room_for_and_lie_apart(sections, length, parts):
    assert split_of([(13, 1, one) for one in sections], length) == parts


@pytest.mark.parametrize(
    ("sections", "length"), [((9,), 2), ((9, 11), 3), ((5, 7, 9, 11), 4), ((9, 10), 3)]
)
def test_what_does_not_fit_in_two_parts_is_not_asked_to_be_split(sections, length):
    found = split_of([(13, 1, one) for one in sections], length)
    assert found == ("notify_only", "no_run_long_enough", None)


def test_both_parts_keep_the_order_of_the_class_and_what_it_keeps_free():
    free = [(13, 1, s) for s in (3, 5, 7, 9, 11)]
    missed, later = item_block(MISSED, 21, at(12, 7, 1, 2)), item_block(502, 22, at(13, 1, 11))
    blocks = [b for b in full_days(*HORIZON, but=free) if not b.place.overlaps(later.place)]
    rules = ClassRules(date(2026, 11, 30), excluded_pairs=(2,))
    asked = case(*blocks, later, missed=missed, of_item=True, rules=rules)
    agreed = asked.answering(Answers(split=True))
    (option,) = options.options(agreed)
    assert option.work == (at(13, 1, 5), at(13, 1, 7))
    assert not validation.judge(option.changes, agreed.facts.world, now=NOW, base=option.base)


def test_a_split_is_told_with_both_places_and_shown_as_two_blocks():
    room = [(13, 1, 9), (13, 1, 11)]
    asked = case(*full_days(*HORIZON, but=room)).answering(Answers(split=True))
    content = showing.look(asked)
    (candidate,) = content.candidates
    assert candidate.summary.zh == f"「{TITLE}」分成两次，周一 第 9 节和周一 第 11 节，可以吗？"
    assert [change.editable for change in candidate.changes] == [True, True]
    after = preview.after(content.before, candidate.changes, content.target_title)
    assert [block.place for block in after if block.id == 0] == [at(13, 1, 9), at(13, 1, 11)]


def test_an_urgent_task_has_one_block_and_is_not_asked_to_be_split():
    room = [(13, 1, 9), (13, 1, 11)]
    asked = case_of(look_facts(*full_days((13, 1), (13, 2), but=room)))
    kinds = []
    while (question := deciding.decided(asked).question) is not None:
        kinds.append(question.kind)
        asked = declining(asked, question.kind)
    assert kinds == [QuestionKind.SHORTEN]


def test_without_any_section_ahead_it_is_only_told():
    last_day = local("2027-01-24T22:00")
    found = outcome(now=last_day, missed=task_block(MISSED, TASK, at(20, 7, 1, 2)))
    assert told(found) == ("notify_only", "no_window", None)


def test_a_block_that_is_not_known_is_asked_for_with_those_around_as_answers():
    near = (task_block(506, TASK, at(13, 1, 9, 10)), item_block(507, 22, at(12, 7, 5)))
    found = outcome(located=False, near=near)
    assert told(found) == ("ask_user", "block_unknown", "which_block")
    assert [choice.id for choice in found.question.choices] == ["block:507", "block:506"]
    assert found.question.choices[0].text.zh == "11月29日 周日 第 5 节「第二章」"
    answered = questions.answer(found.question, "block:506", Answers(may_end_later=True))
    assert answered.block_id == 506
    assert answered.answers == Answers()


def test_words_that_name_nothing_where_nothing_was_planned_are_asked_in_words():
    found = deciding.unlocated((), case().facts.world.grid)
    assert told(found) == ("ask_user", "block_unknown", "which_block")
    assert found.question.choices == ()


def test_an_answer_that_was_not_offered_is_refused():
    found = outcome(located=False, near=(task_block(506, TASK, at(13, 1, 9)),))
    with pytest.raises(AnswerNotOffered) as caught:
        questions.answer(found.question, "block:999")
    assert caught.value.metadata == {"choice_id": "block:999"}


def test_answers_add_up_along_the_line():
    agreed = Answers().agreeing(QuestionKind.SHORTEN, sections=2).declining(QuestionKind.OTHER_DAY)
    assert agreed == Answers(sections=2, declined=(QuestionKind.OTHER_DAY,))
    assert not agreed.allow(QuestionKind.OTHER_DAY)
    # An agreed length may still turn out too long: the day may have filled up since.
    assert agreed.allow(QuestionKind.SHORTEN)
    assert not Answers(may_end_later=True).allow(QuestionKind.OTHER_DAY)
    assert Answers().agreeing(QuestionKind.WHICH_BLOCK) == Answers()


# ── compression ──────────────────────────────────────────────────────────────────────────────

FULL = full_days(*HORIZON)


def shared(following, *blocks, **kwargs):
    """What is offered where nothing is free but the place of one block."""
    standing = [b for b in FULL if not b.place.overlaps(following.place)]
    return outcome(*standing, following, *blocks, **kwargs)


@pytest.mark.parametrize(("length", "mine"), [(2, 1), (3, 1), (4, 2)])
def test_the_unfinished_one_takes_the_first_half_rounded_down(length, mine):
    whole = at(13, 1, 5, 4 + length)
    found = shared(task_block(505, OTHER, whole))
    assert told(found) == ("select_candidate", "compress_only", None)
    taker, giver = found.options[0].changes
    assert (taker.type, taker.target.id, taker.from_) == (ChangeType.COMPRESS, MISSED, None)
    assert taker.to == at(13, 1, 5, 4 + mine)
    assert (giver.target.id, giver.from_) == (505, whole)
    assert giver.to == at(13, 1, 5 + mine, 4 + length)
    assert found.options[0].id == f"compress_with_next_dynamic_task:{MISSED}:13:1:5"


@pytest.mark.parametrize(
    "following",
    [
        task_block(505, OTHER, at(13, 1, 5)),
        task_block(505, TASK, at(13, 1, 5, 6)),
        task_block(505, OTHER, at(13, 3, 5, 6)),
        course(505, at(13, 1, 5, 6)),
    ],
    ids=["one section", "the same task", "after the window", "a course"],
)
def test_only_the_next_task_within_24_hours_with_two_sections_or_more_is_shared(following):
    assert told(shared(following))[0] == "notify_only"


def test_of_two_tasks_it_is_the_next_one_that_is_shared_and_no_other():
    short, long = task_block(505, OTHER, at(13, 1, 5)), task_block(506, OTHER, at(13, 1, 7, 8))
    standing = [b for b in FULL if not b.place.overlaps(long.place)]
    blocks = [b for b in standing if not b.place.overlaps(short.place)]
    assert told(outcome(*blocks, short, long))[0] == "notify_only"


def test_a_task_that_is_done_is_not_the_next_one():
    done, next_one = task_block(505, OTHER, at(13, 1, 5, 6)), item_block(506, 22, at(13, 1, 7, 8))
    standing = [b for b in FULL if not b.place.overlaps(done.place)]
    blocks = [b for b in standing if not b.place.overlaps(next_one.place)]
    asked = case(*blocks, done, next_one)
    assert options.next_dynamic(asked) == done
    world = asked.given.world
    targets = dict(world.targets) | {OTHER: replace(world.targets[OTHER], done=True)}
    given = replace(asked.given, world=replace(world, targets=targets))
    found = replace(asked, given=given).answering(asked.answers)
    assert options.next_dynamic(found) == next_one
    (option,) = deciding.decided(found).options
    assert (option.type, option.other) == (OptionType.COMPRESS, next_one)


def test_what_the_schedule_service_passed_over_is_not_the_next_one_though_it_is_not_known():
    """It tells the next task that is to be done, and nothing of those that are done."""
    unknown, later = Target(TargetKind.TASK_POOL, 99), at(13, 1, 9, 10)
    done, following = task_block(505, unknown, at(13, 1, 5, 6)), task_block(506, OTHER, later)
    standing = [b for b in FULL if not b.place.overlaps(later)]
    asked = case(*(b for b in standing if not b.place.overlaps(done.place)), done, following)
    assert options.compression(asked) == ()

    given = replace(asked.given, next_dynamic_id=following.id)
    found = replace(asked, given=given).answering(asked.answers)
    (option,) = deciding.decided(found).options
    assert (option.type, option.other) == (OptionType.COMPRESS, following)


def test_what_was_told_to_be_next_is_shared_only_where_it_lies_ahead_of_the_window():
    following = task_block(506, OTHER, at(13, 3, 5, 6))
    asked = case(*(b for b in FULL if not b.place.overlaps(following.place)), following)
    given = replace(asked.given, next_dynamic_id=following.id)
    assert options.next_dynamic(replace(asked, given=given).answering(asked.answers)) is None


def test_figures_tell_how_often_it_was_missed_and_what_the_deadline_leaves():
    metrics = deciding.decided(case(misses=2, deadline=local("2026-11-30T20:00"))).metrics
    # The earliest place: sections 3 and 4, until 11:55.
    assert (metrics.misses, metrics.margin) == (2, timedelta(hours=8, minutes=5))
    metrics = deciding.decided(case(*FULL, deadline=local("2026-11-30T20:00"))).metrics
    assert (metrics.misses, metrics.margin) == (1, None)
    urgent = figures(look_facts(estimate=2))
    assert (urgent.misses, urgent.margin) == (0, None)


def test_one_that_needs_less_than_its_half_is_told_what_it_gets():
    asked = case(
        *(b for b in FULL if not b.place.overlaps(at(13, 1, 5, 8))),
        task_block(505, OTHER, at(13, 1, 5, 8), name="英语听力"),
        missed=task_block(MISSED, TASK, at(12, 7, 1)),
    )
    (candidate,) = showing.look(asked).candidates
    assert "占 2 节；「英语听力」原有 4 节，剩 2 节" in candidate.risk.zh


def test_a_half_that_would_end_after_the_deadline_is_not_offered():
    following = task_block(505, OTHER, at(13, 1, 5, 6))
    assert told(shared(following, deadline=local("2026-11-30T14:45")))[1] == "compress_only"
    assert told(shared(following, deadline=local("2026-11-30T14:44")))[0] == "notify_only"


def test_a_guest_shares_its_place_inside_its_host():
    host = course(600, at(13, 1, 5, 8), embeddable=True)
    guest = task_block(505, OTHER, at(13, 1, 5, 6), host_id=600)
    standing = [b for b in FULL if not b.place.overlaps(host.place)]
    found = outcome(*standing, host, guest)
    assert told(found)[1] == "compress_only"
    assert [change.host_id for change in found.options[0].changes] == [600, 600]


def test_a_block_of_whose_task_nothing_was_read_is_not_shared():
    asked = case(
        *(b for b in FULL if not b.place.overlaps(at(13, 1, 5, 6))),
        task_block(505, OTHER, at(13, 1, 5, 6)),
    )
    assert options.compression(asked)
    world = asked.given.world
    targets = {key: facts for key, facts in world.targets.items() if key != OTHER}
    object.__setattr__(asked.facts, "world", World(world.semesters, world.blocks, targets))
    assert options.compression(asked) == ()


# ── missed again and again ───────────────────────────────────────────────────────────────────


@pytest.mark.parametrize(("misses", "needed"), [(1, 4), (2, 4), (3, 2), (5, 2)])
def test_from_the_third_miss_on_it_is_proposed_half_as_long(misses, needed):
    missed = task_block(MISSED, TASK, at(12, 7, 1, 4))
    found = outcome(missed=missed, misses=misses)
    assert found.metrics.needed == needed
    reason = "repeated_misses" if misses >= 3 else "candidates_found"
    assert told(found) == ("select_candidate", reason, None)


def test_from_the_third_miss_on_it_is_proposed_shorter_in_two_parts_or_dropped():
    ahead = task_block(504, TASK, at(13, 1, 11, 12))
    asked = case(ahead, missed=task_block(MISSED, TASK, at(12, 7, 1, 4)), misses=3)
    found = deciding.decided(asked)
    shorter, split, dropped = found.options
    assert [one.type for one in found.options] == [
        OptionType.MAKEUP,
        OptionType.SPLIT,
        OptionType.DROP,
    ]
    assert shorter.place.length == 2
    assert [place.length for place in split.work] == [2, 2]
    assert [(c.type, c.target.id) for c in dropped.changes] == [(ChangeType.REMOVE, 504)]
    content = showing.content(asked, found)
    assert any("第 3 次没有做完" in fact.zh for fact in content.facts)
    said = [one.summary.zh for one in content.candidates]
    assert "缩短成 2 节" in said[0]
    assert "分成两次" in said[1]
    assert "先放下" in said[2]
    assert "先放下" in content.inaction.zh
    assert "分成两次" not in showing.look(case(ahead, misses=2)).candidates[1].summary.zh


def test_where_nothing_else_lies_ahead_there_is_nothing_to_drop_but_the_makeup():
    found = outcome(missed=task_block(MISSED, TASK, at(12, 7, 1, 4)), misses=3)
    assert [one.type for one in found.options].count(OptionType.SPLIT) == 1
    assert OptionType.DROP not in {one.type for one in found.options}
    assert len(found.options) == 3


def test_the_unfinished_block_itself_is_never_dropped():
    missed = task_block(MISSED, TASK, at(13, 1, 5, 6))
    found = outcome(missed=missed, misses=3)
    assert OptionType.DROP not in {one.type for one in found.options}
    ahead = task_block(504, TASK, at(13, 1, 11))
    (dropped,) = [one for one in outcome(ahead, missed=missed, misses=3).options
                  if one.type is OptionType.DROP]  # fmt: skip
    assert [change.target.id for change in dropped.changes] == [504]


# ── what is shown ────────────────────────────────────────────────────────────────────────────

LOOKS = {
    "makeup": lambda: case(),
    "reorder": lambda: case(*EVENING, item_block(502, 22, at(13, 1, 9, 10)), of_item=True),
    "delay": lambda: case(*LATER_ROOM, deadline=TODAY),
    "delay of an item": lambda: case(
        *LATER_ROOM, of_item=True, rules=ClassRules(date(2026, 11, 30)), deadline=TODAY
    ),
    "other day": lambda: case(*LATER_ROOM),
    "full": lambda: case(*FULL),
    "which": lambda: case(located=False, near=(task_block(506, TASK, at(13, 1, 9)),)),
    "repeated": lambda: case(task_block(504, TASK, at(13, 1, 11, 12)), misses=3),
}


@pytest.mark.parametrize("name", LOOKS)
def test_every_text_is_there_in_both_languages_and_calm(name):
    content = showing.look(LOOKS[name]())
    found = texts(content)
    if content.question is not None:
        found += [content.question.text, *(one.text for one in content.question.choices)]
    for text in found:
        assert bool(text.zh) == bool(text.en), text
        assert not set("!！?？ ") & set(text.en[:1])
        assert "!" not in text.en
        assert "！" not in text.zh
        assert "逾期" not in text.zh
        assert "失败" not in text.zh
    assert content.summary
    assert content.facts


@pytest.mark.parametrize("name", LOOKS)
def test_equal_cases_look_alike_whatever_order_they_were_read_in(name):
    asked = LOOKS[name]()
    world = asked.given.world
    other = World(
        world.semesters,
        tuple(reversed(world.blocks)),
        dict(reversed(world.targets.items())),
        classes=world.classes,
    )
    turned = LOOKS[name]()
    object.__setattr__(turned.given, "world", other)
    assert repr(showing.look(turned.answering(turned.answers))) == repr(showing.look(asked))


def test_before_and_after_tell_what_moves_and_what_shares_a_place():
    asked = case(*EVENING, item_block(502, 22, at(13, 1, 9, 10)), of_item=True)
    content = showing.look(asked)
    (candidate,) = content.candidates
    before = {block.id: block.place for block in content.before}
    after = preview.after(content.before, candidate.changes, content.target_title)
    moved = {block.id: block.place for block in after}
    assert (before[502], moved[502]) == (at(13, 1, 9, 10), at(13, 1, 11, 12))
    assert [block.place for block in after if block.id == 0] == [at(13, 1, 9, 10)]
    assert {k: v for k, v in before.items() if k != 502} == {
        k: v for k, v in moved.items() if k not in (0, 502)
    }


def test_what_is_dropped_is_not_there_afterwards():
    content = showing.look(case(task_block(504, TASK, at(13, 1, 11, 12)), misses=3))
    after = preview.after(content.before, content.candidates[-1].changes, content.target_title)
    assert 504 in {block.id for block in content.before}
    assert 504 not in {block.id for block in after}


def test_a_candidate_of_an_item_names_all_that_it_rests_on():
    asked = case(*EVENING, item_block(502, 22, at(13, 1, 9, 10)), of_item=True)
    (option,) = options.options(asked)
    assert option.base[f"task_class:{CLASS}"] == "1"
    for item in ITEMS[:2]:
        assert option.base[f"task_item:{item.id}"] == "1"
    assert "absent" not in option.base.values()
    assert not validation.judge(option.changes, asked.facts.world, now=NOW, base=option.base)


@pytest.mark.parametrize("name", LOOKS)
def test_what_is_shown_is_stored_and_read_as_it_was(name):
    content = showing.look(LOOKS[name]())
    assert CONTENT.validate_json(CONTENT.dump_json(content)) == content


def test_what_was_stored_before_there_were_questions_is_still_read():
    stored = CONTENT.dump_python(showing.look(case()), mode="json")
    for key in ("question", "answers"):
        del stored[key]
    assert CONTENT.validate_python(stored) == showing.look(case())


EVENINGS = Wish(suits=True, first=9, last=12, text="晚上学习")
NO_SUNDAYS = Wish(suits=False, days=(7,), text="周日休息")


def preferring(asked, *wishes):
    """The same case of a person of whom this is remembered."""
    known = Preferences(PreferenceSource.MEMORY, wishes, tuple(one.text for one in wishes))
    return replace(asked, given=replace(asked.given, preferences=known)).answering(asked.answers)


def test_each_candidate_names_the_remembered_wishes_that_it_fits_and_those_that_it_does_not():
    found = showing.look(preferring(case(), EVENINGS, NO_SUNDAYS))
    assert (found.metrics.preferences, found.metrics.preferences_met) == (2, 2)
    by_place = {one.changes[0].to: one for one in found.candidates}
    morning, evening = by_place[at(13, 1, 3, 4)], by_place[at(13, 1, 9, 10)]
    assert [one.zh for one in morning.preferences_met] == ["「周日休息」"]
    assert [one.zh for one in morning.preferences_unmet] == ["「晚上学习」"]
    assert [one.zh for one in evening.preferences_met] == ["「晚上学习」", "「周日休息」"]
    assert evening.preferences_unmet == ()
    # They stand beside the template's words, which are told to a model as facts.
    words = [text.zh for one in found.candidates for text in (one.summary, one.reason, one.risk)]
    assert not [one for one in words if "晚上学习" in one or "周日休息" in one]


def test_what_a_class_keeps_free_is_named_by_day_and_sections():
    rules = ClassRules(date(2026, 12, 31), excluded_days=(1,), excluded_pairs=(5,))
    (broken,) = showing.look(case(*EVENING, of_item=True, rules=rules)).candidates
    assert broken.changes[0].to == at(13, 1, 11, 12)
    assert [one.zh for one in broken.preferences_unmet] == ["周一不排"]
    assert [one.zh for one in broken.preferences_met] == ["9–10 节不排"]
    kept = showing.look(case(of_item=True, rules=replace(rules, excluded_days=(7,)))).candidates
    assert all(one.preferences_unmet == () for one in kept)
    assert {text.zh for one in kept for text in one.preferences_met} == {"周日不排", "9–10 节不排"}


@pytest.mark.parametrize(
    ("wish", "zh", "en"),
    [
        (Wish(suits=False, days=(6, 7)), "周六、周日不排", "nothing on Sat, Sun"),
        (
            Wish(suits=False, days=(3,), first=1, last=1),
            "周三 第 1 节不排",
            "nothing on Wed in section 1",
        ),
        (Wish(suits=True, first=9, last=12), "9–12 节合适", "in sections 9–12 suits"),
        (Wish(suits=True, days=(1,), text="一" * 50), f"「{'一' * 39}…」", f"“{'一' * 39}…”"),
    ],
)
def test_a_wish_is_told_in_the_words_of_the_person_or_else_by_its_times(wish, zh, en):
    assert preference_words.named(wish) == Text(zh, en)


def test_a_place_more_than_six_days_ahead_is_told_with_its_date():
    blocks = full_days(*HORIZON, but=[(14, 1, 9), (14, 1, 10)])
    asked = case(*blocks).answering(Answers(other_day=True))
    (candidate,) = showing.look(asked).candidates
    assert "12月7日 周一 9–10 节" in candidate.summary.zh
