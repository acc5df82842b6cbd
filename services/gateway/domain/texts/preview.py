"""The preview page and the list of suggestions."""

from collections.abc import Mapping

TEXTS: Mapping[str, tuple[str, str]] = {
    # Families
    "family.earliest": ("最早", "Earliest"),
    "family.last_safe": ("最晚仍稳妥", "Latest that is still safe"),
    "family.best_match": ("合你习惯", "Fits your habits"),
    "family.least_disturbance": ("改动最少", "Changes least"),
    # Preview
    "preview.title": ("建议", "Suggestion"),
    "preview.by": ("助手", "Assistant"),
    "preview.week_day_time": ("第 {week} 周 · {day} {time}", "Week {week} · {day} {time}"),
    "preview.mock_time": ("演示时间", "Mock time"),
    "preview.why": ("为什么现在提起", "Why now"),
    "preview.before": ("改前", "Before"),
    "preview.after": ("改后", "After"),
    "preview.compare": ("对照", "Before and after"),
    "preview.before_note": ("现在的日程", "your schedule now"),
    "preview.before_written_note": ("写入之前", "before it was written"),
    "preview.before_then_note": ("当时的日程", "your schedule then"),
    "preview.after_note": ("还没有写入", "nothing is written yet"),
    "preview.after_written_note": ("已写入", "written"),
    "preview.after_not_note": ("没有写入", "not written"),
    "preview.after_writing_note": ("正在写入", "being written"),
    "preview.choices_1": ("可行的位置", "Where it fits"),
    "preview.choices_2": ("两个可行的位置", "Two places where it fits"),
    "preview.choices_3": ("三个可行的位置", "Three places where it fits"),
    "preview.chosen": ("已选", "chosen"),
    "preview.changes": ("这次的改动", "What would change"),
    "preview.risk": ("可能的代价", "What it may cost"),
    "preview.inaction": ("如果先不动", "If nothing is done"),
    "preview.keep": (
        "建议保留到 {time}，还有 {n} 分钟",
        "Kept until {time}, {n} min left",
    ),
    "preview.keep_short": (
        "建议保留到 {time}，还有不到 1 分钟",
        "Kept until {time}, less than a minute left",
    ),
    "preview.keep_seconds": (
        "建议保留到 {time}，还有 {n}",
        "Kept until {time}, {n} left",
    ),
    "preview.read_only": ("这一页只供回看，日程没有变动", "For reading only; nothing changed"),
    "preview.read_only_superseded": ("这一页只供回看", "For reading only"),
    "preview.written_at": ("{time} 已写入", "Written at {time}"),
    "preview.writing": ("正在写入…", "Writing…"),
    "state.applying": ("正在写入日程", "Writing to your schedule"),
    "state.applying_more": (
        "可以离开这一页，结果会留在这里。",
        "You may leave; the result stays here.",
    ),
    "state.applied": ("已排进{place}", "Scheduled for {place}"),
    "state.applied_many": ("已写入日程", "Written to your schedule"),
    "state.applied_more": ("{name}。其他安排没有变动。", "{name}. Nothing else changed."),
    "state.ignored": ("已忽略，日程没有变动", "Ignored. Nothing changed"),
    "state.ignored_more": (
        "任务还在原来的地方，随时可以再排。",
        "The task is where it was and can be planned at any time.",
    ),
    "state.superseded": ("同一件事有了更新的建议", "There is a newer suggestion"),
    "state.superseded_more": ("这一条只供回看。", "This one is for reading only."),
    "state.expired": ("这条建议在 {time} 过期了", "This suggestion expired at {time}"),
    "state.expired_more": (
        "日程没有变动。时间过得久，空闲可能已经不同，重新看一遍更稳妥。",
        "Nothing changed. Free time may be different by now, so it is safer to look again.",
    ),
    "state.question": ("你来定", "Your call"),
    "state.question_more": (
        "这件事缺一个只有你知道的答案，确认之前日程不变。",
        "Something is missing that only you know. Nothing changes before you confirm.",
    ),
    "state.notify_only": (
        "先告诉你一声，暂时没有合适的位置",
        "Just so you know: there is no fitting place yet",
    ),
    "state.notify_only_more": ("日程没有变动。", "Nothing changed."),
    "state.close": ("已经安排好了，不用再动", "It is settled; nothing to do"),
    # Notices after a form was sent
    "notice.nothing_to_confirm": ("没有可以确认的内容", "There is nothing to confirm"),
    "notice.candidate_not_found": (
        "选的那个位置已经不在这条建议里",
        "The chosen place is no longer part of this suggestion",
    ),
    "notice.mock_time_in_the_past": (
        "这是演示时间里的建议，位置已经过去，不能写入",
        "Made under a mock clock: its place has passed and cannot be written",
    ),
    "notice.trigger_pending": (
        "助手正在看，通常几秒就好",
        "The assistant is looking; it usually takes a few seconds",
    ),
    "notice.trigger_closed": (
        "看过了，暂时没有需要动的",
        "Looked again: nothing needs to be done for now",
    ),
    # Warnings
    "warning.estimate_assumed": (
        "没有填过预计时长，按 {n} 节估计。",
        "No estimate was given; planned as {n}.",
    ),
    "warning.estimate_clamped": (
        "预计时长超出范围，按 {n} 节估计。",
        "The estimate is out of range; planned as {n}.",
    ),
    # List of suggestions
    "list.title": ("建议", "Suggestions"),
    "list.empty": ("现在没有等你看的建议。", "No suggestion is waiting for you."),
    "list.until": ("保留到 {time}", "Kept until {time}"),
    "list.applying": ("正在写入", "Being written"),
}
