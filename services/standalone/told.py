"""What a running suite told its gateway, for commands that are given in another terminal.

The settings that are no secrets are written down at each start. Passwords and ports are taken from
where they are kept anyway; addresses of servers that were given come from the environment again.
"""

import re
from collections.abc import Mapping
from urllib.parse import unquote, urlsplit

from services.standalone import (
    credentials,
    databases,
    environment,
    errors,
    files,
    keys,
    leftovers,
    nats,
    permissions,
    postgres,
)
from services.standalone.home import Home
from services.standalone.ports import LOOPBACK
from services.standalone.settings import StandaloneSettings, variable

GATEWAY = "gateway"
KNOWN_OTHERWISE = ("SMARTMATE_DATABASE_URL", "SMARTMATE_NATS_URL", "SMARTMATE_PUBLIC_KEYS")
HOLDS_PASSWORD = re.compile(r"://[^/\s]*@")


def write_down(home: Home, told: Mapping[str, str], *, embeds_postgres: bool) -> None:
    """Keep what the gateway is told, without secrets and without what is known otherwise."""
    content = {"environment": without_secrets(told), "embeds_postgres": embeds_postgres}
    if files.read_object(home.told) != content:
        files.write_object(home.told, content)


def without_secrets(told: Mapping[str, str]) -> dict[str, str]:
    """Return the settings that may lie in a file."""
    return {
        name: value
        for name, value in told.items()
        if name.startswith("SMARTMATE_")
        and name not in KNOWN_OTHERWISE
        and not environment.LOOKS_SECRET.search(name)
        and not HOLDS_PASSWORD.search(value)
    }


def gateway_environment(
    home: Home, settings: StandaloneSettings, given: Mapping[str, str]
) -> dict[str, str]:
    """Return the environment that the gateway of this data directory runs in.

    Settings of `given` win over those it was started with. Raises SuiteNotRunning,
    DatabaseUnnamed, HomeClosed.
    """
    return service_environment(GATEWAY, home, settings, given)


def service_environment(
    service: str, home: Home, settings: StandaloneSettings, given: Mapping[str, str]
) -> dict[str, str]:
    """Return the same for a one-shot command of any service.

    Of another service than the gateway it knows what all have in common, and its secrets; it
    listens nowhere.
    """
    try:
        kept = files.read_object(home.told)
        if not kept:
            raise errors.SuiteNotRunning(home.root)
        told: dict[str, str] = kept["environment"]
        dsn = _database(service, home, settings, embedded=kept["embeds_postgres"])
        broker = settings.nats_urls.get(service) or settings.nats_url or _user(home, service)
        own = _own(service, home)
    except PermissionError as error:
        raise errors.HomeClosed(home.root) from error
    return (
        environment.system(given)
        | told
        | own
        | {
            "SMARTMATE_DATABASE_URL": databases.sqlalchemy_url(dsn),
            "SMARTMATE_NATS_URL": broker,
            "SMARTMATE_PUBLIC_KEYS": str(keys.public_path(home.keys)),
            "SMARTMATE_PRIVATE_KEY": str(keys.private_path(home.keys, service)),
        }
        | environment.passed_on(service, given)
    )


def observer_url(home: Home, settings: StandaloneSettings) -> str:
    """Return how the observer reaches the running broker.

    Raises NoObserver, SuiteNotRunning, HomeClosed.
    """
    if settings.nats_url:
        raise errors.NoObserver
    try:
        if not leftovers.lives(home.records, nats.NAME):
            raise errors.SuiteNotRunning(home.root)
        return _user(home, permissions.OBSERVER)
    except PermissionError as error:
        raise errors.HomeClosed(home.root) from error


def _own(service: str, home: Home) -> dict[str, str]:
    """What a command of another service is told otherwise than the gateway."""
    if service == GATEWAY:
        return {}
    own = {"SMARTMATE_LISTEN": f"{LOOPBACK}:0"}
    if service == environment.SECRET_OWNERS["SMARTMATE_SEAL_KEY"]:
        own["SMARTMATE_SEAL_KEY"] = credentials.Credentials.load(home.secrets).seal_key
    return own


def _database(service: str, home: Home, settings: StandaloneSettings, *, embedded: bool) -> str:
    """A service's database: the one that is named, or the embedded one while it runs."""
    if named := settings.database_urls.get(service):
        return databases.plain(named)
    if settings.postgres_url:
        admin = databases.plain(settings.postgres_url)
        password = credentials.derived_password(unquote(urlsplit(admin).password or ""), service)
        return databases.service_dsn(admin, service, password)
    if not embedded:
        raise errors.DatabaseUnnamed(variable(service, "DATABASE_URL"))
    if not leftovers.lives(home.records, postgres.NAME):
        raise errors.SuiteNotRunning(home.root)
    secrets = credentials.Credentials.load(home.secrets)
    admin = postgres.dsn(secrets.postgres_admin, files.read_object(home.ports)[postgres.NAME])
    return databases.service_dsn(admin, service, secrets.database[service])


def _user(home: Home, user: str) -> str:
    """A user's address at the embedded broker; raises SuiteNotRunning where it has none yet."""
    secrets = credentials.Credentials.load(home.secrets)
    port = files.read_object(home.ports).get(nats.NAME)
    if not port or user not in secrets.nats:
        raise errors.SuiteNotRunning(home.root)
    return nats.user_url(user, secrets, int(port))
