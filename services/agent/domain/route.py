"""Which way words go, by rules: an answer, memory, a note, a query, done, plan, change, feedback.

Spec: agent.md, chat. It decides where no model is configured, and checks a model's way where one
is: what words say or deny outright stands. What is quoted is data and asks for nothing.
"""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from enum import StrEnum

from services.agent.domain import route_answer, spoken, when_reading
from services.agent.domain import route_signs as signs
from services.agent.domain.note_title import Piece, cleaned
from services.agent.domain.note_words import Span
from services.agent.domain.route_answer import Answer, AnswerKind, Pending
from services.agent.domain.when import Edge, Mention, Standpoint


class Route(StrEnum):
    """Where words go. NOTE, QUERY and COMPLETE are quick tasks."""

    ANSWER = "answer"
    REMEMBER = "remember"
    NOTE = "note"
    QUERY = "query"
    COMPLETE = "complete"
    PLAN = "plan"
    EXECUTE = "execute"
    FEEDBACK = "feedback"
    DIRECT_REPLY = "direct_reply"


@dataclass(frozen=True, slots=True)
class Routed:
    """A way, and the code of the rule that chose it.

    `certain`: the words say it outright, or deny it. `words` are those that go this way, `rest`
    those that want a turn of their own behind them. `answer` is there exactly for ANSWER.
    """

    route: Route
    reason: str
    certain: bool
    words: str
    rest: str = ""
    answer: Answer | None = None


def route(
    words: str, at: Standpoint, *, pending: Pending | None = None, has_plan: bool = False
) -> Routed:
    """The way of some words; `has_plan`: a plan is on the table, so that it can be changed."""
    said = words.strip()
    if not said:
        return Routed(Route.DIRECT_REPLY, "nothing_said", certain=True, words=said)
    by_itself = _by_itself(said, at, has_plan=has_plan)
    answer = route_answer.read(said, pending) if pending else None
    if answer is not None and _goes_first(answer, by_itself):
        return Routed(Route.ANSWER, answer.kind.value, certain=True, words=said, answer=answer)
    if pending and pending.takes_words and not by_itself.certain:
        free = Answer(AnswerKind.WORDS, words=said)
        return Routed(Route.ANSWER, "words", certain=False, words=said, answer=free)
    return by_itself


def settled(rules: Routed, model: Route | None) -> Route:
    """Which way counts: what was said outright, else the model's, where there is one."""
    return rules.route if model is None or rules.certain else model


def _goes_first(answer: Answer, by_itself: Routed) -> bool:
    """Whether words are an answer rather than what they say by themselves: words with a no or
    without a clear answer may be a request of their own."""
    if answer.kind in (AnswerKind.CHOSEN, AnswerKind.YES) or not answer.words:
        return True
    others = (Route.NOTE, Route.COMPLETE, Route.REMEMBER)
    return not (by_itself.certain and by_itself.route in others)


@dataclass(frozen=True, slots=True)
class _Said:
    """A clause with its quotes hidden, its times, and where it is said."""

    text: str
    mentions: tuple[Mention, ...]
    has_plan: bool

    @property
    def timeless(self) -> str:
        """The clause with its times blanked."""
        text = self.text
        for one in self.mentions:
            text = text[: one.start] + " " * (one.end - one.start) + text[one.end :]
        return text


@dataclass(frozen=True, slots=True)
class _Rule:
    """Clauses that hold it go its way."""

    route: Route
    reason: str
    certain: bool
    holds: Callable[[_Said], bool]


def _asks_for_note(said: _Said) -> bool:
    if signs.asks_to_remember(said.text) and not _is_due(said):
        return False
    return signs.asks_for_note(said.text, said.timeless)


def _is_due(said: _Said) -> bool:
    return any(one.edge in (Edge.BEFORE, Edge.BY) for one in said.mentions)


def _is_limit(said: _Said) -> bool:
    """周日别排: how to plan."""
    return bool(said.mentions) and signs.is_constraint(said.text)


def _tells_a_duty(said: _Said) -> bool:
    """A day ahead that something is to be done by: a note, though none was asked for."""
    days = [one for one in said.mentions if one.options and one.edge is not Edge.AFTER]
    if not days or signs.is_constraint(said.text):
        return False
    return signs.tells_a_duty(said.text) and bool(_title(said))


def _title(said: _Said) -> str:
    spans = tuple(Span(one.start, one.end) for one in said.mentions)
    return cleaned(Piece(said.text, said.text, spans))


