"""Who calls, and for whom: what a token proves, and what it does not."""

import base64
import json
from collections.abc import Callable, Mapping
from datetime import UTC, datetime, timedelta
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st
from joserfc import jws, jwt
from joserfc.jwk import KeyParameters, KeySet, OctKey, OKPKey

from libs.clock import FixedClock
from libs.rpc import identity
from libs.rpc.identity import (
    SERVICE_HEADER,
    USER_HEADER,
    Access,
    Caller,
    InvalidToken,
    Issuer,
    PermissionDenied,
    TokenKind,
    Unauthenticated,
    Verifier,
)

NOON = datetime(2026, 11, 30, 12, tzinfo=UTC)
SERVICES = ("gateway", "schedule", "active_scheduler", "notification")
USER = 7
OPEN = Access()
OPERATORS = Access(role="operator")
FOR_SCHEDULER = Access(delegates=frozenset({"active_scheduler"}))
BATCH = Access(users=False, services=frozenset({"active_scheduler"}))


def key(name: str) -> OKPKey:
    parameters: KeyParameters = {"kid": name, "alg": "Ed25519", "use": "sig"}
    return OKPKey.generate_key("Ed25519", parameters, private=True)


KEYS = {name: key(name) for name in SERVICES}
PUBLIC = KeySet.import_key_set({"keys": [one.as_dict(private=False) for one in KEYS.values()]})


def issuer(service: str, clock: FixedClock | None = None) -> Issuer:
    return Issuer(service, KEYS[service], clock or FixedClock(NOON))


def verifier(clock: FixedClock | None = None) -> Verifier:
    return Verifier(PUBLIC, clock or FixedClock(NOON))


def forged(signer: OKPKey | None = None, kid: str = "schedule", **changes: Any) -> str:
    """A token of the schedule service with some claims changed; None removes one."""
    claims = {
        "iss": "schedule",
        "aud": "smartmate",
        "kind": "service",
        "iat": int(NOON.timestamp()),
        "exp": int(NOON.timestamp()) + 600,
        **changes,
    }
    said = {name: value for name, value in claims.items() if value is not None}
    header = {"alg": "Ed25519", "kid": kid}
    return jwt.encode(header, said, signer or KEYS["schedule"], algorithms=["Ed25519"])


def metadata(service: str, user: str | None = None) -> dict[str, str]:
    """What a call of `service` carries, for the holder of a user's token where there is one."""
    carried = {SERVICE_HEADER: issuer(service).service_token()}
    return carried if user is None else carried | {USER_HEADER: user}


def admitted(carried: Mapping[str, str], access: Access) -> Caller:
    return identity.authenticate(carried, verifier(), access)


def test_a_service_token_proves_the_service_and_no_user() -> None:
    claims = verifier().verify(issuer("schedule").service_token())
    assert (claims.issuer, claims.kind, claims.user_id) == ("schedule", TokenKind.SERVICE, None)


def test_a_user_token_carries_user_and_roles() -> None:
    claims = verifier().verify(issuer("gateway").user_token(USER, frozenset({"operator"})))
    assert claims.kind is TokenKind.USER
    assert (claims.user_id, claims.roles) == (USER, frozenset({"operator"}))


def test_roles_of_one_token_do_not_reach_the_next_one_of_that_user() -> None:
    gateway = issuer("gateway")
    gateway.user_token(USER, frozenset({"operator"}))
    assert verifier().verify(gateway.user_token(USER)).roles == frozenset()


def test_a_token_signed_with_another_key_proves_nothing() -> None:
    with pytest.raises(InvalidToken):
        verifier().verify(forged(KEYS["notification"]))


def test_a_token_signed_with_a_key_that_nobody_published_proves_nothing() -> None:
    with pytest.raises(InvalidToken):
        verifier().verify(forged(key("schedule")))


def test_a_service_cannot_speak_as_another_with_its_own_key() -> None:
    with pytest.raises(InvalidToken):
        verifier().verify(forged(KEYS["notification"], kid="notification"))


@pytest.mark.parametrize(
    "changes",
    [
        {"aud": "elsewhere"},
        {"aud": None},
        {"iss": None},
        {"iat": None},
        {"exp": None},
        {"kind": None},
        {"kind": "emperor"},
        {"kind": "user"},
        {"kind": "delegated"},
        {"sub": "7"},
        {"kind": "user", "sub": "seven"},
        {"kind": "user", "sub": [7]},
        {"exp": "tomorrow"},
        {"iat": "yesterday"},
        {"roles": 5, "kind": "user", "sub": "7"},
    ],
    ids=str,
)
def test_a_signed_token_with_claims_that_do_not_fit_proves_nothing(
    changes: dict[str, Any],
) -> None:
    with pytest.raises(InvalidToken):
        verifier().verify(forged(**changes))


