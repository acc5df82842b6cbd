"""Settings of the gateway."""

from datetime import timedelta
from urllib.parse import urlsplit

from pydantic import Field, field_validator

from libs.process.settings import ServiceSettings


class GatewaySettings(ServiceSettings):
    """What the gateway needs besides what every service needs."""

    schedule_address: str = Field(description="gRPC target of the schedule service")
    active_scheduler_address: str = Field(description="gRPC target of the active scheduler")
    notification_address: str = Field(description="gRPC target of the notification service")
    agent_address: str = Field(
        "", description="gRPC target of the agent service; without it there is no conversation"
    )
    public_base_url: str = Field(
        description="http(s)://host[:port] under which people reach the pages, without a path"
    )
    session_life: timedelta = Field(
        timedelta(days=30), gt=timedelta(), description="How long a browser stays signed in"
    )
    sign_in_link_life: timedelta = Field(
        timedelta(minutes=15), gt=timedelta(), description="How long a sign-in link works"
    )
    call_seconds: float = Field(8.0, gt=0, description="How long a call to a service may take")
    request_seconds: float = Field(
        12.0, gt=0, description="How long a request may take, with all its calls"
    )
    receive_seconds: float = Field(
        15.0, gt=0, description="How long a request may take to send its body"
    )
    connections: int = Field(
        512, ge=1, description="Connections at a time, event streams included; more get a 503"
    )
    stream_keepalive_seconds: float = Field(
        15.0, gt=0, description="Pause after which an event stream says that it is alive"
    )
    stream_seconds: float = Field(
        300.0, gt=0, description="How long an event stream lasts before the browser comes again"
    )
    streams_per_user: int = Field(8, ge=1, description="Event streams of one user at a time")
    user_rate: float = Field(10.0, gt=0, description="Requests per second of one user")
    user_burst: int = Field(60, ge=1, description="Requests of one user at once")
    address_rate: float = Field(50.0, gt=0, description="Requests per second of one address")
    address_burst: int = Field(200, ge=1, description="Requests of one address at once")
    sign_in_rate: float = Field(0.5, gt=0, description="Sign-ins per second of one address")
    sign_in_burst: int = Field(20, ge=1, description="Sign-ins of one address at once")
    ask_rate: float = Field(
        0.1, gt=0, description="Sign-in links per second that one address may ask for"
    )
    ask_burst: int = Field(
        10, ge=1, description="Sign-in links that one address may ask for at once"
    )
    asked_links: int = Field(
        3, ge=1, description="Sign-in links sent to one user within the life of a link"
    )
    trusted_proxies: str = Field(
        "", description="Comma list of proxies whose X-Forwarded-For is believed; empty = none"
    )

    @field_validator("public_base_url")
    @classmethod
    def _is_an_origin(cls, value: str) -> str:
        parts = urlsplit(value)
        if parts.scheme not in ("http", "https") or not parts.hostname:
            raise ValueError("http://host or https://host is wanted")
        if parts.path.strip("/") or parts.query or parts.fragment or parts.username:
            raise ValueError("an origin without path, query or user is wanted")
        return f"{parts.scheme}://{parts.netloc}"

    @property
    def is_https(self) -> bool:
        """Whether people come by https, so that cookies may be bound to it."""
        return self.public_base_url.startswith("https://")
