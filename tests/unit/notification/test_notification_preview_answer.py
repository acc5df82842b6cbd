from datetime import UTC, datetime, timedelta
from zoneinfo import ZoneInfo

import pytest

from services.notification.domain.answer import PreviewState, Silence, Told, Topic
from services.notification.domain.message import Language
from services.notification.wire import preview as wire
from smartmate.active_scheduler.v1 import active_scheduler_service_pb2 as pb
from smartmate.active_scheduler.v1 import preview_pb2, question_pb2
from smartmate.schedule.v1 import calendar_pb2, change_pb2, schedule_event_pb2
from smartmate.text.v1.localized_text_pb2 import LocalizedText

NOW = datetime(2026, 3, 9, 10, 0, tzinfo=UTC)
STARTS = (480, 535, 615, 670, 840, 895, 975, 1030, 1140, 1195)
TASK = change_pb2.Target(kind=change_pb2.TARGET_KIND_TASK_POOL, id=5)
BLOCK = change_pb2.Target(kind=change_pb2.TARGET_KIND_SCHEDULE_EVENT, id=9)


def place(week: int = 2, day: int = 2, first: int = 3, last: int = 4) -> calendar_pb2.Place:
    return calendar_pb2.Place(
        semester_id=1, week=week, day_of_week=day, first_section=first, last_section=last
    )


def semester(**about: object) -> calendar_pb2.Semester:
    fields: dict[str, object] = {
        "semester_id": 1,
        "first_date": "2026-03-02",
        "week_count": 18,
        "time_zone": "Asia/Shanghai",
        "clock": calendar_pb2.SectionClock(
            sections=[
                calendar_pb2.SectionTime(start_minute_of_day=at, end_minute_of_day=at + 45)
                for at in STARTS
            ],
            lunch_after_section=4,
            dinner_after_section=8,
        ),
    }
    return calendar_pb2.Semester(**{**fields, **about})  # type: ignore[arg-type]


def response(**about: object) -> pb.GetPreviewResponse:
    add = change_pb2.ScheduleChange(
        change_id="c1", type=change_pb2.CHANGE_TYPE_ADD, target=TASK, to=place()
    )
    fields: dict[str, object] = {
        "target": TASK,
        "target_title": "大作业",
        "state": preview_pb2.PREVIEW_STATE_READY,
        "action": preview_pb2.DECISION_ACTION_SELECT_CANDIDATE,
        "candidates": [preview_pb2.Candidate(candidate_id="k1", changes=[add])],
        "selected_candidate_id": "k1",
        "summary": LocalizedText(zh_cn="可以吗？", en_us="All right?"),
        "semesters": [semester()],
    }
    preview = preview_pb2.Preview(**{**fields, **about})  # type: ignore[arg-type]
    preview.expire_time.FromDatetime(NOW + timedelta(hours=1))
    answer = pb.GetPreviewResponse(preview=preview)
    answer.now_time.FromDatetime(NOW)
    return answer


def told(**about: object) -> Told:
    answer = wire.answer(response(**about))
    assert isinstance(answer, Told)
    return answer


def test_a_ready_suggestion_is_read_whole() -> None:
    answer = told()
    assert (answer.state, answer.topic) == (PreviewState.READY, Topic.SUGGESTION)
    assert answer.summary == {Language.ZH_CN: "可以吗？", Language.EN_US: "All right?"}
    assert (answer.now, answer.expires_at) == (NOW, NOW + timedelta(hours=1))
    (change,) = answer.changes
    assert (change.name, change.from_, change.taken_by) == ("大作业", None, ())
    assert change.to is not None
    assert change.to.starts_at == datetime(2026, 3, 10, 10, 15, tzinfo=ZoneInfo("Asia/Shanghai"))
    assert change.to.ends_at.strftime("%H:%M") == "11:55"


@pytest.mark.parametrize(
    ("action", "topic"),
    [
        (preview_pb2.DECISION_ACTION_ASK_USER, Topic.QUESTION),
        (preview_pb2.DECISION_ACTION_NOTIFY_ONLY, Topic.NOTICE),
        (99, Topic.SUGGESTION),
    ],
)
def test_the_topic_follows_the_decision(action: int, topic: Topic) -> None:
    assert told(action=action).topic is topic


def test_a_question_is_answered_once_it_has_the_time_of_its_answer() -> None:
    question = question_pb2.Question()
    assert not told().is_answered
    assert not told(question=question).is_answered
    question.answer_time.FromDatetime(NOW)
    assert told(question=question).is_answered


def test_words_made_for_the_message_come_before_the_pages() -> None:
    own = LocalizedText(zh_cn="请确认。", en_us="Please confirm.")
    assert told(notification_text=own).summary[Language.EN_US] == "Please confirm."
    half = LocalizedText(zh_cn="请确认。")
    assert told(notification_text=half).summary[Language.ZH_CN] == "可以吗？"


def test_only_the_proposed_candidate_is_told() -> None:
    assert told(selected_candidate_id="").changes == ()
    assert told(selected_candidate_id="other").changes == ()


def test_other_blocks_are_named_by_what_is_known_of_them() -> None:
    block = schedule_event_pb2.ScheduleEvent(
        event_id=9, name="线性代数", place=place(first=4, last=5)
    )
    guest = schedule_event_pb2.ScheduleEvent(
        event_id=0,
        name="第二章",
        source=change_pb2.Target(kind=change_pb2.TARGET_KIND_TASK_ITEM, id=3),
    )
    moves = [
        change_pb2.ScheduleChange(
            type=change_pb2.CHANGE_TYPE_MOVE,
            target=BLOCK,
            to=place(day=3),
            **{"from": place(first=4, last=5)},  # type: ignore[arg-type]
        ),
        change_pb2.ScheduleChange(
            type=change_pb2.CHANGE_TYPE_PLACE, target=guest.source, to=place()
        ),
    ]
    candidate = preview_pb2.Candidate(candidate_id="k1", changes=moves, after_events=[guest])
    moved, placed = told(candidates=[candidate], before_events=[block]).changes
    assert (moved.name, moved.taken_by) == ("线性代数", ())
    assert moved.from_ is not None
    assert (moved.from_.first, moved.from_.last) == (4, 5)
    assert (placed.name, placed.taken_by) == ("第二章", ("线性代数",))


@pytest.mark.parametrize(
    "broken",
    [
        {"first_date": "not a date"},
        {"first_date": "2026-03-03"},
        {"time_zone": "Nowhere/Else"},
        {"week_count": 1},
        {"clock": calendar_pb2.SectionClock()},
        {"semester_id": 2},
    ],
)
def test_a_place_that_cannot_be_read_is_left_out(broken: dict[str, object]) -> None:
    (change,) = told(semesters=[semester(**broken)]).changes
    assert (change.name, change.to) == ("大作业", None)


def test_a_state_of_a_newer_peer_is_like_no_answer() -> None:
    assert wire.answer(response(state=77)) == Silence()


def test_times_that_are_no_instants_are_like_no_answer() -> None:
    answer = response()
    answer.now_time.seconds = 2**60
    assert wire.answer(answer) == Silence()
