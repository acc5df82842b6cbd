"""Pages and routes for operators alone: for everybody else there is nothing."""

from typing import Annotated

from fastapi import Depends

from services.gateway.domain.errors import NothingHere
from services.gateway.domain.visitor import Visitor
from services.gateway.web.access import SignedIn


def operator(visitor: SignedIn) -> Visitor:
    """The visitor, who is an operator. Raises NothingHere, NotSignedIn and what access raises."""
    if not visitor.is_operator:
        raise NothingHere
    return visitor


Operator = Annotated[Visitor, Depends(operator)]
