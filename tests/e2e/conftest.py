"""The whole suite as processes: two replicas of active_scheduler, one of everything else.

Where `make compose-test` names containers, the suite that runs in those (tests/containers).
"""

import os
from collections.abc import AsyncIterator, Iterator
from pathlib import Path

import pytest

from services.standalone import home, settings
from services.standalone.suite import Suite
from tests import audit
from tests.containers.suite import given
from tests.student import Student
from tests.world import World, reached

REPLICAS = {"active_scheduler": 2}

# What the specification gives as defaults is shortened where a test would have to wait for it.
SHORTENED = {
    "active_scheduler": {
        "SMARTMATE_TRIGGER_LEASE_SECONDS": "3",
        "SMARTMATE_SCAN_SECONDS": "0.2",
        "SMARTMATE_SWEEP_SECONDS": "0.3",
        "SMARTMATE_SWEEP_FIRST_SECONDS": "1",
    },
    "notification": {"SMARTMATE_BATCH_WINDOW_SECONDS": "0.5"},
    "gateway": {
        "SMARTMATE_DEVELOPMENT": "true",
        # Every student of these tests comes from one address.
        "SMARTMATE_SIGN_IN_BURST": "1000",
        "SMARTMATE_ASK_BURST": "1000",
        "SMARTMATE_ADDRESS_RATE": "10000",
        "SMARTMATE_USER_RATE": "10000",
    },
    "agent": {"SMARTMATE_LLM_MODEL": ""},
}


def suite_in(path: Path) -> Suite:
    """The suite that the tests are about, not yet started."""
    return given(os.environ, path) or Suite(
        path,
        replicas=REPLICAS,
        feishu_standin=True,
        overrides=SHORTENED,
        configuration=settings.read({"SMARTMATE_HOME": str(path)}),
    )


@pytest.fixture(scope="session")
async def world() -> AsyncIterator[World]:
    """The suite, started once for all tests of this folder."""
    with home.temporary() as path:
        async with suite_in(path) as suite, reached(suite) as found:
            yield found


@pytest.fixture
async def student(world: World) -> Student:
    """A new student with a semester in which it is early morning."""
    return await world.student()


@pytest.fixture(autouse=True)
async def audited(world: World) -> AsyncIterator[None]:
    """Every test of the flow ends with an audit over everything that there is."""
    yield
    await audit.clean(world.dsns())


@pytest.hookimpl(wrapper=True)
def pytest_runtest_makereport(
    item: pytest.Item, call: pytest.CallInfo[None]
) -> Iterator[pytest.TestReport]:
    """Adds what the services logged as errors to the report of a failed test."""
    report: pytest.TestReport = yield  # type: ignore[misc]
    funcargs = getattr(item, "funcargs", {})
    if report.failed and "world" in funcargs:
        report.sections.append(("errors of the services", funcargs["world"].logged_errors()))
    return report  # type: ignore[return-value]
