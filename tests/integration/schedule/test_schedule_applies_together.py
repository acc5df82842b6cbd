"""Applies of many users that come at once share a transaction, and nothing else."""

import asyncio
import secrets
from collections.abc import Sequence

import pytest
from sqlalchemy import text

from libs.telemetry import traces
from services.schedule.domain.errors import ApplyIdReused
from services.schedule.domain.verdict import Ask, Verdict
from services.schedule.handlers.gathering import MOST, OPEN, Gathering
from services.schedule.wire.changes import read_ask
from smartmate.events.v1 import events_pb2
from smartmate.schedule.v1 import change_pb2
from smartmate.schedule.v1 import schedule_service_pb2 as pb
from tests.integration.schedule.people import Backend, Person, course, fresh

_LOCK = text("SELECT id FROM users WHERE id = :id FOR UPDATE")
_VERDICT = text("""
    INSERT INTO applies (user_id, apply_id, hash, state, event_ids, refusals, judged_at)
    VALUES (:id, :apply_id, '', 'refused', '{}', '[]', now())
""")
_NO_VERDICT = text("DELETE FROM applies WHERE user_id = :id")
_TRANSACTIONS = """
    SELECT count(DISTINCT xmin::text) AS count FROM applies WHERE user_id = ANY(:ids)
"""


def asks_for(person: Person, *changes: change_pb2.ScheduleChange, apply_id: str = "") -> Ask:
    request = pb.ApplyChangesRequest(apply_id=apply_id or fresh("asa_"), changes=changes)
    return read_ask(person.id, request)


@pytest.fixture
def gathering(backend: Backend) -> Gathering:
    return Gathering(backend.db, backend.outlet)


@pytest.fixture
async def crowd(backend: Backend) -> Sequence[Person]:
    people = [backend.someone() for _ in range(6)]
    for person in people:
        await person.begin_semester()
    return people


async def placing(person: Person, section: int = 9) -> Ask:
    """An apply that puts a new task into the sections of today from this one."""
    return asks_for(person, person.add(await person.add_task(), person.place(section)))


async def transactions(people: Sequence[Person]) -> int:
    rows = await people[0].backend.rows(_TRANSACTIONS, ids=[person.id for person in people])
    return int(rows[0]["count"])


async def test_applies_of_many_users_are_written_by_one_transaction(
    gathering: Gathering, crowd: Sequence[Person]
) -> None:
    asks = [await placing(person) for person in crowd]
    verdicts = await asyncio.gather(*(gathering.apply(ask) for ask in asks))
    assert all(verdict.applied for verdict in verdicts)
    assert await transactions(crowd) == 1
    for person, ask, verdict in zip(crowd, asks, verdicts, strict=True):
        (told,) = await person.told_of(events_pb2.ScheduleApplySucceeded)
        assert (told.apply_id, tuple(told.event_ids)) == (ask.apply_id, verdict.event_ids)
        (block,) = (await person.week_of(person.week)).events
        assert (block.event_id,) == verdict.event_ids


async def test_a_refusal_among_them_is_its_own(
    gathering: Gathering, crowd: Sequence[Person]
) -> None:
    unlucky, *others = crowd
    await unlucky.import_rows(course("体育", unlucky.today.isoweekday(), "9-10", "1-16周"))
    asks = [await placing(person) for person in crowd]
    verdicts = await asyncio.gather(*(gathering.apply(ask) for ask in asks))
    assert [verdict.applied for verdict in verdicts] == [False, *(True for _ in others)]
    assert [refusal.code for refusal in verdicts[0].refusals] == ["slot_conflict"]
    assert await transactions(crowd) == 1


async def test_an_attempt_that_is_known_gets_its_verdict_again(
    gathering: Gathering, crowd: Sequence[Person]
) -> None:
    again, reused, *others = crowd
    first, second = await placing(again), await placing(reused)
    stored = [await gathering.apply(first), await gathering.apply(second)]
    task = await reused.add_task()
    other = asks_for(reused, reused.add(task, reused.place(11)), apply_id=second.apply_id)
    fresh_asks = [await placing(person) for person in others]
    found = await asyncio.gather(
        *(gathering.apply(ask) for ask in (first, other, *fresh_asks)), return_exceptions=True
    )
    assert found[0] == stored[0]
    assert isinstance(found[1], ApplyIdReused)
    assert all(isinstance(one, Verdict) and one.applied for one in found[2:])
    assert len(await again.told_of(events_pb2.ScheduleApplySucceeded)) == 1


async def test_nobody_waits_for_a_user_whom_another_writer_holds(
    gathering: Gathering, crowd: Sequence[Person]
) -> None:
    held, *others = crowd
    asks = [await placing(person) for person in crowd]
    async with held.backend.db.transaction() as tx:
        await tx.execute(_LOCK, id=held.id)
        waiting = asyncio.ensure_future(gathering.apply(asks[0]))
        verdicts = await asyncio.gather(*(gathering.apply(ask) for ask in asks[1:]))
        assert all(verdict.applied for verdict in verdicts)
        # More of them than may be open come and go meanwhile.
        for _ in range(OPEN + 1):
            later = [await placing(others[0], section=3), await placing(others[1], section=3)]
            await asyncio.gather(*(gathering.apply(ask) for ask in later))
        assert not waiting.done()
    assert (await waiting).applied


