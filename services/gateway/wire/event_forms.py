"""Forms of one block of the week. The date is how the page finds its week again."""

from datetime import date as calendar_date
from typing import Literal

from pydantic import Field

from services.gateway.wire.bodies import Body, Key

LARGEST = 2**63 - 1


class EventForm(Body):
    """What is done to a block, which was seen in this version.

    `task` is what it was made from, or `item` of the study plan `plan`; 0 where it is neither.
    """

    date: calendar_date
    version: int = Field(0, ge=0, le=LARGEST)
    task: int = Field(0, ge=0, le=LARGEST)
    plan: int = Field(0, ge=0, le=LARGEST)
    item: int = Field(0, ge=0, le=LARGEST)
    idempotency_key: Key = None


class EmbeddingForm(Body):
    """Whether a course may host; the block is where the form stood."""

    date: calendar_date
    event: int = Field(ge=1, le=LARGEST)
    may_host: Literal["yes", "no"]
    idempotency_key: Key = None
