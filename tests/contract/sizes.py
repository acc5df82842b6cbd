"""How long hand-written files and functions are, against the budget of the house.

make sizes
"""

import ast
import statistics
import sys
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from pathlib import Path

from tests.contract import tracked

FILE_LINES = 400
FILE_MEDIAN = 120
FUNCTION_LINES = 60
FUNCTION_MEDIAN = 10
BANNED = frozenset({"utils", "helpers", "common", "manager", "base", "misc"})
"""Names that say nothing of what a file holds."""

EXEMPT = ("libs/contracts/", "tests/")
"""Generated code, and tests: a table of cases may be long."""


@dataclass(frozen=True, slots=True)
class Sized:
    """A file or a function and its length in lines."""

    name: str
    lines: int


@dataclass(frozen=True, slots=True)
class Sizes:
    """All files and functions of a tree."""

    files: tuple[Sized, ...]
    functions: tuple[Sized, ...]
    misnamed: tuple[str, ...]


def measure(root: Path, paths: Iterable[str]) -> Sizes:
    """Measures the Python files among `paths`, given relative to `root`."""
    files: list[Sized] = []
    functions: list[Sized] = []
    misnamed: list[str] = []
    for path in sorted(paths):
        if not path.endswith(".py") or path.startswith("libs/contracts/"):
            continue
        if Path(path).stem in BANNED or BANNED.intersection(Path(path).parent.parts):
            misnamed.append(path)
        if path.startswith(EXEMPT):
            continue
        text = (root / path).read_text(encoding="utf-8")
        if text.strip():
            files.append(Sized(path, len(text.splitlines())))
        functions.extend(_functions(path, text))
    return Sizes(tuple(files), tuple(functions), tuple(misnamed))


def _functions(path: str, text: str) -> Iterator[Sized]:
    for node in ast.walk(ast.parse(text)):
        if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef):
            length = (node.end_lineno or node.lineno) - node.lineno + 1
            yield Sized(f"{path}:{node.lineno} {node.name}", length)


def violations(sizes: Sizes) -> Iterator[str]:
    """One line for each file or function over its limit, each median, each banned name."""
    for what, items, limit, middle in (
        ("file", sizes.files, FILE_LINES, FILE_MEDIAN),
        ("function", sizes.functions, FUNCTION_LINES, FUNCTION_MEDIAN),
    ):
        for item in items:
            if item.lines > limit:
                yield f"{item.name}: a {what} of {item.lines} lines, at most {limit}"
        if median(items) > middle:
            yield f"the median {what} has {median(items):g} lines, at most {middle}"
    for path in sizes.misnamed:
        yield f"{path}: a name that says nothing of what it holds"


def median(items: Iterable[Sized]) -> float:
    """The length in the middle; 0 where there is nothing."""
    return statistics.median([item.lines for item in items] or [0])


def report(sizes: Sizes) -> str:
    """Two lines for people."""
    lines = []
    for what, items in (("files", sizes.files), ("functions", sizes.functions)):
        longest = max(items, key=lambda item: item.lines)
        lines.append(
            f"{len(items)} {what}: median {median(items):g} lines, "
            f"longest {longest.lines} ({longest.name})"
        )
    return "\n".join(lines)


def main() -> int:
    """Prints the report and every violation; 1 where there is one."""
    sizes = measure(tracked.ROOT, tracked.files())
    found = list(violations(sizes))
    sys.stdout.write("\n".join([report(sizes), *found]) + "\n")
    return 1 if found else 0


if __name__ == "__main__":
    sys.exit(main())
