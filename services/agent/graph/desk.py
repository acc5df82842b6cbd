"""What a node has at hand besides the state."""

from collections.abc import Callable
from dataclasses import dataclass, field
from datetime import datetime

from libs.rpc.identity import Caller
from services.agent.domain.run import Limits
from services.agent.graph.ports import Locating, Model, Remembering, Schedule, Scheduler
from services.agent.llm.context import Spoken
from services.agent.llm.stages import Stages


@dataclass(frozen=True, slots=True)
class Tools:
    """What is the same for every run."""

    schedule: Schedule
    scheduler: Scheduler
    locating: Locating
    memory: Remembering
    model: Model | None
    stages: Stages
    now: Callable[[], datetime]
    limits: Limits = field(default_factory=Limits)
    model_seconds: float = 40.0
    """How long one answer of the model may take."""
    context_tokens: int = 12_000
    """How long the four messages may be together."""
    always_execute: bool = False
    """Whether quick notes are written without asking."""


@dataclass(frozen=True, slots=True)
class Desk:
    """What is there for this run: who speaks, and what was said before, oldest first."""

    tools: Tools
    caller: Caller
    history: tuple[Spoken, ...] = ()
    memory: tuple[str, ...] = ()
    """What is remembered and bears on it, in the person's words."""
