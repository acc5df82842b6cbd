"""The embedded PostgreSQL: initialised once, started on loopback, never left behind."""

import os
import shutil
import signal
from pathlib import Path

from services.standalone import binaries, errors, files, leftovers, processes, spawn
from services.standalone.home import Account, Home, unprivileged_account
from services.standalone.ports import LOOPBACK, Ports, is_free

NAME = "postgres"
ADMIN = "smartmate"
FAST_STOP = signal.SIGINT
"""Disconnects clients, writes a checkpoint, ends: never SIGKILL while it can be helped."""
ATTEMPTS = 5
READY_WITHIN = 60.0
"""Seconds; recovery after a power cut is part of it."""

SETTINGS = {
    "max_connections": "200",
    "unix_socket_directories": "",
    "shared_buffers": "64MB",
    "timezone": "UTC",
    "log_timezone": "UTC",
    "log_line_prefix": "%m [%p] %u@%d ",
    # Statements and key values hold what users wrote: they stay out of the log.
    "log_min_error_statement": "panic",
    "log_error_verbosity": "terse",
    # One student's queries are short; helpers would only cost idle memory.
    "jit": "off",
    "io_method": "sync",
    "autovacuum_max_workers": "2",
    "max_logical_replication_workers": "0",
}


class EmbeddedPostgres:
    """One cluster in one data directory."""

    def __init__(self, home: Home, ports: Ports, *, password: str) -> None:
        self._home = home
        self._ports = ports
        self._password = password
        self._account: Account | None = unprivileged_account()
        self._bin = binaries.postgres(home, self._account)
        self._port = 0
        self._child: processes.Child | None = None

    @property
    def dsn(self) -> str:
        """Address of the superuser, for asyncpg."""
        return dsn(self._password, self._port)

    async def start(self, *, durable: bool, children: list[processes.Child]) -> None:
        """Initialise if need be, start, return when connections are accepted.

        The process is added to `children` before it is started.
        """
        data = self._home.postgres_data
        if not is_cluster(data):
            await self._initialise(data, durable=durable)
        check_version(data, needed=binaries.postgres_major(self._bin))
        await stop_stale_postmaster(data)
        self._port = self._ports.claim(NAME)
        child = self._child = processes.Child(
            self._program(), probe=self._accepts, records=self._home.records
        )
        children.append(child)
        for attempt in range(1, ATTEMPTS + 1):
            child.program = self._program()
            child.start()
            try:
                return await child.ready(within=READY_WITHIN, deaths=1)
            except errors.ChildFailed:
                await child.stop()
                # Somebody took the port between the test and the start.
                if is_free(self._port) or attempt == ATTEMPTS:
                    raise
                self._port = self._ports.renew(NAME)

    def _program(self) -> spawn.Program:
        settings = [part for name, value in SETTINGS.items() for part in ("-c", f"{name}={value}")]
        data = str(self._home.postgres_data)
        where = ("-D", data, "-h", LOOPBACK, "-p", str(self._port))
        return self._run(NAME, str(self._bin / "postgres"), *where, *settings)

    def _run(self, name: str, *command: str) -> spawn.Program:
        return spawn.Program(
            name=name,
            command=command,
            environment={"PATH": os.defpath, "LC_ALL": "C", "TZ": "UTC"},
            log=self._home.log(NAME),
            directory=Path("/"),
            account=self._account,
            stop_signal=FAST_STOP,
            stop_within=60.0,
        )

    async def _accepts(self) -> bool:
        """Tell whether the postmaster that runs now has written that it is ready."""
        lines = _postmaster_file(self._home.postgres_data)
        if len(lines) < 8 or self._child is None or lines[0] != str(self._child.pid):
            return False
        return lines[7].strip() == "ready"

    async def _initialise(self, data: Path, *, durable: bool) -> None:
        """Make a new cluster beside the final place and move it there when it is whole."""
        new = data.with_name(data.name + ".new")
        password = self._home.root / "pg.password"
        shutil.rmtree(new, ignore_errors=True)
        new.mkdir(mode=0o700)
        files.write_private(password, self._password + "\n")
        if self._account:
            os.chown(new, self._account.uid, self._account.gid)
            os.chown(password, self._account.uid, self._account.gid)
        command = [
            str(self._bin / "initdb"),
            *("-D", str(new), "-U", ADMIN, f"--pwfile={password}", "--auth=scram-sha-256"),
            *("-E", "UTF8", "--locale-provider=builtin", "--locale=C.UTF-8"),
            *([] if durable else ["--no-sync"]),
        ]
        try:
            code = await processes.run_to_end(self._run("initdb", *command))
        finally:
            password.unlink()
        if code != 0:
            raise errors.ChildFailed("initdb", code, files.tail(self._home.log(NAME)))
        new.rename(data)


def dsn(password: str, port: int) -> str:
    """Return the superuser's address on an embedded server, for asyncpg."""
    return f"postgresql://{ADMIN}:{password}@{LOOPBACK}:{port}/postgres"


def is_cluster(data: Path) -> bool:
    """Tell whether the directory holds a whole cluster; refuses one that holds something else."""
    if (data / "PG_VERSION").is_file():
        return True
    if data.is_dir() and any(data.iterdir()):
        raise errors.DataUnrecognised(data)
    return False


def check_version(data: Path, *, needed: str) -> None:
    """Refuse files that another major version wrote."""
    found = (data / "PG_VERSION").read_text().strip()
    if found != needed:
        raise errors.DataOfOtherVersion(found, needed)


async def stop_stale_postmaster(data: Path) -> None:
    """End a postmaster that still runs on these very files, by its command line and no other way.

    A file that names a process of somebody else (ids are reused after a reboot) is removed, as
    the server would take that process for its predecessor.
    """
    lines = _postmaster_file(data)
    if not lines or not lines[0].isdigit():
        return
    pid = int(lines[0])
    arguments = leftovers.command_line(pid)
    if serves(arguments, data):
        await leftovers.end_one(
            leftovers.Leftover(name=NAME, pid=pid, stop_signal=FAST_STOP, stop_within=60.0)
        )
    elif arguments:
        (data / "postmaster.pid").unlink(missing_ok=True)


def serves(arguments: tuple[str, ...], data: Path) -> bool:
    """Tell whether this is the command line of a postmaster on this data directory."""
    if not arguments or Path(arguments[0]).name != "postgres" or "-D" not in arguments[:-1]:
        return False
    return Path(arguments[arguments.index("-D") + 1]) == data


def _postmaster_file(data: Path) -> tuple[str, ...]:
    try:
        return tuple((data / "postmaster.pid").read_text().splitlines())
    except FileNotFoundError:
        return ()
