"""Faults that a test or the demo lines up for the requests to come."""

from collections import deque
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field

MAX_DELAY_MS = 600_000
MAX_QUEUED = 1000
FOREVER = "always"
ANY_TOKEN = ""


class ScriptError(Exception):
    """The script cannot be read; the text names the field."""


@dataclass(frozen=True, slots=True)
class Fault:
    """What happens to one request instead of, or around, an honest answer.

    At most one of `code`, `body`, `reset` and `accept_then_drop` decides the answer. `http` sets
    its status (alone: an empty answer of that status), `delay_ms` and `hold` keep it back after
    the verdict fell. `accepted` tells whether a request answered by `body` counts as taken.
    """

    code: int | None = None
    msg: str = "scripted"
    http: int | None = None
    body: str | None = None
    headers: tuple[tuple[str, str], ...] = ()
    accepted: bool = False
    delay_ms: int = 0
    reset: bool = False
    accept_then_drop: bool = False
    hold: bool = False

    @property
    def judges_honestly(self) -> bool:
        """Whether the request is judged as if there were no fault."""
        return self.code is None and self.http is None and self.body is None and not self.reset

    @property
    def name(self) -> str:
        """Short name for the list of what was received."""
        parts = [f"code {self.code}"] if self.code is not None else []
        parts += [f"http {self.http}"] if self.http is not None else []
        parts += ["body"] if self.body is not None else []
        parts += [f"delay {self.delay_ms} ms"] if self.delay_ms else []
        flags = ("reset", "accept_then_drop", "hold")
        return ", ".join(parts + [flag for flag in flags if getattr(self, flag)])


def read_script(script: object) -> tuple[str, tuple[tuple[Fault, int | None], ...]]:
    """Token ("" = any) and faults with how often each applies (None = until cleared).

    Takes `{"token": …, "faults": [{…, "times": n | "always"}]}` or one fault alone.
    Raises ScriptError.
    """
    if not isinstance(script, dict):
        raise ScriptError("an object is needed")
    token = script.get("token", ANY_TOKEN)
    if not isinstance(token, str):
        raise ScriptError("token: a string is needed")
    single = {key: value for key, value in script.items() if key != "token"}
    faults = script.get("faults", [single])
    if not isinstance(faults, list) or not 0 < len(faults) <= MAX_QUEUED:
        raise ScriptError(f"faults: a list of 1 to {MAX_QUEUED} is needed")
    return token, tuple(_read_fault(fault) for fault in faults)


def _read_fault(given: object) -> tuple[Fault, int | None]:
    if not isinstance(given, dict) or not given:
        raise ScriptError("fault: an object that names one is needed")
    known = {*Fault.__dataclass_fields__, "times"}
    if unknown := sorted(set(given) - known):
        raise ScriptError(f"fault: {unknown[0]} is not known ({', '.join(sorted(known))})")
    fault = Fault(
        code=_number(given, "code", -(2**31), 2**31),
        msg=_text(given, "msg") or "scripted",
        http=_number(given, "http", 200, 599),
        body=_text(given, "body"),
        headers=_headers(given.get("headers", {})),
        accepted=_flag(given, "accepted"),
        delay_ms=_number(given, "delay_ms", 0, MAX_DELAY_MS) or 0,
        reset=_flag(given, "reset"),
        accept_then_drop=_flag(given, "accept_then_drop"),
        hold=_flag(given, "hold"),
    )
    if _deciders(fault) > 1:
        raise ScriptError("fault: one of code, body, reset, accept_then_drop")
    if given.get("times") == FOREVER:
        return fault, None
    return fault, _number(given, "times", 1, 1_000_000) or 1


def _deciders(fault: Fault) -> int:
    given = (fault.code is not None, fault.body is not None, fault.reset, fault.accept_then_drop)
    return sum(given)


def _number(given: Mapping[str, object], name: str, low: int, high: int) -> int | None:
    value = given.get(name)
    if value is None:
        return None
    if not isinstance(value, int) or isinstance(value, bool) or not low <= value <= high:
        raise ScriptError(f"{name}: a whole number from {low} to {high} is needed")
    return value


def _text(given: Mapping[str, object], name: str) -> str | None:
    value = given.get(name)
    if value is not None and not isinstance(value, str):
        raise ScriptError(f"{name}: a string is needed")
    return value


def _flag(given: Mapping[str, object], name: str) -> bool:
    value = given.get(name, False)
    if not isinstance(value, bool):
        raise ScriptError(f"{name}: true or false is needed")
    return value


def _headers(given: object) -> tuple[tuple[str, str], ...]:
    if not isinstance(given, dict):
        raise ScriptError("headers: an object is needed")
    for name, value in given.items():
        if not isinstance(value, str) or not (name + value).isprintable() or not name.isascii():
            raise ScriptError("headers: printable strings are needed")
    return tuple(given.items())


@dataclass(slots=True)
class Script:
    """Faults in line, per token; those for any token come after the token's own."""

    _lines: dict[str, deque[tuple[Fault, int | None]]] = field(default_factory=dict)

    def add(self, token: str, faults: tuple[tuple[Fault, int | None], ...]) -> int:
        """Append; returns how many entries now wait for this token. Raises ScriptError if full."""
        line = self._lines.setdefault(token, deque())
        if len(line) + len(faults) > MAX_QUEUED:
            raise ScriptError(f"faults: more than {MAX_QUEUED} in line")
        line.extend(faults)
        return len(line)

    def take(self, token: str) -> Fault | None:
        """The fault for a request that comes in now."""
        for name in (token, ANY_TOKEN):
            if line := self._lines.get(name):
                fault, times = line.popleft()
                if times is None or times > 1:
                    line.appendleft((fault, None if times is None else times - 1))
                return fault
        return None

    def clear(self) -> None:
        """Behave honestly again."""
        self._lines.clear()

    def waiting(self) -> Iterator[dict[str, object]]:
        """What is still in line, as JSON values."""
        for token, line in self._lines.items():
            for fault, times in line:
                yield {"token": token, "fault": fault.name, "times": times or FOREVER}
