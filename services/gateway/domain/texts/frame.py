"""What every page has: navigation and buttons."""

from collections.abc import Mapping

TEXTS: Mapping[str, tuple[str, str]] = {
    # Frame
    "nav.main": ("主导航", "Main"),
    "nav.week": ("周视图", "Week"),
    "nav.tasks": ("任务", "Tasks"),
    "nav.previews": ("建议", "Suggestions"),
    "nav.timetable": ("课表导入", "Timetable"),
    "nav.notifications": ("通知", "Notifications"),
    "nav.settings": ("设置", "Settings"),
    "nav.more": ("更多", "More"),
    "nav.account": ("账户和更多", "Account and more"),
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
}
