"""Prompts: the files of `prompts/`, filled with the facts and with quoted data.

What a person wrote stands in one block of its own, as JSON in which no angle bracket is left: it
can neither end its block nor open another. Facts name the title by a placeholder, so that no fact
holds a word of the person.
"""

import json
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime
from pathlib import Path
from string import Template
from typing import Any, Self
from zoneinfo import ZoneInfo

from services.agent.domain import title
from services.agent.domain.errors import Mendable
from services.agent.domain.situation import Action, Candidate, Place, Situation
from services.agent.domain.text import Language, Text
from services.agent.domain.when_telling import DAYS_ZH
from services.agent.llm.conversation import Message

FOLDER = Path(__file__).resolve().parent.parent / "prompts"

_SAID_LENGTH = 2000
_LANGUAGES = {Language.ZH: "zh", Language.EN: "en"}


@dataclass(frozen=True, slots=True)
class Prompts:
    """The prompts of a selection, read once."""

    choose: str
    explain: str
    case: Template
    mend: Template

    @classmethod
    def read(cls, folder: Path = FOLDER) -> Self:
        """Raises OSError where a file is missing."""

        return cls(
            choose=prompt(folder, "select_candidate"),
            explain=prompt(folder, "explain_reason"),
            case=Template(prompt(folder, "case")),
            mend=Template(prompt(folder, "mend")),
        )

    def first(self, situation: Situation) -> tuple[Message, ...]:
        """The rules, then the case."""
        chooses = situation.action is Action.SELECT_CANDIDATE
        case = self.case.substitute(
            facts=quoted(_facts(situation)),
            quoted=quoted(_written_by_the_person(situation)),
            language=_LANGUAGES[situation.language],
        )
        return (Message("system", self.choose if chooses else self.explain), Message("user", case))

    def again(self, situation: Situation, failed: Mendable) -> tuple[Message, ...]:
        """What was said, what is wrong with it, and the ids that there are."""
        asks = self.mend.substitute(problem=failed.problem, ids=quoted(list(situation.ids)))
        return replied(self.first(situation), failed, asks)


def prompt(folder: Path, name: str) -> str:
    """The text of a prompt. Raises OSError where its file is missing."""
    return (folder / f"{name}.md").read_text(encoding="utf-8").strip()


def replied(before: Sequence[Message], failed: Mendable, asks: str) -> tuple[Message, ...]:
    """What was said before, the answer that cannot be used, and what is asked for instead."""
    return (*before, Message("assistant", failed.said[:_SAID_LENGTH]), Message("user", asks))


def quoted(value: object) -> str:
    """JSON that holds no angle bracket and no ampersand: data that stays inside its block."""
    text = json.dumps(value, ensure_ascii=False)
    for sign in "<>&":
        text = text.replace(sign, f"\\u{ord(sign):04x}")
    return text


def _facts(situation: Situation) -> dict[str, Any]:
    def told(text: Text) -> dict[str, str]:
        masked = title.masked(text, situation.title)
        return {"zh": masked.zh, "en": masked.en}

    found: dict[str, Any] = {
        "action": situation.action.value,
        "reason_code": situation.reason_code,
        "now": instant(situation.now, situation.zone),
        "facts": [told(one) for one in situation.facts],
        "issues": [
            {"code": one.code, "severity": one.severity, "evidence": told(one.evidence)}
            for one in situation.issues
        ],
        "metrics": dict(situation.metrics),
        "if_nothing_is_done": told(situation.inaction),
    }
    if situation.deadline is not None:
        found["deadline"] = instant(situation.deadline, situation.zone)
    if situation.candidates:
        found["candidates"] = [
            _candidate(one, situation.zone, title_of=situation.title)
            for one in situation.candidates
        ]
    else:
        found["notice"] = told(situation.notice)
    return found


def _candidate(candidate: Candidate, zone: ZoneInfo, *, title_of: str) -> Mapping[str, Any]:
    def told(text: Text) -> dict[str, str]:
        masked = title.masked(text, title_of)
        return {"zh": masked.zh, "en": masked.en}

    return {
        "id": candidate.id,
        "family": candidate.family,
        "places": [_place(place, zone) for place in candidate.places],
        "summary": told(candidate.summary),
        "reason": told(candidate.reason),
        "risk": told(candidate.risk),
    }


def _place(place: Place, zone: ZoneInfo) -> Mapping[str, Any]:
    return {
        "week": place.week,
        "day": DAYS_ZH[place.day - 1],
        "sections": [place.first, place.last],
        "from": instant(place.starts_at, zone),
        "to": instant(place.ends_at, zone),
    }


def _written_by_the_person(situation: Situation) -> Mapping[str, Any]:
    return {
        "title": situation.title,
        "memory": list(situation.memory),
        "words": situation.user_words,
    }


def instant(at: datetime, zone: ZoneInfo) -> str:
    """An instant as a model is told it: date, weekday and time in the person's zone."""
    local = at.astimezone(zone)
    return f"{local:%Y-%m-%d} {DAYS_ZH[local.weekday()]} {local:%H:%M}"
