"""What the pure code imports: libs/planning the standard library alone, a domain that and planning,
tools beside that pydantic.

The import contracts forbid what they list; this looks at every import there is, and also keeps
out the part of the standard library that reads clocks, files, sockets or chance.
"""

import ast
import sys
from collections.abc import Iterator
from pathlib import Path

PLANNING = "libs.planning"
TOOLS = "tools"
"""The room whose arguments are checked by pydantic, and which is pure for the rest."""

IMPURE = frozenset(
    {
        *("asyncio", "multiprocessing", "os", "signal", "subprocess", "sys", "threading"),
        *("io", "pathlib", "shutil", "sqlite3", "tempfile"),
        *("http", "select", "selectors", "socket", "ssl", "urllib.request"),
        *("random", "secrets", "time"),
    }
)
"""Processes, files, sockets, chance and clocks."""

CLOCK_READS = frozenset({"now", "today", "utcnow"})


def pure_files(root: Path) -> Iterator[tuple[Path, str]]:
    """Each file that is to be pure, with the package that it may import from."""
    for path in sorted((root / "libs" / "planning").rglob("*.py")):
        yield path, PLANNING
    for room in ("domain", TOOLS):
        for path in sorted((root / "services").glob(f"*/{room}/**/*.py")):
            yield path, f"services.{path.relative_to(root / 'services').parts[0]}.{room}"


def violations(root: Path) -> Iterator[str]:
    """One line for each import or call that pure code may not have."""
    for path, own in pure_files(root):
        tree = ast.parse(path.read_text(encoding="utf-8"))
        where = path.relative_to(root)
        for name, line in imports(tree, module_of(path, root)):
            if not _is_allowed(name, own):
                yield f"{where}:{line}: imports {name}"
        for line in clock_reads(tree):
            yield f"{where}:{line}: reads the clock; take now as an argument"


def module_of(path: Path, root: Path) -> tuple[str, ...]:
    """The package that a file's relative imports start from."""
    return path.relative_to(root).parent.parts


def imports(tree: ast.Module, package: tuple[str, ...]) -> Iterator[tuple[str, int]]:
    """The full name of every imported thing, wherever in the file it stands."""
    for node in ast.walk(tree):
        if isinstance(node, ast.Import):
            for alias in node.names:
                yield alias.name, node.lineno
        elif isinstance(node, ast.ImportFrom):
            start = package[: len(package) + 1 - node.level] if node.level else ()
            for alias in node.names:
                yield ".".join((*start, *filter(None, [node.module]), alias.name)), node.lineno


def clock_reads(tree: ast.Module) -> Iterator[int]:
    """Lines that call now(), today() or utcnow() of date or datetime."""
    for node in ast.walk(tree):
        if (
            isinstance(node, ast.Call)
            and isinstance(node.func, ast.Attribute)
            and node.func.attr in CLOCK_READS
            and ast.unparse(node.func.value).rpartition(".")[2] in ("date", "datetime")
        ):
            yield node.lineno


def _is_allowed(name: str, own: str) -> bool:
    if _is_within(name, own) or _is_within(name, PLANNING):
        return True
    if own.endswith(f".{TOOLS}") and _is_within(name, "pydantic"):
        return True
    top = name.partition(".")[0]
    return top in sys.stdlib_module_names and not any(_is_within(name, one) for one in IMPURE)


def _is_within(name: str, package: str) -> bool:
    return name == package or name.startswith(f"{package}.")
