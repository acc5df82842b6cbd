"""A question of the assistant, its answers, and what kind of help a suggestion is."""

from collections.abc import Mapping

TEXTS: Mapping[str, tuple[str, str]] = {
    # The question
    "question.title": ("你来定", "Your call"),
    "question.in_words": ("用一句话说", "In your own words"),
    "question.example": ("比如：数据结构第三章", "Such as: chapter three of data structures"),
    "question.send": ("就这样，再排一次", "Use this and plan again"),
    "question.then": (
        "回答之后，助手按它再看一遍，给你一条新的建议；确认之前日程不变。",
        "After the answer it is looked at again and you get a new suggestion; nothing changes "
        "before you confirm.",
    ),
    "question.room": ("{time} 起有空，{n} 节", "Free from {time}, {n} sections"),
    "question.room_1": ("{time} 起有空，1 节", "Free from {time}, 1 section"),
    "question.was": ("问的是", "The question was"),
    "question.chosen": ("你的回答", "your answer"),
    # The answer
    "question.answered": ("已回答：{answer}", "Answered: {answer}"),
    "question.first_counts": (
        "已经答过了，以先答的为准：{answer}",
        "Answered already, and the first answer counts: {answer}",
    ),
    "question.looking": (
        "助手正在按它再看一遍，有了新的建议，这里会出现链接。",
        "It is being looked at again with this answer; a link to the new suggestion will stand "
        "here.",
    ),
    "question.found": (
        "按你的回答有了新的建议，这一条只供回看。",
        "Your answer led to a new suggestion; this one is for reading only.",
    ),
    "question.follow": ("看看进展", "See how it stands"),
    "notice.answer_not_offered": (
        "这个回答不在选项里，请从下面选一个",
        "This answer is not offered; please choose one of those below",
    ),
    "notice.answer_empty": ("先写一句再发", "Write a few words first"),
    "notice.answer_long": (
        "最多 500 个字，写短一点再发",
        "At most 500 characters; please make it shorter",
    ),
    "notice.no_question": ("这条建议没有要回答的问题", "This suggestion asks nothing"),
    "error.no_question": ("这条建议没有要回答的问题。", "This suggestion asks nothing."),
    "error.answer_not_offered": ("这个回答不在选项里。", "This answer is not offered."),
    # Kinds of help, where they are more than a place for one thing
    "kind_of.local_reorder_makeup": ("补做，后面的顺延", "Make-up, later items move"),
    "kind_of.compress_with_next_dynamic_task": ("压缩，两项分着用", "Both are compressed"),
    "kind_of.split_in_two": ("分成两次", "In two parts"),
    "kind_of.drop_unfinished": ("先放下", "Let go for now"),
    "preview.ways_2": ("两个可行的办法", "Two ways that work"),
    "preview.ways_3": ("三个可行的办法", "Three ways that work"),
    "choice.moves": ("另外移动 {n} 项", "moves {n} more"),
    "choice.takes_off": ("撤下{place}", "Take off {place}"),
    "button.confirm_share": ("确认，两项分用{place}", "Confirm: share {place}"),
    "button.confirm_parts": ("确认，分 {n} 次排", "Confirm: in {n} parts"),
    "button.confirm_drop": ("确认，撤下 {n} 项", "Confirm: take {n} off"),
    # What the person prefers
    "preview.kept": ("合你的偏好", "Fits what you prefer"),
    "preview.broken": ("没能照顾到", "Does not fit"),
    # It was taken back
    "state.undone": ("{time} 已撤销", "Undone at {time}"),
    "state.undone_more": (
        "这条建议写入的安排已经撤下。写入之后又动过的，保持现在的样子。",
        "What this suggestion wrote was taken back. What has been moved since stays as it is.",
    ),
    "mark.undone": ("已撤销", "Undone"),
    "preview.undone_at": ("{time} 已撤销", "Undone at {time}"),
    "preview.after_undone_note": ("写入过，已撤销", "was written, then undone"),
    "state.told_only": ("这一页只供了解，日程没有变动", "For your information; nothing changed"),
}
