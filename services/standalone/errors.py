"""What can keep the suite from starting on one machine.

StandaloneError
├── HomeLocked · HomeNotTraversable
├── DataOfOtherVersion · DataUnrecognised · SecretsLost · BackupUnusable
├── SettingUnreadable
├── PlatformUnsupported · PartMissing · NotMainThread
├── PortTaken
├── ChildFailed · NotReadyInTime · CommandFailed
├── SuiteNotRunning · HomeClosed · NoObserver
├── RoleTaken · ServerUnreachable · DatabaseUnnamed
├── MigrationFailed · MigrationBusy
└── TopologyRefused
"""

from pathlib import Path

COMPLAINT_LINES = 12


class StandaloneError(Exception):
    """Root of the tree; `str()` is a sentence for the person at the terminal."""

    reason = "standalone_error"


class HomeLocked(StandaloneError):
    """Another supervisor works in the same data directory."""

    reason = "home_locked"

    def __init__(self, home: Path) -> None:
        super().__init__(f"{home} is in use by another smartmate process")
        self.home = home


class HomeNotTraversable(StandaloneError):
    """The account PostgreSQL runs as cannot pass a directory above its data."""

    reason = "home_not_traversable"

    def __init__(self, directory: Path, account: str) -> None:
        super().__init__(
            f"{directory} cannot be passed by the user {account!r}, as whom PostgreSQL runs when "
            f"smartmate is started by root. Set SMARTMATE_HOME to a directory below /var/lib or "
            f"/srv, or start smartmate as an ordinary user."
        )
        self.directory = directory
        self.account = account


class DataOfOtherVersion(StandaloneError):
    """The data directory was written by another major version of PostgreSQL."""

    reason = "data_of_other_version"

    def __init__(self, found: str, needed: str) -> None:
        super().__init__(
            f"the database files are of PostgreSQL {found}, the installed programs are {needed}: "
            f"dump with the old version and restore into a new SMARTMATE_HOME"
        )
        self.found = found
        self.needed = needed


class DataUnrecognised(StandaloneError):
    """The place of the database holds files that are no cluster."""

    reason = "data_unrecognised"

    def __init__(self, path: Path) -> None:
        super().__init__(f"{path} holds files that are no PostgreSQL cluster: move them away")
        self.path = path


class SecretsLost(StandaloneError):
    """The database exists and the file with its passwords does not."""

    reason = "secrets_lost"

    def __init__(self, path: Path) -> None:
        super().__init__(
            f"{path} is missing, but the database it belongs to exists: put the file back from a "
            f"backup, or move the whole data directory away to start anew"
        )
        self.path = path


class BackupUnusable(StandaloneError):
    """The directory is no whole backup."""

    reason = "backup_unusable"

    def __init__(self, path: Path) -> None:
        super().__init__(f"{path} is no whole backup of this program")
        self.path = path


class SettingUnreadable(StandaloneError):
    """An environment variable holds what it cannot hold."""

    reason = "setting_unreadable"

    def __init__(self, variable: str, expected: str) -> None:
        super().__init__(f"{variable} must be {expected}")
        self.variable = variable


class PlatformUnsupported(StandaloneError):
    """Death signals and pidfds are Linux; elsewhere the containers are the way."""

    reason = "platform_unsupported"

    def __init__(self, platform: str) -> None:
        super().__init__(
            f"the one-machine runner needs Linux, this is {platform}: "
            f"use docker compose with the docker-compose.yml of this project"
        )
        self.platform = platform


class PartMissing(StandaloneError):
    """An embedded part is not installed beside this Python."""

    reason = "part_missing"

    def __init__(self, part: str) -> None:
        super().__init__(f"{part} is not installed in this environment (see requirements.txt)")
        self.part = part


class NotMainThread(StandaloneError):
    """Children are bound to the life of the thread that starts them."""

    reason = "not_main_thread"

    def __init__(self) -> None:
        super().__init__("processes are started from the main thread alone")


class PortTaken(StandaloneError):
    """The address asked for is held by somebody else."""

    reason = "port_taken"

    def __init__(self, address: str) -> None:
        super().__init__(f"{address} is in use by another program")
        self.address = address