def test_a_kid_that_nobody_has_proves_nothing() -> None:
    with pytest.raises(InvalidToken):
        verifier().verify(forged(kid="janitor"))


def test_a_token_without_a_kid_proves_nothing() -> None:
    claims = {"iss": "schedule", "aud": "smartmate", "kind": "service", "iat": 0, "exp": 2**40}
    token = jwt.encode({"alg": "Ed25519"}, claims, KEYS["schedule"], algorithms=["Ed25519"])
    with pytest.raises(InvalidToken):
        verifier().verify(token)


@pytest.mark.parametrize("payload", [b"[]", b"7", b"null", b'"text"', b"{", b"\xff"], ids=str)
def test_a_signed_payload_that_is_no_claims_proves_nothing(payload: bytes) -> None:
    header = {"alg": "Ed25519", "kid": "schedule"}
    token = jws.serialize_compact(header, payload, KEYS["schedule"], algorithms=["Ed25519"])
    with pytest.raises(InvalidToken):
        verifier().verify(token)


def test_no_other_algorithm_is_accepted() -> None:
    unsigned = ".".join(
        base64.urlsafe_b64encode(json.dumps(part).encode()).rstrip(b"=").decode()
        for part in ({"alg": "none", "kid": "schedule"}, {"iss": "schedule"})
    )
    with pytest.raises(InvalidToken):
        verifier().verify(f"{unsigned}.")
    # The public key is no secret: it must not serve as one.
    public = OctKey.import_key(json.dumps(KEYS["schedule"].as_dict(private=False)))
    with pytest.raises(InvalidToken):
        verifier().verify(jwt.encode({"alg": "HS256", "kid": "schedule"}, {}, public))


@given(st.text())
def test_any_text_is_a_token_or_an_invalid_one(token: str) -> None:
    with pytest.raises(InvalidToken):
        verifier().verify(token)


def test_a_header_nested_too_deep_is_an_invalid_token() -> None:
    deep = base64.urlsafe_b64encode(b'{"alg":' + b"[" * 50_000).decode()
    with pytest.raises(InvalidToken):
        verifier().verify(f"{deep}.e30.e30")


@pytest.mark.parametrize("remembered", [False, True])
def test_a_token_lives_ten_minutes_and_two_of_leeway(remembered: bool) -> None:
    clock = FixedClock(NOON)
    token = issuer("schedule").service_token()
    checked = verifier(clock)
    if remembered:
        checked.verify(token)
    clock.at = NOON + timedelta(minutes=10, seconds=120)
    assert checked.verify(token).issuer == "schedule"
    clock.at += timedelta(seconds=1)
    with pytest.raises(InvalidToken):
        checked.verify(token)
    # A clock that is set back brings it to life again: nothing was remembered wrongly.
    clock.at = NOON
    assert checked.verify(token).issuer == "schedule"


def test_a_token_from_a_clock_up_to_two_minutes_ahead_is_taken() -> None:
    ahead = issuer("schedule", FixedClock(NOON + timedelta(seconds=120)))
    assert verifier().verify(ahead.service_token()).issuer == "schedule"


def test_a_token_from_further_ahead_is_from_the_future() -> None:
    ahead = issuer("schedule", FixedClock(NOON + timedelta(seconds=121)))
    with pytest.raises(InvalidToken):
        verifier().verify(ahead.service_token())


@pytest.mark.parametrize(
    "mint",
    [
        Issuer.service_token,
        lambda one: one.delegated_token(USER),
        lambda one: one.user_token(USER),
    ],
    ids=["service", "delegated", "user"],
)
def test_an_issuer_hands_out_a_token_that_lives_five_minutes_or_more(
    mint: Callable[[Issuer], str],
) -> None:
    clock = FixedClock(NOON)
    minting = issuer("gateway", clock)
    seen = set()
    for minute in range(60):
        clock.at = NOON + timedelta(minutes=minute)
        token = mint(minting)
        seen.add(token)
        left = verifier(clock).verify(token).expires_at - clock.at.timestamp()
        assert left >= 300
    assert len(seen) == 12


def test_an_issuer_whose_clock_is_set_back_mints_tokens_that_are_taken() -> None:
    clock = FixedClock(NOON)
    minting = issuer("gateway", clock)
    minting.user_token(USER)
    clock.at = NOON - timedelta(hours=2)
    assert verifier(clock).verify(minting.user_token(USER)).user_id == USER


def test_what_issuer_and_verifier_remember_has_an_end() -> None:
    minting, checked = issuer("active_scheduler"), verifier()
    remembered = identity._CACHE_SIZE
    minting._cached.update({(TokenKind.DELEGATED, -n): ("", NOON) for n in range(remembered)})
    claims = checked.verify(minting.service_token())
    checked._cached.update({str(n): claims for n in range(remembered)})
    checked.verify(minting.delegated_token(USER))
    assert len(minting._cached) <= remembered
    assert len(checked._cached) <= remembered


