"""Shapes on the wire: what is read, what is refused, and which requests are the same."""

from datetime import UTC, datetime, timedelta

import pytest
from google.protobuf.duration_pb2 import Duration
from google.protobuf.timestamp_pb2 import Timestamp
from hypothesis import given
from hypothesis import strategies as st

from libs.planning.base_map import BaseEntryDiff
from libs.planning.validation import RefusalCode
from libs.rpc.errors import InvalidRequest
from services.schedule.domain.task import Quadrant, TaskStatus
from services.schedule.domain.verdict import Verdict, VerdictRefusal, fingerprint
from services.schedule.wire import attempts, calendar, changes, fields, outlet, tasks
from smartmate.schedule.v1 import apply_pb2, calendar_pb2, change_pb2, task_pb2
from smartmate.schedule.v1 import schedule_service_pb2 as pb
from tests.unit.schedule.schedule_samples import AUTUMN, at

INSTANTS = st.integers(0, 7_289_654_399_999_999).map(
    lambda micros: datetime(1970, 1, 1, tzinfo=UTC) + timedelta(microseconds=micros)
)


@given(instant=INSTANTS)
def test_instants_come_back_as_they_went(instant: datetime) -> None:
    assert fields.instant("x", fields.timestamp(instant)) == instant


@pytest.mark.parametrize(
    ("seconds", "nanos"),
    [(-1, 0), (7_289_654_400, 0), (2**63 - 1, 0), (0, -1), (0, 1_000_000_000)],
)
def test_instants_that_no_calendar_holds_are_refused(seconds: int, nanos: int) -> None:
    with pytest.raises(InvalidRequest):
        fields.instant("x", Timestamp(seconds=seconds, nanos=nanos))


def test_what_is_finer_than_a_microsecond_is_cut_off() -> None:
    assert fields.instant("x", Timestamp(seconds=1, nanos=1_999)).microsecond == 1


@pytest.mark.parametrize(
    ("seconds", "nanos", "fits"),
    [
        (1, 0, True),
        (0, 1_000, True),
        (10, 0, True),
        (0, 0, False),
        (0, 999, False),
        (10, 1_000, False),
        (11, 0, False),
        (-1, 0, False),
        (1, -1, False),
        (2**63 - 1, 0, False),
    ],
)
def test_lengths_of_time_are_positive_and_bounded(seconds: int, nanos: int, fits: bool) -> None:
    asked = Duration(seconds=seconds, nanos=nanos)
    if fits:
        assert fields.length_of_time("x", asked, longest=timedelta(seconds=10)) > timedelta()
    else:
        with pytest.raises(InvalidRequest):
            fields.length_of_time("x", asked, longest=timedelta(seconds=10))


def test_a_semester_comes_back_as_it_went() -> None:
    sent = calendar.semester(AUTUMN)
    read = calendar.read_semester(sent)
    sent.version = 0
    assert calendar.semester(read) == sent


@pytest.mark.parametrize("token", ["0", "-1", "1.5", "x", "9" * 19, "１２", " 1"])
def test_page_tokens_are_those_of_an_answer(token: str) -> None:
    with pytest.raises(InvalidRequest):
        tasks.read_page(pb.ListTasksRequest(page_token=token))


def test_pages_are_capped() -> None:
    assert tasks.read_page(pb.ListTasksRequest()) == (None, None, 50)
    asked = pb.ListTasksRequest(page_size=2**31 - 1, page_token="17", status="TASK_STATUS_OPEN")
    assert tasks.read_page(asked) == (TaskStatus.OPEN, 17, 200)
    with pytest.raises(InvalidRequest):
        tasks.read_page(pb.ListTasksRequest(page_size=-1))


def test_every_quadrant_and_every_refusal_has_its_number() -> None:
    assert [tasks.quadrant(one) for one in Quadrant] == task_pb2.Quadrant.values()[1:]
    for code in RefusalCode:
        sent = changes.refusal(VerdictRefusal(code)).code
        assert apply_pb2.RefusalCode.Name(sent) == f"REFUSAL_CODE_{code.name}"


def test_the_request_id_is_no_part_of_what_a_request_asks() -> None:
    fields_ = pb.TaskInput(title="x", quadrant="QUADRANT_URGENT")
    one = attempts.key_of(1, "CreateTask", pb.CreateTaskRequest(request_id="a", task=fields_))
    other = attempts.key_of(1, "CreateTask", pb.CreateTaskRequest(request_id="b", task=fields_))
    assert one.hash == other.hash
    fields_.title = "y"
    third = attempts.key_of(1, "CreateTask", pb.CreateTaskRequest(request_id="a", task=fields_))
    assert one.hash != third.hash


def test_risk_and_editable_make_no_other_change() -> None:
    message = change_pb2.ScheduleChange(
        change_id="c1",
        type="CHANGE_TYPE_ADD",
        target=change_pb2.Target(kind="TARGET_KIND_TASK_POOL", id=1),
        to=calendar.place(at(13, 2, 5, 6)),
    )
    before = fingerprint(changes.read_changes([message]))
    message.risk, message.editable = "挤占休息", True
    assert fingerprint(changes.read_changes([message])) == before
    message.to.CopyFrom(calendar_pb2.Place())
    assert fingerprint(changes.read_changes([message])) != before


@pytest.mark.parametrize(
    ("base", "fits"),
    [
        ({f"cell:1:1:1:{n}": "x" * 500 for n in range(200)}, True),
        ({"cell:1:1:1:1": "x" * 501}, False),
        ({f"cell:1:1:1:{n}": "x" * 500 for n in range(1100)}, False),
        ({f"cell:1:1:1:{n}": "课" * 500 for n in range(400)}, False),
        ({f"cell:1:1:1:{n}": "1" for n in range(5001)}, False),
    ],
)
def test_a_base_is_bounded_entry_by_entry_and_as_a_whole(base: dict[str, str], fits: bool) -> None:
    if fits:
        assert changes.read_base(base) == base
    else:
        with pytest.raises(InvalidRequest):
            changes.read_base(base)


def test_an_event_tells_the_first_refusals_and_entries_alone() -> None:
    entries = tuple(BaseEntryDiff(f"cell:1:1:1:{n}", "empty", "1:1") for n in range(1000))
    changed = VerdictRefusal(RefusalCode.BASE_VERSION_CHANGED, "c1", entries=entries)
    others = (VerdictRefusal(RefusalCode.SLOT_CONFLICT, "c2"),) * 2449
    verdict = Verdict("asa_1", (), (changed, *others), datetime(2026, 11, 30, tzinfo=UTC))
    told = outlet._failed(1, verdict)
    assert len(told.refusals) == 50  # type: ignore[attr-defined]
    assert len(told.refusals[0].base_entries) == 100  # type: ignore[attr-defined]
    assert told.ByteSize() < 64 * 1024
    assert len(changes.verdict(verdict).refusals) == 2450
