"""The trace: for operators alone, with every step in words and in time."""

from datetime import timedelta
from zoneinfo import ZoneInfo

import grpc
import pytest

from services.gateway.domain import messages
from services.gateway.domain.locale import Locale
from services.gateway.domain.spans import span
from services.gateway.domain.visitor import OPERATOR, Visitor
from services.gateway.web import access
from services.gateway.wire import trace_list, trace_page, trace_words
from smartmate.active_scheduler.v1 import active_scheduler_service_pb2 as active_pb2
from smartmate.active_scheduler.v1 import trigger_pb2
from smartmate.schedule.v1 import change_pb2, schedule_service_pb2
from tests.unit.gateway import feedback_samples as feedback
from tests.unit.gateway import gateway_samples as samples
from tests.unit.gateway.class_services import VISITOR
from tests.unit.gateway.gateway_served import DATA, PAGE, Served, served_by
from tests.unit.gateway.test_gateway_preview_http import ByHand, get, of, refused
from tests.unit.gateway.test_gateway_rendering import Page

ZONE = ZoneInfo("Asia/Shanghai")
LOOKER = Visitor(1, "运维", frozenset({OPERATOR}), "the-csrf-token")
PAGES = (
    "/trace",
    "/trace/ast_77",
    "/trace/target?user=7&kind=task_pool&id=1042",
    "/api/v1/active-schedule/triggers",
    "/api/v1/active-schedule/triggers/ast_77/trace",
    "/api/v1/active-schedule/trace?user_id=7&kind=TARGET_KIND_TASK_POOL&id=1042",
)
WAY = (
    ("feedback.told", 0, "f-1", "user_feedback"),
    ("trigger.pending", 0, "ast_77", "user_feedback"),
    ("trigger.preview_generated", 2.4, "ast_77", ""),
    ("preview.ready", 2.4, "asp_1", ""),
    ("notification.sent", 4, "asp_1", ""),
    ("apply.applying", 904, "asa_1", ""),
    ("apply.applied", 905, "asa_1", ""),
    ("preview.applied", 905, "asp_1", ""),
    ("trigger.followed", 90_000, "ast_78", "regenerate"),
)


def steps(*way: tuple[str, float, str, str]) -> list[trigger_pb2.TraceStep]:
    return [
        trigger_pb2.TraceStep(
            name=name,
            step_time=samples.stamp(samples.NOW + timedelta(seconds=after)),
            id=id_,
            reason=reason,
        )
        for name, after, id_, reason in way
    ]


def traced(
    *way: tuple[str, float, str, str], record: trigger_pb2.TriggerRecord | None = None
) -> active_pb2.GetTraceResponse:
    return active_pb2.GetTraceResponse(trigger=record, user_id=7, steps=steps(*way))


def listed(*records: trigger_pb2.TriggerRecord, token: str = "") -> active_pb2.ListTriggersResponse:
    return active_pb2.ListTriggersResponse(
        triggers=[
            trigger_pb2.TriggerListing(trigger=one, user_id=7, priority=1) for one in records
        ],
        next_page_token=token,
    )


served = served_by(ByHand)


@pytest.fixture
def suite(served: Served) -> ByHand:
    """Services with a trigger; an operator is signed in."""
    found = served.parts.suite
    assert isinstance(found, ByHand)
    served.app.dependency_overrides[access.signed_in] = lambda: LOOKER
    found.served, found.asked = served, []
    found.answers = {
        "ListTriggers": listed(feedback.look(words=samples.HOSTILE), token="a&b"),
        "GetTrace": traced(*WAY, record=feedback.found()),
        "GetSemester": schedule_service_pb2.GetSemesterResponse(semester=samples.semester()),
        "GetWeek": samples.week(),
        "ListPreviews": active_pb2.ListPreviewsResponse(),
    }
    return found


@pytest.mark.parametrize("path", PAGES)
async def test_a_student_finds_nothing_here(suite: ByHand, path: str) -> None:
    suite.served.app.dependency_overrides[access.signed_in] = lambda: VISITOR
    headers = DATA if path.startswith("/api") else PAGE
    answer = await get(suite, path, headers)
    assert answer.status_code == 404
    assert suite.asked == []
    if path.startswith("/api"):
        assert answer.json()["code"] == "not_found"


async def test_only_an_operator_is_shown_the_way_here(suite: ByHand) -> None:
    assert 'href="/trace"' in (await get(suite, "/week", PAGE)).text
    suite.served.app.dependency_overrides[access.signed_in] = lambda: VISITOR
    assert 'href="/trace"' not in (await get(suite, "/week", PAGE)).text


