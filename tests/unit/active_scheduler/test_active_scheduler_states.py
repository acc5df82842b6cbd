"""States of previews, triggers and jobs, and what decides about them."""

import re
from dataclasses import replace
from datetime import timedelta

import pytest

from services.active_scheduler.domain import errors, trigger
from services.active_scheduler.domain.apply import ApplyState
from services.active_scheduler.domain.job import (
    DueTask,
    End,
    Fire,
    JobState,
    Rearm,
    TaskState,
    judge_due,
    wanted,
)
from services.active_scheduler.domain.preview import PreviewState
from services.active_scheduler.domain.trigger import (
    NewTrigger,
    Trigger,
    TriggerSource,
    TriggerState,
    TriggerType,
)
from tests.unit.active_scheduler.look_world import NOW, TASK, local, look, look_facts, preview

SECOND = timedelta(seconds=1)
CONTENT = look(look_facts())


# ── previews ─────────────────────────────────────────────────────────────────────────────────


@pytest.mark.parametrize(
    ("minutes", "seconds", "state"),
    [
        (0, 0, PreviewState.READY),
        (59, 59, PreviewState.READY),
        (59, 59.999999, PreviewState.READY),
        (60, 0, PreviewState.EXPIRED),
        (60, 0.000001, PreviewState.EXPIRED),
        (9999, 0, PreviewState.EXPIRED),
    ],
)
def test_a_ready_preview_is_expired_from_its_sixtieth_minute_on(minutes, seconds, state):
    later = NOW + timedelta(minutes=minutes, seconds=seconds)
    assert preview(CONTENT, read_at=later).state is state


@pytest.mark.parametrize("stored", [s for s in PreviewState if s is not PreviewState.READY])
def test_only_a_ready_preview_expires(stored):
    late = preview(CONTENT, stored_state=stored, read_at=NOW + timedelta(days=9))
    assert late.state is stored


# ── jobs: what a changed task wants ──────────────────────────────────────────────────────────

OPEN_TASK = TaskState(
    user_id=1,
    task_id=11,
    version=5,
    urgency_version=4,
    deleted=False,
    done=False,
    threshold=local("2026-11-30T20:00"),
)


@pytest.mark.parametrize(
    ("deleted", "done", "has_threshold", "state", "reason"),
    [
        (True, True, True, JobState.CANCELED, "task_deleted"),
        (True, True, False, JobState.CANCELED, "task_deleted"),
        (True, False, True, JobState.CANCELED, "task_deleted"),
        (True, False, False, JobState.CANCELED, "task_deleted"),
        (False, True, True, JobState.CANCELED, "task_completed"),
        (False, True, False, JobState.CANCELED, "task_completed"),
        (False, False, False, JobState.CANCELED, "no_threshold"),
        (False, False, True, JobState.PENDING, ""),
    ],
)
def test_a_task_arms_a_job_at_its_threshold_or_cancels_it(
    deleted, done, has_threshold, state, reason
):
    threshold = OPEN_TASK.threshold if has_threshold else None
    job = wanted(replace(OPEN_TASK, deleted=deleted, done=done, threshold=threshold))
    assert (job.state, job.reason, job.trigger_at) == (state, reason, threshold)


# ── jobs: what becomes of a due one ──────────────────────────────────────────────────────────

DUE = DueTask(
    user_id=1,
    task_id=11,
    exists=True,
    done=False,
    quadrant=2,
    threshold=NOW,
    version=5,
    scheduled=False,
)
LATER = NOW + SECOND

# `*` = whatever it is; the first line that matches wins.
DUE_TABLE = """
exists done threshold quadrant scheduled | becomes   reason
no     *    *         *        *         | canceled  task_deleted
yes    yes  *         *        *         | canceled  task_completed
yes    no   none      *        *         | canceled  no_threshold
yes    no   later     *        *         | re-armed  threshold_moved
yes    no   passed    0        *         | skipped   not_important
yes    no   passed    3        *         | skipped   not_important
yes    no   passed    4        *         | skipped   not_important
yes    no   passed    *        yes       | skipped   already_scheduled
yes    no   passed    1        no        | fired     -
yes    no   passed    2        no        | fired     -
"""


