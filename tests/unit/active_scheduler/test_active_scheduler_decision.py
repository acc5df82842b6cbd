"""What is decided for an urgent task, as tables: the first rule that matches wins."""

from datetime import timedelta
from itertools import product

import pytest

from libs.planning.calendar import Semester
from services.active_scheduler.domain.observation import Action, Severity
from services.active_scheduler.domain.text import Text
from tests.unit.active_scheduler.look_world import (
    NOW,
    SEMESTER,
    TASK,
    at,
    block_of,
    course,
    figures,
    local,
    look,
    look_facts,
    outcome,
    taken,
)

SECOND = timedelta(seconds=1)


def rows(table: str) -> list[list[str]]:
    """The words of each line below the headline."""
    return [line.replace("|", " ").split() for line in table.strip().splitlines()[1:]]


# ── whether anything needs to be done ────────────────────────────────────────────────────────

BLOCKS = {
    "never": (),
    "now": (block_of(TASK, at(13, 1, 1, 3)),),
    "ahead": (block_of(TASK, at(13, 4, 3)),),
    "past": (block_of(TASK, at(12, 1, 3)),),
    "past+ahead": (block_of(TASK, at(12, 1, 3)), block_of(TASK, at(13, 4, 3), 901)),
    "ended_now": (block_of(TASK, at(13, 1, 1), 902),),
}
THRESHOLDS = {"none": None, "passed": NOW - SECOND, "at_now": NOW, "ahead": NOW + SECOND}

URGENCY = """
quadrant threshold  urgent
1        none       yes
1        passed     yes
1        at_now     yes
1        ahead      yes
2        none       no
2        passed     yes
2        at_now     yes
2        ahead      no
3        none       no
3        passed     no
3        at_now     no
3        ahead      no
4        none       no
4        passed     no
4        at_now     no
4        ahead      no
"""

# `*` = whatever it is. Every combination matches exactly one line.
SETTLED = """
state blocks      urgent | action            reason
done  *           *      | close             target_completed
open  now         *      | close             already_scheduled
open  ahead       *      | close             already_scheduled
open  past+ahead  *      | close             already_scheduled
open  past        *      | close             assumed_completed
open  ended_now   *      | close             assumed_completed
open  never       no     | close             not_urgent
open  never       yes    | select_candidate  candidates_found
"""


def test_each_state_and_urgency_leads_to_exactly_one_action_and_reason():
    rules, seen = rows(SETTLED), set()
    for state, (name, blocks), (quadrant, threshold, urgent) in product(
        ("open", "done"), BLOCKS.items(), rows(URGENCY)
    ):
        case = (state, name, urgent)
        matching = [
            tuple(rule[3:])
            for rule in rules
            if all(wanted in ("*", is_) for wanted, is_ in zip(rule[:3], case, strict=True))
        ]
        assert len(matching) == 1, case
        # 09:30: section 1 is over, 2 runs.
        facts = look_facts(
            *blocks,
            now=NOW + timedelta(minutes=30) if name == "now" else NOW,
            done=state == "done",
            quadrant=int(quadrant),
            threshold=THRESHOLDS[threshold],
        )
        assert outcome(facts) == matching[0], (case, quadrant, threshold)
        seen.add(matching[0])
    assert seen == {tuple(rule[3:]) for rule in rules}


@pytest.mark.parametrize(
    ("now", "reason"),
    [
        ("2026-11-30T11:54:59", "already_scheduled"),
        ("2026-11-30T11:55:00", "assumed_completed"),
    ],
)
def test_a_block_counts_as_scheduled_until_its_last_section_ends(now, reason):
    facts = look_facts(block_of(TASK, at(13, 1, 3, 4)), now=local(now))
    assert outcome(facts) == ("close", reason)


def test_a_past_block_of_an_earlier_semester_counts_as_done():
    old = Semester(9, SEMESTER.first_day - timedelta(weeks=30), 20, "Asia/Shanghai", *_clock())
    facts = look_facts(block_of(TASK, at(3, 1, 1, semester=9)), semesters=(old, SEMESTER))
    assert outcome(facts) == ("close", "assumed_completed")


def _clock() -> tuple[object, int]:
    return SEMESTER.clock, 1


# ── whether there is room ────────────────────────────────────────────────────────────────────

