"""Hand-made answers of the services, as the pages are given them."""

from collections.abc import Sequence
from datetime import UTC, datetime, timedelta

from google.protobuf.timestamp_pb2 import Timestamp

from smartmate.active_scheduler.v1 import active_scheduler_service_pb2, preview_pb2
from smartmate.schedule.v1 import (
    apply_pb2,
    calendar_pb2,
    change_pb2,
    schedule_event_pb2,
    schedule_service_pb2,
)
from smartmate.text.v1 import localized_text_pb2

NOW = datetime(2026, 11, 30, 10, 46, tzinfo=UTC)
"""Monday of week 13, 18:46 in Shanghai: between sections 8 and 9."""
EXPIRES = NOW + timedelta(minutes=46)
HOSTILE = "<script>alert('x')</script>“&\u202e"

EARLIEST = "add:1042:13:1:11"
BEST = "add:1042:13:2:3"
LATEST = "add:1042:13:2:7"

_STARTS = (480, 535, 615, 670, 840, 895, 975, 1030, 1140, 1195, 1250, 1305)
COURSE = schedule_event_pb2.SCHEDULE_EVENT_TYPE_COURSE
TASK = schedule_event_pb2.SCHEDULE_EVENT_TYPE_TASK
_TARGET = change_pb2.Target(kind=change_pb2.TARGET_KIND_TASK_POOL, id=1042)


def stamp(at: datetime) -> Timestamp:
    made = Timestamp()
    made.FromDatetime(at)
    return made


def text(zh: str, en: str) -> localized_text_pb2.LocalizedText:
    return localized_text_pb2.LocalizedText(zh_cn=zh, en_us=en)


def semester(
    *, sections: Sequence[int] = _STARTS, lunch: int = 4, dinner: int = 8
) -> calendar_pb2.Semester:
    """Week 1 begins on Monday 7 September 2026."""
    return calendar_pb2.Semester(
        semester_id=3,
        first_date="2026-09-07",
        week_count=18,
        time_zone="Asia/Shanghai",
        clock=calendar_pb2.SectionClock(
            sections=[
                calendar_pb2.SectionTime(start_minute_of_day=at, end_minute_of_day=at + 45)
                for at in sections
            ],
            lunch_after_section=lunch,
            dinner_after_section=dinner,
        ),
        version=1,
    )


def place(day: int, first: int, last: int, *, week: int = 13) -> calendar_pb2.Place:
    return calendar_pb2.Place(
        semester_id=3, week=week, day_of_week=day, first_section=first, last_section=last
    )


def event(
    id_: int,
    name: str,
    at: calendar_pb2.Place,
    *,
    kind: schedule_event_pb2.ScheduleEventType = COURSE,
    location: str = "",
    hosts: bool = False,
    host: int = 0,
    makeup_for: int = 0,
) -> schedule_event_pb2.ScheduleEvent:
    return schedule_event_pb2.ScheduleEvent(
        event_id=id_,
        type=kind,
        name=name,
        place=at,
        location=location,
        can_be_embedded=hosts,
        host_event_id=host,
        makeup_for_event_id=makeup_for,
    )


def before_events() -> list[schedule_event_pb2.ScheduleEvent]:
    return [
        event(1, "高等代数", place(1, 1, 2), location="教二 304"),
        event(2, "大学英语", place(1, 3, 4), location="文史 201"),
        event(3, "数据结构", place(1, 5, 6), location="信息 112"),
        event(4, "英语听力精练", place(1, 9, 10), kind=TASK),
        event(5, "大学物理", place(2, 1, 2), location="理科 108"),
        event(6, "形势与政策", place(2, 5, 6), hosts=True),
        event(7, "羽毛球", place(2, 9, 10), location="东馆"),
    ]


