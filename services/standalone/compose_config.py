"""`smartmate compose-config`: what containers find in their volumes when they start.

    DIRECTORY/<service>/<service>.json, public.json    its own key, and everybody's public keys
    DIRECTORY/nats/nats.conf                           the broker's users and what each may do

Each of these directories is the volume of one container, so that no service sees another's key.
Safe to run again: keys are kept, and a file that says what it should is left alone.
"""

import os
from collections.abc import Mapping
from pathlib import Path
from typing import Any

from libs.events.contract import contracts_in
from services.standalone import errors, files, keys, nats, permissions
from services.standalone.progress import Progress
from services.standalone.settings import SERVICES, variable
from smartmate.events.v1 import events_pb2

BROKER = "nats"
LISTEN = "0.0.0.0:4222"
MONITORING = "127.0.0.1:8222"
"""Asked by the container's own health check."""
STORE = "/data"


def run(directory: Path, owner: str | None, progress: Progress) -> None:
    """Write everything; raises SettingUnreadable for a password that is not given."""
    configuration = broker(passwords(os.environ))
    with progress.step("密钥", "keys"):
        write_keys(directory)
    with progress.step("消息服务配置", "broker configuration"):
        write_broker(directory, configuration)
    if owner is not None:
        hand_over(directory, *identity(owner))


def passwords(given: Mapping[str, str]) -> dict[str, str]:
    """Return the password of every user of the broker, SMARTMATE_<USER>_NATS_PASSWORD."""
    found = {}
    for user in (*SERVICES, permissions.OBSERVER, nats.ADMIN):
        name = variable(user, "NATS_PASSWORD")
        if not given.get(name):
            raise errors.SettingUnreadable(name, "a password")
        found[user] = given[name]
    return found


def broker(users: Mapping[str, str]) -> dict[str, Any]:
    """Return the whole configuration of the broker; the same users as on one machine."""
    others = {user: password for user, password in users.items() if user != nats.ADMIN}
    settings = nats.config(
        users=others,
        admin_password=users[nats.ADMIN],
        events=tuple(contracts_in(events_pb2.DESCRIPTOR)),
        durable=True,
    )
    settings["jetstream"]["store_dir"] = STORE
    return settings | {"listen": LISTEN, "http": MONITORING}


def write_keys(directory: Path) -> None:
    """Give each service its private key, and all of them the same public keys."""
    private = {}
    for service in SERVICES:
        (directory / service).mkdir(exist_ok=True)
        private[service] = keys.kept_or_new(directory / service, service)
    for service in SERVICES:
        keys.publish(directory / service, private)


def write_broker(directory: Path, configuration: dict[str, Any]) -> None:
    """Write nats.conf where it differs; JSON is valid NATS configuration."""
    (directory / BROKER).mkdir(exist_ok=True)
    path = directory / BROKER / "nats.conf"
    if files.read_object(path) != configuration:
        files.write_object(path, configuration)


def identity(owner: str) -> tuple[int, int]:
    """Return uid and gid of `uid:gid`; raises SettingUnreadable."""
    uid, _, gid = owner.partition(":")
    if not (uid.isdecimal() and gid.isdecimal()):
        raise errors.SettingUnreadable("--owner", "uid:gid, two numbers")
    return int(uid), int(gid)


def hand_over(directory: Path, uid: int, gid: int) -> None:
    """Make every volume and the files in it belong to the user that the containers run as.

    Files of deeper directories are left alone: they are what the containers wrote themselves.
    """
    for volume in directory.iterdir():
        for path in (volume, *(path for path in volume.iterdir() if path.is_file())):
            os.chown(path, uid, gid)
