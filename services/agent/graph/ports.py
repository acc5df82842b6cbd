"""What nodes ask of the world outside."""

from collections.abc import Mapping, Sequence
from datetime import date
from typing import Protocol

from libs.planning.calendar import Semester
from libs.planning.changes import Change
from libs.planning.window import NoWindow
from libs.rpc.identity import Caller
from services.agent.domain.known import (
    Checked,
    ClassBrief,
    ClassState,
    NewTask,
    RoughBuilt,
    TaskBrief,
    Verdict,
)
from services.agent.domain.locate import NearBlock, Pointed
from services.agent.domain.memory import NewItem
from services.agent.domain.preview import Look, PreviewBrief
from services.agent.domain.scope import Scope
from services.agent.domain.when import Standpoint
from services.agent.llm.conversation import Message, Said, Shape
from services.agent.tools.loading import Snapshot, StateIds


class Model(Protocol):
    """A language model behind some endpoint."""

    @property
    def name(self) -> str: ...

    async def answer(
        self, messages: Sequence[Message], shape: Shape, *, seconds: float
    ) -> Said: ...


class Schedule(Protocol):
    """The schedule service. Raises ServiceAway and ServiceRefused."""

    async def classes(self, caller: Caller) -> tuple[ClassBrief, ...]: ...

    async def load(
        self, caller: Caller, scope: Scope, ids: StateIds | None = None
    ) -> Snapshot | NoWindow: ...

    def read(self, rows: bytes, ids: StateIds) -> Snapshot | NoWindow: ...

    async def rough_build(self, caller: Caller, scope: Scope) -> RoughBuilt: ...

    async def check(self, caller: Caller, changes: tuple[Change, ...]) -> Checked: ...

    async def apply(
        self,
        caller: Caller,
        apply_id: str,
        changes: tuple[Change, ...],
        base: Mapping[str, str],
    ) -> Verdict: ...

    async def verdict(self, caller: Caller, apply_id: str) -> Verdict | None: ...

    async def semester(self, caller: Caller) -> Semester | None: ...

    async def blocks(self, caller: Caller, first: date, last: date) -> tuple[NearBlock, ...]: ...

    async def tasks(self, caller: Caller) -> tuple[TaskBrief, ...]: ...

    async def create_task(self, caller: Caller, request_id: str, task: NewTask) -> TaskBrief: ...

    async def complete_task(self, caller: Caller, request_id: str, task_id: int) -> TaskBrief: ...

    async def task_class(self, caller: Caller, class_id: int) -> ClassState: ...

    async def put_task_class(
        self, caller: Caller, request_id: str, to: ClassState
    ) -> ClassState: ...


class Scheduler(Protocol):
    """The active scheduler. Raises ServiceAway and ServiceRefused."""

    async def feedback(
        self, caller: Caller, feedback_id: str, event_id: int | None, words: str
    ) -> Look: ...

    async def answer(
        self, caller: Caller, request_id: str, preview_id: str, *, choice: str, words: str
    ) -> Look: ...

    async def look(self, caller: Caller, trigger_id: str) -> Look: ...

    async def preview(self, caller: Caller, preview_id: str) -> PreviewBrief: ...

    async def bind(self, caller: Caller, preview_id: str, conversation_id: str) -> None: ...


class Locating(Protocol):
    """Which blocks words mean. Never fails for want of a model."""

    async def locate(self, words: str, blocks: Sequence[NearBlock], at: Standpoint) -> Pointed: ...


class Remembering(Protocol):
    """What people want remembered."""

    async def remember(self, user_id: int, request_id: str, item: NewItem) -> None:
        """Once for each request_id. Raises TooManyMemoryItems."""
        ...

    async def recall(self, user_id: int, query: str) -> tuple[str, ...]: ...

    async def kept_free(self, user_id: int) -> tuple[tuple[int, int, int], ...]:
        """Sections (day, first, last) that constraints keep free."""
        ...
