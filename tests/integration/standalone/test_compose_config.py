"""The step before the containers start, on a real directory."""

import json
import os
import stat
from pathlib import Path

import pytest

from services.standalone import compose_config, nats
from services.standalone.permissions import OBSERVER
from services.standalone.progress import Silent
from services.standalone.settings import SERVICES, variable


@pytest.fixture(autouse=True)
def passwords(monkeypatch: pytest.MonkeyPatch) -> None:
    """A password for every user of the broker."""
    for user in (*SERVICES, OBSERVER, nats.ADMIN):
        monkeypatch.setenv(variable(user, "NATS_PASSWORD"), f"secret-{user}")


def contents(directory: Path) -> dict[str, tuple[str, int]]:
    """Every file by its path, with its text and when it was written."""
    return {
        str(path.relative_to(directory)): (path.read_text(), path.stat().st_mtime_ns)
        for path in directory.rglob("*")
        if path.is_file()
    }


def test_each_volume_holds_one_private_key_and_the_same_public_keys(tmp_path: Path) -> None:
    compose_config.run(tmp_path, None, Silent())

    found = {
        service: json.loads((tmp_path / service / f"{service}.json").read_text())
        for service in SERVICES
    }
    public = {(tmp_path / service / "public.json").read_text() for service in SERVICES}
    assert len(public) == 1
    published = {key["kid"]: key for key in json.loads(public.pop())["keys"]}
    for service, private in found.items():
        assert {path.name for path in (tmp_path / service).iterdir()} == {
            f"{service}.json",
            "public.json",
        }
        assert published[service]["x"] == private["x"]
        assert "d" not in published[service]


def test_secrets_are_their_owners_alone(tmp_path: Path) -> None:
    compose_config.run(tmp_path, f"{os.getuid()}:{os.getgid()}", Silent())

    for path in tmp_path.rglob("*"):
        assert path.stat().st_uid == os.getuid()
        if path.is_file():
            assert stat.S_IMODE(path.stat().st_mode) == 0o600


def test_a_second_run_changes_nothing(tmp_path: Path) -> None:
    compose_config.run(tmp_path, None, Silent())
    before = contents(tmp_path)

    compose_config.run(tmp_path, None, Silent())

    assert contents(tmp_path) == before


def test_another_password_changes_the_broker_and_no_key(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    compose_config.run(tmp_path, None, Silent())
    before = contents(tmp_path)
    monkeypatch.setenv("SMARTMATE_SCHEDULE_NATS_PASSWORD", "another")

    compose_config.run(tmp_path, None, Silent())

    after = contents(tmp_path)
    assert {path for path in after if after[path] != before[path]} == {"nats/nats.conf"}
    assert '"another"' in after["nats/nats.conf"][0]
