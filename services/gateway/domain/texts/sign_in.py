"""Signing in."""

from collections.abc import Mapping

TEXTS: Mapping[str, tuple[str, str]] = {
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
}
