"""Settings of a service: where it listens without TLS, what is for tests alone, what stays out
of texts."""

import pytest
from hypothesis import given
from hypothesis import strategies as st
from pydantic import ValidationError

from libs.process.settings import ServiceSettings, is_loopback, split_address

GIVEN = {
    "SMARTMATE_DATABASE_URL": "postgresql+asyncpg://schedule:s3cret@127.0.0.1:5432/schedule",
    "SMARTMATE_NATS_URL": "nats://schedule:s3cret@127.0.0.1:4222",
    "SMARTMATE_LISTEN": "127.0.0.1:7001",
    "SMARTMATE_PUBLIC_KEYS": "public.json",
    "SMARTMATE_PRIVATE_KEY": "schedule.json",
}


@pytest.fixture(autouse=True)
def environment(monkeypatch: pytest.MonkeyPatch) -> None:
    for name, value in GIVEN.items():
        monkeypatch.setenv(name, value)


def read() -> ServiceSettings:
    return ServiceSettings()


def test_the_environment_is_enough() -> None:
    settings = read()
    assert settings.listen == "127.0.0.1:7001"
    assert settings.ops_listen == "127.0.0.1:0"
    assert not settings.insecure
    assert settings.grace_seconds == 10


@pytest.mark.parametrize("name", ["SMARTMATE_LISTEN", "SMARTMATE_OPS_LISTEN"])
@pytest.mark.parametrize(
    "address", ["0.0.0.0:7001", ":7001", "[::]:7001", "10.0.0.7:7001", "schedule:7001"]
)
def test_without_tls_nothing_but_loopback_is_listened_on(
    monkeypatch: pytest.MonkeyPatch, name: str, address: str
) -> None:
    monkeypatch.setenv(name, address)
    with pytest.raises(ValidationError, match="loopback"):
        read()
    monkeypatch.setenv("SMARTMATE_INSECURE", "true")
    assert address in (read().listen, read().ops_listen)


@pytest.mark.parametrize("address", ["127.0.0.1:1", "127.8.9.10:1", "localhost:1", "[::1]:1"])
def test_loopback_is_known_by_any_of_its_names(address: str) -> None:
    assert is_loopback(address)


@pytest.mark.parametrize("address", ["127.0.0.1", "", "127.0.0.1:http", "unix:/run/s.sock"])
def test_what_is_no_address_is_refused(monkeypatch: pytest.MonkeyPatch, address: str) -> None:
    monkeypatch.setenv("SMARTMATE_LISTEN", address)
    with pytest.raises(ValidationError):
        read()


@given(st.ip_addresses(), st.integers(min_value=0, max_value=65535))
def test_an_address_is_split_as_it_was_joined(host: object, port: int) -> None:
    written = f"[{host}]:{port}" if ":" in str(host) else f"{host}:{port}"
    assert split_address(written) == (str(host), port)


def test_a_shifted_clock_is_for_development_alone(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("SMARTMATE_CLOCK_OFFSET_SECONDS", "3600")
    with pytest.raises(ValidationError, match="development"):
        read()
    monkeypatch.setenv("SMARTMATE_DEVELOPMENT", "true")
    assert read().clock_offset_seconds == 3600


def test_passwords_stand_in_no_representation() -> None:
    assert "s3cret" not in repr(read())
    assert "s3cret" not in str(read())


def test_passwords_stand_in_no_error(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delenv("SMARTMATE_LISTEN")
    with pytest.raises(ValidationError) as missing:
        read()
    monkeypatch.setenv("SMARTMATE_LISTEN", "0.0.0.0:7001")
    with pytest.raises(ValidationError) as refused:
        read()
    assert "listen" in str(missing.value)
    assert "s3cret" not in f"{missing.value}{missing.value!r}{refused.value}{refused.value!r}"


def test_settings_are_a_value() -> None:
    with pytest.raises(ValidationError):
        read().listen = "127.0.0.1:1"  # type: ignore[misc]
