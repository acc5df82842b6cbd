"""Between messages and domain values: nothing is lost, and no request gets past its checks."""

from contextlib import suppress
from dataclasses import replace
from datetime import UTC, datetime, timedelta

import pytest
from google.protobuf.message import DecodeError
from google.protobuf.timestamp_pb2 import Timestamp
from hypothesis import given
from hypothesis import strategies as st

from libs.planning.base_map import BaseEntryDiff
from libs.planning.changes import Change, ChangeType
from libs.planning.grid import Block, BlockKind, Place, Target, TargetKind
from libs.rpc.errors import InvalidRequest
from services.active_scheduler.domain import confirm
from services.active_scheduler.domain.apply import ApplyRequest, ApplyState, Verdict
from services.active_scheduler.domain.candidates import Family
from services.active_scheduler.domain.errors import InvalidEdit
from services.active_scheduler.domain.job import DueTask, TaskState
from services.active_scheduler.domain.observation import Action
from services.active_scheduler.domain.preview import (
    NotificationStatus,
    PreviewState,
    RefusalRecord,
)
from services.active_scheduler.domain.trigger import (
    Trigger,
    TriggerSource,
    TriggerState,
    TriggerType,
)
from services.active_scheduler.wire import facts as facts_wire
from services.active_scheduler.wire import plan, values
from services.active_scheduler.wire import preview as preview_wire
from services.active_scheduler.wire import trigger as trigger_wire
from smartmate.active_scheduler.v1 import active_scheduler_service_pb2 as service_pb2
from smartmate.active_scheduler.v1 import preview_pb2, trigger_pb2
from smartmate.events.v1 import events_pb2
from smartmate.schedule.v1 import (
    apply_pb2,
    calendar_pb2,
    change_pb2,
    schedule_event_pb2,
    task_pb2,
)
from smartmate.schedule.v1 import schedule_service_pb2 as schedule_pb2
from tests.unit.active_scheduler.look_world import (
    NOW,
    SEMESTER,
    TASK,
    at,
    block_of,
    course,
    local,
    look,
    look_facts,
    preview,
    steady,
    taken,
    worlds,
)

CONTENT = look(look_facts(*taken(1, 1, 2, 5), deadline=local("2026-12-01T18:00")))
int32 = st.integers(-(2**31), 2**31 - 1) | st.sampled_from((0, 1, 2**31 - 1))
int64 = st.integers(-(2**63), 2**63 - 1) | st.sampled_from((0, 1, 2**63 - 1))
names = st.text(st.characters(exclude_categories=["Cs"]), max_size=300)


# ── schedule → domain → schedule ─────────────────────────────────────────────────────────────


@given(worlds)
@steady
def test_semesters_and_blocks_come_back_as_they_were(facts):
    for semester in facts.world.semesters:
        message = plan.semester_message(semester)
        assert plan.semester(calendar_pb2.Semester.FromString(message.SerializeToString())) == (
            semester
        )
    messages = [plan.block_message(b, facts.world.semesters) for b in facts.world.blocks]
    read = plan.blocks(messages, messages[::-1])
    assert read == tuple(sorted(facts.world.blocks, key=lambda block: block.id))
    for message, block in zip(messages, facts.world.blocks, strict=True):
        assert values.instant(message.start_time) == facts.world.grid.starts_at(block.place)
        assert values.instant(message.end_time) == facts.world.grid.ends_at(block.place)


@given(st.builds(Place, int64, int32, int32, int32, int32))
@steady
def test_a_place_comes_back_as_it_was(place):
    assert plan.place(plan.place_message(place)) == place


def test_a_section_that_ends_at_midnight_ends_in_the_last_minute_of_its_day():
    message = plan.semester_message(SEMESTER)
    message.clock.sections[11].end_minute_of_day = 24 * 60
    assert plan.semester(message).clock.sections[11].end.isoformat() == "23:59:00"


def test_a_block_whose_semester_is_not_told_has_no_instants():
    message = plan.block_message(block_of(TASK, at(13, 1, 1)), ())
    assert not message.HasField("start_time")
    assert not message.HasField("end_time")
    assert plan.block(message) == block_of(TASK, at(13, 1, 1))


