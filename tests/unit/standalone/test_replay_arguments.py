"""What `smartmate replay` can be told, and how a moment is read."""

from datetime import UTC, datetime

import pytest
from typer.testing import CliRunner

from services.standalone import cli


@pytest.mark.parametrize(
    "arguments",
    [
        ["schedule"],
        ["schedule", "3"],
        ["schedule", "--all"],
        ["schedule", "--until", "2026-03-01T08:00"],
        ["schedule", "--dead-letter", "--since", "2026-03-01T08:00"],
        ["schedule", "3", "--since", "2026-03-01T08:00"],
        ["schedule", "--dead-letter", "3", "--all"],
        ["schedule", "--since", "yesterday"],
        ["gateway", "--dead-letter"],
    ],
    ids=" ".join,
)
def test_what_makes_no_sense_is_refused_before_anything_is_asked(arguments: list[str]) -> None:
    result = CliRunner().invoke(cli.app, ["replay", *arguments])

    assert result.exit_code == 2


def test_a_moment_without_an_offset_is_of_this_machine() -> None:
    assert cli.moment("2026-03-01T08:00:00") == datetime(2026, 3, 1, 8).astimezone()
    assert cli.moment("2026-03-01T08:00:00+08:00") == datetime(2026, 3, 1, 0, tzinfo=UTC)
