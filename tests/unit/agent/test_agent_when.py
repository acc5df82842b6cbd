"""Times in words: which days and minutes they may mean, and why there is no single reading."""

from datetime import date, timedelta
from zoneinfo import ZoneInfo

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from services.agent.domain import when_reading, when_telling
from services.agent.domain.when import Doubt, Edge, Looking, Mention, Standpoint, Unit
from tests.unit.agent.spoken_samples import SEMESTER, ZONE, at, instant, local

steady = settings(deadline=None, database=None)
AHEAD, AROUND, BACK = Looking.AHEAD, Looking.AROUND, Looking.BACK


def days(text: str, told_at: Standpoint, looking: Looking = AHEAD) -> list[str]:
    """The days of the only mention, a stretch as first/last."""
    (found,) = when_reading.mentions(text, told_at, looking)
    return [_day(found, index) for index, _ in enumerate(found.options)]


def _day(found: Mention, index: int) -> str:
    option = found.options[index].days
    if option.first == option.last:
        return option.first.isoformat()
    return f"{option.first}/{option.last}"


@pytest.mark.parametrize(
    ("text", "told"),
    [
        ("今天", ["2026-11-30"]),
        ("明天", ["2026-12-01"]),
        ("后天", ["2026-12-02"]),
        ("大后天", ["2026-12-03"]),
        ("三天后", ["2026-12-03"]),
        ("3天之后", ["2026-12-03"]),
        ("过两周", ["2026-12-14"]),
        ("两个星期后", ["2026-12-14"]),
        ("一个月后", ["2026-12-30"]),
        ("三个月后", ["2027-02-28"]),
        ("三天内", ["2026-11-30/2026-12-03"]),
        ("一周之内", ["2026-11-30/2026-12-07"]),
        ("周三", ["2026-12-02"]),
        ("星期五", ["2026-12-04"]),
        ("礼拜天", ["2026-12-06"]),
        ("本周日", ["2026-12-06"]),
        ("这周日", ["2026-12-06"]),
        ("下周日", ["2026-12-13"]),
        ("下周一", ["2026-12-07"]),
        ("下个星期三", ["2026-12-09"]),
        ("下周的周三", ["2026-12-09"]),
        ("下下周五", ["2026-12-18"]),
        ("一下周四", ["2026-12-03"]),
        ("一下下周四", ["2026-12-10"]),
        ("周末", ["2026-12-05/2026-12-06"]),
        ("下周末", ["2026-12-12/2026-12-13"]),
        ("这周", ["2026-11-30/2026-12-06"]),
        ("下周", ["2026-12-07/2026-12-13"]),
        ("12月5日", ["2026-12-05"]),
        ("十二月五号", ["2026-12-05"]),
        ("12月5", ["2026-12-05"]),
        ("2026-12-05", ["2026-12-05"]),
        ("2026年12月5日", ["2026-12-05"]),
        ("明年1月5日", ["2027-01-05"]),
        ("12/5前", ["2026-12-05"]),
        ("12.5前", ["2026-12-05"]),
        ("1月5日", ["2027-01-05"]),
        ("15号", ["2026-12-15"]),
        ("十五号", ["2026-12-15"]),
        ("31号", ["2026-12-31"]),
        ("下个月5号", ["2026-12-05"]),
        ("下月5日", ["2026-12-05"]),
        ("月底", ["2026-11-30"]),
        ("下月底", ["2026-12-31"]),
        ("12月底", ["2026-12-31"]),
        ("年底", ["2026-12-31"]),
        ("12月", ["2026-12-01/2026-12-31"]),
        ("3月份", ["2027-03-01/2027-03-31"]),
        ("下个月", ["2026-12-01/2026-12-31"]),
        ("周二到周五", ["2026-12-01/2026-12-04"]),
        ("12月1日-5日", ["2026-12-01/2026-12-05"]),
        ("周五到下周二", ["2026-12-04/2026-12-08"]),
        ("12月9日（周三）", ["2026-12-09"]),
        ("下周三，12月9日", ["2026-12-09"]),
        ("第15周周三", ["2026-12-16"]),
        ("第十五周的星期三", ["2026-12-16"]),
        ("第14周", ["2026-12-07/2026-12-13"]),
        ("元旦", ["2027-01-01"]),
        ("国庆前", ["2027-10-01"]),
        ("today", ["2026-11-30"]),
        ("tomorrow", ["2026-12-01"]),
        ("the day after tomorrow", ["2026-12-02"]),
        ("Friday", ["2026-12-04"]),
        ("this Friday", ["2026-12-04"]),
        ("next week", ["2026-12-07/2026-12-13"]),
        ("this weekend", ["2026-12-05/2026-12-06"]),
        ("Dec 5", ["2026-12-05"]),
        ("5th of December", ["2026-12-05"]),
        ("Jan 5, 2027", ["2027-01-05"]),
        ("the 15th", ["2026-12-15"]),
        ("in three days", ["2026-12-03"]),
        ("in a week", ["2026-12-07"]),
        ("end of the month", ["2026-11-30"]),
        ("week 15", ["2026-12-14/2026-12-20"]),
    ],
)
def test_a_day_is_read_in_the_persons_zone_weeks_from_monday_on(text: str, told: list[str]) -> None:
    (found,) = when_reading.mentions(text, at())
    assert days(text, at()) == told
    assert found.doubt is None