def test_a_user_of_the_gateway_is_admitted_and_passed_on() -> None:
    token = issuer("gateway").user_token(USER)
    caller = admitted(metadata("active_scheduler", token), OPEN)
    assert caller == Caller("active_scheduler", USER, frozenset(), token)
    onward = dict(identity.outgoing(issuer("schedule"), caller))
    assert onward[USER_HEADER] == token
    assert verifier().verify(onward[SERVICE_HEADER]).issuer == "schedule"


@pytest.mark.parametrize("other", ["schedule", "active_scheduler", "notification"])
def test_a_user_token_of_another_issuer_than_the_gateway_is_refused(other: str) -> None:
    with pytest.raises(PermissionDenied):
        admitted(metadata(other, issuer(other).user_token(USER)), FOR_SCHEDULER)


def test_a_delegated_token_is_admitted_from_a_listed_service() -> None:
    token = issuer("active_scheduler").delegated_token(USER)
    caller = admitted(metadata("active_scheduler", token), FOR_SCHEDULER)
    assert caller == Caller("active_scheduler", USER)


def test_a_delegated_token_is_refused_where_its_service_is_not_listed() -> None:
    token = issuer("notification").delegated_token(USER)
    with pytest.raises(PermissionDenied):
        admitted(metadata("notification", token), FOR_SCHEDULER)
    with pytest.raises(PermissionDenied):
        admitted(metadata("notification", token), OPEN)


def test_a_delegated_token_serves_nobody_but_who_minted_it() -> None:
    stolen = issuer("active_scheduler").delegated_token(USER)
    listed = Access(delegates=frozenset({"active_scheduler", "notification"}))
    with pytest.raises(Unauthenticated):
        admitted(metadata("notification", stolen), listed)


def test_a_service_without_a_user_is_admitted_where_it_is_listed() -> None:
    assert admitted(metadata("active_scheduler"), BATCH) == Caller("active_scheduler")


@pytest.mark.parametrize("access", [OPEN, FOR_SCHEDULER], ids=["users", "delegates"])
def test_a_service_without_a_user_is_refused_elsewhere(access: Access) -> None:
    with pytest.raises(PermissionDenied):
        admitted(metadata("active_scheduler"), access)


def test_another_service_without_a_user_is_refused() -> None:
    with pytest.raises(PermissionDenied):
        admitted(metadata("notification"), BATCH)


def test_a_user_is_refused_where_services_alone_are_admitted() -> None:
    with pytest.raises(PermissionDenied):
        admitted(metadata("gateway", issuer("gateway").user_token(USER)), BATCH)


def test_a_role_is_asked_of_the_user() -> None:
    gateway = issuer("gateway")
    with pytest.raises(PermissionDenied):
        admitted(metadata("gateway", gateway.user_token(USER)), OPERATORS)
    token = gateway.user_token(USER, frozenset({"operator"}))
    assert admitted(metadata("gateway", token), OPERATORS).user_id == USER


@pytest.mark.parametrize(
    "carried",
    [
        {},
        {SERVICE_HEADER: ""},
        {SERVICE_HEADER: "nonsense"},
        {USER_HEADER: "nonsense"},
        metadata("gateway", "nonsense"),
        {SERVICE_HEADER: issuer("gateway").user_token(USER)},
        {SERVICE_HEADER: issuer("active_scheduler").delegated_token(USER)},
        metadata("gateway", issuer("gateway").service_token()),
    ],
    ids=[
        "nothing",
        "empty",
        "no token",
        "a user alone",
        "no user token",
        "a user token as the service's",
        "a delegated token as the service's",
        "a service token as the user's",
    ],
)
def test_whoever_does_not_prove_who_calls_is_not_known(carried: dict[str, str]) -> None:
    with pytest.raises(Unauthenticated):
        admitted(carried, FOR_SCHEDULER)


def test_a_bare_user_id_and_a_delegated_caller_go_on_as_delegated() -> None:
    scheduler = issuer("active_scheduler")
    for on_behalf_of in (USER, Caller("active_scheduler", USER)):
        carried = dict(identity.outgoing(scheduler, on_behalf_of))
        claims = verifier().verify(carried[USER_HEADER])
        assert (claims.kind, claims.issuer) == (TokenKind.DELEGATED, "active_scheduler")
        assert claims.user_id == USER


@pytest.mark.parametrize("on_behalf_of", [None, Caller("active_scheduler")], ids=str)
def test_a_call_for_nobody_carries_no_user(on_behalf_of: Caller | None) -> None:
    assert USER_HEADER not in dict(identity.outgoing(issuer("schedule"), on_behalf_of))
