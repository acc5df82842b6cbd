"""Every sentence that the pages say of themselves: Chinese first, English beside it.

The keys follow the word tables of the design. A sentence ends as it is shown; `{…}` are filled
with data, which stays data.
"""

from collections.abc import Mapping

from services.gateway.domain.locale import Locale

_TEXTS: Mapping[str, tuple[str, str]] = {
    # Frame
    "nav.main": ("主导航", "Main"),
    "nav.week": ("周视图", "Week"),
    "nav.previews": ("建议", "Suggestions"),
    "nav.skip": ("跳到正文", "Skip to content"),
    "nav.sign_out": ("退出登录", "Sign out"),
    "nav.language": ("English", "中文"),
    "colon": ("：", ": "),
    "stop": ("。", "."),
    # Buttons
    "button.confirm": ("确认，排到{place}", "Confirm for {place}"),
    "button.confirm_reorder": ("确认，补 {n} 项并移动 {m} 项", "Confirm: add {n}, move {m}"),
    "button.confirm_move": ("确认，移动 {m} 项", "Confirm: move {m}"),
    "button.confirm_squeeze": ("确认，两项各 {n} 节", "Confirm: {n} section each"),
    "button.ignore": ("忽略", "Ignore"),
    "button.regenerate": ("重新生成建议", "Make a new suggestion"),
    "button.replan": ("按现在的日程再想一个", "Plan again from today's schedule"),
    "button.open_newer": ("打开新的建议", "Open the newer one"),
    "button.see_week": ("在周视图里看", "See it in the week"),
    "button.back_to_week": ("回到周视图", "Back to the week"),
    "button.sign_in": ("登录", "Sign in"),
    "button.again": ("再试一次", "Try again"),
    # Marks
    "mark.add": ("新增", "Added"),
    "mark.makeup": ("补做", "Make-up"),
    "mark.moved": ("移动", "Moved"),
    "mark.was_at": ("原在{place}", "Was at {place}"),
    "mark.leaving": ("将移到{place}", "Moves to {place}"),
    "mark.removed": ("将撤下", "Will be taken off"),
    "mark.squeeze": ("{n} 节 · 原有 {m} 节", "{n} of {m} sections"),
    "mark.squeeze_new": ("{n} 节 · 原需 {m} 节", "{n} of {m} sections"),
    "mark.applied": ("已排入", "Scheduled"),
    "mark.clash": ("刚加入", "Just added"),
    "mark.host": ("可嵌入", "Can host a task"),
    # Kinds, as a screen reader says them
    "kind.course": ("课程，不可占用", "class, fixed"),
    "kind.host": ("课程，可嵌入", "class, can host a task"),
    "kind.task": ("任务", "task"),
    "kind.guest": ("嵌入课内的任务", "task inside a class"),
    "kind.add": ("新增", "added"),
    "kind.moved": ("移动后", "moved here"),
    "kind.leaving": ("从这里移走", "leaves here"),
    "kind.squeeze": ("压缩", "shortened"),
    "kind.clash": ("刚刚加入", "just added"),
    # Legend
    "legend.title": ("图例", "Legend"),
    "legend.course": ("课程（不可占用）", "Class (fixed)"),
    "legend.host": ("可嵌入的课", "Class that can host a task"),
    "legend.task": ("任务", "Task"),
    "legend.add": ("新增", "Added"),
    "legend.moved": ("移动到这里", "Moved here"),
    "legend.leaving": ("从这里移走", "Leaves here"),
    "legend.squeeze": ("压缩", "Shortened"),
    "legend.clash": ("刚加入", "Just added"),
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
    # Week
    "week.title": ("第 {week} 周", "Week {week}"),
    "week.range": ("{first} – {last}", "{first} – {last}"),
    "week.this": ("本周", "This week"),
    "week.previous": ("上一周", "Previous week"),
    "week.next": ("下一周", "Next week"),
    "week.suggestions": ("{n} 条建议", "{n} suggestions"),
    "week.suggestions_1": ("1 条建议", "1 suggestion"),
    "week.days": ("选择日期", "Choose a day"),
    "week.load": ("{n} 节", "{n} sections"),
    "week.grid": ("一周的安排", "The week"),
    "week.day_grid": ("{day}的安排", "{day}"),
    "week.none": ("还没有学期", "There is no semester yet"),
    "week.none_more": (
        "导入课表之后，这里就是你的一周。",
        "Once your timetable is imported, your week stands here.",
    ),
    "week.outside": ("这一天不在学期里", "This day is outside the semester"),
    "week.outside_more": (
        "最近的学期：{first} 至 {last}。",
        "The nearest semester: {first} to {last}.",
    ),
    "week.no_such_week": ("这个学期没有这一周", "The semester has no such week"),
    "week.first_week": ("看第 1 周", "See week 1"),
    "grid.lunch": ("午", "noon"),
    "grid.dinner": ("晚", "eve"),
    "grid.now": ("现在 {time}", "Now {time}"),
    "grid.section": ("第 {n} 节", "section {n}"),
    # Sign-in
    "sign_in.title": ("登录", "Sign in"),
    "sign_in.how": (
        "用你的一次性登录链接打开这里。链接 15 分钟内有效，只能用一次。",
        "Open your one-time sign-in link. It is valid for 15 minutes and works once.",
    ),
    "sign_in.ask": (
        "没有链接？请向帮你开通的人要一条新的。",
        "No link? Ask whoever set you up for a new one.",
    ),
    "sign_in.then": ("登录后会回到刚才的页面。", "You will be brought back to where you were."),
    "sign_in.ready": ("登录链接有效", "Your link is valid"),
    "sign_in.press": ("按一下就登录这台设备。", "One press signs you in on this device."),
    "sign_in.spent": ("这条登录链接不能用了", "This sign-in link cannot be used"),
    "sign_in.spent_more": (
        "它可能已经用过，或过了 15 分钟。请要一条新的。",
        "It may have been used, or be older than 15 minutes. Ask for a new one.",
    ),
    # Errors
    "error.no_such_page": ("没有找到这一页。", "No such page."),
    "error.not_found": ("没有找到。", "Not found."),
    "error.preview_not_found": ("没有找到这条建议。", "No such suggestion."),
    "error.preview_expired": (
        "这条建议已经过期，日程没有变动。",
        "This suggestion has expired. Nothing changed.",
    ),
    "error.preview_ignored": ("这条建议已经忽略。", "This suggestion was ignored."),
    "error.preview_superseded": (
        "同一件事有了更新的建议。",
        "There is a newer suggestion.",
    ),
    "error.preview_applying": ("正在写入日程。", "It is being written to your schedule."),
    "error.preview_applied": ("已经写入日程。", "It is on your schedule already."),
    "error.nothing_to_confirm": ("没有可以确认的内容。", "There is nothing to confirm."),
    "error.version_mismatch": (
        "它刚刚被改过，请重新打开再改。",
        "It has just been changed. Open it again before you change it.",
    ),
    "error.invalid_request": ("请求里有看不懂的内容。", "Something in the request is not right."),
    "error.not_signed_in": ("请先登录。", "Please sign in first."),
    "error.invalid_token": ("令牌无效或已过期。", "The token is not valid or has expired."),
    "error.form_not_ours": (
        "这一页放得太久了，请刷新后再试一次。",
        "This page is too old. Reload it and try again.",
    ),
    "error.idempotency_key_missing": (
        "缺少 Idempotency-Key。",
        "The Idempotency-Key is missing.",
    ),
    "error.idempotency_keys_differ": (
        "请求头和正文里的幂等键不一致。",
        "The idempotency keys in header and body differ.",
    ),
    "error.idempotency_key_invalid": (
        "幂等键应为 1 到 64 个可见的 ASCII 字符。",
        "An idempotency key has 1 to 64 visible ASCII characters.",
    ),
    "error.idempotency_conflict": (
        "刚才已经提交过一次，内容和这次不同。以先提交的为准。",
        "You already sent a different choice; the first one counts.",
    ),
    "error.too_many_requests": (
        "请求太快了，稍等一下再试。",
        "That was too fast. Wait a moment and try again.",
    ),
    "error.too_slow": ("发送得太慢，请再试一次。", "It was sent too slowly. Please try again."),
    "error.too_large": ("内容太大，最多 2 MiB。", "Too large: at most 2 MiB."),
    "error.unavailable": (
        "服务暂时没有回应，请稍后再试。",
        "The service is not answering. Please try again in a moment.",
    ),
    "error.deadline_exceeded": (
        "等得太久，没有等到结果。重新打开页面可以看到实际的情况。",
        "It took too long. Open the page again to see how things stand.",
    ),
    "error.permission_denied": ("没有权限。", "You may not do this."),
    "error.conflict": ("现在的状态不允许这样做。", "The present state does not allow this."),
    "error.method_not_allowed": ("不支持这种请求方法。", "This method is not supported here."),
    "error.unsupported_media_type": ("不支持这种内容类型。", "This content type is not supported."),
    "error.internal": ("出了点问题，已经记下。", "Something went wrong; it has been noted."),
    "error.number": ("编号 {number}", "Number {number}"),
}


def has(key: str) -> bool:
    """Whether there are words for a key."""
    return key in _TEXTS


def say(locale: Locale, key: str, **values: object) -> str:
    """The sentence of a key in a language, filled. KeyError for a key that nobody wrote."""
    chinese, english = _TEXTS[key]
    return (english if locale is Locale.EN else chinese).format(**values)


def keys() -> tuple[str, ...]:
    """Every key, in order."""
    return tuple(_TEXTS)


def both(key: str) -> tuple[str, str]:
    """(Chinese, English) with their placeholders."""
    return _TEXTS[key]