_RULES = (
    _Rule(
        Route.DIRECT_REPLY,
        "declined",
        True,
        lambda said: signs.is_declined(said.text) and not _is_limit(said),
    ),
    _Rule(
        Route.QUERY,
        "asked",
        True,
        lambda said: _asks_for_note(said) and signs.asks_within_note(said.text),
    ),
    _Rule(Route.NOTE, "asked_to_note", True, _asks_for_note),
    _Rule(
        Route.REMEMBER, "asked_to_remember", True, lambda said: signs.asks_to_remember(said.text)
    ),
    _Rule(Route.DIRECT_REPLY, "hypothetical", False, lambda said: signs.is_hypothetical(said.text)),
    _Rule(Route.QUERY, "asked", True, lambda said: signs.is_query(said.text)),
    _Rule(
        Route.DIRECT_REPLY, "asked_something_else", False, lambda said: signs.is_question(said.text)
    ),
    _Rule(Route.DIRECT_REPLY, "about_others", False, lambda said: signs.is_of_others(said.text)),
    _Rule(
        Route.FEEDBACK,
        "told_what_went_wrong",
        True,
        lambda said: signs.complaint(said.text) is not None and signs.is_strong(said.text),
    ),
    _Rule(Route.COMPLETE, "told_done", True, lambda said: signs.is_done(said.text)),
    _Rule(Route.PLAN, "asked_to_plan", True, lambda said: signs.asks_for_plan(said.text)),
    _Rule(
        Route.EXECUTE,
        "asked_to_change",
        True,
        lambda said: (
            said.has_plan and (signs.asks_for_change(said.text) or signs.goes_on(said.text))
        ),
    ),
    _Rule(Route.FEEDBACK, "complained", False, lambda said: signs.complaint(said.text) is not None),
    _Rule(Route.EXECUTE, "asked_to_change", False, lambda said: signs.asks_for_change(said.text)),
    _Rule(Route.NOTE, "told_a_duty", False, _tells_a_duty),
)
"""The first that holds counts."""

_BEHIND: Mapping[Route, frozenset[Route]] = {
    Route.COMPLETE: frozenset(Route) - {Route.DIRECT_REPLY},
    Route.DIRECT_REPLY: frozenset(Route) - {Route.DIRECT_REPLY},
    Route.FEEDBACK: frozenset({Route.NOTE, Route.COMPLETE, Route.REMEMBER, Route.QUERY}),
    Route.NOTE: frozenset({Route.COMPLETE, Route.FEEDBACK, Route.QUERY, Route.PLAN}),
    Route.REMEMBER: frozenset({Route.NOTE}),
}
_BEHIND_OTHERS = frozenset({Route.NOTE, Route.COMPLETE, Route.REMEMBER})
"""What may want a turn of its own behind words that went a way."""


def _by_itself(words: str, at: Standpoint, *, has_plan: bool) -> Routed:
    shown = spoken.hidden(spoken.plain(words))
    if reason := _whole(shown):
        return Routed(Route.DIRECT_REPLY, reason, certain=True, words=words)
    clauses = tuple(spoken.clauses(shown))
    rules = [
        _rule(_Said(text, when_reading.mentions(text, at), has_plan))
        for text in (shown[one.start : one.end] for one in clauses)
    ]
    chosen = _chosen(rules)
    if chosen is None:
        return _undecided(words, shown, has_plan=has_plan)
    rule = rules[chosen]
    assert rule is not None
    behind = _BEHIND.get(rule.route, _BEHIND_OTHERS)
    for clause, other in zip(clauses[chosen + 1 :], rules[chosen + 1 :], strict=True):
        if other is not None and other.certain and other.route in behind:
            own, rest = words[: clause.start], words[clause.start :]
            return Routed(rule.route, rule.reason, rule.certain, own.rstrip(" ,，、。"), rest)
    return Routed(rule.route, rule.reason, rule.certain, words)


def _whole(shown: str) -> str:
    """The reason for which words as a whole are no more than talk; empty where they may be more."""
    if not any(sign.isalnum() for sign in shown):
        # Quoted words alone, or marks.
        return "nothing_asked"
    if signs.is_greeting(shown):
        return "greeting"
    if signs.asks_what_this_is(shown):
        return "capability"
    return "about_memory" if signs.is_about_memory(shown) else ""


def _rule(said: _Said) -> _Rule | None:
    return next((rule for rule in _RULES if rule.holds(said)), None)


def _chosen(rules: Sequence[_Rule | None]) -> int | None:
    """The clause that decides: the first that says something outright, else the first that says
    anything; what follows 如果 is as uncertain as that."""
    first = next((index for index, rule in enumerate(rules) if rule), None)
    if first is None:
        return None
    opening = rules[first]
    if opening is not None and opening.reason == "hypothetical":
        return first
    outright = (index for index, rule in enumerate(rules) if rule is not None and rule.certain)
    return next(outright, first)


def _undecided(words: str, shown: str, *, has_plan: bool) -> Routed:
    if signs.is_constraint(shown) or (has_plan and signs.tells_a_time_taken(shown)):
        to = Route.EXECUTE if has_plan else Route.PLAN
        return Routed(to, "told_a_limit", certain=False, words=words)
    return Routed(Route.DIRECT_REPLY, "nothing_matched", certain=False, words=words)
