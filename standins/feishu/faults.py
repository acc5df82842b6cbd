"""Faults that a test or the demo lines up for the requests to come."""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import TypeAlias

from standins.serving import fields, script
from standins.serving.fields import ScriptError

MAX_DELAY_MS = 600_000


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


Script: TypeAlias = script.Script[Fault]
"""Faults in line, per token; those for any token come after the token's own."""


def read_script(given: object) -> tuple[str, tuple[tuple[Fault, int | None], ...]]:
    """Token ("" = any) and faults with how often each applies (None = until cleared).

    Takes `{"token": …, "faults": [{…, "times": n | "always"}]}` or one fault alone.
    Raises ScriptError.
    """
    return script.read(given, key="token", many="faults", one=_read_fault)


def _read_fault(given: Mapping[str, object]) -> Fault:
    fields.only_known(given, Fault.__dataclass_fields__, "fault")
    fault = Fault(
        code=fields.number(given, "code", -(2**31), 2**31),
        msg=fields.text(given, "msg") or "scripted",
        http=fields.number(given, "http", 200, 599),
        body=fields.text(given, "body"),
        headers=fields.headers(given),
        accepted=fields.flag(given, "accepted"),
        delay_ms=fields.number(given, "delay_ms", 0, MAX_DELAY_MS) or 0,
        reset=fields.flag(given, "reset"),
        accept_then_drop=fields.flag(given, "accept_then_drop"),
        hold=fields.flag(given, "hold"),
    )
    if _deciders(fault) > 1:
        raise ScriptError("fault: one of code, body, reset, accept_then_drop")
    return fault


def _deciders(fault: Fault) -> int:
    given = (fault.code is not None, fault.body is not None, fault.reset, fault.accept_then_drop)
    return sum(given)
