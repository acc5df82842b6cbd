"""The embedded NATS server: one account, JetStream in the data directory.

One user per service, the administrator, and the observer for programs from outside.
"""

import os
from collections.abc import Mapping
from typing import Any

from libs.events.contract import Contract, contracts_in
from services.standalone import (
    binaries,
    credentials,
    errors,
    files,
    permissions,
    probe,
    processes,
    spawn,
)
from services.standalone.home import Home
from services.standalone.ports import LOOPBACK, Ports, is_free
from smartmate.events.v1 import events_pb2

NAME = "nats"
ADMIN = "admin"
ACCOUNT = "SMARTMATE"
ATTEMPTS = 5
READY_WITHIN = 60.0
STORE_LIMIT_BYTES = 8 * 1024**3
"""Above the sum of the streams' own limits, which are what counts."""
MEMORY_LIMIT_BYTES = 64 * 1024**2


class EmbeddedNats:
    """One server in one data directory."""

    def __init__(self, home: Home, ports: Ports, *, secrets: credentials.Credentials) -> None:
        self._home = home
        self._ports = ports
        self._secrets = secrets
        self._port = 0

    @property
    def url(self) -> str:
        """Address of the administrator, who declares streams and consumers."""
        return f"nats://{ADMIN}:{self._secrets.nats_admin}@{LOOPBACK}:{self._port}"

    def user_url(self, user: str) -> str:
        """Address of a service's own user, or of the observer."""
        return user_url(user, self._secrets, self._port)

    async def start(self, *, durable: bool, children: list[processes.Child]) -> None:
        """Write the configuration, start, return when the server greets.

        The process is added to `children` before it is started.
        """
        self._port = self._ports.claim(NAME)
        child = processes.Child(self._program(), probe=self._greets, records=self._home.records)
        children.append(child)
        for attempt in range(1, ATTEMPTS + 1):
            self._write_config(durable=durable)
            child.start()
            try:
                return await child.ready(within=READY_WITHIN, deaths=1)
            except errors.ChildFailed:
                await child.stop()
                # Somebody took the port between the test and the start.
                if is_free(self._port) or attempt == ATTEMPTS:
                    raise
                self._port = self._ports.renew(NAME)

    async def _greets(self) -> bool:
        return await probe.greets(f"{LOOPBACK}:{self._port}", b"INFO ")()

    def _program(self) -> spawn.Program:
        return spawn.Program(
            name=NAME,
            command=(str(binaries.nats_server()), "-c", str(self._home.nats_config)),
            environment={"PATH": os.defpath, "TZ": "UTC"},
            log=self._home.log(NAME),
            directory=self._home.root,
            stop_within=20.0,
        )

    def _write_config(self, *, durable: bool) -> None:
        settings = config(
            users=self._secrets.nats,
            admin_password=self._secrets.nats_admin,
            events=tuple(contracts_in(events_pb2.DESCRIPTOR)),
            durable=durable,
        )
        settings["listen"] = f"{LOOPBACK}:{self._port}"
        settings["jetstream"]["store_dir"] = str(self._home.nats_store)
        files.write_object(self._home.nats_config, settings)


def user_url(user: str, secrets: credentials.Credentials, port: int) -> str:
    """Return the address of a user at an embedded server."""
    return f"nats://{user}:{secrets.nats[user]}@{LOOPBACK}:{port}"


def config(
    *,
    users: Mapping[str, str],
    admin_password: str,
    events: tuple[Contract, ...],
    durable: bool,
) -> dict[str, Any]:
    """Return the server's settings, address and store aside; JSON is valid NATS configuration.

    `users` maps a service, or the observer, to its password. `durable` makes the server write to
    disk before it acknowledges, which a power cut survives.
    """
    jetstream: dict[str, Any] = {
        "max_file_store": STORE_LIMIT_BYTES,
        "max_memory_store": MEMORY_LIMIT_BYTES,
    }
    if durable:
        jetstream["sync_interval"] = "always"
    return {
        "server_name": "smartmate",
        "jetstream": jetstream,
        "accounts": {
            ACCOUNT: {
                "jetstream": "enabled",
                "users": [
                    {"user": ADMIN, "password": admin_password},
                    *(_user(name, password, events) for name, password in users.items()),
                ],
            }
        },
    }


def _user(name: str, password: str, events: tuple[Contract, ...]) -> dict[str, Any]:
    allowed = (
        permissions.of_observer() if name == permissions.OBSERVER else permissions.of(name, events)
    )
    # An empty list of allowed subjects would allow all.
    publish = {"allow": list(allowed.publish)} if allowed.publish else {"deny": [">"]}
    return {
        "user": name,
        "password": password,
        "permissions": {"publish": publish, "subscribe": {"allow": list(allowed.subscribe)}},
    }
