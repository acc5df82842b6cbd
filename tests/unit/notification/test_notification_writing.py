from dataclasses import replace
from datetime import UTC, datetime, timedelta
from zoneinfo import ZoneInfo

import pytest
from hypothesis import given
from hypothesis import strategies as st

from services.notification.domain import writing
from services.notification.domain.answer import (
    Absent,
    Answer,
    Matter,
    PlannedChange,
    PreviewState,
    Silence,
    Spot,
    Told,
    Topic,
    not_worth_it,
)
from services.notification.domain.card import card_content
from services.notification.domain.message import MAX_CONTENT_BYTES, Language, encoded
from services.notification.domain.plain import post_content
from services.notification.domain.record import SkipReason
from services.notification.domain.request import Request, TargetKind
from services.notification.domain.step import Clockwork, Past, held_back, put_aside

ZONE = ZoneInfo("Asia/Shanghai")
NOW = datetime(2026, 3, 9, 10, 0, tzinfo=UTC)  # Monday, 18:00 in Shanghai
MINUTES = timedelta(minutes=1)
REQUEST = Request(
    "asp_abcdefghjkmn3f8k7q",
    7,
    "ast_1",
    "asp_abcdefghjkmn3f8k7q",
    TargetKind.TASK_POOL,
    NOW + 60 * MINUTES,
    "/active-schedule/previews/asp_abcdefghjkmn3f8k7q",
)


def spot(day: int, first: int, last: int, start: str, end: str) -> Spot:
    on = datetime(2026, 3, day, tzinfo=ZONE).date().isoformat()
    return Spot(
        first,
        last,
        datetime.fromisoformat(f"{on}T{start}").replace(tzinfo=ZONE),
        datetime.fromisoformat(f"{on}T{end}").replace(tzinfo=ZONE),
    )


TUESDAY = spot(10, 3, 4, "10:15", "11:55")
TOLD = Told(
    state=PreviewState.READY,
    topic=Topic.SUGGESTION,
    target_title="概率论大作业",
    summary={Language.ZH_CN: "放到明天上午，可以吗？", Language.EN_US: "Put it tomorrow?"},
    changes=(PlannedChange("概率论大作业", None, TUESDAY),),
    now=NOW,
    expires_at=NOW + 60 * MINUTES,
    time_zone="Asia/Shanghai",
)


def write(
    answer: Answer = TOLD,
    language: Language = Language.ZH_CN,
    keyword: str = "",
    request: Request = REQUEST,
) -> writing.Written:
    return writing.write(
        request,
        answer,
        language=language,
        keyword=keyword,
        base_url="https://smartmate.example",
        now=NOW,
    )


def test_the_card_of_the_design_is_written() -> None:
    written = write()
    message = written.message
    assert not written.by_template
    assert message.title == "SmartMate：有一条调整建议"
    assert message.subtitle == "还没有写入日程，等你看过再定"
    assert message.tag == "新增 1 项"
    assert message.summary == "放到明天上午，可以吗？"
    (change,) = message.changes
    assert (change.before, change.after) == ("周二 3–4 节　空闲", "概率论大作业　10:15–11:55")
    assert message.valid_until == "19:00 前有效，过后可以重新生成"
    assert message.button == "看对照，再决定"
    assert message.url == "https://smartmate.example" + REQUEST.path
    assert message.short_number == "3F8K7Q"


def test_english_is_written_for_an_english_channel() -> None:
    message = write(language=Language.EN_US).message
    assert (message.title, message.summary) == ("SmartMate: a suggestion", "Put it tomorrow?")
    (change,) = message.changes
    assert (change.before, change.after) == (
        "Tue, sections 3–4  free",
        "概率论大作业  10:15–11:55",
    )
    assert "Valid until 19:00" in message.valid_until


def test_the_keyword_of_a_bot_stands_in_the_title() -> None:
    assert write(keyword="日程提醒").message.title.startswith("日程提醒｜")
    assert write(keyword="SmartMate").message.title == "SmartMate：有一条调整建议"


@pytest.mark.parametrize(
    "summary",
    [
        "",
        "   ",
        "长" * 501,
        "看 https://evil.example/x",
        "去 www.evil.example",
        "点 evil.com/x 领奖",
        "[点我](x)",
        "<a href=x>",
        "<at id=all></at>",
    ],
)
def test_a_summary_that_is_empty_too_long_or_has_a_link_gives_way_to_the_template(
    summary: str,
) -> None:
    written = write(replace(TOLD, summary={Language.ZH_CN: summary}))
    assert written.by_template
    assert written.message.summary == "「概率论大作业」有一条安排建议，等你看过再定。"