@pytest.mark.parametrize("path", PAGES)
async def test_an_operator_sees_it(suite: ByHand, path: str) -> None:
    headers = DATA if path.startswith("/api") else PAGE
    assert (await get(suite, path, headers)).status_code == 200


async def test_the_list_is_sifted_and_paged(suite: ByHand) -> None:
    page = await get(suite, "/trace?user=7&state=closed&before=t1", PAGE)
    (asked,) = of(suite, active_pb2.ListTriggersRequest)
    assert asked == active_pb2.ListTriggersRequest(
        user_id=7,
        states=[trigger_pb2.TRIGGER_STATE_CLOSED],
        page_size=50,
        page_token="t1",
    )
    assert 'href="?user=7&amp;state=closed&amp;before=a%26b"' in page.text
    assert 'href="/trace?user=7&amp;state=closed"' in page.text
    Page.of(page.text)


async def test_what_people_said_is_data_in_the_trace(suite: ByHand) -> None:
    text = (await get(suite, "/trace", PAGE)).text
    assert samples.HOSTILE in Page.of(text).text
    assert samples.HOSTILE not in text
    record = feedback.look(words=samples.HOSTILE)
    suite.answers["GetTrace"] = traced(*WAY, record=record)
    text = (await get(suite, "/trace/ast_77", PAGE)).text
    assert samples.HOSTILE in Page.of(text).text
    assert samples.HOSTILE not in text


@pytest.mark.parametrize(
    "path",
    [
        "/trace?user=x",
        "/trace?state=nowhere",
        "/trace?before=" + "x" * 201,
        "/trace/asp_1",
        "/trace/target?user=0&kind=task_pool&id=1",
        "/trace/target?user=1&kind=nobody&id=1",
        "/trace/target?user=1&kind=task_pool",
        "/api/v1/active-schedule/triggers?state=PENDING",
        "/api/v1/active-schedule/trace?user_id=7&kind=x&id=1",
    ],
)
async def test_what_nobody_can_ask_for_is_refused(suite: ByHand, path: str) -> None:
    headers = DATA if path.startswith("/api") else PAGE
    assert (await get(suite, path, headers)).status_code in (400, 404)
    assert suite.asked == []


async def test_an_empty_filter_is_none(suite: ByHand) -> None:
    assert (await get(suite, "/trace?user=&state=", PAGE)).status_code == 200
    (asked,) = of(suite, active_pb2.ListTriggersRequest)
    assert (asked.user_id, list(asked.states)) == (0, [])


async def test_a_program_names_states_and_targets(suite: ByHand) -> None:
    path = "/api/v1/active-schedule/triggers"
    query = "user_id=7&state=TRIGGER_STATE_FAILED&state=TRIGGER_STATE_REJECTED&page_size=9"
    await get(suite, f"{path}?{query}", DATA)
    (asked,) = of(suite, active_pb2.ListTriggersRequest)
    states = [trigger_pb2.TRIGGER_STATE_FAILED, trigger_pb2.TRIGGER_STATE_REJECTED]
    assert (list(asked.states), asked.page_size) == (states, 9)
    await get(suite, PAGES[-1], DATA)
    (trace,) = of(suite, active_pb2.GetTraceRequest)
    assert trace.target == change_pb2.Target(kind=change_pb2.TARGET_KIND_TASK_POOL, id=1042)
    assert (trace.user_id, trace.trigger_id) == (7, "")


async def test_a_trigger_that_is_not_there_is_not_found(suite: ByHand) -> None:
    suite.answers["GetTrace"] = refused(grpc.StatusCode.NOT_FOUND, "trigger_not_found")
    assert (await get(suite, "/trace/ast_none", PAGE)).status_code == 404


async def test_the_operators_zone_may_be_unknown(suite: ByHand) -> None:
    suite.answers["GetSemester"] = refused(grpc.StatusCode.UNAVAILABLE, "unavailable")
    assert "Asia/Shanghai" in (await get(suite, "/trace/ast_77", PAGE)).text


def test_a_whole_way_is_told_in_time_with_the_waiting_for_the_person() -> None:
    page = trace_page.build(Locale.ZH, traced(*WAY, record=feedback.found()), ZONE)
    assert page.title == "说了没做完"
    assert page.by == ("触发 ast_77", "用户 7", "时间按 Asia/Shanghai")
    assert page.lead == "全程 15 分 5 秒，其中 15 分在等人看。"
    assert [(one.name, one.state, one.tone) for one in page.phases] == [
        ("触发", "已生成建议", "ok"),
        ("建议", "已写入", "ok"),
        ("通知", "已送达", "ok"),
        ("写入", "已写入", "ok"),
    ]
    confirmed = page.steps[5]
    assert (confirmed.title, confirmed.tone) == ("用户确认了", "you")
    assert confirmed.pause == "等人 · 15 分"
    assert [one.day for one in page.steps] == ["11月30日", *[""] * 7, "12月1日"]
    assert page.steps[0].time == "18:46:00"
    assert page.steps[-1].href == "/trace/ast_78"