def test_every_kind_of_change_is_told_in_full():
    assert set(plan._CHANGE_TYPE_NUMBERS) == set(ChangeType) - {ChangeType.UNKNOWN}
    move = Change("c1", ChangeType.MOVE, TASK, at(1, 1, 1), at(2, 2, 2, 3), 7, editable=True)
    message = plan.change_message(move, risk="慢")
    assert message.type == change_pb2.CHANGE_TYPE_MOVE
    assert plan.place(message.to) == at(1, 1, 1)
    assert plan.place(getattr(message, "from")) == at(2, 2, 2, 3)
    assert (message.change_id, message.host_event_id, message.editable) == ("c1", 7, True)
    assert (values.target(message.target), message.risk) == (TASK, "慢")
    bare = plan.change_message(Change("c2", ChangeType.REMOVE, TASK, None))
    assert not bare.HasField("to")
    assert not bare.HasField("from")


@pytest.mark.parametrize(
    "facts",
    [
        look_facts(),
        look_facts(done=True, quadrant=4, threshold=None, estimate=None, semesters=()),
        look_facts(deadline=NOW, estimate=0, title="<b>"),
        look_facts(course(1, at(13, 1, 1)), block_of(TASK, at(2, 1, 1), 2), course(3, at(1, 1, 1))),
    ],
)
def test_the_facts_of_a_look_come_back_as_they_were(facts):
    assert facts_wire.facts(answer_of(facts)) == facts


def answer_of(facts) -> schedule_pb2.GetSchedulingFactsResponse:
    """Over the wire, with the target's own blocks told twice."""
    target = facts.target
    known = facts.world.semesters
    own = [block for block in facts.world.blocks if block.source == TASK]
    message = schedule_pb2.GetSchedulingFactsResponse(
        now_time=values.timestamp(facts.now),
        target=schedule_pb2.TargetFacts(
            target=values.target_message(target.target),
            title=target.title,
            placement_version=target.placement_version,
            done=target.done,
            deadline_time=values.timestamp(target.deadline),
            estimated_sections=target.estimated_sections,
            quadrant=facts.quadrant,
            urgency_threshold_time=values.timestamp(facts.threshold),
            version=facts.version,
        ),
        semesters=[plan.semester_message(one) for one in known],
        events=[plan.block_message(block, known) for block in facts.world.blocks],
        target_events=[plan.block_message(block, known) for block in own],
    )
    return schedule_pb2.GetSchedulingFactsResponse.FromString(message.SerializeToString())


def test_a_due_task_is_read_with_and_without_its_threshold():
    message = schedule_pb2.DueTaskFacts(
        task=schedule_pb2.DueTask(user_id=1, task_id=2),
        exists=True,
        done=True,
        quadrant=2,
        urgency_threshold_time=values.timestamp(NOW),
        version=9,
        scheduled=True,
    )
    read = DueTask(1, 2, True, True, 2, NOW, 9, True)
    assert facts_wire.due_task(message) == read
    gone = schedule_pb2.DueTaskFacts(task=message.task)
    assert facts_wire.due_task(gone) == DueTask(1, 2, False, False, 0, None, 0, False)


def test_a_changed_task_is_read_with_and_without_what_may_be_absent():
    message = events_pb2.TaskChanged(
        user_id=1,
        task_id=2,
        version=3,
        status=task_pb2.TASK_STATUS_COMPLETED,
        quadrant=2,
        deadline_time=values.timestamp(NOW),
        urgency_threshold_time=values.timestamp(NOW - timedelta(hours=1)),
        estimated_sections=0,
        urgency_version=9,
    )
    read = TaskState(1, 2, 3, 9, False, True, NOW - timedelta(hours=1))
    assert facts_wire.task_state(message) == read
    bare = events_pb2.TaskChanged(user_id=1, task_id=2, version=4, deleted=True, quadrant=1)
    assert facts_wire.task_state(bare) == TaskState(1, 2, 4, 0, True, False, None)


# ── applies and verdicts ─────────────────────────────────────────────────────────────────────

REFUSAL = RefusalRecord(
    code="base_version_changed",
    change_id="c1",
    place=at(13, 1, 3),
    event_id=5,
    event_name="羽毛球",
    entries=(BaseEntryDiff("cell:1:13:1:3", "empty", "5:1"),),
    detail="",
)


