"""Choosing and wording: the model within its time, or the templates.

Spec: active-scheduling.md, Selection. An answer that can be mended gets one restricted retry;
every other failure costs no second request, because the answer without a model is there.
"""

from dataclasses import dataclass, field

from libs.telemetry import logs
from services.agent.domain import selection
from services.agent.domain.errors import ModelFailed
from services.agent.domain.situation import Answer, Selection, Situation
from services.agent.handlers import counters, mending
from services.agent.handlers.ports import Model
from services.agent.llm.answers import Form
from services.agent.llm.prompting import Prompts

_log = logs.get("selection")


@dataclass(frozen=True, slots=True)
class Selector:
    """Selects with a model, or, where there is none, at once by templates."""

    model: Model | None
    seconds: float
    prompts: Prompts = field(default_factory=Prompts.read)

    async def select(self, situation: Situation) -> Selection:
        """A choice and its words. Never fails for want of a model."""
        if self.model is None:
            counters.SELECTIONS.labels(outcome=selection.NO_MODEL).inc()
            return selection.template(situation, reason=selection.NO_MODEL)
        with counters.asking() as outcome:
            try:
                answer = await self._ask(self.model, situation)
                found = selection.checked(situation, answer, model=self.model.name)
            except ModelFailed as failure:
                _log.warning("model_failed", reason=failure.reason, problem=failure.problem)
                found = selection.template(
                    situation, reason=failure.reason, model=self.model.name, fallback=True
                )
            outcome.name = found.template_reason or "model"
        return found

    async def _ask(self, model: Model, situation: Situation) -> Answer:
        return await mending.asked(
            model,
            self.prompts.first(situation),
            Form(situation.ids),
            lambda failure: self.prompts.again(situation, failure),
            seconds=self.seconds,
        )