@pytest.mark.parametrize(
    ("text", "doubt", "told"),
    [
        ("周一", Doubt.TODAY_OR_NEXT, ["2026-11-30", "2026-12-07"]),
        ("30号", Doubt.TODAY_OR_NEXT, ["2026-11-30", "2026-12-30"]),
        ("昨天", Doubt.PAST, []),
        ("上周三", Doubt.PAST, ["2026-12-02"]),
        ("11月5日", Doubt.PAST, ["2027-11-05"]),
        ("2025年1月1日", Doubt.PAST, []),
        ("第3周周三", Doubt.PAST, []),
        ("2月30日", Doubt.NO_SUCH_DAY, []),
        ("2月29日", Doubt.NO_SUCH_DAY, []),
        ("13月1日", Doubt.NO_SUCH_DAY, []),
        ("第40周周一", Doubt.NO_SUCH_DAY, []),
        ("99999999天后", Doubt.NO_SUCH_DAY, []),
        ("明后天", Doubt.TWO_READINGS, ["2026-12-01", "2026-12-02"]),
        ("周末前", Doubt.TWO_READINGS, ["2026-12-04", "2026-12-06"]),
        ("next Friday", Doubt.TWO_READINGS, ["2026-12-11", "2026-12-04"]),
        ("12月9日周四", Doubt.DISAGREE, ["2026-12-09", "2026-12-03"]),
        ("过几天", Doubt.VAGUE, []),
        ("两三天后", Doubt.VAGUE, []),
        ("下月初", Doubt.VAGUE, []),
        ("改天", Doubt.VAGUE, []),
        ("期末前", Doubt.EVENT_UNKNOWN, ["2027-01-24"]),
        ("考试前", Doubt.EVENT_UNKNOWN, []),
        ("春节前", Doubt.EVENT_UNKNOWN, []),
        ("每周三", Doubt.RECURRING, ["2026-12-02"]),
        ("每天", Doubt.RECURRING, []),
        ("every Monday", Doubt.RECURRING, []),
    ],
)
def test_what_can_mean_several_days_or_none_says_why(
    text: str, doubt: Doubt, told: list[str]
) -> None:
    (found,) = when_reading.mentions(text, at())
    assert (found.doubt, days(text, at())) == (doubt, told)


@pytest.mark.parametrize(
    ("text", "told"),
    [
        ("20:00", ["20:00"]),
        ("09:30", ["9:30"]),
        ("晚上八点", ["20:00"]),
        ("晚上8点半", ["20:30"]),
        ("上午十点一刻", ["10:15"]),
        ("下午3点", ["15:00"]),
        ("下午三点四十五", ["15:45"]),
        ("下午 3:20", ["15:20"]),
        ("中午12点", ["12:00"]),
        ("中午1点", ["13:00"]),
        ("晚上12点", ["24:00"]),
        ("晚上1点", ["25:00"]),
        ("凌晨2点", ["2:00"]),
        ("凌晨12点", ["0:00"]),
        ("3点交", ["15:00"]),
        ("14点", ["14:00"]),
        ("午夜", ["24:00"]),
        ("8 pm", ["20:00"]),
        ("8:30 a.m.", ["8:30"]),
        ("noon", ["11:30-13:00"]),
        ("8点（晚上）", ["20:00"]),
        ("下午5点半到6点", ["17:30-18:00"]),
        ("上午10点-12点", ["10:00-12:00"]),
        ("早八", ["8:00"]),
        ("第3节", ["10:15-11:00"]),
        ("第3-4节", ["10:15-11:55"]),
        ("下午第一节", ["14:00-14:45"]),
        ("晚上第二节课", ["19:55-20:40"]),
        ("最后一节", ["21:45-22:30"]),
        ("上午", ["8:00-12:00"]),
        ("下午", ["13:00-18:00"]),
        ("section 3", ["10:15-11:00"]),
        ("8点前", ["8:00", "20:00"]),
        ("12点前", ["12:00", "24:00"]),
        ("夜里2点", ["2:00", "26:00"]),
        ("25点交", []),
        ("第15节", []),
    ],
)
def test_a_time_of_tomorrow_is_read_as_each_thing_it_may_mean(text: str, told: list[str]) -> None:
    (found,) = when_reading.mentions(
        f"明天{text}" if not text.isascii() else f"tomorrow {text}", at()
    )
    shown = [one.minutes for one in found.options if one.minutes]
    assert [_minutes(*one) for one in shown] == told
    assert {one.days.first for one in found.options} <= {date(2026, 12, 1)}


