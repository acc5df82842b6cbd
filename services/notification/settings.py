"""Settings of notification, from the environment variables `SMARTMATE_…`."""

from datetime import timedelta
from typing import Self
from urllib.parse import urlsplit

from pydantic import Field, SecretStr, field_validator, model_validator

from libs.process.settings import ServiceSettings
from services.notification.domain.batch import Window


class Settings(ServiceSettings):
    """What notification needs besides what every service needs."""

    seal_key: SecretStr = Field(
        description="Keys that channel secrets are sealed with: base64 of 32 bytes each, "
        "commas between, the newest first"
    )
    public_base_url: str = Field(
        description="Address of the web pages as the person's browser reaches them; links in "
        "messages begin with it"
    )
    allowed_webhook_hosts: str = Field(
        "", description="For developers: exact host:port of Feishu stand-ins, commas between"
    )
    active_scheduler_address: str = Field(description="host:port of active_scheduler")
    ask_seconds: float = Field(
        2, gt=0, description="How long active_scheduler has to say whether a message is worth it"
    )
    min_life_seconds: float = Field(
        120, ge=0, description="Life that a preview must have left to be told of"
    )
    provider_connect_seconds: float = Field(
        3, gt=0, description="How long connecting to a provider may take"
    )
    provider_total_seconds: float = Field(
        10, gt=0, description="How long an attempt may take in all"
    )
    send_lease_seconds: float = Field(
        40, gt=0, description="Lease of an attempt; outlasts provider_total_seconds by 30 s"
    )
    send_poll_seconds: float = Field(1, gt=0, description="Interval of the look for due messages")
    send_concurrency: int = Field(8, ge=1, le=100, description="Messages under way at once")
    backoff_first_seconds: float = Field(
        5, gt=0, description="Longest delay before the second attempt; doubles with each"
    )
    backoff_most_seconds: float = Field(300, gt=0, description="Longest delay before any attempt")
    webhook_per_second: float = Field(
        4, gt=0, description="Messages a second to one webhook, by all replicas together"
    )
    webhook_per_minute: int = Field(
        90, ge=1, le=1000, description="Messages a minute to one webhook, by all replicas together"
    )
    webhook_patience_seconds: float = Field(
        1, ge=0, description="How long a message waits in memory for its webhook's turn"
    )

    batch_window_seconds: float = Field(
        300,
        ge=0,
        description="How long messages to a user wait for each other after the first one; 0: never",
    )
    batch_margin_seconds: float = Field(
        600, ge=0, description="Life that the first of them to end has left when they go out"
    )
    test_life_seconds: float = Field(
        600, gt=0, description="How long the test message of a channel is tried"
    )
    test_wait_seconds: float = Field(
        8, gt=0, description="How long TestChannel waits for the outcome before it answers"
    )

    @property
    def window(self) -> Window:
        """How messages are gathered."""
        return Window(
            timedelta(seconds=self.batch_window_seconds),
            timedelta(seconds=self.batch_margin_seconds),
        )

    @property
    def extra_hosts(self) -> frozenset[str]:
        """The hosts of stand-ins."""
        hosts = (host.strip().lower() for host in self.allowed_webhook_hosts.split(","))
        return frozenset(host for host in hosts if host)

    @field_validator("public_base_url")
    @classmethod
    def _is_address(cls, value: str) -> str:
        parts = urlsplit(value)
        if parts.scheme not in ("http", "https") or not parts.netloc or not value.isascii():
            raise ValueError("an absolute http or https address is needed")
        if parts.query or parts.fragment:
            raise ValueError("an address without query and fragment is needed")
        return value.rstrip("/")

    @model_validator(mode="after")
    def _lease_outlasts_attempt(self) -> Self:
        longest = self.ask_seconds + self.webhook_patience_seconds + self.provider_total_seconds
        if self.send_lease_seconds <= longest:
            raise ValueError("send_lease_seconds must outlast asking, waiting and sending")
        return self

    @model_validator(mode="after")
    def _connecting_leaves_time(self) -> Self:
        # A free connection, the connection and its handshake are bounded each, all within total.
        if self.provider_total_seconds <= 3 * self.provider_connect_seconds:
            raise ValueError("provider_total_seconds must be over three provider_connect_seconds")
        return self
