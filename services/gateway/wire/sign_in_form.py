"""Asking for a sign-in link."""

from pydantic import Field

from services.gateway.wire.bodies import Body, Key


class AskBody(Body):
    """Who asks: a handle, such as a student number, or the id of a user."""

    handle: str = Field(min_length=1, max_length=200, repr=False)


class AskForm(AskBody):
    """The same from a page."""

    idempotency_key: Key = None
