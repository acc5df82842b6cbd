"""What was told, asked and answered, on its way into and out of messages."""

from dataclasses import replace
from datetime import date, timedelta

import pytest

from libs.planning.grid import Target, TargetKind
from libs.rpc.errors import InvalidRequest
from services.active_scheduler.domain import selection, showing
from services.active_scheduler.domain.case import ClassRules
from services.active_scheduler.domain.errors import UnsupportedTarget
from services.active_scheduler.domain.options import OptionType
from services.active_scheduler.domain.preview import Reply, Selection
from services.active_scheduler.domain.questions import QuestionKind
from services.active_scheduler.domain.selection import Chosen
from services.active_scheduler.domain.snapshot import Snapshot, Surroundings
from services.active_scheduler.domain.text import SILENCE, Text
from services.active_scheduler.domain.trigger import (
    Trigger,
    TriggerSource,
    TriggerState,
    TriggerType,
    checked,
    type_for,
)
from services.active_scheduler.wire import agent, preview, trigger
from smartmate.active_scheduler.v1 import preview_pb2, question_pb2, trigger_pb2
from smartmate.agent.v1 import agent_service_pb2 as agent_pb
from smartmate.text.v1.localized_text_pb2 import LocalizedText
from tests.unit.active_scheduler import look_world
from tests.unit.active_scheduler.feedback_world import (
    CLASS,
    HORIZON,
    case,
    full_days,
    item_block,
    task_block,
)
from tests.unit.active_scheduler.look_world import (
    NOW,
    OTHER,
    SEMESTER,
    TASK,
    at,
    course,
    look_facts,
)

URGENT, UNFINISHED = TriggerType
BLOCK = Target(TargetKind.SCHEDULE_EVENT, 5)
ITEM = Target(TargetKind.TASK_ITEM, 21)


def stored(**altered):
    """A trigger of feedback in words, as it is stored."""
    found = Trigger(
        id="ast_2",
        sequence=2,
        user_id=1,
        type=UNFINISHED,
        source=TriggerSource.USER_FEEDBACK,
        target=None,
        state=TriggerState.PENDING,
        reason="",
        preview_id=None,
        created_at=NOW,
        finished_at=None,
        mock_now=None,
        linked_trigger_id=None,
        feedback_id="fb-1",
        words="刚才那个没做完",
    )
    return replace(found, **altered)


@pytest.mark.parametrize(
    ("type_", "target", "is_fine"),
    [
        (URGENT, TASK, True),
        (URGENT, ITEM, False),
        (URGENT, BLOCK, False),
        (UNFINISHED, TASK, False),
        (UNFINISHED, ITEM, True),
        (UNFINISHED, BLOCK, True),
    ],
)
def test_each_kind_of_trigger_looks_at_what_it_can(type_, target, is_fine):
    if is_fine:
        assert checked(type_, target) == target
        assert type_for(target) is type_
        return
    with pytest.raises(UnsupportedTarget):
        checked(type_, target)


def test_the_first_trigger_of_a_line_is_its_line():
    assert stored().line_id == "ast_2"
    assert stored(line="ast_1").line_id == "ast_1"


def test_every_name_has_a_number_of_its_own():
    for names, table, numbers in (
        (OptionType, preview.TYPES, preview_pb2.CandidateType),
        (QuestionKind, preview.QUESTIONS, question_pb2.QuestionKind),
        (TriggerType, trigger.TRIGGER_TYPE_NUMBERS, trigger_pb2.TriggerType),
    ):
        assert set(table) == set(names)
        assert sorted(table.values()) == sorted(numbers.values())[1:]


def test_words_without_a_target_are_told_as_such():
    message = trigger.trigger_message(stored())
    assert not message.HasField("target")
    assert (message.feedback_id, message.words) == ("fb-1", "刚才那个没做完")
    assert trigger.trigger_message(stored(target=BLOCK)).target.id == 5


@pytest.mark.parametrize("text", ["长" * 501, "a\0b"])
def test_words_that_cannot_be_kept_are_refused(text):
    with pytest.raises(InvalidRequest):
        trigger.checked_words(text)


def test_words_lose_the_space_around_them_and_may_be_long():
    assert trigger.checked_words("  没做完\n") == "没做完"
    assert len(trigger.checked_words("长" * 500)) == 500


def test_states_are_read_once_each_and_unknown_ones_refused():
    failed = trigger_pb2.TRIGGER_STATE_FAILED
    assert trigger.checked_states([failed, failed]) == (TriggerState.FAILED,)
    assert trigger.checked_states([]) == ()
    for number in (0, 99):
        with pytest.raises(InvalidRequest):
            trigger.checked_states([number])


# ── what is around words ─────────────────────────────────────────────────────────────────────

YESTERDAY = task_block(601, TASK, at(12, 7, 9, 10))
TOMORROW = task_block(602, OTHER, at(13, 2, 1))
AROUND = Surroundings.of(
    NOW,
    (SEMESTER,),
    (TOMORROW, course(603, at(13, 1, 3)), YESTERDAY, task_block(604, OTHER, at(12, 5, 1))),
    {},
)


def test_what_is_around_is_told_with_its_times():
    message = agent.locate_call("刚才那个没做完", AROUND)
    assert (message.text, message.time_zone) == ("刚才那个没做完", "Asia/Shanghai")
    assert message.now_time.ToDatetime() == NOW.replace(tzinfo=None)
    assert [one.event_id for one in message.blocks] == [601, 602]
    first = message.blocks[0]
    assert (first.day_of_week, first.first_section, first.last_section) == (7, 9, 10)
    starts_at = AROUND.laid.starts_at(YESTERDAY.place)
    assert first.start_time.ToDatetime() == starts_at.replace(tzinfo=None)


