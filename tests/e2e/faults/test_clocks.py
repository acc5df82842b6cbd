"""Every caller 90 seconds apart from whoever it calls."""

from collections.abc import Mapping
from datetime import timedelta

import pytest

from services.standalone import home, settings
from services.standalone.suite import Suite
from smartmate.active_scheduler.v1 import preview_pb2
from tests import audit
from tests.shortened import SHORTENED
from tests.world import World, reached

SERVICES = ("schedule", "active_scheduler", "notification")
AHEAD: Mapping[str, str] = {"schedule": "90", "active_scheduler": "0", "notification": "-90"}
BEHIND: Mapping[str, str] = {"schedule": "0", "active_scheduler": "90", "notification": "0"}


def overrides(offsets: Mapping[str, str]) -> dict[str, Mapping[str, str]]:
    """Each service's clock, which development alone may shift."""
    shifted: dict[str, Mapping[str, str]] = {
        service: {
            **SHORTENED.get(service, {}),
            "SMARTMATE_CLOCK_OFFSET_SECONDS": offset,
            "SMARTMATE_DEVELOPMENT": "true",
        }
        for service, offset in offsets.items()
    }
    return {"*": SHORTENED["*"], **shifted}


@pytest.fixture
async def world() -> None:
    """Its own suite for each test: clocks are shifted when a process starts."""


@pytest.fixture
async def audited() -> None:
    """Each test audits its own suite."""


@pytest.fixture
async def mended() -> None:
    """Nothing is broken here."""


@pytest.mark.parametrize("offsets", [AHEAD, BEHIND], ids=["ahead", "behind"])
async def test_the_thread_runs_with_clocks_that_are_apart(offsets: Mapping[str, str]) -> None:
    """Expiry, leases and windows go by a database; tokens and signatures have their leeway."""
    with home.temporary() as path:
        suite = Suite(
            path,
            services=SERVICES,
            feishu_standin=True,
            overrides=overrides(offsets),
            configuration=settings.read({"SMARTMATE_HOME": str(path)}),
        )
        async with suite, reached(suite) as world:
            await story(world)


async def story(world: World) -> None:
    """From an urgent task to the applied change, by every call and event that there is."""
    student = await world.student()
    await student.put_bot(world.hook(student), world.suite.feishu_secret)
    await student.create_task(urgent_in=timedelta(seconds=1))
    preview = await student.first_preview()
    (message,) = await world.messages(student, count=1)

    await student.confirm(preview)

    applied = await student.settled(preview.preview_id)
    assert applied.state == preview_pb2.PREVIEW_STATE_APPLIED
    assert message["verdict"] == "accepted"
    assert preview.summary.zh_cn in str(message)
    assert len(await student.task_blocks()) == 1
    await audit.clean(world.dsns())
