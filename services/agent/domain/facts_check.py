"""Whether words say only what the facts say.

Spec: active-scheduling.md, Selection: numbers, names and sections must occur in the facts. Of a
place or moment, all that is said together must be true of one and the same: 周二 3–4 节 is no way
to speak of sections 3–4 of a Monday, even where a deadline falls on that Tuesday.

What the person wrote holds names; its numbers and times may be told in reason and risk alone, so
that no title can move what is proposed.
"""

import re
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from datetime import date

from services.agent.domain import claims, moments, names, title
from services.agent.domain.claim import Claim, Group, Kind
from services.agent.domain.moments import Moment, Role
from services.agent.domain.situation import Candidate, Situation, Words
from services.agent.domain.text import Language, Text

# A moment that is not the place is named as what it is, in the clause that speaks of it.
_CUES = {
    Role.PLACE: re.compile(""),
    Role.OTHER: re.compile(
        r"截止|期限|到期|前|紧急|现在|目前|due|deadline|before|until|\bby\b|urgen|threshold|\bnow\b"
        r"|currently",
        re.IGNORECASE,
    ),
    Role.WISH: re.compile(
        r"你|喜欢|习惯|偏好|记得|prefer|like|usual|remember|\byour?\b", re.IGNORECASE
    ),
}


@dataclass(frozen=True, slots=True)
class Facts:
    """What may be said: of which moments, which counts, which names."""

    moments: tuple[Moment, ...]
    counts: frozenset[int]
    """In thousandths."""
    known: str
    """All words that are known, normal and casefolded."""

    @property
    def has_place(self) -> bool:
        return any(moment.role is Role.PLACE for moment in self.moments)

    def allow(self, sentence: str, language: Language) -> bool:
        """Whether a sentence says nothing else."""
        plain = claims.normal(sentence)
        if not all(self._holds(group) for group in claims.groups(plain)):
            return False
        return next(names.strange(sentence, language, self.known), None) is None

    def _holds(self, group: Group) -> bool:
        told = [claim for claim in group.claims if not self._is_known_count(claim)]
        if not told:
            return True
        return any(
            all(moment.allows(claim) for claim in told)
            for moment in self.moments
            if not self.has_place or _CUES[moment.role].search(group.clause)
        )

    def _is_known_count(self, claim: Claim) -> bool:
        if claim.kind is Kind.NUMBER:
            return claim.values[0] in self.counts
        return claim.kind is Kind.SECTION_OR_COUNT and claim.values[0] * 1000 in self.counts


def holds(situation: Situation, chosen: Candidate | None, words: Words) -> bool:
    """Whether all words are true of the choice."""
    strict, free = _facts(situation, chosen), _facts(situation, chosen, with_person=True)
    pairs = (
        (words.summary, strict),
        (words.notification, strict),
        (words.reason, free),
        (words.risk, free),
    )
    return all(
        facts.allow(text.of(language), language) for text, facts in pairs for language in Language
    )


def _facts(situation: Situation, chosen: Candidate | None, *, with_person: bool = False) -> Facts:
    today = situation.now.astimezone(situation.zone).date()
    told = [claims.normal(one) for one in _told(situation, chosen)]
    groups = [group for one in told for group in claims.groups(one)]
    written = [claims.normal(one) for one in _written(situation)]
    by_person = [group for one in written if with_person for group in claims.groups(one)]
    found = [*_moments(situation, chosen, today), *moments.of_groups(groups, today, Role.OTHER)]
    found += moments.of_groups(by_person, today, Role.WISH)
    return Facts(
        moments=tuple(found),
        counts=frozenset(_counts(situation, chosen, (*groups, *by_person))),
        known="\n".join(" ".join(one.casefold().split()) for one in (*told, *written, title.BLANK)),
    )


def _told(situation: Situation, chosen: Candidate | None) -> Iterator[str]:
    """Every sentence of a template that speaks of the choice, without the title in it."""
    texts = [*situation.facts, situation.inaction, situation.notice]
    texts += [issue.evidence for issue in situation.issues]
    if chosen is not None:
        texts += [chosen.summary, chosen.reason, chosen.risk]
    for text in texts:
        masked: Text = title.blanked(title.masked(text, situation.title))
        yield from (masked.zh, masked.en)


def _written(situation: Situation) -> Iterator[str]:
    """What the person wrote."""
    yield situation.title
    yield title.cut(situation.title)
    yield from situation.memory
    yield situation.user_words


def _moments(situation: Situation, chosen: Candidate | None, today: date) -> Iterator[Moment]:
    for place in chosen.places if chosen else ():
        yield moments.of_place(place, today, situation.zone)
    yield moments.of_instant(situation.now, today, situation.zone)
    if situation.deadline is not None:
        yield moments.of_instant(situation.deadline, today, situation.zone)


def _counts(
    situation: Situation, chosen: Candidate | None, groups: Iterable[Group]
) -> Iterator[int]:
    yield from (count * 1000 for count in situation.metrics.values())
    for place in chosen.places if chosen else ():
        yield from (section * 1000 for section in range(place.first, place.last + 1))
        yield from ((place.last - place.first + 1) * 1000, place.week * 1000)
        yield place.starts_at.astimezone(situation.zone).year * 1000
    if situation.deadline is not None:
        yield situation.deadline.astimezone(situation.zone).year * 1000
    for group in groups:
        for claim in group.claims:
            yield from _counted(claim)


def _counted(claim: Claim) -> Iterator[int]:
    """The numbers that a claim of the facts lets one say by themselves: 3 = 第3节."""
    if claim.kind is Kind.NUMBER:
        yield claim.values[0]
    elif claim.kind in (Kind.SECTIONS, Kind.SECTION_OR_COUNT):
        yield from (value * 1000 for value in claim.values)