def _minutes(first: int, last: int) -> str:
    told = [f"{one // 60}:{one % 60:02}" for one in (first, last)]
    return told[0] if first == last else "-".join(told)


def test_of_two_halves_of_today_the_one_that_is_over_is_not_meant() -> None:
    (found,) = when_reading.mentions("今天8点前", at())
    assert [one.minutes for one in found.options] == [(1200, 1200)]
    assert found.doubt is None
    (late,) = when_reading.mentions("今天8点前", at("2026-11-30T21:00"))
    assert (late.options, late.doubt) == ((), Doubt.PAST)
    (alone,) = when_reading.mentions("8点前交", at("2026-11-30T21:00"))
    assert alone.doubt is Doubt.PAST
    assert {one.days.first for one in alone.options} == {date(2026, 12, 1)}


@pytest.mark.parametrize(
    "text",
    [
        "两周一次",
        "下周六级考试没有",
        "这周日程",
        "这周天气",
        "本周五个作业",
        "5号楼",
        "3号线",
        "第三章第二节",
        "一点点难",
        "有一点难",
        "早点睡",
        "晚点再说",
        "圣诞晚会策划",
        "中秋晚会",
        "期末复习",
        "前天线坏了吗"[2:],
        "买3个苹果",
        "看2页书",
        "完成1/2了",
        "版本3.2",
        "学号20260001",
        "概率论",
        "",
    ],
)
def test_what_only_looks_like_a_day_is_none(text: str) -> None:
    found = when_reading.mentions(text, at())
    assert [one for one in found if one.unit is Unit.DAY] == []


@pytest.mark.parametrize(
    ("text", "edge"),
    [
        ("周日前", Edge.BEFORE),
        ("周日之前", Edge.BEFORE),
        ("周日以前", Edge.BEFORE),
        ("before Sunday", Edge.BEFORE),
        ("本周内", Edge.BY),
        ("截止周日", Edge.BY),
        ("最晚周日", Edge.BY),
        ("by Sunday", Edge.BY),
        ("due on Sunday", Edge.BY),
        ("周日以后", Edge.AFTER),
        ("从周日", Edge.AFTER),
        ("after Sunday", Edge.AFTER),
        ("周日那天", Edge.ON),
        ("周日", Edge.ON),
        ("周日前面", Edge.ON),
    ],
)
def test_edge_words_say_how_something_lies_to_a_time(text: str, edge: Edge) -> None:
    (found,) = when_reading.mentions(text, at())
    assert found.edge is edge


def test_days_before_a_day_are_counted_back() -> None:
    assert days("周日前一天", at()) == ["2026-12-05"]
    assert days("周日前两天", at()) == ["2026-12-04"]
    assert days("元旦前夕", at()) == ["2026-12-31"]


@pytest.mark.parametrize(
    ("text", "looking", "told"),
    [
        ("周三", AROUND, ["2026-12-02"]),
        ("周三", BACK, ["2026-11-25"]),
        ("周一", BACK, ["2026-11-30"]),
        ("昨天", BACK, ["2026-11-29"]),
        ("上周三", BACK, ["2026-11-25"]),
        ("11月5日", BACK, ["2026-11-05"]),
        ("1月5日", AROUND, ["2027-01-05"]),
        ("15号", BACK, ["2026-11-15"]),
    ],
)
def test_which_way_a_day_lies_is_up_to_who_reads(
    text: str, looking: Looking, told: list[str]
) -> None:
    assert days(text, at(), looking) == told