@pytest.mark.parametrize(
    "summary", ["10:15–11:55，可以吗？", "改 main.py", "长" * 500, "3.5 小时", "第3节…好"]
)
def test_an_ordinary_summary_is_shown(summary: str) -> None:
    assert write(replace(TOLD, summary={Language.ZH_CN: summary})).message.summary == summary


def test_a_title_with_a_link_is_not_quoted() -> None:
    told = replace(TOLD, summary={}, target_title="看 http://evil.example")
    assert write(told).message.summary == "一项任务有一条安排建议，等你看过再定。"


@pytest.mark.parametrize("answer", [Silence(), Absent()])
def test_without_an_answer_the_template_is_written(answer: Answer) -> None:
    written = write(answer)
    assert written.by_template
    assert written.message.summary == "一项任务有一条安排建议，等你看过再定。"
    assert written.message.changes == ()
    assert written.message.valid_until.startswith("19:00 前有效")


def test_a_question_and_a_notice_have_words_of_their_own() -> None:
    question = write(replace(TOLD, topic=Topic.QUESTION)).message
    notice = write(replace(TOLD, topic=Topic.NOTICE)).message
    assert (question.title, question.button) == ("SmartMate：有一件事要你来定", "去回答")
    assert (notice.title, notice.button) == ("SmartMate：有一件事先告诉你", "看看详情")
    assert notice.subtitle == ""


def test_a_place_that_is_taken_is_told_with_what_takes_it() -> None:
    change = PlannedChange("大作业", None, TUESDAY, taken_by=("线性代数", "早读"))
    (told,) = write(replace(TOLD, changes=(change,))).message.changes
    assert told.before == "周二 3–4 节　线性代数、早读"


def test_a_move_is_told_from_place_to_place() -> None:
    there = spot(11, 5, 5, "14:00", "14:45")
    message = write(replace(TOLD, changes=(PlannedChange("大作业", TUESDAY, there),))).message
    (told,) = message.changes
    assert told.before == "周二 3–4 节　10:15–11:55　大作业"
    assert told.after == "周三 5 节　14:00–14:45　大作业"
    assert message.tag == "改动 1 项"


def test_a_removal_and_a_change_without_a_place_are_told() -> None:
    changes = (PlannedChange("大作业", TUESDAY, None), PlannedChange("大作业", None, None))
    gone, bare = write(replace(TOLD, changes=changes)).message.changes
    assert (gone.before, gone.after) == ("周二 3–4 节　大作业", "周二 3–4 节　空闲")
    assert (bare.before, bare.after) == ("", "大作业")


def test_a_day_that_is_not_near_has_its_date() -> None:
    far = spot(24, 3, 4, "10:15", "11:55")
    (told,) = write(replace(TOLD, changes=(PlannedChange("x", None, far),))).message.changes
    assert told.before == "03-24 周二 3–4 节　空闲"


def test_an_end_on_another_day_has_its_date() -> None:
    told = replace(TOLD, expires_at=NOW + timedelta(hours=7))
    assert write(told).message.valid_until.startswith("03-10 01:00 前")


@given(
    st.text(max_size=600),
    st.text(max_size=200),
    st.lists(st.text(max_size=400), max_size=60),
    st.sampled_from(Language),
    st.text(max_size=40),
)
def test_whatever_was_told_the_message_fits_and_holds_one_link(
    summary: str, title: str, names: list[str], language: Language, keyword: str
) -> None:
    changes = tuple(PlannedChange(name, None, TUESDAY, taken_by=(name,)) for name in names)
    told = replace(TOLD, summary={language: summary}, target_title=title, changes=changes)
    message = write(told, language=language, keyword=keyword).message
    for content in (card_content(message), post_content(message)):
        assert len(encoded(content)) <= MAX_CONTENT_BYTES
        assert encoded(content).decode().count(REQUEST.path) == 1


def worth(answer: Answer, *, left: timedelta = 60 * MINUTES) -> SkipReason | None:
    return not_worth_it(answer, now=NOW, valid_until=NOW + left, min_life=2 * MINUTES)


@pytest.mark.parametrize(
    ("state", "reason"),
    [
        (PreviewState.READY, None),
        (PreviewState.APPLYING, SkipReason.APPLYING),
        (PreviewState.APPLIED, SkipReason.APPLIED),
        (PreviewState.IGNORED, SkipReason.IGNORED),
        (PreviewState.SUPERSEDED, SkipReason.SUPERSEDED),
        (PreviewState.EXPIRED, SkipReason.PREVIEW_EXPIRED),
    ],
)
def test_only_what_is_ready_is_worth_telling(
    state: PreviewState, reason: SkipReason | None
) -> None:
    assert worth(replace(TOLD, state=state)) is reason


