"""Signing in."""

from collections.abc import Mapping

TEXTS: Mapping[str, tuple[str, str]] = {
    # Sign-in
    "sign_in.title": ("登录", "Sign in"),
    "sign_in.how": (
        "不用密码：登录链接会发到你自己的通知方式，15 分钟内有效，只能用一次。",
        "No password: a sign-in link is sent to your own channel. It is valid for 15 minutes and "
        "works once.",
    ),
    "sign_in.handle": ("学号或用户编号", "Student number or user number"),
    "sign_in.handle_hint": (
        "开通时登记的那个",
        "The one that you were registered with",
    ),
    "sign_in.send": ("把链接发给我", "Send me the link"),
    "sign_in.ask": (
        "没有设过可以接收登录链接的通知方式？请向帮你开通的人要一条链接。",
        "No channel of yours takes sign-in links? Ask whoever set you up for a link.",
    ),
    "sign_in.told_sent": (
        "如果有这个人，链接已经发出",
        "If there is such a person, the link is on its way",
    ),
    "sign_in.told_sent_more": (
        "它只发到本人允许接收登录链接的通知方式。几分钟没收到，可以再要一次。",
        "It goes only to a channel that its owner opened to sign-in links. If nothing comes "
        "within a few minutes, ask once more.",
    ),
    "sign_in.then": ("登录后会回到刚才的页面。", "You will be brought back to where you were."),
    "sign_in.ready": ("登录链接有效", "Your link is valid"),
    "sign_in.press": ("按一下就登录这台设备。", "One press signs you in on this device."),
    "sign_in.spent": ("这条登录链接不能用了", "This sign-in link cannot be used"),
    "sign_in.spent_more": (
        "它可能已经用过，或过了 15 分钟。可以再要一条新的。",
        "It may have been used, or be older than 15 minutes. You can ask for a new one.",
    ),
    "sign_in.again": ("要一条新的", "Ask for a new one"),
}
