"""Who is calling."""

from dataclasses import dataclass

OPERATOR = "operator"


@dataclass(frozen=True, slots=True)
class Visitor:
    """A signed-in user. `csrf` is None for a program that came with a bearer token."""

    user_id: int
    name: str
    roles: frozenset[str] = frozenset()
    csrf: str | None = None

    @property
    def initial(self) -> str:
        """The letter that stands for the person."""
        return self.name[:1].upper()

    @property
    def is_operator(self) -> bool:
        """Whether this person looks after the suite, and may see what others are not shown."""
        return OPERATOR in self.roles