@pytest.mark.parametrize(
    ("now", "text", "told"),
    [
        # 2026 has an ISO week 53, 28 December to 3 January: weeks are counted in days.
        ("2026-12-31T10:00", "本周日", "2027-01-03"),
        ("2026-12-31T10:00", "下周一", "2027-01-04"),
        ("2027-01-03T10:00", "下周日", "2027-01-10"),
        ("2027-01-03T10:00", "明天", "2027-01-04"),
        ("2026-12-31T10:00", "第18周周一", "2027-01-04"),
        ("2027-01-01T10:00", "第17周周日", "2027-01-03"),
        ("2026-12-31T23:59", "明天", "2027-01-01"),
        ("2026-12-15T10:00", "5号", "2027-01-05"),
        ("2026-12-15T10:00", "下个月5号", "2027-01-05"),
        ("2027-02-10T10:00", "2月底", "2027-02-28"),
        ("2028-02-10T10:00", "2月底", "2028-02-29"),
        ("2028-01-10T10:00", "2月29日", "2028-02-29"),
        ("2027-01-31T10:00", "一个月后", "2027-02-28"),
        ("2027-01-31T10:00", "下月底", "2027-02-28"),
        ("2026-12-06T22:00", "下周日", "2026-12-13"),
        ("2026-12-06T22:00", "周末", "2026-12-05/2026-12-06"),
    ],
)
def test_years_and_months_turn_where_they_do(now: str, text: str, told: str) -> None:
    assert days(text, at(now)) == [told]


def test_today_is_that_of_the_person_wherever_the_server_stands() -> None:
    """At 2026-12-01 00:30 in Shanghai it is still November in Toronto."""
    moment = instant("2026-12-01T00:30")
    toronto = ZoneInfo("America/Toronto")
    assert days("明天", Standpoint(moment, ZONE)) == ["2026-12-02"]
    assert days("明天", Standpoint(moment, toronto)) == ["2026-12-01"]


@pytest.mark.parametrize(
    ("zone", "on", "minute", "told"),
    [
        ("America/Toronto", "2027-03-14", 150, "2027-03-14T03:30"),
        ("America/Toronto", "2027-03-14", 1200, "2027-03-14T20:00"),
        ("America/Toronto", "2026-11-01", 90, "2026-11-01T01:30"),
        ("Pacific/Auckland", "2026-09-27", 150, "2026-09-27T03:30"),
        ("Pacific/Auckland", "2026-09-27", 1439, "2026-09-27T23:59"),
        ("Asia/Shanghai", "2026-12-01", 1440, "2026-12-02T00:00"),
    ],
)
def test_local_times_become_instants_over_changes_of_the_clock(
    zone: str, on: str, minute: int, told: str
) -> None:
    there = ZoneInfo(zone)
    found = at("2026-08-01T09:00", there).instant(date.fromisoformat(on), minute)
    assert local(found, there) == told


def test_hours_from_now_are_real_hours_over_a_change_of_the_clock() -> None:
    toronto = ZoneInfo("America/Toronto")
    (found,) = when_reading.mentions("三小时后", at("2027-03-14T00:30", toronto))
    assert local(found.options[0].days.exact, toronto) == "2027-03-14T04:30"
    (half,) = when_reading.mentions("半小时后", at("2026-11-30T23:45"))
    assert local(half.options[0].days.exact) == "2026-12-01T00:15"
    (seconds,) = when_reading.mentions(
        "10分钟后", Standpoint(instant("2026-11-30T09:00:01"), ZONE, SEMESTER)
    )
    assert local(seconds.options[0].days.exact) == "2026-11-30T09:11"


@given(
    st.dates(date(2026, 1, 1), date(2028, 12, 31)), st.integers(0, 180), st.sampled_from(range(8))
)
@steady
def test_every_date_ahead_is_read_back_from_its_forms(today: date, ahead: int, form: int) -> None:
    """However a day is said, the same day is read, with the weekday that it has."""
    told_at = at(f"{today}T09:00")
    on = today + timedelta(days=ahead)
    telling = when_telling.day(on, told_at)
    monday = today - timedelta(days=today.weekday())
    weeks = (on - monday).days // 7
    said = [
        f"{on.month}月{on.day}日",
        f"{on.year}年{on.month}月{on.day}号",
        on.isoformat(),
        f"{ahead}天后" if ahead else "今天",
        telling.zh,
        telling.en.split(" ")[0] + f" {on:%b} {on.day}",
        f"{['本', '下', '下下'][weeks]}周{'一二三四五六日'[on.weekday()]}"
        if weeks < 3
        else telling.zh,
        f"{on.month}月{on.day}日（{telling.zh.split(' ')[-1]}）",
    ][form]
    found = when_reading.mentions(said, told_at)
    assert len(found) == 1
    assert [one.days.first for one in found[0].options] == [on]
    assert found[0].doubt is None


@given(st.text(max_size=80), st.sampled_from(list(Looking)), st.booleans())
@steady
def test_any_text_is_read_without_an_error(text: str, looking: Looking, known: bool) -> None:
    told_at = at(semester=SEMESTER if known else None)
    found = when_reading.mentions(text, told_at, looking)
    ends = [0, *(one.end for one in found)]
    assert all(0 <= one.start < one.end <= len(text) for one in found)
    assert all(one.end >= before for one, before in zip(found, ends, strict=False))
    assert found == when_reading.mentions(text, told_at, looking)