def candidate(
    id_: str,
    family: preview_pb2.CandidateFamily,
    to: calendar_pb2.Place,
    *,
    words: str = "周二 3–4 节",
    english: str = "Tue, sections 3–4",
    risk: localized_text_pb2.LocalizedText | None = None,
) -> preview_pb2.Candidate:
    added = event(0, "概率论大作业", to, kind=TASK)
    change = change_pb2.ScheduleChange(
        change_id="c1", type=change_pb2.CHANGE_TYPE_ADD, target=_TARGET, to=to, editable=True
    )
    return preview_pb2.Candidate(
        candidate_id=id_,
        family=family,
        changes=[change],
        summary=text(f"「概率论大作业」放到{words}，可以吗？", f"Put “概率论大作业” at {english}?"),
        reason=text(
            "它明晚 22:00 截止，还没有排进日程。其他安排都不用动。",
            "It is due tomorrow at 22:00 and not scheduled. Nothing else has to move.",
        ),
        risk=risk or text("", ""),
        after_events=[*before_events(), added],
    )


def candidates() -> list[preview_pb2.Candidate]:
    return [
        candidate(
            BEST,
            preview_pb2.CANDIDATE_FAMILY_BEST_MATCH,
            place(2, 3, 4),
            risk=text(
                "周二上午会连上 4 节，中间有 35 分钟休息。",
                "Four sections in a row on Tuesday morning, with a break of 35 minutes.",
            ),
        ),
        candidate(
            EARLIEST,
            preview_pb2.CANDIDATE_FAMILY_EARLIEST,
            place(1, 11, 12),
            words="周一 11–12 节",
            english="Mon, sections 11–12",
        ),
        candidate(
            LATEST,
            preview_pb2.CANDIDATE_FAMILY_LAST_SAFE,
            place(2, 7, 8),
            words="周二 7–8 节",
            english="Tue, sections 7–8",
        ),
    ]


def preview(
    state: preview_pb2.PreviewState = preview_pb2.PREVIEW_STATE_READY,
    *,
    action: preview_pb2.DecisionAction = preview_pb2.DECISION_ACTION_SELECT_CANDIDATE,
    offered: Sequence[preview_pb2.Candidate] | None = None,
    refusals: Sequence[apply_pb2.Refusal] = (),
    title: str = "概率论大作业",
    written: Sequence[calendar_pb2.Place] = (),
    warnings: Sequence[str] = ("estimate_assumed", "a_code_from_tomorrow"),
) -> preview_pb2.Preview:
    made = candidates() if offered is None else list(offered)
    applied = state == preview_pb2.PREVIEW_STATE_APPLIED
    return preview_pb2.Preview(
        preview_id="asp_0192f3",
        trigger_id="ast_0192f2",
        target=_TARGET,
        target_title=title,
        state=state,
        version=4,
        action=action,
        candidates=made,
        selected_candidate_id=made[0].candidate_id if made else "",
        summary=made[0].summary if made else text("暂时没有位置。", "No place for now."),
        facts=[
            text("它在「重要且紧急」里，还没有排进日程。", "It is urgent and important."),
            text("截止时间是周二 22:00。", "It is due Tuesday 22:00."),
        ],
        inaction=text(
            "明天 17:55 之后，就没有完整的 2 节了。",
            "After 17:55 tomorrow no two sections are left.",
        ),
        warnings=warnings,
        before_events=before_events() if made else [],
        semesters=[semester()],
        generate_time=stamp(NOW - timedelta(minutes=14)),
        expire_time=stamp(EXPIRES),
        last_refusals=refusals,
        apply_time=stamp(NOW) if applied else None,
        applied_event_ids=[900] if applied else [],
        planned_sections=2,
        applied_changes=[
            change_pb2.ScheduleChange(
                change_id="c1", type=change_pb2.CHANGE_TYPE_ADD, target=_TARGET, to=to
            )
            for to in written
        ],
    )


