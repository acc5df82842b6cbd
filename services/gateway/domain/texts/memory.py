"""What the assistant remembers."""

from collections.abc import Mapping

TEXTS: Mapping[str, tuple[str, str]] = {
    "nav.memory": ("记忆", "Memory"),
    "memory.title": ("助手记住的", "What the assistant remembers"),
    "memory.lead": (
        "排时间的时候会照顾这些。对话里说“记住……”也会记在这里，随时可以改，可以忘掉。",
        "It is heeded when something is planned. What you tell the assistant to remember stands "
        "here too; change or forget it at any time.",
    ),
    "memory.listed": ("记住的", "Remembered"),
    "memory.found": ("和「{query}」有关的", "About “{query}”"),
    "memory.none": ("还没有记住什么。", "Nothing is remembered yet."),
    "memory.none_found": ("没有和它有关的。", "Nothing is remembered about that."),
    "memory.all": ("看全部", "See all"),
    "memory.search": ("找一找", "Look for"),
    "memory.search_go": ("找", "Look"),
    "memory.search_example": ("比如：早上", "Such as: mornings"),
    "memory.add": ("记一条", "Remember something"),
    "memory.edit": ("改这一条", "Change this"),
    "memory.edit_for": ("改：{text}", "Change: {text}"),
    "memory.change": ("改", "Change"),
    "memory.forget": ("忘掉", "Forget"),
    "memory.forget_for": ("忘掉：{text}", "Forget: {text}"),
    "memory.back": ("回到记忆", "Back to memory"),
    "memory.put": ("{time} 记下", "Noted {time}"),
    "memory.changed": ("{time} 改过", "Changed {time}"),
    # The form
    "memory.type": ("哪一类", "Kind"),
    "memory.type_preference": ("喜欢", "Preference"),
    "memory.type_constraint": ("不要", "Keep free"),
    "memory.type_fact": ("事实", "Fact"),
    "memory.type_hint": (
        "喜欢的时间会优先考虑，不要的时间会避开，事实只供参考。",
        "Times that you like are preferred, times to keep free are avoided, facts only tell.",
    ),
    "memory.text": ("记什么", "What"),
    "memory.text_example": ("比如：晚上不排高数", "Such as: no maths in the evening"),
    "memory.days": ("说的是周几", "On which days"),
    "memory.days_hint": ("都不选就是哪天都行。", "None means any day."),
    "memory.first": ("从第几节", "From section"),
    "memory.last": ("到第几节", "To section"),
    "memory.any": ("不限", "any"),
    "memory.section": ("第 {n} 节", "section {n}"),
    "memory.every_day": ("每天", "any day"),
    "memory.save": ("记住", "Remember"),
    "memory.save_edit": ("保存", "Save"),
    # What is wrong at a field
    "problem.memory_type": ("选其中一类。", "Choose one of the kinds."),
    "problem.memory_empty": ("写一句要记住的。", "Write what is to be remembered."),
    "problem.memory_text": ("写 1 到 500 个字。", "1 to 500 characters are needed."),
    "problem.memory_days": ("选周一到周日。", "Choose Monday to Sunday."),
    "problem.memory_sections": (
        "结束的节不能在开始的前面。",
        "The last section must not be before the first.",
    ),
    # After a form
    "memory.told_added": ("记住了", "It is remembered"),
    "memory.told_saved": ("改好了", "It is changed"),
    "memory.told_deleted": ("忘掉了", "It is forgotten"),
    "memory.told_gone": ("这一条已经不在了", "This is not there any more"),
    "memory.told_full": ("记满了，最多 200 条", "It is full: at most 200"),
    "memory.told_full_more": ("先忘掉几条用不着的，再记新的。", "Forget some first."),
    # Refusals
    "error.memory_not_found": ("没有记住过这一条。", "Nothing of that id is remembered."),
    "error.too_many_memory_items": (
        "记满了，最多 200 条。先忘掉几条。",
        "It is full: at most 200. Forget some first.",
    ),
}