def test_a_question_that_was_answered_is_not_told_any_more() -> None:
    asked = replace(TOLD, topic=Topic.QUESTION)
    assert worth(asked) is None
    assert worth(replace(asked, is_answered=True)) is SkipReason.ANSWERED
    superseded = replace(asked, is_answered=True, state=PreviewState.SUPERSEDED)
    assert worth(superseded) is SkipReason.SUPERSEDED


def test_two_minutes_of_life_are_needed_by_the_clock_of_the_answer() -> None:
    skewed = replace(TOLD, now=NOW - timedelta(hours=3))
    assert worth(replace(skewed, expires_at=skewed.now + 2 * MINUTES), left=-MINUTES) is None
    short = replace(skewed, expires_at=skewed.now + timedelta(seconds=119))
    assert worth(short) is SkipReason.PREVIEW_EXPIRED


def test_without_an_answer_our_own_clock_decides() -> None:
    assert worth(Silence(), left=2 * MINUTES) is None
    assert worth(Silence(), left=MINUTES) is SkipReason.PREVIEW_EXPIRED
    assert worth(Absent()) is SkipReason.PREVIEW_NOT_FOUND


def test_what_is_put_aside_is_skipped_unless_it_may_have_arrived() -> None:
    assert put_aside("applied", Past(attempts=0)).state == "skipped"
    late = put_aside("applied", Past(attempts=1, repeats=1))
    assert (late.state, late.settled) == ("unknown", True)


def test_what_failed_until_its_link_died_is_dead_of_what_it_failed_of() -> None:
    done = put_aside(SkipReason.PREVIEW_EXPIRED, Past(attempts=3), last="http_500")
    assert (done.state, done.reason, done.next_channel) == ("dead", "http_500", False)
    superseded = put_aside(SkipReason.SUPERSEDED, Past(attempts=3), last="http_500")
    assert (superseded.state, superseded.reason) == ("skipped", "preview_superseded")


def test_what_is_held_back_comes_again_or_ends_with_its_link() -> None:
    time = Clockwork(NOW, NOW + MINUTES, jitter=0.5)
    soon = held_back("own_rate_limit", NOW + timedelta(seconds=1), Past(0), time)
    assert (soon.state, soon.next_attempt_at) == ("failed", NOW + timedelta(seconds=1))
    late = held_back("own_rate_limit", NOW + MINUTES, Past(0), time)
    assert (late.state, late.settled, late.next_channel) == ("dead", True, False)


BATCH = Request(
    "bat_0123456789ab",
    7,
    "",
    "",
    TargetKind.BATCH,
    NOW + 60 * MINUTES,
    "/active-schedule/previews",
)


def listed(
    *answers: Answer, language: Language = Language.ZH_CN, keyword: str = ""
) -> writing.Written:
    return writing.write_list(
        BATCH,
        [Matter(REQUEST, one) for one in answers],
        language=language,
        keyword=keyword,
        base_url="https://smartmate.example",
        now=NOW,
    )


def test_several_are_listed_with_their_words_and_ends_and_one_link_to_all() -> None:
    later = replace(TOLD, summary={Language.ZH_CN: "另一件"}, expires_at=NOW + 90 * MINUTES)
    written = listed(TOLD, later, keyword="日程")
    message = written.message
    assert not written.by_template
    assert message.title == "日程｜SmartMate：有 2 件事等你来看"
    assert (message.tag, message.button) == ("共 2 条", "逐条看")
    assert [change.after for change in message.changes] == [
        "19:00 前有效　放到明天上午，可以吗？",
        "19:30 前有效　另一件",
    ]
    assert not any(change.before for change in message.changes)
    assert message.url == "https://smartmate.example/active-schedule/previews"
    assert message.short_number == "6789AB"


def test_a_list_of_one_is_the_message_that_it_would_be_alone() -> None:
    assert listed(TOLD) == write(TOLD)
    assert listed(Silence()) == write(Silence())


def test_a_list_is_written_by_the_template_where_one_of_it_is() -> None:
    written = listed(TOLD, Silence(), language=Language.EN_US)
    assert written.by_template
    assert written.message.title == "SmartMate: 2 things for you"
    assert written.message.changes[1].after == (
        "Until 19:00  There is a suggestion about a task; you decide."
    )


def test_a_long_list_is_cut_and_says_how_many_are_not_shown() -> None:
    message = listed(*[replace(TOLD, summary={Language.ZH_CN: "长" * 500})] * 60).message
    card = card_content(message)
    assert len(encoded(card)) <= MAX_CONTENT_BYTES
    shown = encoded(card).decode()
    hidden = 60 - shown.count("前有效")
    assert hidden > 0
    assert f"还有 {hidden} 项" in shown