def test_a_block_of_an_item_is_told_with_the_name_of_its_class():
    blocks = (item_block(601, 21, at(12, 7, 9)), item_block(602, 22, at(13, 1, 5)), TOMORROW)
    around = Surroundings.of(NOW, (SEMESTER,), (*blocks,), {CLASS: "复习线代"})
    told = agent.locate_call("线代没做完", around).blocks
    assert [one.task_class_name for one in told] == ["复习线代", "复习线代", ""]
    unknown = replace(around, class_names={})
    told = agent.locate_call("线代没做完", unknown).blocks
    assert {one.task_class_name for one in told} == {""}


def test_of_too_many_blocks_the_nearest_are_told_in_order_of_time():
    many = [
        task_block(700 + n, OTHER, at(12 + n // 100, 1 + n % 7, 1 + n % 12)) for n in range(300)
    ]
    around = replace(AROUND, blocks=tuple(sorted(many, key=lambda b: (b.place, b.id))))
    told = agent.locate_call("没做完", around).blocks
    assert len(told) == 200
    starts = [one.start_time.seconds for one in told]
    assert starts == sorted(starts)


def test_a_question_about_words_names_the_blocks_and_measures_nothing():
    content = showing.unlocated(AROUND.blocks, AROUND.laid, NOW)
    assert content.question.kind is QuestionKind.WHICH_BLOCK
    assert [choice.block_id for choice in content.question.choices] == [601, 602]
    assert content.summary == content.question.text
    assert (content.candidates, content.metrics.total, content.target_title) == ((), 0, "")


def test_a_question_is_told_with_its_answer():
    content = showing.unlocated(AROUND.blocks, AROUND.laid, NOW)
    at_ = NOW + timedelta(minutes=1)
    asked = look_world.preview(content, target=None, trigger_type=UNFINISHED)
    message = preview.preview_message(asked)
    assert not message.HasField("target")
    assert not message.question.HasField("answer_time")
    assert not preview.summary_message(asked).is_answered
    answered = replace(asked, reply=Reply("block:601", "是它", "ast_3", at_))
    question = preview.preview_message(answered).question
    assert (question.answered_choice_id, question.answer_words) == ("block:601", "是它")
    assert question.answer_trigger_id == "ast_3"
    assert question.answer_time.ToDatetime() == at_.replace(tzinfo=None)
    assert preview.summary_message(answered).is_answered


def test_an_undone_preview_tells_when_that_was():
    undone = look_world.preview(look_world.look(look_facts()), undone_at=NOW)
    assert preview.preview_message(undone).undo_time.ToDatetime() == NOW.replace(tzinfo=None)


# ── snapshots ────────────────────────────────────────────────────────────────────────────────


def test_a_block_that_is_asked_about_is_the_one_that_is_meant():
    missed, later = item_block(1, 21, at(12, 7, 1)), item_block(2, 21, at(12, 7, 9))
    facts = case(later, missed=missed, of_item=True).given
    assert Snapshot(facts, NOW, asked=missed).block == missed
    assert Snapshot(facts, NOW).block == later
    assert Snapshot(facts, NOW).unfinished(misses=2).unfinished.misses == 2


def test_a_snapshot_of_a_pool_task_is_its_case():
    facts = look_facts()
    seen = Snapshot(facts, NOW + timedelta(days=9))
    assert seen.is_of_pool
    assert (seen.urgent().given, seen.urgent().known_until) == (facts, seen.known_until)


# ── what the agent service is told and says ──────────────────────────────────────────────────

LATER = item_block(502, 22, at(13, 1, 9, 10))
RULES = ClassRules(date(2026, 12, 31), (7,), (1, 2))
EVENING = full_days(*HORIZON, but=[(13, 1, s) for s in (9, 10, 11, 12)])
REORDERED = showing.look(case(*EVENING, LATER, of_item=True, rules=RULES))


def test_a_brief_names_nothing_but_the_title():
    assert REORDERED.decision.reason == "reorder_found"
    (candidate,) = REORDERED.candidates
    assert "「第二章」" in candidate.reason.zh
    (brief,) = agent.select_call(REORDERED, ()).candidates
    assert "第二章" not in brief.SerializeToString().decode(errors="ignore")
    assert "「第一章」" in brief.summary.zh_cn
    assert "另一项" in brief.reason.zh_cn
    assert len(brief.places) == 2


def test_where_the_words_are_no_models_our_own_stay():
    id_ = REORDERED.candidates[0].id
    said = LocalizedText(zh_cn="另一项让开。", en_us="Another one gives way.")
    answer = agent_pb.SelectCandidateResponse(
        selected_candidate_id=id_,
        summary=said,
        reason=said,
        risk=said,
        notification_text=said,
        fallback_reason="no_model",
    )
    kept = selection.chosen(REORDERED, agent.chosen(answer))
    assert kept.summary == REORDERED.candidates[0].summary
    assert selection.worded(kept, kept.candidates[0]) == REORDERED.candidates[0]
    answer.fallback_reason = ""
    told = selection.chosen(REORDERED, agent.chosen(answer))
    assert told.summary.zh == "另一项让开。"
    assert selection.worded(told, told.candidates[0]).reason.zh == "另一项让开。"


def test_the_risk_of_a_compression_is_told_as_it_is():
    candidate = replace(
        REORDERED.candidates[0], type=OptionType.COMPRESS, risk=Text("两项都会被压缩。", "Both.")
    )
    content = replace(REORDERED, candidates=(candidate,))
    said = Chosen(candidate.id, SILENCE, Selection(risk=Text("没有风险。", "None.")))
    told = selection.chosen(content, said)
    assert selection.worded(told, candidate).risk == candidate.risk
