"""Asked after every fault: is all that was confirmed there, once, and is nothing stuck?

One function over the databases of all services and the log of the Feishu stand-in. Each check is
a query that finds violations; `tests/e2e/test_audit.py` plants one for each and expects it found.

Source: spec quality.md, What must survive.
"""

from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import asyncpg

from libs.events.contract import contracts_in
from smartmate.events.v1 import events_pb2
from tests.waiting import until

SERVICES = ("schedule", "active_scheduler", "notification")


@dataclass(frozen=True, slots=True)
class Violation:
    """A rule that does not hold, and where."""

    rule: str
    found: str


@dataclass(frozen=True, slots=True)
class Rule:
    """A query over one service's database; every row that it gives is a violation."""

    service: str
    name: str
    query: str


RULES = (
    Rule(
        "schedule",
        "no two live blocks in one cell, guest in host aside",
        """
        SELECT a.user_id, a.id, b.id AS other FROM schedule_events a JOIN schedule_events b
            ON a.user_id = b.user_id AND a.id < b.id AND a.semester_id = b.semester_id
            AND a.week = b.week AND a.day_of_week = b.day_of_week
            AND a.first_section <= b.last_section AND b.first_section <= a.last_section
        WHERE a.live AND b.live AND a.host_event_id IS DISTINCT FROM b.id
            AND b.host_event_id IS DISTINCT FROM a.id
        """,
    ),
    Rule(
        "schedule",
        "the section rows of a block are its sections, and a removed one has none",
        """
        SELECT e.user_id, e.id FROM schedule_events e
        LEFT JOIN LATERAL (
            SELECT count(*) AS n, min(section) AS first, max(section) AS last FROM schedules s
            WHERE s.user_id = e.user_id AND s.event_id = e.id AND s.week = e.week
                AND s.day_of_week = e.day_of_week AND s.semester_id = e.semester_id
        ) rows ON true
        WHERE (e.live AND (rows.n <> e.last_section - e.first_section + 1
                OR rows.first <> e.first_section OR rows.last <> e.last_section))
            OR (NOT e.live AND EXISTS (SELECT 1 FROM schedules s
                WHERE s.user_id = e.user_id AND s.event_id = e.id))
        """,
    ),
    Rule(
        "schedule",
        "every guest has a live host that holds it",
        """
        SELECT g.user_id, g.id FROM schedule_events g LEFT JOIN schedule_events h
            ON h.user_id = g.user_id AND h.id = g.host_event_id AND h.live
            AND h.week = g.week AND h.day_of_week = g.day_of_week
            AND h.first_section <= g.first_section AND h.last_section >= g.last_section
        WHERE g.live AND g.host_event_id IS NOT NULL AND h.id IS NULL
        """,
    ),
    Rule(
        "schedule",
        "an applied verdict wrote its blocks, and no other verdict wrote them",
        """
        SELECT a.user_id, a.apply_id FROM applies a
        WHERE a.state = 'applied' AND (cardinality(a.event_ids) = 0
            OR cardinality(a.event_ids) <> (SELECT count(*) FROM schedule_events e
                WHERE e.user_id = a.user_id AND e.id = ANY (a.event_ids))
            OR EXISTS (SELECT FROM jsonb_array_elements(a.effects) f
                LEFT JOIN schedule_events e ON e.user_id = a.user_id
                    AND e.id = (f ->> 'event_id')::bigint AND e.apply_id = a.apply_id
                WHERE a.undoes IS NULL AND f ->> 'before' IS NULL AND e.id IS NULL))
        """,
    ),
    Rule(
        "schedule",
        "every block of an apply belongs to its one applied verdict",
        """
        SELECT e.user_id, e.id FROM schedule_events e LEFT JOIN applies a
            ON a.user_id = e.user_id AND a.apply_id = e.apply_id AND a.state = 'applied'
            AND e.id = ANY (a.event_ids)
        WHERE e.apply_id IS NOT NULL AND a.apply_id IS NULL
        """,
    ),
    Rule(
        "active_scheduler",
        "no preview is stuck in applying",
        "SELECT id FROM active_schedule_previews WHERE state = 'applying'",
    ),
    Rule(
        "active_scheduler",
        "no apply waits for a verdict",
        "SELECT apply_id FROM apply_requests WHERE state = 'applying'",
    ),
    Rule(
        "active_scheduler",
        "no trigger is pending or stuck in processing",
        "SELECT id, state FROM active_schedule_triggers WHERE state IN ('pending', 'processing')",
    ),
    Rule(
        "active_scheduler",
        "no due job is left lying",
        """
        SELECT user_id, task_id, reason FROM active_schedule_jobs
        WHERE state = 'pending' AND due_at < clock_timestamp() - interval '5 seconds'
        """,
    ),
    Rule(
        "active_scheduler",
        "a preview says what its apply says",
        """
        SELECT p.id, p.state, a.state AS apply FROM active_schedule_previews p
        FULL JOIN apply_requests a ON a.apply_id = p.apply_id
        WHERE (p.state = 'applied' AND (a.state IS DISTINCT FROM 'applied'
                OR a.event_ids <> p.applied_event_ids))
            OR (a.state = 'applied' AND p.state IS DISTINCT FROM 'applied')
        """,
    ),
    Rule(
        "active_scheduler",
        "at most one preview of a target is open, mock ones aside",
        """
        SELECT user_id, target_id, count(*) FROM active_schedule_previews
        WHERE state = 'ready' AND expires_at > clock_timestamp() AND NOT is_mock
            AND target_id IS NOT NULL
        GROUP BY user_id, target_kind, target_id HAVING count(*) > 1
        """,
    ),
    Rule(
        "active_scheduler",
        "a trigger with a preview has that preview, and no other has one",
        """
        SELECT t.id, t.state FROM active_schedule_triggers t
        LEFT JOIN active_schedule_previews p ON p.trigger_id = t.id
        WHERE (t.state = 'preview_generated') IS DISTINCT FROM (p.id IS NOT NULL)
            OR p.id IS DISTINCT FROM t.preview_id
        """,
    ),
    Rule(
        "notification",
        "no message is left lying",
        """
        SELECT id, state FROM notification_records
        WHERE state IN ('pending', 'sending')
            AND due_at < clock_timestamp() - interval '5 seconds'
        """,
    ),
    Rule(
        "notification",
        "what waits in a batch waits for one that is to come",
        """
        SELECT m.id, m.batch_id FROM notification_records m LEFT JOIN notification_records b
            ON b.user_id = m.user_id AND b.notification_id = m.batch_id
            AND b.channel_id = m.channel_id AND b.settled_at IS NULL
        WHERE m.state = 'pending' AND m.batch_id IS NOT NULL AND b.id IS NULL
        """,
    ),
)

