"""Secrets of links and sessions: compared safely, and kept as digests alone."""

import base64
import hashlib
import hmac


def digest(token: str) -> bytes:
    """What is stored of a token."""
    return hashlib.sha256(token.encode("utf-8", "surrogatepass")).digest()


def csrf_of(session_token: str) -> str:
    """The token that our own forms carry: derived from the session's, useless without it."""
    made = hmac.digest(session_token.encode("utf-8", "surrogatepass"), b"csrf v1", "sha256")
    return base64.urlsafe_b64encode(made).rstrip(b"=").decode()


def same(one: str, other: str) -> bool:
    """Whether two secrets are equal, in a time that tells nothing of where they differ."""
    return hmac.compare_digest(
        one.encode("utf-8", "surrogatepass"), other.encode("utf-8", "surrogatepass")
    )
