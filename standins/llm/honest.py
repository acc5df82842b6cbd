"""An honest answer: a choice among the candidates of the request, in words made from its facts;
of blocks none."""

import json
from collections.abc import Iterable, Iterator, Mapping
from typing import Any

from standins.llm.turn import Stage

_BEFORE = {
    "summary": ("建议：", "A suggestion: "),
    "reason": ("理由：", "Why: "),
    "risk": ("注意：", "Note: "),
    "notification": ("提醒：", "A reminder: "),
}


def answer(messages: Iterable[object], pick: int) -> dict[str, Any]:
    """The answer to the facts in the messages; without facts that it knows, an empty one."""
    for facts in objects(messages):
        candidates = facts.get("candidates")
        if isinstance(candidates, list) and candidates:
            return _choice(candidates[min(pick, len(candidates)) - 1])
        if isinstance(notice := facts.get("notice"), dict):
            return {"reason": _told("reason", notice)}
        if isinstance(facts.get("blocks"), list):
            # Which block words mean cannot be told without understanding them.
            return {"blocks": []}
    return {}


def stage(messages: Iterable[object]) -> Stage:
    """What the facts in the messages ask for."""
    for facts in objects(messages):
        if facts.get("candidates"):
            return Stage.SELECT
        if isinstance(facts.get("notice"), dict):
            return Stage.EXPLAIN
        if isinstance(facts.get("blocks"), list):
            return Stage.LOCATE
    return Stage.OTHER


def objects(messages: Iterable[object]) -> Iterator[dict[str, Any]]:
    """Every JSON object that stands in the messages of the user, outermost ones alone."""
    decoder = json.JSONDecoder()
    for message in messages:
        if not isinstance(message, dict) or message.get("role") != "user":
            continue
        text = str(message.get("content"))
        start = text.find("{")
        while start >= 0:
            try:
                found, end = decoder.raw_decode(text, start)
            except (ValueError, RecursionError):
                end = start + 1
            else:
                if isinstance(found, dict):
                    yield found
            start = text.find("{", end)


def merged(honest: dict[str, Any], over: Mapping[str, Any]) -> dict[str, Any]:
    """The honest answer with other values laid over it, objects field by field."""
    found = dict(honest)
    for name, value in over.items():
        below = found.get(name)
        both = isinstance(below, dict) and isinstance(value, dict)
        found[name] = merged(below, value) if both and isinstance(below, dict) else value
    return found


def _choice(candidate: Mapping[str, Any]) -> dict[str, Any]:
    return {
        "selected_id": candidate.get("id"),
        "summary": _told("summary", candidate.get("summary")),
        "reason": _told("reason", candidate.get("reason")),
        "risk": _told("risk", candidate.get("risk")),
        "notification": _told("notification", candidate.get("summary")),
    }


def _told(what: str, text: object) -> dict[str, str]:
    """The fact's own words behind a word of the model's; nothing stays nothing."""
    words = text if isinstance(text, dict) else {}
    return {
        language: f"{before}{words[language]}" if words.get(language) else ""
        for language, before in zip(("zh", "en"), _BEFORE[what], strict=True)
    }
