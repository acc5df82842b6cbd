"""Memory of the suite: proportional set sizes, so that shared pages count once."""

import os
from collections.abc import Iterator, Mapping
from pathlib import Path

_PROC = Path("/proc")
_PARENT_FIELD = 1
"""Index of `ppid` in /proc/<pid>/stat behind the command name, see proc(5)."""
_KIB_PER_MIB = 1024


def by_name(pids: Mapping[str, int]) -> dict[str, float]:
    """MiB of each named process, what came from it included.

    A process that comes or goes meanwhile counts as far as it was seen.
    """
    parents = dict(_parents())
    return {
        name: sum(map(_pss_kib, tree(parents, pid))) / _KIB_PER_MIB for name, pid in pids.items()
    }


def own_mib() -> float:
    """MiB of this very process, without its children."""
    return _pss_kib(os.getpid()) / _KIB_PER_MIB


def tree(parents: Mapping[int, int], root: int) -> set[int]:
    """A process and all that came from it, given everybody's parent."""
    found = {root}
    while grown := {pid for pid, parent in parents.items() if parent in found} - found:
        found |= grown
    return found


def parent_in(stat: str) -> int:
    """The parent in a line of /proc/<pid>/stat; a command name may hold anything."""
    return int(stat.rpartition(")")[2].split()[_PARENT_FIELD])


def pss_in(rollup: str) -> int:
    """KiB in the text of /proc/<pid>/smaps_rollup; 0 of a process that has no memory left."""
    for line in rollup.splitlines():
        if line.startswith("Pss:"):
            return int(line.split()[1])
    return 0


def _parents() -> Iterator[tuple[int, int]]:
    for entry in _PROC.iterdir():
        if entry.name.isdigit():
            try:
                yield int(entry.name), parent_in((entry / "stat").read_text())
            except (FileNotFoundError, ProcessLookupError):
                continue


def _pss_kib(pid: int) -> int:
    try:
        return pss_in((_PROC / str(pid) / "smaps_rollup").read_text())
    except (FileNotFoundError, ProcessLookupError):
        return 0
