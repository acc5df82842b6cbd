"""Why something was not written, and what to do."""

from collections.abc import Mapping

TEXTS: Mapping[str, tuple[str, str]] = {
    # Refusals: what happened; what to do is said beside it
    "refusal.expired": ("确认来得太晚，没有写入", "The confirmation came too late"),
    "refusal.base_version_changed": (
        "{place}刚刚有了别的安排，这次没有写入",
        "{place} has just been taken, so nothing was written",
    ),
    "refusal.base_version_changed_nowhere": (
        "日程刚刚有了变动，这次没有写入",
        "Your schedule has just changed, so nothing was written",
    ),
    "refusal.slot_conflict": (
        "{place}已有「{name}」，放不下",
        "{place} already holds “{name}”",
    ),
    "refusal.slot_conflict_nameless": ("{place}已有安排，放不下", "{place} is taken already"),
    "refusal.order_violation": (
        "「{name}」的先后次序会被打乱",
        "The order around “{name}” would break",
    ),
    "refusal.order_violation_nameless": (
        "学习的先后次序会被打乱",
        "The learning order would break",
    ),
    "refusal.in_the_past": (
        "{place}已经开始，不能再放",
        "{place} has already started",
    ),
    "refusal.out_of_semester": (
        "{place}不在这个学期里",
        "{place} is outside this semester",
    ),
    "refusal.invalid_edited_changes": (
        "改动后的位置不可用",
        "The edited place cannot be used",
    ),
    "refusal.target_completed": (
        "「{title}」已经完成，不用再安排",
        "“{title}” is done already",
    ),
    "refusal.target_already_scheduled": (
        "「{title}」已经排在日程里了",
        "“{title}” is on your schedule already",
    ),
    "refusal.target_not_found": (
        "这件事已经不在了，可能刚被删除",
        "This is gone; it may have just been deleted",
    ),
    "refusal.unsupported_change_type": (
        "这种改动还不能直接写入",
        "This change cannot be written yet",
    ),
    "refusal.idempotency_conflict": (
        "刚才已经提交过一次，内容和这次不同。以先提交的为准",
        "You already sent a different choice; the first one counts",
    ),
    "refusal.came_in": ("加入了「{name}」。", "“{name}” came in. "),
    # What came between, before anybody pressed a button
    "stale.course": ("{place}刚刚有了课：{name}", "{place} now holds a class: {name}"),
    "stale.task": ("{place}刚刚有了别的安排：{name}", "{place} has just been taken: {name}"),
    "stale.host_partial": ("{place}刚刚有了课：{name}", "{place} now holds a class: {name}"),
    "stale.started": ("{place}已经开始", "{place} has already started"),
    "stale.base_changed": (
        "「{title}」或日程刚刚改过，这条建议写不进去了",
        "“{title}” or your schedule has just changed; this suggestion no longer fits",
    ),
    "stale.target_completed": (
        "「{title}」已经完成，不用再安排",
        "“{title}” is done already",
    ),
    "stale.target_already_scheduled": (
        "「{title}」已经排在日程里了",
        "“{title}” is on your schedule already",
    ),
    "stale.target_not_found": (
        "这件事已经不在了，可能刚被删除",
        "This is gone; it may have just been deleted",
    ),
    "stale.other": ("{place}现在不能用了", "{place} cannot be used any more"),
    "stale.elsewhere": (
        "你的日程保持原样。可以换一个位置，或按现在的日程再想一个。",
        "Your schedule is as it was. Choose another place, or let it be planned again.",
    ),
    # What is not as it was when the suggestion was made
    "refusal.entry_came_in": ("{place}：加入了「{name}」", "{place}: “{name}” came in"),
    "refusal.entry_changed": ("{place}：原来的安排变了", "{place}: what stood there has changed"),
    "refusal.entry_target": (
        "「{title}」本身改过：时长、截止或状态",
        "“{title}” itself was changed: its length, deadline or state",
    ),
    "refusal.entry_scheduled": (
        "「{title}」在日程里的安排变了",
        "“{title}” has been put on or taken off your schedule",
    ),
    "refusal.entry_host": ("要放进去的那节课变了", "The class that it would go into has changed"),
    "refusal.entry_calendar": (
        "学期或那一天的调休改过",
        "The semester, or the timetable of that day, was changed",
    ),
    "refusal.this_place": ("这个位置", "This place"),
    "refusal.unchanged": ("你的日程保持原样。", "Your schedule is as it was. "),
    "refusal.choose_another": (
        "这条建议还有效，可以换一个位置再确认。",
        "The suggestion is still valid: choose another place and confirm.",
    ),
    "refusal.confirm_again": (
        "这条建议还有效，可以再确认一次。",
        "The suggestion is still valid and can be confirmed again.",
    ),
}
