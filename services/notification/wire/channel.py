"""Channels as messages."""

from collections.abc import Mapping
from collections.abc import Set as AbstractSet

from libs.rpc.errors import InvalidRequest, Violation, invalid
from services.notification.domain.channel import Channel, ChannelType, Wanted
from services.notification.domain.errors import WebhookUrlRefused
from services.notification.domain.message import Language
from services.notification.domain.url import check_bot_url
from services.notification.wire import values
from smartmate.notification.v1 import channel_pb2
from smartmate.notification.v1 import notification_service_pb2 as pb

TYPES = {
    channel_pb2.CHANNEL_TYPE_FEISHU_BOT: ChannelType.FEISHU_BOT,
    channel_pb2.CHANNEL_TYPE_CONSOLE: ChannelType.CONSOLE,
}
TYPE_NUMBERS = values.inverse(TYPES)
LANGUAGES = {
    channel_pb2.LANGUAGE_UNSPECIFIED: Language.ZH_CN,
    channel_pb2.LANGUAGE_ZH_CN: Language.ZH_CN,
    channel_pb2.LANGUAGE_EN_US: Language.EN_US,
}
_LANGUAGE_NUMBERS = values.inverse(LANGUAGES)

MAX_NAME = 60
MAX_KEYWORD = 40
MAX_SECRET = 200
MAX_POSITION = 1_000_000


class RefusedUrl(InvalidRequest):
    """A webhook address that nothing will be sent to."""

    reason = "webhook_url_refused"

    def __init__(self, problem: str) -> None:
        super().__init__(Violation("webhook_url", problem))
        self.metadata: Mapping[str, str] = {"problem": problem}


def channel_message(channel: Channel) -> channel_pb2.Channel:
    return channel_pb2.Channel(
        channel_id=channel.id,
        type=TYPE_NUMBERS[channel.type],
        name=channel.name,
        position=channel.position,
        language=_LANGUAGE_NUMBERS[channel.language],
        masked_url=channel.masked_url,
        has_secret=channel.has_secret,
        keyword=channel.keyword,
        create_time=values.timestamp(channel.created_at),
        takes_sign_in_links=channel.takes_sign_in_links,
    )


def offered(*, console: bool) -> list[channel_pb2.ChannelType]:
    """The kinds that can be created. `console`: whether such channels are allowed here."""
    return [
        number for number, type_ in TYPES.items() if console or type_ is not ChannelType.CONSOLE
    ]


def checked_channel_id(value: int) -> int:
    """0 means a new one."""
    if value < 0:
        raise invalid("channel_id", "must not be negative")
    return value


def wanted(
    request: pb.PutChannelRequest, *, extra_hosts: AbstractSet[str], console: bool
) -> Wanted:
    """A channel out of a request. `console`: whether such channels are allowed here."""
    if request.type not in TYPES:
        raise invalid("type", "must be a known type of channel")
    if request.language not in LANGUAGES:
        raise invalid("language", "must be a known language")
    if not 0 <= request.position <= MAX_POSITION:
        raise invalid("position", f"must be 0..{MAX_POSITION}")
    type_ = TYPES[request.type]
    if type_ is ChannelType.CONSOLE:
        _check_console(request, allowed=console)
    return Wanted(
        type=type_,
        name=values.checked_text(request.name, "name", least=1, most=MAX_NAME),
        position=request.position,
        language=LANGUAGES[request.language],
        keyword=values.checked_text(request.keyword, "keyword", least=0, most=MAX_KEYWORD),
        url=_url(request, extra_hosts),
        secret=_secret(request),
        takes_sign_in_links=(
            request.takes_sign_in_links if request.HasField("takes_sign_in_links") else None
        ),
    )


def _check_console(request: pb.PutChannelRequest, *, allowed: bool) -> None:
    if not allowed:
        raise invalid("type", "console channels are for development alone")
    for field in ("webhook_url", "secret", "takes_sign_in_links"):
        if request.HasField(field) and getattr(request, field):
            raise invalid(field, "must be absent for a console channel")


def _url(request: pb.PutChannelRequest, extra_hosts: AbstractSet[str]) -> str | None:
    if not request.HasField("webhook_url") or request.type == channel_pb2.CHANNEL_TYPE_CONSOLE:
        return None
    try:
        return check_bot_url(request.webhook_url.strip(), extra_hosts=extra_hosts).url
    except WebhookUrlRefused as error:
        raise RefusedUrl(error.problem) from None


def _secret(request: pb.PutChannelRequest) -> str | None:
    if not request.HasField("secret"):
        return None
    secret = request.secret.strip()
    if len(secret) > MAX_SECRET or not secret.isprintable():
        raise invalid("secret", f"must be at most {MAX_SECRET} printable characters")
    return secret
