"""The form of a channel: what is shown in it, and what is read of it. Secrets are never shown."""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Annotated, Any, Literal

from pydantic import BeforeValidator, Field

from services.gateway.wire.bodies import Body, Key
from smartmate.notification.v1 import channel_pb2, notification_service_pb2

LONGEST = 5000
Kind = Literal["CHANNEL_TYPE_FEISHU_BOT", "CHANNEL_TYPE_CONSOLE"]
BOT: Kind = "CHANNEL_TYPE_FEISHU_BOT"
CONSOLE: Kind = "CHANNEL_TYPE_CONSOLE"

FIELDS: Mapping[str, tuple[str, str]] = {
    "name": ("name", "problem.channel_name"),
    "webhook_url": ("webhook_url", "problem.channel_url"),
    "secret": ("secret", "problem.channel_secret"),
    "keyword": ("keyword", "problem.channel_keyword"),
    "position": ("position", "problem.channel_position"),
    "type": ("name", "problem.channel_type"),
    "takes_sign_in_links": ("takes_links", "problem.channel_links"),
}
URL_MISSING = ("webhook_url", "problem.channel_url_missing")


def _or_last(value: Any) -> Any:
    return 0 if value == "" else value


class ChannelForm(Body):
    """The fields as they are entered; an address or secret that is left empty stays as it is."""

    type: Kind = BOT
    name: str = Field("", max_length=LONGEST)
    webhook_url: str = Field("", max_length=LONGEST, repr=False)
    secret: str = Field("", max_length=LONGEST, repr=False)
    remove_secret: Literal["", "yes"] = ""
    keyword: str = Field("", max_length=LONGEST)
    language: Literal["LANGUAGE_ZH_CN", "LANGUAGE_EN_US"] = "LANGUAGE_ZH_CN"
    position: Annotated[int, BeforeValidator(_or_last)] = Field(0, ge=0, le=2**31 - 1)
    takes_links: Literal["", "yes"] = ""
    idempotency_key: Key = None


@dataclass(frozen=True, slots=True)
class Shown:
    """A form as the template is given it. `stored` is None for a new channel."""

    form: ChannelForm
    problems: Mapping[str, str]
    stored: channel_pb2.Channel | None = None

    def problem(self, name: str) -> str:
        """What is wrong at a field, or nothing."""
        return self.problems.get(name, "")

    @property
    def is_bot(self) -> bool:
        """Whether there is an address to enter."""
        return self.form.type == BOT


def of_channel(channel: channel_pb2.Channel) -> ChannelForm:
    """A stored channel as it is entered, without its secrets."""
    is_console = channel.type == channel_pb2.CHANNEL_TYPE_CONSOLE
    in_english = channel.language == channel_pb2.LANGUAGE_EN_US
    return ChannelForm(
        type=CONSOLE if is_console else BOT,
        name=channel.name,
        keyword=channel.keyword,
        language="LANGUAGE_EN_US" if in_english else "LANGUAGE_ZH_CN",
        position=channel.position,
        takes_links="yes" if channel.takes_sign_in_links else "",
    )


def message(
    form: ChannelForm, request_id: str, channel_id: int = 0
) -> notification_service_pb2.PutChannelRequest:
    """What is asked of the service."""
    is_bot = form.type == BOT
    removes = is_bot and form.remove_secret and not form.secret
    return notification_service_pb2.PutChannelRequest(
        request_id=request_id,
        channel_id=channel_id,
        type=form.type,
        name=form.name,
        position=form.position,
        language=form.language,
        webhook_url=form.webhook_url if is_bot and form.webhook_url.strip() else None,
        secret="" if removes else (form.secret or None) if is_bot else None,
        keyword=form.keyword,
        takes_sign_in_links=form.takes_links == "yes" if is_bot else None,
    )