def _due_cases():
    for exists in (True, False):
        for done in (False, True):
            for threshold in ("none", "later", "passed"):
                for quadrant in range(5):
                    for scheduled in (False, True):
                        yield exists, done, threshold, quadrant, scheduled


def test_a_due_job_is_judged_by_the_truth_about_its_task():
    """B027: a late job fires at most once, and only while there is a reason."""
    lines = [line.replace("|", " ").split() for line in DUE_TABLE.strip().splitlines()[1:]]
    word = {True: "yes", False: "no"}
    used = set()
    for exists, done, threshold, quadrant, scheduled in _due_cases():
        case = [word[exists], word[done], threshold, str(quadrant), word[scheduled]]
        line = next(
            line
            for line in lines
            if all(w in ("*", c) for w, c in zip(line[:5], case, strict=True))
        )
        task = replace(
            DUE,
            exists=exists,
            done=done,
            threshold={"none": None, "later": LATER, "passed": NOW}[threshold],
            quadrant=quadrant,
            scheduled=scheduled,
        )
        assert _told(judge_due(task, NOW)) == (line[5], line[6]), case
        used.add(tuple(line))
    assert len(used) == len(lines)


def _told(decision) -> tuple[str, str]:
    match decision:
        case Fire():
            return "fired", "-"
        case Rearm(at=at, reason=reason):
            assert at == LATER
            return "re-armed", reason
        case End(state=state, reason=reason):
            return state.value, reason
    raise AssertionError(decision)


def test_a_job_that_is_late_by_hours_is_judged_as_one_that_is_on_time():
    assert judge_due(DUE, NOW + timedelta(hours=30)) == judge_due(DUE, NOW) == Fire()


# ── triggers, applies, errors ────────────────────────────────────────────────────────────────


def test_two_states_of_a_trigger_are_open_and_the_others_are_for_good():
    assert set(TriggerState) - trigger.FINAL == {TriggerState.PENDING, TriggerState.PROCESSING}


def test_a_trigger_that_led_to_nothing_frees_its_window_and_a_closed_one_does_not():
    assert trigger.RELEASES_DEDUPE < trigger.FINAL
    assert {
        TriggerState.PREVIEW_GENERATED,
        TriggerState.CLOSED,
    } == trigger.FINAL - trigger.RELEASES_DEDUPE


def test_a_trigger_with_an_instant_of_its_own_is_a_mock_one():
    new = NewTrigger(
        "ast_1", 1, TriggerType.IMPORTANT_URGENT_TASK, TriggerSource.API_TRIGGER, TASK, "r1"
    )
    stored = Trigger(
        id="ast_1",
        sequence=1,
        user_id=1,
        type=TriggerType.IMPORTANT_URGENT_TASK,
        source=TriggerSource.API_TRIGGER,
        target=TASK,
        state=TriggerState.PENDING,
        reason="",
        preview_id=None,
        created_at=NOW,
        finished_at=None,
        mock_now=None,
        linked_trigger_id=None,
    )
    for one in (new, stored):
        assert not one.is_mock
        assert replace(one, mock_now=NOW).is_mock


def test_an_apply_is_under_way_or_has_its_verdict():
    assert {state.value for state in ApplyState} == {"applying", "applied", "refused"}


def _tree(kind):
    return [kind, *(below for child in kind.__subclasses__() for below in _tree(child))]


def test_every_error_has_a_reason_of_its_own_and_facts_for_programs():
    tree = _tree(errors.ActiveSchedulerError)
    # One is a mere parent; the other has the reason that it was given.
    borrowed = {errors.Absent, errors.AssistantFailed}
    assert len({kind.reason for kind in tree if kind not in borrowed}) == len(tree) - 2
    for kind in tree:
        assert re.fullmatch("[a-z]+(_[a-z]+)*", kind.reason)
    assert errors.PreviewNotFound("asp_1").id == "asp_1"
    assert errors.PreviewExpired("asp_1").metadata == {}
    assert errors.InvalidEdit("c1", "length").metadata == {"change_id": "c1", "problem": "length"}
