"""Writes docs/decisions.md: what active scheduling decides in which circumstances.

The table is read off the code: every combination of circumstances is decided as a world of its
own, and what does not matter is told as `any`. make docs
"""

from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cache
from math import log2

from scripts.decision_cases import (
    FEATURES,
    KEYS,
    Circumstances,
    Combination,
    case,
    combinations,
    near,
    rejected,
    told,
)
from scripts.descriptors import ROOT
from services.active_scheduler.domain import deciding
from services.active_scheduler.domain.deciding import RULES, Outcome
from services.active_scheduler.domain.observation import Action, Decision

PAGE = ROOT / "docs" / "decisions.md"
TEMPLATE = ROOT / "scripts" / "templates" / "decisions.md.in"
ANY = "any"

_TRIGGER, _TARGET = KEYS.index("trigger"), KEYS.index("target")
_LIKE = "block of an item"
_ALIKE = ("item", "text only")
"""Targets that are judged as a block of an item, once it is known which block was meant."""


@dataclass(frozen=True, slots=True, order=True)
class Verdict:
    """What one combination leads to; `candidates` are the types of what is offered."""

    action: str
    reason: str
    candidates: tuple[str, ...] = ()
    question: str = ""

    @property
    def offered(self) -> str:
        """What the person is offered."""
        return ", ".join(f"`{one}`" for one in self.candidates) or (
            f"`{self.question}`" if self.question else "—"
        )


@dataclass(frozen=True, slots=True)
class Row:
    """A line of the table: the values that each feature may have, and what they lead to."""

    values: tuple[tuple[str, ...], ...]
    verdict: Verdict

    def matches(self, combination: Combination) -> bool:
        """Whether the line speaks of a combination."""
        return all(one in allowed for one, allowed in zip(combination, self.values, strict=True))


Verdicts = Mapping[Combination, Verdict]


def verdict_of(combination: Combination) -> Verdict:
    """What one combination leads to."""
    why = rejected(combination)
    return _rejection(why) if why else _verdict_of(told(combination))


@cache
def _rejection(why: str) -> Verdict:
    return Verdict("reject", why)


@cache
def _verdict_of(combination: Combination) -> Verdict:
    return verdict(outcome_of(combination))


def verdict(outcome: Outcome) -> Verdict:
    """An outcome in the words of the table."""
    types = sorted({option.type.value for option in outcome.options})
    question = outcome.question.kind.value if outcome.question else ""
    decision = outcome.decision
    return Verdict(decision.action.value, decision.reason, tuple(types), question)


@cache
def outcome_of(combination: Combination) -> Outcome:
    """The decision of the code, made once for each world; what is settled is not measured."""
    one = Circumstances(*combination)
    found = case(one)
    if one.is_unlocated:
        return deciding.unlocated(near(one), found.facts.world.grid)
    why = deciding.settled(found)
    if why:
        return Outcome(Decision(Action.CLOSE, why), deciding.NO_METRICS)
    return deciding.decided(found)


def verdicts() -> Verdicts:
    """What every combination leads to."""
    return {combination: verdict_of(combination) for combination in combinations()}


def table(of: Verdicts) -> tuple[Row, ...]:
    """The fewest lines that were found to say the same; each combination is in exactly one."""
    return tuple(row for _, part in sorted(_parts(of).items()) for row in _lines(part))


def render(of: Verdicts | None = None) -> str:
    """The page as it should be."""
    parts = _parts(verdicts() if of is None else of)
    seen = [
        _section(trigger, target, parts)
        for trigger in FEATURES["trigger"]
        for target in FEATURES["target"]
        if {one.reason for one in parts[trigger, target].values()} != {"unsupported_target"}
    ]
    rules = "\n".join(
        f"| {rule.number} | `{rule.action.value}` | `{rule.reason}` | {rule.when} |"
        for rule in RULES
    )
    text = TEMPLATE.read_text(encoding="utf-8")
    count = sum(len(part) for part in parts.values())
    return text.format(count=f"{count:,}", rules=rules, sections="\n\n".join(seen))


def _parts(of: Verdicts) -> dict[tuple[str, str], dict[Combination, Verdict]]:
    """The combinations of each trigger and target."""
    parts: dict[tuple[str, str], dict[Combination, Verdict]] = {}
    for combination, verdict in of.items():
        key = combination[_TRIGGER], combination[_TARGET]
        parts.setdefault(key, {})[combination] = verdict
    return parts


def _section(
    trigger: str, target: str, parts: Mapping[tuple[str, str], Mapping[Combination, Verdict]]
) -> str:
    part = dict(parts[trigger, target])
    if target in _ALIKE:
        # What is the same as for the block itself is told once.
        like = parts[trigger, _LIKE]
        same = Verdict("", f"as for a {_LIKE}")
        part = {
            one: same if like[_as_block(one)] == verdict else verdict
            for one, verdict in part.items()
        }
    rows = _lines(part)
    shown = [key for key in KEYS if any(_matters(row, key) for row in rows)]
    head = ["", *shown, "action", "reason", "offered"]
    lines = [
        f"## `{_TYPES[trigger]}`, {target}",
        "",
        "|" + "|".join(f" {one} " for one in head[1:]) + "|",
        "|" + "---|" * (len(head) - 1),
        *(_line(row, shown) for row in rows),
    ]
    return "\n".join(lines)


