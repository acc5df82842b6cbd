"""Passwords and the sealing key of one data directory, made once and kept in one private file."""

import base64
import hashlib
import hmac
import secrets
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Self

from services.standalone import files
from services.standalone.permissions import OBSERVER

SCRAM_ITERATIONS = 4096


@dataclass(frozen=True, slots=True)
class Credentials:
    """What the parts of one suite know each other by."""

    postgres_admin: str
    nats_admin: str
    database: Mapping[str, str]
    """Password of each service's PostgreSQL role."""
    nats: Mapping[str, str]
    """Password of each service's NATS user, and of the observer's."""
    seal_key: str
    """Base64 of the 32 bytes that notification seals webhook URLs with."""
    feishu_secret: str
    """Signing secret of the Feishu stand-in, where one runs."""

    @classmethod
    def load(cls, path: Path) -> Self:
        """Read the file as a supervisor wrote it."""
        return cls(**files.read_object(path))

    @classmethod
    def load_or_make(cls, path: Path, services: Iterable[str]) -> Self:
        """Read the file; whatever it lacks is made and written."""
        services = tuple(services)
        kept = files.read_object(path)
        whole = {
            "postgres_admin": kept.get("postgres_admin") or secrets.token_hex(24),
            "nats_admin": kept.get("nats_admin") or secrets.token_hex(24),
            "database": {name: secrets.token_hex(24) for name in services}
            | kept.get("database", {}),
            "nats": {name: secrets.token_hex(24) for name in (*services, OBSERVER)}
            | kept.get("nats", {}),
            "seal_key": kept.get("seal_key") or base64.b64encode(secrets.token_bytes(32)).decode(),
            "feishu_secret": kept.get("feishu_secret") or secrets.token_hex(12),
        }
        if whole != kept:
            files.write_object(path, whole)
        return cls(**whole)


def derived_password(admin_password: str, role: str) -> str:
    """Return a role's password on a server that is not ours.

    It follows from the administrator's, so that every data directory used with that server comes
    to the same one and none has to be handed on.
    """
    key = admin_password.encode()
    return hmac.new(key, f"smartmate role {role}".encode(), hashlib.sha256).hexdigest()[:48]


def scram_verifier(password: str, *, salt: bytes | None = None) -> str:
    """Return what PostgreSQL stores of a password (RFC 5803), so the server never reads it."""
    salt = salt or secrets.token_bytes(16)
    salted = hashlib.pbkdf2_hmac("sha256", password.encode(), salt, SCRAM_ITERATIONS)
    client_key = hmac.new(salted, b"Client Key", hashlib.sha256).digest()
    stored = base64.b64encode(hashlib.sha256(client_key).digest()).decode()
    server = base64.b64encode(hmac.new(salted, b"Server Key", hashlib.sha256).digest()).decode()
    return f"SCRAM-SHA-256${SCRAM_ITERATIONS}:{base64.b64encode(salt).decode()}${stored}:{server}"
