"""Every candidate that is ever shown passes ApplyChanges on an unchanged schedule.

2,000 students by chance, on a real database: their facts are read by the schedule service's own
handler, what is shown is made by the pipeline alone, along every answer to every question, and
each candidate goes through the service's one door and is rolled back, some of them for good.
"""

import asyncio
import random
from collections import Counter
from collections.abc import AsyncIterator, Iterator
from dataclasses import dataclass, field
from datetime import UTC, datetime, timedelta

import asyncpg
import pytest

from libs.db.database import Database
from libs.db.user_lock import lock_user
from libs.outbox.outbox import Outbox
from services.active_scheduler.domain import deciding, questions, showing
from services.active_scheduler.domain.apply import ApplyRequest, ApplyState
from services.active_scheduler.domain.case import Case
from services.active_scheduler.domain.deciding import RULES
from services.active_scheduler.domain.observation import Action
from services.active_scheduler.domain.options import OptionType
from services.active_scheduler.domain.preview import Candidate, Content
from services.active_scheduler.domain.questions import QuestionKind
from services.active_scheduler.domain.snapshot import FURTHEST, Snapshot
from services.active_scheduler.wire import facts as facts_wire
from services.active_scheduler.wire import snapshot as snapshot_wire
from services.schedule.domain.verdict import Ask, Verdict
from services.schedule.handlers import applies, facts
from services.schedule.wire import changes as changes_wire
from services.schedule.wire import facts as schedule_wire
from services.schedule.wire.outlet import EventOutlet
from services.standalone.suite import Suite
from tests.integration.active_scheduler import row_laws, seeded_rows
from tests.integration.active_scheduler.row_laws import Stored
from tests.integration.active_scheduler.seeded import Seeded, seeded

WORLDS, AT_ONCE, WORKERS = 2000, 250, 4
FOR_GOOD = 0.2
"""How often one of the candidates is applied for good, and the same is looked at again."""


class _RolledBackError(Exception):
    """Ends a transaction in which an apply was tried."""


@dataclass(slots=True)
class Trial:
    """The database, and what was seen on the way."""

    db: Database
    outlet: EventOutlet
    types: Counter[str] = field(default_factory=Counter)
    kinds: Counter[str] = field(default_factory=Counter)
    reasons: Counter[str] = field(default_factory=Counter)
    applied: int = 0

    async def of(self, one: Seeded) -> None:
        """Everything that may be shown to a student is tried."""
        snapshot, before = await self._read(one, FURTHEST)
        case = _case(one, snapshot)
        horizon = snapshot.reading_on(case, deciding.decided(case).decision)
        if horizon is not None:
            snapshot, before = await self._read(one, horizon)
        looks = list(_looks(_case(one, snapshot)))
        row_laws.hold(before, one.semesters, snapshot.facts.now)
        offered = []
        for case, content in looks:
            self._count(content)
            offered += [(case, candidate) for candidate in content.candidates]
        for number, (case, candidate) in enumerate(offered):
            ask = _ask(one, candidate, f"asa_{number}")
            verdict, after = await self._try(ask)
            if not verdict.applied and row_laws.at_the_edge(candidate, case, verdict.judged_at):
                return await self.of(one)
            _judge(one, verdict, before, after, case, candidate)
        chance = random.Random(one.seed)
        if offered and chance.random() < FOR_GOOD:
            await self._for_good(one, *chance.choice(offered), before)
        return None

    async def _read(self, one: Seeded, horizon: timedelta) -> tuple[Snapshot, Stored]:
        async with self.db.snapshot() as tx:
            found = await facts.facts(tx, one.user_id, one.asked, horizon=horizon, mock_now=None)
            before = await row_laws.stored(tx, one.user_id)
        answer = schedule_wire.facts(found).SerializeToString()
        read = type(schedule_wire.facts(found)).FromString(answer)
        return snapshot_wire.snapshot(read, horizon=horizon), before

    def _count(self, content: Content) -> None:
        self.reasons[content.decision.reason] += 1
        self.types.update(one.type.value for one in content.candidates)
        if content.question is not None:
            self.kinds[content.question.kind.value] += 1

    async def _try(self, ask: Ask) -> tuple[Verdict, Stored]:
        """The verdict and what it left, taken back."""
        try:
            async with self.db.transaction() as tx:
                await lock_user(tx, ask.user_id)
                verdict = await applies.decide(tx, ask, self.outlet)
                after = await row_laws.stored(tx, ask.user_id)
                raise _RolledBackError
        except _RolledBackError:
            return verdict, after

    async def _for_good(
        self, one: Seeded, case: Case, candidate: Candidate, before: Stored
    ) -> None:
        """Applied, it is done: what was looked at is settled, but for what was dropped."""
        ask = _ask(one, candidate, "asa_for_good")
        verdict = await applies.apply(self.db, ask, self.outlet)
        if not verdict.applied and row_laws.at_the_edge(candidate, case, verdict.judged_at):
            return
        snapshot, after = await self._read(one, FURTHEST)
        _judge(one, verdict, before, after, case, candidate)
        again = await applies.apply(self.db, ask, self.outlet)
        assert again == verdict
        self.applied += 1
        if candidate.type is not OptionType.DROP:
            content = showing.look(_case(one, snapshot))
            settled = "already_scheduled" if one.is_urgent else "makeup_scheduled"
            assert content.decision.reason == settled


