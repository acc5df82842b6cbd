"""Queries, what is done, what is remembered, and which names words mean."""

from dataclasses import dataclass

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from libs.planning.calendar import DEFAULT_CLOCK
from services.agent.domain import (
    quick_done,
    quick_match,
    quick_query,
    quick_telling,
    route_remember,
)
from services.agent.domain.memory import MAX_TEXT, MemoryType
from services.agent.domain.quick_query import About, Asks, PoolTask, Status
from tests.unit.agent.spoken_samples import at, instant, local

steady = settings(deadline=None, database=None)
TASKS, SCHEDULE, FREE = About.TASKS, About.SCHEDULE, About.FREE
LIST, WHEN, COUNT, STATUS = Asks.LIST, Asks.WHEN, Asks.COUNT, Asks.STATUS


@dataclass(frozen=True, slots=True)
class Row:
    """A question, and what it asks for; times are local, empty = open."""

    words: str
    about: About = TASKS
    asks: Asks = LIST
    title: str = ""
    begins: str = ""
    ends: str = ""
    status: Status = Status.OPEN
    quadrants: tuple[int, ...] = ()


ROWS = (
    Row("我这周有哪些作业", begins="2026-11-30T00:00", ends="2026-12-07T00:00"),
    Row("明天有什么要做的", begins="2026-12-01T00:00", ends="2026-12-02T00:00"),
    Row("我明天要交什么", begins="2026-12-01T00:00", ends="2026-12-02T00:00"),
    Row("今天截止的任务有哪些", begins="2026-11-30T00:00", ends="2026-12-01T00:00"),
    Row("看看我下周的任务", begins="2026-12-07T00:00", ends="2026-12-14T00:00"),
    Row("周五前要交的有哪些", ends="2026-12-05T00:00"),
    Row("下周前要交的有哪些", ends="2026-12-07T00:00"),
    Row("12月有什么考试", title="考试", begins="2026-12-01T00:00", ends="2027-01-01T00:00"),
    Row("下周有几门考试", TASKS, COUNT, "考试", "2026-12-07T00:00", "2026-12-14T00:00"),
    Row("还有什么没做完"),
    Row("没做完的有哪些"),
    Row("列出所有任务"),
    Row("最近有哪些作业"),
    Row("还剩多少作业", TASKS, COUNT),
    Row("最急的是什么", TASKS, Asks.MOST_URGENT),
    Row("英语还有哪些作业", title="英语"),
    Row("概率论什么时候交", TASKS, WHEN, "概率论"),
    Row("提醒我一下概率论什么时候交", TASKS, WHEN, "概率论"),
    Row("「概率论 作业3」什么时候交", TASKS, WHEN, "概率论 作业3"),
    Row("英语作文交了吗", TASKS, STATUS, "英语作文", status=Status.ANY),
    Row("概率论作业做完没有", TASKS, STATUS, "概率论作业", status=Status.ANY),
    Row("已经完成的任务有哪些", status=Status.DONE),
    Row("重要紧急的任务", quadrants=(1,)),
    Row("有哪些重要的任务", quadrants=(1, 2)),
    Row("what do I have due this week", begins="2026-11-30T00:00", ends="2026-12-07T00:00"),
    Row("when is the essay due", TASKS, WHEN, "essay"),
    Row("明天有课吗", SCHEDULE, begins="2026-12-01T00:00", ends="2026-12-02T00:00"),
    Row("这周的日程怎么安排的", SCHEDULE, begins="2026-11-30T00:00", ends="2026-12-07T00:00"),
    Row("周三下午有空吗", FREE, begins="2026-12-02T13:00", ends="2026-12-02T18:01"),
)


@pytest.mark.parametrize("row", ROWS, ids=lambda row: row.words)
def test_a_question_becomes_a_filter(row: Row) -> None:
    found = quick_query.read(row.words, at())
    assert (found.about, found.asks, found.words) == (row.about, row.asks, row.title)
    assert (local(found.starts_at), local(found.ends_at)) == (row.begins, row.ends)
    assert (found.status, found.quadrants) == (row.status, row.quadrants)
    assert found.unread == ""


