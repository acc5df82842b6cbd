"""A look: what is asked of others, outside of any transaction, and what comes of it.

Dry run, trigger and worker look by this same code. Spec: active-scheduling.md, Context, Selection.
Without the assistant a look is the same look, with nothing preferred and in the template's words.
"""

from collections.abc import Callable, Collection
from dataclasses import dataclass, replace
from datetime import datetime, timedelta

from libs.db.database import Database
from libs.planning.grid import Target, TargetKind
from libs.rpc.identity import Caller
from libs.telemetry import logs
from services.active_scheduler.domain import feedback, selection, showing
from services.active_scheduler.domain.case import Case
from services.active_scheduler.domain.errors import AssistantFailed, CandidateNotFound
from services.active_scheduler.domain.facts import WINDOW
from services.active_scheduler.domain.preferences import Preferences
from services.active_scheduler.domain.preview import Content
from services.active_scheduler.domain.questions import NO_ANSWERS
from services.active_scheduler.domain.snapshot import FURTHEST, Missed, Snapshot, Surroundings
from services.active_scheduler.domain.trigger import Subject, TriggerType
from services.active_scheduler.handlers.ports import Assistant, Schedule
from services.active_scheduler.store import misses

_log = logs.get("looking")

# The rest is for reading the facts before and writing the preview after.
_SHARE = 0.96

LOCATED = "located"
"""How words were located: one block is meant. Every other code says why one is asked for."""


@dataclass(frozen=True, slots=True)
class Patience:
    """How long the assistant is waited for; settings."""

    recall_seconds: float = 1.0
    locate_seconds: float = 2.5
    total_seconds: float = 8.0
    """Locating, preferences, choice and words together."""

    def select_seconds(self, *, located: bool) -> float:
        """What the others leave at worst, with or without words that had to be located."""
        spent = self.recall_seconds + (self.locate_seconds if located else 0.0)
        return (self.total_seconds - spent) * _SHARE


@dataclass(frozen=True, slots=True)
class Looked:
    """What a look came to, in template words.

    `target` is what a preview of it is about: of feedback the unfinished block, None where that is
    not known. `remembered` is what the person wants to be known. `located` tells how words were
    understood, empty where there was no need.
    """

    content: Content
    target: Target | None
    priority: int | None = None
    remembered: tuple[str, ...] = ()
    missed: Missed | None = None
    located: str = ""


@dataclass(frozen=True, slots=True)
class Looking:
    """The schedule service, the assistant where one is configured, and what was told before."""

    db: Database
    schedule: Schedule
    assistant: Assistant | None = None
    patience: Patience = Patience()

    @property
    def longest_seconds(self) -> float:
        """How long the assistant may keep a look waiting."""
        return 0.0 if self.assistant is None else self.patience.total_seconds

    async def look(
        self,
        on_behalf_of: Caller | int,
        subject: Subject,
        *,
        user_id: int,
        told_at: datetime | None = None,
        mock_now: datetime | None = None,
    ) -> Looked:
        """What the facts of this moment lead to. Writes nothing. Raises TargetNotFound.

        `told_at` is when words without a target were said.
        """
        asking = _Asking(self, on_behalf_of, user_id, mock_now)
        if subject.target is None:
            if told_at is None:
                raise AssertionError("words are told at an instant")
            looked = await asking.about_words(subject, mock_now or told_at)
        elif subject.type is TriggerType.IMPORTANT_URGENT_TASK:
            looked = await asking.about_urgent(subject, subject.target)
        else:
            looked = await asking.about_unfinished(subject, subject.target)
        return replace(looked, content=replace(looked.content, words=subject.words))

    async def select(self, user_id: int, looked: Looked) -> Content:
        """The content with a choice and its words; nothing where nothing is shown."""
        content = looked.content
        if not content.decision.writes_preview:
            return content
        if self.assistant is None:
            return selection.unasked(content, reason=selection.NO_MODEL)
        seconds = self.patience.select_seconds(located=bool(looked.located))
        try:
            answer = await self.assistant.select(
                user_id, content, looked.remembered, seconds=seconds
            )
            return selection.chosen(content, answer)
        except AssistantFailed as failure:
            _log.warning("assistant_failed", reason=failure.reason, error=failure.problem)
            return selection.unasked(content, reason=failure.reason, fallback_used=True)
        except CandidateNotFound:
            _log.error("assistant_chose_what_is_not_there")
            return selection.unasked(content, reason="unknown_candidate", fallback_used=True)


