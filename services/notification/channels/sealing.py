"""Secrets at rest: AES-256-GCM under a key from the environment.

A seal holds a version, the id of its key, a nonce and the ciphertext. The user and the channel it
belongs to are authenticated with it, so a seal copied to another row does not open.
"""

import base64
import hashlib
import json
import os
from collections.abc import Mapping

from cryptography.exceptions import InvalidTag
from cryptography.hazmat.primitives.ciphers.aead import AESGCM

from services.notification.domain.errors import SecretUnreadable

VERSION = b"\x01"
KEY_BYTES = 32
KEY_ID_BYTES = 8
NONCE_BYTES = 12
TAG_BYTES = 16
SHOWN = 4


class Sealer:
    """Seals with the first key and opens with any: a key is changed by putting a new one first."""

    def __init__(self, current: bytes, *older: bytes) -> None:
        self._ciphers = {key_id(key): AESGCM(key) for key in (current, *older)}
        self._current = key_id(current)

    @classmethod
    def from_base64(cls, keys: str) -> "Sealer":
        """Keys as they stand in the environment: base64 of 32 bytes each, a comma between.

        Raises ValueError; the text holds no part of a key.
        """
        return cls(*(_decoded(key) for key in keys.split(",")))

    def seal(self, secrets: Mapping[str, str], *, user_id: int, channel_id: str) -> bytes:
        """All secrets of a channel in one seal."""
        nonce = os.urandom(NONCE_BYTES)
        plain = json.dumps(dict(secrets)).encode()
        header = VERSION + self._current
        bound = _bound_to(header, user_id, channel_id)
        return header + nonce + self._ciphers[self._current].encrypt(nonce, plain, bound)

    def open(self, seal: bytes, *, user_id: int, channel_id: str) -> dict[str, str]:
        """What was sealed for this user and channel. Raises SecretUnreadable."""
        if len(seal) < 1 + KEY_ID_BYTES + NONCE_BYTES + TAG_BYTES or seal[:1] != VERSION:
            raise SecretUnreadable("malformed")
        header, rest = seal[: 1 + KEY_ID_BYTES], seal[1 + KEY_ID_BYTES :]
        cipher = self._ciphers.get(header[1:])
        if cipher is None:
            raise SecretUnreadable("unknown_key")
        nonce, sealed = rest[:NONCE_BYTES], rest[NONCE_BYTES:]
        try:
            plain = cipher.decrypt(nonce, sealed, _bound_to(header, user_id, channel_id))
        except InvalidTag:
            raise SecretUnreadable("does_not_open") from None
        secrets: dict[str, str] = json.loads(plain)
        return secrets

    def is_current(self, seal: bytes) -> bool:
        """Whether it was sealed with the first key; if not, it is worth sealing anew."""
        return seal[1 : 1 + KEY_ID_BYTES] == self._current


def key_id(key: bytes) -> bytes:
    """A short name of a key that tells nothing of it."""
    if len(key) != KEY_BYTES:
        raise ValueError(f"a key of {KEY_BYTES} bytes is needed")
    return hashlib.sha256(b"smartmate seal key id\x00" + key).digest()[:KEY_ID_BYTES]


def masked(secret: str) -> str:
    """How a secret is shown: first and last four characters, or nothing of a short one."""
    if len(secret) < 4 * SHOWN:
        return "…"
    return f"{secret[:SHOWN]}…{secret[-SHOWN:]}"


def _decoded(key: str) -> bytes:
    try:
        return base64.b64decode(key.strip(), validate=True)
    except ValueError:
        raise ValueError("a key in base64 is needed") from None


def _bound_to(header: bytes, user_id: int, channel_id: str) -> bytes:
    return header + user_id.to_bytes(8, "big", signed=True) + channel_id.encode()