def test_a_way_that_ended_early_says_what_was_not_reached() -> None:
    way = (("trigger.pending", 0.0, "ast_77", ""), ("trigger.closed", 1.0, "ast_77", "x"))
    page = trace_page.build(Locale.ZH, traced(*way, record=feedback.closed()), ZONE)
    assert [one.state for one in page.phases] == ["不需要动", "", "", ""]
    assert page.lead == "全程 1.0 秒。"


def test_the_way_of_a_target_that_never_fired_is_shown() -> None:
    target = change_pb2.Target(kind=change_pb2.TARGET_KIND_TASK_POOL, id=1042)
    way = (
        ("job.pending", 0.0, "1042", ""),
        ("job.pending", 50.0, "1042", "quiet_hours"),
        ("job.canceled", 99_999.0, "1042", "task_deleted"),
    )
    page = trace_page.build(Locale.EN, traced(*way), ZONE, target)
    assert (page.title, page.phases, page.facts) == ("Task 1042", (), ())
    assert [(one.title, one.reason) for one in page.steps] == [
        ("The timer waits", ""),
        ("The timer waits", "quiet_hours"),
        ("The timer was canceled", "task_deleted"),
    ]


def test_a_step_that_nobody_has_words_for_is_named_as_it_is() -> None:
    page = trace_page.build(
        Locale.ZH, traced(("dream.dreamt", 0.0, "x", ""), record=feedback.look()), ZONE
    )
    assert page.steps[0].title == "dream.dreamt"
    assert page.lead == ""


def test_an_empty_way_has_no_line() -> None:
    assert trace_page.build(Locale.ZH, traced(record=feedback.look()), ZONE).steps == ()


def test_a_line_of_the_list_says_whose_what_and_why() -> None:
    record = feedback.closed()
    record.mock_now_time.CopyFrom(samples.stamp(samples.NOW))
    record.is_mock_time = True
    (line,) = trace_list.build(Locale.ZH, listed(record), ZONE)
    assert (line.title, line.state, line.tone) == ("说了没做完", "不需要动", "")
    assert line.facts == (
        "用户 7",
        "日程块 4",
        "用户反馈",
        "第 1 象限",
        "makeup_scheduled",
        "演示时间 11月30日 18:46:00",
    )
    assert line.made == "11月30日 18:46:00"


@pytest.mark.parametrize("name", trigger_pb2.TriggerState.keys()[1:])
def test_every_state_of_a_trigger_has_words(name: str) -> None:
    state = name.removeprefix("TRIGGER_STATE_").lower()
    assert messages.has(f"trace.state_{state}")
    assert state in trace_list.STATES
    assert messages.has(f"trace.step_trigger_{state}")


@pytest.mark.parametrize("locale", Locale)
def test_every_type_source_and_kind_has_words(locale: Locale) -> None:
    for value in trigger_pb2.TriggerType.values()[1:]:
        record = trigger_pb2.TriggerRecord(type=value)
        assert "_" not in trace_words.type_word(locale, record)
    for value in trigger_pb2.TriggerSource.values()[1:]:
        record = trigger_pb2.TriggerRecord(source=value)
        assert "_" not in trace_words.source_word(locale, record)
    for value in change_pb2.TargetKind.values()[1:]:
        assert "_" not in trace_words.target_word(locale, change_pb2.Target(kind=value, id=1))


def test_words_alone_have_no_target() -> None:
    assert trace_words.target_word(Locale.ZH, change_pb2.Target()) == "只有一句话"


@pytest.mark.parametrize(
    ("seconds", "words"),
    [
        (-5, "0.0 秒"),
        (0.04, "0.0 秒"),
        (3.46, "3.5 秒"),
        (9.99, "10.0 秒"),
        (59.6, "1 分"),
        (907, "15 分 7 秒"),
        (3600, "1 小时"),
        (3605, "1 小时"),
        (90_000, "1 天 1 小时"),
        (86_400 * 3, "3 天"),
    ],
)
def test_a_time_is_told_in_two_units_at_most(seconds: float, words: str) -> None:
    assert span(Locale.ZH, timedelta(seconds=seconds)) == words


def test_english_units() -> None:
    assert span(Locale.EN, timedelta(minutes=15, seconds=7)) == "15 min 7 s"