def answer(
    shown: preview_pb2.Preview, *, now: datetime = NOW
) -> active_scheduler_service_pb2.GetPreviewResponse:
    return active_scheduler_service_pb2.GetPreviewResponse(preview=shown, now_time=stamp(now))


def refusal(
    code: apply_pb2.RefusalCode,
    *,
    at: calendar_pb2.Place | None = None,
    name: str = "",
    keys: Sequence[str] = (),
) -> apply_pb2.Refusal:
    return apply_pb2.Refusal(
        code=code,
        change_id="c1",
        place=at,
        event_name=name,
        base_entries=[
            apply_pb2.BaseEntryChange(key=key, expected="empty", actual="8:1") for key in keys
        ],
    )


def reorder() -> preview_pb2.Candidate:
    """A make-up block, and two later items that move."""
    make_up, later = place(2, 3, 4), place(2, 7, 8)
    target = change_pb2.Target(kind=change_pb2.TARGET_KIND_TASK_ITEM, id=3)
    moved = change_pb2.ScheduleChange(
        change_id="c2", type=change_pb2.CHANGE_TYPE_MOVE, target=target, to=later
    )
    getattr(moved, "from").CopyFrom(place(1, 9, 10))
    return preview_pb2.Candidate(
        candidate_id="local_reorder:3:13:2:3",
        changes=[
            change_pb2.ScheduleChange(
                change_id="c1",
                type=change_pb2.CHANGE_TYPE_CREATE_MAKEUP,
                target=target,
                to=make_up,
            ),
            moved,
        ],
        summary=text("补一次，后面一项往后挪，可以吗？", "Make it up and move the next one?"),
        after_events=[
            *(one for one in before_events() if one.event_id != 4),
            event(4, "英语听力精练", later, kind=TASK),
            event(0, "图的遍历", make_up, kind=TASK, makeup_for=4),
        ],
    )


def squeeze() -> preview_pb2.Candidate:
    """Two tasks share the place of one."""
    first, second = place(1, 9, 9), place(1, 10, 10)
    changes = [
        change_pb2.ScheduleChange(
            change_id=f"c{number}", type=change_pb2.CHANGE_TYPE_COMPRESS, target=_TARGET, to=to
        )
        for number, to in enumerate((first, second), start=1)
    ]
    return preview_pb2.Candidate(
        candidate_id="compress:4",
        changes=changes,
        summary=text("合用周一 9–10 节，各做一节，可以吗？", "Share Mon, sections 9–10?"),
        after_events=[
            *(one for one in before_events() if one.event_id != 4),
            event(4, "英语听力精练", second, kind=TASK),
            event(0, "实验报告", first, kind=TASK),
        ],
    )


def week_events() -> list[schedule_event_pb2.ScheduleEvent]:
    return [
        *before_events(),
        event(21, "背单词", place(2, 6, 6), kind=TASK, host=6),
        event(22, "概率论", place(3, 1, 2), location="教二 210"),
        event(23, "最短路径", place(3, 10, 11), kind=TASK),
        event(24, "高等代数", place(4, 1, 2), location="教二 304"),
        event(25, "电路实验", place(5, 5, 8), location="实验楼 B3"),
        event(26, "英语四级词汇", place(6, 3, 4), kind=TASK),
    ]


def week(
    *,
    number: int = 13,
    now: datetime = NOW,
    events: Sequence[schedule_event_pb2.ScheduleEvent] | None = None,
    bell: calendar_pb2.Semester | None = None,
) -> schedule_service_pb2.GetWeekResponse:
    first = datetime(2026, 9, 7, tzinfo=UTC) + timedelta(weeks=number - 1)
    return schedule_service_pb2.GetWeekResponse(
        semester=bell or semester(),
        week=number,
        dates=[(first + timedelta(days=day)).date().isoformat() for day in range(7)],
        events=week_events() if events is None else events,
        today=(now + timedelta(hours=8)).date().isoformat(),
        now_time=stamp(now),
    )
