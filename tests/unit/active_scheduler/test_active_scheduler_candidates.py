"""Candidates: each could be applied as it stands, and equal facts give equal bytes."""

import re
from collections.abc import Iterator
from dataclasses import replace
from datetime import UTC, date, datetime, time, timedelta

import pytest
from hypothesis import event, given, settings
from hypothesis import strategies as st

from libs.planning.calendar import Semester
from libs.planning.changes import ChangeType
from libs.planning.grid import Place
from libs.planning.validation import judge
from services.active_scheduler.domain import candidates
from services.active_scheduler.domain.candidates import Family
from services.active_scheduler.domain.case import case_of
from services.active_scheduler.domain.facts import Facts
from services.active_scheduler.domain.preview import Candidate, Content, after
from services.active_scheduler.domain.questions import Question
from services.active_scheduler.store.codec import BASE, CHANGES, CONTENT
from tests.unit.active_scheduler.look_world import (
    SEMESTER,
    TASK,
    at,
    course,
    local,
    look,
    look_facts,
    shuffled,
    steady,
    taken,
    texts,
    worlds,
)

many = settings(steady, max_examples=300)
TWO_HOURS = timedelta(hours=2)


def offered(facts: Facts) -> dict[Family, Place]:
    return {one.family: place_of(one) for one in look(facts).candidates}


def place_of(candidate: Candidate) -> Place:
    (change,) = candidate.changes
    assert change.to is not None
    return change.to


def instants(place: Place, semester: Semester) -> tuple[datetime, datetime]:
    """Start and end, worked out from wall time and zone alone."""
    on = semester.first_day + timedelta(days=7 * (place.week - 1) + place.day - 1)
    first, last = (semester.clock.sections[n - 1] for n in (place.first, place.last))

    def instant(at_: time) -> datetime:
        return datetime.combine(on, at_, tzinfo=semester.zone).astimezone(UTC)

    return instant(first.start), instant(last.end)


