"""An Ed25519 key pair per service: the private key with its owner, public keys everywhere.

spec: quality.md, Identity between services. Files are JSON Web Keys (RFC 8037); `kid` is the name
of the service.
"""

from collections.abc import Iterable, Mapping
from pathlib import Path
from typing import Any

from services.standalone import files

PUBLIC_SET = "public.json"


def private_path(directory: Path, service: str) -> Path:
    """Return where the private key of a service lies."""
    return directory / f"{service}.json"


def public_path(directory: Path) -> Path:
    """Return where the set of all public keys lies."""
    return directory / PUBLIC_SET


def ensure(directory: Path, services: Iterable[str]) -> None:
    """Make the keys that are missing; the public set always says what the private keys say."""
    private = {service: kept_or_new(directory, service) for service in services}
    publish(directory, private)


def publish(directory: Path, private: Mapping[str, dict[str, Any]]) -> None:
    """Write the public part of every private key into the directory, where it is not so yet."""
    published = {"keys": [public_part(private[service]) for service in sorted(private)]}
    path = public_path(directory)
    if files.read_object(path) != published:
        files.write_object(path, published)


def kept_or_new(directory: Path, service: str) -> dict[str, Any]:
    """Return the private key of a service, made and written where there is none."""
    path = private_path(directory, service)
    kept = files.read_object(path)
    if not kept:
        kept = generate(service)
        files.write_object(path, kept)
    return kept


def generate(service: str) -> dict[str, Any]:
    """Return a new private key as a JSON Web Key."""
    # Loaded where it is used: a supervisor that only keeps processes alive never needs it.
    from joserfc.jwk import KeyParameters, OKPKey

    parameters: KeyParameters = {"kid": service, "alg": "Ed25519", "use": "sig"}
    return dict(OKPKey.generate_key("Ed25519", parameters, private=True).as_dict(private=True))


def public_part(key: dict[str, Any]) -> dict[str, Any]:
    """Return the key without its private number."""
    return {name: value for name, value in key.items() if name != "d"}
