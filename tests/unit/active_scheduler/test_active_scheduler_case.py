"""From words and an answer of the schedule service to the case of a look."""

from datetime import UTC, date, datetime, time, timedelta

import pytest

from libs.planning.grid import Target, TargetKind
from services.active_scheduler.domain import deciding, feedback
from services.active_scheduler.domain.case import ClassRules
from services.active_scheduler.domain.quiet import QuietHours
from services.active_scheduler.wire import facts as facts_wire
from services.active_scheduler.wire import plan, snapshot, values
from smartmate.schedule.v1 import schedule_service_pb2 as schedule_pb2
from smartmate.schedule.v1 import task_class_pb2, user_settings_pb2
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
from tests.unit.active_scheduler.look_world import NOW, OTHER, SEMESTER, TASK, at, course, local

LAID = case().facts.world.grid

# ── which block words are about ──────────────────────────────────────────────────────────────

YESTERDAY = task_block(601, TASK, at(12, 7, 4))
TOMORROW = task_block(602, OTHER, at(13, 2, 1))
LONG_AGO = task_block(603, TASK, at(12, 6, 9))
LATER = task_block(604, TASK, at(13, 2, 3))


def test_words_are_about_work_of_the_last_and_the_next_24_hours():
    blocks = (LATER, TOMORROW, course(605, at(13, 1, 3)), LONG_AGO, YESTERDAY)
    assert feedback.near(blocks, LAID, NOW) == (YESTERDAY, TOMORROW)


@pytest.mark.parametrize(
    ("now", "is_near"),
    [
        ("2026-11-30T11:54:59", True),
        ("2026-11-30T11:55:00", False),
        ("2026-11-28T11:10:00", False),
        ("2026-11-28T11:10:01", True),
    ],
)
def test_a_block_is_near_until_a_day_after_its_end_and_from_a_day_before_its_start(now, is_near):
    # 11:10 to 11:55 on Sunday.
    assert bool(feedback.near([YESTERDAY], LAID, local(now))) == is_near


@pytest.mark.parametrize(
    ("fitting", "block", "choices"),
    [
        ({601}, YESTERDAY, ()),
        ({601, 999}, YESTERDAY, ()),
        ({601, 602}, None, (YESTERDAY, TOMORROW)),
        (set(), None, (YESTERDAY, TOMORROW)),
        ({999}, None, (YESTERDAY, TOMORROW)),
    ],
)
def test_one_that_fits_is_meant_and_of_several_or_none_one_is_asked_for(fitting, block, choices):
    found = feedback.located((YESTERDAY, TOMORROW), fitting)
    assert (found.block, found.choices) == (block, choices)


def test_an_item_means_its_last_block_that_has_begun_or_else_the_next():
    early, last = item_block(1, 21, at(12, 1, 1)), item_block(2, 21, at(12, 7, 1))
    ahead, further = item_block(3, 21, at(13, 1, 9)), item_block(4, 21, at(13, 4, 9))
    other = item_block(5, 22, at(12, 7, 9))
    assert feedback.meant((ahead, early, other, last), LAID, ITEMS[0], NOW) == last
    assert feedback.meant((further, other, ahead), LAID, ITEMS[0], NOW) == ahead
    assert feedback.meant((other,), LAID, ITEMS[0], NOW) is None


def test_misses_are_blocks_of_the_last_14_days_and_the_same_block_counts_once():
    days = timedelta(days=1)
    told = [(1, NOW - 13 * days), (1, NOW - days), (2, NOW - 2 * days), (3, NOW - 14 * days)]
    assert feedback.misses(told, block_id=4, now=NOW) == 3
    assert feedback.misses(told, block_id=2, now=NOW) == 2
    assert feedback.misses([], block_id=2, now=NOW) == 1


def test_a_miss_that_was_told_by_a_clock_ahead_counts_and_one_of_a_later_day_does_not():
    """Two clocks of two services; a mock clock may stand long before what was told since."""
    told = [(1, NOW + timedelta(seconds=180)), (2, NOW + timedelta(days=1))]
    assert feedback.misses(told, block_id=3, now=NOW) == 2


# ── what the schedule service answers ────────────────────────────────────────────────────────


def message_of(block):
    message = plan.block_message(block, (SEMESTER,))
    message.task_class_id, message.task_order = block.class_id or 0, block.order or 0
    message.makeup_for_event_id = block.makeup_for_id or 0
    return message


