"""`python -m services.schedule undo`: an operator takes an apply back, beside the service."""

import argparse
import json

import pytest

from libs.process import commands
from services.schedule.__main__ import UNDO
from services.schedule.settings import ScheduleSettings
from services.standalone.suite import Suite
from tests.integration.schedule.people import Person, applied
from tests.integration.schedule.plans import EVENT, change, places, standing


@pytest.fixture
def settings(servers: Suite) -> ScheduleSettings:
    """Those of the running service."""
    return ScheduleSettings.model_construct(
        database_url=servers.database_url("schedule"), lock_timeout_ms=5000
    )


def _given(*words: str) -> argparse.Namespace:
    parser = argparse.ArgumentParser()
    UNDO.arguments(parser)
    return parser.parse_args(words)


async def test_the_latest_apply_is_taken_back_and_told_in_one_line(
    student: Person, settings: ScheduleSettings, capsys: pytest.CaptureFixture[str]
) -> None:
    task = await student.add_task()
    placed = await student.apply(student.add(task, student.place(5, 6, days=1)))
    before = places(await standing(student))
    moved = await student.apply(
        change("move", EVENT, placed.event_ids[0], student.place(9, 10, days=1))
    )
    assert applied(moved)
    assert await UNDO.run(settings, _given("--user", str(student.id)))
    told = json.loads(capsys.readouterr().out)
    assert (told["undoes"], told["applied"]) == (moved.apply_id, True)
    assert told["event_ids"] == list(placed.event_ids)
    assert places(await standing(student)) == before


async def test_the_same_attempt_says_the_same_and_a_refusal_is_no_success(
    student: Person, settings: ScheduleSettings, capsys: pytest.CaptureFixture[str]
) -> None:
    task = await student.add_task()
    placed = await student.apply(student.add(task, student.place(5, 6, days=1)))
    await student.apply(change("move", EVENT, placed.event_ids[0], student.place(9, 10, days=1)))
    named = _given(
        "--user", str(student.id), "--apply", placed.apply_id, "--attempt", "asa_operator"
    )
    for _ in range(2):
        assert not await UNDO.run(settings, named)
    one, other = capsys.readouterr().out.splitlines()
    assert one == other
    assert json.loads(one)["kept"] == [{"event_id": placed.event_ids[0], "reason": "changed_since"}]


async def test_where_there_is_nothing_to_take_back_the_reason_is_said(
    student: Person, settings: ScheduleSettings
) -> None:
    with pytest.raises(commands.NotDone, match="apply_not_found"):
        await UNDO.run(settings, _given("--user", str(student.id)))
