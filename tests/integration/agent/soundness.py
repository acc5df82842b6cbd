"""Asked when the tests are over: is what the agent stored of its runs sound?

Each check is a query whose every row is a violation; `test_agent_soundness.py` plants one for each.
"""

from collections.abc import Mapping

from sqlalchemy import text

from libs.db.database import Database

RULES: Mapping[str, str] = {
    "events of a run are numbered from 1 without a gap": """
        SELECT r.user_id, r.id FROM runs r
        LEFT JOIN LATERAL (
            SELECT count(*) AS many, coalesce(max(sequence), 0) AS last FROM stream_events e
            WHERE e.user_id = r.user_id AND e.run_id = r.id
        ) told ON true
        WHERE told.many <> r.sequence OR told.last <> r.sequence
    """,
    "a conversation has at most one run that has not ended": """
        SELECT user_id, conversation_id FROM runs WHERE ended_at IS NULL
        GROUP BY user_id, conversation_id HAVING count(*) > 1
    """,
    "nobody drives a run that waits or has ended": """
        SELECT user_id, id FROM runs
        WHERE lease_until > clock_timestamp() AND (wait <> 'nothing' OR ended_at IS NOT NULL)
    """,
    "a run is what its columns say": """
        SELECT user_id, id FROM runs
        WHERE phase <> state ->> 'phase' OR wait <> state ->> 'wait'
            OR outcome <> coalesce(state -> 'outcome' ->> 'kind', '')
            OR (outcome <> '') <> (phase = 'done')
    """,
    "what was written was accepted by the request that names the apply": """
        SELECT r.user_id, r.id FROM runs r
        LEFT JOIN confirm_requests c ON c.user_id = r.user_id AND c.run_id = r.id
            AND c.apply_id = r.state -> 'outcome' ->> 'apply_id'
        WHERE r.state -> 'outcome' ->> 'code' = 'written'
            AND (c.accepted IS DISTINCT FROM true OR c.kind <> 'changes')
    """,
    "nothing is open to confirm where a run has ended": """
        SELECT r.user_id, r.id FROM runs r
        JOIN confirm_requests c ON c.user_id = r.user_id AND c.run_id = r.id
        WHERE r.ended_at IS NOT NULL AND c.accepted IS NULL
    """,
    "what is open to confirm is what the run waits for": """
        SELECT r.user_id, r.id FROM runs r
        LEFT JOIN confirm_requests c ON c.user_id = r.user_id AND c.run_id = r.id
            AND c.accepted IS NULL
        WHERE (r.wait = 'confirm') <> (c.number IS NOT NULL)
            OR (r.wait = 'confirm' AND c.number <> (r.state -> 'confirm' ->> 'number')::int)
    """,
}


async def violations(db: Database) -> list[str]:
    """A line for each thing that is not as it has to be."""
    found = []
    for rule, query in RULES.items():
        async with db.transaction() as tx:
            rows = await tx.all(text(query))
        found += [f"{rule}: {dict(row.items())}" for row in rows]
    return found
