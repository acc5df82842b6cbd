"""The environment each child gets: its own secrets, everybody's addresses, and nothing else.

Nothing is inherited but what is listed here. A variable of the person's own that sets a service
(`SMARTMATE_…`) is passed on; one that looks like a secret goes to its owner alone.
"""

import re
import sys
from collections.abc import Mapping
from dataclasses import dataclass, field
from pathlib import Path

import smartmate
from services.standalone import keys, settings
from services.standalone.home import Home

SYSTEM = (
    *("PATH", "HOME", "LANG", "LC_ALL", "TZ", "TMPDIR", "SSL_CERT_FILE", "SSL_CERT_DIR"),
    *("HTTP_PROXY", "HTTPS_PROXY", "NO_PROXY", "http_proxy", "https_proxy", "no_proxy"),
)
SECRET_OWNERS = {
    "SMARTMATE_SEAL_KEY": "notification",
    "SMARTMATE_OIDC_CLIENT_SECRET": "gateway",
    "SMARTMATE_SESSION_KEY": "gateway",
    "SMARTMATE_LLM_API_KEY": "agent",
}
LOOKS_SECRET = re.compile(r"(KEY|SECRET|TOKEN|PASSWORD|DSN)$")
OF_THE_SUITE = re.compile(
    r"SMARTMATE_(HOME|POSTGRES_URL|(\w+_)?NATS_URL|(\w+_)?DATABASE_URL|STREAM_REPLICAS"
    r"|(GATEWAY_|OPS_)?LISTEN|PUBLIC_KEYS|PRIVATE_KEY)"
)


@dataclass(frozen=True, slots=True)
class Places:
    """Where every process listens, as host:port, one per replica."""

    listen: Mapping[str, tuple[str, ...]]
    ops: Mapping[str, tuple[str, ...]]
    """Operations port."""
    feishu: str | None = None
    llm: str | None = None
    """The stand-ins, where they run."""

    def target(self, service: str) -> str:
        """Return what a gRPC client dials to reach any replica."""
        replicas = self.listen[service]
        return replicas[0] if len(replicas) == 1 else "ipv4:" + ",".join(replicas)

    def readiness(self, service: str, index: int) -> str:
        """Return where /readyz of one replica is asked."""
        places = self.ops if service in self.ops else self.listen
        return reachable(places[service][index])


@dataclass(frozen=True, slots=True)
class Wiring:
    """All that the environments are made of."""

    home: Home
    places: Places
    database_urls: Mapping[str, str]
    """As SQLAlchemy wants them."""
    nats_urls: Mapping[str, str]
    seal_key: str
    running: tuple[str, ...] = settings.SERVICES
    """The services that run here; what can do without another one is not sent to an absent one."""
    overrides: Mapping[str, Mapping[str, str]] = field(default_factory=dict)
    """By service; those under "*" are for every service."""


def reachable(address: str) -> str:
    """Return where this machine reaches what listens at host:port, "every address" included."""
    host, _, port = address.rpartition(":")
    return f"127.0.0.1:{port}" if host in ("", "0.0.0.0", "[::]") else address


def source_roots() -> tuple[str, ...]:
    """Return the directories that `services` and `smartmate` are imported from."""
    code = Path(__file__).resolve().parents[2]
    contracts = Path(smartmate.__path__[0]).resolve().parent
    return tuple(dict.fromkeys((str(code), str(contracts))))


def system(given: Mapping[str, str]) -> dict[str, str]:
    """Return what any Python child of ours needs; it imports from where we do."""
    found = [part for part in given.get("PYTHONPATH", "").split(":") if part]
    return {name: given[name] for name in SYSTEM if name in given} | {
        "PYTHONPATH": ":".join(dict.fromkeys((*source_roots(), *found))),
        "PYTHONUNBUFFERED": "1",
    }


def passed_on(service: str, given: Mapping[str, str]) -> dict[str, str]:
    """Return the person's own settings that concern this service."""
    return {
        name: value
        for name, value in given.items()
        if name.startswith("SMARTMATE_")
        and not OF_THE_SUITE.fullmatch(name)
        and (SECRET_OWNERS.get(name) == service or not LOOKS_SECRET.search(name))
    }


def ownerless(given: Mapping[str, str]) -> tuple[str, ...]:
    """Return the variables that look like secrets and that no service is known to own."""
    return tuple(
        sorted(
            name
            for name in given
            if name.startswith("SMARTMATE_")
            and LOOKS_SECRET.search(name)
            and name not in SECRET_OWNERS
            and not OF_THE_SUITE.fullmatch(name)
        )
    )


def of_service(
    service: str, index: int, wiring: Wiring, given: Mapping[str, str]
) -> dict[str, str]:
    """Return the whole environment of one replica; the later entries win."""
    places = wiring.places
    own = {
        "SMARTMATE_DATABASE_URL": wiring.database_urls[service],
        "SMARTMATE_NATS_URL": wiring.nats_urls[service],
        "SMARTMATE_LISTEN": places.listen[service][index],
        "SMARTMATE_PUBLIC_KEYS": str(keys.public_path(wiring.home.keys)),
        "SMARTMATE_PRIVATE_KEY": str(keys.private_path(wiring.home.keys, service)),
        "SMARTMATE_LOG_FORMAT": "json",
        "SMARTMATE_PUBLIC_BASE_URL": f"http://{reachable(places.listen['gateway'][0])}",
    }
    if service in places.ops:
        own["SMARTMATE_OPS_LISTEN"] = places.ops[service][index]
    for other in settings.SERVICES:
        if other not in (service, "gateway") and _is_to_be_known(other, wiring):
            own[settings.variable(other, "ADDRESS")] = places.target(other)
    if service == "notification":
        own["SMARTMATE_SEAL_KEY"] = wiring.seal_key
        if places.feishu:
            own["SMARTMATE_ALLOWED_WEBHOOK_HOSTS"] = places.feishu
    overrides = wiring.overrides
    return (
        system(given)
        | own
        | passed_on(service, given)
        | _model(service, places)
        | dict(overrides.get("*", {}))
        | dict(overrides.get(service, {}))
    )


def _is_to_be_known(service: str, wiring: Wiring) -> bool:
    return service != "agent" or service in wiring.running


def _model(service: str, places: Places) -> dict[str, str]:
    """The model stand-in, where one runs: whatever the person has set, nothing else is asked."""
    if service != "agent" or places.llm is None:
        return {}
    return {
        "SMARTMATE_LLM_MODEL": "stand-in-1",
        "SMARTMATE_LLM_BASE_URL": f"http://{places.llm}/v1",
        "SMARTMATE_LLM_API_KEY": "",
        "SMARTMATE_LLM_THINKING_OFF": "",
        "SMARTMATE_LLM_STRUCTURED": "json_schema",
    }


def command(service: str) -> tuple[str, ...]:
    """Return how a service is started; -P keeps the working directory off the import path."""
    return (sys.executable, "-P", "-m", f"services.{service}")
