"""Reading a quick note: "提醒我下周日前交概率论作业" → title, deadline, quadrant, estimate.

Spec: agent.md, chat (quick_task). What can be meant in two ways becomes a question, what is taken
for granted is named, what is quoted is a title and nothing else.
"""

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from datetime import datetime

from services.agent.domain import (
    note_filling,
    note_times,
    note_words,
    route_answer,
    spoken,
    when_reading,
)
from services.agent.domain.note_draft import Draft, Field, Question
from services.agent.domain.note_title import Piece, cleaned
from services.agent.domain.note_words import Span
from services.agent.domain.route_answer import Offered, Pending, PendingKind
from services.agent.domain.spoken import Clause
from services.agent.domain.text import Text
from services.agent.domain.when import Doubt, Edge, Mention, Standpoint

_NO_DEADLINE = frozenset({Edge.AFTER})


def read(words: str, at: Standpoint) -> tuple[Draft, ...]:
    """The tasks that the words tell of, in their order; at least one."""
    words = spoken.cleaned(words)
    shown = spoken.hidden(spoken.plain(words))
    clauses = (part for clause in spoken.clauses(shown) for part in _split(shown, clause, at))
    parts = [_part(words, shown, clause, at) for clause in clauses]
    groups = list(_grouped(parts))
    asked = [group for group in groups if any(part.asks for part in group)]
    first = asked[0][0].start if asked else 0
    noted = [group for group in groups if group[0].start >= first]
    unread = tuple(
        words[group[0].start : group[-1].end].strip() for group in groups if group[0].start < first
    )
    drafts = tuple(_draft(group, words, at) for group in noted)
    if not drafts:
        return (note_filling.filled(Draft("", questions=(_title_missing(),)), at),)
    return (replace(drafts[0], unread=unread), *drafts[1:])


def answered(draft: Draft, choice_id: str, words: str, at: Standpoint) -> Draft:
    """The draft with its first question answered, by a choice or in words; another question where
    the words leave one. A draft without questions stays as it is."""
    if not draft.questions:
        return draft
    question, rest = draft.questions[0], draft.questions[1:]
    left = replace(draft, questions=rest)
    chosen = next((one for one in question.choices if one.id == choice_id), None)
    if chosen is not None:
        return note_filling.filled(_set(left, question.about, chosen.at), at)
    return note_filling.filled(_from_words(left, question, words, at), at)


def resumed(words: str, at: Standpoint, answers: Sequence[tuple[str, str]]) -> tuple[Draft, ...]:
    """The same once more, after the answers (choice id, words) to the questions of its drafts so
    far: reading is exact, so that the words and their answers are all that has to be kept."""
    drafts = list(read(words, at))
    for choice_id, said in answers:
        index = next((n for n, one in enumerate(drafts) if one.questions), None)
        if index is not None:
            drafts[index] = answered(drafts[index], choice_id, said, at)
    return tuple(drafts)


@dataclass(frozen=True, slots=True)
class _Part:
    """A clause: the times in it, what else it says, and what is left as a title."""

    start: int
    end: int
    mentions: tuple[Mention, ...]
    reminders: tuple[Mention, ...]
    spans: tuple[Span, ...]
    asks: bool
    wants_reminder: bool
    title: str
    text: str
    is_item: bool


_AND = re.compile(r"(?:和|以及|还有|并且|然后|再|、|\band)\s*$", re.IGNORECASE)


def _split(shown: str, clause: Clause, at: Standpoint) -> Iterator[Clause]:
    """明天交作业和后天交报告: a time behind 和 begins another task where one was named before."""
    inside = shown[clause.start : clause.end]
    start, before, is_item = 0, 0, clause.is_item
    for mention in when_reading.mentions(inside, at):
        joint = _AND.search(inside, before, mention.start)
        named = joint and len(inside[before : joint.start()].strip()) > 1 and before > start
        if joint and named and inside[mention.end :].strip():
            yield Clause(clause.start + start, clause.start + joint.start(), is_item)
            start, is_item = joint.end(), True
        before = mention.end
    yield Clause(clause.start + start, clause.end, is_item)


def _part(words: str, shown: str, clause: Clause, at: Standpoint) -> _Part:
    inside = shown[clause.start : clause.end]
    found = when_reading.mentions(inside, at)
    asks = note_words.ASKS.search(inside)
    reminders = tuple(one for one in found if _is_reminder(one, inside))
    others = tuple(one for one in found if one not in reminders and _counts(one))
    said = [
        Span(one.start, _behind(one, inside, reminders))
        for one in (*others, *reminders)
        if not one.of_noun
    ]
    if asks:
        said.append(Span(asks.start(), asks.end()))
    said += _sayings(inside, said)
    piece = Piece(words[clause.start : clause.end], inside, tuple(said))
    return _Part(
        start=clause.start,
        end=clause.end,
        mentions=others,
        reminders=reminders,
        spans=tuple(said),
        asks=asks is not None,
        wants_reminder=bool(asks and note_words.REMINDS.search(asks[0])) or bool(reminders),
        title=cleaned(piece),
        text=inside,
        is_item=clause.is_item,
    )


def _sayings(inside: str, said: list[Span]) -> Iterator[Span]:
    """Weight, estimate, lead: told of the task, not its title."""
    yield from note_words.weight(inside).spans
    if lead := note_words.lead(inside):
        yield lead[1]
    bare = inside.strip()
    for whole in (True, False):
        length = note_words.sections(bare if whole else inside, whole=whole)
        if length:
            shift = len(inside) - len(inside.lstrip()) if whole else 0
            yield Span(length[1].start + shift, length[1].end + shift)
            return