def test_a_refusal_comes_back_as_it_was():
    assert facts_wire.refusal(preview_wire.refusal_message(REFUSAL)) == REFUSAL
    bare = RefusalRecord(code="expired")
    assert facts_wire.refusal(preview_wire.refusal_message(bare)) == bare


@pytest.mark.parametrize("name", apply_pb2.RefusalCode.keys())
def test_every_code_of_a_refusal_is_kept(name):
    read = facts_wire.refusal(apply_pb2.Refusal(code=name))
    assert read.code == name.removeprefix("REFUSAL_CODE_").lower()
    assert preview_wire.refusal_message(read) == apply_pb2.Refusal(code=name)


def test_a_refusal_for_a_reason_of_a_newer_peer_is_a_refusal():
    assert facts_wire.refusal(apply_pb2.Refusal(code=999)).code == "unspecified"


def test_answer_and_event_tell_the_same_verdict():
    judged = values.timestamp(NOW)
    applied = Verdict("asa_1", 1, True, (7, 8), (), NOW)
    by_answer = apply_pb2.ApplyVerdict(
        apply_id="asa_1",
        state=apply_pb2.APPLY_STATE_APPLIED,
        event_ids=[7, 8],
        judge_time=judged,
    )
    by_event = events_pb2.ScheduleApplySucceeded(
        user_id=1, apply_id="asa_1", event_ids=[7, 8], judge_time=judged
    )
    assert facts_wire.verdict(by_answer, user_id=1) == facts_wire.succeeded(by_event) == applied
    reasons = [preview_wire.refusal_message(REFUSAL)]
    refused = apply_pb2.ApplyVerdict(
        apply_id="asa_1",
        state=apply_pb2.APPLY_STATE_REFUSED,
        refusals=reasons,
        judge_time=judged,
    )
    failed = events_pb2.ScheduleApplyFailed(
        user_id=1, apply_id="asa_1", refusals=reasons, judge_time=judged
    )
    assert facts_wire.verdict(refused, user_id=1) == facts_wire.failed(failed)
    assert facts_wire.failed(failed) == Verdict("asa_1", 1, False, (), (REFUSAL,), NOW)


@pytest.mark.parametrize("state", [apply_pb2.APPLY_STATE_UNSPECIFIED, 99])
def test_a_verdict_that_is_neither_is_not_taken_for_a_refusal(state):
    with pytest.raises(ValueError, match="unknown state"):
        facts_wire.verdict(apply_pb2.ApplyVerdict(apply_id="asa_1", state=state), user_id=1)


def test_an_apply_is_asked_for_with_all_that_was_confirmed():
    candidate = CONTENT.candidates[0]
    apply = ApplyRequest(
        "asa_1",
        1,
        "asp_1",
        b"",
        candidate.changes,
        candidate.base,
        NOW,
        ApplyState.APPLYING,
        0,
    )
    call = facts_wire.apply_call(apply)
    assert facts_wire.apply_call(replace(apply, attempts=4)) == call
    assert dict(call.base) == candidate.base
    assert [plan.place(change.to) for change in call.changes] == [candidate.changes[0].to]
    assert [change.risk for change in call.changes] == [""]
    assert values.instant(call.not_after_time) == NOW


# ── previews and triggers ────────────────────────────────────────────────────────────────────


def test_a_preview_is_told_in_full():
    stored = preview(
        CONTENT,
        apply_id="asa_1",
        last_refusals=(REFUSAL,),
        applied_at=NOW,
        applied_event_ids=(7,),
        applied_changes=(),
        is_mock=True,
    )
    message = preview_wire.preview_message(stored)
    assert (message.preview_id, message.trigger_id) == ("asp_1", "ast_1")
    assert values.target(message.target) == TASK
    assert message.state == preview_pb2.PREVIEW_STATE_READY
    assert values.instant(message.expire_time) == NOW + timedelta(hours=1)
    assert [facts_wire.refusal(one) for one in message.last_refusals] == [REFUSAL]
    assert (message.apply_id, list(message.applied_event_ids)) == ("asa_1", [7])
    assert message.is_mock_time
    assert message.selected_candidate_id == message.candidates[0].candidate_id
    assert [plan.block(one) for one in message.before_events] == list(CONTENT.before)
    assert [plan.semester(one) for one in message.semesters] == [SEMESTER]
    assert values.instant(message.deadline_time) == CONTENT.deadline
    for told, candidate in zip(message.candidates, CONTENT.candidates, strict=True):
        assert told.candidate_id == candidate.id
        assert dict(told.base) == candidate.base
        assert len(told.after_events) == len(CONTENT.before) + 1
        assert [plan.place(change.to) for change in told.changes] == [candidate.changes[0].to]
        assert (told.summary.zh_cn, told.summary.en_us) == (
            candidate.summary.zh,
            candidate.summary.en,
        )


