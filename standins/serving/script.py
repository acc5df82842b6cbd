"""Steps in line for the requests to come, per key; "" is any key."""

from collections import deque
from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass, field
from typing import Generic, Protocol, TypeVar

from standins.serving import fields
from standins.serving.fields import ScriptError

MAX_QUEUED = 1000
FOREVER = "always"
ANY = ""


class Step(Protocol):
    """What happens to one request."""

    @property
    def name(self) -> str:
        """Short name for lists."""


S = TypeVar("S", bound=Step)

Entry = tuple[S, int | None]
"""A step and how often it applies; None = until cleared."""


def read(
    script: object, *, key: str, many: str, one: Callable[[Mapping[str, object]], S]
) -> tuple[str, tuple[tuple[S, int | None], ...]]:
    """`{key: …, many: [{…, "times": n | "always"}]}` or one step alone. Raises ScriptError."""
    if not isinstance(script, dict):
        raise ScriptError("an object is needed")
    chosen = script.get(key, ANY)
    if not isinstance(chosen, str):
        raise ScriptError(f"{key}: a string is needed")
    single = {name: value for name, value in script.items() if name != key}
    steps = script.get(many, [single])
    if not isinstance(steps, list) or not 0 < len(steps) <= MAX_QUEUED:
        raise ScriptError(f"{many}: a list of 1 to {MAX_QUEUED} is needed")
    return chosen, tuple(_entry(step, many.removesuffix("s"), one) for step in steps)


def _entry(
    given: object, what: str, one: Callable[[Mapping[str, object]], S]
) -> tuple[S, int | None]:
    if not isinstance(given, dict) or not given:
        raise ScriptError(f"{what}: an object that names one is needed")
    step = one({name: value for name, value in given.items() if name != "times"})
    if given.get("times") == FOREVER:
        return step, None
    return step, fields.number(given, "times", 1, 1_000_000) or 1


def _always(step: object) -> bool:
    return True


@dataclass(slots=True)
class Script(Generic[S]):
    """Steps in line; those for any key come after the key's own."""

    _lines: dict[str, deque[tuple[S, int | None]]] = field(default_factory=dict)

    def add(self, key: str, steps: Iterable[tuple[S, int | None]]) -> int:
        """Append; returns how many entries now wait for this key. Raises ScriptError if full."""
        line, new = self._lines.setdefault(key, deque()), tuple(steps)
        if len(line) + len(new) > MAX_QUEUED:
            raise ScriptError(f"more than {MAX_QUEUED} steps in line")
        line.extend(new)
        return len(line)

    def take(self, key: str, fits: Callable[[S], bool] = _always) -> S | None:
        """The step for a request that comes in now: the first in line that fits it."""
        for name in (key, ANY):
            line = self._lines.get(name, deque())
            for at, (step, times) in enumerate(line):
                if not fits(step):
                    continue
                if times == 1:
                    del line[at]
                elif times is not None:
                    line[at] = (step, times - 1)
                return step
        return None

    def clear(self) -> None:
        """Behave honestly again."""
        self._lines.clear()

    def waiting(self) -> Iterator[tuple[str, str, int | str]]:
        """What is still in line: key, name of the step, how often."""
        for key, line in self._lines.items():
            for step, times in line:
                yield key, step.name, times or FOREVER
