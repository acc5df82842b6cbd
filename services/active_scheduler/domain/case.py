"""What one look is about: the facts, what was left unfinished, and what was answered so far.

Spec: active-scheduling.md, Context, Observation and decision, Candidates.
"""

from dataclasses import dataclass, field, replace
from datetime import date, datetime, timedelta

from libs.planning import grid, validation
from libs.planning.calendar import Semester
from libs.planning.grid import Block, Place
from services.active_scheduler.domain.facts import MAX_SECTIONS, Facts
from services.active_scheduler.domain.preferences import Preferences, PreferenceSource, Wish
from services.active_scheduler.domain.questions import NO_ANSWERS, Answers

MOST_BEYOND = timedelta(days=7)
"""How far behind the deadline, or the window, room is looked for."""

MANY_MISSES = 3
"""From the third miss of one target within MISSES_WITHIN it is proposed shorter, or dropped."""

MISSES_WITHIN = timedelta(days=14)


@dataclass(frozen=True, slots=True)
class ClassRules:
    """What the class of an item asks for. Days 1 (Monday) to 7, pairs are standard pairs from 1.

    They bind a makeup block and only rank the places of a local reorder.
    """

    end: date | None = None
    excluded_days: tuple[int, ...] = ()
    excluded_pairs: tuple[int, ...] = ()

    def forbid(self, place: Place, semester: Semester) -> bool:
        """Whether a place touches a day or a pair that the class keeps free."""
        return place.day in self.excluded_days or any(
            first <= place.last and place.first <= last
            for first, last in self._excluded_sections(semester)
        )

    def as_preferences(self, semester: Semester | None) -> Preferences:
        """The same as wishes to keep times free."""
        days = [Wish(suits=False, days=(day,)) for day in self.excluded_days]
        spans = self._excluded_sections(semester) if semester is not None else ()
        pairs = [Wish(suits=False, first=first, last=last) for first, last in spans]
        return Preferences(source=PreferenceSource.TASK_CLASS, wishes=(*days, *pairs))

    def _excluded_sections(self, semester: Semester) -> tuple[tuple[int, int], ...]:
        pairs = semester.clock.standard_pairs
        return tuple(pairs[one - 1] for one in self.excluded_pairs if 1 <= one <= len(pairs))


@dataclass(frozen=True, slots=True)
class Unfinished:
    """What the person told that it was not finished.

    `block` is None where it is not known which one was meant. `misses` counts feedback on this
    target within MISSES_WITHIN, this one included. `rules` are those of an item's class.
    """

    block: Block | None
    misses: int = 1
    rules: ClassRules | None = None
    near: tuple[Block, ...] = ()
    """Blocks that may have been meant, where it is not known which."""

    @property
    def is_repeated(self) -> bool:
        """Whether it was missed so often that the same again is not the answer."""
        return self.misses >= MANY_MISSES


