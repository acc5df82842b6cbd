"""How far ahead a look reads: the rules look until a week behind what binds the target."""

from dataclasses import replace
from datetime import date, timedelta

import pytest

from services.active_scheduler.domain import deciding
from services.active_scheduler.domain.case import ClassRules, case_of
from services.active_scheduler.domain.questions import Answers, QuestionKind
from services.active_scheduler.domain.snapshot import FURTHEST, LONGEST, Snapshot
from tests.unit.active_scheduler.feedback_world import HORIZON, case, full_days
from tests.unit.active_scheduler.look_world import NOW, local, look_facts

FULL = full_days(*HORIZON)
DAY = timedelta(days=1)


def read_on(asked):
    """How far a look at a case reads on, where it was read as far as the case knows."""
    seen = Snapshot(asked.given, asked.known_until, asked.block, asked.rules)
    return seen.reading_on(asked, deciding.decided(asked).decision)


def test_what_has_room_or_is_settled_reads_no_further():
    assert read_on(case(known=DAY)) is None
    assert read_on(case(*FULL, done=True, known=DAY)) is None
    assert read_on(case(misses=3, known=DAY)) is None


def test_without_a_deadline_it_reads_a_week_behind_the_window():
    assert read_on(case(*FULL, known=DAY)) == 8 * DAY
    assert read_on(case(*FULL, known=8 * DAY)) is None
    assert read_on(case_of(look_facts(*FULL))) == 8 * DAY


@pytest.mark.parametrize(
    ("deadline", "wanted"),
    [
        ("2026-11-29T23:00", None),
        ("2026-12-02T09:00", None),
        ("2026-12-12T09:00", 19 * DAY),
        ("2027-03-01T09:00", LONGEST),
    ],
    ids=["passed", "soon", "in twelve days", "far away"],
)
def test_with_one_it_reads_a_week_behind_it_but_not_without_end(deadline, wanted):
    assert read_on(case(*FULL, deadline=local(deadline), known=FURTHEST)) == wanted


def test_what_can_only_be_compressed_or_asked_about_reads_on_as_well():
    late = local("2026-12-12T09:00")
    asked = case(*FULL, deadline=late, known=FURTHEST)
    assert deciding.decided(asked).decision.reason == "window_full"
    later = replace(asked.answers, declined=(QuestionKind.DELAY_END,))
    assert read_on(asked.answering(later)) == 19 * DAY


def test_an_agreed_end_later_reads_as_far_as_the_deadline_did():
    asked = case(*FULL, deadline=local("2026-12-12T09:00"), known=FURTHEST)
    assert read_on(asked.answering(Answers(may_end_later=True))) == 19 * DAY


def test_room_before_the_class_ends_is_found_once_it_is_known():
    end = date(2026, 12, 12)
    deadline = local("2026-12-13T00:00")
    short = case(*FULL, of_item=True, rules=ClassRules(end), deadline=deadline, known=FURTHEST)
    assert deciding.decided(short).decision.reason == "window_full"
    far = case(*FULL, of_item=True, rules=ClassRules(end), deadline=deadline, known=20 * DAY)
    found = deciding.decided(far)
    assert found.decision.reason == "reorder_found"
    (option,) = found.options
    assert far.facts.world.grid.starts_at(option.place) > NOW + FURTHEST