@dataclass(frozen=True, slots=True)
class _Asking:
    """One look: for whom, and by which clock."""

    looking: Looking
    on_behalf_of: Caller | int
    user_id: int
    mock_now: datetime | None

    async def about_urgent(self, subject: Subject, target: Target) -> Looked:
        """A task of the pool; what lies behind the window is read where that is not enough."""
        answers = subject.answers
        horizon = WINDOW if answers == NO_ANSWERS else FURTHEST
        seen = await self._preferring(await self._read(target, horizon))
        seen, content = await self._look(target, seen, lambda one: one.urgent(answers))
        return self._looked(seen, content, target)

    async def about_unfinished(
        self, subject: Subject, target: Target, *, located: str = ""
    ) -> Looked:
        """A block, or the block that an item means."""
        seen = await self._read(target, FURTHEST)
        block = seen.block
        if block is None:
            around = await self._around(seen.facts.now)
            asked = showing.unlocated(around.blocks, around.laid, seen.facts.now)
            asked = replace(asked, target_title=seen.facts.target.title)
            return self._looked(seen, asked, None, located="never_placed")
        seen = await self._preferring(seen)
        missed = Missed(seen.facts.target.target, block.id)
        async with self.looking.db.transaction() as tx:
            told = await misses.told(tx, self.user_id, missed.source)
        times = feedback.misses(told, block_id=block.id, now=seen.facts.now)
        seen, content = await self._look(
            target, seen, lambda one: one.unfinished(misses=times, answers=subject.answers)
        )
        of_block = Target(TargetKind.SCHEDULE_EVENT, block.id)
        return self._looked(seen, content, of_block, missed=missed, located=located)

    async def about_words(self, subject: Subject, told_at: datetime) -> Looked:
        """Words alone: the one block that they fit, else the question which one was meant."""
        around = await self._around(told_at)
        fitting, why = await self._locate(subject.words, around)
        found = feedback.located(around.blocks, fitting)
        if found.block is None:
            asked = showing.unlocated(found.choices, around.laid, told_at)
            return Looked(asked, None, located=why)
        target = Target(TargetKind.SCHEDULE_EVENT, found.block.id)
        return await self.about_unfinished(subject, target, located=LOCATED)

    async def _locate(self, words: str, around: Surroundings) -> tuple[Collection[int], str]:
        """The blocks that words fit, and why it is not one; whatever fails, any may be meant."""
        assistant = self.looking.assistant
        if not around.blocks:
            return (), "nothing_around"
        if assistant is None:
            return (), selection.NO_MODEL
        seconds = self.looking.patience.locate_seconds
        try:
            fitting = await assistant.locate(self.user_id, words, around, seconds=seconds)
        except AssistantFailed as failure:
            _log.warning("words_not_located", reason=failure.reason, error=failure.problem)
            return (), failure.reason
        return fitting, "several_fit" if fitting else "none_fits"

    async def _look(
        self, target: Target, seen: Snapshot, case_of: Callable[[Snapshot], Case]
    ) -> tuple[Snapshot, Content]:
        """What is shown; more is read where more could change it."""
        case = case_of(seen)
        content = showing.look(case)
        horizon = seen.reading_on(case, content.decision)
        if horizon is not None:
            seen = (await self._read(target, horizon)).preferring(seen.facts.preferences)
            content = showing.look(case_of(seen))
        return seen, content

    async def _read(self, target: Target, horizon: timedelta) -> Snapshot:
        return await self.looking.schedule.snapshot(
            self.on_behalf_of, target, mock_now=self.mock_now, horizon=horizon
        )

    async def _around(self, told_at: datetime) -> Surroundings:
        return await self.looking.schedule.around(self.on_behalf_of, told_at)

    async def _preferring(self, seen: Snapshot) -> Snapshot:
        """With what is remembered of the person, where the target is a task of the pool."""
        assistant = self.looking.assistant
        if assistant is None or not seen.is_of_pool:
            return seen
        found: Preferences = await assistant.recall(
            self.on_behalf_of,
            seen.facts.target.title,
            seconds=self.looking.patience.recall_seconds,
        )
        return seen.preferring(found)

    def _looked(
        self,
        seen: Snapshot,
        content: Content,
        target: Target | None,
        *,
        missed: Missed | None = None,
        located: str = "",
    ) -> Looked:
        return Looked(
            content=content,
            target=target,
            priority=seen.facts.priority or None,
            remembered=seen.facts.preferences.texts,
            missed=missed,
            located=located,
        )
