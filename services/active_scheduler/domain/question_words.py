"""The words of questions and of what is told where nothing can be proposed.

Template words: calm, factual, Chinese first. Spec: active-scheduling.md, Observation and decision.
"""

from collections.abc import Iterable

from libs.planning.grid import Block, Grid, Place
from services.active_scheduler.domain import observation, questions, words
from services.active_scheduler.domain.case import Case
from services.active_scheduler.domain.observation import Decision, Metrics
from services.active_scheduler.domain.options import Option
from services.active_scheduler.domain.questions import Question, QuestionKind
from services.active_scheduler.domain.text import (
    SILENCE,
    Text,
    counted,
    date_words,
    instant_words,
    place_words,
)


def which_block(near: Iterable[Block], laid: Grid) -> Question:
    """Which of the blocks around now was meant; in words alone where there are none."""
    choices = tuple(
        questions.choice_of_block(block.id, _block_words(block, laid))
        for block in sorted(near, key=lambda one: (laid.starts_at(one.place), one.id))
    )
    text = Text("是哪一块没有做完？", "Which block was not finished?")
    if not choices:
        text = Text(
            "前后 24 小时里没有排过的任务。是哪一项没有做完？",
            "No task was planned within 24 hours of now. Which one was not finished?",
        )
    return Question(QuestionKind.WHICH_BLOCK, text, choices)


def delay_end(case: Case, earliest: Option) -> Question:
    """May it end after the deadline, or after the last day of its class."""
    limit, place = _limit(case), place_of(case, earliest.place)
    needed = case.facts.needed_sections
    name = words.title(case.facts)
    return Question(
        QuestionKind.DELAY_END,
        Text(
            f"「{name}」需要连续 {needed} 节，{limit.zh}之前放不下。可以晚一点完成吗？"
            f"最早在{place.zh}有空。",
            f"“{name}” needs {counted(needed)} in a row, and there is no room before {limit.en}. "
            f"May it end later? The first room is at {place.en}.",
        ),
        questions.yes_or_no(
            Text("可以晚一点", "It may end later"), Text("不能晚", "It must not be late")
        ),
        room_from=case.facts.world.grid.starts_at(earliest.place),
        sections=needed,
    )


def other_day(case: Case, earliest: Option) -> Question:
    """May it wait until after the next 24 hours."""
    place, needed = place_of(case, earliest.place), case.facts.needed_sections
    name = words.title(case.facts)
    return Question(
        QuestionKind.OTHER_DAY,
        Text(
            f"「{name}」需要连续 {needed} 节，接下来 24 小时里放不下。可以再等等吗？"
            f"最早在{place.zh}有空。",
            f"“{name}” needs {counted(needed)} in a row, and the next 24 hours have no room for "
            f"it. May it wait? The first room is at {place.en}.",
        ),
        questions.yes_or_no(
            Text("可以等", "It may wait"), Text("要在 24 小时里", "Within 24 hours")
        ),
        room_from=case.facts.world.grid.starts_at(earliest.place),
        sections=needed,
    )


def shorten(case: Case, sections: int) -> Question:
    """May it be shorter, as long as there is room for."""
    where, needed = span(case), case.facts.needed_sections
    name = words.title(case.facts)
    return Question(
        QuestionKind.SHORTEN,
        Text(
            f"「{name}」需要连续 {needed} 节，{where.zh}放得下的只有 {sections} 节。"
            f"先做 {sections} 节，可以吗？",
            f"“{name}” needs {counted(needed)} in a row; {where.en} there is room for "
            f"{counted(sections)}. Plan {counted(sections)}?",
        ),
        questions.yes_or_no(
            Text(f"先做 {sections} 节", f"Plan {counted(sections)}"),
            Text("不缩短", "Keep its length"),
        ),
        sections=sections,
    )


def split(case: Case, parts: Option) -> Question:
    """May it be done in two parts."""
    needed, name = case.facts.needed_sections, words.title(case.facts)
    first, second = (place_of(case, place) for place in parts.work)
    return Question(
        QuestionKind.SPLIT,
        Text(
            f"「{name}」需要连续 {needed} 节，{span(case).zh}放不下。"
            f"可以分成两次吗？{first.zh}和{second.zh}有空。",
            f"“{name}” needs {counted(needed)} in a row, and {span(case).en} there is no room for "
            f"that. May it be split in two? {first.en} and {second.en} are free.",
        ),
        questions.yes_or_no(Text("分成两次", "Split it"), Text("不分开", "Keep it in one piece")),
        room_from=case.facts.world.grid.starts_at(parts.place),
        sections=needed,
    )


def notice(case: Case, decision: Decision, metrics: Metrics) -> Text:
    """For a decision that only tells: what took the room."""
    if case.unfinished is None:
        return words.notice(case.facts, decision, metrics)
    name, where = words.title(case.facts), span(case)
    if decision.reason == "no_window":
        return Text(
            f"「{name}」没有做完，接下来 24 小时里没有任何学期的节次。",
            f"“{name}” was not finished, and no section of any semester lies in the next 24 hours.",
        )
    if decision.reason == "order_in_the_way":
        return Text(
            f"「{name}」没有做完。{where.zh}有空闲，但都排在同一任务类后面的内容之后，"
            "后面的内容也挪不开。",
            f"“{name}” was not finished. There is room {where.en}, but all of it lies behind later "
            "items of its class, and those cannot give way.",
        )
    return Text(
        f"「{name}」没有做完，{where.zh}没有连续 {metrics.needed} 节的空闲，"
        f"最长是 {metrics.longest_run} 节；接下来 24 小时里课程占 {metrics.taken_by_courses} 节，"
        f"任务占 {metrics.taken_by_tasks} 节。",
        f"“{name}” was not finished. It needs {counted(metrics.needed)} in a row; the longest free "
        f"run {where.en} is {metrics.longest_run}. In the next 24 hours courses take "
        f"{counted(metrics.taken_by_courses)}, tasks {metrics.taken_by_tasks}.",
    )


def span(case: Case) -> Text:
    """The time that is open to the target, as part of a sentence."""
    if case.closes <= case.facts.window_end:
        return observation.span(case.facts)
    until = instant_words(case.closes, words.zone_of(case.facts))
    return Text(f"到{until.zh} 为止", f"until {until.en}")


def place_of(case: Case, place: Place) -> Text:
    """Date, weekday and sections: room may be found more than a week ahead."""
    return _place_words(place, case.facts.world.grid)


def _limit(case: Case) -> Text:
    """The deadline, or the last day of the class, as part of a sentence."""
    zone = words.zone_of(case.facts)
    if case.rules is not None and case.rules.end is not None:
        day = date_words(case.rules.end)
        return Text(f"任务类最后一天（{day.zh}）过完", f"the end of its class ({day.en})")
    deadline = case.facts.target.deadline
    return SILENCE if deadline is None else instant_words(deadline, zone)


def _block_words(block: Block, laid: Grid) -> Text:
    place = _place_words(block.place, laid)
    return Text(f"{place.zh}「{block.name}」", f"“{block.name}”, {place.en}")


def _place_words(place: Place, laid: Grid) -> Text:
    semester = laid.semester(place.semester_id)
    if semester is None:
        raise AssertionError("a place lies in a semester of its world")
    on = date_words(semester.date_of(place.week, place.day))
    where = place_words(place, semester)
    return Text(f"{on.zh} {where.zh}", f"{where.en}, {on.en}")
