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
    # Putting it elsewhere
    "move.pick": ("或者自己选一个位置", "Or pick a place yourself"),
    "move.show": ("看这个位置", "Show this place"),
    "move.reset": ("恢复建议", "Back to the suggestion"),
    "move.hint_pointer": (
        "拖动蓝色块可以换位置",
        "Drag the blue block to another place",
    ),
    "move.hint_keys": ("键盘：", "Keys: "),
    "move.key_lift": ("空格", "Space"),
    "move.key_arrows": ("方向键", "Arrows"),
    "move.key_jump": ("Alt+方向键", "Alt+arrows"),
    "move.lift": ("拿起、放下", "lift, drop"),
    "move.aim": ("移动", "move"),
    "move.jump": ("下一个能放的", "next legal place"),
    "move.back": ("放回", "put back"),
    "move.lifted": (
        "拿起了，在{place}。方向键移动，空格放下，Esc 放回。",
        "Lifted at {place}. Arrows move it, Space drops it, Esc puts it back.",
    ),
    "move.can": ("{place}，{time}，可以放", "{place}, {time}: it fits"),
    "move.can_noted": ("{place}，{time}，可以放，{note}", "{place}, {time}: it fits, {note}"),
    "move.cannot": ("{place}：{why}", "{place}: {why}"),
    "move.dropped": (
        "已放到{place}，{time}。还没有写入日程。",
        "Put at {place}, {time}. Nothing is written yet.",
    ),
    "move.not_moved": (
        "没有移动：{why}。放回了原处。",
        "Not moved: {why}. It is back where it was.",
    ),
    "move.put_back": ("已放回原处。", "It is back where it was."),
    "move.unknown": (
        "现在查不到哪里能放，稍后再试。",
        "It cannot be told now where it fits. Try again in a moment.",
    ),
    "move.looking": ("正在看哪里能放…", "Looking where it fits…"),
    "move.nowhere": ("现在不能换位置：{why}。", "It cannot be put elsewhere now: {why}."),
    # The length that was only assumed
    "estimate.title": ("预计时长", "How long it takes"),
    "estimate.ask": ("实际需要几节？", "How many sections does it need?"),
    "estimate.sections": ("{n} 节", "{n}"),
    "estimate.then": (
        "选了会记到任务上，并按它重新想一个。",
        "The choice is kept with the task, and a new suggestion is made.",
    ),
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
    "notice.version_mismatch": (
        "任务刚刚在别处改过，时长没有改",
        "The task was just changed elsewhere; its length was not set",
    ),
    "notice.task_not_found": (
        "这件事已经不在了，可能刚被删除",
        "This is gone; it may have just been deleted",
    ),
    # Warnings
    "warning.estimate_assumed": (
        "没有填过预计时长，按 {n} 节估计。",
        "No estimate was given; planned as {n}. ",
    ),
    "warning.estimate_clamped": (
        "预计时长超出范围，按 {n} 节估计。",
        "The estimate is out of range; planned as {n}. ",
    ),
    "warning.preferences_unavailable": (
        "这次没能查到你的偏好，位置只按空闲和截止来选。",
        "Your preferences could not be looked up; places were chosen by free time and deadline.",
    ),
    # List of suggestions
    "list.title": ("建议", "Suggestions"),
    "list.empty": ("现在没有等你看的建议。", "No suggestion is waiting for you."),
    "list.empty_more": (
        "重要的任务到了提醒时间还没排上，或者你说哪一项没做完，助手会在这里给出位置。",
        "When an important task is due to be planned and is not, or when you tell that something "
        "was not finished, a place for it appears here.",
    ),
    "list.how": (
        "打开一条，看看改前改后，再决定要不要。",
        "Open one, look at before and after, then decide.",
    ),
    "list.made": ("{time} 想到的", "Made at {time}"),
    "list.more": ("看更早的", "Earlier ones"),
    "list.applying": ("正在写入", "Being written"),
    "list.asks": ("等你回答", "Asks you"),
    "list.answered": ("已回答，助手正在再看一遍", "Answered; it is being looked at again"),
}
