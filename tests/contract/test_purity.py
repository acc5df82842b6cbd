"""Domains, tools and the planning core import what pure code may import, and nothing else."""

from pathlib import Path

import pytest

from tests.contract import purity, tracked


def test_the_pure_code_is_pure() -> None:
    assert list(purity.violations(tracked.ROOT)) == []


def test_every_domain_the_tools_and_the_planning_core_are_looked_at() -> None:
    seen = {own for _, own in purity.pure_files(tracked.ROOT)}
    rooms = {
        f"services.{path.parent.name}.{path.name}"
        for room in ("domain", "tools")
        for path in tracked.ROOT.glob(f"services/*/{room}")
    }

    assert seen == {"libs.planning"} | rooms
    assert "services.agent.tools" in rooms
    assert "services.schedule.domain" in rooms


@pytest.mark.parametrize(
    ("place", "line", "complaint"),
    [
        ("libs/planning/planted.py", "import numpy", "imports numpy"),
        ("libs/planning/planted.py", "import services.schedule.domain", "imports services."),
        ("libs/planning/planted.py", "from libs import clock", "imports libs.clock"),
        ("libs/planning/planted.py", "def f():\n    import os", ":2: imports os"),
        ("libs/planning/planted.py", "from random import choice", "imports random.choice"),
        ("services/schedule/domain/planted.py", "import icalendar", "imports icalendar"),
        ("services/schedule/domain/planted.py", "from .. import store", "services.schedule.store"),
        ("services/schedule/domain/planted.py", "from services.agent.domain import x", "agent"),
        ("services/schedule/domain/deep/planted.py", "import libs.clock", "imports libs.clock"),
        ("services/schedule/domain/planted.py", "from urllib import request", "urllib.request"),
        ("services/schedule/domain/planted.py", "import pydantic", "imports pydantic"),
        ("services/agent/tools/planted.py", "import openai", "imports openai"),
        ("services/agent/tools/planted.py", "from services.agent import domain", "agent.domain"),
        ("services/agent/tools/planted.py", "import random", "imports random"),
        (
            "services/schedule/domain/planted.py",
            "import datetime\ndatetime.datetime.now(datetime.UTC)",
            ":2: reads the clock",
        ),
        (
            "services/schedule/domain/planted.py",
            "from datetime import date\ndate.today()",
            ":2: reads the clock",
        ),
    ],
)
def test_a_planted_import_is_found(place: str, line: str, complaint: str, tmp_path: Path) -> None:
    path = tmp_path / place
    path.parent.mkdir(parents=True)
    path.write_text(line + "\n", encoding="utf-8")

    found = list(purity.violations(tmp_path))

    assert len(found) == 1, found
    assert complaint in found[0]


def test_tools_may_use_pydantic(tmp_path: Path) -> None:
    path = tmp_path / "services" / "agent" / "tools" / "planted.py"
    path.parent.mkdir(parents=True)
    path.write_text("from pydantic import Field\nimport pydantic\n", encoding="utf-8")

    assert list(purity.violations(tmp_path)) == []


def test_what_pure_code_needs_is_let_through(tmp_path: Path) -> None:
    path = tmp_path / "services" / "schedule" / "domain" / "planted.py"
    path.parent.mkdir(parents=True)
    path.write_text(
        "import re\n"
        "from collections.abc import Iterator\n"
        "from libs import planning\n"
        "from libs.planning.grid import Grid\n"
        "from services.schedule.domain import errors\n"
        "from . import rows\n"
        "from urllib.parse import quote\n",
        encoding="utf-8",
    )

    assert list(purity.violations(tmp_path)) == []
