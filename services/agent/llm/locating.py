"""Asking a model which block words mean: the shape of the answer, and the prompts.

The model meets keys of this one question, never ids; titles and words stand in the quoted block.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from string import Template
from typing import Any, Self

from pydantic import BaseModel, ConfigDict, ValidationError

from services.agent.domain.errors import Mendable, ModelAnswerInvalid, UnknownCandidate
from services.agent.domain.locate import NearBlock
from services.agent.domain.when import Standpoint
from services.agent.llm import extraction
from services.agent.llm.conversation import Message
from services.agent.llm.prompting import FOLDER, instant, prompt, quoted, replied

_TITLE_LENGTH = 200


class _Pick(BaseModel):
    model_config = ConfigDict(strict=True, extra="ignore")

    blocks: list[str]


@dataclass(frozen=True, slots=True)
class PickShape:
    """Some of the blocks, by their keys."""

    blocks: tuple[NearBlock, ...]

    @property
    def name(self) -> str:
        return "located_blocks"

    @property
    def strict(self) -> bool:
        return True

    @property
    def keys(self) -> tuple[str, ...]:
        """The only words that may be answered."""
        return tuple(f"b{number}" for number, _ in enumerate(self.blocks, start=1))

    def schema(self) -> dict[str, Any]:
        """As strict endpoints want it."""
        return {
            "type": "object",
            "properties": {
                "blocks": {"type": "array", "items": {"type": "string", "enum": list(self.keys)}}
            },
            "required": ["blocks"],
            "additionalProperties": False,
        }

    def read(self, text: str) -> tuple[int, ...]:
        """The ids that a model's words name, in order of time, each once.

        Raises ModelAnswerInvalid or UnknownCandidate.
        """
        found = extraction.json_object(text)
        try:
            picked = _Pick.model_validate(found).blocks
        except ValidationError:
            raise ModelAnswerInvalid("blocks: a list of keys is needed", text) from None
        if not set(picked) <= set(self.keys):
            raise UnknownCandidate("blocks holds a key that was not given", text)
        return tuple(
            block.id for key, block in zip(self.keys, self.blocks, strict=True) if key in picked
        )


@dataclass(frozen=True, slots=True)
class LocatePrompts:
    """The prompts, read once."""

    rules: str
    case: Template
    mend: Template

    @classmethod
    def read(cls, folder: Path = FOLDER) -> Self:
        """Raises OSError where a file is missing."""

        return cls(
            rules=prompt(folder, "locate_feedback"),
            case=Template(prompt(folder, "locate_case")),
            mend=Template(prompt(folder, "locate_again")),
        )

    def first(self, words: str, shape: PickShape, at: Standpoint) -> tuple[Message, ...]:
        """The rules, then the case."""
        pairs = tuple(zip(shape.keys, shape.blocks, strict=True))
        facts = {
            "now": instant(at.now, at.zone),
            "blocks": [_fact(key, block, at) for key, block in pairs],
        }
        written = {"words": words, "titles": {key: _title(block) for key, block in pairs}}
        case = self.case.substitute(facts=quoted(facts), quoted=quoted(written))
        return Message("system", self.rules), Message("user", case)

    def again(
        self, before: Sequence[Message], shape: PickShape, failed: Mendable
    ) -> tuple[Message, ...]:
        """What was said, what is wrong with it, and the keys that there are."""
        asks = self.mend.substitute(problem=failed.problem, keys=quoted(list(shape.keys)))
        return replied(before, failed, asks)


def _fact(key: str, block: NearBlock, at: Standpoint) -> Mapping[str, Any]:
    ends = block.ends_at.astimezone(at.zone)
    over = "past" if block.ends_at <= at.now else "ahead"
    return {
        "key": key,
        "when": f"{instant(block.starts_at, at.zone)}–{ends:%H:%M}",
        "sections": [block.first, block.last],
        "state": "running" if block.runs(at.now) else over,
    }


def _title(block: NearBlock) -> Mapping[str, str]:
    return {"title": block.title[:_TITLE_LENGTH], "class": block.class_name[:_TITLE_LENGTH]}