@dataclass(frozen=True, slots=True)
class Case:
    """One look. `given` is what was read; `facts` is the same with the length, the deadline and
    the preferences that hold for this look. Made by `case_of`.

    Places are looked for in [opens, closes]; what stands there is known up to `known_until`.
    """

    given: Facts
    facts: Facts
    unfinished: Unfinished | None
    answers: Answers
    known_until: datetime
    opens: datetime
    closes: datetime
    _free: dict[int, tuple[Place, ...]] = field(
        default_factory=dict, init=False, repr=False, compare=False
    )

    @property
    def free_places(self) -> tuple[Place, ...]:
        """Every free place of the length in the time that is open, whatever class and order say."""
        return self.places_of(self.facts.needed_sections)

    def places_of(self, length: int) -> tuple[Place, ...]:
        """The same for another length; looked for once."""
        found = self._free.get(length)
        if found is None:
            found = self._free[length] = grid.window_places(
                self.facts.world.grid, start=self.opens, end=self.closes, length=length
            )
        return found

    @property
    def whole_sections(self) -> int:
        """What is to be done in all: longer than what is needed in one piece where it was missed
        too often."""
        if self.block is None or self.answers.sections is not None:
            return self.facts.needed_sections
        return min(self.block.place.length, MAX_SECTIONS)

    @property
    def wanted_until(self) -> datetime:
        """How far ahead the rules look at most: MOST_BEYOND behind what binds the target."""
        return (self.given.deadline_ahead or self.given.window_end) + MOST_BEYOND

    @property
    def block(self) -> Block | None:
        """The block that was not finished, where it is known."""
        return self.unfinished.block if self.unfinished is not None else None

    @property
    def rules(self) -> ClassRules | None:
        """Those of the class of an unfinished item."""
        return self.unfinished.rules if self.unfinished is not None else None

    @property
    def is_repeated(self) -> bool:
        """Whether the same was missed so often that it is proposed otherwise."""
        return self.unfinished is not None and self.unfinished.is_repeated

    @property
    def makeup_ahead(self) -> Block | None:
        """A live block that makes up for the unfinished one already, or for a makeup of it."""
        if self.block is None:
            return None
        ahead = validation.live_ahead(self.facts.target.target, self.facts.world, self.facts.now)
        line, reached = set[int](), {self.block.id}
        while reached:
            line |= reached
            makeups = (one for one in self.facts.world.blocks if one.makeup_for_id in reached)
            reached = {one.id for one in makeups} - line
        return next((one for one in ahead if one.id in line and one != self.block), None)

    def answering(self, answers: Answers) -> "Case":
        """The same case as it were with other answers."""
        return case_of(
            self.given,
            unfinished=self.unfinished,
            answers=answers,
            known_until=self.known_until,
        )


def case_of(
    given: Facts,
    *,
    unfinished: Unfinished | None = None,
    answers: Answers = NO_ANSWERS,
    known_until: datetime | None = None,
) -> Case:
    """The case of these facts. Without `known_until` the window is all that is known."""
    known = max(given.window_end, known_until or given.window_end)
    facts = _holding(given, unfinished, answers)
    block = unfinished.block if unfinished is not None else None
    opens = given.now if block is None else max(given.now, given.world.grid.ends_at(block.place))
    return Case(
        given=given,
        facts=facts,
        unfinished=unfinished,
        answers=answers,
        known_until=known,
        opens=opens,
        closes=_closes(given, answers, known),
    )


def _holding(given: Facts, unfinished: Unfinished | None, answers: Answers) -> Facts:
    target = given.target
    if answers.may_end_later and given.deadline_ahead is not None:
        target = replace(target, deadline=None)
    sections = _sections(unfinished, answers)
    if sections is not None:
        target = replace(target, estimated_sections=sections)
    preferences = given.preferences
    if unfinished is not None and unfinished.rules is not None:
        preferences = unfinished.rules.as_preferences(_semester_of(given))
    return replace(given, target=target, preferences=preferences)


def _sections(unfinished: Unfinished | None, answers: Answers) -> int | None:
    """The length that was agreed to, or that of the unfinished block; None: as estimated."""
    if answers.sections is not None:
        return answers.sections
    if unfinished is None or unfinished.block is None:
        return None
    length = unfinished.block.place.length
    if unfinished.is_repeated:
        return (min(length, MAX_SECTIONS) + 1) // 2
    return length


def _closes(given: Facts, answers: Answers, known_until: datetime) -> datetime:
    deadline = given.deadline_ahead
    if answers.may_end_later:
        furthest = (deadline or given.window_end) + MOST_BEYOND
        return max(min(furthest, known_until), given.window_end)
    if answers.other_day:
        furthest = given.window_end + MOST_BEYOND
        return min(deadline or furthest, furthest, known_until)
    return given.latest_end


def _semester_of(facts: Facts) -> Semester | None:
    """The first semester that has not ended."""
    semesters = facts.world.grid.semesters
    return next((one for one in semesters if one.today(facts.now) <= one.last_day), None)
