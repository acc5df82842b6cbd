"""Settings that every service has, from the environment variables `SMARTMATE_…`."""

import ipaddress
from pathlib import Path
from typing import Literal, Self

from pydantic import Field, model_validator
from pydantic_settings import BaseSettings, SettingsConfigDict

from libs.events import consumer
from libs.outbox import relay

_RELAY = relay.Limits()
_CONSUMER = consumer.Limits()


class ProcessSettings(BaseSettings):
    """What every service needs. Read once, in `__main__`, and handed on as a value."""

    # Addresses hold passwords: they stand in no error and in no representation.
    model_config = SettingsConfigDict(
        env_prefix="SMARTMATE_", frozen=True, extra="ignore", hide_input_in_errors=True
    )

    database_url: str = Field(
        repr=False, description="postgresql+asyncpg://… of this service's own database"
    )
    database_pool: int = Field(10, ge=1, le=100, description="Connections to the database")
    listen: str = Field(description="host:port that this service listens on")
    ops_listen: str = Field(
        "127.0.0.1:0", description="host:port of /healthz, /readyz and /metrics"
    )
    public_keys: Path = Field(description="JWKS file with the public keys of all services")
    private_key: Path = Field(description="JWK file with this service's private key")
    insecure: bool = Field(False, description="Listen without TLS on other than loopback")
    log_format: Literal["json", "console"] = Field("json", description="Form of the log lines")
    log_level: Literal["DEBUG", "INFO", "WARNING", "ERROR"] = Field(
        "INFO", description="Lowest level that is logged"
    )
    clock_offset_seconds: float = Field(
        0.0, description="Shift of this process' clock; refused unless development is true"
    )
    development: bool = Field(False, description="Allows settings that are for tests alone")
    grace_seconds: float = Field(
        10.0, ge=0, description="How long calls under way may go on at shutdown"
    )

    retention_seconds: float = Field(
        600.0, gt=0, description="Pause between two rounds of deleting what has outlived its use"
    )

    @model_validator(mode="after")
    def _careful(self) -> Self:
        if self.clock_offset_seconds and not self.development:
            raise ValueError("clock_offset_seconds is for development alone")
        if not self.insecure and not (is_loopback(self.listen) and is_loopback(self.ops_listen)):
            raise ValueError("without TLS only loopback is listened on, unless told insecure")
        return self


class ServiceSettings(ProcessSettings):
    """The same for a service that says or hears events."""

    nats_url: str = Field(repr=False, description="nats://… with this service's own user")
    publish_ack_seconds: float = Field(
        _RELAY.ack_seconds, gt=0, description="How long a publish waits for the broker's answer"
    )
    publish_lease_seconds: float = Field(
        _RELAY.lease_seconds,
        gt=0,
        description="How long a row of the outbox is one relay's alone; outlasts "
        "publish_ack_seconds",
    )
    event_faults: int = Field(
        _CONSUMER.max_faults,
        ge=1,
        description="Deliveries that fail by the event's own fault until it is parked",
    )

    @property
    def relay_limits(self) -> relay.Limits:
        """How this process' relay behaves."""
        return relay.Limits(
            ack_seconds=self.publish_ack_seconds, lease_seconds=self.publish_lease_seconds
        )

    @property
    def consumer_limits(self) -> consumer.Limits:
        """How this process' consumers behave."""
        return consumer.Limits(max_faults=self.event_faults)

    @model_validator(mode="after")
    def _lease_outlasts_publish(self) -> Self:
        if self.publish_lease_seconds <= self.publish_ack_seconds:
            raise ValueError("publish_lease_seconds must outlast publish_ack_seconds")
        return self


def split_address(address: str) -> tuple[str, int]:
    """host and port of `host:port`; a v6 host stands in brackets."""
    host, _, port = address.rpartition(":")
    return host.strip("[]"), int(port)


def is_loopback(address: str) -> bool:
    """Whether `host:port` can be reached from this machine alone."""
    host, _ = split_address(address)
    if host == "localhost":
        return True
    try:
        return ipaddress.ip_address(host).is_loopback
    except ValueError:
        return False