def test_a_time_that_cannot_be_is_asked_back() -> None:
    found = quick_query.read("2月30日有哪些作业", at())
    assert found.unread == "2月30日"
    assert quick_telling.listed(found, (), at()).zh == "“2月30日”是哪个时候？"


def task(id_: int, title: str, due: str = "", quadrant: int = 2, *, done: bool = False) -> PoolTask:
    return PoolTask(id_, title, quadrant, instant(due) if due else None, None, done)


POOL = (
    task(1, "概率论作业", "2026-12-06T23:59"),
    task(2, "英语作文", "2026-12-04T23:59"),
    task(3, "概率论实验报告", "2026-12-20T23:59"),
    task(4, "买电池", quadrant=4),
    task(5, "大学物理小测", "2026-12-03T10:00", 1),
    task(6, "英语听力", "2026-11-29T23:59"),
    task(7, "高等数学习题", "2026-11-20T23:59", done=True),
)


@pytest.mark.parametrize(
    ("words", "ids"),
    [
        ("我这周有哪些作业", [5, 2, 1]),
        ("周五前要交的有哪些", [6, 5, 2]),
        ("还有什么没做完", [6, 5, 2, 1, 3, 4]),
        ("概率论什么时候交", [1, 3]),
        ("概率论作业什么时候交", [1]),
        ("英语还有哪些作业", [6, 2]),
        ("高数做完了吗", [7]),
        ("已经完成的任务有哪些", [7]),
        ("重要紧急的任务", [5]),
        ("逾期的任务有哪些", [6]),
        ("线代还有哪些作业", []),
        ("明天有什么要做的", []),
    ],
)
def test_a_filter_finds_the_tasks_that_answer_it(words: str, ids: list[int]) -> None:
    query = quick_query.read(words, at())
    found = quick_query.selected(query, reversed(POOL), at().now)
    assert [one.id for one in found] == ids


def test_the_most_urgent_is_the_one_that_is_due_first() -> None:
    query = quick_query.read("最急的是什么", at())
    assert [one.id for one in quick_query.selected(query, POOL[:5], at().now)] == [5]


def test_what_was_found_is_told_with_the_weekday() -> None:
    query = quick_query.read("我这周有哪些作业", at())
    told = quick_telling.listed(query, quick_query.selected(query, POOL, at().now), at())
    assert told.zh.split("\n") == [
        "找到 3 项：",
        "- 「大学物理小测」，截止 12月3日 周四 10:00，重要且紧急",
        "- 「英语作文」，截止 12月4日 周五 23:59，重要不紧急",
        "- 「概率论作业」，截止 12月6日 周日 23:59，重要不紧急",
    ]
    assert "已经过了" in quick_telling.task(POOL[5], at()).zh
    assert "已完成" in quick_telling.task(POOL[6], at()).zh
    assert "没有截止时间" in quick_telling.task(POOL[3], at()).zh
    assert quick_telling.listed(query, (), at()).zh == "没有找到要做的任务。"
    many = quick_telling.listed(query, [task(n, "x") for n in range(25)], at())
    assert many.zh.endswith("- 还有 5 项")


@pytest.mark.parametrize(
    ("words", "named", "ids"),
    [
        ("概率论作业做完了", "概率论作业", [1]),
        ("作业交了", "作业", [1]),
        ("我已经写完英语作文了", "英语作文", [2]),
        ("把英语作文标记为完成", "英语作文", [2]),
        ("完成了「概率论作业」", "概率论作业", [1]),
        ("今天的概率论作业写好了", "概率论作业", [1]),
        ("概率论做完了", "概率论", [1, 3]),
        ("大物搞定了", "大物", [5]),
        ("I finished the essay", "essay", []),
        ("mark the 英语作文 as done", "英语作文", [2]),
        ("线性代数做完了", "线性代数", []),
        ("做完了", "", []),
        ("刚才那个做完了", "", []),
        ("搞定了", "", []),
    ],
)
def test_what_is_done_is_named_by_part_of_its_title(words: str, named: str, ids: list[int]) -> None:
    found = quick_done.read(words, at()).words
    assert found == named
    assert [one.id for one in quick_match.matched(found, POOL, lambda one: (one.title,))] == ids


