"""What a look asks of others, outside of any transaction: facts, preferences, choice and words.

Spec: active-scheduling.md, Context, Selection. Without the assistant a look is the same look,
with nothing preferred and in the template's words.
"""

from dataclasses import dataclass, replace
from datetime import datetime

from libs.planning.grid import Target, TargetKind
from libs.rpc.identity import Caller
from libs.telemetry import logs
from services.active_scheduler.domain import selection
from services.active_scheduler.domain.errors import AssistantFailed, CandidateNotFound
from services.active_scheduler.domain.facts import Facts
from services.active_scheduler.domain.preview import Content
from services.active_scheduler.handlers.ports import Assistant, Schedule

_log = logs.get("looking")

# The rest is for reading the facts before and writing the preview after.
_SHARE = 0.96


@dataclass(frozen=True, slots=True)
class Patience:
    """How long the assistant is waited for; settings."""

    recall_seconds: float = 1.0
    total_seconds: float = 8.0
    """Preferences, choice and words together."""

    @property
    def select_seconds(self) -> float:
        """What recalling and writing leave, at worst."""
        return (self.total_seconds - self.recall_seconds) * _SHARE


@dataclass(frozen=True, slots=True)
class Looking:
    """The schedule service, and the assistant where one is configured."""

    schedule: Schedule
    assistant: Assistant | None = None
    patience: Patience = Patience()

    @property
    def longest_seconds(self) -> float:
        """How long the assistant may keep a look waiting."""
        return 0.0 if self.assistant is None else self.patience.total_seconds

    async def facts(
        self, on_behalf_of: Caller | int, target: Target, *, mock_now: datetime | None
    ) -> Facts:
        """One snapshot, with the person's preferences for a pool task. Raises TargetNotFound."""
        facts = await self.schedule.facts(on_behalf_of, target, mock_now=mock_now)
        if self.assistant is None or target.kind is not TargetKind.TASK_POOL:
            return facts
        found = await self.assistant.recall(
            on_behalf_of, facts.target.title, seconds=self.patience.recall_seconds
        )
        return replace(facts, preferences=found)

    async def select(self, user_id: int, content: Content, facts: Facts) -> Content:
        """The content with a choice and its words; nothing where nothing is shown."""
        if not content.decision.writes_preview:
            return content
        if self.assistant is None:
            return selection.unasked(content, reason=selection.NO_MODEL)
        try:
            answer = await self.assistant.select(
                user_id, content, facts.preferences.texts, seconds=self.patience.select_seconds
            )
            return selection.chosen(content, answer)
        except AssistantFailed as failure:
            _log.warning("assistant_failed", reason=failure.reason, error=failure.problem)
            return selection.unasked(content, reason=failure.reason, fallback_used=True)
        except CandidateNotFound:
            _log.error("assistant_chose_what_is_not_there")
            return selection.unasked(content, reason="unknown_candidate", fallback_used=True)
