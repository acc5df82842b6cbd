"""Which block feedback means: rules first, then the model where they leave a question.

Spec: active-scheduling.md, Triggers; agent.md, chat. The model may only point at blocks that it
was given; whatever it gets wrong leaves the answer of the rules.
"""

from collections.abc import Sequence
from dataclasses import dataclass, field

from libs.telemetry import logs
from services.agent.domain import locate
from services.agent.domain.errors import ModelFailed
from services.agent.domain.locate import NearBlock, Pointed
from services.agent.domain.when import Standpoint
from services.agent.handlers import counters, mending
from services.agent.handlers.ports import Model
from services.agent.llm.locating import LocatePrompts, PickShape

_log = logs.get("locating")

NO_MODEL = "no_model"
UNDECIDED = "model_undecided"


@dataclass(frozen=True, slots=True)
class Locator:
    """Locates with a model, or, where there is none, by rules alone."""

    model: Model | None
    seconds: float
    prompts: LocatePrompts = field(default_factory=LocatePrompts.read)

    async def locate(self, words: str, blocks: Sequence[NearBlock], at: Standpoint) -> Pointed:
        """What the words mean. Never fails for want of a model."""
        by_rules = locate.by_rules(words, blocks, at)
        if len(by_rules.ids) == 1 or not blocks:
            return _counted(Pointed(by_rules.ids, by_rules.reason))
        if self.model is None:
            return _counted(Pointed(by_rules.ids, NO_MODEL))
        known = sorted(blocks, key=lambda one: (one.starts_at, one.id))
        shape = PickShape(tuple(one for one in known if not by_rules.ids or one.id in by_rules.ids))
        messages = self.prompts.first(words, shape, at)
        name = self.model.name
        try:
            picked = await mending.asked(
                self.model,
                messages,
                shape,
                lambda failure: self.prompts.again(messages, shape, failure),
                seconds=self.seconds,
            )
        except ModelFailed as failure:
            _log.warning("model_failed", reason=failure.reason, problem=failure.problem)
            return _counted(Pointed(by_rules.ids, failure.reason, name, fallback_used=True))
        if not picked:
            return _counted(Pointed(by_rules.ids, UNDECIDED, name))
        return _counted(Pointed(picked, model=name))


def _counted(found: Pointed) -> Pointed:
    counters.LOCATIONS.labels(outcome=found.reason or "model").inc()
    return found