def answer_of(asked, *, asked_event=None):
    """The answer about the item of a case, over the wire."""
    world, target = asked.given.world, asked.given.target
    blocks = [message_of(block) for block in world.blocks if block.place.week >= 13]
    message = schedule_pb2.GetSchedulingFactsResponse(
        now_time=values.timestamp(asked.given.now),
        target=schedule_pb2.TargetFacts(
            target=values.target_message(target.target),
            title=target.title,
            placement_version=1,
            estimated_sections=2,
            task_class_id=CLASS,
            task_order=1,
        ),
        semesters=[plan.semester_message(SEMESTER)],
        events=blocks,
        target_events=[message_of(b) for b in world.blocks if b.source == target.target],
        asked_event=message_of(asked_event) if asked_event else None,
        task_class=task_class_pb2.TaskClass(
            task_class_id=CLASS,
            end_date="2026-12-31",
            excluded_days_of_week=[7],
            excluded_pairs=[1, 2],
            placement_version=1,
            items=[
                task_class_pb2.TaskItem(
                    task_item_id=one.id, content=f"第{one.id - 20}章", order=one.id - 20,
                    placement_version=1,
                )
                for one in ITEMS
            ],
        ),
        class_events=[message_of(block) for block in world.blocks if block.class_id],
    )  # fmt: skip
    return schedule_pb2.GetSchedulingFactsResponse.FromString(message.SerializeToString())


EVENING = full_days(*HORIZON, but=[(13, 1, s) for s in (9, 10, 11, 12)])
RULES = ClassRules(date(2026, 12, 31), (7,), (1, 2))


@pytest.mark.parametrize("is_named", [True, False], ids=["a block", "an item"])
def test_a_look_by_wire_decides_as_the_facts_do_and_rests_on_the_same(is_named):
    missed = item_block(MISSED, 21, DONE_ON)
    later = item_block(502, 22, at(13, 1, 9, 10))
    asked = case(*EVENING, later, missed=missed, of_item=True, rules=RULES)
    answer = answer_of(asked, asked_event=missed if is_named else None)
    found = snapshot.snapshot(answer, horizon=timedelta(days=9))
    read = found.unfinished(misses=1)
    assert (found.known_until, found.is_of_pool) == (asked.known_until, False)
    assert read.block == missed
    assert read.rules == RULES
    assert deciding.decided(read).options == deciding.decided(asked).options
    assert deciding.decided(read).decision.reason == "reorder_found"


def test_the_length_that_a_person_chose_for_tasks_without_an_estimate_is_read():
    missed = item_block(MISSED, 21, DONE_ON)
    answer = answer_of(case(missed=missed, of_item=True))
    answer.target.ClearField("estimated_sections")
    assert snapshot.facts(answer).needed_sections == 1
    answer.settings.default_estimated_sections = 3
    assert snapshot.facts(answer).needed_sections == 3


def test_a_pool_task_has_no_class():
    answer = answer_of(case(missed=item_block(MISSED, 21, DONE_ON), of_item=True))
    for field in ("task_class", "class_events"):
        answer.ClearField(field)
    answer.target.task_class_id = answer.target.task_order = 0
    answer.target.target.CopyFrom(values.target_message(TASK))
    read = snapshot.snapshot(answer).unfinished(misses=1)
    assert (read.rules, read.facts.target.class_id, read.facts.world.classes) == (None, None, {})
    assert read.facts.target.target == Target(TargetKind.TASK_POOL, TASK.id)


def test_a_class_without_an_end_asks_for_none():
    assert snapshot.class_rules(task_class_pb2.TaskClass()) == ClassRules()


def test_quiet_hours_are_read_where_they_are_set():
    assert facts_wire.quiet_hours(user_settings_pb2.UserSettings(time_zone="Asia/Shanghai")) is None
    hours = user_settings_pb2.QuietHours(start_minute_of_day=22 * 60 + 30, end_minute_of_day=0)
    settings = user_settings_pb2.UserSettings(quiet_hours=hours, time_zone="Europe/Berlin")
    read = facts_wire.quiet_hours(settings)
    assert read == QuietHours(time(22, 30), time(0), "Europe/Berlin")
    midnight = datetime(2026, 11, 30, 23, tzinfo=UTC)
    assert read.end_of(midnight - timedelta(minutes=1)) == midnight