def test_a_preview_without_a_life_and_without_candidates_leaves_out_what_is_not_there():
    nothing = look(look_facts(semesters=()))
    message = preview_wire.content_message(nothing)
    assert message.action == preview_pb2.DECISION_ACTION_NOTIFY_ONLY
    assert (message.preview_id, message.selected_candidate_id) == ("", "")
    assert not message.HasField("deadline_time")
    stored = preview_wire.preview_message(preview(nothing))
    assert not stored.HasField("apply_time")
    assert stored.apply_id == ""


@pytest.mark.parametrize("read_after", [timedelta(0), timedelta(hours=1)])
def test_a_line_of_a_list_shows_the_state_that_is(read_after):
    stored = preview(CONTENT, read_at=NOW + read_after)
    line = preview_wire.summary_message(stored)
    assert (
        line.state
        == preview_wire.STATES[stored.state]
        == preview_wire.preview_message(stored).state
    )
    assert line.summary.zh_cn == CONTENT.summary.zh


def test_figures_and_findings_are_told_as_they_are():
    metrics = preview_wire.metrics_message(CONTENT.metrics)
    assert metrics.capacity_gap_sections == CONTENT.metrics.capacity_gap
    assert metrics.needed_sections - metrics.longest_free_run_sections == (
        metrics.capacity_gap_sections
    )
    assert (metrics.free_sections, metrics.window_sections) == (10, 11)
    told = preview_wire.issue_message(CONTENT.issues[0])
    assert (told.code, told.severity) == ("urgent_task_not_scheduled", "warning")


def test_every_state_and_kind_has_a_number():
    assert set(preview_wire.STATES) == set(PreviewState)
    assert set(preview_wire.ACTIONS) == set(Action)
    assert set(preview_wire.FAMILIES) == set(Family)
    assert set(preview_wire._NOTIFICATIONS) == set(NotificationStatus)
    assert set(trigger_wire.TRIGGER_TYPE_NUMBERS) == set(TriggerType)
    assert set(values.TARGET_KINDS.values()) == set(TargetKind)
    assert set(plan._BLOCK_KINDS.values()) == set(BlockKind)


@pytest.mark.parametrize("state", list(TriggerState))
@pytest.mark.parametrize("source", list(TriggerSource))
def test_a_trigger_is_told_in_full(state, source):
    stored = Trigger(
        id="ast_1",
        sequence=1,
        user_id=1,
        type=TriggerType.IMPORTANT_URGENT_TASK,
        source=source,
        target=TASK,
        state=state,
        reason="not_urgent",
        preview_id=None,
        created_at=NOW,
        finished_at=None,
        mock_now=NOW,
        linked_trigger_id="ast_9",
    )
    message = trigger_wire.trigger_message(stored)
    assert message.state == trigger_pb2.TriggerState.Value(f"TRIGGER_STATE_{state.name}")
    assert message.source == trigger_pb2.TriggerSource.Value(f"TRIGGER_SOURCE_{source.name}")
    assert (message.preview_id, message.reason) == ("", "not_urgent")
    assert not message.HasField("finish_time")
    assert message.linked_trigger_id == "ast_9"
    assert message.is_mock_time
    assert values.instant(message.mock_now_time) == NOW


# ── requests ─────────────────────────────────────────────────────────────────────────────────


def field_of(check, *arguments) -> str:
    with pytest.raises(InvalidRequest) as caught:
        check(*arguments)
    (violation,) = caught.value.violations
    return violation.field


@pytest.mark.parametrize("value", ["", "a" * 65, "a\0", "a\n", "\u202e", "\ud800"])
def test_an_id_is_one_to_64_printable_characters(value):
    assert field_of(values.checked_id, value, "request_id") == "request_id"
    assert values.checked_id("a" * 64, "request_id") == "a" * 64


