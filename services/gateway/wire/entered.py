"""What was entered in a form, and what is wrong about it, field by field.

A form that is refused is shown again with every value as it was entered and a sentence at each
field that has to be put right. Which field a service means stands in one table per form.
"""

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from typing import TypeVar

from libs.rpc.errors import RemoteError
from services.gateway.domain.locale import Locale
from services.gateway.domain.messages import say
from services.gateway.domain.moments import Unreadable

T = TypeVar("T")


@dataclass(slots=True)
class Problems:
    """Keys of the sentences, by the name of the field; the first one at a field stands."""

    keys: dict[str, str] = field(default_factory=dict)

    def add(self, name: str, key: str) -> None:
        """Something is wrong at a field."""
        self.keys.setdefault(name, key)

    def reading(self, name: str, read: Callable[[], T]) -> T | None:
        """What `read` gives; what it cannot read becomes a problem of the field."""
        try:
            return read()
        except Unreadable as error:
            self.add(name, error.key)
            return None

    def words(self, locale: Locale) -> Mapping[str, str]:
        """The sentences."""
        return {name: say(locale, key) for name, key in self.keys.items()}


class Refused(Exception):
    """A form that cannot be sent on as it is."""

    def __init__(self, problems: Problems) -> None:
        super().__init__(", ".join(problems.keys))
        self.problems = problems


def problems_of(error: Refused | RemoteError, table: Mapping[str, tuple[str, str]]) -> Problems:
    """What is wrong about a form, ours or the service's word for it, at its fields.

    `table`: the beginning of a service's field → (field of the form, key of the sentence). Raises
    the error itself where one of its violations has no field here, or it has none.
    """
    if isinstance(error, Refused):
        return error.problems
    found = Problems()
    for one in error.violations:
        named = next((table[start] for start in table if one.field.startswith(start)), None)
        if named is None:
            raise error
        found.add(*named)
    if not found.keys:
        raise error
    return found
