"""The data directory of one machine: where each part keeps what it keeps.

Started by root the directory lies in /var/lib and PostgreSQL, which refuses root, runs as
`nobody`; started by an ordinary user everything belongs to that user.
"""

import contextlib
import fcntl
import os
import pwd
import shutil
import tempfile
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path

from services.standalone import errors

UNPRIVILEGED = "nobody"


@dataclass(frozen=True, slots=True)
class Account:
    """A system user to run a child as."""

    name: str
    uid: int
    gid: int


@dataclass(frozen=True, slots=True)
class Home:
    """The rooms of a data directory that exists."""

    root: Path

    @property
    def postgres_data(self) -> Path:
        """Cluster directory of the embedded PostgreSQL."""
        return self.root / "pg"

    @property
    def nats_store(self) -> Path:
        """JetStream store of the embedded NATS server."""
        return self.root / "nats"

    @property
    def nats_config(self) -> Path:
        """Generated at every start; holds passwords."""
        return self.root / "nats.conf"

    @property
    def keys(self) -> Path:
        """A private key per service and the public key set."""
        return self.root / "keys"

    @property
    def logs(self) -> Path:
        """One log per process."""
        return self.root / "logs"

    @property
    def records(self) -> Path:
        """Which processes the last supervisor started."""
        return self.root / "run"

    @property
    def secrets(self) -> Path:
        """Passwords and the sealing key."""
        return self.root / "secrets.json"

    @property
    def ports(self) -> Path:
        """Ports chosen once and kept."""
        return self.root / "ports.json"

    @property
    def backups(self) -> Path:
        """A directory per backup, named by its moment."""
        return self.root / "backups"

    @property
    def migrated(self) -> Path:
        """What the last migration step brought the databases to."""
        return self.root / "migrated.json"

    @property
    def told(self) -> Path:
        """What the gateway was told at the last start, without secrets."""
        return self.root / "gateway.json"

    def log(self, name: str) -> Path:
        """Path of the log of one process."""
        return self.logs / f"{name}.log"


def default_root(environment: Mapping[str, str], *, uid: int) -> Path:
    """Where the data lies when nobody says otherwise."""
    if chosen := environment.get("SMARTMATE_HOME"):
        return Path(chosen).absolute()
    if uid == 0:
        return Path("/var/lib/smartmate")
    share = environment.get("XDG_DATA_HOME")
    return (Path(share) if share else Path.home() / ".local" / "share") / "smartmate"


def unprivileged_account() -> Account | None:
    """Return whom PostgreSQL has to run as, None when it may run as ourselves."""
    if os.geteuid() != 0:
        return None
    entry = pwd.getpwnam(UNPRIVILEGED)
    return Account(name=entry.pw_name, uid=entry.pw_uid, gid=entry.pw_gid)


def prepare(root: Path) -> Home:
    """Make the directories; refuses a place the unprivileged account cannot reach."""
    root.mkdir(parents=True, exist_ok=True, mode=0o711)
    account = unprivileged_account()
    if account is not None:
        if not passable(root, account):
            root.chmod(0o711)
        check_reachable(root, account)
    home = Home(root)
    for room in (home.keys, home.logs, home.records, home.nats_store):
        room.mkdir(exist_ok=True, mode=0o700)
    return home


def check_reachable(path: Path, account: Account) -> None:
    """Refuse when a directory on the way to `path` keeps the account out."""
    for directory in (path, *path.parents):
        if not passable(directory, account):
            raise errors.HomeNotTraversable(directory, account.name)


def passable(directory: Path, account: Account) -> bool:
    """Tell whether the mode bits let the account through (its one group considered)."""
    found = directory.stat()
    if found.st_uid == account.uid:
        return bool(found.st_mode & 0o100)
    if found.st_gid == account.gid:
        return bool(found.st_mode & 0o010)
    return bool(found.st_mode & 0o001)


@contextlib.contextmanager
def locked(home: Home) -> Iterator[None]:
    """Hold the directory for this process; the kernel lets go when the process dies."""
    with (home.root / "lock").open("a") as file:
        try:
            fcntl.flock(file, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except BlockingIOError:
            raise errors.HomeLocked(home.root) from None
        yield


@contextlib.contextmanager
def temporary() -> Iterator[Path]:
    """Lend a data directory that PostgreSQL can reach, gone afterwards (demo, smoke, tests)."""
    root = Path(tempfile.mkdtemp(prefix="smartmate-", dir=os.environ.get("TMPDIR", "/tmp")))
    try:
        root.chmod(0o711)
        yield root
    finally:
        shutil.rmtree(root, ignore_errors=True)