@pytest.mark.parametrize("value", ["", "a" * 201, "a\0"])
def test_a_candidate_id_may_be_longer(value):
    assert field_of(preview_wire.checked_candidate_id, value) == "candidate_id"
    assert preview_wire.checked_candidate_id("a" * 200) == "a" * 200


@pytest.mark.parametrize(
    ("kind", "id", "field"), [(0, 1, "target.kind"), (9, 1, "target.kind"), (1, 0, "target.id")]
)
def test_a_target_has_a_known_kind_and_an_id(kind, id, field):
    assert field_of(values.checked_target, change_pb2.Target(kind=kind, id=id)) == field
    known = change_pb2.Target(kind=change_pb2.TARGET_KIND_TASK_ITEM, id=2**63 - 1)
    assert values.checked_target(known) == Target(TargetKind.TASK_ITEM, 2**63 - 1)


@pytest.mark.parametrize(
    ("seconds", "nanos"),
    [
        (-1, 0),
        (0, -1),
        (0, 10**9),
        (int(datetime(2201, 1, 1, tzinfo=UTC).timestamp()), 0),
        (2**63 - 1, 0),
        (-(2**63), 0),
    ],
)
def test_an_instant_lies_between_1970_and_2200(seconds, nanos):
    stamp = Timestamp(seconds=seconds, nanos=nanos)
    assert field_of(values.checked_instant, stamp, "mock_now_time") == "mock_now_time"


def test_an_instant_is_read_to_the_microsecond():
    stamp = Timestamp(seconds=int(NOW.timestamp()), nanos=1_999)
    assert values.checked_instant(stamp, "at") == NOW + timedelta(microseconds=1)
    assert values.timestamp(None) is None


@pytest.mark.parametrize("token", ["x", "-1", "1.5", "٣", "9" * 20, " 1"])
def test_a_page_token_is_one_that_was_given(token):
    assert field_of(values.page_before, token) == "page_token"


def test_pages_have_a_default_a_most_and_a_beginning():
    assert [values.page_size(n) for n in (0, 1, 200, 2**31 - 1)] == [50, 1, 200, 200]
    assert field_of(values.page_size, -1) == "page_size"
    assert values.page_before("") == values.page_before("9" * 19) == 2**63 - 1
    assert values.page_before("17") == 17


def test_only_a_known_type_of_trigger_is_looked_at():
    assert (
        field_of(trigger_wire.checked_type, 0) == field_of(trigger_wire.checked_type, 7) == "type"
    )
    assert trigger_wire.checked_type(1) is TriggerType.IMPORTANT_URGENT_TASK


def edit(to: Place | None = None, **parts) -> change_pb2.ScheduleChange:
    message = change_pb2.ScheduleChange(change_id="c1", **parts)
    if to is not None:
        message.to.CopyFrom(plan.place_message(to))
    return message


def test_an_edit_is_read_by_its_change_and_its_place_alone():
    full = edit(at(1, 2, 3, 4), risk="x" * 9999, host_event_id=-1, type=99, editable=False)
    assert preview_wire.edits([full]) == (confirm.Edit("c1", at(1, 2, 3, 4)),)


@pytest.mark.parametrize(
    ("message", "field"),
    [
        (edit(), "edited_changes[1].to"),
        (edit(at(1, 1, 0, 1)), "edited_changes[1].to"),
        (edit(at(1, 1, 3, 2)), "edited_changes[1].to"),
        (edit(at(0, 1, 1)), "edited_changes[1].to"),
        (edit(at(1, 0, 1)), "edited_changes[1].to"),
        (edit(at(1, 1, 1, semester=0)), "edited_changes[1].to"),
        (edit(at(-1, -1, -3, -1)), "edited_changes[1].to"),
        (
            change_pb2.ScheduleChange(to=plan.place_message(at(1, 1, 1))),
            "edited_changes[1].change_id",
        ),
    ],
)
def test_an_edit_that_is_none_is_refused_by_the_name_of_its_field(message, field):
    assert field_of(preview_wire.edits, [edit(at(1, 1, 1)), message]) == field


def test_fifty_edits_are_read_and_no_more():
    assert len(preview_wire.edits([edit(at(1, 1, 1))] * 50)) == 50
    assert field_of(preview_wire.edits, [edit(at(1, 1, 1))] * 51) == "edited_changes"


