"""scripts/contained.py ends what a command leaves behind and hands on how it ended."""

import subprocess
import sys
from pathlib import Path

CONTAINED = Path(__file__).resolve().parents[3] / "scripts" / "contained.py"


def contained(*arguments: str) -> subprocess.CompletedProcess[str]:
    return subprocess.run(
        (sys.executable, str(CONTAINED), *arguments), capture_output=True, text=True, check=False
    )


def is_alive(pid: str) -> bool:
    return Path(f"/proc/{int(pid)}").exists()


def test_a_process_in_a_session_of_its_own_does_not_outlive_the_command(tmp_path: Path) -> None:
    note = tmp_path / "pid"
    answer = contained("sh", "-c", f"setsid sleep 3600 & echo $! > {note}")

    assert answer.returncode == 0
    assert not is_alive(note.read_text())
    assert "ended 1 processes" in answer.stderr


def test_a_left_process_that_holds_the_output_does_not_hold_up_the_end(tmp_path: Path) -> None:
    copy = tmp_path / "copy"
    answer = contained("--copy", str(copy), "sh", "-c", "sleep 3600 & echo said; echo so >&2")

    assert answer.stdout == "said\nso\n"
    assert copy.read_text() == "said\nso\n"


def test_the_exit_code_is_handed_on() -> None:
    assert contained("sh", "-c", "exit 7").returncode == 7
    assert contained("sh", "-c", "kill -9 $$").returncode == 128 + 9


def test_the_command_gets_no_standard_input() -> None:
    assert contained("cat").returncode == 0
