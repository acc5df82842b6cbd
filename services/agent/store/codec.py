"""Runs and what they ask as JSON in jsonb columns, checked when they are read.

A field that is not stored yet has its default, one that is not known any more is left out.
"""

from pydantic import TypeAdapter

from services.agent.domain.run import Confirm, Run

RUN: TypeAdapter[Run] = TypeAdapter(Run)
CONFIRM: TypeAdapter[Confirm] = TypeAdapter(Confirm)


def dumped(run: Run) -> str:
    """The run as a JSON object."""
    return RUN.dump_json(run).decode()


def loaded(text: str) -> Run:
    """The run out of its JSON object. Raises ValidationError."""
    return RUN.validate_json(text)


def confirm(request: Confirm) -> str:
    """What is to be confirmed, with exactly what a yes would write."""
    return CONFIRM.dump_json(request).decode()
