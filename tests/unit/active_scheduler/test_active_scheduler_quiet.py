"""Quiet hours: a job that is due inside them waits for their end."""

import time as process_time
from collections.abc import Iterator
from datetime import UTC, datetime, time, timedelta
from zoneinfo import ZoneInfo

import pytest
from hypothesis import given
from hypothesis import strategies as st

from services.active_scheduler.domain.job import DueTask, Fire, Rearm, judge_due
from services.active_scheduler.domain.quiet import QuietHours, postponed
from tests.unit.active_scheduler.look_world import ZONES, at, local, look, look_facts, steady

NIGHT = QuietHours(time(22, 30), time(7), "Asia/Shanghai")
NEW_YEAR = datetime(2026, 1, 1, tzinfo=UTC)
NOON = QuietHours(time(12), time(13, 30), "Asia/Shanghai")


@pytest.mark.parametrize(
    ("quiet", "now", "ends"),
    [
        (NIGHT, "2026-11-30T22:29:59", None),
        (NIGHT, "2026-11-30T22:30:00", "2026-12-01T07:00:00"),
        (NIGHT, "2026-11-30T23:59:59", "2026-12-01T07:00:00"),
        (NIGHT, "2026-12-01T00:00:00", "2026-12-01T07:00:00"),
        (NIGHT, "2026-12-01T06:59:59", "2026-12-01T07:00:00"),
        (NIGHT, "2026-12-01T07:00:00", None),
        (NIGHT, "2026-12-31T23:00:00", "2027-01-01T07:00:00"),
        (NOON, "2026-11-30T11:59:59", None),
        (NOON, "2026-11-30T12:00:00", "2026-11-30T13:30:00"),
        (NOON, "2026-11-30T13:30:00", None),
    ],
)
def test_quiet_hours_hold_from_their_start_until_their_end(quiet, now, ends):
    assert quiet.end_of(local(now)) == (local(ends) if ends else None)


@pytest.mark.parametrize(
    ("now", "ends"),
    [
        # The night that loses an hour: 02:00 becomes 03:00.
        ("2026-03-28T23:30:00+01:00", "2026-03-29T07:00:00+02:00"),
        ("2026-03-29T03:00:00+02:00", "2026-03-29T07:00:00+02:00"),
        # The night that gains one: 03:00 becomes 02:00 again.
        ("2026-10-24T23:30:00+02:00", "2026-10-25T07:00:00+01:00"),
        ("2026-10-25T02:30:00+02:00", "2026-10-25T07:00:00+01:00"),
        ("2026-10-25T02:30:00+01:00", "2026-10-25T07:00:00+01:00"),
    ],
)
def test_a_night_of_a_clock_change_ends_by_the_clock_of_the_morning(now, ends):
    berlin = QuietHours(time(23), time(7), "Europe/Berlin")
    assert berlin.end_of(datetime.fromisoformat(now)) == datetime.fromisoformat(ends)


def test_an_end_that_occurs_twice_means_the_second_and_quiet_does_not_return():
    berlin = QuietHours(time(23), time(2, 30), "Europe/Berlin")
    second = datetime.fromisoformat("2026-10-25T02:30:00+01:00")
    for now in ("2026-10-25T02:29:00+02:00", "2026-10-25T02:40:00+02:00"):
        assert berlin.end_of(datetime.fromisoformat(now)) == second
    assert berlin.end_of(second) is None


def test_an_end_that_is_skipped_is_pushed_forward_by_the_gap():
    berlin = QuietHours(time(23), time(2, 30), "Europe/Berlin")
    ends = datetime.fromisoformat("2026-03-29T03:30:00+02:00")
    assert berlin.end_of(datetime.fromisoformat("2026-03-29T01:45:00+01:00")) == ends
    assert berlin.end_of(ends) is None


times = st.times(min_value=time(0), max_value=time(23, 59)).map(
    lambda one: one.replace(second=0, microsecond=0)
)


@given(
    times,
    times,
    st.sampled_from(ZONES),
    st.integers(0, 366 * 24 * 60),
)
@steady
def test_quiet_hours_are_left_at_their_end_and_last_less_than_a_day_and_a_change(
    start, end, zone, minutes
):
    if start == end:
        return
    quiet, now = QuietHours(start, end, zone), NEW_YEAR + timedelta(minutes=minutes)
    ends = quiet.end_of(now)
    if ends is None:
        return
    assert now < ends <= now + timedelta(hours=26)
    wall = ends.astimezone(ZoneInfo(zone)).time()
    # By the wall clock it is the end, or, where that is skipped, up to two hours after it.
    after = (wall.hour * 60 + wall.minute) - (end.hour * 60 + end.minute)
    assert 0 <= after % (24 * 60) <= 120


@pytest.mark.parametrize(
    ("deadline", "waits"),
    [
        (None, True),
        ("2026-12-01T06:00:00", False),
        ("2026-12-01T07:00:00", False),
        ("2026-12-01T07:00:01", True),
        ("2026-11-30T23:00:00", True),
        ("2026-11-30T12:00:00", True),
    ],
)
def test_what_is_due_does_not_wait_past_a_deadline_that_lies_ahead(deadline, waits):
    now = local("2026-11-30T23:00:00")
    ends = postponed(NIGHT, now=now, deadline=local(deadline) if deadline else None)
    assert ends == (local("2026-12-01T07:00:00") if waits else None)


def test_without_quiet_hours_nothing_waits():
    assert postponed(None, now=local("2026-11-30T23:00:00"), deadline=None) is None


@pytest.mark.parametrize(
    ("quiet", "now", "decision"),
    [
        (None, "2026-11-30T23:00:00", Fire()),
        (NIGHT, "2026-11-30T22:00:00", Fire()),
        (NIGHT, "2026-11-30T23:00:00", Rearm(local("2026-12-01T07:00:00"), "quiet_hours")),
    ],
)
def test_a_job_that_is_due_in_quiet_hours_is_armed_for_their_end(quiet, now, decision):
    task = DueTask(1, 11, True, False, 1, local("2026-11-30T20:00:00"), 3, False, None, quiet)
    assert judge_due(task, local(now)) == decision


def test_a_job_that_would_end_anyway_ends_in_quiet_hours_too():
    task = DueTask(1, 11, True, True, 1, local("2026-11-30T20:00:00"), 3, False, None, NIGHT)
    assert judge_due(task, local("2026-11-30T23:00:00")).reason == "task_completed"


@pytest.fixture(params=["UTC", "America/New_York", "Pacific/Kiritimati"])
def server_zone(request, monkeypatch) -> Iterator[str]:
    monkeypatch.setenv("TZ", request.param)
    process_time.tzset()
    yield request.param
    monkeypatch.undo()
    process_time.tzset()


def test_the_zone_of_the_server_decides_nothing(server_zone):
    """B018: neither when it is quiet, nor where a task may go."""
    assert NIGHT.end_of(local("2026-11-30T23:00")) == local("2026-12-01T07:00")
    assert NIGHT.end_of(local("2026-11-30T12:00")) is None
    content = look(look_facts(deadline=local("2026-11-30T20:00"), estimate=2))
    assert {one.changes[0].to for one in content.candidates} == {
        at(13, 1, first, first + 1) for first in (3, 5, 7)
    }