def _is_reminder(mention: Mention, inside: str) -> bool:
    """周五提醒我: the time to be reminded at; remind me on Friday to …"""
    if mention.of_noun or mention.edge is Edge.BEFORE:
        return False
    if note_words.ASKS_BEHIND.match(inside, mention.end):
        return True
    return note_words.REMIND_AHEAD.search(inside, 0, mention.start) is not None


def _behind(mention: Mention, inside: str, reminders: tuple[Mention, ...]) -> int:
    match = note_words.ASKS_BEHIND.match(inside, mention.end) if mention in reminders else None
    return match.end() if match else mention.end


def _counts(mention: Mention) -> bool:
    """Whether a time can be a deadline; 周三以后 and a week that is only named cannot."""
    if mention.edge in _NO_DEADLINE:
        return False
    return not (mention.doubt is Doubt.VAGUE and not mention.options and mention.edge is Edge.ON)


def _grouped(parts: list[_Part]) -> Iterator[list[_Part]]:
    """Clauses that speak of one task: those that name none belong to the one before, else to the
    one that follows."""
    group: list[_Part] = []
    for part in parts:
        named = any(one.title for one in group)
        told = part.asks or part.is_item or any(one.mentions for one in group)
        if part.title and named and told and (part.mentions or part.asks or part.is_item):
            yield group
            group = []
        group.append(part)
    if group:
        yield group


def _draft(group: list[_Part], words: str, at: Standpoint) -> Draft:
    title = "，".join(part.title for part in group if part.title)
    basis, length = note_filling.basis([(part.text, part.wants_reminder) for part in group])
    draft = Draft(title, sections=length, basis=basis)
    questions = [] if title else [_title_missing()]
    for part in group:
        for mention in part.reminders:
            timed = note_times.reminder(mention, _said(words, part, mention), at)
            if timed.question:
                questions.append(timed.question)
            draft = replace(draft, basis=replace(draft.basis, reminded_at=timed.instant))
    draft, question = _with_deadline(draft, group, words, at)
    questions += [question] if question else []
    return note_filling.filled(replace(draft, questions=tuple(questions)), at)


def _with_deadline(
    draft: Draft, group: list[_Part], words: str, at: Standpoint
) -> tuple[Draft, Question | None]:
    found = [(one, _said(words, part, one)) for part in group for one in part.mentions]
    plain = _joined([pair for pair in found if not pair[0].of_noun], at)
    sure = [pair for pair in plain if pair[0].edge in (Edge.BEFORE, Edge.BY)]
    pairs = sure if len(sure) == 1 else plain
    if len(pairs) > 1:
        return draft, note_times.either(tuple(pairs), at)
    if not pairs:
        nouns = [pair for pair in found if pair[0].of_noun and pair[0].options]
        return draft, note_times.of_noun(*nouns[0], at) if nouns else None
    timed = note_times.deadline(*pairs[0], at)
    kept = replace(draft, deadline_at=timed.instant, assumed=draft.assumed + timed.assumed)
    return kept, timed.question


def _joined(pairs: list[tuple[Mention, str]], at: Standpoint) -> list[tuple[Mention, str]]:
    """A day and a time that stand apart, 周五交作业，8点前, as one."""
    if len(pairs) != 2:
        return pairs
    days = [words for one, words in pairs if one.has_days and not one.has_time]
    times = [words for one, words in pairs if one.has_time and not one.has_days]
    if not days or not times:
        return pairs
    together = f"{days[0]} {times[0]}"
    read_again = when_reading.mentions(together, at)
    return [(read_again[0], together)] if len(read_again) == 1 else pairs


def _said(words: str, part: _Part, mention: Mention) -> str:
    return words[part.start + mention.start : part.start + mention.end].strip()


def _title_missing() -> Question:
    text = Text("要记的是什么事？", "What is the task?")
    return Question(Field.TITLE, "title_missing", text)


def _set(draft: Draft, about: Field, instant: datetime | None) -> Draft:
    if about is Field.THRESHOLD:
        return replace(draft, basis=replace(draft.basis, reminded_at=instant))
    return replace(draft, deadline_at=instant)


_NONE = re.compile(
    r"没有?(?:截止(?:时间)?|期限)?|不限|无|不用|不需要|none|no(?:\s+deadline)?", re.IGNORECASE
)


def _from_words(draft: Draft, question: Question, words: str, at: Standpoint) -> Draft:
    """The answer in words: a title, one of the choices, a time; else the question stays."""
    again = replace(draft, questions=(question, *draft.questions))
    if question.about is Field.TITLE:
        told = read(words, at)[0]
        return replace(draft, title=told.title) if told.title else again
    if _NONE.fullmatch(words.strip(" ,，。.!！")) and question.about is Field.DEADLINE:
        return _set(draft, question.about, None)
    offered = tuple(Offered(one.id, (one.text.zh, one.text.en)) for one in question.choices)
    picked = route_answer.read(words, Pending(PendingKind.CHOICE, offered))
    chosen = next((one for one in question.choices if picked and picked.choice_id == one.id), None)
    text = spoken.hidden(spoken.plain(words))
    found = [one for one in when_reading.mentions(text, at) if one.options]
    chosen = note_times.picked(question, found, at) if found else chosen
    if chosen is not None:
        return _set(draft, question.about, chosen.at)
    if not found:
        return again
    said = words[found[0].start : found[0].end].strip()
    timed = (note_times.reminder if question.about is Field.THRESHOLD else note_times.deadline)(
        found[0], said, at
    )
    if timed.question:
        return replace(draft, questions=(timed.question, *draft.questions))
    return _set(draft, question.about, timed.instant)
