"""Everything that the page of notifications shows."""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime
from math import ceil
from zoneinfo import ZoneInfo

from services.gateway.domain import moments
from services.gateway.domain.locale import Locale
from services.gateway.domain.messages import has, say
from services.gateway.wire.calendar import instant, words
from services.gateway.wire.told import Told
from smartmate.notification.v1 import channel_pb2, notification_service_pb2, record_pb2

MOST = 20
"""Channels that one user may have."""
_CONSOLE = channel_pb2.CHANNEL_TYPE_CONSOLE
_NAMES: Mapping[int, str] = {
    record_pb2.RECORD_STATE_PENDING: "pending",
    record_pb2.RECORD_STATE_SENDING: "sending",
    record_pb2.RECORD_STATE_SENT: "sent",
    record_pb2.RECORD_STATE_FAILED: "retrying",
    record_pb2.RECORD_STATE_DEAD: "dead",
    record_pb2.RECORD_STATE_SKIPPED: "skipped",
    record_pb2.RECORD_STATE_UNKNOWN: "unknown",
}
_ABOUT = {
    "asp": "record.about_preview",
    "ast": "record.about_trigger",
    "test": "record.about_test",
    "bat": "record.about_batch",
    "sig": "record.about_sign_in",
}


@dataclass(frozen=True, slots=True)
class ChannelLine:
    """One channel."""

    channel_id: int
    name: str
    facts: tuple[str, ...]
    is_first: bool
    takes_links: bool


@dataclass(frozen=True, slots=True)
class RecordLine:
    """One message. `tone` is ok, warn or empty; `href` leads to the suggestion it was about."""

    about: str
    to: str
    at: str
    state: str
    tone: str
    advice: str
    note: str
    href: str


@dataclass(frozen=True, slots=True)
class ChannelsPage:
    """What the template is given."""

    channels: tuple[ChannelLine, ...]
    records: tuple[RecordLine, ...]
    more_records: str
    offers_bot: bool
    offers_console: bool


@dataclass(frozen=True, slots=True)
class Speaker:
    """Tells of channels and records at one instant, in one zone."""

    locale: Locale
    zone: ZoneInfo
    now: datetime

    def build(
        self,
        listed: notification_service_pb2.ListChannelsResponse,
        records: notification_service_pb2.ListRecordsResponse,
    ) -> ChannelsPage:
        """The page."""
        names = {one.channel_id: one.name for one in listed.channels}
        has_room = len(listed.channels) < MOST
        # A console reaches no student: it is offered once, to developers.
        has_console = any(one.type == _CONSOLE for one in listed.channels)
        return ChannelsPage(
            channels=tuple(
                self._channel(one, is_first=number == 0)
                for number, one in enumerate(listed.channels)
            ),
            records=tuple(self.record(one, names) for one in records.records),
            more_records=records.next_page_token,
            offers_bot=has_room,
            offers_console=has_room and not has_console and _CONSOLE in listed.offered_types,
        )

    def _channel(self, one: channel_pb2.Channel, *, is_first: bool) -> ChannelLine:
        return ChannelLine(
            one.channel_id, one.name, tuple(self._facts(one)), is_first, one.takes_sign_in_links
        )

    def _facts(self, one: channel_pb2.Channel) -> Iterable[str]:
        is_console = one.type == _CONSOLE
        yield self._say("channel.type_console" if is_console else "channel.type_feishu_bot")
        if not is_console:
            yield self._say("channel.address", url=one.masked_url)
            yield self._say("channel.signed" if one.has_secret else "channel.unsigned")
        if one.keyword:
            yield self._say("channel.keyword_is", keyword=one.keyword)
        in_english = one.language == channel_pb2.LANGUAGE_EN_US
        yield self._say("channel.in_en" if in_english else "channel.in_zh")

    def record(self, one: record_pb2.NotificationRecord, names: Mapping[int, str]) -> RecordLine:
        """One message with its state in words."""
        kind = one.notification_id.partition("_")[0]
        return RecordLine(
            about=self._say(_ABOUT.get(kind, "record.about_trigger")),
            to=self._to(one, names),
            at=moments.moment(self.locale, instant(one.create_time), self.zone, now=self.now),
            state=self.state(one),
            tone=_tone(one.state),
            advice=words(self.locale, one.what_to_do) if one.HasField("what_to_do") else "",
            note=self._say("record.with_others") if one.batch_id else "",
            href=f"/active-schedule/previews/{one.notification_id}" if kind == "asp" else "",
        )

    def state(self, one: record_pb2.NotificationRecord) -> str:
        """Where a message stands."""
        name = _NAMES.get(one.state, "pending")
        if name == "retrying":
            return self._retrying(one)
        if name == "skipped":
            key = f"reason.{one.reason}"
            return self._say(
                "record.skipped", reason=self._say(key if has(key) else "reason.other")
            )
        return self._say(f"record.{name}")

    def _retrying(self, one: record_pb2.NotificationRecord) -> str:
        if not one.HasField("next_attempt_time"):
            return self._say("record.retrying_now")
        left = ceil((instant(one.next_attempt_time) - self.now).total_seconds())
        return (
            self._say("record.retrying", n=left) if left > 0 else self._say("record.retrying_now")
        )

    def _to(self, one: record_pb2.NotificationRecord, names: Mapping[int, str]) -> str:
        if not one.channel_id:
            return self._say("record.on_none")
        if one.channel_id not in names:
            return self._say("record.on_deleted")
        return self._say("record.on", name=names[one.channel_id])

    def tested(self, one: record_pb2.NotificationRecord) -> Told:
        """How the test of a channel ended, or where it stands."""
        name = _NAMES.get(one.state, "pending")
        advice = words(self.locale, one.what_to_do) if one.HasField("what_to_do") else ""
        if name == "sent":
            return Told("ok", "check", self._say("channels.tested_sent"))
        if name == "retrying":
            head = self._say("channels.tested_failed")
            return Told("warn", "warn", head, advice or self._retrying(one))
        if name in ("dead", "unknown"):
            return Told("warn", "warn", self._say(f"channels.tested_{name}"), advice)
        return Told("", "clock", self._say("channels.tested_waiting"), advice)

    def _say(self, key: str, **values: object) -> str:
        return say(self.locale, key, **values)


def _tone(state: record_pb2.RecordState) -> str:
    if state == record_pb2.RECORD_STATE_SENT:
        return "ok"
    quiet: Sequence[int] = (
        record_pb2.RECORD_STATE_PENDING,
        record_pb2.RECORD_STATE_SENDING,
        record_pb2.RECORD_STATE_SKIPPED,
    )
    return "" if state in quiet else "warn"
