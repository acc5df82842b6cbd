"""schedule and active_scheduler as processes, on real PostgreSQL and NATS servers."""

from collections.abc import AsyncIterator

import pytest

from services.standalone import home
from services.standalone.suite import Suite
from tests.student import Student
from tests.world import World, reached

NOWHERE = "127.0.0.1:1"
SERVICES = ("schedule", "active_scheduler")


@pytest.fixture(scope="session")
async def two_services() -> AsyncIterator[World]:
    """Both services, started once for all tests of this folder."""
    with home.temporary() as root:
        async with Suite(root, services=SERVICES) as suite, reached(suite) as found:
            yield found


@pytest.fixture
async def student(two_services: World) -> Student:
    """A new student with a semester in which it is early morning."""
    return await two_services.student()