def _judge(
    one: Seeded,
    verdict: Verdict,
    before: Stored,
    after: Stored,
    case: Case,
    candidate: Candidate,
) -> None:
    assert verdict.applied, (candidate.id, verdict.refusals)
    row_laws.judge(before, after, case, candidate)
    row_laws.hold(after, one.semesters, verdict.judged_at)


def _case(one: Seeded, snapshot: Snapshot) -> Case:
    return snapshot.urgent() if one.is_urgent else snapshot.unfinished(misses=one.misses)


def _looks(case: Case) -> Iterator[tuple[Case, Content]]:
    """What is shown, and what is shown after each answer to what is asked."""
    content = showing.look(case)
    yield case, content
    asked = content.question
    if asked is None or asked.kind is QuestionKind.WHICH_BLOCK:
        return
    for choice in (questions.YES, questions.NO):
        answers = questions.answer(asked, choice, case.answers).answers
        found = list(_looks(case.answering(answers)))
        if choice == questions.YES:
            assert found[0][1].decision.action is Action.SELECT_CANDIDATE
        else:
            assert found[0][1].question is None or found[0][1].question.kind is not asked.kind
        yield from found


def _ask(one: Seeded, candidate: Candidate, apply_id: str) -> Ask:
    """The candidate as it is sent to the schedule service when it is confirmed."""
    request = ApplyRequest(
        apply_id=apply_id,
        user_id=one.user_id,
        preview_id="asp_1",
        hash=b"",
        changes=candidate.changes,
        base=candidate.base,
        not_after=datetime.now(UTC) + timedelta(minutes=10),
        state=ApplyState.APPLYING,
        attempts=0,
    )
    call = facts_wire.apply_call(request)
    return changes_wire.read_ask(one.user_id, type(call).FromString(call.SerializeToString()))


@pytest.fixture
async def trial(shared_servers: Suite) -> AsyncIterator[Trial]:
    """The schedule service's own database, without the service."""
    db = Database(
        shared_servers.database_url("schedule"), application="schedule", pool_size=WORKERS
    )
    yield Trial(db, EventOutlet(Outbox()))
    await db.close()


async def test_every_candidate_that_is_shown_is_applied_and_changes_nothing_else(
    trial: Trial, shared_servers: Suite
) -> None:
    admin = await asyncpg.connect(shared_servers.dsn("schedule"))
    for first in range(0, WORLDS, AT_ONCE):
        now = datetime.now(UTC)
        students = [seeded(seed, now) for seed in range(first, first + AT_ONCE)]
        await seeded_rows.write(admin, students)
        await _all(trial, students)
    await admin.close()
    assert trial.applied > 50
    assert set(trial.types) == {one.value for one in OptionType}
    assert min(trial.types.values()) >= 20, trial.types
    assert set(trial.kinds) == {one.value for one in QuestionKind}
    assert min(trial.kinds.values()) >= 10, trial.kinds
    assert set(trial.reasons) == {rule.reason for rule in RULES}, trial.reasons


async def _all(trial: Trial, students: list[Seeded]) -> None:
    left = iter(students)

    async def work() -> None:
        for one in left:
            try:
                await trial.of(one)
            except AssertionError as error:
                raise AssertionError(f"seed {one.seed}") from error

    async with asyncio.TaskGroup() as group:
        for _ in range(WORKERS):
            group.create_task(work())