stamps = st.builds(Timestamp, seconds=int64, nanos=int32)
targets = st.builds(change_pb2.Target, kind=int32, id=int64)
wild_places = st.builds(
    calendar_pb2.Place,
    semester_id=int64,
    week=int32,
    day_of_week=int32,
    first_section=int32,
    last_section=int32,
)
near_places = st.builds(
    calendar_pb2.Place,
    semester_id=st.integers(0, 2),
    week=st.integers(12, 21),
    day_of_week=st.integers(0, 8),
    first_section=st.integers(0, 13),
    last_section=st.integers(0, 14),
)
change_ids = st.sampled_from(("c1", "c2")) | names
changes = st.builds(
    change_pb2.ScheduleChange,
    change_id=change_ids,
    type=int32,
    target=targets,
    to=st.none() | wild_places | near_places,
    host_event_id=int64,
)
confirmations = st.builds(
    service_pb2.ConfirmPreviewRequest,
    request_id=names,
    preview_id=names,
    candidate_id=names,
    edited_changes=st.lists(changes, max_size=4),
)
triggers = st.builds(
    service_pb2.TriggerRequest,
    request_id=names,
    type=int32,
    target=st.none() | targets,
    mock_now_time=st.none() | stamps,
)
lists = st.builds(service_pb2.ListPreviewsRequest, page_size=int32, page_token=names)
REQUESTS = (
    service_pb2.ConfirmPreviewRequest,
    service_pb2.TriggerRequest,
    service_pb2.DryRunRequest,
    service_pb2.ListPreviewsRequest,
)


def check(request) -> None:
    """Every check that a request of this kind goes through; each may refuse it."""
    for one in _checks(request):
        with suppress(InvalidRequest):
            assert one()


def _checks(request):
    if isinstance(request, service_pb2.ListPreviewsRequest):
        yield lambda: 1 <= values.page_size(request.page_size) <= 200
        yield lambda: 0 <= values.page_before(request.page_token) < 2**63
        return
    if isinstance(request, service_pb2.ConfirmPreviewRequest):
        yield lambda: values.checked_id(request.request_id, "request_id")
        yield lambda: preview_wire.checked_candidate_id(request.candidate_id)
        yield lambda: _edited(list(request.edited_changes))
        return
    yield lambda: values.checked_target(request.target).id > 0
    yield lambda: values.checked_instant(request.mock_now_time, "mock_now_time").tzinfo
    if isinstance(request, service_pb2.TriggerRequest):
        yield lambda: trigger_wire.checked_type(request.type)


def _edited(messages) -> bool:
    """What gets past the wire is an edit of the candidate or no edit, and nothing else."""
    found = preview_wire.edits(messages)
    assert all(one.to.length >= 1 for one in found)
    try:
        asked = confirm.request(CONTENT, CONTENT.candidates[0], found, NOW)
    except InvalidEdit as refused:
        return bool(refused.problem)
    return all(SEMESTER.contains(change.to) for change in asked.changes)


@given(confirmations | triggers | lists)
@steady
def test_whatever_a_request_holds_it_is_read_or_refused(request):
    check(request)


@given(st.sampled_from(REQUESTS), st.binary(max_size=200))
@steady
def test_whatever_bytes_a_request_is_made_of_it_is_read_or_refused(kind, data):
    try:
        request = kind.FromString(data)
    except DecodeError:
        return
    check(request)


@given(confirmations | triggers, st.integers(0), st.integers(0, 255))
@steady
def test_a_request_with_a_broken_byte_is_read_or_refused(request, index, byte):
    data = bytearray(request.SerializeToString())
    if data:
        data[index % len(data)] = byte
    try:
        broken = type(request).FromString(bytes(data))
    except DecodeError:
        return
    check(broken)


def test_a_host_and_its_guest_are_told_by_the_host():
    guest = Block(2, BlockKind.TASK, at(13, 3, 7), 4, source=TASK, host_id=1, name="作业")
    message = plan.block_message(guest, (SEMESTER,))
    assert message.host_event_id == 1
    assert message.type == schedule_event_pb2.SCHEDULE_EVENT_TYPE_TASK
    assert plan.block(message) == guest
