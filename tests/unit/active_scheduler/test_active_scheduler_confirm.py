"""What a confirmation asks for: the candidate as proposed, or with another place of one change."""

from dataclasses import replace
from datetime import timedelta

import pytest
from hypothesis import given
from hypothesis import strategies as st

from libs.planning.changes import Change, ChangeType
from libs.planning.grid import Place
from libs.planning.validation import RefusalCode, judge
from services.active_scheduler.domain.confirm import Edit, request
from services.active_scheduler.domain.errors import CandidateNotFound, InvalidEdit
from services.active_scheduler.domain.preview import Candidate, Content
from tests.unit.active_scheduler.look_world import (
    NOW,
    OTHER,
    TASK,
    at,
    course,
    local,
    look,
    look_facts,
    steady,
)

DEADLINE = local("2026-12-01T18:00")
FACTS = look_facts(deadline=DEADLINE)
CONTENT = look(FACTS)
CANDIDATE = CONTENT.candidates[0]
PROPOSED = CANDIDATE.changes[0].to
ELSEWHERE = at(13, 1, 7, 8)
TOMORROW = at(13, 2, 5, 6)


def with_two_changes() -> tuple[Content, Candidate]:
    """A candidate of two changes, of which the second is not editable."""
    second = Change("c2", ChangeType.ADD, OTHER, at(13, 1, 9), editable=False)
    two = replace(CANDIDATE, changes=(*CANDIDATE.changes, second))
    return replace(CONTENT, candidates=(two,)), two


def problem(*edits: Edit, content: Content = CONTENT, now=NOW) -> str:
    with pytest.raises(InvalidEdit) as caught:
        request(content, content.candidates[0], edits, now)
    assert caught.value.reason == "invalid_edited_changes"
    assert caught.value.metadata == {
        "change_id": caught.value.change_id,
        "problem": caught.value.problem,
    }
    return caught.value.problem


def test_without_edits_the_candidate_is_asked_for_as_it_is():
    asked = request(CONTENT, CANDIDATE, (), NOW)
    assert (asked.candidate_id, asked.changes) == (CANDIDATE.id, CANDIDATE.changes)
    assert asked.base == CANDIDATE.base


def test_an_edit_to_the_same_place_is_no_edit():
    asked = request(CONTENT, CANDIDATE, [Edit("c1", PROPOSED)], NOW)
    assert asked == request(CONTENT, CANDIDATE, (), NOW)
    assert asked.hash == request(CONTENT, CANDIDATE, (), NOW).hash


def test_an_edit_alters_the_place_and_nothing_else():
    (change,) = request(CONTENT, CANDIDATE, [Edit("c1", ELSEWHERE)], NOW).changes
    assert change.to == ELSEWHERE
    assert replace(change, to=PROPOSED) == CANDIDATE.changes[0]


def test_after_an_edit_rows_still_bind_and_cells_that_were_left_do_not():
    asked = request(CONTENT, CANDIDATE, [Edit("c1", ELSEWHERE)], NOW)
    rows = {key: value for key, value in CANDIDATE.base.items() if not key.startswith("cell:")}
    assert asked.base == rows
    assert set(rows) == {
        "override:2026-11-30",
        "semester:1",
        "target_events:task_pool:11",
        "task_pool:11",
    }


def test_after_an_edit_a_cell_that_is_kept_still_binds():
    shifted = replace(PROPOSED, first=PROPOSED.last, last=PROPOSED.last + 1)
    asked = request(CONTENT, CANDIDATE, [Edit("c1", shifted)], NOW)
    cells = [key for key in asked.base if key.startswith("cell:")]
    assert cells == [f"cell:1:{shifted.week}:{shifted.day}:{shifted.first}"]


def test_after_an_edit_to_another_day_its_override_does_not_bind():
    asked = request(CONTENT, CANDIDATE, [Edit("c1", TOMORROW)], NOW)
    assert not [key for key in asked.base if key.startswith(("cell:", "override:"))]
    assert asked.base["task_pool:11"] == CANDIDATE.base["task_pool:11"]


def test_a_changed_target_refuses_an_edit_and_a_changed_left_cell_does_not():
    asked = request(CONTENT, CANDIDATE, [Edit("c1", TOMORROW)], NOW)
    left_cell_taken = look_facts(course(1, PROPOSED), deadline=DEADLINE).world
    assert judge(asked.changes, left_cell_taken, now=NOW, base=asked.base) == ()
    newer = replace(FACTS.target, placement_version=4)
    moved_on = replace(FACTS.world, targets={TASK: newer})
    (refusal,) = judge(asked.changes, moved_on, now=NOW, base=asked.base)
    assert refusal.code is RefusalCode.BASE_VERSION_CHANGED


