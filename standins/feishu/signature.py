"""The signature of a custom bot: who signed, and whether the stamp is fresh."""

import base64
import hashlib
import hmac
from collections.abc import Mapping
from typing import Literal, TypeAlias

Verdict: TypeAlias = Literal["verified", "wrong", "absent", "unchecked"]
"""`unchecked`: a signature came, but this stand-in was started without a secret."""

FRESH_SECONDS = 3600
"""How far the stamp may lie from the receiver's clock, either way."""


def sign(timestamp: str, secret: str) -> str:
    """Base64 of HMAC-SHA256 over nothing, keyed by `"{timestamp}\\n{secret}"`."""
    key = f"{timestamp}\n{secret}".encode()
    return base64.b64encode(hmac.new(key, b"", hashlib.sha256).digest()).decode()


def verdict(body: Mapping[str, object], secret: str | None, *, now: float) -> Verdict:
    """Judge the `timestamp` (a string of whole seconds) and `sign` of a body at `now` (seconds)."""
    timestamp, given = body.get("timestamp"), body.get("sign")
    if timestamp is None and given is None:
        return "absent"
    if secret is None:
        return "unchecked"
    if not isinstance(timestamp, str) or not isinstance(given, str):
        return "wrong"
    if not (timestamp.isascii() and timestamp.isdigit() and len(timestamp) <= 16):
        return "wrong"
    if abs(now - int(timestamp)) > FRESH_SECONDS:
        return "wrong"
    expected = sign(timestamp, secret).encode()
    return "verified" if hmac.compare_digest(expected, given.encode(errors="replace")) else "wrong"