_OUTBOX = "SELECT id, subject, user_id, published_at FROM outbox"
_INBOX = "SELECT consumer, event_id FROM inbox"
_PARKED = "SELECT consumer, event_id FROM dead_letters"


async def violations_in(service: str, connection: asyncpg.Connection) -> list[Violation]:
    """What is wrong inside one service's database."""
    found = []
    for rule in RULES:
        if rule.service == service:
            rows = await connection.fetch(rule.query)
            found += [Violation(rule.name, str(dict(row))) for row in rows]
    return found


async def lost_events(connections: Mapping[str, asyncpg.Connection]) -> list[Violation]:
    """Events that are not published, or neither consumed nor parked by one that hears them."""
    contracts = {c.subject: c for c in contracts_in(events_pb2.DESCRIPTOR)}
    settled: set[tuple[str, str]] = set()
    for connection in connections.values():
        for query in (_INBOX, _PARKED):
            rows = await connection.fetch(query)
            settled |= {(row["consumer"], str(row["event_id"])) for row in rows}
    found = []
    for service, connection in connections.items():
        for row in await connection.fetch(_OUTBOX):
            if row["published_at"] is None:
                found.append(Violation("every event is published", f"{service} {row['subject']}"))
            event = contracts[row["subject"]]
            for hearer in event.heard_by:
                if hearer in connections and (event.durable(hearer), str(row["id"])) not in settled:
                    found.append(
                        Violation(
                            "every event is consumed or parked",
                            f"{event.durable(hearer)} {row['id']}",
                        )
                    )
    return found


async def differing_verdicts(connections: Mapping[str, asyncpg.Connection]) -> list[Violation]:
    """Confirmed changes that are lost, or told otherwise than they are."""
    judged = {
        (row["user_id"], row["apply_id"]): (row["state"], sorted(row["event_ids"]))
        for row in await connections["schedule"].fetch(
            "SELECT user_id, apply_id, state, event_ids FROM applies"
        )
    }
    asked = {
        (row["user_id"], row["apply_id"]): (row["state"], sorted(row["event_ids"]))
        for row in await connections["active_scheduler"].fetch(
            "SELECT user_id, apply_id, state, event_ids FROM apply_requests"
        )
    }
    rule = "what was confirmed is what the schedule says"
    return [
        Violation(rule, f"{key}: asked {state}, judged {judged.get(key)}")
        for key, state in asked.items()
        if judged.get(key) != state
    ]


async def untold_previews(connections: Mapping[str, asyncpg.Connection]) -> list[Violation]:
    """Previews whose person was never told, with or without success."""
    records = await connections["notification"].fetch(
        "SELECT DISTINCT notification_id FROM notification_records"
    )
    told = {row["notification_id"] for row in records}
    previews = await connections["active_scheduler"].fetch(
        "SELECT id FROM active_schedule_previews"
    )
    rule = "every preview led to a notification record"
    return [Violation(rule, row["id"]) for row in previews if row["id"] not in told]


def doubled_messages(accepted: Sequence[Mapping[str, Any]], *, unknown: int) -> list[Violation]:
    """Messages that the stand-in accepted more than once, beyond the repeats of unknown ones."""
    links = Counter(link["url"] for message in accepted for link in message["links"])
    doubles = {link: count for link, count in links.items() if count > 1}
    if len(doubles) <= unknown and all(count == 2 for count in doubles.values()):
        return []
    return [Violation("no message came twice", f"{link} ×{n}") for link, n in doubles.items()]


async def violations(dsns: Mapping[str, str]) -> list[Violation]:
    """Everything that is wrong now, over the databases of all services."""
    connections = {service: await asyncpg.connect(dsns[service]) for service in SERVICES}
    try:
        found = []
        for service, connection in connections.items():
            found += await violations_in(service, connection)
        found += await lost_events(connections)
        found += await differing_verdicts(connections)
        found += await untold_previews(connections)
        return found
    finally:
        for connection in connections.values():
            await connection.close()


async def clean(dsns: Mapping[str, str], *, within: float = 90.0) -> None:
    """Returns once nothing is wrong any more; fails with what is still wrong after `within` s."""
    found: list[Violation] = []

    async def nothing_wrong() -> bool:
        found[:] = await violations(dsns)
        return not found

    try:
        await until(nothing_wrong, within=within, what="a clean audit")
    except AssertionError as error:
        raise AssertionError("\n".join(f"{one.rule}: {one.found}" for one in found)) from error