@pytest.mark.parametrize(
    ("to", "why"),
    [
        (at(13, 1, 7), "length"),
        (at(13, 1, 7, 9), "length"),
        (at(13, 1, 1, 2**31 - 1), "length"),
        (at(21, 1, 1, 2), "out_of_semester"),
        (at(13, 8, 1, 2), "out_of_semester"),
        (at(13, 1, 12, 13), "out_of_semester"),
        (at(13, 1, 7, 8, semester=2), "out_of_semester"),
        (at(13, 2, 8, 9), "deadline"),
        (at(20, 7, 1, 2), "deadline"),
    ],
)
def test_a_place_that_cannot_be_used_is_no_edit(to, why):
    assert problem(Edit("c1", to)) == why


@pytest.mark.parametrize(
    ("deadline", "now", "binds"),
    [
        ("2026-12-01T17:55", NOW, False),
        ("2026-12-01T17:54:59", NOW, True),
        ("2026-12-01T17:54", local("2026-12-01T17:53:59"), True),
        ("2026-12-01T17:54", local("2026-12-01T17:54"), False),
    ],
)
def test_a_deadline_binds_an_edit_as_it_binds_a_candidate(deadline, now, binds):
    """The slot ends at 17:55; a passed deadline binds no more."""
    content = replace(CONTENT, deadline=local(deadline))
    edit = Edit("c1", at(13, 2, 7, 8))
    if binds:
        assert problem(edit, content=content, now=now) == "deadline"
    else:
        assert request(content, CANDIDATE, [edit], now).changes[0].to == edit.to


def test_without_a_deadline_any_place_of_the_semester_may_be_asked_for():
    content = look(look_facts())
    asked = request(content, content.candidates[0], [Edit("c1", at(20, 7, 11, 12))], NOW)
    assert asked.changes[0].to == at(20, 7, 11, 12)


def test_only_known_changes_are_edited_and_each_once():
    assert problem(Edit("c9", ELSEWHERE)) == "unknown_change"
    assert problem(Edit("c1", ELSEWHERE), Edit("c1", ELSEWHERE)) == "edited_twice"
    assert problem(Edit("c1", PROPOSED), Edit("c1", PROPOSED)) == "edited_twice"


def test_only_editable_changes_are_edited():
    content, two = with_two_changes()
    assert problem(Edit("c2", at(13, 1, 10)), content=content) == "not_editable"
    asked = request(content, two, [Edit("c2", at(13, 1, 9)), Edit("c1", ELSEWHERE)], NOW)
    assert [change.to for change in asked.changes] == [ELSEWHERE, at(13, 1, 9)]
    removal = replace(two.changes[1], type=ChangeType.REMOVE, to=None, editable=True)
    without_place = replace(CONTENT, candidates=(replace(CANDIDATE, changes=(removal,)),))
    assert problem(Edit("c2", at(13, 1, 10)), content=without_place) == "not_editable"
    assert request(without_place, without_place.candidates[0], (), NOW).hash


def test_a_candidate_of_another_preview_is_not_found():
    with pytest.raises(CandidateNotFound) as caught:
        CONTENT.candidate("add_task_pool_to_schedule:11:1:1:1")
    assert caught.value.reason == "candidate_not_found"


# ── the hash ─────────────────────────────────────────────────────────────────────────────────

places = st.builds(at, st.integers(13, 13), st.just(1), st.integers(3, 11)).map(
    lambda place: replace(place, last=place.first + 1)
)


@given(places, places)
@steady
def test_the_hash_is_equal_for_equal_changes_and_for_no_others(one: Place, other: Place):
    first = request(CONTENT, CANDIDATE, [Edit("c1", one)], NOW).hash
    later = request(CONTENT, CANDIDATE, [Edit("c1", other)], DEADLINE + timedelta(days=9)).hash
    assert (first == later) == (one == other)


def test_the_order_of_edits_and_of_changes_decides_nothing():
    second = replace(CANDIDATE.changes[0], change_id="c2", to=at(13, 1, 9, 10))
    two = replace(CANDIDATE, changes=(*CANDIDATE.changes, second))
    edits = [Edit("c1", ELSEWHERE), Edit("c2", TOMORROW)]
    forward = request(CONTENT, two, edits, NOW)
    assert forward == request(CONTENT, two, edits[::-1], NOW)
    turned = replace(two, changes=two.changes[::-1])
    assert request(CONTENT, turned, edits, NOW).hash == forward.hash
    crossed = [Edit("c1", TOMORROW), Edit("c2", ELSEWHERE)]
    assert request(CONTENT, two, crossed, NOW).hash != forward.hash


def test_equal_places_of_different_candidates_differ():
    """The person confirmed a candidate, not a place alone."""
    other = CONTENT.candidates[1]
    place = other.changes[0].to
    edited = request(CONTENT, CANDIDATE, [Edit("c1", place)], NOW)
    proposed = request(CONTENT, other, (), NOW)
    assert edited.changes[0].to == proposed.changes[0].to
    assert edited.hash != proposed.hash
