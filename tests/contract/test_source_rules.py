"""Files keep to their budget and say nothing of the machine they were written on."""

from collections.abc import Mapping
from pathlib import Path

import pytest

from tests.contract import sizes, source_rules, tracked


def write(root: Path, files: Mapping[str, str]) -> list[str]:
    for name, text in files.items():
        path = root / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text, encoding="utf-8")
    return list(files)


def test_files_and_functions_keep_to_their_budget() -> None:
    found = sizes.measure(tracked.ROOT, tracked.files())

    assert list(sizes.violations(found)) == []
    assert len(found.files) > 100


def function(lines: int) -> str:
    return "def f():\n" + "    x = 1\n" * (lines - 1)


@pytest.mark.parametrize(
    ("name", "text", "complaint"),
    [
        ("services/a/long.py", "x = 1\n" * 401, "a file of 401 lines"),
        ("services/a/long.py", function(61), "a function of 61 lines"),
        ("scripts/long.py", f"async {function(61)}", "a function of 61 lines"),
        ("services/a/thing.py", "x = 1\n" * 121, "the median file has 121 lines"),
        ("services/a/thing.py", function(11), "the median function has 11 lines"),
        ("services/a/utils.py", "", "a name that says nothing"),
        ("services/helpers/thing.py", "", "a name that says nothing"),
        ("tests/unit/common.py", "", "a name that says nothing"),
    ],
)
def test_a_planted_breach_of_the_budget_is_found(
    name: str, text: str, complaint: str, tmp_path: Path
) -> None:
    found = sizes.measure(tmp_path, write(tmp_path, {name: text}))

    assert any(complaint in line for line in sizes.violations(found))


def test_generated_code_and_long_tests_are_no_breach(tmp_path: Path) -> None:
    paths = write(
        tmp_path,
        {
            "libs/contracts/smartmate/x_pb2.py": "x = 1\n" * 500,
            "tests/unit/test_cases.py": "x = 1\n" * 500,
            "services/a/thing.py": function(9),
        },
    )

    assert list(sizes.violations(sizes.measure(tmp_path, paths))) == []


def test_no_file_names_a_registry_or_a_path_of_a_machine() -> None:
    assert list(source_rules.violations(tracked.ROOT, tracked.files())) == []


@pytest.mark.parametrize(
    "line",
    [
        "see https://py" + "pi.org/simple",
        "pip install --index" + "-url https://mirror.example/simple x",
        "--find" + "-links=wheels",
        "open('/home/anna/notes.txt')",
        "cd /wo" + "rk/main && make",
        '"/ro' + 'ot/.cache"',
    ],
)
def test_a_planted_address_or_path_is_found(line: str, tmp_path: Path) -> None:
    paths = write(tmp_path, {"docs/thing.md": f"first\n{line}\n"})
    found = source_rules.violations(tmp_path, paths, home=Path("/home/anna"))

    assert [one.partition(": ")[0] for one in found] == ["docs/thing.md:2"]


@pytest.mark.parametrize(
    "line",
    [
        "/home/somebody/share",
        "/usr/bin/chromium",
        "/var/lib/smartmate",
        "~/.local/share",
        "GET /homework/root/work",
        "/tmp/x",
    ],
)
def test_a_path_that_every_machine_has_is_let_through(line: str, tmp_path: Path) -> None:
    paths = write(tmp_path, {"docs/thing.md": line})

    assert list(source_rules.violations(tmp_path, paths, home=Path("/home/anna"))) == []


def test_a_new_file_belongs_to_the_project_and_an_ignored_one_does_not(tmp_path: Path) -> None:
    write(tmp_path, {".gitignore": "*.log\n", "new.txt": "", "deep/new.txt": "", "run.log": ""})

    assert tracked.files(tmp_path) == (".gitignore", "deep/new.txt", "new.txt")
