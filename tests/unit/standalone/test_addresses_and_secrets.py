"""Addresses, passwords, restart delays: the pure parts of the one-machine runner."""

import base64
import datetime
import hashlib
import hmac
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st
from joserfc import jwt
from joserfc.jwk import KeySet, OKPKey

from services.standalone import (
    backbone,
    credentials,
    databases,
    errors,
    home,
    keys,
    postgres,
    processes,
    settings,
    upkeep,
)


def test_a_services_address_keeps_server_and_options() -> None:
    admin = "postgresql://root:r@db.example:5433/postgres?sslmode=require"
    assert databases.service_dsn(admin, "schedule", "p/w@") == (
        "postgresql://schedule:p%2Fw%40@db.example:5433/schedule?sslmode=require"
    )


@pytest.mark.parametrize(
    ("dsn", "url"),
    [
        ("postgresql://u:p@h:1/d", "postgresql+asyncpg://u:p@h:1/d"),
        ("postgresql://u:p@h:1/d?sslmode=require", "postgresql+asyncpg://u:p@h:1/d?ssl=require"),
    ],
)
def test_drivers_are_addressed_each_in_its_way(dsn: str, url: str) -> None:
    assert databases.sqlalchemy_url(dsn) == url
    assert databases.plain(url) == dsn
    assert databases.plain(dsn) == dsn
    assert databases.sqlalchemy_url(url) == url


def test_a_derived_password_follows_from_server_and_role() -> None:
    assert credentials.derived_password("a", "schedule") == credentials.derived_password(
        "a", "schedule"
    )
    assert (
        len(
            {
                credentials.derived_password(admin, role)
                for admin in ("a", "b")
                for role in ("schedule", "gateway")
            }
        )
        == 4
    )


def test_a_verifier_proves_its_password_and_does_not_hold_it() -> None:
    verifier = credentials.scram_verifier("hunter2", salt=b"0123456789abcdef")
    method, _, rest = verifier.partition("$")
    parameters, _, stored_and_server = rest.partition("$")
    rounds, _, salt = parameters.partition(":")
    salted = hashlib.pbkdf2_hmac("sha256", b"hunter2", base64.b64decode(salt), int(rounds))
    client = hmac.new(salted, b"Client Key", hashlib.sha256).digest()
    assert method == "SCRAM-SHA-256"
    assert (
        stored_and_server.split(":")[0]
        == base64.b64encode(hashlib.sha256(client).digest()).decode()
    )
    assert "hunter2" not in verifier


def test_a_key_signs_as_its_service_and_its_public_part_cannot() -> None:
    private = keys.generate("gateway")
    public = keys.public_part(private)
    token = jwt.encode(
        {"alg": "Ed25519", "kid": "gateway"},
        {"sub": "7"},
        OKPKey.import_key(private),
        algorithms=["Ed25519"],
    )
    published = KeySet.import_key_set(
        {"keys": [public, keys.public_part(keys.generate("schedule"))]}
    )
    assert jwt.decode(token, published, algorithms=["Ed25519"]).claims == {"sub": "7"}
    assert "d" not in public
    assert public["kid"] == "gateway"


@given(st.integers(1, 10_000))
def test_restarts_wait_longer_and_never_longer_than_the_longest(deaths: int) -> None:
    restart = processes.Restart()
    assert restart.first <= restart.delay(deaths) <= restart.longest
    assert restart.delay(deaths) <= restart.delay(deaths + 1)


def test_the_first_restart_is_soon() -> None:
    assert processes.Restart().delay(1) <= 0.5


@pytest.mark.parametrize(
    ("arguments", "ours"),
    [
        (("/x/postgres", "-D", "/data/pg", "-h", "127.0.0.1"), True),
        (("/x/postgres", "-D", "/data/pg2"), False),
        (("/x/postgres", "-p", "1", "-D"), False),
        (("vim", "-D", "/data/pg"), False),
        ((), False),
    ],
)
def test_a_postmaster_is_ours_by_its_data_directory_alone(
    arguments: tuple[str, ...], ours: bool
) -> None:
    assert postgres.serves(arguments, Path("/data/pg")) is ours


def test_root_keeps_its_data_where_an_unprivileged_server_can_reach_it() -> None:
    assert home.default_root({}, uid=0) == Path("/var/lib/smartmate")


def test_a_persons_data_lies_in_their_share() -> None:
    share = {"XDG_DATA_HOME": "/home/ming/share"}
    assert home.default_root(share, uid=1000) == Path("/home/ming/share/smartmate")
    chosen = share | {"SMARTMATE_HOME": "/srv/plan"}
    assert home.default_root(chosen, uid=1000) == Path("/srv/plan")


def test_some_databases_given_and_one_forgotten_is_an_error() -> None:
    given_urls = {"SMARTMATE_SCHEDULE_DATABASE_URL": "postgresql://s"}
    with pytest.raises(errors.DatabaseUnnamed, match="SMARTMATE_GATEWAY_DATABASE_URL"):
        backbone.embeds_postgres(settings.read(given_urls), ("schedule", "gateway"))
    assert not backbone.embeds_postgres(settings.read(given_urls), ("schedule",))
    assert backbone.embeds_postgres(settings.read({}), ("schedule",))


def test_a_backup_is_due_after_a_day() -> None:
    taken = (Path("2026-11-30T010000Z"),)
    noon = datetime.datetime(2026, 11, 30, 12, tzinfo=datetime.UTC)
    assert upkeep.is_due((), now=noon)
    assert not upkeep.is_due(taken, now=noon)
    assert upkeep.is_due(taken, now=noon + datetime.timedelta(days=1))


def test_every_error_is_a_sentence_with_a_reason_of_its_own() -> None:
    tree = errors.StandaloneError.__subclasses__()
    reasons = {kind.reason for kind in tree}
    assert len(reasons) == len(tree)
    assert "standalone_error" not in reasons
