"""The one key of a change: from the header, from the body, or from both when they agree.

Source: spec web.md; a key is what the services call `request_id`.
"""

from services.gateway.domain.errors import KeyInvalid, KeyMissing, KeysDiffer

HEADER = "Idempotency-Key"
LONGEST = 64


def key_of(header: str | None, body: str | None) -> str:
    """The key of a changing request. Raises KeyMissing, KeysDiffer or KeyInvalid."""
    if header is not None and body is not None and header != body:
        raise KeysDiffer
    key = header if header is not None else body
    if not key:
        raise KeyMissing
    if len(key) > LONGEST or not all("!" <= letter <= "~" for letter in key):
        raise KeyInvalid
    return key
