"""The shape that a model's answer has to have, and its check; acceptance of a schema by an
endpoint proves nothing."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from pydantic import BaseModel, ConfigDict, ValidationError

from services.agent.domain.errors import ModelAnswerInvalid, UnknownCandidate
from services.agent.domain.situation import Answer, Words
from services.agent.domain.text import Text
from services.agent.llm import extraction

_MOST_PROBLEMS = 5


class _Both(BaseModel):
    """A sentence in both languages."""

    model_config = ConfigDict(strict=True, extra="ignore")

    zh: str
    en: str

    def text(self) -> Text:
        return Text(self.zh.strip(), self.en.strip())


class _Choice(BaseModel):
    model_config = ConfigDict(strict=True, extra="ignore")

    selected_id: str
    summary: _Both
    reason: _Both
    risk: _Both
    notification: _Both


class _Reason(BaseModel):
    model_config = ConfigDict(strict=True, extra="ignore")

    reason: _Both


@dataclass(frozen=True, slots=True)
class Form:
    """What is asked for: a choice among ids, or without ids the reason alone."""

    ids: tuple[str, ...]

    @property
    def name(self) -> str:
        return "selection" if self.ids else "reason"

    @property
    def strict(self) -> bool:
        return True

    def schema(self) -> dict[str, Any]:
        """As strict endpoints want it: closed, every property required."""
        if not self.ids:
            return _closed({"reason": _BOTH})
        fields: dict[str, Any] = {"selected_id": {"type": "string", "enum": list(self.ids)}}
        return _closed(fields | dict.fromkeys(("summary", "reason", "risk", "notification"), _BOTH))

    def read(self, text: str) -> Answer:
        """The answer in a model's words. Raises ModelAnswerInvalid or UnknownCandidate."""
        found = extraction.json_object(text)
        try:
            answer = _choice(found) if self.ids else _reason(found)
        except ValidationError as error:
            raise ModelAnswerInvalid(_problems(error), text) from None
        if self.ids and answer.selected_id not in self.ids:
            raise UnknownCandidate("selected_id is not one of the ids", text)
        return answer


def _closed(properties: Mapping[str, Any]) -> dict[str, Any]:
    return {
        "type": "object",
        "properties": dict(properties),
        "required": list(properties),
        "additionalProperties": False,
    }


_BOTH = _closed({"zh": {"type": "string"}, "en": {"type": "string"}})


def _choice(found: Mapping[str, Any]) -> Answer:
    read = _Choice.model_validate(found)
    words = Words(
        summary=read.summary.text(),
        reason=read.reason.text(),
        risk=read.risk.text(),
        notification=read.notification.text(),
    )
    return Answer(read.selected_id, words)


def _reason(found: Mapping[str, Any]) -> Answer:
    reason = _Reason.model_validate(found).reason.text()
    return Answer("", Words(summary=reason, reason=reason, risk=Text(), notification=reason))


def _problems(error: ValidationError) -> str:
    """Field and complaint, never what stood there."""
    found: Sequence[Any] = error.errors(include_url=False, include_context=False)
    told = (f"{'.'.join(str(part) for part in one['loc'])}: {one['msg']}" for one in found)
    return "; ".join(list(told)[:_MOST_PROBLEMS])
