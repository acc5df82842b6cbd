"""Writes docs/metrics.md from the metrics that the code registers.

make docs
"""

import importlib
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from types import ModuleType

from prometheus_client import Counter, Gauge, Histogram

from scripts.descriptors import ROOT

PAGE = ROOT / "docs" / "metrics.md"
TEMPLATE = ROOT / "scripts" / "templates" / "metrics.md.in"
PREFIX = "smartmate_"
SHARED = "libs"
"""Section of what is registered by the parts that services share."""

_LIBRARY = "prometheus_client"
_HEAD = "| metric | kind | labels | meaning |\n|---|---|---|---|"


@dataclass(frozen=True, slots=True)
class Figure:
    """One metric, by the name under which it is scraped."""

    name: str
    kind: str
    labels: tuple[str, ...]
    meaning: str

    def row(self) -> str:
        """The metric as a line of a table."""
        labels = ", ".join(f"`{label}`" for label in self.labels) or "—"
        return f"| `{self.name}` | {self.kind} | {labels} | {self.meaning} |"


def render() -> str:
    """The page as it should be. Raises LookupError for a metric that has no place on it."""
    found = by_service()
    shared = found.pop(SHARED)
    sections = [_section("Every service", shared)]
    sections += [_section(f"`{service}`", figures) for service, figures in found.items()]
    return TEMPLATE.read_text(encoding="utf-8").format(sections="\n\n".join(sections))


def by_service() -> dict[str, list[Figure]]:
    """The metrics of each service, and under SHARED those of the parts that they share."""
    found: dict[str, list[Figure]] = {}
    for path in sorted(ROOT.glob("libs/**/*.py")) + sorted(ROOT.glob("services/**/*.py")):
        if _LIBRARY in path.read_text(encoding="utf-8"):
            parts = path.relative_to(ROOT).with_suffix("").parts
            owner = SHARED if parts[0] == SHARED else parts[1]
            figures = list(of(importlib.import_module(".".join(parts))))
            found.setdefault(owner, []).extend(figures)
    return {owner: sorted(figures, key=_name) for owner, figures in found.items() if figures}


def of(module: ModuleType) -> Iterator[Figure]:
    """The metrics that a module holds. Raises LookupError for one without meaning or prefix."""
    for metric in vars(module).values():
        if isinstance(metric, Counter | Gauge | Histogram):
            yield _figure(metric)


def _figure(metric: Counter | Gauge | Histogram) -> Figure:
    (described,) = metric.describe()
    if not described.name.startswith(PREFIX):
        raise LookupError(f"{described.name}: the name does not begin with {PREFIX}")
    if not described.documentation:
        raise LookupError(f"{described.name}: the metric has no description")
    suffix = "_total" if described.type == "counter" else ""
    # The library tells the names of the labels of a metric nowhere else.
    labels = tuple(metric._labelnames)
    return Figure(described.name + suffix, described.type, labels, described.documentation)


def _name(figure: Figure) -> str:
    return figure.name


def _section(title: str, figures: list[Figure]) -> str:
    return "\n".join([f"## {title}", "", _HEAD, *(one.row() for one in figures)])


def names(page: str) -> Mapping[str, list[str]]:
    """The names on a written page, by the title of their section."""
    found: dict[str, list[str]] = {}
    title = ""
    for line in page.splitlines():
        if line.startswith("## "):
            title = line.removeprefix("## ").strip("`")
        elif line.startswith(f"| `{PREFIX}"):
            found.setdefault(title, []).append(line.split("`")[1])
    return found


def main() -> None:
    """Writes the page."""
    PAGE.write_text(render(), encoding="utf-8")


if __name__ == "__main__":
    main()
