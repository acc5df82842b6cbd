"""What the codes of Feishu's APIs mean and what a person can do about them.

Facts: interfaces A.5 (custom bot), B.2 (app), B.3 (automation). Codes are unique across the APIs.
"""

from collections.abc import Mapping
from dataclasses import dataclass
from enum import StrEnum

TRIES_OF_UNKNOWN_CODE = 3
TRIES_OF_UNKNOWN_KEY = 8
"""Some minutes, in which every replica has been told the newest key."""
LIMIT_WORDS = ("frequency limit", "too many request")


class Meaning(StrEnum):
    """What follows from a code."""

    RETRY = "retry"
    PERMANENT = "permanent"
    CARD_REFUSED = "card_refused"
    TARGET_GONE = "target_gone"
    RESIGN = "resign"
    REFRESH_TOKEN = "refresh_token"


@dataclass(frozen=True, slots=True)
class Advice:
    """What the person who set the channel up can do."""

    zh: str
    en: str


@dataclass(frozen=True, slots=True)
class Entry:
    """Meaning, reason code and advice."""

    meaning: Meaning
    reason: str
    advice: Advice


ASK_THE_OPERATOR = Advice(
    "飞书拒收了这条消息，请把编号告诉管理员。",
    "Feishu refused the message; give its number to the operator.",
)
HTTP_REFUSED = Advice(
    "Webhook 地址没有回应消息接口，请在飞书里重新复制地址。",
    "Nothing takes messages at this webhook address; copy it from Feishu again.",
)
REDIRECTED = Advice(
    "Webhook 地址被转到了别处，请在飞书里重新复制地址。",
    "The webhook address redirects elsewhere; copy it from Feishu again.",
)
URL_REFUSED = Advice(
    "Webhook 地址不是飞书或 Lark 的机器人地址，请在飞书里重新复制地址。",
    "The webhook address is not one of Feishu or Lark; copy it from Feishu again.",
)
TOO_LARGE = Advice(
    "消息超过 20 KB，没有发送。内容可以在网页上看。",
    "The message is over 20 KB and was not sent; read it on the page.",
)
NOTHING = Advice("", "")

_READ_ON_PAGE = Advice(
    "卡片没有发出去，内容可以在网页上看。",
    "The card was not sent; read it on the page.",
)
_CHECK_SECRET = Advice(
    "签名不符。请核对机器人的签名密钥；如果密钥无误，请让管理员检查服务器时间。",
    "The signature does not match. Check the bot's signing secret; if it is right, ask the "
    "operator to check the server's clock.",
)
_CHECK_KEYWORD = Advice(
    "消息里没有机器人要求的关键词。请把关键词填到通知设置里。",
    "The message lacks the keyword the bot asks for; enter it in the notification settings.",
)
_CHECK_ADDRESSES = Advice(
    "飞书不允许从这台服务器的地址发送。请在安全设置里加上服务器的 IP，或去掉 IP 限制。",
    "Feishu does not allow this server's address; add it to the security settings or lift the "
    "restriction.",
)
_NEW_ROBOT = Advice(
    "机器人已被停用或移除，请在群里重新添加并填写新的地址。",
    "The bot was disabled or removed; add it to the group again and enter the new address.",
)
_OTHER_CHAT = Advice(
    "群聊已解散或被禁言，请换一个群里的机器人。",
    "The chat was dissolved or muted; use a bot of another chat.",
)
_WORDING = Advice(
    "飞书的内容审核没有放行，内容可以在网页上看。",
    "Feishu's content review stopped it; read it on the page.",
)
_CHECK_APP = Advice(
    "应用的凭证或权限不对。请核对 App ID、App Secret，以及发消息的权限和版本发布。",
    "The app's credentials or rights are wrong; check App ID, App Secret, the right to send "
    "messages, and that a version is published.",
)
_CHECK_RECEIVER = Advice(
    "应用不能给这位接收者发消息。请核对接收者，以及应用的可用范围。",
    "The app cannot write to this receiver; check the receiver and the app's availability range.",
)
_QUOTA = Advice(
    "飞书应用本月的调用次数已用完，请换用其他通知方式，或等到下个月。",
    "The app's monthly quota is used up; use another channel or wait for next month.",
)
_CHECK_FLOW = Advice(
    "飞书自动化流程没有接收。请检查流程是否启用、凭证和 IP 限制。",
    "The automation did not take it; check that it is enabled, its credential and IP restriction.",
)


def _entries(meaning: Meaning, reason: str, advice: Advice, *numbers: int) -> Mapping[int, Entry]:
    entry = Entry(meaning, reason, advice)
    return dict.fromkeys(numbers, entry)


BAD_REQUEST = Entry(Meaning.PERMANENT, "bad_request", ASK_THE_OPERATOR)

MEANINGS: Mapping[int, Entry] = {
    9499: BAD_REQUEST,
    # Worth another attempt: limits and faults on the other side.
    **_entries(Meaning.RETRY, "rate_limited", NOTHING, 11232, 11233, 11247, 99991400, 230020),
    **_entries(Meaning.RETRY, "provider_error", NOTHING, 1500, 2200, 5000),
    **_entries(Meaning.RETRY, "still_sending", NOTHING, 230049),
    # Custom bot.
    **_entries(Meaning.RESIGN, "signature_refused", _CHECK_SECRET, 19021),
    **_entries(Meaning.PERMANENT, "address_not_allowed", _CHECK_ADDRESSES, 19022),
    **_entries(Meaning.PERMANENT, "keyword_missing", _CHECK_KEYWORD, 19024),
    **_entries(Meaning.PERMANENT, "bad_message", ASK_THE_OPERATOR, 19002),
    **_entries(Meaning.PERMANENT, "too_large", TOO_LARGE, 19036, 800005647),
    **_entries(Meaning.TARGET_GONE, "robot_gone", _NEW_ROBOT, 19001, 19007),
    **_entries(Meaning.CARD_REFUSED, "card_refused", _READ_ON_PAGE, 11246, 230099, 230025),
    **_entries(Meaning.PERMANENT, "content_refused", _WORDING, 11248, 11312, 230022, 230028),
    **_entries(Meaning.TARGET_GONE, "chat_gone", _OTHER_CHAT, 11242, 11237, 232009),
    # App.
    **_entries(
        Meaning.REFRESH_TOKEN,
        "token_refused",
        _CHECK_APP,
        *(99991661, 99991663, 99991664, 99991665, 99991668, 99991671, 20013),
    ),
    **_entries(Meaning.PERMANENT, "address_not_allowed", _CHECK_ADDRESSES, 99991401),
    **_entries(Meaning.PERMANENT, "quota_used_up", _QUOTA, 99991403),
    **_entries(Meaning.PERMANENT, "app_refused", _CHECK_APP, 99991662, 99991673, 230006, 230027),
    **_entries(
        Meaning.PERMANENT,
        "receiver_refused",
        _CHECK_RECEIVER,
        *(230002, 230013, 230018, 230029, 230034, 230035, 230053),
    ),
    **_entries(Meaning.PERMANENT, "bad_message", ASK_THE_OPERATOR, 230001),
    # Automation.
    **_entries(Meaning.PERMANENT, "flow_refused", _CHECK_FLOW, 800004509, 800005649, 800005646),
    **_entries(Meaning.PERMANENT, "address_not_allowed", _CHECK_ADDRESSES, 800005650),
}


def sounds_like_a_limit(text: str) -> bool:
    """Whether a text speaks of a rate limit; asked where the code alone says too little."""
    lowered = text.lower()
    return any(words in lowered for words in LIMIT_WORDS)
