"""Each check of soundness notices what it is for."""

from collections.abc import Mapping

import pytest
from sqlalchemy import text as sql

from libs.db.database import Database
from tests.integration.agent import soundness
from tests.integration.agent.conftest import Open

PLANTED: Mapping[str, str] = {
    "events of a run are numbered from 1 without a gap": """
        DELETE FROM stream_events WHERE user_id = :user AND sequence = 2
    """,
    "a conversation has at most one run that has not ended": """
        INSERT INTO runs (user_id, id, conversation_id, phase, wait, state)
        SELECT user_id, id || 'x', conversation_id, phase, 'nothing', state FROM runs
        WHERE user_id = :user
    """,
    "nobody drives a run that waits or has ended": """
        UPDATE runs SET lease_until = clock_timestamp() + interval '1 hour' WHERE user_id = :user
    """,
    "a run is what its columns say": """
        UPDATE runs SET phase = 'plan' WHERE user_id = :user
    """,
    "what was written was accepted by the request that names the apply": """
        UPDATE runs SET state = jsonb_set(state, '{outcome}', '{"code": "written"}')
        WHERE user_id = :user
    """,
    "nothing is open to confirm where a run has ended": """
        UPDATE runs SET ended_at = clock_timestamp(), outcome = 'aborted' WHERE user_id = :user
    """,
    "what is open to confirm is what the run waits for": """
        UPDATE runs SET wait = 'nothing' WHERE user_id = :user
    """,
}


class Undo(Exception):
    """Takes back what was planted."""


async def _found(db: Database, rule: str, user_id: int) -> tuple[bool, bool]:
    """Whether the check finds the student before and after the planting, which is taken back."""
    query = sql(soundness.RULES[rule])
    found: list[bool] = []
    try:
        async with db.transaction() as tx:
            found.append(user_id in {row.user_id for row in await tx.all(query)})
            await tx.execute(sql(PLANTED[rule]), user=user_id)
            found.append(user_id in {row.user_id for row in await tx.all(query)})
            raise Undo
    except Undo:
        before, after = found
    return before, after


@pytest.mark.parametrize("rule", soundness.RULES)
async def test_a_planted_violation_is_found(rule: str, open_town: Open, db: Database) -> None:
    async with open_town() as town:
        student = town.student()
        await student.begin_semester()
        await student.add_class("线代复习", 2)
        heard = await student.says("把线代复习排进去")
        assert heard.confirm.number == 1

    assert await _found(db, rule, student.id) == (False, True)