# The window from Monday 09:00 holds Monday 3-12 and Tuesday 1.
ROOMS = {
    "empty": (),
    "fragmented": taken(1, 4, 6, 8, 10, 12),
    "pairs": (*taken(1, 5, 8, 9, 12), *taken(2, 1, first_id=300)),
    "evening": taken(1, *range(3, 9)),
    "full": (*taken(1, *range(3, 13)), *taken(2, 1, first_id=300)),
}
DEADLINES = {
    "none": None,
    "passed": NOW - timedelta(hours=1),
    "at_now": NOW,
    "18:00": local("2026-11-30T18:00"),
    "22:29": local("2026-11-30T22:29"),
    "22:30": local("2026-11-30T22:30"),
    "beyond": local("2026-12-02T20:00"),
}
# Sections of the longest free run that ends by a deadline which has not passed: section 12 ends
# at 22:30, and a slot that ends after the deadline is not before it.
LONGEST = """
room        none passed at_now 18:00 22:29 22:30 beyond
empty       4    4      4      4     4     4     4
fragmented  1    1      1      1     1     1     1
pairs       2    2      2      2     2     2     2
evening     4    4      4      0     3     4     4
full        0    0      0      0     0     0     0
"""
ASKED = {"room_after_deadline", "room_in_two_parts", "room_when_shorter"}
LENGTHS = """
estimate needed warning
null     1      estimate_assumed
0        1      estimate_clamped
1        1      -
2        2      -
3        3      -
4        4      -
9        4      estimate_clamped
"""


@pytest.mark.parametrize(("estimate", "needed", "warning"), rows(LENGTHS))
def test_room_before_the_deadline_decides_between_candidates_question_and_notice(
    estimate, needed, warning
):
    for room, *runs in rows(LONGEST):
        for (name, deadline), run in zip(DEADLINES.items(), runs, strict=True):
            facts = look_facts(
                *ROOMS[room],
                deadline=deadline,
                estimate=None if estimate == "null" else int(estimate),
            )
            content = look(facts)
            case = (estimate, room, name)
            assert content.metrics.longest_run == int(run), case
            assert content.metrics.needed == content.planned_sections == int(needed), case
            assert content.warnings == (() if warning == "-" else (warning,)), case
            if int(needed) <= int(run):
                expected = ("select_candidate", {"candidates_found"})
            elif room == "full":
                expected = ("notify_only", {"window_full"})
            else:
                # Later, in two parts or shorter: docs/decisions.md tells which.
                expected = ("ask_user", ASKED)
            assert content.decision.action.value == expected[0], case
            assert content.decision.reason in expected[1], case
            assert bool(content.candidates) == (content.selected_id is not None), case
            assert bool(content.candidates) == (expected[0] == "select_candidate"), case
            assert (content.question is not None) == (expected[0] == "ask_user"), case
            assert (content.metrics.capacity_gap > 0) == (not content.candidates), case


def test_the_length_of_every_candidate_is_the_needed_one():
    for estimate, needed, _ in rows(LENGTHS):
        facts = look_facts(estimate=None if estimate == "null" else int(estimate))
        for candidate in look(facts).candidates:
            assert [change.to.length for change in candidate.changes] == [int(needed)]


def test_breaks_are_never_bridged_to_make_room():
    """B042: sections 4 and 5 are free, lunch lies between them."""
    blocks = (*taken(1, 3, *range(6, 13)), *taken(2, 1, first_id=300))
    assert outcome(look_facts(*blocks)) == ("ask_user", "room_when_shorter")
    assert outcome(look_facts(*blocks, estimate=1)) == ("select_candidate", "candidates_found")


def test_an_embeddable_course_is_no_room():
    blocks = [course(100 + s, at(13, 1, s), embeddable=True) for s in range(3, 13)]
    blocks += [course(300, at(13, 2, 1), embeddable=True)]
    assert outcome(look_facts(*blocks)) == ("notify_only", "window_full")


# ── where the calendar ends ──────────────────────────────────────────────────────────────────

