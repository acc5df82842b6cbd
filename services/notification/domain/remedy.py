"""What a person can do about the reason that stands in a record."""

from collections.abc import Mapping

from services.notification.domain import codes
from services.notification.domain.codes import NOTHING, Advice
from services.notification.domain.record import RecordState, SkipReason

LOOK_FOR_IT = Advice(
    "没有收到飞书的答复，消息可能已经送达，请到群里看看。",
    "Feishu gave no answer; the message may have arrived, so look for it in the chat.",
)
TRY_LATER = Advice(
    "飞书一直没有收下这条消息，请过一会儿再试；如果仍然不行，请告诉管理员。",
    "Feishu did not take the message in time; try again later, and tell the operator if it stays "
    "so.",
)
ADD_A_CHANNEL = Advice(
    "还没有通知方式，请在通知设置里添加一个。",
    "There is no channel yet; add one in the notification settings.",
)
ALLOW_A_CHANNEL = Advice(
    "没有通知方式可以收登录链接，请在通知设置里为一个只有你自己的群打开它。",
    "No channel takes sign-in links; allow it in the notification settings for a chat that is "
    "yours alone.",
)

_BY_REASON: Mapping[str, Advice] = {
    **{entry.reason: entry.advice for entry in codes.MEANINGS.values() if entry.advice != NOTHING},
    "webhook_url_refused": codes.URL_REFUSED,
    "secret_unreadable": codes.ASK_THE_OPERATOR,
    "unknown_code": codes.ASK_THE_OPERATOR,
    SkipReason.NO_CHANNEL.value: ADD_A_CHANNEL,
    SkipReason.NO_SIGN_IN_CHANNEL.value: ALLOW_A_CHANNEL,
}
_QUIET = frozenset({RecordState.PENDING, RecordState.SENDING, RecordState.SENT})


def remedy(state: RecordState, reason: str) -> Advice | None:
    """The advice for a record in this state for this reason; None: nothing has to be done."""
    if state in _QUIET:
        return None
    if state is RecordState.UNKNOWN:
        return LOOK_FOR_IT
    if advice := _BY_REASON.get(reason):
        return advice
    return _of_the_rest(reason) if state is RecordState.DEAD else None


def _of_the_rest(reason: str) -> Advice | None:
    """The advice for what was given up without a code of the provider's."""
    if reason == "channel_deleted":
        return None
    status = reason.removeprefix("http_")
    if status.startswith("3"):
        return codes.REDIRECTED
    if status.startswith("4") and status not in ("408", "425", "429"):
        return codes.HTTP_REFUSED
    return TRY_LATER
