"""Settings of the one-machine runner, read from the environment once, at the edge.

Plain dataclasses rather than pydantic: the supervisor stays in memory beside every service.
"""

import os
from collections.abc import Mapping
from dataclasses import dataclass, field
from pathlib import Path

from services.standalone import errors
from services.standalone.home import default_root

SERVICES = ("schedule", "agent", "active_scheduler", "notification", "gateway")
"""In the order in which they are started."""


def _setting(name: str, meaning: str) -> dict[str, str]:
    return {"environment": name, "meaning": meaning}


@dataclass(frozen=True, slots=True)
class StandaloneSettings:
    """Each field's metadata name its variable and say what it means, for the settings table."""

    home: Path = field(
        metadata=_setting(
            "SMARTMATE_HOME",
            "Data directory; /var/lib/smartmate for root, else ~/.local/share/smartmate",
        )
    )
    listen: str = field(
        default="127.0.0.1:8210",
        metadata=_setting("SMARTMATE_GATEWAY_LISTEN", "host:port of the web pages"),
    )
    postgres_url: str | None = field(
        default=None,
        metadata=_setting(
            "SMARTMATE_POSTGRES_URL", "Administrator of a PostgreSQL server; none is embedded then"
        ),
    )
    nats_url: str | None = field(
        default=None,
        metadata=_setting(
            "SMARTMATE_NATS_URL", "Administrator of a NATS server; none is embedded then"
        ),
    )
    database_urls: Mapping[str, str] = field(
        default_factory=dict,
        metadata=_setting(
            "SMARTMATE_<SERVICE>_DATABASE_URL",
            "A service's own database; its role and database are left as they are",
        ),
    )
    nats_urls: Mapping[str, str] = field(
        default_factory=dict,
        metadata=_setting(
            "SMARTMATE_<SERVICE>_NATS_URL",
            "A service's own user at the given NATS server; without it the administrator's, "
            "and then the broker does not keep that service from what is another's",
        ),
    )
    stream_replicas: int = field(
        default=1,
        metadata=_setting("SMARTMATE_STREAM_REPLICAS", "Copies of each stream in a cluster, 1-5"),
    )


def read(environment: Mapping[str, str] | None = None) -> StandaloneSettings:
    """Read the settings; raises SettingUnreadable."""
    given = os.environ if environment is None else environment
    return StandaloneSettings(
        home=default_root(given, uid=os.geteuid()),
        postgres_url=given.get("SMARTMATE_POSTGRES_URL") or None,
        nats_url=given.get("SMARTMATE_NATS_URL") or None,
        database_urls=_per_service(given, "DATABASE_URL"),
        nats_urls=_per_service(given, "NATS_URL"),
        stream_replicas=_replicas(given.get("SMARTMATE_STREAM_REPLICAS") or "1"),
        listen=given.get("SMARTMATE_GATEWAY_LISTEN") or "127.0.0.1:8210",
    )


def variable(service: str, what: str) -> str:
    """Return the name of the variable of one service."""
    return f"SMARTMATE_{service.upper()}_{what}"


def _replicas(text: str) -> int:
    if text not in ("1", "2", "3", "4", "5"):
        raise errors.SettingUnreadable("SMARTMATE_STREAM_REPLICAS", "a number from 1 to 5")
    return int(text)


def _per_service(given: Mapping[str, str], what: str) -> Mapping[str, str]:
    return {service: value for service in SERVICES if (value := given.get(variable(service, what)))}
