"""A smoke run that fails says at which step, why, and what the services say; nothing is left."""

import subprocess
import sys
from pathlib import Path

from services.standalone import environment
from tests.integration.standalone.test_up_with_services import environment as terminal


def test_a_failed_smoke_run_names_the_step_and_the_errors_of_the_services(
    empty: Path,
) -> None:
    bad = {"SMARTMATE_SCAN_SECONDS": "-1", "TMPDIR": str(empty)}
    run = subprocess.run(
        (sys.executable, "-m", "services.standalone", "smoke"),
        env=terminal(empty, **bad) | {"PYTHONPATH": ":".join(environment.source_roots())},
        capture_output=True,
        text=True,
        check=False,
    )
    assert run.returncode == 1
    assert "✗ 失败的一步 failed: 服务 services\n" in run.stdout
    assert "active_scheduler ended with 1 before it was ready" in run.stdout
    _, _, logged = run.stdout.partition("newest errors in the logs\n")
    assert logged.startswith("  active_scheduler: ")
    assert "ValidationError" in logged
    assert list(empty.iterdir()) == []
