"""What the written pages have to keep: links that lead somewhere, two READMEs that say the same."""

import re
from collections.abc import Iterable, Iterator
from itertools import zip_longest
from pathlib import Path

_LINK = re.compile(r"\[[^\]]*\]\(([^)\s]+)\)")
_FENCE = re.compile(r"^```.*?^```", re.MULTILINE | re.DOTALL)
_CJK = re.compile(r"[\u2e80-\u9fff\uff00-\uffef]+")
_SECTIONS = ("Status", "Context", "Decision", "Consequences")


def broken_links(root: Path, paths: Iterable[str]) -> Iterator[str]:
    """Links of Markdown files to files that are not there, or to headings that are not."""
    for path in paths:
        if not path.endswith(".md"):
            continue
        page = root / path
        for target in _LINK.findall(_FENCE.sub("", page.read_text(encoding="utf-8"))):
            if "://" in target or target.startswith("mailto:"):
                continue
            file, _, anchor = target.partition("#")
            goal = (page.parent / file) if file else page
            if not goal.exists():
                yield f"{path}: {target} is not there"
            elif anchor and anchor not in anchors(goal.read_text(encoding="utf-8")):
                yield f"{path}: {target} has no such heading"


def anchors(text: str) -> frozenset[str]:
    """The names by which the headings of a page are linked to."""
    found = re.findall(r"^#+ (.+)$", _FENCE.sub("", text), flags=re.MULTILINE)
    return frozenset(re.sub(r"[^\w\- ]", "", one.lower()).replace(" ", "-") for one in found)


def skeleton(text: str) -> list[str]:
    """What two translations of one page share: headings, commands, table rows and links."""
    found: list[str] = []
    inside = False
    for line in text.splitlines():
        if line.startswith("```"):
            inside = not inside
            found.append(line)
        elif inside:
            command = _CJK.sub("", line.partition("#")[0]).strip()
            found.extend([command] if command.startswith(("make", ".venv")) else [])
        elif heading := re.match(r"#+", line):
            found.append(heading.group())
        elif line.startswith("|"):
            found.append("row")
    targets = _LINK.findall(_FENCE.sub("", text))
    return found + sorted(one for one in targets if not one.startswith("README"))


def differences(one: str, other: str) -> list[str]:
    """Where the skeletons of two translations part."""
    pairs = zip_longest(skeleton(one), skeleton(other), fillvalue="nothing")
    return [f"{first!r} beside {second!r}" for first, second in pairs if first != second]


def requirements(text: str) -> frozenset[str]:
    """The names in a requirements file."""
    lines = (line.partition("#")[0].strip() for line in text.splitlines())
    names = (re.split(r"[\[=<>~; ]", line)[0] for line in lines)
    return frozenset(name for name in names if name and not name.startswith("-"))


def without_reason(names: Iterable[str], records: str) -> list[str]:
    """The dependencies that no decision record names."""
    return sorted(name for name in names if f"`{name}`" not in records)


def unfinished(name: str, text: str) -> Iterator[str]:
    """What a decision record lacks."""
    number = name.partition("-")[0]
    if not re.match(rf"# {number}\. \S", text):
        yield f"{name}: does not begin with its number and title"
    if not re.search(r"^Date: \d{4}-\d{2}-\d{2}$", text, flags=re.MULTILINE):
        yield f"{name}: has no date"
    for section in _SECTIONS:
        if f"\n## {section}\n" not in text:
            yield f"{name}: has no {section}"
