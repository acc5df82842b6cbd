"""The files that belong to the project: what git tracks, or would if it were added."""

import subprocess
import tempfile
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]


def files(root: Path = ROOT) -> tuple[str, ...]:
    """Paths relative to `root` of all files that .gitignore does not leave out.

    An empty repository of its own looks at the tree, so that the answer is the same in a clone,
    in a copy without history, and in a clone that another user owns.
    """
    with tempfile.TemporaryDirectory() as empty:
        git = ("git", f"--git-dir={empty}", f"--work-tree={root}")
        subprocess.run(("git", "init", "--quiet", "--bare", empty), check=True, capture_output=True)
        listed = subprocess.run(
            (*git, "ls-files", "--others", "--exclude-standard", "-z"),
            check=True,
            capture_output=True,
            cwd=root,
        )
    return tuple(sorted(listed.stdout.decode().rstrip("\0").split("\0")))