def fitting(facts: Facts) -> Iterator[tuple[Place, datetime, datetime]]:
    """Every place that is allowed, found by trying all of them."""
    length = min(max(facts.target.estimated_sections or 1, 1), 4)
    deadline = facts.target.deadline
    latest = facts.now + timedelta(hours=24)
    if deadline is not None and deadline > facts.now:
        latest = min(latest, deadline)
    for semester in facts.world.semesters:
        clock = semester.clock
        for day in range(7 * semester.weeks):
            on = semester.first_day + timedelta(days=day)
            if abs((on - facts.now.date()).days) > 3:
                continue
            for first in range(1, clock.count - length + 2):
                last = first + length - 1
                place = Place(semester.id, day // 7 + 1, day % 7 + 1, first, last)
                start, end = instants(place, semester)
                bridges = any(first <= b < last for b in (clock.lunch_after, clock.dinner_after))
                free = not any(block.place.overlaps(place) for block in facts.world.blocks)
                if facts.now <= start and end <= latest and free and not bridges:
                    yield place, start, end


@given(worlds)
@many
def test_every_candidate_could_be_applied_to_the_unchanged_world(facts):
    content = look(facts)
    event(f"{len(content.candidates)} candidates")
    world = shuffled(facts, 1).world
    for candidate in content.candidates:
        assert judge(candidate.changes, world, now=facts.now, base=candidate.base) == ()
        assert content.candidate(candidate.id) is candidate
        (change,) = candidate.changes
        assert (change.type, change.editable) == (ChangeType.ADD, True)
        assert change.target == facts.target.target


@given(worlds)
@many
def test_candidates_are_what_trying_every_place_finds(facts):
    """Inside the window, by a binding deadline, in one stretch of the day, in a free run; each
    place is the one that its family promises."""
    possible = {place: (start, end) for place, start, end in fitting(facts)}
    found = offered(facts)
    assert set(case_of(facts).free_places) == set(possible)
    assert set(found.values()) <= set(possible)
    assert bool(found) == bool(possible)
    if not possible:
        return
    starts = {place: start for place, (start, _) in possible.items()}
    assert starts[found[Family.EARLIEST]] == min(starts.values())
    busy = {place: _taken_sections(facts, place) for place in possible}
    if Family.LEAST_DISTURBANCE in found:
        assert busy[found[Family.LEAST_DISTURBANCE]] == min(busy.values())
    if Family.LAST_SAFE in found:
        deadline = facts.target.deadline
        safe = [p for p, (_, end) in possible.items() if deadline - end >= TWO_HOURS]
        assert found[Family.LAST_SAFE] in safe
        assert starts[found[Family.LAST_SAFE]] == max(starts[place] for place in safe)


@given(worlds)
@many
def test_candidates_are_few_of_different_kinds_and_places_and_named_by_their_place(facts):
    found = look(facts).candidates
    places = [place_of(candidate) for candidate in found]
    assert len(found) <= candidates.MOST == 3
    assert len({candidate.family for candidate in found}) == len(found)
    assert not any(a.overlaps(b) for i, a in enumerate(places) for b in places[:i])
    assert [candidate.id for candidate in found] == [
        f"add_task_pool_to_schedule:{TASK.id}:{place.week}:{place.day}:{place.first}"
        for place in places
    ]


def _taken_sections(facts: Facts, place: Place) -> int:
    day = [block for block in facts.world.blocks if block.place.on_day == place.on_day]
    return len({cell for block in day for cell in block.place.cells})


@given(worlds, st.integers(0, 9))
@many
def test_equal_facts_give_equal_bytes_and_bytes_give_back_what_was_stored(facts, seed):
    """In whatever order blocks and semesters were loaded."""
    content = look(facts)
    stored = CONTENT.dump_json(content)
    assert CONTENT.dump_json(look(shuffled(facts, seed))) == stored
    read = CONTENT.validate_json(stored)
    assert read == content
    assert CONTENT.dump_json(read) == stored
    for candidate in read.candidates:
        assert CHANGES.validate_json(CHANGES.dump_json(candidate.changes)) == candidate.changes
        assert BASE.validate_json(BASE.dump_json(candidate.base)) == candidate.base
        semester = read.semester(place_of(candidate).semester_id)
        assert semester is not None
        assert semester.contains(place_of(candidate))


@given(worlds)
@many
def test_words_come_in_both_languages_and_name_only_what_is_known(facts):
    content = look(facts)
    for text in texts(content):
        assert bool(text.zh) == bool(text.en)
        assert not text.zh or re.search(r"[\u4e00-\u9fff]", text.zh)
        assert not re.search(r"[\u4e00-\u9fff]", text.en.replace(facts.target.title, ""))
    for candidate in content.candidates:
        place = place_of(candidate)
        start, end = instants(place, content.semester(place.semester_id))
        known = _numbers_of(start, facts, place) | _numbers_of(end, facts, place)
        known |= {place.first, place.last}
        assert candidate.summary.zh
        for text in (candidate.summary.zh, candidate.summary.en, candidate.risk.zh):
            assert _numbers(text) <= known
        assert _numbers(candidate.reason.zh) <= {24}
        assert (facts.target.deadline is not None and facts.target.deadline <= facts.now) == (
            "截止时间已经过了" in candidate.risk.zh
        )
    _check_other_words(facts, content)


def _check_other_words(facts: Facts, content: Content) -> None:
    metrics = content.metrics
    known = {24, metrics.needed, metrics.longest_run, metrics.free}
    known |= {metrics.taken_by_courses, metrics.taken_by_tasks}
    known |= {facts.target.estimated_sections or 0}
    for instant in (facts.threshold, facts.target.deadline):
        if instant is not None:
            known |= _numbers_of(instant, facts)
    for text in (*content.facts, content.inaction, *(issue.evidence for issue in content.issues)):
        assert _numbers(text.zh) | _numbers(text.en) <= known
    if content.question is not None:
        known |= _asked_numbers(content.question, facts)
    if not content.candidates:
        assert _numbers(content.summary.zh) | _numbers(content.summary.en) <= known
    else:
        assert content.summary == content.candidates[0].summary


def _asked_numbers(question: Question, facts: Facts) -> set[int]:
    """What a question may name beside the figures: when there is room, and how much."""
    known = {question.sections or 0}
    for semester in facts.world.semesters:
        known |= set(range(1, semester.clock.count + 1))
    if question.room_from is not None:
        known |= _numbers_of(question.room_from, facts)
    return known


def _numbers(text: str) -> set[int]:
    return {int(digits) for digits in re.findall(r"\d+", text)}


def _numbers_of(instant: datetime, facts: Facts, place: Place | None = None) -> set[int]:
    """Month, day, hour and minute, in the zone of the place or of any semester."""
    zones = [s.zone for s in facts.world.semesters if place is None or s.id == place.semester_id]
    there = [instant.astimezone(zone) for zone in zones]
    return {n for one in there for n in (one.month, one.day, one.hour, one.minute)}


# ── single cases ─────────────────────────────────────────────────────────────────────────────


def test_three_families_where_there_is_room_for_three():
    """The emptiest day is the next one; the deadline lies beyond the window."""
    facts = look_facts(
        course(1, at(13, 1, 1, 2)),
        now=local("2026-11-30T15:50"),
        deadline=local("2026-12-03T12:00"),
        estimate=1,
    )
    assert offered(facts) == {
        Family.EARLIEST: at(13, 1, 7),
        Family.LAST_SAFE: at(13, 2, 6),
        Family.LEAST_DISTURBANCE: at(13, 2, 1),
    }


def test_without_a_deadline_no_place_is_the_last_safe_one():
    assert set(offered(look_facts())) == {Family.EARLIEST, Family.LEAST_DISTURBANCE}


@pytest.mark.parametrize(
    ("deadline", "last_safe"),
    [
        ("2026-11-30T22:30", at(13, 1, 9)),
        ("2026-11-30T22:40", at(13, 1, 10)),
        ("2026-11-30T22:39:59", at(13, 1, 9)),
    ],
)
def test_the_last_safe_place_leaves_two_hours_before_the_deadline(deadline, last_safe):
    found = offered(look_facts(estimate=1, deadline=local(deadline)))
    assert found[Family.LAST_SAFE] == last_safe


def test_where_every_place_is_tight_none_is_called_safe_and_the_risk_says_so():
    facts = look_facts(
        now=local("2026-11-30T10:00"), deadline=local("2026-11-30T12:00"), estimate=1
    )
    content = look(facts)
    assert Family.LAST_SAFE not in offered(facts)
    assert content.candidates
    for candidate in content.candidates:
        assert "离截止不到两小时" in candidate.risk.zh
        assert "two hours" in candidate.risk.en


def test_no_place_on_a_busier_day_is_called_the_least_busy():
    """The calm day has room for one place alone, which the earliest takes."""
    busy = taken(2, *range(3, 13), first_id=300)
    calm = (course(1, at(13, 1, 7, 8)), course(2, at(13, 1, 10, 12)))
    facts = look_facts(*busy, *calm, now=local("2026-11-30T18:30"), estimate=1)
    assert offered(facts) == {Family.EARLIEST: at(13, 1, 9)}


@pytest.mark.parametrize(
    ("now", "soon"),
    [("2026-11-30T09:55:00", False), ("2026-11-30T09:55:01", True), ("2026-11-30T10:15", True)],
)
def test_a_place_that_starts_within_twenty_minutes_says_so(now, soon):
    content = look(look_facts(now=local(now)))
    earliest = next(c for c in content.candidates if c.family is Family.EARLIEST)
    assert ("很快就要开始" in earliest.risk.zh) is soon


def test_a_place_with_room_before_the_deadline_is_offered_before_one_that_is_tight():
    """Deadline fit − risk − disturbance; equal scores go to the earlier place."""
    facts = look_facts(deadline=local("2026-11-30T22:30"), now=local("2026-11-30T16:10"))
    assert [place_of(one).first for one in look(facts).candidates] == [7, 9]
    evening = look_facts(deadline=local("2026-11-30T22:30"), now=local("2026-11-30T18:55"))
    first = look(evening).candidates[0]
    assert (place_of(first).first, first.family) == (11, Family.LEAST_DISTURBANCE)


def test_a_candidate_rests_on_its_cells_its_target_its_semester_and_its_date():
    (candidate, *_) = look(look_facts()).candidates
    assert candidate.base == {
        "cell:1:13:1:3": "empty",
        "cell:1:13:1:4": "empty",
        "override:2026-11-30": "none",
        "semester:1": "5",
        "target_events:task_pool:11": "none",
        "task_pool:11": "3",
    }


def test_a_world_that_contradicts_itself_is_a_defect_and_no_close():
    with pytest.raises(ValueError, match="semester 1 has no"):
        look(look_facts(course(1, at(25, 1, 1))))


def test_the_days_after_a_change_hold_the_new_block_in_its_place():
    before = (course(1, at(13, 1, 1, 2)), course(2, at(13, 1, 9, 10)))
    content = look(look_facts(*before))
    (candidate, *_) = content.candidates
    shown = after(content.before, candidate.changes, content.target_title)
    assert [block.id for block in shown] == [1, 0, 2]
    assert shown[1].place == place_of(candidate)
    assert (shown[1].name, shown[1].source) == (content.target_title, TASK)


def test_the_first_hours_of_a_semester_are_offered_from_the_night_before():
    sunday = local("2026-09-06T22:00")
    found = offered(look_facts(now=sunday, threshold=None, deadline=None))
    assert found[Family.EARLIEST] == at(1, 1, 1, 2)


@pytest.mark.parametrize(
    ("zone", "sunday"),
    [
        ("America/Toronto", "2026-03-08"),
        ("America/Toronto", "2026-11-01"),
        ("Pacific/Auckland", "2026-09-27"),
        ("Pacific/Auckland", "2026-04-05"),
        ("Australia/Lord_Howe", "2026-10-04"),
    ],
)
def test_daylight_saving_moves_no_section(zone, sunday):
    """B054: a day of 23 or 25 hours keeps the wall times of its sections."""
    monday = date.fromisoformat(sunday) - timedelta(days=13)
    semester = Semester(1, monday, 8, zone, SEMESTER.clock, 1)
    night = semester.starts_at(2, 6, 12)
    facts = look_facts(now=night, semesters=(semester,), threshold=None, estimate=1)
    told = {one.family: wall_times(one, semester) for one in look(facts).candidates}
    assert told[Family.EARLIEST] == (6, 12, "21:45–22:30")
    assert told[Family.LEAST_DISTURBANCE] == (7, 1, "08:00–08:45")
    noon = replace(facts, now=semester.starts_at(2, 7, 4))
    last = look(noon).candidates[-1]
    assert wall_times(last, semester) == (7, 4, "11:10–11:55")


def wall_times(candidate, semester):
    """Day, section and local times of a candidate's place."""
    place = candidate.changes[0].to
    start = semester.starts_at(place.week, place.day, place.first).astimezone(semester.zone)
    end = semester.ends_at(place.week, place.day, place.last).astimezone(semester.zone)
    return place.day, place.first, f"{start:%H:%M}–{end:%H:%M}"
