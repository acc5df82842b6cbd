"""The page of changed days before services that answer by hand."""

import grpc
import pytest

from libs.rpc.errors import RemoteError
from tests.unit.gateway import gateway_samples as samples
from tests.unit.gateway.class_services import led, pb, prepared, refused, wrong
from tests.unit.gateway.gateway_served import PAGE, Served, served_by
from tests.unit.gateway.test_gateway_preview_http import ByHand, get, of, post

served = served_by(ByHand)


@pytest.fixture
def suite(served: Served) -> ByHand:
    return prepared(served)


async def test_a_changed_day_is_set_and_what_lost_its_place_is_counted(suite: ByHand) -> None:
    lost = samples.event(4, "词汇", samples.place(2, 5, 5), kind=samples.TASK)
    suite.answers["PutCalendarOverride"] = pb.PutCalendarOverrideResponse(pending_events=[lost])
    fields = {"date": "2026-10-10", "kind": "runs", "week": "4", "day": "4"}
    answer = await post(suite, "/calendar", data={**fields, "idempotency_key": "k"})
    assert led(answer) == ("/calendar", {"told": ["saved"], "pending": ["1"]})
    (asked,) = of(suite, pb.PutCalendarOverrideRequest)
    runs = asked.override.runs
    assert (asked.override.date, runs.week, runs.day_of_week) == ("2026-10-10", 4, 4)
    page = await get(suite, answer.headers["location"], PAGE)
    assert "1 块嵌在课里的任务没了地方" in page.text
    assert "10月1日" in page.text


@pytest.mark.parametrize("path", ["/calendar", "/calendar/delete"])
async def test_what_stands_in_the_way_is_named(suite: ByHand, path: str) -> None:
    suite.answers["PutCalendarOverride"] = suite.answers["DeleteCalendarOverride"] = refused(
        grpc.StatusCode.FAILED_PRECONDITION,
        "calendar_collision",
        event_ids="23,404",
        event_count="2",
    )
    fields = {"date": "2026-12-02", "idempotency_key": "k"}
    answer = await post(suite, path, data=fields)
    assert answer.status_code == 409
    assert "12月2日有安排挡着要上的课，没有变动" in answer.text
    assert 'href="/week/events/23?date=2026-12-02">最短路径</a>' in answer.text
    assert "另有 1 块" in answer.text


@pytest.mark.parametrize(
    ("error", "words"),
    [
        (refused(grpc.StatusCode.FAILED_PRECONDITION, "ended"), "这一天不在学期里"),
        (refused(grpc.StatusCode.INVALID_ARGUMENT, "out_of_semester"), "学期里没有这一周"),
        (wrong("override.date"), "写成学期里的一天"),
    ],
)
async def test_a_day_that_cannot_be_changed_is_said_at_its_field(
    suite: ByHand, error: RemoteError, words: str
) -> None:
    suite.answers["PutCalendarOverride"] = error
    answer = await post(suite, "/calendar", data={"date": "x", "idempotency_key": "k"})
    assert answer.status_code == 400
    assert words in answer.text


async def test_a_changed_day_is_taken_back(suite: ByHand) -> None:
    fields = {"date": "2026-10-01", "idempotency_key": "k"}
    assert led(await post(suite, "/calendar/delete", data=fields))[1] == {"told": ["deleted"]}
    (asked,) = of(suite, pb.DeleteCalendarOverrideRequest)
    assert (asked.date, asked.request_id) == ("2026-10-01", "k.2026-10-01")
    suite.answers["DeleteCalendarOverride"] = refused(
        grpc.StatusCode.NOT_FOUND, "override_not_found"
    )
    assert led(await post(suite, "/calendar/delete", data=fields))[1] == {"told": ["gone"]}


async def test_without_a_semester_the_way_to_one_is_shown(suite: ByHand) -> None:
    missing = refused(grpc.StatusCode.NOT_FOUND, "semester_not_found")
    suite.answers["GetSemester"] = suite.answers["PutCalendarOverride"] = missing
    answer = await get(suite, "/calendar", PAGE)
    assert 'href="/settings"' in answer.text
    answer = await post(suite, "/calendar", data={"date": "2026-10-10", "idempotency_key": "k"})
    assert answer.status_code == 409
