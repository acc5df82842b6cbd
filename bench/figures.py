"""A figure: what was measured, beside its floor, judged by its goal."""

import json
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Literal

HEADINGS = ("name", "product", "floor", "ratio", "goal", "met")


@dataclass(frozen=True, slots=True)
class Goal:
    """A bound on a number; `of` says which: the ratio to the floor, or the product's own."""

    sense: Literal["≥", "≤"]
    bound: float
    of: Literal["ratio", "product"] = "ratio"

    def __str__(self) -> str:
        times = " ×" if self.of == "ratio" else ""
        return f"{self.sense} {self.bound:g}{times}"

    def met_by(self, product: float, ratio: float) -> bool:
        """Whether the figure is within the bound."""
        value = ratio if self.of == "ratio" else product
        return value >= self.bound if self.sense == "≥" else value <= self.bound


@dataclass(frozen=True, slots=True)
class Figure:
    """One line of the table. `product` and `floor` are in `unit`; the ratio is product / floor."""

    name: str
    product: float
    floor: float
    unit: str
    goal: Goal

    @property
    def ratio(self) -> float:
        """Product by floor."""
        return self.product / self.floor

    @property
    def met(self) -> bool:
        """Whether the goal is reached."""
        return self.goal.met_by(self.product, self.ratio)

    def cells(self) -> tuple[str, ...]:
        """The line as text, in the order of HEADINGS."""
        goal = str(self.goal) if self.goal.of == "ratio" else f"{self.goal} {self.unit}"
        return (
            self.name,
            f"{_short(self.product)} {self.unit}",
            f"{_short(self.floor)} {self.unit}",
            f"{self.ratio:.2f}",
            goal,
            "yes" if self.met else "no",
        )

    def as_json(self) -> dict[str, object]:
        """The line for programs."""
        return {
            "name": self.name,
            "product": round(self.product, 4),
            "floor": round(self.floor, 4),
            "ratio": round(self.ratio, 4),
            "goal": self.cells()[4],
            "met": self.met,
        }


def table(figures: Sequence[Figure]) -> str:
    """All figures, a line each, under their headings."""
    lines = [HEADINGS, *(figure.cells() for figure in figures)]
    widths = [max(len(line[column]) for line in lines) for column in range(len(HEADINGS))]
    left = (0, 4, 5)
    return "\n".join(
        "  ".join(
            cell.ljust(width) if column in left else cell.rjust(width)
            for column, (cell, width) in enumerate(zip(line, widths, strict=True))
        ).rstrip()
        for line in lines
    )


def to_json(figures: Sequence[Figure]) -> str:
    """All figures as a JSON list."""
    return json.dumps([figure.as_json() for figure in figures], indent=2, ensure_ascii=False) + "\n"


def _short(value: float) -> str:
    return f"{value:,.0f}" if value >= 100 else f"{value:.3g}"
