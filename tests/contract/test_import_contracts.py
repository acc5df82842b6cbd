"""The import contracts hold, and each of them breaks when a forbidden import is planted."""

import os
import re
import shutil
import subprocess
import sys
import tomllib
from collections.abc import Mapping
from pathlib import Path

import pytest

from tests.contract import tracked

# One planted line for each contract: the file it goes into and the import that is forbidden there.
# A file that is not there is made. No planted module is planted twice, so that each complaint is
# about its own plant.
PLANTS: Mapping[str, tuple[str, str]] = {
    "services do not know each other": (
        "services/gateway/planted.py",
        "import services.schedule.domain",
    ),
    "services > libs > contracts": ("libs/rpc/planted.py", "import services.gateway"),
    "domain imports the standard library and libs.planning alone": (
        "services/schedule/domain/planted.py",
        "import sqlalchemy",
    ),
    "tools import the standard library, pydantic and libs.planning alone": (
        "services/agent/tools/planted.py",
        "import openai",
    ),
    "planning imports the standard library alone": (
        "libs/planning/planted.py",
        "import libs.clock",
    ),
    "inside a service": (
        "services/active_scheduler/domain/planted.py",
        "import services.active_scheduler.store",
    ),
    "use cases and queries know no wire format": (
        "services/active_scheduler/store/planted.py",
        "import smartmate.text",
    ),
    "inside libs": ("libs/clock/planted.py", "import libs.telemetry"),
    "the kit knows no business": ("libs/telemetry/planted.py", "import libs.planning"),
}

MARK = "planted"


def lint(root: Path) -> subprocess.CompletedProcess[str]:
    """Runs import-linter on the tree at `root`, whatever is installed elsewhere."""
    return subprocess.run(
        (Path(sys.executable).with_name("lint-imports"), "--no-cache"),
        cwd=root,
        env={**os.environ, "PYTHONPATH": f"{root}:{root / 'libs' / 'contracts'}", "COLUMNS": "200"},
        capture_output=True,
        text=True,
        check=False,
    )


@pytest.fixture(scope="module")
def declared() -> frozenset[str]:
    """The names of all contracts."""
    settings = tomllib.loads((tracked.ROOT / "pyproject.toml").read_text(encoding="utf-8"))
    return frozenset(one["name"] for one in settings["tool"]["importlinter"]["contracts"])


@pytest.fixture(scope="module")
def complaints(tmp_path_factory: pytest.TempPathFactory) -> Mapping[str, str]:
    """What import-linter says of each broken contract in a copy that holds all plants."""
    root = tmp_path_factory.mktemp("tree")
    for part in ("services", "libs"):
        shutil.copytree(
            tracked.ROOT / part, root / part, ignore=shutil.ignore_patterns("__pycache__")
        )
    shutil.copy(tracked.ROOT / "pyproject.toml", root)
    for place, line in PLANTS.values():
        plant(root / place, line)

    answer = lint(root)
    assert "Broken contracts" in answer.stdout, answer.stdout + answer.stderr
    details = answer.stdout.partition("Broken contracts")[2]
    # A heading is a line that is underlined with dashes.
    parts = re.split(r"^(.+)\n-+$", details, flags=re.MULTILINE)
    return dict(zip(parts[1::2], parts[2::2], strict=True))


def plant(path: Path, line: str) -> None:
    """Writes a module that holds one import; a module of the parent's name becomes a package."""
    package = path.parent
    module = package.with_suffix(".py")
    package.mkdir(exist_ok=True)
    if module.exists():
        module.rename(package / "__init__.py")
    (package / "__init__.py").touch()
    path.write_text(line + "\n", encoding="utf-8")


def test_the_tree_keeps_every_import_contract(declared: frozenset[str]) -> None:
    answer = lint(tracked.ROOT)

    assert answer.returncode == 0, answer.stdout
    assert f"Contracts: {len(declared)} kept, 0 broken." in answer.stdout


def test_every_import_contract_has_a_plant(declared: frozenset[str]) -> None:
    assert set(PLANTS) == declared


@pytest.mark.parametrize("contract", PLANTS)
def test_a_planted_import_breaks(contract: str, complaints: Mapping[str, str]) -> None:
    place, _ = PLANTS[contract]
    module = place.removesuffix(".py").replace("/", ".")

    assert module in complaints.get(contract, ""), complaints