class ChildFailed(StandaloneError):
    """A process ended again and again before it was ready."""

    reason = "child_failed"

    def __init__(self, name: str, exit_code: int | None, log_tail: str) -> None:
        super().__init__(f"{name} ended with {exit_code} before it was ready\n{log_tail}".rstrip())
        self.name = name
        self.exit_code = exit_code
        self.log_tail = log_tail


class NotReadyInTime(StandaloneError):
    """A process runs and does not answer that it is ready."""

    reason = "not_ready_in_time"

    def __init__(self, name: str, seconds: float, log_tail: str) -> None:
        super().__init__(f"{name} was not ready within {seconds:g} s\n{log_tail}".rstrip())
        self.name = name
        self.seconds = seconds
        self.log_tail = log_tail


class CommandFailed(StandaloneError):
    """A one-shot command of a service refused or broke; what it said is what there is to say."""

    reason = "command_failed"

    def __init__(self, exit_code: int, complaint: str) -> None:
        lines = [line for line in complaint.splitlines() if line.strip()]
        said = lines or [f"the command ended with {exit_code} and said nothing"]
        super().__init__("\n".join(said[-COMPLAINT_LINES:]))
        self.exit_code = exit_code
        self.complaint = complaint


class SuiteNotRunning(StandaloneError):
    """A command needs a suite that runs in another terminal."""

    reason = "suite_not_running"

    def __init__(self, home: Path) -> None:
        super().__init__(
            f"no suite runs in {home}: start one by `smartmate up`, or name its data directory "
            f"by SMARTMATE_HOME"
        )
        self.home = home


class HomeClosed(StandaloneError):
    """The data directory belongs to another user of the machine."""

    reason = "home_closed"

    def __init__(self, home: Path) -> None:
        super().__init__(f"{home} belongs to another user: run this as the one who runs the suite")
        self.home = home


class NoObserver(StandaloneError):
    """The NATS server is not ours, so there is no user of ours to listen with."""

    reason = "no_observer"

    def __init__(self) -> None:
        super().__init__(
            "the NATS server is not embedded: its administrator makes the users who may listen"
        )


class RoleTaken(StandaloneError):
    """A role of this name exists on the given server and has a password we do not know."""

    reason = "role_taken"

    def __init__(self, role: str) -> None:
        super().__init__(
            f"the role {role!r} exists on the given PostgreSQL server with another password: "
            f"set SMARTMATE_{role.upper()}_DATABASE_URL"
        )
        self.role = role


class ServerUnreachable(StandaloneError):
    """PostgreSQL or NATS does not answer under the address given."""

    reason = "server_unreachable"

    def __init__(self, what: str, address: str, why: str) -> None:
        super().__init__(f"{what} at {address} does not answer: {why}")
        self.what = what
        self.address = address


class DatabaseUnnamed(StandaloneError):
    """Some services were given a database and this one was not."""

    reason = "database_unnamed"

    def __init__(self, variable: str) -> None:
        super().__init__(f"set {variable} as well, or SMARTMATE_POSTGRES_URL for all databases")
        self.variable = variable


class MigrationFailed(StandaloneError):
    """The step that brings the databases up to date ended with an error."""

    reason = "migration_failed"

    def __init__(self, service: str, detail: str) -> None:
        super().__init__(f"the migration of {service} failed\n{detail}".rstrip())
        self.service = service
        self.detail = detail


class MigrationBusy(StandaloneError):
    """A table stayed locked by the product for as long as the step tried."""

    reason = "migration_busy"

    def __init__(self, service: str, seconds: float) -> None:
        super().__init__(
            f"the migration of {service} did not get its locks within {seconds:g} s: "
            f"try again when less is going on"
        )
        self.service = service
        self.seconds = seconds


class TopologyRefused(StandaloneError):
    """The broker did not take a stream or consumer as declared."""

    reason = "topology_refused"

    def __init__(self, name: str, detail: str) -> None:
        super().__init__(f"the broker refused {name}: {detail}")
        self.name = name
        self.detail = detail
