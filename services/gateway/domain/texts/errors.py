"""Refusals that are no page of their own."""

from collections.abc import Mapping

TEXTS: Mapping[str, tuple[str, str]] = {
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
    "error.invalid_handle": (
        "用 1 到 40 个英文字母、数字或 ._@- 。",
        "1 to 40 ASCII letters, digits and ._@- are needed.",
    ),
    "error.handle_taken": ("这个编号已经有人用了。", "Another user goes by this."),
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