CALENDAR = """
now               | action           reason           longest total
2026-09-04T12:00  | notify_only      no_window        0       0
2026-09-06T07:59  | notify_only      no_window        0       0
2026-09-06T08:44  | notify_only      no_window        0       0
2026-09-06T08:45  | ask_user         room_when_shorter 1      1
2026-09-06T09:40  | select_candidate candidates_found 2       2
2026-09-06T10:00  | select_candidate candidates_found 2       2
2026-09-06T23:00  | select_candidate candidates_found 4       12
2026-11-30T00:00  | select_candidate candidates_found 4       12
2026-11-30T08:00  | select_candidate candidates_found 4       12
2026-11-30T22:30  | select_candidate candidates_found 4       12
2026-12-01T00:00  | select_candidate candidates_found 4       12
2027-01-23T23:59  | select_candidate candidates_found 4       12
2027-01-24T20:00  | select_candidate candidates_found 2       2
2027-01-24T21:00  | ask_user         room_when_shorter 1      1
2027-01-24T21:46  | notify_only      no_window        0       0
2027-01-25T08:00  | notify_only      no_window        0       0
"""


@pytest.mark.parametrize(("now", "action", "reason", "longest", "total"), rows(CALENDAR))
def test_the_window_ends_with_the_semester_and_runs_over_midnight(
    now, action, reason, longest, total
):
    facts = look_facts(now=local(now), threshold=None)
    assert outcome(facts) == (action, reason)
    metrics = figures(facts)
    assert (metrics.longest_run, metrics.total) == (int(longest), int(total))


def test_without_a_semester_the_person_is_only_told():
    assert outcome(look_facts(semesters=())) == ("notify_only", "no_window")


@pytest.mark.parametrize(
    ("now", "first"),
    [("2026-11-30T10:15:00", 3), ("2026-11-30T10:15:00.000001", 4)],
)
def test_a_section_that_starts_now_is_free_and_one_that_has_started_is_not(now, first):
    facts = look_facts(now=local(now), estimate=1)
    starts = {c.changes[0].to.first for c in look(facts).candidates}
    assert min(starts) == first


# ── findings and figures ─────────────────────────────────────────────────────────────────────


def test_nothing_is_found_and_nothing_is_said_where_nothing_needs_to_be_done():
    for facts in (
        look_facts(done=True),
        look_facts(*BLOCKS["ahead"]),
        look_facts(*BLOCKS["past"]),
        look_facts(quadrant=3),
    ):
        content = look(facts)
        assert content.decision.action is Action.CLOSE
        assert not content.decision.writes_preview
        assert content.issues == content.facts == content.candidates == content.before == ()
        assert content.selected_id is None
        assert content.summary == content.inaction == Text()


def test_findings_come_most_severe_first():
    facts = look_facts(*ROOMS["full"], deadline=NOW - SECOND)
    issues = look(facts).issues
    assert [issue.code for issue in issues] == [
        "no_room",
        "urgent_task_not_scheduled",
        "deadline_passed",
    ]
    assert [issue.severity for issue in issues] == [Severity.CRITICAL, *[Severity.WARNING] * 2]


@pytest.mark.parametrize(
    ("deadline", "codes"),
    [
        (None, ["urgent_task_not_scheduled"]),
        (NOW + SECOND, ["no_room", "urgent_task_not_scheduled"]),
        (NOW, ["urgent_task_not_scheduled", "deadline_passed"]),
    ],
)
def test_a_deadline_binds_until_it_has_passed(deadline, codes):
    assert [issue.code for issue in look(look_facts(deadline=deadline)).issues] == codes


def test_the_figures_name_what_took_the_room():
    """B021: the whole window, guests in their hosts counted once."""
    host = course(1, at(13, 1, 3, 4), embeddable=True)
    guest = block_of(TASK, at(13, 1, 3), 2)
    metrics = figures(
        look_facts(host, course(3, at(13, 1, 5, 6)), block_of(TASK, at(13, 1, 9, 10), 4))
    )
    assert (metrics.taken_by_courses, metrics.taken_by_tasks) == (4, 2)
    assert (metrics.free, metrics.total) == (5, 11)
    with_guest = figures(look_facts(host, guest))
    assert with_guest.taken_by_courses + with_guest.taken_by_tasks == 2
    assert with_guest.free + 2 == with_guest.total


def test_what_was_before_is_every_block_of_the_days_that_a_candidate_touches():
    monday = (course(1, at(13, 1, 1, 2)), course(2, at(13, 1, 9, 10)))
    elsewhere = (course(3, at(13, 3, 1)), course(4, at(12, 1, 1)))
    content = look(look_facts(*elsewhere, *reversed(monday)))
    assert content.before == monday
    assert content.semesters == (SEMESTER,)
