"""How tools are offered: to a model as JSON schemas or as a short list, to people as a page."""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from enum import StrEnum
from typing import Any, TypeVar

from services.agent.tools.arguments import LARGEST, Allowed, Arguments, allowed_of

_WORDS = {
    "{days}": "窗口天数",
    "{sections}": "每天节数",
    "{categories}": "任务类名称，或“课程”",
}


class Effect(StrEnum):
    """What a tool does to the world."""

    READS = "reads"
    CHANGES_PLAN = "changes_plan"
    """Changes the plan in memory; nothing is written before a person confirms."""
    WRITES_ELSEWHERE = "writes_elsewhere"
    """Writes what is no plan; waits for the person."""


@dataclass(frozen=True, slots=True)
class Offer:
    """One tool as it is offered; `old_names` are answered and never offered."""

    name: str
    effect: Effect
    summary: str
    arguments: type[Arguments]
    old_names: tuple[str, ...] = ()


AnyOffer = TypeVar("AnyOffer", bound=Offer)


def by_name(offers: Iterable[AnyOffer]) -> Mapping[str, AnyOffer]:
    """Every name that is answered. Raises ValueError for one that two tools have."""
    found: dict[str, AnyOffer] = {}
    for offer in offers:
        for name in (offer.name, *offer.old_names):
            if name in found:
                raise ValueError(f"two tools are named {name}")
            found[name] = offer
    return found


def listing(offers: Iterable[Offer]) -> str:
    """A line per tool: place(task_id, day, slot_start)：…."""
    return "\n".join(f"{signature(offer)}：{offer.summary}" for offer in offers)


def signature(offer: Offer) -> str:
    """place(task_id, day, slot_start); what may be left out has a question mark or its default."""
    return f"{offer.name}({', '.join(_parameters(offer.arguments))})"


def _parameters(model: type[Arguments]) -> Iterable[str]:
    for name, field in model.model_fields.items():
        if field.is_required():
            yield name
        elif field.default is None:
            yield f"{name}?"
        else:
            yield f"{name}={_literal(field.default)}"


def _literal(value: object) -> str:
    return str(value).lower() if isinstance(value, bool) else str(value)


def schemas(offers: Iterable[Offer]) -> list[dict[str, Any]]:
    """The tools as endpoints of the OpenAI kind want them."""
    return [
        {
            "type": "function",
            "function": {
                "name": offer.name,
                "description": offer.summary,
                "parameters": schema(offer.arguments),
            },
        }
        for offer in offers
    ]


def schema(model: type[Arguments]) -> dict[str, Any]:
    """The JSON schema of a tool's arguments: closed, without references, null nowhere."""
    raw = model.model_json_schema()
    found: dict[str, Any] = _plain(raw, raw.get("$defs", {}))
    for name, field in found["properties"].items():
        field["description"] = description(allowed_of(model, name))
    return found


def description(allowed: Allowed) -> str:
    """What an argument is and may be, whatever the window."""
    text = f"{allowed.meaning}：{allowed.values}"
    for sign, words in _WORDS.items():
        text = text.replace(sign, words)
    return text


_NOISE = ("title", "description", "$defs")


def _plain(node: Any, definitions: Mapping[str, Any]) -> Any:
    if isinstance(node, list):
        return [_plain(one, definitions) for one in node]
    if not isinstance(node, dict):
        return node
    if "$ref" in node:
        return _plain(definitions[node["$ref"].rpartition("/")[2]], definitions)
    if "anyOf" in node:
        (kept,) = (one for one in node["anyOf"] if one != {"type": "null"})
        return _plain(kept, definitions)
    found = {
        key: _plain(value, definitions)
        for key, value in node.items()
        if key not in _NOISE and not (key == "maximum" and value == LARGEST)
    }
    if "properties" in node:
        found.setdefault("required", [])
        found["properties"] = {
            name: _plain(one, definitions) for name, one in node["properties"].items()
        }
    return found
