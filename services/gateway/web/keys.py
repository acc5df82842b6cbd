"""The idempotency key of a change."""

from typing import Annotated

from fastapi import Depends, Header

from services.gateway.domain import idempotency

KeyHeader = Annotated[
    str | None,
    Header(alias=idempotency.HEADER, description="1 to 64 characters, one per attempt"),
]


def _required(header: KeyHeader = None) -> str:
    return idempotency.key_of(header, None)


RequiredKey = Annotated[str, Depends(_required)]
"""For changes whose body carries no key. Raises KeyMissing or KeyInvalid."""