@pytest.mark.parametrize(
    ("words", "kind", "days", "sections", "text"),
    [
        ("记住我周三晚上要练琴", "constraint", (3,), (9, 12), "我周三晚上要练琴"),
        ("请记住：我早上效率高", "preference", (), (1, 4), "我早上效率高"),
        ("记住，周日不要排东西", "constraint", (7,), (0, 0), "周日不要排东西"),
        ("以后记住我不喜欢晚上学习", "constraint", (), (9, 12), "我不喜欢晚上学习"),
        ("记住我周末喜欢睡懒觉", "constraint", (6, 7), (0, 0), "我周末喜欢睡懒觉"),
        ("记住我对芒果过敏", "fact", (), (0, 0), "我对芒果过敏"),
        ("记住我每天下午第一节有课", "constraint", (), (5, 5), "我每天下午第一节有课"),
        ("记住周一三五早八没空", "constraint", (1, 3, 5), (1, 2), "周一三五早八没空"),
        (
            "记住周一到周五晚上都有课",
            "constraint",
            (1, 2, 3, 4, 5),
            (9, 12),
            "周一到周五晚上都有课",
        ),
        ("记住上午和晚上状态好", "preference", (), (0, 0), "上午和晚上状态好"),
        ("remember that I prefer evenings", "preference", (), (9, 12), "I prefer evenings"),
        ("记住「周三晚上不学习」是歌名", "fact", (), (0, 0), "「周三晚上不学习」是歌名"),
        ("记住", "fact", (), (0, 0), ""),
    ],
)
def test_what_is_remembered_keeps_its_words_and_its_times(
    words: str, kind: str, days: tuple[int, ...], sections: tuple[int, int], text: str
) -> None:
    found = route_remember.read(words, DEFAULT_CLOCK)
    assert (found.type, found.text) == (MemoryType(kind), text)
    assert (found.hints.days, (found.hints.first, found.hints.last)) == (days, sections)


@pytest.mark.parametrize(
    ("words", "name", "fits"),
    [
        ("概率论", "概率论作业", True),
        ("概率论的作业", "概率论作业", True),
        ("高数", "高等数学", True),
        ("线代", "线性代数", True),
        ("毛概", "毛泽东思想和中国特色社会主义理论体系概论", True),
        ("calculus", "Calculus homework 3", True),
        ("英语作业", "概率论作业", False),
        ("数学", "物理", False),
        ("等数", "高等数学", True),
        ("高学", "数学高级", False),
        ("", "概率论作业", False),
        ("！？", "概率论作业", False),
    ],
)
def test_words_mean_names_that_hold_or_lengthen_them(words: str, name: str, fits: bool) -> None:
    assert bool(quick_match.matched(words, (name,), lambda one: (one,))) == fits


def test_what_was_said_exactly_comes_before_what_holds_it() -> None:
    names = ("概率论作业二", "概率论作业", "概率论作业（补）")
    assert quick_match.matched("概率论作业", names, lambda one: (one,)) == ("概率论作业",)


@given(st.text(max_size=60))
@steady
def test_any_words_are_read_without_an_error(words: str) -> None:
    query = quick_query.read(words, at())
    assert set(quick_query.selected(query, POOL, at().now)) <= set(POOL)
    assert quick_done.read(words, at()) == quick_done.read(words, at())
    item = route_remember.read(words, DEFAULT_CLOCK)
    assert len(item.text) <= MAX_TEXT
    assert item.hints.first <= item.hints.last <= 14
