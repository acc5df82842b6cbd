"""Telling that something was not finished, and waiting for what the assistant makes of it."""

from collections.abc import Mapping

TEXTS: Mapping[str, tuple[str, str]] = {
    # On a block of the week
    "event.not_done": ("没做完，要补", "Not finished, make it up"),
    "event.not_done_more_begun": (
        "助手看看补在哪里，确认之前日程不变。",
        "The assistant looks where it can be made up; nothing changes before you confirm.",
    ),
    "event.not_done_more_ahead": (
        "知道做不完可以先说，助手看看补在哪里，这一块留在原处。",
        "Tell ahead that you will not finish: a place to make it up is looked for, and the block "
        "stays where it is.",
    ),
    # In words, on the week
    "feedback.label": ("哪一项没做完？", "Something not finished?"),
    "feedback.example": ("刚才那个没做完", "I did not finish the last one"),
    "feedback.tell": ("告诉助手", "Tell the assistant"),
    "week.told_feedback_empty": (
        "先写一句，比如「刚才那个没做完」",
        "Write a few words first, such as “I did not finish the last one”",
    ),
    "week.told_feedback_long": (
        "最多 500 个字，写短一点再发",
        "At most 500 characters; please make it shorter",
    ),
    # The page that waits
    "look.title": ("助手正在看", "The assistant is looking"),
    "look.title_more": (
        "看接下来 24 小时和补做的位置，通常几秒就好。可以离开这一页，结果会在「建议」里。",
        "It looks at the next 24 hours and where this fits; a few seconds usually do. You may "
        "leave this page: what it finds stands in the suggestions.",
    ),
    "look.you_said": ("你说：", "You said: "),
    "look.you_answered": ("你的回答：", "Your answer: "),
    "look.is_live": ("这一页会自己更新。", "This page updates itself."),
    "look.see_now": ("现在看看", "See now"),
    "look.suggestions": ("看所有建议", "See all suggestions"),
    # It led to no suggestion
    "look.closed": ("看过了，暂时没有需要动的", "Looked: nothing needs to be done for now"),
    "look.closed_more": ("日程没有变动。", "Nothing changed."),
    "look.makeup_scheduled": ("补做已经排上了", "A make-up for it is planned already"),
    "look.makeup_scheduled_more": (
        "它的补做就在日程里，不用再排一次。要换时间，先把那一块撤下。",
        "It stands on your schedule, so no second one is needed. To have another time, take that "
        "block off first.",
    ),
    "look.target_completed": ("它已经标记完成，不用补", "It is marked done, so nothing is missing"),
    "look.target_completed_more": (
        "如果其实没做完，先把它重新打开，再说一次。",
        "If it is not done after all, reopen it first and tell again.",
    ),
    "look.already_scheduled": ("它已经排在日程里了", "It is on the schedule already"),
    "look.already_scheduled_more": ("日程没有变动。", "Nothing changed."),
    "look.assumed_completed": (
        "它排过的时间已经过去，先当作做完了",
        "Its time on the schedule has passed, so it counts as done",
    ),
    "look.assumed_completed_more": (
        "其实没做完的话，在周视图里点那一块，选「没做完，要补」。",
        "If it is not, open its block in the week and choose “Not finished, make it up”.",
    ),
    "look.not_urgent": ("它还不急，助手先不动它", "It is not urgent yet, so it stays"),
    "look.not_urgent_more": ("日程没有变动。", "Nothing changed."),
    "look.superseded": ("同一件事有了更新的建议", "There is a newer suggestion"),
    "look.superseded_more": ("看那一条就好。", "That one is the one to look at."),
    "look.skipped": ("这次没有看", "It was not looked at this time"),
    "look.skipped_more": ("日程没有变动。", "Nothing changed."),
    "look.failed": ("这次没看成，可以再说一次", "It could not be looked at; please tell again"),
    "look.failed_more": ("日程没有变动，刚才说的也还在。", "Nothing changed, and nothing is lost."),
    "look.rejected": ("这次说的没有对上日程里的任务", "No task on the schedule matches this"),
    "look.rejected_more": (
        "在周视图里点没做完的那一块，再说一次。",
        "Open the block in the week that was not finished and tell again.",
    ),
    "look.target_not_found": (
        "这件事已经不在了，可能刚被删除",
        "This is gone; it may have just been deleted",
    ),
    "look.target_not_found_more": ("日程没有变动。", "Nothing changed."),
    "look.unsupported_target": ("这一块不是任务，补不了", "This block is no work to make up"),
    "look.unsupported_target_more": ("日程没有变动。", "Nothing changed."),
    "error.trigger_not_found": ("没有找到。", "Not found."),
    "error.unsupported_target": (
        "助手看不了这一类。",
        "The assistant cannot look at this kind of thing.",
    ),
}