async def test_a_transaction_that_lasts_holds_the_next_back_for_a_moment_only(
    gathering: Gathering, crowd: Sequence[Person]
) -> None:
    slow, *others = crowd
    asks = [await placing(person) for person in crowd]
    async with slow.backend.db.transaction() as tx:
        # A verdict under this id is about to be committed, as far as the database knows.
        await tx.execute(_VERDICT, id=slow.id, apply_id=asks[0].apply_id)
        waiting = asyncio.ensure_future(gathering.apply(asks[0]))
        for person, ask in zip(others, asks[1:], strict=True):
            assert (await gathering.apply(ask)).applied, person
        assert not waiting.done()
        await tx.execute(_NO_VERDICT, id=slow.id)
    assert (await waiting).applied


async def test_a_cell_that_the_guard_denies_is_lost_by_one_alone(
    gathering: Gathering, crowd: Sequence[Person]
) -> None:
    """The unique index knows of a cell that no live block explains."""
    unlucky, *others = crowd
    asks = [await placing(person) for person in crowd]
    place = unlucky.place(9)
    named = {
        "id": unlucky.id,
        "semester": place.semester_id,
        "week": place.week,
        "day": place.day_of_week,
    }
    await unlucky.backend.execute(
        """
        INSERT INTO schedule_events (user_id, id, semester_id, week, day_of_week, first_section,
            last_section, start_time, end_time, type, name, version, placement_version, live,
            removed_at)
        VALUES (:id, 1, :semester, :week, :day, 9, 9, now(), now() + interval '1 hour', 'task',
            '没有了', 1, 1, false, now())
        """,
        **named,
    )
    await unlucky.backend.execute(
        "INSERT INTO schedules VALUES (:id, :semester, :week, :day, 9, 1, NULL)", **named
    )
    verdicts = await asyncio.gather(*(gathering.apply(ask) for ask in asks))
    await unlucky.backend.execute("DELETE FROM schedules WHERE user_id = :id", id=unlucky.id)
    assert [verdict.applied for verdict in verdicts] == [False, *(True for _ in others)]
    assert [refusal.detail for refusal in verdicts[0].refusals] == ["guard"]
    for person in crowd:
        told = await person.told()
        ends = (events_pb2.ScheduleApplySucceeded, events_pb2.ScheduleApplyFailed)
        assert sum(isinstance(one, ends) for one in told) == 1


async def test_a_caller_who_goes_away_takes_nobody_along(
    gathering: Gathering, crowd: Sequence[Person]
) -> None:
    asks = [await placing(person) for person in crowd]
    calls = [asyncio.ensure_future(gathering.apply(ask)) for ask in asks]
    await asyncio.sleep(0)
    calls[0].cancel()
    found = await asyncio.gather(*calls, return_exceptions=True)
    assert isinstance(found[0], asyncio.CancelledError)
    assert all(isinstance(one, Verdict) and one.applied for one in found[1:])
    # Who comes back is answered like anybody.
    assert (await gathering.apply(asks[0])).applied
    assert len(await crowd[0].told_of(events_pb2.ScheduleApplySucceeded)) == 1


async def test_two_applies_of_one_user_are_judged_one_after_the_other(
    gathering: Gathering, crowd: Sequence[Person]
) -> None:
    one = crowd[0]
    asks = [await placing(one), await placing(one), *[await placing(other) for other in crowd[1:]]]
    verdicts = await asyncio.gather(*(gathering.apply(ask) for ask in asks))
    assert [verdict.applied for verdict in verdicts[:2]] == [True, False]
    assert all(verdict.applied for verdict in verdicts[2:])


async def test_somebody_whom_nobody_knows_is_judged_with_the_others(
    backend: Backend, gathering: Gathering, crowd: Sequence[Person]
) -> None:
    stranger = backend.someone()
    lost = asks_for(stranger, stranger.add(7, crowd[0].place(9)))
    verdicts = await asyncio.gather(
        gathering.apply(lost), *[gathering.apply(await placing(person)) for person in crowd]
    )
    assert [refusal.code for refusal in verdicts[0].refusals] == ["target_not_found"]
    assert all(verdict.applied for verdict in verdicts[1:])


async def test_more_than_a_transaction_holds_are_answered_all_the_same(
    gathering: Gathering, crowd: Sequence[Person]
) -> None:
    tasks = [[await person.add_task() for _ in range(MOST // 4)] for person in crowd]
    asks = [
        asks_for(person, person.add(task, person.place(9, days=day)))
        for person, own in zip(crowd, tasks, strict=True)
        for day, task in enumerate(own)
    ]
    verdicts = await asyncio.gather(*(gathering.apply(ask) for ask in asks))
    assert len(asks) > MOST
    assert all(verdict.applied for verdict in verdicts)


async def test_events_carry_the_trace_of_their_own_call(
    gathering: Gathering, crowd: Sequence[Person]
) -> None:
    asks = [await placing(person) for person in crowd]

    trace_ids = [secrets.token_hex(16) for _ in asks]

    async def traced(ask: Ask, trace_id: str) -> None:
        carrier = {traces.TRACEPARENT: f"00-{trace_id}-{secrets.token_hex(8)}-01"}
        with traces.span("serve", carrier=carrier):
            await gathering.apply(ask)

    await asyncio.gather(*(traced(*one) for one in zip(asks, trace_ids, strict=True)))
    for person, trace_id in zip(crowd, trace_ids, strict=True):
        rows = await person.backend.rows(
            """
            SELECT headers FROM outbox WHERE user_id = :id AND subject LIKE '%apply.succeeded%'
            """,
            id=person.id,
        )
        assert [row["headers"][traces.TRACEPARENT].split("-")[1] for row in rows] == [trace_id]
