"""What a look found out about a case, with what each finding rests on.

Spec: active-scheduling.md, Observation and decision (issues).
"""

from collections.abc import Iterator

from services.active_scheduler.domain import lineup, observation, question_words
from services.active_scheduler.domain.case import MISSES_WITHIN, Case
from services.active_scheduler.domain.observation import Issue, Metrics, Severity
from services.active_scheduler.domain.text import Text


def issues(case: Case, metrics: Metrics) -> tuple[Issue, ...]:
    """The findings about a case that is not settled, most severe first."""
    order = list(Severity)
    return tuple(sorted(_found(case, metrics), key=lambda one: -order.index(one.severity)))


def _found(case: Case, metrics: Metrics) -> Iterator[Issue]:
    yield _unfinished(case) if case.unfinished is not None else observation.unscheduled()
    if case.unfinished is not None and case.block is None:
        return
    if metrics.capacity_gap > 0:
        yield observation.no_room(metrics, question_words.span(case))
    elif case.block is not None and not lineup.makeup_places(case):
        yield _in_the_way(case)
    if case.facts.deadline_passed:
        yield observation.deadline_is_past()
    if case.is_repeated:
        yield _repeated(case)
    if metrics.preferences_met < metrics.preferences and metrics.capacity_gap <= 0:
        yield _unmet(metrics)


def block_unknown() -> Issue:
    """Which block was meant is not known."""
    return Issue(
        "block_unknown",
        Severity.WARNING,
        Text("还不知道是哪一块没有做完。", "Which block was not finished is not known yet."),
    )


def _unfinished(case: Case) -> Issue:
    if case.block is None:
        return block_unknown()
    return Issue(
        "unfinished_work",
        Severity.WARNING,
        Text("你说这一块没有做完。", "You told that this block was not finished."),
    )


def _in_the_way(case: Case) -> Issue:
    """There is room, and what the class asks for leaves none of it."""
    if case.rules is not None and lineup.only_excluded(case):
        return Issue(
            "class_keeps_free",
            Severity.CRITICAL,
            Text(
                "有空闲的位置都在任务类不排的时段里。",
                "All free places lie in times that the class keeps free.",
            ),
        )
    return Issue(
        "order_in_the_way",
        Severity.CRITICAL,
        Text(
            "有空闲，但都排在同一任务类后面的内容之后。",
            "There is room, but all of it lies behind later items of the same class.",
        ),
    )


def _repeated(case: Case) -> Issue:
    misses = case.unfinished.misses if case.unfinished is not None else 0
    days = MISSES_WITHIN.days
    return Issue(
        "repeated_misses",
        Severity.WARNING,
        Text(
            f"{days} 天里这是第 {misses} 次没有做完。",
            f"It was not finished {misses} times within {days} days.",
        ),
    )


def _unmet(metrics: Metrics) -> Issue:
    return Issue(
        "preferences_unmet",
        Severity.INFO,
        Text(
            f"{metrics.preferences} 条时间偏好里，最多能满足 {metrics.preferences_met} 条。",
            f"Of {metrics.preferences} preferences of time at most {metrics.preferences_met} "
            "can be met.",
        ),
    )
