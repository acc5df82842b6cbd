"""What follows from a note's words: quadrant and threshold, and what that takes for granted."""

from collections.abc import Iterator, Sequence
from dataclasses import replace
from datetime import datetime, timedelta

from services.agent.domain import note_title, note_words, when_telling
from services.agent.domain.note_draft import (
    MOST_SECTIONS,
    Assumption,
    Basis,
    Choice,
    Draft,
    Field,
    Quadrant,
    Question,
)
from services.agent.domain.text import Text
from services.agent.domain.when import Standpoint

_URGENT_WITHIN = timedelta(hours=48)
_LEAD = timedelta(hours=48)
_FOLLOWING = frozenset({"quadrant", "threshold"})
_ORDER = ("inclusive_day", "part_of_day", "quadrant", "threshold", "sections", "title_cut")

QUADRANTS = {
    Quadrant.URGENT_IMPORTANT: Text("重要且紧急", "important and urgent"),
    Quadrant.IMPORTANT: Text("重要不紧急", "important, not urgent"),
    Quadrant.URGENT: Text("紧急不重要", "urgent, not important"),
    Quadrant.NEITHER: Text("不重要不紧急", "neither important nor urgent"),
}


def basis(parts: Sequence[tuple[str, bool]]) -> tuple[Basis, int | None]:
    """What clauses say outright (text, whether it asks to be reminded), and the sections."""
    found = Basis(wants_reminder=any(wants for _, wants in parts))
    length: int | None = None
    for text, _ in parts:
        said = note_words.weight(text)
        if said.important is not None:
            found = replace(found, important=said.important)
        if said.urgent is not None:
            found = replace(found, urgent=said.urgent)
        if lead := note_words.lead(text):
            found = replace(found, lead=lead[0])
        sections = note_words.sections(text.strip(), whole=True) or note_words.sections(
            text, whole=False
        )
        length = sections[0] if sections else length
    return found, length


def filled(draft: Draft, at: Standpoint) -> Draft:
    """The draft with all that follows from what is known of it."""
    kept = tuple(one for one in draft.assumed if one.code not in _FOLLOWING)
    quadrant = _quadrant(draft, at)
    threshold, question = _threshold(draft, quadrant, at)
    questions = tuple(one for one in draft.questions if one.code != "after_deadline")
    done = replace(
        draft,
        title=note_title.cut(draft.title),
        quadrant=quadrant,
        threshold_at=threshold,
        sections=min(draft.sections, MOST_SECTIONS) if draft.sections else None,
        questions=(*questions, question) if question else questions,
    )
    assumed = sorted((*kept, *_assumed(draft, done, at)), key=lambda one: _ORDER.index(one.code))
    return replace(done, assumed=tuple(assumed))


def _quadrant(draft: Draft, at: Standpoint) -> Quadrant:
    """What was said outright, else what the title and the time tell."""
    said = draft.basis
    important, urgent = said.important, said.urgent
    if important is None:
        important = said.wants_reminder or note_words.is_study(draft.title)
    if urgent is None:
        urgent = draft.deadline_at is not None and draft.deadline_at - at.now <= _URGENT_WITHIN
    if important:
        return Quadrant.URGENT_IMPORTANT if urgent else Quadrant.IMPORTANT
    return Quadrant.URGENT if urgent else Quadrant.NEITHER


def _threshold(
    draft: Draft, quadrant: Quadrant, at: Standpoint
) -> tuple[datetime | None, Question | None]:
    """When the suite is to look at it by itself."""
    deadline, said = draft.deadline_at, draft.basis
    if said.reminded_at is not None:
        if deadline is not None and said.reminded_at > deadline:
            return None, _after_deadline(said.reminded_at, deadline, at)
        return said.reminded_at, None
    if said.lead is not None and deadline is not None:
        return max(deadline - said.lead, at.now), None
    if quadrant is Quadrant.URGENT_IMPORTANT:
        return at.now, None
    if quadrant is not Quadrant.IMPORTANT or deadline is None:
        return None, None
    return max(deadline - _lead(deadline - at.now), at.now), None


def _lead(left: timedelta) -> timedelta:
    """Two days before; where less than four are left, half way, in whole minutes."""
    if left >= 2 * _LEAD:
        return _LEAD
    return timedelta(minutes=int(left.total_seconds() // 120))


def _after_deadline(reminded_at: datetime, deadline: datetime, at: Standpoint) -> Question:
    when, due = when_telling.moment(reminded_at, at), when_telling.moment(deadline, at)
    text = Text(
        f"提醒的时间 {when.zh} 在截止 {due.zh} 之后。什么时候提醒？",
        f"The reminder at {when.en} comes after the deadline {due.en}. When should it be?",
    )
    instant = max(deadline - _lead(deadline - at.now), at.now)
    choice = Choice("t1", when_telling.moment(instant, at), instant)
    return Question(Field.THRESHOLD, "after_deadline", text, (choice,))


def _assumed(said: Draft, done: Draft, at: Standpoint) -> Iterator[Assumption]:
    if said.basis.important is None or said.basis.urgent is None:
        name = QUADRANTS[done.quadrant]
        yield Assumption("quadrant", Text(f"先记为{name.zh}", f"noted as {name.en}"))
    if said.basis.reminded_at is None and said.basis.lead is None and done.threshold_at:
        yield Assumption("threshold", _threshold_words(done.threshold_at, at))
    known = {one.code for one in said.assumed}
    if said.sections is None and "sections" not in known:
        text = Text("没有说要几节", "how many sections it takes was not said")
        yield Assumption("sections", text)
    elif said.sections is not None and said.sections > MOST_SECTIONS:
        text = Text(
            f"最多记 {MOST_SECTIONS} 节，更长的可以分成几项",
            f"at most {MOST_SECTIONS} sections are noted, longer work can be split",
        )
        yield Assumption("sections", text)
    if said.title != done.title:
        yield Assumption("title_cut", Text("题目太长，截短了", "the title was cut"))


def _threshold_words(instant: datetime, at: Standpoint) -> Text:
    if instant <= at.now:
        return Text("现在就开始找时间", "time for it is looked for from now on")
    when = when_telling.moment(instant, at)
    return Text(f"{when.zh} 起找时间", f"time for it is looked for from {when.en} on")