_TYPES = {"urgent": "important_urgent_task", "feedback": "unfinished_feedback"}


def _as_block(combination: Combination) -> Combination:
    changed = list(combination)
    changed[_TARGET] = _LIKE
    return tuple(changed)


def _line(row: Row, shown: Sequence[str]) -> str:
    cells = []
    for key in shown:
        values = row.values[KEYS.index(key)]
        cells.append(", ".join(values) if _matters(row, key) else ANY)
    verdict = row.verdict
    if verdict.action:
        cells += [f"`{verdict.action}`", f"`{verdict.reason}`", verdict.offered]
    else:
        cells += [verdict.reason, "", ""]
    return "| " + " | ".join(cells) + " |"


def _matters(row: Row, key: str) -> bool:
    return key not in ("trigger", "target") and row.values[KEYS.index(key)] != FEATURES[key]


def _whole(part: Mapping[Combination, Verdict]) -> tuple[tuple[str, ...], ...]:
    """The values that each feature has in a part, in the order of the table."""
    one = next(iter(part))
    told = ((one[_TRIGGER],), (one[_TARGET],))
    others = (values for key, values in FEATURES.items() if key not in ("trigger", "target"))
    return (*told, *others)


def _lines(part: Mapping[Combination, Verdict]) -> tuple[Row, ...]:
    """The lines of a part. What makes no difference in all of it is laid aside first."""
    values = _whole(part)
    if len(set(part.values())) == 1:
        return (Row(values, next(iter(part.values()))),)
    left_over, left = part, list(values)
    for place, allowed in enumerate(values):
        of_value = {
            value: {_but(one, place): v for one, v in left_over.items() if one[place] == value}
            for value in allowed
        }
        first = of_value[allowed[0]]
        if len(allowed) > 1 and all(piece == first for piece in of_value.values()):
            left_over = {one: v for one, v in left_over.items() if one[place] == allowed[0]}
            left[place] = (allowed[0],)
    return tuple(
        Row(
            tuple(
                whole if kept != whole and len(kept) == 1 == len(one) else one
                for one, kept, whole in zip(row.values, left, values, strict=True)
            ),
            row.verdict,
        )
        for row in _rows(left_over, tuple(left))
    )


def _rows(
    part: Mapping[Combination, Verdict], values: tuple[tuple[str, ...], ...]
) -> tuple[Row, ...]:
    """The part cut by what tells most, until every piece leads to one verdict."""
    if len(set(part.values())) == 1:
        return (Row(values, next(iter(part.values()))),)
    place = min(
        (place for place, allowed in enumerate(values) if len(allowed) > 1),
        key=lambda place: (_disorder(part, place), place),
    )
    found: list[Row] = []
    for same, piece in _pieces(part, place, values[place]):
        found += _rows(piece, (*values[:place], same, *values[place + 1 :]))
    return tuple(found)


def _pieces(
    part: Mapping[Combination, Verdict], place: int, values: Sequence[str]
) -> Iterator[tuple[tuple[str, ...], dict[Combination, Verdict]]]:
    """The part by the value of one feature; values that make no difference stay together."""
    pieces: dict[str, dict[Combination, Verdict]] = {value: {} for value in values}
    for combination, verdict in part.items():
        pieces[combination[place]][combination] = verdict
    together: list[list[str]] = []
    for value in values:
        plain = _without(pieces[value], place)
        for group in together:
            if _without(pieces[group[0]], place) == plain:
                group.append(value)
                break
        else:
            together.append([value])
    for group in together:
        merged: dict[Combination, Verdict] = {}
        for value in group:
            merged |= pieces[value]
        yield tuple(group), merged


def _without(piece: Mapping[Combination, Verdict], place: int) -> dict[Combination, Verdict]:
    return {_but(one, place): verdict for one, verdict in piece.items()}


def _but(combination: Combination, place: int) -> Combination:
    """A combination without one of its features."""
    return (*combination[:place], *combination[place + 1 :])


def _disorder(part: Mapping[Combination, Verdict], place: int) -> float:
    """How mixed the pieces would be, in bits; 0 = each leads to one verdict."""
    counts: dict[str, Counter[Verdict]] = {}
    for combination, verdict in part.items():
        counts.setdefault(combination[place], Counter())[verdict] += 1
    bits = 0.0
    for of_value in counts.values():
        total = sum(of_value.values())
        bits -= sum(n * log2(n / total) for n in of_value.values())
    return round(bits / len(part), 9)


def main() -> None:
    """Writes the page."""
    PAGE.write_text(render(), encoding="utf-8")


if __name__ == "__main__":
    main()
