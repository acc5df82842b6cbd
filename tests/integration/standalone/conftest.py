"""Real servers in throw-away directories.

A data directory costs two seconds to make and a tenth to copy: it is made once and copied.
"""

import subprocess
from collections.abc import AsyncIterator, Iterator
from pathlib import Path

import pytest

from services.standalone import home
from services.standalone.suite import Suite
from tests.integration.standalone.parts import bare


def copy(source: Path, target: Path) -> None:
    """Copy a data directory, owners included."""
    subprocess.run(["cp", "-a", f"{source}/.", str(target)], check=True)


@pytest.fixture
def empty() -> Iterator[Path]:
    """A data directory in which nothing was ever started."""
    with home.temporary() as path:
        yield path


@pytest.fixture(scope="session")
async def used() -> AsyncIterator[Path]:
    """A data directory in which a suite was started and stopped; not to be changed."""
    with home.temporary() as path:
        async with bare(path):
            pass
        yield path


@pytest.fixture
def root(empty: Path, used: Path) -> Path:
    """A copy of the used data directory, for one test."""
    copy(used, empty)
    return empty


@pytest.fixture(scope="session")
async def servers(used: Path) -> AsyncIterator[Suite]:
    """Both servers, shared by the tests that change nothing which others look at."""
    with home.temporary() as path:
        copy(used, path)
        async with bare(path) as suite:
            yield suite
