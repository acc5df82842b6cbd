"""What a test or the demo lines up for the requests to come."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any, TypeAlias

from standins.llm.turn import Stage
from standins.serving import fields, script
from standins.serving.fields import ScriptError

MAX_DELAY_MS = 600_000
MAX_TOKENS = 10**15
WRAPS = (
    *("fence", "open_fence", "think", "open_think", "endless_think", "prose"),
    *("two", "twice", "list", "quoted", "bom", "single_quotes", "comma"),
)
CHOICES = ("empty", "null", "none", "null_first", "no_message")
FORMS = ("json_schema", "json_object")
NATIVE = ("call", "pair", "object", "bad", "empty", "null", "nameless")
FINISHES = ("stop", "length", "content_filter", "tool_calls", "null")
# Where a step applies, not what it does.
_WHERE = ("stage", "contains")


@dataclass(frozen=True, slots=True)
class Step:
    """What happens to one request; nothing set = an answer as the stand-in plays.

    Where: `stage` and `contains` (a text in any message) choose the requests that it is for.
    The words: `pick` chooses the candidate, `merge` is laid over the answer (field by field),
    `decide` (an object) or `content` (a text) replaces it, `blank` and `null` leave none. `wrap`
    puts something around it, `truncated` ends it in the middle with finish_reason length,
    `refusal` refuses, `native` says it as tool calls, `parts` in parts, `reasoning` beside it,
    `finish` is the finish_reason, `tokens` what usage counts (0 = no usage).
    The answer: `choices` spoils the list, `html` sends a page, `body` anything, `http` a status
    with `error` and `headers`, `refuses` a 400 that names response_format wherever that form is
    asked for. The connection: `delay_ms`, `hold`, `reset`, `piece_ms` (a byte at a time), `cut`
    (ends in the middle of the body), `endless`.
    """

    stage: str | None = None
    contains: str | None = None
    pick: int = 1
    merge: Mapping[str, Any] = field(default_factory=dict)
    decide: Mapping[str, Any] = field(default_factory=dict)
    content: str | None = None
    blank: bool = False
    null: bool = False
    wrap: tuple[str, ...] = ()
    truncated: bool = False
    refusal: str | None = None
    native: str | None = None
    parts: bool = False
    reasoning: str | None = None
    finish: str | None = None
    tokens: int | None = None
    choices: str | None = None
    html: bool = False
    body: str | None = None
    http: int | None = None
    error: Mapping[str, Any] = field(default_factory=dict)
    headers: tuple[tuple[str, str], ...] = ()
    refuses: tuple[str, ...] = ()
    delay_ms: int = 0
    hold: bool = False
    reset: bool = False
    piece_ms: int = 0
    cut: bool = False
    endless: bool = False

    @property
    def name(self) -> str:
        """Short name for the list of what was received."""
        set_ = [
            name
            for name in self.__dataclass_fields__
            if name not in ("error", "headers", *_WHERE)
            and getattr(self, name) != getattr(HONEST, name)
        ]
        return ", ".join(f"{name} {self.http}" if name == "http" else name for name in set_)


HONEST = Step()

Script: TypeAlias = script.Script[Step]
"""Steps in line, per model; those for any model come after the model's own."""


def read_script(given: object) -> tuple[str, tuple[tuple[Step, int | None], ...]]:
    """Model ("" = any) and steps with how often each applies (None = until cleared).

    Takes `{"model": …, "steps": [{…, "times": n | "always"}]}` or one step alone.
    Raises ScriptError.
    """
    return script.read(given, key="model", many="steps", one=_read_step)


def _read_step(given: Mapping[str, object]) -> Step:
    fields.only_known(given, (*Step.__dataclass_fields__, "good"), "step")
    return Step(
        stage=_word(given, "stage", tuple(Stage)),
        contains=fields.text(given, "contains"),
        pick=fields.number(given, "pick", 1, 100) or 1,
        merge=_object(given, "merge"),
        decide=_object(given, "decide"),
        content=fields.text(given, "content"),
        blank=fields.flag(given, "blank"),
        null=fields.flag(given, "null"),
        wrap=_words(given, "wrap", WRAPS),
        truncated=fields.flag(given, "truncated"),
        refusal=fields.text(given, "refusal"),
        native=_word(given, "native", NATIVE),
        parts=fields.flag(given, "parts"),
        reasoning=fields.text(given, "reasoning"),
        finish=_word(given, "finish", FINISHES),
        tokens=fields.number(given, "tokens", 0, MAX_TOKENS),
        choices=_word(given, "choices", CHOICES),
        html=fields.flag(given, "html"),
        body=fields.text(given, "body"),
        http=fields.number(given, "http", 200, 599),
        error=_object(given, "error"),
        headers=fields.headers(given),
        refuses=_words(given, "refuses", FORMS),
        delay_ms=fields.number(given, "delay_ms", 0, MAX_DELAY_MS) or 0,
        hold=fields.flag(given, "hold"),
        reset=fields.flag(given, "reset"),
        piece_ms=fields.number(given, "piece_ms", 0, MAX_DELAY_MS) or 0,
        cut=fields.flag(given, "cut"),
        endless=fields.flag(given, "endless"),
    )


def _object(given: Mapping[str, object], name: str) -> Mapping[str, Any]:
    found = given.get(name, {})
    if not isinstance(found, dict):
        raise ScriptError(f"{name}: an object is needed")
    return found


def _word(given: Mapping[str, object], name: str, known: tuple[str, ...]) -> str | None:
    """One word, or none."""
    found = fields.text(given, name)
    if found is not None and found not in known:
        raise ScriptError(f"{name}: of {', '.join(known)}")
    return found


def _words(given: Mapping[str, object], name: str, known: tuple[str, ...]) -> tuple[str, ...]:
    """One word or a list of them."""
    found = given.get(name, [])
    words = [found] if isinstance(found, str) else found
    if not isinstance(words, list) or not all(word in known for word in words):
        raise ScriptError(f"{name}: of {', '.join(known)}")
    return tuple(words)
