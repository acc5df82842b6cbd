"""What no file of the project may say: where packages came from, where a machine keeps things."""

import re
from collections.abc import Iterable, Iterator
from pathlib import Path

# In pieces, so that this file does not say what it looks for.
REGISTRIES = (
    r"py" r"pi\.org",
    r"python" r"hosted\.org",
    r"npm" r"js\.(com|org)",
    r"crates" r"\.io",
    r"proxy\.golang" r"\.org",
    r"deb\.debian" r"\.org",
    r"--(extra-)?index" r"-url[= ]\S",
    r"--find" r"-links[= ]\S",
    r"--trusted" r"-host[= ]\S",
)
MACHINE_PATHS = (
    r"(?<![\w.~-])/" r"(root|work)/[\w.]",
    r"(?<![\w.~-])/opt/(pypi|wheels)" r"\b",
    r"\b[A-Z]:\\" r"Users\\",
)


def forbidden(home: Path) -> re.Pattern[str]:
    """What is looked for by the person whose home that is; made-up homes are fine in tests."""
    own = [re.escape(f"{home}/")] if len(home.parts) > 2 else []
    return re.compile("|".join((*REGISTRIES, *MACHINE_PATHS, *own)))


def violations(root: Path, paths: Iterable[str], home: Path | None = None) -> Iterator[str]:
    """One line for each place where a file names a registry or a path of some machine."""
    pattern = forbidden(home or Path.home())
    for path in paths:
        try:
            text = (root / path).read_text(encoding="utf-8")
        except UnicodeDecodeError:
            continue  # an image, a font
        for number, line in enumerate(text.splitlines(), start=1):
            if found := pattern.search(line):
                yield f"{path}:{number}: names {found.group()}"
