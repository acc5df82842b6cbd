"""Settings that every service has, from the environment variables `SMARTMATE_…`."""

import ipaddress
from pathlib import Path
from typing import Literal

from pydantic import Field, model_validator
from pydantic_settings import BaseSettings, SettingsConfigDict


class ServiceSettings(BaseSettings):
    """What every service needs. Read once, in `__main__`, and handed on as a value."""

    # Addresses hold passwords: they stand in no error and in no representation.
    model_config = SettingsConfigDict(
        env_prefix="SMARTMATE_", frozen=True, extra="ignore", hide_input_in_errors=True
    )

    database_url: str = Field(
        repr=False, description="postgresql+asyncpg://… of this service's own database"
    )
    database_pool: int = Field(10, ge=1, le=100, description="Connections to the database")
    nats_url: str = Field(repr=False, description="nats://… with this service's own user")
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
    def _careful(self) -> "ServiceSettings":
        if self.clock_offset_seconds and not self.development:
            raise ValueError("clock_offset_seconds is for development alone")
        if not self.insecure and not (is_loopback(self.listen) and is_loopback(self.ops_listen)):
            raise ValueError("without TLS only loopback is listened on, unless told insecure")
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
